"""Counterexamples to a proposal from a formula that serves all proposals.

Encoding each proposed puzzle takes far longer than solving it. If all pieces are cut from a board, one formula states how they
can lie for any data. The data of a proposal are assumed, so a single incremental solver finds the counterexamples to all
proposals, and what it learns from one holds for the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jigsat.boards import Board, Cell, Orientation
from jigsat.formula import Clause, Formula, Variables
from jigsat.search.sampling import Sampler
from jigsat.symmetry import Group, Model, Permutation

Move = tuple[Cell, Cell, Orientation]  # cell from which a piece was cut, the cell on which it lies, and its orientation there
EQUIVALENCE_LEVEL = "reflection"  # level of equivalence up to which counterexamples are searched for

MAX_LINK_CLAUSES = 25_000
"""The maximum number of clauses that link pieces to what they show. With more, making them takes longer than it saves."""

MAX_CALL_CONFLICTS = 300
"""The limit of conflicts for a call of the solver. Harder puzzles are solved faster with their own encoding, because it has
redundant constraints."""


@dataclass(frozen=True)
class Arrangements:
    """All data of a space of puzzles, with all arrangements of the pieces that are cut from them.

    The data are choices. `formula` extends the proposals. `shown` maps each variable of the data to the variable that states
    the same about the arranged pieces, and these are choices too: what the pieces show at this place. `motions` are the
    symmetries of the board, with the identity, as permutations of the variables of the data.
    """

    formula: Formula
    shown: Mapping[int, int]
    motions: Sequence[Permutation]


class ArrangementSolver:
    """Finds arrangements of the pieces that are cut from given data."""

    def __init__(self, arrangements: Arrangements) -> None:
        self._shown = arrangements.shown
        self._motions = arrangements.motions
        self._sampler = Sampler(arrangements.formula, MAX_CALL_CONFLICTS)

    def others(self, model: Model, limit: int) -> tuple[list[Model], bool]:
        """Arrangements that are no images of the original one, one per orbit, up to a limit; and whether these are all.

        `model` contains the data. An arrangement is given by the data that would be read from it. Raises Stopped if the
        search takes too many conflicts.
        """
        arrangement = model.intersection(self._shown)
        guard, found = self._sampler.new(), list[Model]()
        assumed = [guard, *sorted(arrangement)]
        solver = self._sampler.solver
        try:
            while len(found) < limit:
                for motion in self._motions:
                    solver.add(Clause((-guard, *(-self._shown[motion[x]] for x in arrangement))))
                if not solver.solve(assumed):
                    return found, True
                true = set(solver.model())
                arrangement = frozenset(x for x, shown in self._shown.items() if shown in true)
                found.append(arrangement)
        finally:
            solver.add(Clause((-guard,)))
        return found, False


def add_moves(formula: Formula, board: Board, moves: Sequence[Move]) -> Variables:
    """Variables for where each piece lies, and the constraints that each piece lies on one cell and each cell has one piece.

    A further constraint leaves at least one arrangement of each orbit under the symmetries of the board.
    """
    move = formula.variables("move", ("home", "cell", "way"), moves, decision=False)
    with formula.group("each piece lies on one cell"):
        for cell in board.cells:
            formula.exactly_one(move[cell, :, :])
            formula.exactly_one(move[:, cell, :])
    group = []
    for motion in board.symmetries():
        images = {}
        for home, cell, way in moves:
            image, orientation = motion.images[cell]
            key = home, image, orientation.after(way, board.sides(cell))
            if key not in move:  # such as a mirrored tile
                break
            images[move(home, cell, way)] = move(*key)
        else:
            group.append(images)
    if breaking := Group({EQUIVALENCE_LEVEL: group}).breaking(formula, EQUIVALENCE_LEVEL):
        with formula.group("one arrangement per orbit"):
            formula.clause(breaking)
    return move
