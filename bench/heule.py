"""The default encoding of edge matching beside published ones: python bench/heule.py
[--seeds 5] [--limit 10] [--jobs 1]

The encodings are those of M. J. H. Heule, 'Solving edge-matching problems with satisfiability
solvers', 2008. CaDiCaL looks for one solution of his boards (see `PUBLISHED` in framed.py), each
shuffled in two ways, and of a random board with the same parameters, with each of the seeds. The
runs are those of `jigsat compare`, which are kept in a file, so that a stopped run goes on with the
same command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from framed import PUBLISHED, list_published, write_lists, write_published

from bench import jigsat
from jigsat.comparison.log import read_runs
from jigsat.comparison.matrix import Run
from jigsat.comparison.scores import VIRTUAL_BEST, Pair, pairs, par2, summarize

FOLDER = Path(__file__).parents[1] / "build" / "encodings"
BACKEND = "cadical195"
OURS = "labels"  # the default
DEFAULT = f"{BACKEND} {OURS}"
ENCODINGS = (OURS, "heule-compact", "heule-explicit", "heule-forbidden", "heule-all")
PARAMETERS = ("7_3_6", "7_4_8", "8_4_5", "9_3_5")
SHUFFLES = 2
LEAST_CHANCE = 0.05  # a smaller probability is a difference


def run(seeds: int, limit: int, jobs: int) -> Path:
    """Do the runs that are not in the file yet; returns the file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_published(FOLDER, PARAMETERS, 1)
    write_lists(FOLDER, list_published(), SHUFFLES)
    boards = sorted(map(str, FOLDER.glob("*.toml")))
    kept = FOLDER / "runs"
    options = ["--task", "first", "--backends", BACKEND, "--encodings", ",".join(ENCODINGS)]
    options += ["--seeds", f"1..{seeds}", "--timeout", str(limit), "--jobs", str(jobs)]
    command = jigsat("compare", *boards, *options, "--resume", str(kept))
    subprocess.run(command.command, check=True, stdout=subprocess.DEVNULL)
    return kept


def write_scores(runs: list[Run], timeout: float) -> Iterator[str]:
    """A row for each encoding, with its wins and losses against the default."""
    against = {}
    for pair in list_pairs(runs, timeout):
        is_ahead = pair.one == DEFAULT
        wins, losses = (pair.losses, pair.wins) if is_ahead else (pair.wins, pair.losses)
        numbers = f"{wins} won, {losses} lost, {pair.ties} tied"
        against[pair.other if is_ahead else pair.one] = numbers, f"{pair.chance:.3f}"
    yield f"| encoding | PAR-2 s | 95 % interval | boards | runs | against `{OURS}` | p |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in par2(runs, timeout):
        name = row.encoding or VIRTUAL_BEST
        interval = "" if row.low is None else f"{row.low:.1f} to {row.high:.1f}"
        done = f"{row.completed_runs} of {row.runs}" if row.runs else ""
        cells = [name, f"{row.par2:.1f}", interval, f"{row.completed} of {row.instances}", done]
        cells += against.get(f"{BACKEND} {name}", ("", ""))
        yield f"| {' | '.join(cells)} |"


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

    runs, conditions, _ = read_runs(kept)
    timeout = conditions.timeout
    text = [*write_verdicts(runs, timeout), "", *write_scores(runs, timeout), ""]
    seeds = len({run.seed for run in runs})
    text.append(f"Seconds until the first solution, limit {timeout:g} s, medians of {seeds} seeds:")
    print("\n".join([*text, "", *write_boards(runs)]))


if __name__ == "__main__":
    main()
