"""Rooms of which cells move to others until one answer is left, for kinds whose rooms are the only
clues.

The answers of earlier rooms are remembered. Each room has as many marks as before in any answer, so
it is known without a solver which of them are right for other rooms. A change is chosen that leaves
few of them; the solver only looks for answers that are not known yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import NamedTuple

from jigsat.kit import Answer, Cell, GridPuzzle, Mark, Rooms, walks

MAX_REMEMBERED = 500  # number of answers
MAX_MOVES = 20  # number of cells that move until one of the remembered answers is left
RANDOM_SHARE = 0.05  # of the moves are any, so that the search does not go round in circles


class Remembered(NamedTuple):
    """An answer of these or of earlier rooms, and the number of its marks in each room."""

    marks: frozenset[Mark]
    cells: frozenset[Cell]
    numbers: Counter[str]


class Near(NamedTuple):
    """The cells of an answer that is right after one of them moved from one room to another."""

    cells: frozenset[Cell]
    room: str
    to: str


class Move(NamedTuple):
    """A cell that moves from its room to one beside it."""

    cell: Cell
    room: str
    to: str


class MovingRooms:
    """The rooms of a puzzle, and answers that were found."""

    def __init__(self, puzzle: GridPuzzle, rng: Random) -> None:
        self.puzzle = puzzle
        self._rng = rng
        rooms = puzzle.clue_layers[puzzle.moving_rooms]
        assert isinstance(rooms, Rooms)
        self._rooms = rooms
        self._room_of = dict(rooms.room_of)
        self._remembered: list[Remembered] = []
        self._expected: dict[str, int] = {}  # the number of marks in each room

    def remember(self, answers: Iterable[frozenset[Mark]]) -> None:
        """Add answers for the rooms as they are; the oldest are forgotten."""
        known = {answer.marks for answer in self._remembered}
        for marks in answers:
            if marks in known:
                continue
            cells = frozenset(mark.at for mark in marks)
            numbers = Counter(self._room_of[cell] for cell in sorted(cells))
            self._remembered.append(Remembered(marks, cells, numbers))
            self._expected = {room: numbers[room] for room in self._rooms.cells}
        del self._remembered[:-MAX_REMEMBERED]

    def leave_one(self) -> bool:
        """Move cells until one of the remembered answers is right for the rooms; whether that was
        possible."""
        for _ in range(MAX_MOVES):
            right = self._list_right()
            if len(right) <= 1:
                return len(right) == 1
            move = self._choose_move(right)
            if move is None:
                return False
            self._make(move)
        return False

    def _list_right(self) -> list[Remembered]:
        """The remembered answers that are right for the rooms."""
        fitting = [answer for answer in self._remembered if not self._list_wrong_rooms(answer)]
        faults = self.puzzle.find_faults
        return [answer for answer in fitting if not any(faults(Answer(answer.marks)))]

    def _list_wrong_rooms(self, answer: Remembered) -> list[str]:
        """The rooms that have another number of marks than they must have."""
        numbers = answer.numbers
        return [room for room, number in self._expected.items() if numbers[room] != number]

    def _choose_move(self, right: Collection[Remembered]) -> Move | None:
        """One after which few of the right answers are left, but at least one; None if there is
        none."""
        cells = set().union(*(answer.cells for answer in right))
        near = self._list_near()
        fewest = len(right) + len(near) + 1
        best: list[Move] = []
        possible: list[Move] = []
        for move in self._list_moves(cells):
            left = sum(move.cell not in answer.cells for answer in right)
            for answer in near:
                ends = (answer.room, answer.to)
                left += move.cell in answer.cells and ends == (move.room, move.to)
            if left == 0:
                continue
            possible.append(move)
            if left < fewest:
                best.clear()
                fewest = left
            if left == fewest:
                best.append(move)
        if not possible:
            return None
        return self._rng.choice(possible if self._rng.random() < RANDOM_SHARE else best)

    def _list_near(self) -> list[Near]:
        """Answers with one mark too many in a room, and one too few in another."""
        near = []
        for answer in self._remembered:
            wrong = self._list_wrong_rooms(answer)
            excess = {room: answer.numbers[room] - self._expected[room] for room in wrong}
            if sorted(excess.values()) == [-1, 1]:
                less, more = sorted(wrong, key=lambda room: excess[room])
                near.append(Near(answer.cells, more, less))
        return near

    def _list_moves(self, cells: Iterable[Cell]) -> Iterator[Move]:
        """The moves of some cells after which their rooms are still connected."""
        cells_of: dict[str, set[Cell]] = {}
        for cell, room in self._room_of.items():
            cells_of.setdefault(room, set()).add(cell)
        for cell in sorted(cells):
            room = self._room_of[cell]
            beside = {self._room_of.get(other, room) for other in walks.neighbours(cell)} - {room}
            if beside and len(walks.adjacent_parts(cells_of[room] - {cell})) == 1:
                for other in sorted(beside):
                    yield Move(cell, room, other)

    def _make(self, move: Move) -> None:
        """Move a cell."""
        self._room_of[move.cell] = move.to
        for answer in self._remembered:
            if move.cell in answer.cells:
                answer.numbers[move.room] -= 1
                answer.numbers[move.to] += 1
        entry = self.puzzle.moving_rooms
        self.puzzle = self.puzzle.replace_entries({entry: self._rooms.with_rooms(self._room_of)})
