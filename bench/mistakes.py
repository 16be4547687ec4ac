"""How well a wrong entry is named: one entry of generated puzzles is changed so that there
is no solution, and the changes that `solve` would name are compared with the true one.

`python bench/mistakes.py edge-matching 20 frame=true` takes the puzzles with the seeds 1 to 20 and
this option of the generator.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jigsat import instance
from jigsat.answering.enumeration import first_solution
from jigsat.diagnosis.corrections import Helpful, list_helpful
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Correction, Puzzle

GENERATE = [sys.executable, "-c", "from jigsat.cli import main; main()", "generate"]
MAX_SECONDS = 60.0  # time limit for each puzzle, as of `solve`
MAX_CLUE = 4  # the largest number that a wrong clue says
MAX_PLACE = 3  # the true change should be among the first ones


def main() -> None:
    family = sys.argv[1]
    number = int(sys.argv[2])
    settings = [argument for setting in sys.argv[3:] for argument in ("--set", setting)]
    well_placed = 0
    for seed in range(1, number + 1):
        puzzle = generate(family, seed, settings)
        wrong = spoil(puzzle, random.Random(seed))
        started = time.perf_counter()
        *_, (helpful, unfinished) = list_helpful(wrong, (), MAX_SECONDS)
        seconds = time.perf_counter() - started
        likeliest, place = find_place(puzzle, wrong, helpful)
        well_placed += 0 < place <= MAX_PLACE
        print(
            f"seed {seed}: {len(helpful)} changes, {likeliest} likeliest, the true one "
            f"from place {place}, {seconds:.1f} s {unfinished}",
            flush=True,
        )
    print(f"{family}: among the first {MAX_PLACE}: {well_placed} of {number}")


def generate(family: str, seed: int, settings: list[str]) -> Puzzle:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.toml"
        command = [*GENERATE, family, "--seed", str(seed), "-o", str(path), *settings]
        subprocess.run(command, check=True, capture_output=True)
        return instance.load(path)


def spoil(puzzle: Puzzle, picked: random.Random) -> Puzzle:
    """The puzzle with one entry changed, so that it has no solution."""
    changes = list(list_changes(puzzle, picked))
    while True:
        wrong = apply(puzzle, picked.choice(changes))
        if first_solution(wrong) is None:
            return wrong


def list_changes(puzzle: Puzzle, picked: random.Random) -> Iterator[Correction]:
    """Another label or cell of each piece, or another number for each clue."""
    yield from puzzle.corrections()
    if not isinstance(puzzle, GridPuzzle):
        return
    for entry, clues in puzzle.clue_layers.items():
        for place, value in clues.items():
            if isinstance(value, int):
                other = picked.choice([x for x in range(MAX_CLUE + 1) if x != value])
                changed = clues.with_values({**clues, place: other})
                yield Correction(str(place), "", {entry: changed})


def apply(puzzle: Puzzle, change: Correction) -> Puzzle:
    entries = {**puzzle.model_dump(exclude_defaults=True), **change.entries}
    return type(puzzle).model_validate(entries)


def find_place(puzzle: Puzzle, wrong: Puzzle, helpful: list[Helpful]) -> tuple[int, int]:
    """How many changes share the first rank, and the first place that the true change may have;
    0 if it is missing.

    Changes of the same rank are in no order, so the place counts all that share the rank of the
    true one.
    """
    ranks = sorted(option.rank for option in helpful)
    for option in helpful:
        if is_same(apply(wrong, option.change), puzzle):
            return ranks.count(ranks[0]), sum(rank <= option.rank for rank in ranks)
    return ranks.count(ranks[0]) if ranks else 0, 0


def is_same(puzzle: Puzzle, other: Puzzle) -> bool:
    """Whether the clues are the same, or the pieces look alike."""
    if isinstance(puzzle, GridPuzzle) and isinstance(other, GridPuzzle):
        return puzzle.clue_layers == other.clue_layers
    return describe_pieces(puzzle) == describe_pieces(other)


def describe_pieces(puzzle: Any) -> list[list[str]]:
    """Equal for puzzles with pieces that look alike."""
    pieces = []
    for kind in puzzle.kinds:
        ways = [sorted(way) if isinstance(way, frozenset) else way for way in kind.ways]
        pieces.append(sorted(map(str, ways)))
    return sorted(pieces)


if __name__ == "__main__":
    main()
