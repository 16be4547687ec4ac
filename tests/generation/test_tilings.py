"""Generated tilings: coloured boards, words spelled by the cells left over, and selections of
pieces."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest
from support.answers import solve_all
from support.generated import SEEDS, data_of, generated, solution_counts

from jigsat import generate, instance
from jigsat.cli.generate import generate_puzzles
from jigsat.errors import InputError, Stopped
from jigsat.generation.generator import generate as generate_candidates
from jigsat.generation.sources import generators


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed != 16)) for seed in range(50)]
)
def test_strips_fit_in_only_one_way(seed: int) -> None:
    puzzle = generated("tiling", seed)
    assert puzzle.known.solutions == 1
    assert solution_counts(puzzle) == [1, 1]
    assert len(strips(data_of(puzzle))) == 1


@pytest.mark.parametrize("requested", [2, 4])
def test_strips_fit_in_the_requested_number_of_ways(requested: int) -> None:
    puzzle = generated("tiling", 1, pieces=THREE_COLOURS, solutions=requested)
    assert puzzle.known.solutions is not None
    assert solution_counts(puzzle) == [requested, requested]
    assert len(strips(data_of(puzzle))) == puzzle.known.solutions


def strips(data: dict[str, Any]) -> list[str]:
    """What the cells that are left over spell, for each way to place the strips on a coloured
    board, cell by cell."""
    colours = {
        (r, c): x
        for r, row in enumerate(data["board"].split())
        for c, x in enumerate(row)
        if x != "."
    }
    letters = {
        (r, c): x
        for r, row in enumerate(data.get("letters", data["board"]).split())
        for c, x in enumerate(row)
    }

    def ways(left: frozenset[tuple[int, int]], there: frozenset[str], over: int) -> Iterator[str]:
        if not left:
            yield ""
            return
        r, c = min(left)
        if over:
            yield from (letters[r, c] + word for word in ways(left - {(r, c)}, there, over - 1))
        for length, (down, across) in product((2, 3), ((0, 1), (1, 0))):
            cells = [(r + i * down, c + i * across) for i in range(length)]
            if left.issuperset(cells):
                shown = "".join(colours[cell] for cell in cells)
                strip = shown if shown in there else shown[::-1]
                if strip in there:
                    yield from ways(left.difference(cells), there - {strip}, over)

    return list(ways(frozenset(colours), frozenset(data["pieces"].values()), data["left_over"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cells_that_are_left_over_spell_the_word(seed: int) -> None:
    puzzle = generated("tiling", seed, letters="HIDE", pieces=THREE_COLOURS)
    data = data_of(puzzle)
    assert puzzle.known.solutions == 1
    assert strips(data) == ["HIDE"]
    (answer,) = solve_all([puzzle])
    assert str(answer) == "unique, HIDE"
    assert puzzle.title == "Strips with a hidden word"


THREE_COLOURS = {strip: strip for strip in ("bwo", "wob", "obw", "bbw", "bw", "wo")}


@pytest.mark.parametrize("letters", ["", "WORD", "HOLIDAY", "JABBERWOCKIES"])
def test_the_board_has_a_cell_for_each_letter(letters: str) -> None:
    options: Any = generators()["tiling"](letters=letters or None)
    blank = options.blank()
    rows = blank.board.split()
    assert blank.empty == (max(1, len(letters)),) * 2
    assert len(rows) <= len(rows[0]) <= 2 * len(rows)
    assert len({len(row) for row in rows}) == 1


def test_the_answer_is_not_in_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["letters=NO", "board=bwbw", 'pieces={a="bw"}', "holes=[[0, 1]]"]
    generate_puzzles("tiling", settings=settings)
    data = tomllib.loads(capsys.readouterr().out)
    assert "letters=… " in data["source"]
    assert "holes=… " in data["source"]
    assert strips(data) == ["NO"]


@pytest.mark.parametrize("seed", SEEDS)
def test_selected_pieces_fill_the_board_in_only_one_way(seed: int) -> None:
    pieces = {name: piece.shape for name, piece in instance.load("pentominoes-6x10").pieces.items()}  # type: ignore[attr-defined]
    puzzle = generated("tiling", seed, board="#####\n" * 4, pieces=pieces)
    assert puzzle.known.reflection == 1
    assert len(puzzle.pieces) == 4  # type: ignore[attr-defined]
    assert solution_counts(puzzle) == [1, 1]


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({}, "pieces in more colours fit in fewer ways"),
        ({"board": "######\n" * 5, "pieces": "pentominoes", "left_over": 5}, "on a smaller board"),
    ],
)
def test_a_candidate_with_several_solutions_says_what_helps(
    options: dict[str, Any], advice: str
) -> None:
    candidates = generate_candidates(generators()["tiling"](**options).build_generator(), 1)
    first = next(candidate for candidate in candidates if candidate.shortcoming)
    assert advice in first.shortcoming


def test_cells_are_left_out_of_the_board_if_pieces_would_fit_in_many_ways() -> None:
    options = {"board": "######\n" * 5, "pieces": "pentominoes", "left_over": 5}
    *_, first = generate_candidates(generators()["tiling"](**options).build_generator(), 1)
    assert "the board lacks 5 cells" in first.note
    assert len(first.puzzle.pieces) == 5  # type: ignore[attr-defined]
    assert len(first.puzzle.cells) == 25  # type: ignore[attr-defined]
    assert solution_counts(first.puzzle) == [1, 1]


def test_a_request_that_leaves_too_many_ways_says_what_to_change() -> None:
    options = {"board": "######\n" * 5, "pieces": "pentominoes", "left_over": 5}
    generator = generators()["tiling"](holes=[[0, 0]], **options).build_generator()
    with pytest.raises(Stopped, match="draw a smaller board, or one with colours"):
        list(generate_candidates(generator, 1))


@pytest.mark.parametrize(
    "pieces", [pytest.param(None, marks=pytest.mark.slow), THREE_COLOURS], ids=str
)
@pytest.mark.parametrize("holes", [[(2, 0)], [(0, 0), (2, 3), (2, 1)]], ids=str)
def test_the_cells_that_are_left_over_can_be_requested(
    holes: list[tuple[int, int]], pieces: dict[str, str] | None
) -> None:
    puzzle = generated("tiling", 1, holes=holes, pieces=pieces)
    (solution,) = next(solve_all([puzzle])).solutions
    covered = {cell for placement in solution.placements for cell in placement.cells}
    assert set(puzzle.cells) - covered == set(holes)  # type: ignore[attr-defined]


TURNS = [
    (axes, signs)
    for axes in permutations(range(3))
    for signs in product((1, -1), repeat=3)
    if sum(axes[i] > axes[j] for i, j in combinations(range(3), 2)) % 2 == (signs.count(-1) % 2)
]


def cubes(drawing: str) -> dict[tuple[int, ...], str]:
    """The coloured cubes of a drawing in layers."""
    layers = [layer.split() for layer in drawing.strip().split("\n\n")]
    return {
        (z, y, x): colour
        for z, layer in enumerate(layers)
        for y, row in enumerate(layer)
        for x, colour in enumerate(row)
        if colour != "."
    }


def ways(drawing: str) -> set[frozenset[tuple[tuple[int, ...], str]]]:
    """A coloured piece in each of its orientations; the first of its cubes in lexicographic order
    is at the origin."""
    found = set()
    for axes, signs in TURNS:
        turned = {
            tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True)): c
            for cell, c in cubes(drawing).items()
        }
        first = min(turned)
        found.add(
            frozenset(
                (tuple(x - y for x, y in zip(cell, first, strict=True)), c)
                for cell, c in turned.items()
            )
        )
    return found


def count_packings(data: dict[str, Any]) -> int:
    """The number of packings of a box, by trying the pieces at the first free cell."""
    pieces = {name: ways(drawing) for name, drawing in data["pieces"].items()}

    def count(free: dict[tuple[int, ...], str], left: frozenset[str]) -> int:
        if not free:
            return not left
        first, number = min(free), 0
        for name in left:
            for way in pieces[name]:
                lies = {
                    tuple(x + y for x, y in zip(cell, first, strict=True)): colour
                    for cell, colour in way
                }
                if all(free.get(cell) == colour for cell, colour in lies.items()):
                    number += count(
                        {cell: c for cell, c in free.items() if cell not in lies}, left - {name}
                    )
        return number

    return count(cubes(data["board"]), frozenset(pieces))


@pytest.mark.parametrize("seed", SEEDS[:10])
@pytest.mark.parametrize(
    ("box", "pieces"),
    [
        ("3x3x4", "tetracubes"),
        pytest.param("3x4x4", "tetracubes", marks=pytest.mark.slow),
        ("3x4x5", "pentacubes"),
        ("2x3x4", "tricubes"),
        ("2x4x4", "tetracubes"),
    ],
)
def test_pieces_cut_from_a_coloured_box_fill_it_in_only_one_way(
    box: str, pieces: str, seed: int
) -> None:
    puzzle = generated("tiling", seed, board=f"box {box}", pieces=pieces)
    data = data_of(puzzle)
    assert solution_counts(puzzle) == [1, 1]
    if len(data["pieces"]) <= 8:
        assert count_packings(data) == puzzle.known.solutions
    assert min(puzzle.known.distinct().values()) == 1
    assert len({frozenset(ways(drawing)) for drawing in data["pieces"].values()}) == len(
        data["pieces"]
    )
    assert puzzle.title == f"{len(data['pieces'])} {pieces} in a box of {box.replace('x', '×')}"


def test_pieces_have_the_colours_of_a_drawn_board() -> None:
    puzzle = generated("tiling", 1, board="abba\naccb\naccb\nabba", pieces="tetrominoes")
    assert solution_counts(puzzle) == [1, 1]
    shown = "".join(data_of(puzzle)["pieces"].values())
    assert [shown.count(colour) for colour in "abc"] == [6, 6, 4]


def test_a_set_of_pieces_has_a_name() -> None:
    puzzle = generated("tiling", 1, board="#####\n" * 6, pieces="pentominoes")
    drawn = instance.load("pentominoes-6x10").pieces  # type: ignore[attr-defined]
    assert len(puzzle.pieces) == 6  # type: ignore[attr-defined]
    assert all(
        {*map(frozenset, turned_over(piece.shape))}
        == {*map(frozenset, turned_over(drawn[name].shape))}
        for name, piece in puzzle.pieces.items()  # type: ignore[attr-defined]
    )


def turned_over(drawing: str) -> Iterator[list[tuple[int, ...]]]:
    """A flat piece in its eight orientations, in the first layer."""
    for way in ways(drawing):
        if all(cell[0] == 0 for cell, _ in way):
            least = [min(cell[axis] for cell, _ in way) for axis in range(3)]
            yield [tuple(x - y for x, y in zip(cell, least, strict=True)) for cell, _ in way]


def test_pieces_that_cannot_fill_the_board_are_refused() -> None:
    plain = "\n\n".join(["####\n####\n####"] * 4)
    for options, message in (
        ({"pieces": "tetracubes", "board": plain}, "32 cells together, but 48 must be covered"),
        (
            {"pieces": "pentacubes", "board": "box 3x4x4"},
            "48 cells to be covered, but every piece has 5",
        ),
        ({"board": "box 3x4x4"}, "name a set"),
        ({"pieces": "tetracube", "board": "box 3x4x4"}, "tetracubes"),
        ({"pieces": "tetracubes", "board": "box 0x4x4"}, "box"),
    ):
        with pytest.raises(InputError, match=message):
            generate("tiling", **options)
