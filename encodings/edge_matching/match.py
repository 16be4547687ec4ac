"""Three encodings of 'sides that meet match'.

`labels` has a variable for the label of each edge: the diamond variables of Heule, 'Solving
edge-matching problems with satisfiability solvers', 2009. The other two relate the placements
directly: `supports` has one clause for each placement and neighbouring cell, a disjunction of the
placements there that match; `conflicts` has one clause for each pair of placements that do not
match.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, permutations

from jigsat.encodings.edge_matching.data import EdgeMatchingData

from jigsat.boards import Incidence
from jigsat.formula import Formula, Variables

LABEL = "The edge at this side of the cell shows the label, as read from the cell."


def match(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """Add the clauses of the instance's encoding for the two sides of a seam."""
    encoding = puzzle.encoding.removesuffix("-lean")
    {"labels": _by_labels, "supports": _by_supports, "conflicts": _by_conflicts}[encoding](
        puzzle, formula, place, seam
    )


def _by_labels(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """Both sides determine the label of the edge, which is the label of the first side."""
    first = seam[0]
    with formula.group("an edge has one label"):
        edge_label = formula.choice(
            "label",
            puzzle.partners,
            decision=False,
            meaning=LABEL,
            cell=first.cell,
            side=first.side,
        )
    for side in seam:
        showing: dict[str, list[int]] = {label: [] for label in puzzle.partners}
        shows = []
        for placement, shown in puzzle.showing(side):
            label, literal = shown if side is first else puzzle.partners[shown], place(*placement)
            shows.append((-literal, edge_label(label)))
            showing[label].append(literal)
        with formula.group("a tile shows its labels"):
            formula.clauses(shows)
        if not puzzle.encoding.endswith("-lean"):
            with formula.group("a label is shown by a tile", redundant=True):
                for label, placements in showing.items():
                    formula.implies(edge_label(label), *placements)


def _by_supports(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """A placement implies that one of the matching placements is across the edge."""
    with formula.group("sides that meet match"):
        for here, there in permutations(seam, 2):
            showing: dict[str, list[int]] = defaultdict(list)
            for placement, label in puzzle.showing(there):
                showing[label].append(place(*placement))
            for placement, label in puzzle.showing(here):
                formula.implies(place(*placement), *showing[puzzle.partners[label]])


def _by_conflicts(
    puzzle: EdgeMatchingData, formula: Formula, place: Variables, seam: Sequence[Incidence]
) -> None:
    """Two placements that meet along the edge and do not match exclude each other."""
    with formula.group("sides that meet match"):
        for here, there in combinations(seam, 2):
            across = [(-place(*placement), label) for placement, label in puzzle.showing(there)]
            for placement, label in puzzle.showing(here):
                one, partner = -place(*placement), puzzle.partners[label]
                formula.clauses((one, other) for other, its_label in across if its_label != partner)
