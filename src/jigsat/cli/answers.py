"""What is printed about each of several puzzles, and why a puzzle has no solution."""

from collections.abc import Callable, Iterable

import typer

from jigsat.answering.many import stop_in_words
from jigsat.backends import AUTO, find
from jigsat.cli.colour import print_picture, print_warning, print_words
from jigsat.cli.common import print_json, print_line, say
from jigsat.errors import Interrupted, Stopped
from jigsat.pictures import Painted
from jigsat.puzzle import Puzzle
from jigsat.questions import VERDICTS, Answer, FirstSolutions, Result, Why
from jigsat.services.reasons import draw_reason
from jigsat.symmetry import Level
from jigsat.words import plural

# time limit of counting after the search for a solution has reached its own limit
MAX_COUNT_AFTER_TIMEOUT_S = 1.0
# reasons that are printed and drawn; a grid that was misread has hundreds
MAX_SHOWN_REASONS = 10
LEGEND = "asterisks mark what the reason is about"


def chosen_question(backend: str, level: Level, limit: int = 2) -> FirstSolutions:
    """The question for the first solutions. Raises InputError for an unknown backend."""
    if backend != AUTO:
        find(backend)
    return FirstSolutions(level, limit)


def print_answers(
    answers: Iterable[Answer],
    draw: Callable[[Answer], int],
    as_json: bool,
    remark: Callable[[Answer], str] = lambda answer: "",
) -> tuple[list[str], Stopped | KeyboardInterrupt | None]:
    """Print each answer, with as many pictures of reasons as `draw` returns, and the totals.

    `remark` is appended to an answer in words. Returns the verdicts, and what stopped them.
    """
    verdicts: list[str] = []
    reason: Stopped | KeyboardInterrupt | None = None
    try:
        for answer in answers:
            verdicts.append(answer.verdict)
            if as_json:
                print_json(answer.json())
            else:
                words = f"{answer}{remark(answer)}"
                _print_answer(answer, words, pictures=draw(answer))
    except (Stopped, KeyboardInterrupt) as stop:
        reason = stop
    if len(verdicts) > 1:
        numbers = [f"{verdicts.count(verdict):,} {verdict}" for verdict in VERDICTS]
        say(f"{plural(len(verdicts), 'puzzle')}: {', '.join(numbers)}")
    return verdicts, reason


def _print_answer(answer: Answer, words: str, pictures: int) -> None:
    """Print an answer, if there is anything to report, and the reasons with this number of
    pictures."""
    if answer.complete or answer.solutions:  # else it was stopped before its first solution
        print_words(f"{answer.puzzle.name}: {words}")
    if answer.why is not None:
        show_reasons(answer.puzzle, answer.why, pictures)


def stopped_by(reason: Stopped | KeyboardInterrupt | None) -> str | None:
    """The reason a run stopped, in the words used by answers; None if it did not."""
    return None if reason is None else stop_in_words(reason)


def show_reasons(puzzle: Puzzle, why: Why, pictures: int = 0) -> None:
    """Print one line for each of the first reasons, the first of those that can be drawn with a
    picture."""
    from jigsat.diagnosis.unsolvable import placements_to_draw  # most puzzles have a solution

    for reason in why.found[:MAX_SHOWN_REASONS]:
        print_words(f"reason: {puzzle.name_as_typed(reason.reason.words)}")
        given, marked = placements_to_draw(puzzle, reason)
        visible = given if reason.clash else marked
        if visible and pictures:
            pictures -= 1
            print_line()
            picture = puzzle.text(given, reason.layout.marked if reason.clash else marked)
            legend = reason.layout.legend or LEGEND
            print_picture(
                picture.above(legend) if isinstance(picture, Painted) else f"{picture}\n{legend}"
            )
    more = len(why.found) - MAX_SHOWN_REASONS
    if more > 0:
        print_words(f"and {plural(more, 'more reason')}")
    if why.unfinished:
        more_time = ""
        if why.unfinished.startswith("not tried"):
            more_time = "; a longer --timeout gives it time"
        print_warning(f"jigsat: {puzzle.name}: {why.unfinished}{more_time}")
    elif not why.found:
        print_words("no simple reason was found")


def draw_reasons(puzzle: Puzzle, why: Why) -> list[str]:
    """SVG documents of the first reasons that have something to mark, with the reason and what is
    marked below."""
    from jigsat.pictures.pages import add_caption

    pictures = []
    for reason in why.found[:MAX_SHOWN_REASONS]:
        picture = draw_reason(puzzle, reason)
        if picture is not None:
            legend = (reason.layout.legend or LEGEND).replace("asterisks mark", "red marks")
            pictures.append(add_caption(picture, [reason.reason.words, legend]))
    return pictures


def leave_with(result: Result) -> None:
    """Exit with the status of what stopped a search, if it was anything but the limit on
    solutions."""
    if result.stopped_by is None or result.stopped_by == "limit":
        return
    stopped = stop_of(result.stopped_by)
    if isinstance(stopped, Interrupted):
        raise typer.Exit(stopped.status)
    raise stopped.within(result.instance) if stopped.reason in Stopped.LIMITS else stopped


def stop_of(reason: str) -> Stopped | Interrupted:
    """The exception for what stopped an answer, as its `stopped_by` states it."""
    for number, (name, _) in Interrupted.SIGNALS.items():
        if reason == name:
            return Interrupted(number)
    return Stopped(reason)
