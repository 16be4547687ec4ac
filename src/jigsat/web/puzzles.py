"""The puzzles and placements of requests."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jigsat import instance
from jigsat.errors import InputError, suggest
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle
from jigsat.study.areas import find_area
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement
from jigsat.web.messages import LoadedPuzzle, NamedRule, Placed


class RequestedPuzzle(BaseModel):
    """A puzzle: the name of an instance, the text of a file, or its entries. Paths of files are
    never accepted.

    `order` has the names in some of the entries in their order, because JavaScript moves names that
    look like numbers to the front.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None
    text: str | None = None
    data: dict[str, Any] | None = None
    order: dict[str, list[str]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(given is not None for given in (self.name, self.text, self.data)) != 1:
            raise ValueError("give exactly one of `name`, `text` and `data`")
        return self


def describe_rule(asked: Playing, name: str) -> NamedRule:
    """A rule with the places and the pieces that it is about."""
    area = find_area(asked, name, asked.rules[name])
    thing = asked.formula.things.get(name)
    if thing:
        sort = thing.noun or name
    else:
        sort = name.rpartition(": " if ": " in name else ", ")[0] or name
    places = [place for place in asked.places if place in area.places]
    return NamedRule(
        name=name,
        sort=sort,
        places=places,
        pieces=[piece for piece in asked.copies if piece in area.pieces],
    )


def read_played(asked: Playing, given: Placed) -> list[Placement]:
    """The placements that the clues determine, and those in the entry `placements` of a request."""
    return list(
        dict.fromkeys(
            [*asked.puzzle.given_placements(), *asked.read_placements(given, "placements.")]
        )
    )


def as_json(placements: Iterable[Placement]) -> Placed:
    """The fields of each placement by their names."""
    return [placement._asdict() for placement in placements]


def read_puzzles(source: RequestedPuzzle) -> Sequence[Puzzle]:
    """The puzzles of a source. A name is that of an instance, never a path, and a text is never a
    name. Raises InputError."""
    if source.data is not None:
        return instance.load_all(_reorder_names(source.data, source.order))
    if source.text is not None:
        return instance.load_text(source.text)
    paths = {path.stem: path for path in instance.instances()}
    name = str(source.name)
    if name in paths:
        return instance.load_all(paths[name])
    raise InputError(f"{name}: unknown instance{suggest(name, paths)}")


def _reorder_names(data: dict[str, Any], order: Mapping[str, list[str]]) -> dict[str, Any]:
    """The entries with the names in some of them in this order; other names follow."""
    entries = dict(data)
    for entry, names in order.items():
        things = entries.get(entry)
        if isinstance(things, dict):
            first = {name: things[name] for name in names if name in things}
            entries[entry] = first | things
    return entries


def _order_of_names(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names in the entries that have names that look like numbers."""
    return {
        entry: list(things)
        for entry, things in data.items()
        if isinstance(things, dict) and any(name.isdecimal() for name in things)
    }


def encode_source(source: RequestedPuzzle) -> Playing:
    """The only puzzle of a source; the last few are kept. Raises InputError."""
    return _encode_source(source.model_dump_json())


@lru_cache(maxsize=4)
def _encode_source(source: str) -> Playing:
    puzzles = read_puzzles(RequestedPuzzle.model_validate_json(source))
    if len(puzzles) > 1:
        raise InputError(f"expected one puzzle, found {len(puzzles)}; choose one of them")
    return Playing(puzzles[0])


def describe_puzzle(puzzle: Puzzle, missing: str = "") -> LoadedPuzzle:
    """A puzzle as the page shows it before it is solved; while something is missing, only what
    needs no whole puzzle.

    `missing` is the message of its validation; the page names no entries of files.
    """
    data = instance.entries(puzzle)
    loaded = LoadedPuzzle(
        name=puzzle.name,
        family=puzzle.family,
        title=puzzle.title,
        source=puzzle.source,
        rules=[],
        known={},
        clues=0,
        painted={label: (paint.fill, paint.band) for label, paint in puzzle.painted.items()},
        size=puzzle.rows_and_columns,
        solid=False,
        svg=opening(puzzle.parts()),
        toml=instance.instance_text(puzzle),
        data=data,
        order=_order_of_names(data),
        missing=missing.split(": ", 2)[-1].split("; see ")[0],
    )
    if missing:
        return loaded
    faults = list(puzzle.faults())
    return loaded.model_copy(
        update={
            "rules": list(puzzle.rules()),
            "known": puzzle.known.model_dump(exclude_defaults=True),
            "clues": len(puzzle.clues()),
            "doubts": list(map(str, faults)),
            "doubtful": [fault.place.split(".", 1) if fault.place else [] for fault in faults],
            "listed_as": puzzle.listed_as,
            "solid": puzzle.solid([]) is not None,
        }
    )
