"""Every shipped instance, compared with the known facts in its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.grid_files import FILES, LATER_FILES
from support.installed import CAPABILITIES

import jigsat
from jigsat.answering.enumeration import Enumeration
from jigsat.answering.ways import count_without_listing
from jigsat.backends.engine import is_compiled
from jigsat.errors import InputError, NotWorthwhile
from jigsat.instance import instances, load, load_all
from jigsat.search.portfolio import find_counting_engine
from jigsat.testing import check_family

COVERS = {
    "dominoes-6x8",
    "pentominoes-4x15",
    "pentominoes-5x12",
    "pentominoes-6x10",
    "pentominoes-8x8-hole",
}
COVERS |= {"hexiamonds-6x6"}
"""Tilings for which clause learning takes minutes to hours. They are also counted without a list;
see `test_counting_and_listing_agree`."""
SURFACES = {
    "cube-flat",
    "cube-tower",
    "pentagons",
    "polycube-tower",
    "polycube-2x2x2",
    "polycube-star",
    "polycube-3x3x3",
}
"""Interlocking instances for which z3 takes long; clingo replaces it."""
BACKENDS = {
    **{key: ["cover"] for key in COVERS},
    **{key: ["cadical195", "clingo"] for key in SURFACES},
    **{
        key: ["cadical195", "cover"]
        for key in ["fish-plain", "hexagons", "icosahedron", "dominoes-torus", "tetrahexes-4x7"]
    },
    **{key: ["cover"] for key in ["macmahon-squares", "macmahon-triangles"]},
    **{
        key: ["cadical195", "clingo"]
        for key in ["crossword-5x5", "crossword-unfillable", "double-squares-4", "word-squares-3"]
    },
    **{key: ["cadical195"] for key in ["macmahon-cube", "cube-six-sets"]},
    "fillomino-2x5": ["cadical195", "clingo"],
}
"""The backends of instances that are not counted by CaDiCaL and z3."""
SLOW = {
    "fish-plain",
    "soma",
    "pentominoes-3x20",
    "macmahon-squares",
    "macmahon-triangles",
    "polycube-star",
} | COVERS
SLOW |= {"polycube-2x2x2", "polycube-3x3x3", "hexagons", "cube-six-sets", "macmahon-cube"}
"""Instances that take more than a few seconds on one of their backends."""
LISTABLE = 200_000
"""If an instance is known to have more solutions than this, only the first hundred are searched
for, and only the first one if the number is unknown."""

SLOWER = {
    "cube-flat",
    "pentagons",
    "cats-reuse",
    "round-table-7",
    "wedding-small",
    "court-cards",
    "dinner",
    "fish",
    "latin-4",
    "latin-6",
    "black-and-white-batch",
    "sudoku-empty",
    "sudoku-underconstrained",
}
"""Instances that take z3 or clingo much longer than CaDiCaL."""

SLOWER |= LATER_FILES

CASES = [
    pytest.param(
        path,
        backend,
        id=f"{path.stem}-{backend}",
        marks=[pytest.mark.slow]
        * (path.stem in SLOW or (backend in ("z3", "clingo") and path.stem in SLOWER)),
    )
    for path in instances()
    for backend in BACKENDS.get(path.stem, ["cadical195", "z3"])
]


SOLVABLE = {
    "lights-unsolvable": ["lights-5x5"],
    "dinner-impossible": ["menage-5"],
    "crossword-unfillable": ["word-squares-3"],
}
"""For instances without a solution, another one of the family that has some, as `check_family`
requires."""

LONG = SLOW | {
    "black-and-white-batch",
    "court-cards",
    "fish",
    "cube-tower",
    "icosahedron",
    "latin-6",
    "pentagons",
    "polycube-tower",
}
"""Instances on which `check_family` takes more than a few seconds."""

LONG |= LATER_FILES


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=[pytest.mark.slow] * (path.stem in LONG))
        for path in instances()
    ],
)
def test_families_pass_check_family(name: str) -> None:
    check_family(*SOLVABLE.get(name, []), name, limit=50)


@pytest.mark.parametrize(("path", "backend"), CASES)
def test_counts_are_the_known_ones(path: Path, backend: str) -> None:
    if backend not in CAPABILITIES:
        pytest.skip(f"{backend} is not installed")
    for puzzle in load_all(path):
        assert puzzle.known.source, "an instance states the source of its known facts"
        assert puzzle.source and puzzle.title
        if puzzle.known.solutions is None or puzzle.known.solutions > LISTABLE:
            few = 1 if puzzle.known.solutions is None else 100
            enumeration = jigsat.solutions(puzzle, backend=backend, up_to="nothing", limit=few)
            assert len({solution.placements for solution in enumeration}) == few
            assert not enumeration.result.complete
            continue
        result = jigsat.count(puzzle, backend=backend, up_to="all")
        assert result.complete
        assert result.solutions == puzzle.known.solutions
        assert result.distinct == puzzle.known.distinct()


UNCOUNTABLE = {
    "court-cards",
    "cube-flat",
    "cube-six-sets",
    "cube-tower",
    "pentagons",
}
UNCOUNTABLE |= {
    "polycube-2x2x2",
    "polycube-3x3x3",
    "polycube-star",
    "dinner",
    "dinner-impossible",
    "wedding-small",
}
UNCOUNTABLE |= {"crossword-5x5", "double-squares-4", "word-squares-3"}
UNCOUNTABLE |= {path.stem for path in FILES}
"""Instances that counting refuses: they are no exact covers, or it would take too long to read them
as such. It counts some puzzles of the kit."""
LISTED_FASTER = {
    "fish",
    "fish-plain",
    "latin-diagonal-7",
    "macmahon-cube",
    "macmahon-squares",
    "macmahon-triangles",
}
LISTED_FASTER |= {
    "sudoku-6x6",
    "sudoku-empty",
    "sudoku-hard",
    "sudoku-jigsaw",
    "sudoku-underconstrained",
    "suguru-6",
}
"""Instances on which counting gives up because its states do not repeat."""
COUNTED_AT_ONCE = {"black-and-white-rule", "cats", "lights-5x5", "lights-hexagon", "lights-torus"}
COUNTED_AT_ONCE |= {"lights-unsolvable", "push-pull", "sudoku-4x4-empty"}
"""Instances that take less than a second to count and to list."""


@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] * (path.stem not in COUNTED_AT_ONCE))
        for path in instances()
    ],
    ids=lambda path: path.stem,
)
def test_counting_and_listing_agree(path: Path) -> None:
    for puzzle in load_all(path):
        spec = find_counting_engine(puzzle.encode())
        try:
            result = count_without_listing(puzzle, spec.name if spec else "counting")
        except NotWorthwhile:
            assert path.stem in LISTED_FASTER
            continue
        except InputError:
            assert path.stem in UNCOUNTABLE
            continue
        assert path.stem not in LISTED_FASTER
        if result.solutions > LISTABLE:
            assert result.solutions == puzzle.known.solutions
            continue
        listed = Enumeration(
            puzzle, backend=BACKENDS.get(path.stem, ["cadical195"])[0], up_to="nothing"
        )
        assert sum(1 for _ in listed) == listed.result.solutions == result.solutions
        assert listed.result.complete
        assert listed.result.distinct == result.distinct


def test_the_printed_fish_is_the_one_found() -> None:
    # the only solution as printed in the weblog: first letters of faces and tops, row by row
    printed = [
        "Zebr-R Rain-G Star-A Clow-W Tang-A Puff-G",
        "Clow-S Tang-W Zebr-R Puff-A Star-G Rain-A",
        "Puff-A Star-R Clow-G Zebr-G Rain-W Tang-S",
        "Star-S Puff-A Tang-A Rain-W Zebr-A Clow-A",
        "Tang-G Clow-G Rain-W Star-A Puff-G Zebr-G",
        "Rain-S Zebr-W Puff-G Tang-G Clow-S Star-S",
    ]
    (solution,) = jigsat.solutions("fish")
    tiles = load("fish").tiles  # type: ignore[attr-defined]
    found = {cell: tiles[tile] for cell, tile, _ in solution.placements}
    for row, line in enumerate(printed):
        for column, entry in enumerate(line.split()):
            tile = found[row, column]
            assert entry == f"{tile.face[:4].capitalize()}-{tile.sides[0][0].upper()}"
