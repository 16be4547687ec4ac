"""Which clues are needed: redundant clues, a minimal sufficient set of clues, or clues that conflict.

One incremental solver holds the puzzle without its clues, and each clue is a literal that is assumed. A clue is redundant if
it follows from the others, so that the puzzle has the same solutions without it. Symmetric solutions are distinguished here: a
hint that only determines the orientation of the board is not redundant.
"""

import math
from contextlib import closing
from dataclasses import dataclass

from jigsat.analysis.cores import Assumed, Core
from jigsat.backends import DEFAULT, open_backend
from jigsat.errors import InputError
from jigsat.formula import Clause
from jigsat.puzzle import Puzzle
from jigsat.solving.clues import ClueSolver

MAX_SEARCH_S = 10.0  # time limit of the search for a smallest set of clues that conflict


@dataclass(frozen=True)
class JudgedClues:
    """The clues of a puzzle, by name: which are redundant, sufficient or in conflict.

    If there is a solution, each of the `redundant` clues follows from all the others, and the `minimal` clues are an
    irreducible set that implies all clues. If there is none, `core` is a set of clues that conflict; it is empty
    if there is no solution without clues either.
    """

    number: int
    redundant: list[str]
    minimal: list[str]
    core: Core | None

    @property
    def solvable(self) -> bool:
        return self.core is None


def judge_clues(puzzle: Puzzle, seconds: float = MAX_SEARCH_S, effort: float = math.inf) -> JudgedClues:
    """Which clues are needed. A smallest conflicting set is searched for with these limits (`cores.Limit`)."""
    clues = puzzle.clues()
    with closing(open_backend(DEFAULT)) as solver:
        shared = ClueSolver(puzzle.without_clues().encode(), solver)
        literal = {name: shared.literal(clue) for name, clue in clues.items()}
        assumed = Assumed(solver, literal)
        together = assumed.core(list(clues))
        if together is not None:
            _require_unsolvable(puzzle)
            smallest = assumed.smallest(list(clues), assumed.reduce_core(together), seconds, effort)
            return JudgedClues(len(clues), [], [], smallest)
        rest = {name: [other for other in clues if other != name] for name in clues}
        redundant = [name for name in clues if assumed.core(rest[name], -literal[name]) is not None]
        broken = shared.add_variable()  # if true, at least one clue is broken
        solver.add(Clause((-broken, *(-x for x in literal.values()))))
        enough = assumed.core(list(clues), broken)
        assert enough is not None, "clues that are all kept are not broken"
        return JudgedClues(len(clues), redundant, assumed.irreducible(enough, broken), None)


def _require_unsolvable(puzzle: Puzzle) -> None:
    """Raises InputError if a puzzle whose clues conflict has a solution, which is a fault of its family."""
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(puzzle.encode())
        if solver.solve():
            raise InputError(
                f"{puzzle.name}: there is a solution, but none with a placement of each clue; correct `clues` or "
                f"`without_clues` of the family {puzzle.family}"
            )
