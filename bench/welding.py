"""Whether it pays to weld pieces into composite ones first, two by two or four by four, and then to build the solid.

    python bench/welding.py [INSTANCE...]

Faces are taken together in pairs, or in flat blocks of four; all ways in which pieces fit there are listed, and a variable
stands for each. Times are of the first solution, and of all up to rotation, with CaDiCaL, the listing included.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

import networkx

from jigsat import Formula, Group, load
from jigsat.boards import Cell
from jigsat.search import models

INSTANCES = ("polycube-tower", "polycube-2x2x2", "polycube-star", "polycube-3x3x3")
LARGEST = 400_000


def pairs(puzzle) -> list[list[Cell]]:  # type: ignore[no-untyped-def]
    """The faces two by two, each pair neighbours."""
    graph = networkx.Graph(puzzle.surface.graph)
    return [list(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)]


def blocks(puzzle) -> list[list[Cell]]:  # type: ignore[no-untyped-def]
    """The faces around vertices where four flat ones meet, each face in one block at most."""
    taken: set[Cell] = set()
    found = []
    for vertex in puzzle.surface.vertices:
        cells = [cell for cell, _ in vertex]
        level = len({cell[-1] for cell in cells}) == 1
        if len(cells) == 4 and level and not taken & {*cells}:
            found.append(cells)
            taken |= {*cells}
    return found


def composites(puzzle, cells: Sequence[Cell]) -> list[tuple]:  # type: ignore[no-untyped-def,type-arg]
    """All ways in which pieces fit on some faces, as tuples of placements."""
    size = puzzle.size
    places = puzzle.surface.edge_places(size - 2) + puzzle.surface.vertex_places(size - 2)
    rims = {p: candidate.rim for p, candidate in puzzle.candidates.items()}
    on = {cell: [p for p in puzzle.candidates if p.cell == cell] for cell in cells}
    count = {kind.name: kind.count for kind in puzzle.kinds}
    partial: list[tuple] = [()]  # type: ignore[type-arg]
    for i, cell in enumerate(cells):
        before = {*cells[:i]}
        here = [
            ([s for s in place if s.cell in before], [s for s in place if s.cell == cell], len(place))
            for place in places
            if any(s.cell == cell for s in place) and any(s.cell in before for s in place)
        ]
        index = {c: j for j, c in enumerate(cells)}

        def key(chosen: tuple, there: bool) -> Iterator[int]:  # type: ignore[type-arg]
            for earlier, own, _ in here:  # noqa: B023
                spots = own if there else earlier
                yield sum(rims[chosen[0 if there else index[s.cell]]][s.position] for s in spots)  # noqa: B023

        by_rim: dict[tuple[int, ...], list] = {}  # type: ignore[type-arg]
        for p in on[cell]:
            by_rim.setdefault(tuple(key((p,), True)), []).append(p)
        grown = []
        for chosen in partial:
            want = tuple(key(chosen, False))
            for rim, ps in by_rim.items():
                if all(
                    a + b == 1 or (a + b == 0 and len(e) + len(o) < n) for a, b, (e, o, n) in zip(want, rim, here, strict=True)
                ):
                    grown += [(*chosen, p) for p in ps if sum(q.piece == p.piece for q in chosen) < count[p.piece]]
            if len(grown) > LARGEST:
                raise OverflowError
        partial = grown
    return partial


def welded(puzzle, groups: Sequence[Sequence[Cell]]) -> tuple[Formula, int]:  # type: ignore[no-untyped-def]
    formula = puzzle.encode()
    place = formula.families["place"]
    listed = 0
    for i, cells in enumerate(groups):
        ways = composites(puzzle, cells)
        listed += len(ways)
        weld = formula.variables("weld", ("group", "number"), [(i, j) for j in range(len(ways))], decision=False)
        with formula.group("composite pieces"):
            formula.exactly_one(weld[i, :])
            using: dict[int, list[int]] = {literal: [] for cell in cells for literal in place[cell, :, :, :]}
            for j, way in enumerate(ways):
                for p in way:
                    formula.implies(weld(i, j), place(*p))
                    using[place(*p)].append(weld(i, j))
            for literal, literals in using.items():
                formula.implies(literal, *literals)
    return formula, listed


def main() -> None:
    for name in sys.argv[1:] or INSTANCES:
        puzzle = load(name)
        for how, groups in (("plain", []), ("pairs", pairs(puzzle)), ("blocks of four", blocks(puzzle))):
            started = time.process_time()
            try:
                formula, listed = welded(puzzle, groups)
            except OverflowError:
                print(f"{name}: {how}: more than {LARGEST} composites on one block")
                continue
            made = time.process_time() - started
            next(models(formula, "cadical195"))
            first = time.process_time() - started
            group = Group.of(formula, puzzle.symmetries())
            started = time.process_time()
            found = sum(1 for _ in models(formula, "cadical195", group=group, up_to="rotation"))
            all_of_them = made + time.process_time() - started
            print(f"{name}: {how}: {listed} composites, first {first:.1f} s, all {found} in {all_of_them:.1f} s", flush=True)


if __name__ == "__main__":
    main()
