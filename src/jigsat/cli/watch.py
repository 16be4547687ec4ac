"""`jigsat solve --watch`: the board while a search places pieces and takes them back."""

import sys
import time
from collections.abc import Iterator

from jigsat.cli.colour import print_picture
from jigsat.cli.common import print_line
from jigsat.errors import InputError, Stopped, stops_named
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.limits import Limits
from jigsat.search.watched import Position, watch_search
from jigsat.subject import check_model
from jigsat.words import plural

POSITION_S = 0.15  # seconds for which a terminal shows a position
LOGGED_POSITIONS = 100  # without a terminal, one position of this many is printed


def watch_puzzle(puzzle: Puzzle, limits: Limits, limit: int | None) -> None:
    """Draw one position after another until all solutions, or as many as the limit, are found."""
    formula = puzzle.encode()
    positions = _checked_positions(puzzle, formula, limit)
    last: Position | None = None
    stopped: Stopped | KeyboardInterrupt | None = None
    try:
        with limits.hold(), stops_named(puzzle.name):
            show = _show_in_place if sys.stdout.isatty() else _print_some
            for position in show(puzzle, formula, positions):
                last = position
    except (Stopped, KeyboardInterrupt) as reason:
        stopped = reason
    except InputError as error:
        raise InputError(f"{puzzle.name}: {error}") from error

    if last is None:
        print_line(f"{puzzle.name}: nothing can be placed")
    else:
        print_line(f"{puzzle.name}: {describe_counts(last)}")
    if stopped is not None:
        raise stopped


def _checked_positions(puzzle: Puzzle, formula: Formula, limit: int | None) -> Iterator[Position]:
    """The positions up to a number of solutions, each of which is checked."""
    for position in watch_search(formula):
        if position.solved:
            check_model(puzzle, formula, _decisions(formula, position), "the watched search")
        yield position
        if position.solved and position.solutions == limit:
            return


def _decisions(formula: Formula, position: Position) -> list[int]:
    decisions = set(formula.decisions())
    return [variable for variable in position.placed if variable in decisions]


def _draw(puzzle: Puzzle, formula: Formula, position: Position) -> str:
    placements = tuple(formula.key(x) for x in _decisions(formula, position))
    return Solution(puzzle, placements).text()


def _show_in_place(
    puzzle: Puzzle, formula: Formula, positions: Iterator[Position]
) -> Iterator[Position]:
    """Draw the positions on a terminal, each in the place of the one before; a solution stays."""
    from rich.live import Live
    from rich.text import Text

    with Live(auto_refresh=False, transient=True) as screen:
        for position in positions:
            picture = _draw(puzzle, formula, position)
            words = f"{picture}\n\n{describe_counts(position)}"
            if position.solved:
                screen.console.print(Text(f"Solution {position.solutions:,}\n\n{picture}\n"))
            screen.update(Text(words), refresh=True)
            yield position
            time.sleep(POSITION_S)


def _print_some(
    puzzle: Puzzle, formula: Formula, positions: Iterator[Position]
) -> Iterator[Position]:
    """Print the first position, every `LOGGED_POSITIONS`-th one, and the solutions."""
    for number, position in enumerate(positions):
        if position.solved:
            print_picture(_draw(puzzle, formula, position), f"Solution {position.solutions:,}")
        elif number % LOGGED_POSITIONS == 0:
            print_picture(_draw(puzzle, formula, position), describe_counts(position))
        yield position


def describe_counts(position: Position) -> str:
    """What was done so far.

    >>> describe_counts(Position((3, 7), False, 1_250, 1_248, 1))
    '2 placed now; 1,250 placed and 1,248 taken back so far, 1 solution'
    """
    solutions = plural(position.solutions, "solution") if position.solutions else "no solution"
    return (
        f"{len(position.placed):,} placed now; {position.placements:,} placed and "
        f"{position.taken_back:,} taken back so far, {solutions}"
    )
