"""What the page knows about the kinds of puzzles before it asks anything: the module `kinds.js`,
which the server and the static site add to the files of the page."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from jigsat import instance
from jigsat.errors import InputError
from jigsat.generation.grids import grid_options
from jigsat.kit import BlackCells, CellSigns, Givens, GridPuzzle, Rim, Rooms

KINDS_FILE = "kinds.js"


class Areas(NamedTuple):
    """The entry of a kind with rooms or cages, what one of them and its number is called, and
    whether a cell may be in none of them."""

    entry: str
    noun: str
    number: str
    partial: bool


class Signs(NamedTuple):
    """The entry of a kind whose cells have signs, what is drawn for each letter of a file, and
    whether a sign may have a number in its place. If `between`, there are places for signs on the
    lines between cells as well."""

    entry: str
    noun: str
    drawn: dict[str, str]
    numbers: bool
    between: bool


class Sides(NamedTuple):
    """The entry of a kind with numbers beside the grid, and the sides that have some."""

    entry: str
    sides: tuple[str, ...]


class KindCard(NamedTuple):
    """What a card of the gallery shows; `size` is that of new puzzles, `cover` is an instance with
    one solution, or '' if there is none. `areas` are what an editor encloses, `signs` what it puts
    into cells, and `rim` are the numbers beside the grid."""

    family: str
    title: str
    words: str
    cover: str
    size: tuple[int, int]
    square: bool
    generated: bool
    stones: bool
    areas: dict[str, Any] | None
    signs: dict[str, Any] | None
    rim: dict[str, Any] | None


def list_kinds() -> Iterator[KindCard]:
    """All kinds of puzzles on a grid that can be loaded."""
    covers = _list_covers()
    for kind in instance.every_family():
        if issubclass(kind, GridPuzzle):
            yield KindCard(
                family=kind.family,
                title=kind.name_kind(),
                words=kind.card or kind.summary(),
                cover=covers.get(kind.family, ""),
                size=kind.sizes[0],
                square=kind.square,
                generated=grid_options(kind) is not None,
                stones=kind.keeps_colours,
                areas=areas._asdict() if (areas := _find_areas(kind)) else None,
                signs=signs._asdict() if (signs := _find_signs(kind)) else None,
                rim=rim._asdict() if (rim := _find_rim(kind)) else None,
            )


def _find_areas(kind: type[GridPuzzle]) -> Areas | None:
    """The first entry with rooms or cages, if there is one."""
    for entry, field in kind.model_fields.items():
        layer = field.annotation
        if isinstance(layer, type) and issubclass(layer, Rooms):
            return Areas(entry, layer.noun, layer.number_noun, layer.partial)
    return None


def _find_signs(kind: type[GridPuzzle]) -> Signs | None:
    """The first entry with signs or black cells, or with givens inside of a rim, if there is
    one."""
    for entry, field in kind.model_fields.items():
        layer = field.annotation
        if not isinstance(layer, type):
            continue
        if issubclass(layer, CellSigns):
            between = len(layer.draft(2, 2).splitlines()) > 2
            return Signs(entry, layer.noun, dict(layer.signs), numbers=False, between=between)
        if issubclass(layer, BlackCells):
            return Signs(entry, "black cell", {layer.BLACK: "■"}, numbers=True, between=False)
        if issubclass(layer, Givens) and _find_rim(kind):
            return Signs(entry, "number", {}, numbers=True, between=False)
    return None


def _find_rim(kind: type[GridPuzzle]) -> Sides | None:
    """The first entry with numbers beside the grid, if there is one."""
    for entry, field in kind.model_fields.items():
        layer = field.annotation
        if isinstance(layer, type) and issubclass(layer, Rim):
            return Sides(entry, layer.sides)
    return None


def _list_covers() -> dict[str, str]:
    """The first instance of each family that has one solution."""
    covers: dict[str, str] = {}
    for path in instance.instances():
        try:
            data = instance.read_data(path)
        except InputError:
            continue  # the gallery names a broken file
        if data.get("known", {}).get("solutions") == 1:
            covers.setdefault(str(data.get("family")), path.stem)
    return covers


def write_kinds() -> str:
    """The module of the page: the cards of kinds on a grid, and for each family what others call
    its puzzles."""
    kinds = [kind._asdict() for kind in list_kinds()]
    names = {kind.family: kind.other_names for kind in instance.every_family() if kind.other_names}
    constants = {"KINDS": kinds, "OTHER_NAMES": names}
    lines = []
    for constant, value in constants.items():
        text = json.dumps(value, ensure_ascii=False, indent=1)
        lines.append(f"export const {constant} = {text};\n")
    return "".join(lines)
