"""The service that lays out puzzles to print: their rules, boards and pieces, and the solutions."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.errors import Stopped, stops_named
from jigsat.pictures import Part, draw_steps, order_blocks
from jigsat.pictures.pages import PAPERS, Paper
from jigsat.pictures.printing import (
    MAX_SOLUTION_WIDTH_MM,
    SOLUTIONS_PER_PAGE,
    Section,
    book,
    share_pieces,
    titled_book,
)
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.questions import Rating
from jigsat.rating.difficulty import rating
from jigsat.runtime.child import Child, held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.study.pictures import Illustrated, illustrate_steps
from jigsat.study.steps import NOTHING_LEFT, find_steps
from jigsat.symmetry import Level, Placement
from jigsat.words import duration

T = TypeVar("T")

APART = {
    Level.ROTATION: ", apart from turning it",
    Level.REFLECTION: ", apart from turning or mirroring it",
}
COUNTER = r"(, no\.)? \d+$"  # what `generate` adds to the titles of several puzzles
BOOKS = (".pdf", ".html", ".svg")  # suffixes of files with pages
LAYERS_WIDTH_MM = 80.0  # width of the layers of a solution in space
LOCKED = (
    "The pieces lock: they cannot be put in one after another by straight moves. They are "
    "shown one by one:"
)
MAX_STEP_WIDTH_MM, STEPS_PER_PAGE = 80.0, 6  # maximum width of the picture of a step in millimetres
NOT_FINISHED = "The search for further steps was stopped."
MAX_SECOND_S = 10.0  # time limit of the search for a second solution


@dataclass(frozen=True)
class SheetRequest:
    """Puzzles to print, and how.

    With a `title`, they are a book with a cover, contents, levels, and the rules once per kind.
    `in_order` puts the easiest first. At most `per_page` puzzles are on a page. The solutions
    follow, and the `steps` if they are asked for. The work is stopped after `timeout` seconds.
    """

    puzzles: Sequence[Puzzle]
    title: str = ""
    author: str = ""
    paper: Paper = PAPERS["a4"]
    per_page: int | None = None
    in_order: bool = False
    solutions: bool = True
    steps: bool = False
    timeout: float | None = None


def fits_one_page(request: SheetRequest, pages: int) -> bool:
    """Whether a file with one page is enough, if the puzzles take this number of pages."""
    return pages == 1 and not (request.title or request.solutions or request.steps)


@dataclass(frozen=True)
class Working:
    """What is done now, such as 'solving', about the puzzle of this number."""

    doing: str
    number: int

    def __str__(self) -> str:
        return f"{self.doing} {self.number:,}"


@dataclass(frozen=True)
class PuzzlesLaidOut:
    """The number of pages with puzzles. Those with solutions come later."""

    pages: int


@dataclass(frozen=True)
class Doubted:
    """The solution that is printed may not be the only one, or there is none."""

    puzzle: Puzzle
    words: str


@dataclass(frozen=True)
class Pages:
    """All pages, as SVG documents, and what stopped the search for solutions or steps, if anything
    did."""

    pages: list[str]
    title: str
    stopped: Stopped | KeyboardInterrupt | None = None


SheetEvent: TypeAlias = Working | PuzzlesLaidOut | Doubted | Pages


def lay_out(request: SheetRequest) -> Iterator[SheetEvent]:
    """What happens until the pages are laid out, which come last.

    Raises what stops the rating: Stopped, or KeyboardInterrupt.
    """
    limits = Limits(request.timeout)
    puzzles = list(request.puzzles)
    levels: list[str] = []
    if request.in_order or request.title:
        ratings: list[Rating] = []
        with held_interrupts():
            yield from _work_on_each("rating", puzzles, rating, limits, ratings)
        rated = list(zip(puzzles, ratings, strict=True))
        if request.in_order:
            rated = _sort_rated(rated)
        puzzles = [puzzle for puzzle, _ in rated]
        if request.title:
            levels = [found.level for _, found in rated]

    booklet = _Booklet(request, puzzles, levels)
    pages = booklet.pages()
    yield PuzzlesLaidOut(len(pages))
    stopped = None
    if request.solutions:
        with held_interrupts():
            stopped = yield from booklet.solve(limits)
            pages = booklet.pages()
    if request.steps and not stopped:
        with held_interrupts():
            steps, stopped = yield from booklet.explain(limits)
            pages += steps
    yield Pages(pages, booklet.title, stopped)


def _sort_rated(rated: list[tuple[Puzzle, Rating]]) -> list[tuple[Puzzle, Rating]]:
    """The easiest puzzles first, kind by kind, as `jigsat rate --sort`."""
    kinds = [Section("", [], puzzle.parts(), family=puzzle.family).kind for puzzle, _ in rated]

    def order(number: int) -> tuple[int, tuple[int, ...]]:
        puzzle, found = rated[number]
        return kinds.index(kinds[number]), found.order(puzzle.known)

    return [rated[number] for number in sorted(range(len(rated)), key=order)]


def _work_on_each(
    doing: str,
    puzzles: Sequence[Puzzle],
    function: Callable[[Puzzle], T],
    limits: Limits,
    results: list[T],
) -> Iterator[Working]:
    """Append what the function returns for each puzzle, in another process; messages name what it
    is `doing`."""
    with closing(Child(partial(map, function, puzzles), timeout=limits.timeout)) as child:
        for number, puzzle in enumerate(puzzles, 1):
            yield Working(doing, number)
            with stops_named(puzzle.name, f" while {doing}"):
                results.append(next(child))


class _Solved(NamedTuple):
    """A solution if there is one, a remark for print, and a warning if others may be as good."""

    placements: tuple[Placement, ...] | None
    remark: str = ""
    warning: str = ""


def _solve(puzzle: Puzzle) -> _Solved:
    """A solution, with a warning unless it is the only one up to reflection, or the file states
    that there are others."""
    if (first := first_solution(puzzle)) is None:
        return _Solved(
            None, "There is no solution.", "there is no solution; `jigsat solve` says why"
        )
    if among := _among(puzzle.known):
        return _Solved(first, among)
    least = bool(puzzle.encode().objective)
    search = Enumeration[Solution](
        puzzle, limit=2, up_to=Level.ALL, minimize=least, timeout=MAX_SECOND_S
    )
    if len([*search]) > 1:
        return _Solved(first, "", "there are several solutions, and one of them is printed")
    if search.result.complete:
        return _Solved(first, "the only best solution" * least)
    return _Solved(
        first, "", f"it may have other solutions: none was found in {duration(MAX_SECOND_S)}"
    )


def _explain(puzzle: Puzzle) -> Iterator[Illustrated]:
    """The sentences and pictures of the steps."""
    yield from illustrate_steps(puzzle, find_steps(puzzle))


def _list_steps(title: str, drawn: Sequence[Illustrated], *, finished: bool) -> list[Section]:
    """The sections of the steps of a puzzle."""
    sections = []
    for number, step in enumerate(drawn, 1):
        heading = f"Steps of {title}: step 1" if number == 1 else f"Step {number}"
        parts = [Part(step.svg, MAX_STEP_WIDTH_MM)]
        sections.append(Section(heading, step.text.lines(), parts))
    heading = "" if drawn else f"Steps of {title}"
    if not finished:
        sections.append(Section(heading, [NOT_FINISHED], []))
    elif not drawn:
        sections.append(Section(heading, [NOTHING_LEFT], []))
    return sections


class _Booklet:
    """Puzzles to print, and their solutions as far as they are known."""

    def __init__(
        self, request: SheetRequest, puzzles: Sequence[Puzzle], levels: Sequence[str]
    ) -> None:
        self._request = request
        self._puzzles = puzzles
        self._levels = levels
        self._answers: list[_Solved] = []
        title = request.title
        titles = [puzzle.title or puzzle.name for puzzle in puzzles]
        plain = [re.sub(COUNTER, "", its) for its in titles]
        # numbered below
        titles = [
            short if plain.count(short) > 1 else its
            for short, its in zip(plain, titles, strict=True)
        ]
        self._titles = (
            titles
            if len(titles) == 1
            else [
                f"{i}. {its}"
                + f" ({puzzle.name})" * (titles.count(its) > 1 and its != puzzle.name and not title)
                for i, (its, puzzle) in enumerate(zip(titles, puzzles, strict=True), 1)
            ]
        )
        self.title = title or (
            titles[0] if len(set(titles)) == 1 else f"{titles[0]} and other puzzles"
        )
        parts = [puzzle.parts() for puzzle in puzzles]
        many = sum(any(part.kind == "piece" for part in its) for its in parts) > 1
        self._sections = share_pieces(
            [
                Section(
                    self._titles[i],
                    [*puzzle.rules()],
                    its,
                    i + 1 if many else None,
                    puzzle.family,
                    levels[i] if levels else "",
                )
                for i, (puzzle, its) in enumerate(zip(puzzles, parts, strict=True))
            ]
        )

    def pages(self) -> list[str]:
        """The pages, with the solutions as far as they were searched for."""
        request = self._request
        solutions = [*map(self._solution, self._titles, self._puzzles, self._answers)]
        if self._levels:
            return titled_book(
                self.title,
                request.author,
                self._sections,
                solutions,
                request.paper,
                request.per_page,
            )
        puzzles = book(self._sections, "", request.paper, per_page=request.per_page)
        return [*puzzles, *book(solutions, "solutions", request.paper, each=SOLUTIONS_PER_PAGE)]

    def solve(
        self, limits: Limits
    ) -> Generator[Working | Doubted, None, Stopped | KeyboardInterrupt | None]:
        """Find a solution of each puzzle; returns what stopped the search, if anything did."""
        stopped: Stopped | KeyboardInterrupt | None = None
        try:
            yield from _work_on_each("solving", self._puzzles, _solve, limits, self._answers)
        except (Stopped, KeyboardInterrupt) as reason:
            stopped = reason
        for puzzle, solved in zip(self._puzzles, self._answers, strict=False):
            if solved.warning:
                yield Doubted(puzzle, solved.warning)
        unsolved = _Solved(None, "no solution found; the search was stopped")
        self._answers += [unsolved] * (len(self._puzzles) - len(self._answers))
        return stopped

    def explain(
        self, limits: Limits
    ) -> Generator[Working, None, tuple[list[str], Stopped | KeyboardInterrupt | None]]:
        """Return the pages with the steps of each puzzle, as far as they were found, and what
        stopped the search, if anything did."""
        sections = list[Section]()
        stopped: Stopped | KeyboardInterrupt | None = None
        end = math.inf if limits.timeout is None else time.monotonic() + limits.timeout
        for number, (title, puzzle) in enumerate(zip(self._titles, self._puzzles, strict=True), 1):
            yield Working("explaining", number)
            left = None if limits.timeout is None else max(0.0, end - time.monotonic())
            with closing(Child(partial(_explain, puzzle), timeout=left)) as run:
                drawn = list(run.until_stopped())
            sections += _list_steps(title, drawn, finished=not run.stopped)
            if run.stopped:
                stopped = run.stopped.within(puzzle.name, " while explaining")
                break
        pages = book(sections, "steps", self._request.paper, per_page=STEPS_PER_PAGE)
        return [*pages], stopped

    def _solution(self, title: str, puzzle: Puzzle, solved: _Solved) -> Section:
        title = f"Solution of {title}" if len(self._puzzles) == 1 else title
        said = [solved.remark] if solved.remark else []
        if solved.placements is None:
            return Section(title, said, [])
        if answer_in_words := puzzle.answer(solved.placements):
            said.append(f"answer: {answer_in_words}")
        drawn = puzzle.answer_svg(solved.placements)
        parts = [Part(drawn, MAX_SOLUTION_WIDTH_MM)]
        if (
            solid := puzzle.solid(solved.placements)
        ) and solid.blocks:  # step by step, beside the layers
            order = order_blocks(solid.blocks)
            said.append("The pieces are put in one after another:" if order else LOCKED)
            steps = draw_steps(order or [(block, "") for block in solid.blocks])
            parts = [Part(drawn, LAYERS_WIDTH_MM), steps]
        return Section(title, said, parts)


def _among(known: Known) -> str:
    """How many other solutions are known; '' if there are none except copies of this one, or none
    as good."""
    distinct = known.distinct()
    least = min(distinct.values(), default=known.solutions or 1)
    if known.solutions is None or known.minimum is not None:
        return ""
    level = min(distinct, key=distinct.__getitem__, default=Level.NOTHING)
    if least < 2:
        return "the only solution" + (
            APART.get(level, f" up to {level.in_words}") if known.solutions > 1 else ""
        )
    return f"one of {known.solutions:,} solutions" + (
        f", {least:,} up to {level.in_words}" if level > Level.NOTHING else ""
    )
