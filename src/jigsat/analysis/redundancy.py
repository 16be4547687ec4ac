"""Which clues are needed: redundant clues, a minimal sufficient set of clues, or clues that conflict.

One incremental solver holds the puzzle without its clues, and each clue is a literal that is assumed. A clue is redundant if
it follows from the others, so that the puzzle has the same solutions without it. Symmetric solutions are distinguished here: a
hint that only determines the orientation of the board is not redundant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass

from jigsat.backends import DEFAULT, open_backend
from jigsat.formula import Clause
from jigsat.puzzle import Puzzle
from jigsat.solving.batch import Shared


@dataclass(frozen=True)
class Clues:
    """The clues of a puzzle, by name: which are redundant, sufficient or in conflict.

    If there is a solution, each of the `redundant` clues follows from all the others, and the `minimal` clues are an
    irreducible set that implies all clues. If there is none, `clashing` is a minimal set of clues that contradict each other;
    it is empty if there is no solution without clues either.
    """

    number: int
    solvable: bool
    redundant: list[str]
    minimal: list[str]
    clashing: list[str]


def judged(puzzle: Puzzle) -> Clues:
    """Find out which clues of a puzzle are needed."""
    clues = puzzle.clues()
    with closing(open_backend(DEFAULT)) as solver:
        shared = Shared(puzzle.without_clues().encode(), solver)
        literal = {name: shared.literal(clue) for name, clue in clues.items()}

        def clash(names: Collection[str], *also: int) -> list[str] | None:
            """An unsatisfiable core of these clues, or None if they have a solution."""
            if solver.solve([*(literal[name] for name in names), *also]):
                return None
            core = set(solver.core())
            return [name for name in names if literal[name] in core]

        together = clash(clues)
        if together is not None:
            return Clues(len(clues), False, [], [], _minimal(together, clash))
        redundant = [name for name in clues if clash([other for other in clues if other != name], -literal[name]) is not None]
        broken = shared.variable()  # if true, at least one clue is broken
        solver.add(Clause((-broken, *(-x for x in literal.values()))))
        enough = clash(clues, broken)
        assert enough is not None, "clues that are all kept are not broken"
        return Clues(len(clues), True, redundant, _minimal(enough, lambda names: clash(names, broken)), [])


def _minimal(names: Sequence[str], clash: Callable[[Sequence[str]], list[str] | None]) -> list[str]:
    """A minimal unsatisfiable subset of conflicting clues: clues are left out one by one while the rest still conflict.

    A clue that was found to be needed remains needed when more clues are left out.
    """
    needed: list[str] = []
    undecided = list(names)
    while undecided:
        name = undecided.pop()
        core = clash([*needed, *undecided])
        if core is None:
            needed.append(name)
        else:
            undecided = [other for other in undecided if other in core]
    return sorted(needed, key=names.index)
