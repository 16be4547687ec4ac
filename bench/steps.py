"""Steps of puzzles from start to end: how many, how large, how long. Prints the table of
docs/steps.md.

python bench/steps.py --each 10 --words LIST.txt      the named puzzles of the table, ten generated
ones of each kind python bench/steps.py sudoku-hard puzzles.txt         a row for each of these
files or names
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import jigsat
from jigsat import InputError, instance
from jigsat.facts import Case
from jigsat.puzzle import Puzzle
from jigsat.study.steps import Step, find_steps

NAMED = (
    "sudoku-6x6", "sudoku-hard", "sudoku-jigsaw", "latin-diagonal-7", "black-and-white",
    "push-pull", "lights-5x5",
    "wedding-small", "cats", "cube", "fish",
)  # fmt: skip
GENERATED = (
    "sudoku",
    "latin",
    "edge-matching",
    "tiling",
    "lights-out",
    "seating",
    "interlocking",
    "crossword",
)
STRIP = {"board": "square 1x12", "presses": 5}  # other boards of Lights Out need a search
WORDS = Path(__file__).parents[1] / "instances" / "plain-words.txt"
MAX_GENERATION_S = 60.0  # seconds for the puzzles of a family and level
HEAD = (
    "| puzzles | steps | rules: median, most | sums: most | cases: share, most lines | trial "
    "and error | seconds a step |"
)


def explain(puzzle: Puzzle) -> tuple[list[Step], list[float], bool]:
    """The steps of a puzzle, the seconds for each, and whether everything is decided in the end."""
    steps: list[Step] = []
    seconds: list[float] = []
    start = time.process_time()
    for step in find_steps(puzzle):
        now = time.process_time()
        steps.append(step)
        seconds.append(now - start)
        start = now
    placed = [placement for step in steps for placement in step.placed]
    return steps, seconds, "some" not in jigsat.candidates(puzzle, given=placed).statuses.values()


def make_row(name: str, puzzles: Iterable[Puzzle]) -> str:
    """A row of the table."""
    steps: list[Step] = []
    seconds: list[float] = []
    number = 0
    whole = 0
    for puzzle in puzzles:
        its, times, complete = explain(puzzle)
        steps += its
        seconds += times
        number += 1
        whole += complete
    others = ("case", "parity sum", "by trial", "by symmetry")
    rules = [len(step.rules) for step in steps if step.kind not in others]
    sums = [len(step.rules) for step in steps if step.kind == "parity sum"]
    cases = [len(step.fact.chain) + 1 for step in steps if isinstance(step.fact, Case)]
    trials = sum(step.kind == "by trial" for step in steps)
    about = name if number == 1 else f"{name}: {number}, {whole} to the end"
    size = f"{statistics.median(rules):g}, {max(rules)}" if rules else "–"
    share = f"{len(cases) / len(steps):.0%}, {max(cases)}" if cases else "0"
    pace = f"{statistics.median(seconds):.2f}, at most {max(seconds):.1f}" if seconds else "–"
    return (
        f"| {about} | {len(steps)} | {size} | {max(sums, default='–')} | {share} | {trials} | "
        f"{pace} |"
    )


def print_generated(each: int, families: Sequence[str], words: Path) -> None:
    """A row for each family and level, as far as puzzles of this level are found; crosswords of 7×7
    are of these words."""
    settings: dict[str, dict[str, Any]] = {
        "lights-out": STRIP,
        "crossword": {"words": words.read_text().splitlines(), "size": 7},
    }
    for family in families:
        for level in ("easy", "medium"):
            puzzles: list[Puzzle] = []
            with suppress(InputError, jigsat.Stopped):
                options = settings.get(family, {})
                generated = jigsat.generate(
                    family,
                    number=each,
                    seed=1,
                    difficulty=level,
                    timeout=MAX_GENERATION_S,
                    **options,
                )
                # One by one, so that those before the limit are kept.
                puzzles.extend(generated)
            if puzzles:
                print(make_row(f"{family}, generated, {level}", puzzles), flush=True)
            else:
                print(
                    f"{family}: no {level} puzzle was found in {MAX_GENERATION_S:.0f} s",
                    file=sys.stderr,
                )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=NAMED)
    parser.add_argument(
        "--each", type=int, default=0, help="number of generated puzzles of each family and level"
    )
    parser.add_argument("--families", nargs="*", default=GENERATED)
    parser.add_argument(
        "--words",
        type=Path,
        default=WORDS,
        help="the word list of the crosswords (default: %(default)s)",
    )
    arguments = parser.parse_args()
    print(f"{HEAD}\n|{' --- |' * HEAD.count(' |')}")
    for name in arguments.names:
        print(make_row(name, instance.load_all(name)), flush=True)
    if arguments.each:
        print_generated(arguments.each, arguments.families, arguments.words)


if __name__ == "__main__":
    main()
