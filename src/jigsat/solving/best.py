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
from jigsat.formula import Cardinality, Clause, Formula
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
    _leave_out_redundant_clauses(formula)
    scan = _open_scan(puzzle, formula)
    edges = _allow_breaks(formula, puzzle.breakable)

    best: Best | None = None
    minimum: int | None = 0
    is_searched = len(edges) > MAX_PROVED_EDGES  # then the minimum is not searched for
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(formula)  # the other rules, some of which the search does not know
        while best is None or not best.optimal:
            # a board that is better than the last one; None after NODES nodes, False at the end
            board = scan.best(NODES, seed)
            if board:
                literals, *_ = board
                if solver.solve(literals):
                    placements = tuple(map(formula.key, sorted(literals)))
                    wrong = tuple(puzzle.check(placements))
                    best = Best(placements, len(edges), wrong, len(wrong) == minimum)
                    yield best
                continue

            if is_searched:
                if board is False:
                    return
                continue
            minimum = least(formula)
            is_searched = True
            if minimum is None:
                return
            if best is not None and len(best.broken) == minimum:
                best = replace(best, optimal=True)
                yield best


def _leave_out_redundant_clauses(formula: Formula) -> None:
    """Leave out the redundant groups with clauses; the others only exclude placements."""
    for name in formula.redundant & formula.groups.keys():
        for constraint in formula.groups[name].constraints:
            if isinstance(constraint, Clause) and len(constraint.literals) > 1:
                del formula.groups[name]
                break


def _allow_breaks(formula: Formula, rule: str) -> list[tuple[int, ...]]:
    """Let edges break this rule at a cost of 1 each; the labels of each edge."""
    labels = [
        edge.literals
        for edge in formula.groups.pop(rule).constraints
        if isinstance(edge, Cardinality)
    ]
    broken = formula.variables("broken", {"edge": range(len(labels))}, decision=False)
    with formula.rule("an edge with two labels is broken"):
        for i, literals in enumerate(labels):
            for one, other in combinations(literals, 2):
                formula.clause([-one, -other, broken(i)])
    formula.objective = dict.fromkeys(broken[:], 1)
    return labels


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
