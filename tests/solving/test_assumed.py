"""A solver in which clues are assumed has the answers of each puzzle that is posed, and no others."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Any

import networkx
import pytest
from support.grid_kinds import plain_answer
from support.kind_files import load_kind

from jigsat.backends import cutting
from jigsat.formula import GraphConstraint, Lowered
from jigsat.instance import parse
from jigsat.kit import (
    Answer,
    CellNumbers,
    ClueName,
    ClueValues,
    GridPuzzle,
    Mark,
    Rules,
    Shading,
    layer,
)
from jigsat.solving.assumed import AssumedClues, Parts


class ConnectedRows(GridPuzzle):
    """A number says that the shaded cells of its row are connected."""

    family = "connected-rows"
    numbers: CellNumbers

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]
        for cell in self.numbers:
            with formula.clue(self.numbers, cell):
                row = self.grid.rows[cell[0]]
                formula.connected(networkx.path_graph(row), {x: shaded[x] for x in row})

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}


def list_answers(solver: AssumedClues, clues: Collection[ClueName]) -> set[frozenset[Mark]]:
    answers = set()
    forbidden: list[int] = []
    while True:
        answer = solver.solve(clues, forbidden)
        if answer is None:
            return answers
        assert answer not in answers
        answers.add(answer)
        forbidden.append(solver.forbid(answer))


def read(kind: str, entries: dict[str, Any]) -> GridPuzzle:
    puzzle = parse({"family": kind, **entries}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, GridPuzzle)
    return puzzle


@pytest.mark.parametrize("kind", ["kakuro", "masyu", "nonogram", "skyscrapers"])
def test_puzzles_with_the_same_rules_share_a_solver(kind: str) -> None:
    solver: AssumedClues | None = None
    posed = shared = 0
    for seed in range(30):
        puzzle = read(kind, load_kind(kind).draw(random.Random(seed)))
        parts = Parts(puzzle.rules_and_clues())
        if solver is not None and solver.can_pose(parts):
            solver.pose(parts)
            shared += 1
        else:
            solver = AssumedClues(parts, random.Random(seed))
        posed += 1
        # A puzzle without one of its clues is a puzzle with the same rules.
        for dropped in [None, *list(solver.clues)[:1]]:
            fewer = drop_clue(puzzle, dropped)
            parts = Parts(fewer.rules_and_clues())
            if solver.can_pose(parts):
                solver.pose(parts)
                shared += 1
                answers = list_answers(solver, solver.clues)
                plain = {plain_answer(fewer, answer) for answer in answers}
                assert plain == load_kind(kind).solve(fewer.model_dump())
    assert shared > posed


def drop_clue(puzzle: GridPuzzle, dropped: ClueName | None) -> GridPuzzle:
    if dropped is None:
        return puzzle
    clues = puzzle.clue_layers[dropped.entry]
    kept = {place: value for place, value in clues.items() if place != dropped.place}
    return puzzle.replace_clues({dropped.entry: kept})


def test_a_graph_constraint_of_a_clue_holds_by_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    def lower(lowered: Lowered, constraint: Any) -> Iterator[Any]:
        assert not isinstance(constraint, GraphConstraint), "it is written as clauses"
        return original(lowered, constraint)

    original = Lowered.lower
    monkeypatch.setattr(Lowered, "lower", lower)
    puzzle = ConnectedRows.model_validate({"numbers": "1..\n1.."})
    with closing(AssumedClues(Parts(puzzle.rules_and_clues()), random.Random(1))) as solver:
        numbers = [len(list_answers(solver, list(solver.clues)[:n])) for n in range(3)]
    # 101 is the only row of three cells that is not connected
    assert numbers == [8 * 8, 7 * 8, 7 * 7]


def test_a_cut_holds_unless_an_exception_is_true() -> None:
    puzzle = ConnectedRows.model_validate({"numbers": "1.."})
    (constraint,) = puzzle.encode().list_graphs()
    solver = cutting.Cutting(cutting.open_backend("cadical195"))
    solver.add_unless(constraint, [-4])
    assert not solver.solve([1, -2, 3, 4])
    assert solver.solve([1, -2, 3, -4])
    assert solver.solve([1, -2, -3, 4])
