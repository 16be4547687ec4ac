"""Proofs by counting that guests cannot be seated."""

from __future__ import annotations

from collections.abc import Iterator

import networkx
from jigsat.encodings.seating.data import Seat, SeatingData

from jigsat.puzzle import Reason
from jigsat.words import join_words

MAX_NAMED = 6  # number of rows of seats whose sizes are named


def find_reasons(puzzle: SeatingData) -> Iterator[Reason]:
    """More pairs that must sit beside each other than there are pairs of neighbouring seats."""
    if not puzzle.enforced:
        return
    couples: networkx.Graph[str] = networkx.Graph()
    couples.add_edges_from(rule.beside for rule in puzzle.must if rule.beside)
    number = len(networkx.max_weight_matching(couples, maxcardinality=True))

    # Pairs without a common guest take pairs of seats without a common seat.
    rows = _list_rows(puzzle)
    room = sum(len(networkx.max_weight_matching(row, maxcardinality=True)) for row in rows)
    if number > room:
        yield Reason(
            f"{number} pairs of guests must sit beside each other, but there is room for only "
            f"{room}{_describe_rest(rows)}"
        )


def _list_rows(puzzle: SeatingData) -> list[networkx.Graph[Seat]]:
    """The seats that are connected by being beside each other, such as the sides of a table."""
    seats: networkx.Graph[Seat] = networkx.Graph()
    seats.add_nodes_from(puzzle.seats)
    for name, table in puzzle.shapes.items():
        seats.add_edges_from(((name, one), (name, other)) for one, other in table.beside)
    return [seats.subgraph(row) for row in networkx.connected_components(seats)]


def _describe_rest(rows: list[networkx.Graph[Seat]]) -> str:
    """Which rows leave a seat over because their number of seats is odd."""
    odd = [str(len(row)) for row in rows if len(row) % 2]
    if not odd or len(odd) > MAX_NAMED:
        return ""
    if len(odd) == 1:
        return f": a row of {odd[0]} seats leaves one over"
    return f": the rows of {join_words(odd)} seats leave one over each"
