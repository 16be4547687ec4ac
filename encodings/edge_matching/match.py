"""Three encodings of 'sides that meet match'; heule.py has four more, of the whole board.

`labels` has a variable for the label of each edge: the diamond variables of Heule, 'Solving
edge-matching problems with satisfiability solvers', 2008. The other two relate the placements
directly: `supports` has one clause for each placement and neighbouring cell, a disjunction of the
placements there that match; `conflicts` has one clause for each pair of placements that do not
match.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from jigsat.encodings.edge_matching.data import EdgeMatchingData

from jigsat.boards import Incidence
from jigsat.formula import Choice, Formula, Variables
from jigsat.words import name_place

LABEL = "The edge at this side of the cell shows the label, as read from the cell."


def match(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """The sides of a seam match, by the clauses of the instance's encoding."""
    encoding = puzzle.encoding.removesuffix("-lean")
    ENCODINGS[encoding](puzzle, formula, place, seam)


def _match_by_labels(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """Both sides determine the label of the edge, which is the label of the first side."""
    cells = name_cells(seam)
    first = seam[0]
    edge_label = add_edge_label(formula, seam, puzzle.partners)
    for side in seam:
        shows = []
        showing: dict[str, list[int]] = {label: [] for label in puzzle.partners}
        for placement, shown in puzzle.showing(side):
            label = shown if side is first else puzzle.partners[shown]
            shows.append((-place(*placement), edge_label(label)))
            showing[label].append(place(*placement))

        with formula.rule("a tile shows its labels", "edge", cells):
            formula.clauses(shows)
        if not puzzle.is_lean:
            with formula.rule("a label is shown by a tile", "edge", cells, redundant=True):
                for label, placements in showing.items():
                    formula.implies(edge_label(label), *placements)


def add_edge_label(
    formula: Formula, seam: Sequence[Incidence], domain: Iterable[str]
) -> Choice[str]:
    """The label of an edge, as read from the first of its two cells."""
    first = seam[0]
    with formula.rule("an edge has one label", "edge", name_cells(seam)):
        return formula.choice(
            "label", domain, decision=False, meaning=LABEL, cell=first.cell, side=first.side
        )


def _match_by_supports(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """A placement implies that one of the matching placements is across the edge."""
    with formula.rule("sides that meet match", "edge", name_cells(seam)):
        for here, there in permutations(seam, 2):
            showing: dict[str, list[int]] = defaultdict(list)
            for placement, label in puzzle.showing(there):
                showing[label].append(place(*placement))
            for placement, label in puzzle.showing(here):
                formula.implies(place(*placement), *showing[puzzle.partners[label]])


def _match_by_conflicts(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """Two placements that meet along the edge and do not match exclude each other."""
    with formula.rule("sides that meet match", "edge", name_cells(seam)):
        for here, there in combinations(seam, 2):
            across = [(-place(*placement), label) for placement, label in puzzle.showing(there)]
            for placement, label in puzzle.showing(here):
                not_here = -place(*placement)
                partner = puzzle.partners[label]
                formula.clauses(
                    (not_here, not_there) for not_there, shown in across if shown != partner
                )


def name_cells(seam: Sequence[Incidence]) -> str:
    """Between which cells an edge is."""
    cells = [name_place(side.cell) for side in seam]
    return f"between {' and '.join(cells)}"


ENCODINGS = {
    "labels": _match_by_labels,
    "supports": _match_by_supports,
    "conflicts": _match_by_conflicts,
}
"""How sides that meet are made to match."""
