"""Fill three 15×15 crosswords: python bench/crossword.py WORDS --runs 3

WORDS has one word per line. The published times are for the list of the Debian package wamerican
2020.12.07-2, /usr/share/dict/american-english, whose SHA-256 is in `WAMERICAN`; words with an
apostrophe are left out here.

Each time is the median processor time, in seconds, of whole processes that find one fill: by
`jigsat solve`; by jigsat with the clauses added one by one (`naive`); and by a plain table model of
CP-SAT with one worker (`cp-sat`). The model has a variable for the letter of each square, a table
of the words for each slot, and all words of one length different.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from jigsat.encodings.crossword.rules import Crossword

import jigsat
from jigsat.formula import Formula

WAMERICAN = "9f513f1ceadb6a01c5485b7dbdfd5118dc66cd70b59cae2851292112d4066a32"
LIMIT = 100
"""Seconds of processor time after which a run is stopped."""

GRIDS = [
    """
....#...#......
........#......
........#......
......##....###
...#.....#.....
###........#...
....##....#....
....#.....#....
....#....##....
...#........###
.....#.....#...
###....##......
......#........
......#........
......#...#....
""",
    """
....#.....#...#
....#.....#...#
....#.....#...#
#.......#......
......##...#...
...#.......#...
....#.......###
.....#...#.....
###.......#....
...#.......#...
...#...##......
......#.......#
#...#.....#....
#...#.....#....
#...#.....#....
""",
    """
....#....#.....
....#....#.....
....#....#.....
#....#.........
...#...#...#...
.......#....###
......#......##
....##...##....
##......#......
###....#.......
...#...#...#...
.........#....#
.....#....#....
.....#....#....
.....#....#....
""",
]
"""Grids with half-turn symmetry, 78 words and slots of at least three squares."""


def naive(path: str) -> None:
    """Fill a grid, adding the clauses one by one."""

    def clauses(formula: Formula, rows: object) -> None:
        for row in rows:  # type: ignore[attr-defined]
            formula.clause(row)

    Formula.clauses = clauses  # type: ignore[method-assign,assignment]
    print(next(jigsat.solutions(path, up_to="nothing", limit=1)).text())


def cp_sat(path: str) -> None:
    """Fill a grid with a plain table model of CP-SAT, and check the fill."""
    from ortools.sat.python import cp_model

    puzzle = jigsat.load(path)
    assert isinstance(puzzle, Crossword)
    model = cp_model.CpModel()
    letter = {
        cell: model.new_int_var(0, len(puzzle.alphabet) - 1, f"{cell}") for cell in puzzle.squares
    }
    number = {character: i for i, character in enumerate(puzzle.alphabet)}
    chosen: dict[int, list[cp_model.IntVar]] = {}
    for slot in puzzle.slots:
        words = puzzle.choices[slot.name].words
        index = model.new_int_var(0, len(words) - 1, slot.name)
        table = [(i, *(number[x] for x in word)) for i, word in enumerate(words)]
        model.add_allowed_assignments([index, *(letter[cell] for cell in slot.cells)], table)
        chosen.setdefault(len(slot.cells), []).append(index)
    for several in chosen.values():
        model.add_all_different(several)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    width = len(puzzle.grid[0])
    values = {cell: puzzle.alphabet[solver.value(variable)] for cell, variable in letter.items()}
    rows = ["".join(values.get((r, c), "#") for c in range(width)) for r in range(len(puzzle.grid))]
    used = ["".join(values[cell] for cell in slot.cells) for slot in puzzle.slots]
    assert len(set(used)) == len(used) and set(used) <= puzzle.words.keys()
    print("\n".join(rows))


def seconds(command: list[str]) -> float | None:
    """The processor time of a process; None if it was stopped."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bounded = ["sh", "-c", f'ulimit -t {LIMIT} && exec "$@"', "sh", *command]
    if subprocess.run(
        bounded, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ).returncode:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(words: Path, runs: int, grids: list[int]) -> None:
    """Print a row for each grid."""
    text = words.read_bytes()
    print(f"{words}: SHA-256 {hashlib.sha256(text).hexdigest()}")
    with tempfile.TemporaryDirectory() as folder:
        kept = [line for line in text.decode().splitlines() if "'" not in line]
        (Path(folder) / "words.txt").write_text("\n".join(kept))
        for i in grids:
            path = Path(folder) / f"grid{i}.toml"
            path.write_text(
                f'family = "crossword"\nwords = "words.txt"\ngrid = """{GRIDS[i - 1]}"""\n'
            )
            commands = {
                "jigsat": ["jigsat", "solve", str(path), "--limit", "1"],
                "naive": [sys.executable, __file__, "--naive", str(path)],
                "cp-sat": [sys.executable, __file__, "--cp-sat", str(path)],
            }
            print(f"grid {i}", end="", flush=True)
            for name, command in commands.items():
                times = [seconds(command) for _ in range(runs)]
                done = [time for time in times if time is not None]
                print(
                    f" | {name} {median(done):.1f}"
                    if len(done) == runs
                    else f" | {name} > {LIMIT}",
                    end="",
                    flush=True,
                )
            print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fill three 15×15 crosswords and print the times.")
    parser.add_argument("words", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--grids", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--naive", help=argparse.SUPPRESS)
    parser.add_argument("--cp-sat", help=argparse.SUPPRESS)
    given = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    if given.naive or given.cp_sat:
        naive(given.naive) if given.naive else cp_sat(given.cp_sat)
    elif given.words:
        compare(given.words, given.runs, given.grids)
    else:
        parser.error("name a file with one word per line")
