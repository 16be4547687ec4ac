"""What is printed about each of several puzzles, and why a puzzle has no solution."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from jigsat.analysis.unsolvable import Judge, Why, placements_to_draw
from jigsat.backends import AUTO, find
from jigsat.cli import options
from jigsat.cli.colour import print_picture, print_warning, print_words
from jigsat.cli.common import print_json, print_line, say
from jigsat.errors import Interrupted, Stopped
from jigsat.pictures import Painted
from jigsat.puzzle import Puzzle
from jigsat.solving.answers import Answer
from jigsat.solving.many import answer_each
from jigsat.solving.task import Resources
from jigsat.words import plural

# number of solutions of a puzzle in a word; 'stopped' if it is not known
VERDICTS = (
    "unique",
    "several",
    "none",
    "stopped",
)

MAX_REASONS_S = 20.0  # time limit of the search for the reasons why a puzzle has no solution
# time limit of counting after the search for a solution has reached its own limit
MAX_COUNT_AFTER_TIMEOUT_S = 1.0
LEGEND = "stars mark what the reason is about"


class PuzzleReply(NamedTuple):
    """The answer for one of several puzzles, and what stopped the search for it, if anything
    did."""

    answer: Answer
    reason: Stopped | KeyboardInterrupt | None = None
    why: Why | None = None  # the reasons why there is no solution, if there is none
    # whether it is established that there are several solutions, but one up to reflection
    mirrored: bool = False

    @property
    def verdict(self) -> str:
        if self.answer.solutions[1:]:
            return "several"
        return "stopped" if not self.answer.complete else "unique" if self.answer.unique else "none"

    def json(self) -> dict[str, Any]:
        unknown = {"unique": None} if self.verdict == "stopped" else {}
        reasons = self.why.json() if self.why else None
        return {
            **self.answer.json(),
            **unknown,
            "reasons": reasons,
            "stopped_by": stopped_by(self.reason),
        }

    def print(self, pictures: int) -> None:
        """Print the reply, if there is anything to report, and the reasons with this number of
        pictures."""
        if (
            self.reason is None or self.answer.solutions
        ):  # else the search stopped before its first solution
            print_words(str(self))
        if self.why:
            show_reasons(self.answer.puzzle, self.why, pictures)

    def __str__(self) -> str:
        if self.reason:
            said = (
                f"at least {plural(len(self.answer.solutions), 'solution')}; stopped by "
                f"{stopped_by(self.reason)}"
            )
        else:
            said = str(self.answer) + (", but unique up to reflection" if self.mirrored else "")
        return f"{self.answer.puzzle.name}: {said}"


def make_question(backend: str, up_to: str, limit: int = 2) -> Judge:
    """The question for the first solutions. Raises an error for an option that is wrong."""
    level = options.chosen_level(up_to, declared=True)
    if backend != AUTO:
        find(backend)
    return Judge(backend, limit, level)


def reply_to_each(
    question: Judge,
    puzzles: Sequence[Puzzle],
    resources: Resources,
    timeout: float | None,
    name: str = "",
) -> Generator[PuzzleReply, None, None]:
    """One reply per puzzle, in order, whatever stops the run; see `answer_each`."""
    with closing(answer_each(question, puzzles, resources, timeout, name)) as answers:
        for _, (answer, why), stop in answers:
            yield PuzzleReply(answer, None if answer.complete else stop, why)


def print_replies(
    replies: Iterable[PuzzleReply], draw: Callable[[PuzzleReply], int], as_json: bool
) -> tuple[list[str], Stopped | KeyboardInterrupt | None]:
    """Print each reply, with as many pictures as `draw` returns, and the totals; returns verdicts
    and what stopped them."""
    reason: Stopped | KeyboardInterrupt | None = None
    verdicts = list[str]()
    for reply in replies:
        reason = reason or reply.reason
        verdicts.append(reply.verdict)
        if as_json:
            print_json(reply.json())
        else:
            reply.print(pictures=draw(reply))
    if len(verdicts) > 1:
        say(
            f"{plural(len(verdicts), 'puzzle')}: "
            + ", ".join(f"{verdicts.count(each):,} {each}" for each in VERDICTS)
        )
    return verdicts, reason


def stopped_by(reason: BaseException | None) -> str | None:
    """The reason a run stopped, in the words used by results; None if it did not."""
    return (
        None
        if reason is None
        else reason.reason
        if isinstance(reason, (Stopped, Interrupted))
        else str(reason)
    )


def show_reasons(puzzle: Puzzle, why: Why, pictures: int = 0) -> None:
    """Print one line per reason, the first of those that can be drawn with a picture."""
    for found in why.found:
        print_words(f"reason: {found.reason.words}")
        given, marked = placements_to_draw(puzzle, found)
        visible = given if found.clash else marked
        if visible and pictures:
            pictures -= 1
            print_line()
            picture = puzzle.text(given, found.layout.marked if found.clash else marked)
            legend = found.layout.legend or LEGEND
            print_picture(
                picture.above(legend) if isinstance(picture, Painted) else f"{picture}\n{legend}"
            )
    if why.unfinished:
        print_warning(f"jigsat: {puzzle.name}: {why.unfinished}")
    elif not why.found:
        print_words("no simple reason was found")


def draw_reasons(puzzle: Puzzle, why: Why) -> list[str]:
    """SVG documents of the reasons that have something to mark, with the reason and what is marked
    below."""
    from jigsat.pictures.pages import add_caption

    drawn = []
    for found in why.found:
        given, marked = placements_to_draw(puzzle, found)
        if given or marked:
            legend = (found.layout.legend or LEGEND).replace("stars mark", "red marks")
            drawn.append(add_caption(puzzle.svg(given, marked), [found.reason.words, legend]))
    return drawn
