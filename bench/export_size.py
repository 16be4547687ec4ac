"""Measures time and memory for exporting a puzzle of the size of Eternity II, and compares with
straightforward PySAT scripts.

    python bench/export_size.py [--size 16] [--labels 22] [--seed 1] [--limit 4]

The puzzle is random, see framed.py. Each format is written in its own process, whose time and peak
memory are measured; `--limit` is in GiB.

jigsat is compared with two scripts that a user might write for this puzzle with PySAT (`IDPool`,
`CardEnc`, `CNF.to_file`). Both have a variable for each tile on each cell in each orientation:

- `labels` adds a variable for each label on each edge. Each edge has exactly one label, each
  placement implies the labels of
  its tile, and `CardEnc` encodes "exactly one". This is the encoding of jigsat without its
  redundant clauses.
- `conflicts` uses the placement variables alone: any two tiles on a cell, the same tile on any two
  cells, and any two
  neighbours that do not match exclude each other. If this runs out of memory, the number of clauses
  is computed instead.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from framed import FRAME, cut_tiles

WAYS = {
    "jigsat .cnf, auto": (".cnf", "auto"),
    "jigsat .cnf, bitwise": (".cnf", "bitwise"),
    "jigsat .cnf, ladder": (".cnf", "ladder"),
    "jigsat .cnf.gz, auto": (".cnf.gz", "auto"),
    "jigsat .opb": (".opb", "auto"),
    "jigsat .smt2": (".smt2", "auto"),
}


def puzzle(size: int, labels: int, seed: int) -> dict[str, Any]:
    """The data of an edge-matching instance with a frame."""
    tiles = {str(i): tile for i, tile in enumerate(cut_tiles(size, labels, seed), 1)}
    return {
        "family": "edge-matching",
        "board": f"square {size}x{size}",
        "frame": FRAME,
        "tiles": tiles,
    }


def by_jigsat(data: dict[str, Any], path: Path, amo: str) -> None:
    from jigsat.formats.export import lines, save
    from jigsat.formula import Lowering
    from jigsat.instance import parse

    instance = parse(data, name="made-up", origin="made-up")
    save(path, lines(instance.encode(), path, instance, lowering=Lowering(at_most_one=amo)))


def by_labels(data: dict[str, Any], path: Path, size: int) -> None:
    """The first PySAT script."""
    script = LabelScript(data["tiles"], size)
    script.use_cells_and_tiles_once()
    script.label_edges()
    script.cnf.to_file(str(path))


class LabelScript:
    """Variables for the placements of tiles, and for the labels of edges."""

    def __init__(self, tiles: dict[str, list[str]], size: int) -> None:
        from pysat.formula import CNF, IDPool

        self.pool = IDPool()
        self.cnf = CNF()
        self.tiles = tiles
        self.size = size
        self.cells = [(i, j) for i in range(size) for j in range(size)]
        self.turns = {name: range(count_turns(sides)) for name, sides in tiles.items()}

    def use_cells_and_tiles_once(self) -> None:
        for cell in self.cells:
            self.exactly_one([("place", cell, *tile) for tile in self.turned_tiles()])
        for name, turns in self.turns.items():
            self.exactly_one([("place", cell, name, turn) for cell in self.cells for turn in turns])

    def label_edges(self) -> None:
        for cell in self.cells:
            for side, edge in enumerate(edges_of(cell)):
                for name, turn in self.turned_tiles():
                    label = self.tiles[name][(side - turn) % 4]
                    placement = self.pool.id(("place", cell, name, turn))
                    self.cnf.append([-placement, self.pool.id((edge, label))])
        labels = sorted({label for sides in self.tiles.values() for label in sides})
        for edge in sorted({edge for cell in self.cells for edge in edges_of(cell)}):
            if is_at_rim(edge, self.size):
                self.cnf.append([self.pool.id((edge, FRAME))])
            self.exactly_one([(edge, label) for label in labels])

    def turned_tiles(self) -> Iterator[tuple[str, int]]:
        for name, turns in self.turns.items():
            for turn in turns:
                yield name, turn

    def exactly_one(self, names: list[tuple[Any, ...]]) -> None:
        from pysat.card import CardEnc, EncType

        literals = [self.pool.id(name) for name in names]
        equals_1 = CardEnc.equals(literals, 1, vpool=self.pool, encoding=EncType.seqcounter)
        self.cnf.extend(equals_1.clauses)


def count_turns(sides: list[str]) -> int:
    """The number of turns of a tile that differ from each other."""
    return len({tuple(sides[-k:] + sides[:-k]) for k in range(4)})


def edges_of(cell: tuple[int, int]) -> list[tuple[str, int, int]]:
    """The edges of a cell, clockwise from the top."""
    i, j = cell
    return [("-", i, j), ("|", i, j + 1), ("-", i + 1, j), ("|", i, j)]


def is_at_rim(edge: tuple[str, int, int], size: int) -> bool:
    """Whether an edge belongs to one cell only."""
    direction, i, j = edge
    return (i if direction == "-" else j) in (0, size)


def by_conflicts(data: dict[str, Any], path: Path, size: int) -> None:
    """The second PySAT script."""
    from pysat.formula import CNF, IDPool

    pool = IDPool()
    cnf = CNF()
    for conflict in conflicts(data, size):
        cnf.append([-pool.id(placement) for placement in conflict])
    cells = [(i, j) for i in range(size) for j in range(size)]
    for cell in cells:
        cnf.append([pool.id(placement) for placement in placements(data, cell, size)])
    cnf.to_file(str(path))


def placements(
    data: dict[str, Any], cell: tuple[int, int], size: int
) -> list[tuple[tuple[int, int], str, int]]:
    """The possible placements on a cell, with grey sides at the rim."""
    i, j = cell
    rim = [
        side for side, at_rim in enumerate((i == 0, j == size - 1, i == size - 1, j == 0)) if at_rim
    ]
    return [
        (cell, name, turn)
        for name, sides in data["tiles"].items()
        for turn in range(count_turns(sides))
        if all(sides[(side - turn) % 4] == FRAME for side in rim)
    ]


def conflicts(data: dict[str, Any], size: int) -> Iterator[tuple[Any, Any]]:
    """All pairs of placements that exclude each other."""
    cells = [(i, j) for i in range(size) for j in range(size)]
    on_cell = {cell: placements(data, cell, size) for cell in cells}
    by_tile: dict[str, list[Any]] = {}
    for cell in cells:
        yield from combinations(on_cell[cell], 2)
        for placement in on_cell[cell]:
            by_tile.setdefault(placement[1], []).append(placement)
    for name in by_tile:
        yield from ((a, b) for a, b in combinations(by_tile[name], 2) if a[0] != b[0])
    for i, j in cells:
        for other, side in (((i, j + 1), 1), ((i + 1, j), 2)):
            for _, name, turn in on_cell[i, j]:
                for placement in on_cell.get(other, ()):
                    shown = data["tiles"][name][(side - turn) % 4]
                    if shown != data["tiles"][placement[1]][((side + 2) % 4 - placement[2]) % 4]:
                        yield ((i, j), name, turn), placement


def number_of_conflicts(data: dict[str, Any], size: int) -> int:
    """The number of pairs that `conflicts` yields, computed without listing them."""
    cells = [(i, j) for i in range(size) for j in range(size)]
    on_cell = {cell: placements(data, cell, size) for cell in cells}
    total = sum(len(here) * (len(here) - 1) // 2 for here in on_cell.values())
    for name in data["tiles"]:
        counts = [sum(placement[1] == name for placement in on_cell[cell]) for cell in cells]
        total += (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2
    for i, j in cells:
        for other, side in (((i, j + 1), 1), ((i + 1, j), 2)):
            if other in on_cell:
                one, two = (
                    Counter(data["tiles"][name][(at - turn) % 4] for _, name, turn in on_cell[cell])
                    for cell, at in (((i, j), side), (other, (side + 2) % 4))
                )
                total += len(on_cell[i, j]) * len(on_cell[other]) - sum(
                    one[label] * two[label] for label in one
                )
    return total


def run(way: str, size: int, labels: int, seed: int, path: Path) -> None:
    """Write the puzzle in this process and print whether it succeeded, the time, the CPU time and
    the peak memory."""
    data = puzzle(size, labels, seed)
    started = time.perf_counter()
    try:
        if way in WAYS:
            by_jigsat(data, path, WAYS[way][1])
        elif way == "pysat, labels":
            by_labels(data, path, size)
        else:
            by_conflicts(data, path, size)
        done = True
    except MemoryError:
        done = False
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            [
                done,
                time.perf_counter() - started,
                used.ru_utime + used.ru_stime,
                used.ru_maxrss / 2**10,
            ]
        )
    )


def contents(path: Path) -> str:
    """The number of clauses or constraints in a file."""
    if path.suffix == ".gz":
        return "the same"
    with path.open() as file:
        if path.suffix == ".smt2":
            return f"{sum(line.startswith('(assert') for line in file):,} constraints"
        for line in file:
            words = line.split()
            if words[:2] == ["p", "cnf"]:
                return f"{int(words[3]):,} clauses"
            if words[0] == "*" and "#constraint=" in words:
                return f"{int(words[words.index('#constraint=') + 1]):,} constraints"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--labels", type=int, default=22)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=4, help="GiB of memory for each process")
    parser.add_argument("--run", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    size, labels, seed = arguments.size, arguments.labels, arguments.seed
    if arguments.run:
        resource.setrlimit(resource.RLIMIT_AS, (int(arguments.limit * 2**30),) * 2)
        run(arguments.run[0], size, labels, seed, Path(arguments.run[1]))
        return
    print(f"{size}×{size} tiles, {labels} labels and grey, seed {seed}\n")
    print(f"{'':22} {'seconds':>8} {'CPU':>6} {'MiB':>6} {'file MB':>8}")
    with TemporaryDirectory() as folder:
        for way in (*WAYS, "pysat, labels", "pysat, conflicts"):
            path = Path(folder) / f"puzzle{WAYS.get(way, ('.cnf',))[0]}"
            again = [sys.executable, __file__, *sys.argv[1:], "--run", way, str(path)]
            answer = subprocess.run(again, capture_output=True, text=True)
            try:
                done, seconds, cpu, memory = json.loads(answer.stdout)
            except ValueError:
                print(f"{way:22} {answer.stderr.strip().splitlines()[-1:]}")
                continue
            if done:
                outcome = f"{path.stat().st_size / 1e6:8.1f}   {contents(path)}"
            else:
                outcome = f"{'':8}   out of memory at {arguments.limit:g} GiB"
                if way == "pysat, conflicts":
                    outcome += (
                        f", of {number_of_conflicts(puzzle(size, labels, seed), size):,} clauses"
                    )
            print(f"{way:22} {seconds:8.1f} {cpu:6.1f} {memory:6.0f} {outcome}", flush=True)
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
