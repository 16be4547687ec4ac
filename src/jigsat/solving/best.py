"""The best so far: boards on which as many edges as possible match, for puzzles without a solution
in reach.

The search goes depth first and allows breaks late (`engine/scan/best.c`). It proves nothing; on
small boards MaxSAT does.
"""

from array import array
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from jigsat.backends import DEFAULT, open_backend
from jigsat.backends.engine import INSTALL, engine, is_compiled, numbers_of, only_sums
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Formula
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import least

# maximum number of edges for which the minimum of broken ones is searched for; a 4×4 square has 24
MAX_PROVED_EDGES = 40
# nodes without a better board before the minimum is searched for: about a second
NODES = 20_000_000


@dataclass(frozen=True)
class Best:
    """A board on which some edges may not match, so no solution; `broken` is what the check of the
    family says.

    It is `optimal` if it is proved that no board has more matching edges.
    """

    placements: tuple[Any, ...]
    edges: int
    broken: tuple[str, ...]
    optimal: bool = False

    @property
    def matching(self) -> int:
        """The number of edges that match."""
        return self.edges - len(self.broken)


def improve(puzzle: Puzzle, seed: int = 0) -> Iterator[Best]:
    """Better and better boards. It ends after one that is proved to be optimal, or if no board
    keeps the other rules."""
    formula = puzzle.encode()
    if not is_compiled():
        raise InputError(f"{puzzle.name}: --best needs the compiled engine; {INSTALL}")
    if puzzle.breakable not in formula.groups:
        raise InputError(
            f"{puzzle.name}: --best is for edge matching with the encoding 'labels', on a board "
            f"with inner edges"
        )
    for group in formula.redundant & formula.groups.keys():
        if formula.groups[group].constraints.numbers()[0] > 1:  # the others only exclude placements
            del formula.groups[group]
    scan = _open_scan(puzzle, formula)
    edges = [
        edge.literals
        for edge in formula.groups.pop(puzzle.breakable).constraints
        if isinstance(edge, Cardinality)
    ]
    broken = formula.variables("broken", {"edge": range(len(edges))}, decision=False)
    with formula.rule("an edge with two labels is broken"):
        formula.clauses(
            (-one, -other, broken(i))
            for i, edge in enumerate(edges)
            for one, other in combinations(edge, 2)
        )
    formula.objective = dict.fromkeys(broken[:], 1)
    best: Best | None = None
    minimum: int | None = 0
    proved = len(edges) > MAX_PROVED_EDGES
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(formula)  # the other rules, some of which the search does not know
        while not (best and best.optimal):
            if (found := scan.best(NODES, seed)) is False and proved:
                return
            if found:
                if solver.solve(found[0]):
                    placements = tuple(map(formula.key, sorted(found[0])))
                    wrong = tuple(puzzle.check(placements))
                    best = Best(placements, len(edges), wrong, len(wrong) == minimum)
                    yield best
            elif not proved:
                if (minimum := least(formula)) is None:
                    return
                proved = True
                if best and len(best.broken) == minimum:
                    best = replace(best, optimal=True)
                    yield best


def _open_scan(puzzle: Puzzle, formula: Formula) -> Any:
    """The search that allows breaks. Raises InputError if the formula has rules that it does not
    know."""
    if only_sums(formula):
        scan = engine().Scan(formula.top, numbers_of(formula), array("i", formula.decisions()))
        if scan.suits:
            return scan
    raise InputError(
        f"{puzzle.name}: --best is for boards without other rules than those of the tiles and the "
        f"rim"
    )
