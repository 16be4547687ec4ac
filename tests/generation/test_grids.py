"""Generated puzzles on a grid have one solution by a plain search, and each of their clues is
needed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from jigsat.encodings.nonogram import draw_figure
from support.kind_files import KINDS, load_kind

from jigsat.answering.enumeration import first_solution
from jigsat.errors import FamilyError, InputError
from jigsat.generation.generator import generate
from jigsat.generation.grids import GridGenerator, OtherCluesOptions, give_clues
from jigsat.generation.sources import generators, options_for
from jigsat.instance import family, load
from jigsat.kit import GridPuzzle
from jigsat.testing import check_family


def make(kind: str, seed: int) -> GridPuzzle:
    rows, columns = load_kind(kind).GENERATED_SIZE
    options = generators()[kind](rows=rows, columns=columns)  # type: ignore[call-arg]
    (made,) = generate(options.build_generator(), seed)
    assert isinstance(made.puzzle, GridPuzzle)
    return made.puzzle


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_plain_search_finds_one_solution(kind: str, seed: int) -> None:
    puzzle = make(kind, seed)
    assert (puzzle.grid.height, puzzle.grid.width) == load_kind(kind).GENERATED_SIZE
    assert len(load_kind(kind).solve(puzzle.model_dump())) == 1
    assert make(kind, seed) == puzzle


@pytest.mark.parametrize("name", ["binairo-4", "kakuro-2"])
def test_the_clues_do_not_depend_on_the_order_of_an_answer(name: str) -> None:
    """Answers are sets, whose order differs between runs of Python; the same seed must still give
    the same puzzle."""
    puzzle = load(name)
    assert isinstance(puzzle, GridPuzzle)
    answer = first_solution(puzzle)
    assert answer is not None
    clues = give_clues(puzzle, answer).clue_layers
    reordered = give_clues(puzzle, answer[::-1]).clue_layers
    assert {entry: list(layer) for entry, layer in clues.items()} == {
        entry: list(layer) for entry, layer in reordered.items()
    }


@pytest.mark.parametrize("kind", ["akari", "skyscrapers", "slitherlink", "masyu"])
def test_each_clue_is_needed(kind: str) -> None:
    puzzle = make(kind, 3)
    for entry, clues in puzzle.clue_layers.items():
        if entry in puzzle.fixed_clues:
            continue
        for place in clues:
            kept = {other: value for other, value in clues.items() if other != place}
            fewer = puzzle.replace_clues({entry: kept})
            assert len(load_kind(kind).solve(fewer.model_dump())) > 1, f"{entry} {place}"


def test_white_cells_are_drawn_again_if_no_digits_fit() -> None:
    """In a fifth of the drawings of 10×10 cells, no digit is left for some cell."""
    kind = family("kakuro")
    assert issubclass(kind, GridPuzzle)
    for seed in range(20):
        assert kind.propose(10, 10, random.Random(seed))
    assert kind.propose(2, 12, random.Random(1)) is None


def test_a_blank_puzzle_without_an_entry_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Tents(family("tents")):  # type: ignore[misc]
        @classmethod
        def blank(cls, height: int, width: int, rng: random.Random) -> dict[str, str]:
            return {}

    message = r"^Tents.blank: missing entry 'trees' \(test_grids.py, line \d+\)$"
    with pytest.raises(FamilyError, match=message):
        GridGenerator(Tents, 4, 4).read_blank(random.Random(1))
    kind = family("tents")
    monkeypatch.setattr(kind, "blank", Tents.blank)
    with pytest.raises(AssertionError, match=r"tents-4: \w+.blank: missing entry .trees."):
        check_family("tents-4")


def test_an_impossible_size_is_refused() -> None:
    kind = family("skyscrapers")
    assert issubclass(kind, GridPuzzle)
    with pytest.raises(InputError, match="there are no such puzzles of 3×4 cells"):
        next(GridGenerator(kind, 3, 4).candidates(random.Random(1)))


def test_a_size_of_which_no_puzzle_is_found_may_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = family("norinori")
    asked = []
    monkeypatch.setattr(kind, "propose", lambda height, width, rng: asked.append(height))
    assert issubclass(kind, GridPuzzle)
    words = "no puzzle of 15×15 cells was found in 3 attempts; try another --seed, or another size"
    with pytest.raises(InputError, match=words):
        next(GridGenerator(kind, 15, 15).candidates(random.Random(1)))
    assert asked == [15] * 3


def test_an_unknown_entry_in_fixed_clues_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = family("slitherlink")
    assert issubclass(kind, GridPuzzle)
    monkeypatch.setattr(kind, "fixed_clues", ("number",))
    with pytest.raises(InputError, match=r"Slitherlink\.fixed_clues: there is no entry 'number'"):
        GridGenerator(kind, 3, 4)


def test_clues_that_do_not_follow_from_the_answer_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = family("slitherlink")
    monkeypatch.setattr(kind, "full_clues", lambda puzzle, answer: {})
    monkeypatch.setattr(kind, "propose", lambda height, width, rng: {"numbers": "22\n22"})
    puzzle = next(iter(GridGenerator(kind, 2, 2).candidates(random.Random(1)))).puzzle
    assert dict(puzzle.numbers) == dict.fromkeys(puzzle.grid.cells, 2)


def test_a_new_nonogram_is_a_figure_and_no_noise() -> None:
    for seed in range(20):
        figure = draw_figure(10, 12, random.Random(seed))
        assert figure == {(row, 11 - column) for row, column in figure}
        alone = [
            (r, c)
            for r, c in figure
            if not figure & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
        ]
        assert len(alone) <= len(figure) / 8


@pytest.mark.parametrize("name", ["aquarium-6", "heyawake-4", "futoshiki-4", "slitherlink-4"])
def test_an_instance_gets_other_clues_and_keeps_the_rest(name: str) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, GridPuzzle)
    options = OtherCluesOptions(instance=puzzle)
    (made,) = generate(options.build_generator(), 3)
    assert isinstance(made.puzzle, GridPuzzle) and made.puzzle != puzzle
    assert len(load_kind(puzzle.family).solve(made.puzzle.model_dump())) == 1
    none: dict[str, dict[Any, Any]] = {
        entry: {} for entry, clues in puzzle.clue_layers.items() if clues.clue_by_clue
    }
    for entry in puzzle.clue_layers:
        before, after = (getattr(each.replace_clues(none), entry) for each in (puzzle, made.puzzle))
        assert before.write() == after.write()


@pytest.mark.parametrize(
    ("name", "requested", "words"),
    [
        ("lits-4", {}, "lits-4: LITS has no clues that can be taken away one by one"),
        ("kakuro-5", {}, "kakuro-5: Kakuro has no clues that can be taken away one by one"),
        ("akari-5", {"clues": 3}, "akari-5: clues cannot be chosen for the clues of a puzzle"),
        ("akari-5", {"complete": True}, "akari-5: complete cannot be chosen"),
    ],
)
def test_an_instance_that_gets_no_other_clues(
    name: str, requested: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        options_for(name, requested).build_generator()
