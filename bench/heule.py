"""The default encoding of edge matching beside published ones: python bench/heule.py
[--seeds 5] [--limit 10] [--jobs 1]

The encodings are those of M. J. H. Heule, 'Solving edge-matching problems with satisfiability
solvers', 2008. CaDiCaL looks for one solution of his boards (see `PUBLISHED` in framed.py), each
shuffled in two ways, and of a random board with the same parameters, with each of the seeds. The
runs are those of `jigsat compare`, which are kept in a file, so that a stopped run goes on with the
same command. Each version has a folder of its own, build/encodings/COMMIT: its runs are never mixed
with those of another one. All tables are made from this one file.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from framed import PUBLISHED, list_published, write_lists, write_published

from bench import find_commit, jigsat
from jigsat.comparison.log import read_runs
from jigsat.comparison.matrix import Run
from jigsat.comparison.scores import VIRTUAL_BEST, Pair, group_by, pairs, par2, summarize

FOLDER = Path(__file__).parents[1] / "build" / "encodings"
BACKEND = "cadical195"
OURS = "labels"  # the default
DEFAULT = f"{BACKEND} {OURS}"
ENCODINGS = (OURS, "heule-compact", "heule-explicit", "heule-forbidden", "heule-all")
PARAMETERS = ("7_3_6", "7_4_8", "8_4_5", "9_3_5")
SHUFFLES = 2
SIZED = "7_4_8-1"  # the board whose formulas are measured
LEAST_CHANCE = 0.05  # a smaller probability is a difference


def run(seeds: int, limit: int, jobs: int) -> Path:
    """Do the runs that are not in the file yet; returns the file."""
    folder = FOLDER / (find_commit() or "unknown")
    folder.mkdir(parents=True, exist_ok=True)
    write_published(folder, PARAMETERS, 1)
    write_lists(folder, list_published(), SHUFFLES)
    boards = sorted(map(str, folder.glob("*.toml")))
    kept = folder / "runs"
    options = ["--task", "first", "--backends", BACKEND, "--encodings", ",".join(ENCODINGS)]
    options += ["--seeds", f"1..{seeds}", "--timeout", str(limit), "--jobs", str(jobs)]
    command = jigsat("compare", *boards, *options, "--resume", str(kept))
    subprocess.run(command.command, check=True, stdout=subprocess.DEVNULL)
    return kept


def write_scores(runs: list[Run], timeout: float) -> Iterator[str]:
    """A row for each encoding, with its wins and losses against the default, and how much longer
    it takes."""
    against = {}
    for pair in list_pairs(runs, timeout):
        is_ahead = pair.one == DEFAULT
        wins, losses = (pair.losses, pair.wins) if is_ahead else (pair.wins, pair.losses)
        numbers = f"{wins} won, {losses} lost, {pair.ties} tied"
        outcome = numbers, f"{pair.chance:.3f}", write_longer(pair)
        against[pair.other if is_ahead else pair.one] = outcome
    yield (
        f"| encoding | PAR-2 s | 95 % interval | boards | runs | against `{OURS}` | p "
        "| longer by s (95 % interval) |"
    )
    yield f"|{' --- |' * 8}"
    for row in par2(runs, timeout):
        name = row.encoding or VIRTUAL_BEST
        interval = "" if row.low is None else f"{row.low:.1f} to {row.high:.1f}"
        done = f"{row.completed_runs} of {row.runs}" if row.runs else ""
        cells = [name, f"{row.par2:.1f}", interval, f"{row.completed} of {row.instances}", done]
        cells += against.get(f"{BACKEND} {name}", ("", "", ""))
        yield f"| {' | '.join(cells)} |"


def write_longer(pair: Pair) -> str:
    """By how much an encoding is slower than the default: the median over the boards that are no
    tie, with its interval."""
    if pair.difference is None:
        return ""
    sign = -1 if pair.one == DEFAULT else 1
    text = f"{sign * pair.difference:+.1f}"
    if pair.low is None or pair.high is None:
        return text
    low, high = sorted((sign * pair.low, sign * pair.high))
    return f"{text} ({low:+.1f} to {high:+.1f})"


def list_pairs(runs: list[Run], timeout: float) -> list[Pair]:
    """The pairs of the default with another encoding."""
    return [pair for pair in pairs(runs, timeout) if DEFAULT in (pair.one, pair.other)]


def write_verdicts(runs: list[Run], timeout: float) -> Iterator[str]:
    """A sentence for each published encoding."""
    for pair in list_pairs(runs, timeout):
        is_ahead = pair.one == DEFAULT
        other = (pair.other if is_ahead else pair.one).removeprefix(f"{BACKEND} ")
        if pair.chance >= LEAST_CHANCE:
            number = f"{pair.wins} to {pair.losses} boards"
            yield f"- `{other}`: chance explains the difference ({number})."
        else:
            word = "faster" if is_ahead else "slower"
            yield f"- `{other}`: `{OURS}` is {word}, by {pair.wins} to {pair.losses} boards."


def write_boards(runs: list[Run]) -> Iterator[str]:
    """A row for each board: the median with each encoding, and how many runs have an answer if
    not all of them have one."""
    yield f"| board | {' | '.join(ENCODINGS)} |"
    yield f"| --- |{' --- |' * len(ENCODINGS)}"
    cells: dict[str, dict[str, str]] = {}
    for summary in summarize(runs):
        middle = f"{summary.seconds:.1f}" if summary.is_answered else "none"
        done = summary.completed
        number = "" if done == len(summary.runs) else f" ({done} of {len(summary.runs)})"
        combination = summary.combination
        cells.setdefault(combination.instance, {})[combination.encoding] = middle + number
    for board, own in sorted(cells.items()):
        name, _, number = board.removeprefix("em_").rpartition("-")
        is_published = board.startswith("em_")
        title = f"published {name}, shuffled by {number}" if is_published else f"random {name}"
        yield f"| {title} | {' | '.join(own[encoding] for encoding in ENCODINGS)} |"


def write_sizes(runs: list[Run]) -> Iterator[str]:
    """A row for each encoding: the sizes of the formula of a board, and the median of the processor
    time to make it."""
    yield "| encoding | variables | clauses | literals | s to encode |"
    yield f"|{' --- |' * 5}"
    own = [run for run in runs if run.combination.instance == SIZED and run.variables]
    by_encoding = group_by(own, lambda run: run.combination.encoding)
    for encoding, alike in by_encoding.items():
        first = alike[0]
        sizes = (f"{number:,}" for number in (first.variables, first.clauses, first.literals))
        seconds = median(run.encode for run in alike)
        yield f"| {encoding} | {' | '.join(sizes)} | {seconds:.2f} |"


def main() -> None:
    """Print what the page says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--limit", type=int, default=10, help="seconds of processor time")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    arguments = parser.parse_args()
    if not list_published():
        print(f"without the published boards: {PUBLISHED} has no lists", file=sys.stderr)
    kept = run(arguments.seeds, arguments.limit, arguments.jobs)

    runs, conditions, *_ = read_runs(kept)
    timeout = conditions.timeout
    text = [*write_verdicts(runs, timeout), "", *write_scores(runs, timeout), ""]
    seeds = len({run.seed for run in runs})
    text.append(f"Seconds until the first solution, limit {timeout:g} s, medians of {seeds} seeds:")
    text += ["", *write_boards(runs), ""]
    text.append("Sizes of the random 7_4_8, and the processor time to encode it:")
    print("\n".join([*text, "", *write_sizes(runs)]))


if __name__ == "__main__":
    main()
