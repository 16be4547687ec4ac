"""The default pictures of a family, with all its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat import Formula, Puzzle


class Letter(NamedTuple):
    cell: tuple[int, int]
    letter: str


class Word(Puzzle[Letter]):
    """Letters in a row."""

    family = "word"
    cell_field = "cell"
    length: int

    def encode(self) -> Formula:
        formula = Formula()
        for column in range(self.length):
            formula.choice("letter", "ab", key=Letter, cell=(0, column))
        return formula

    def check(self, placements: Sequence[Letter]) -> Iterator[str]:
        yield from ()


class Seat(NamedTuple):
    guest: str
    chair: int


class Table(Word):
    cell_field = "guest"

    def encode(self) -> Formula:
        formula = Formula()
        formula.variables(
            "seat",
            Seat._fields,
            [Seat(guest, chair) for guest in ("Ada", "Bob") for chair in range(self.length)],
        )
        return formula


def test_pictures_show_all_cells_of_decision_variables() -> None:
    word = Word(length=3)
    assert word.text([Letter((0, 1), "a")], marked=[Letter((0, 1), "b")]).splitlines() == [
        " · *a  ·"
    ]
    (part,) = word.parts()
    assert len(ElementTree.fromstring(part.svg).findall("{*}polygon")) == 3, (
        "the puzzle as it is printed, without clues"
    )


def test_cells_without_a_grid_are_listed() -> None:
    assert Table(length=2).text([Seat("Bob", 1)]).splitlines() == ["Ada: ·", "Bob: 1"]  # type: ignore[list-item]


def test_without_a_field_for_the_cell_a_solution_is_a_list() -> None:
    class Plain(Word):
        cell_field = None

    assert Plain(length=2).text([Letter((0, 0), "a")]).splitlines() == ["(0, 0) a: ●"]
