"""What is printed about each of several puzzles."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from jigsat.analysis.unsolvable import Judge, Why
from jigsat.backends import AUTO, find
from jigsat.cli import options
from jigsat.cli.colour import print_words
from jigsat.cli.common import print_json, say
from jigsat.cli.reasons import show_reasons
from jigsat.errors import Interrupted, Stopped, plural
from jigsat.puzzle import Puzzle
from jigsat.solving.answers import Answer
from jigsat.solving.many import answer_each
from jigsat.solving.task import Resources

VERDICTS = ("unique", "several", "none", "stopped")  # number of solutions of a puzzle in a word; 'stopped' if it is not known


class PuzzleReply(NamedTuple):
    """The answer for one of several puzzles, and what stopped the search for it, if anything did."""

    answer: Answer
    reason: Stopped | KeyboardInterrupt | None = None
    why: Why | None = None
    """The reasons why there is no solution, if there is none."""
    mirrored: bool = False
    """Whether it is established that there are several solutions, but one up to reflection."""

    @property
    def stopped_by(self) -> str | None:
        """What stopped the search, in the words used by results."""
        return stopped_by(self.reason) if self.reason else None

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if self.answer.solutions[1:]:
            return "several"
        return "stopped" if self.reason else "unique" if self.answer.unique else "none"

    def json(self) -> dict[str, Any]:
        """The reply as a plain object."""
        unknown = {"unique": None} if self.reason else {}
        reasons = self.why.json() if self.why else None
        return {**self.answer.json(), **unknown, "reasons": reasons, "stopped_by": self.stopped_by}

    def print(self, pictures: int) -> None:
        """Print the reply, if there is anything to report, and the reasons with this number of pictures."""
        if self.shown:
            print_words(str(self))
        if self.why:
            show_reasons(self.answer.puzzle, self.why, pictures)

    @property
    def shown(self) -> bool:
        """Whether there is anything to report: not if the search stopped before this puzzle or before its first solution."""
        return self.reason is None or bool(self.answer.solutions)

    def __str__(self) -> str:
        if self.reason:
            said = f"at least {plural(len(self.answer.solutions), 'solution')}; stopped by {self.stopped_by}"
        else:
            said = str(self.answer) + (", but unique up to reflection" if self.mirrored else "")
        return f"{self.answer.puzzle.name}: {said}"


def make_question(backend: str, up_to: str, limit: int = 2) -> Judge:
    """The question for the first solutions. Raises an error for an option that is wrong."""
    options.level(up_to)
    if backend != AUTO:
        find(backend)
    return Judge(backend, limit, up_to)


def reply_to_each(
    question: Judge, puzzles: Sequence[Puzzle], resources: Resources, timeout: float | None, name: str = ""
) -> Generator[PuzzleReply, None, None]:
    """One reply per puzzle, in order, whatever stops the run; see `answer_each`."""
    with closing(answer_each(question, puzzles, resources, timeout, name)) as answers:
        for _, (answer, why), stop in answers:
            yield PuzzleReply(answer, None if answer.complete else stop, why)


def print_replies(
    replies: Iterable[PuzzleReply], draw: Callable[[PuzzleReply], int], as_json: bool
) -> tuple[list[str], Stopped | KeyboardInterrupt | None]:
    """Print a line for each reply, after `draw`, which returns how many pictures its reasons may have.

    If there are several, a last line on stderr counts them by verdict. Returns the verdicts, and what stopped the replies.
    """
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
        say(f"{plural(len(verdicts), 'puzzle')}: " + ", ".join(f"{verdicts.count(each):,} {each}" for each in VERDICTS))
    return verdicts, reason


def stopped_by(reason: BaseException | None) -> str:
    """The reason a run stopped, in the words used by results."""
    return reason.reason if isinstance(reason, (Stopped, Interrupted)) else str(reason)
