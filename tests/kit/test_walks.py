"""The plain walks of checks, compared with networkx and with brute force."""

from __future__ import annotations

import itertools

import networkx
from hypothesis import given
from hypothesis import strategies as st

from jigsat.kit import Grid, walks

SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4))
CELLS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)))


def test_lines_sides_and_neighbours() -> None:
    assert walks.rectangle(2, 2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(walks.rows_and_columns(1, 2).items()) == [
        ("row 1", [(0, 0), (0, 1)]),
        ("column 1", [(0, 0)]),
        ("column 2", [(0, 1)]),
    ]
    assert walks.neighbours((1, 1)) == [(0, 1), (1, 2), (2, 1), (1, 0)]
    assert len(set(walks.touching((1, 1)))) == 8
    assert walks.sides((0, 0)) == [
        ((0, 0), (0, 1)),
        ((0, 1), (1, 1)),
        ((1, 0), (1, 1)),
        ((0, 0), (1, 0)),
    ]


@given(CELLS, st.sampled_from([walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT]))
def test_a_walk_goes_on_as_long_as_there_are_cells(
    cells: set[walks.Cell], step: walks.Cell
) -> None:
    path = walks.follow((1, 1), step, cells)
    expected = []
    for k in range(1, 5):
        cell = (1 + k * step[0], 1 + k * step[1])
        if cell not in cells:
            break
        expected.append(cell)
    assert path == expected


@given(CELLS)
def test_runs_are_as_long_as_possible(cells: set[walks.Cell]) -> None:
    runs = walks.runs(cells)
    for cell in cells:
        assert sum(cell in run for run in runs) in (1, 2)
    pairs = {frozenset(pair) for run in runs for pair in itertools.pairwise(run)}
    beside = {frozenset((x, y)) for x in cells for y in walks.neighbours(x) if y in cells}
    assert pairs == beside


@given(CELLS)
def test_adjacent_parts(cells: set[walks.Cell]) -> None:
    graph = Grid(4, 4).neighbours.subgraph(cells)
    expected = {frozenset(part) for part in networkx.connected_components(graph)}
    assert {frozenset(part) for part in walks.adjacent_parts(cells)} == expected


@given(SIZES, st.data())
def test_rooms_loops_and_cycles(size: tuple[int, int], data: st.DataObject) -> None:
    grid = Grid(*size)
    edges = sorted(tuple(sorted(pair)) for pair in grid.borders.edges)
    chosen = data.draw(st.lists(st.sampled_from(edges), unique=True, max_size=8))
    graph: networkx.Graph[walks.Cell] = networkx.Graph(chosen)
    degrees = set(dict(graph.degree).values())
    connected = len(graph) > 0 and networkx.is_connected(graph)
    assert walks.is_one_loop(chosen) == (degrees == {2} and connected)
    assert walks.has_cycle(chosen) == bool(networkx.cycle_basis(graph))

    open_cells = grid.neighbours.copy()
    for one, other in grid.neighbours.edges:
        if grid.wall(one, other) in chosen:
            open_cells.remove_edge(one, other)
    expected = {frozenset(part) for part in networkx.connected_components(open_cells)}
    assert {frozenset(part) for part in walks.rooms(*size, chosen)} == expected


def test_one_loop_is_found() -> None:
    square = walks.sides((0, 0))
    assert walks.is_one_loop(square)
    assert not walks.is_one_loop([*square, *walks.sides((2, 2))])
    assert not walks.is_one_loop([])
