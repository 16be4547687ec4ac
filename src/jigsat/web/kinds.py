"""What the page knows about the kinds of puzzles before it asks anything: the module `kinds.js`,
which the server and the static site add to the files of the page."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from jigsat import instance
from jigsat.errors import InputError
from jigsat.generation.grids import grid_options
from jigsat.kit import GridPuzzle, Rooms

KINDS_FILE = "kinds.js"


class Areas(NamedTuple):
    """The entry of a kind with rooms or cages, what one of them and its number is called, and
    whether a cell may be in none of them."""

    entry: str
    noun: str
    number: str
    partial: bool


class KindCard(NamedTuple):
    """What a card of the gallery shows; `size` is that of new puzzles, `cover` is an instance with
    one solution, or '' if there is none. `areas` are what an editor encloses."""

    family: str
    title: str
    words: str
    cover: str
    size: tuple[int, int]
    square: bool
    generated: bool
    stones: bool
    areas: dict[str, str | bool] | None


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
            )


def _find_areas(kind: type[GridPuzzle]) -> Areas | None:
    """The first entry with rooms or cages, if there is one."""
    for entry, field in kind.model_fields.items():
        layer = field.annotation
        if isinstance(layer, type) and issubclass(layer, Rooms):
            return Areas(entry, layer.noun, layer.number_noun, layer.partial)
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
