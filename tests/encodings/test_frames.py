"""Frames with teeth: boards of every shape, pictures, and what is refused. Brute force on squares
is in test_groups.py."""

from __future__ import annotations

import random
import tomllib
from itertools import product
from typing import Any

import pytest
from jigsat.encodings.interlocking.frame import frame_of, write_frame
from support.agreement import parsed

import jigsat
from jigsat.boards import board_named
from jigsat.errors import InputError
from jigsat.generation.sources import GenerationTask, generate_from
from jigsat.instance import instance_text

FRAME = """
#.#.#
.---#
#.#..
"""
PIECES = {"a": ".#.\n#-#\n.#.", "b": ".#.\n.-.\n.##"}


def framed(board: str, pieces: dict[str, Any], frame: str, **entries: Any) -> Any:
    return parsed(
        {"family": "interlocking", "board": board, "pieces": pieces, "frame": frame, **entries}
    )


@pytest.mark.parametrize(
    ("board", "sides", "rim"),
    [
        ("triangle 1", 3, [3]),
        ("hexagons\n#", 6, [6]),
        ("cylinder 1x2", 4, [2, 2]),
        ("torus 1x1", 4, []),
        ("triangles\n^v", 3, [4]),
    ],
)
def test_the_solutions_are_all_placements_that_the_check_accepts(
    board: str, sides: int, rim: list[int]
) -> None:
    rng = random.Random(board)
    found = 0
    for _ in range(12 if rim else 0):

        def drawn(number: int) -> str:
            return " ".join(
                rng.choice([".", "#", "#", "."]) + rng.choice(".#") for _ in range(number)
            )

        pieces, frame = {name: drawn(sides) for name in "ab"}, "\n".join(map(drawn, rim))
        if rim == [sides] and rng.random() < 0.7:  # a frame that fits the first piece
            frame = pieces["a"].translate(str.maketrans(".#", "#."))
        puzzle = framed(board, pieces, frame, holes=rng.choice(["allowed", "forbidden"]))
        on: dict[Any, list[Any]] = {cell: [] for cell in puzzle.surface.cells}
        for placement in puzzle.candidates:
            on[placement.cell].append(placement)
        accepted = {
            frozenset(chosen) for chosen in product(*on.values()) if not list(puzzle.check(chosen))
        }
        assert {
            frozenset(s.placements) for s in jigsat.solutions(puzzle, up_to="nothing")
        } == accepted
        assert jigsat.count(puzzle).solutions == len(accepted)
        assert not (accepted and list(puzzle.reasons())), "a reason for no solution is a proof"
        found += len(accepted)
    assert found or len(rim) != 1 or board.startswith("triangles")


def test_a_frame_on_a_board_of_squares_is_drawn_in_rows() -> None:
    puzzle = framed("square 1x2", PIECES, FRAME)
    (solution, *_) = jigsat.solutions(puzzle, up_to="nothing")
    assert solution.text().endswith("the frame:\n#.#.#\n.---#\n#.#..")
    teeth = FRAME.count("#")
    assert solution.svg().count("#8a8f98") == 2 * (
        6 + teeth + 5
    )  # fill and outline; a tooth at a corner is on two sides
    assert puzzle.parts()[0].svg.count("#8a8f98") == solution.svg().count("#8a8f98")
    assert any("the frame fills a place" in rule for rule in puzzle.rules())


def test_the_symmetries_keep_the_frame() -> None:
    pieces = {"a": {"shape": "###\n#-#\n###", "count": 2}}
    orders = {}
    for frame in ("#####\n#---#\n#####", "#####\n#---.\n#####", ".####\n#---#\n####."):
        orders[frame] = len(list(framed("square 1x2", pieces, frame).symmetries()))
    assert list(orders.values()) == [4, 2, 2]


@pytest.mark.parametrize(
    ("board", "frame", "said"),
    [
        ("cube", "###\n#-#\n###", "frame: cube has no rim"),
        (
            "square 1x2",
            "###\n#-#\n###",
            r"frame: row 1, column 4 is missing; on the rim write # or 1 for a tooth",
        ),
        ("square 1x2", "#####\n#---#", "frame: 2 rows, but the board is 3 small squares high"),
        (
            "square 1x2",
            "######\n#---#\n#####",
            "frame: row 1 has 6 characters, but the board is 5 wide",
        ),
        ("square 1x2", "##x##\n#---#\n#####", "frame: row 1, column 3 is 'x'"),
        (
            "cylinder 1x2",
            "## ##",
            "frame: 1 line, but cylinder 1x2 needs 2, one for each of its rims",
        ),
        ("cylinder 1x2", "## ##\n##", "frame: line 2: expected 2 sides of 2 characters"),
        ("cylinder 1x2", "## ##\n## #x", "frame: line 2, side #x, character 2 is 'x'"),
    ],
)
def test_wrong_frames_are_refused(board: str, frame: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        framed(board, {name: {"shape": shape, "count": 6} for name, shape in PIECES.items()}, frame)


def test_teeth_are_counted_against_the_gaps_of_the_frame() -> None:
    puzzle = framed("square 1x2", PIECES, "#####\n#---#\n#####")
    said = " ".join(reason.words for reason in puzzle.reasons())
    assert "the pieces have 7 teeth, but there is 1 place to fill: 6 too many" in said
    open_frame = framed("square 1x2", PIECES, ".....\n.---.\n.....")
    assert "but there are 13 places to fill: 6 too few" in " ".join(
        reason.words for reason in open_frame.reasons()
    )


@pytest.mark.parametrize(
    "board", ["square 2x3", "squares\n##\n#.", "hexagon 2", "cylinder 1x3", "triangle 2"]
)
def test_a_written_frame_is_read_back(board: str) -> None:
    surface, rng = board_named(board), random.Random(board)
    spots = frame_of(surface, 4, write_frame(surface, 4, ()))
    assert spots and not any(spots.values())
    chosen = rng.sample(sorted(spots, key=str), len(spots) // 2)
    read = frame_of(surface, 4, write_frame(surface, 4, chosen))
    assert all(read[spot] for spot in chosen)
    assert write_frame(surface, 4, [spot for spot, tooth in read.items() if tooth]) == write_frame(
        surface, 4, chosen
    )


@pytest.mark.parametrize(
    ("board", "options"),
    [
        ("square 1x2", {"frame": True}),
        ("triangle 2", {"frame": True}),
        ("cylinder 1x2", {"frame": True}),
        ("tetrahedron", {}),
    ],
)
def test_pieces_for_a_frame_fit_in_one_way(board: str, options: dict[str, Any]) -> None:
    *_, generated = generate_from(
        GenerationTask("interlocking", {"board": board, "size": 4, **options}, seed=1), 1
    )
    puzzle, known = generated.puzzle, generated.puzzle.known
    assert (puzzle.frame is not None) == bool(options)
    again = parsed(tomllib.loads(instance_text(puzzle)))
    assert len(list(jigsat.solutions(again, up_to="reflection"))) == 1
    assert len(list(jigsat.solutions(again, up_to="nothing"))) == known.solutions
