"""Which clues matter: those that the others make superfluous, a minimal set that says as much, or those that clash.

Each clue is a literal to be assumed, of one incremental solver that holds the puzzle without its clues. A clue is redundant if
every solution that keeps the others keeps it too; so a puzzle with one solution still has one without it, and a puzzle with
several has the same ones. Solutions that are symmetric to each other are told apart here: a hint that only says which way
round the board is meant is not redundant.
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
    """What the clues of a puzzle say, by their names.

    If there is a solution, `redundant` are the clues each of which follows from all the others, and `minimal` are clues from
    which all the rest follow and none of which follows from the others among them. If there is none, `clashing` are clues
    that cannot be kept together, though all but any one of them can; none, if there is no solution without clues either.
    """

    number: int
    solvable: bool
    redundant: list[str]
    minimal: list[str]
    clashing: list[str]


def judged(puzzle: Puzzle) -> Clues:
    """Which of the clues of a puzzle matter."""
    clues = puzzle.clues()
    with closing(open_backend(DEFAULT)) as solver:
        shared = Shared(puzzle.without_clues().encode(), solver)
        literal = {name: shared.literal(clue) for name, clue in clues.items()}

        def clash(names: Collection[str], *also: int) -> list[str] | None:
            """Those of the clues that are enough for there to be no solution, or None if there is one."""
            if solver.solve([*(literal[name] for name in names), *also]):
                return None
            core = set(solver.core())
            return [name for name in names if literal[name] in core]

        together = clash(clues)
        if together is not None:
            return Clues(len(clues), False, [], [], _minimal(together, clash))
        redundant = [name for name in clues if clash([other for other in clues if other != name], -literal[name]) is not None]
        broken = shared.variable()  # where it holds, a clue is broken
        solver.add(Clause((-broken, *(-x for x in literal.values()))))
        enough = clash(clues, broken)
        assert enough is not None, "clues that are all kept are not broken"
        return Clues(len(clues), True, redundant, _minimal(enough, lambda names: clash(names, broken)), [])


def _minimal(names: Sequence[str], clash: Callable[[Sequence[str]], list[str] | None]) -> list[str]:
    """A minimal unsatisfiable subset of clues that clash: clue after clue is left out, if the rest still clash.

    Clues that were found to be needed stay so, for whatever is left out later, the others are fewer.
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
