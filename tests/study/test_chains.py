"""The lines of a chain about tiles are read as a person reads them, and checked against the board
and the tiles: what they list fits all reasons, and the reasons rule out all else.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import pytest
from jigsat.encodings.seating.data import Seated
from support.told import list_steps

import jigsat
from jigsat import Puzzle, instance
from jigsat.facts import BySymmetry, Case
from jigsat.study.steps import Step, find_steps

SIDES = ("top", "right side", "bottom", "left side")
ASK = re.compile(r"(?:in ([^,]+), )?its ((?:top|bottom|left side|right side)) must show (.+)")
LINE = re.compile(r"Only (.+?) can lie in ([^:]+): (.+)\.")
NOTHING = re.compile(r"Nothing is left for ([^:]+): (.+)\.")


class Reader:
    """Reads the lines of one step."""

    def __init__(self, puzzle: Puzzle, step: Step, supposed: Any) -> None:
        self.puzzle: Any = puzzle
        self.way = puzzle.way()
        self.left = set(step.left)
        self.placed = [supposed]
        self.lines = 0

    def read(self, line: str) -> None:
        """Check a line, and remember what it says."""
        match = LINE.fullmatch(line)
        if match:
            things, place, reasons = match.groups()
            listed = {x for x in self.left_in(place) if self.way.lie(x) in split_names(things)}
            assert len(listed) == len(split_names(things)), line
            self.check(place, listed, reasons, line)
            self.left -= self.left_in(place) - listed
            if len(listed) == 1:
                self.placed += listed
        match = NOTHING.fullmatch(line)
        if match and self.left_in(match[1]):
            self.check(match[1], set(), match[2], line)

    def left_in(self, place: str) -> set[Any]:
        return {x for x in self.left if self.way.place(x) == place}

    def check(self, place: str, listed: set[Any], reasons: str, line: str) -> None:
        """What is listed fits all reasons; all else that was left there breaks one."""
        parts = split_reasons(reasons)
        for tile in self.left_in(place):
            broken = [reason for reason in parts if not self.fits(tile, reason, place)]
            assert (tile in listed) == (not broken), (line, tile)
        self.lines += 1

    def fits(self, tile: Any, reason: str, place: str) -> bool:
        """Whether a tile fits a reason, which is true of the board itself."""
        ask = ASK.fullmatch(reason)
        if ask:
            assert ask[1] in (None, place)
            return self.read_side(tile, ask[2]) in split_names(ask[3])
        used = reason.removesuffix(" is used")
        if used != reason:
            assert used in map(self.way.thing, self.placed)
            return bool(self.way.thing(tile) != used)
        line, faces = reason.split(" already has ")
        every = [self.way.face(x) for x in self.placed if line in name_lines(x)]
        assert set(split_names(faces)) <= set(every)
        return line not in name_lines(tile) or self.way.face(tile) not in split_names(faces)

    def read_side(self, tile: Any, side: str) -> str:
        """The label that a tile shows on a side of the board, from the entries of the file."""
        labels = self.puzzle.tiles[tile.tile].sides
        return str(labels[(SIDES.index(side) - tile.turn) % 4])


def split_names(words: str) -> list[str]:
    return re.split(r", | or | and ", words)


def split_reasons(words: str) -> list[str]:
    """The reasons of a line; each begins with its own words."""
    begin = r"(?=its |in |row \d|column \d|tile \d+ is used|[a-z]+-\d is used)"
    return [part for part in re.split(rf"(?:, | and ){begin}", words) if part]


def name_lines(tile: Any) -> tuple[str, str]:
    row, column = tile.cell
    return f"row {row + 1}", f"column {column + 1}"


def list_first_steps(name: str) -> list[Step]:
    return list_steps(name, 21)


@pytest.mark.parametrize(("name", "least"), [("cats", 2), ("fish", 10)])
def test_lines_list_what_their_reasons_leave(name: str, least: int) -> None:
    puzzle = instance.load(name)
    lines = 0
    for step in list_first_steps(name):
        case = step.fact
        if not isinstance(case, Case) or not case.supposed.placed:
            continue
        reader = Reader(puzzle, step, case.supposed.placed[0])
        for line in step.text(puzzle).chain:
            reader.read(line)
        lines += reader.lines
    assert lines >= least


def test_a_line_lists_no_tile_that_shows_another_label() -> None:
    """Of three tiles that were left, only one shows red on its left side."""
    puzzle = instance.load("fish")
    chains = [step.text(puzzle).chain for step in list_first_steps("fish")]
    words = "Only clown-5 can lie in r2c2: its left side must show red."
    assert any(words in chain for chain in chains)


@pytest.mark.parametrize("name", ["cats", "cube", "dinner", "pentominoes-3x20"])
def test_a_symmetry_is_one_that_is_left(name: str) -> None:
    """Each motion that is named maps the placement to an image while what was chosen stays."""
    puzzle = instance.load(name)
    given: list[Any] = []
    for step in islice(find_steps(puzzle), 2):
        fact = step.fact
        if not isinstance(fact, BySymmetry):
            break
        (chosen,) = fact.conclusion.placed
        kept = [x for x in puzzle.symmetries() if all(x.images[y] == y for y in given)]
        images = {symmetry.images[chosen] for symmetry in kept} - {chosen}
        assert set(fact.images) == images
        kinds = {motion.kind for motion in fact.motions}
        turns = {x.images[chosen] for x in kept if x.level == "rotation"} | {chosen}
        assert (kinds <= {"turn", "half turn"}) == (turns >= images)
        given.append(chosen)
    assert given


def test_the_second_choice_of_a_table_is_a_mirroring_with_its_axis() -> None:
    puzzle = instance.load("dinner")
    _, step = list(find_steps(puzzle))
    assert step.text(puzzle).lines() == [
        "In every solution, Dave sits in seat 2 or seat 8.",
        "A solution that is mirrored at the axis through seat 1 and seat 5 stays a solution, and "
        "that exchanges the two.",
        "So we may choose: Dave sits in seat 2.",
    ]


def test_seats_that_are_taken_are_taken() -> None:
    (puzzle,) = jigsat.generate("seating", seed=1, difficulty="medium")
    said = 0
    for step in find_steps(puzzle):
        seated = [x for x in step.board if isinstance(x, Seated)]
        taken = {x.seat[1] for x in seated}
        for words in step.text(puzzle).reasons:
            if words.endswith(" taken."):
                numbers = set(map(int, re.findall(r"\d+", words)))
                assert numbers <= taken
                said += 1
            for number, guest in re.findall(r"seat (\d+) \(taken by (\w+)\)", words):
                assert any(x.guest == guest and x.seat[1] == int(number) for x in seated)
                said += 1
    assert said > 3


def test_a_cell_that_nothing_can_cover_is_crossed_by_all_pieces_that_could() -> None:
    puzzle = instance.load("black-and-white")
    said = 0
    for step in islice(find_steps(puzzle), 14):
        for line in step.text(puzzle).chain:
            match = re.fullmatch(r"Nothing can cover r(\d)c(\d) without crossing (.+), so .+", line)
            if match:
                assert isinstance(step.fact, Case)
                cell = int(match[1]) - 1, int(match[2]) - 1
                made = [*step.fact.supposed.placed]
                for earlier in step.fact.chain:
                    made += earlier.conclusion.placed
                named = [x for x in made if puzzle.way().thing(x) in match[3].split(" or ")]
                assert len(named) == match[3].count(" or ") + 1
                crossed = set().union(*(x.cells for x in named))
                could = [x for x in step.left if cell in x.cells]
                assert could and all(crossed.intersection(x.cells) for x in could)
                said += 1
    assert said
