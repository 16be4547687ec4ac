"""The service that lays out puzzles to print: their rules, boards and pieces, and the solutions."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.errors import InputError, Stopped, stops_named, unknown
from jigsat.pictures import Part
from jigsat.pictures.pages import PAPERS
from jigsat.pictures.rendering import require
from jigsat.printing.chapters import (
    Entry,
    choose_shared_rule,
    classify_parts,
    make_chapters,
)
from jigsat.printing.parts import (
    Document,
    Picture,
    Step,
    Style,
    draw_legibly,
    draw_puzzle,
    draw_solution,
)
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.questions import Rating
from jigsat.rating.difficulty import rating
from jigsat.runtime.child import Child, held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.services.files import check_output
from jigsat.services.steps import Explained, Undecided, describe_end, explain_steps
from jigsat.study.pictures import Illustrated, Illustrator
from jigsat.study.steps import Step as StudyStep
from jigsat.symmetry import Level, Placement
from jigsat.words import duration

T = TypeVar("T")

APART = {
    Level.NOTHING: "",
    Level.ROTATION: ", apart from turning it",
    Level.REFLECTION: ", apart from turning or mirroring it",
}
GENERATED = r", no\. \d+$|\d×\d"  # in titles that `generate` makes: numbers and sizes
COUNTER = r"(, no\.)? \d+$"  # likewise, also if the title is the author's
BACKS = ("numbers", "empty", "none")  # what can be behind the pieces of a book
BOOKS = (".pdf", ".html", ".svg")  # suffixes of files with pages
MAX_STEP_WIDTH_MM = 80.0  # maximum width of the picture of a step in millimetres
NOT_FINISHED = "The search for further steps was stopped."
MAX_SECOND_S = 10.0  # time limit of the search for a second solution
# what is left of the time when solutions and steps are sought, so that the pages can be written
TYPESETTING_SHARE = 0.25
MAX_TYPESETTING_S = 60.0


@dataclass(frozen=True)
class SheetRequest:
    """Puzzles to print, and how.

    With a `title`, they are a book with a cover, contents, levels, and the rules once per kind.
    `in_order` puts the easiest first. The solutions follow, and the `steps` if they are asked for.
    The work is stopped before `timeout` seconds, so that what is known by then can be written.

    `keys` are those of the chapters of the puzzles, by default their families; `titles` and `texts`
    are by these keys. `cover` is a picture for the cover.
    """

    puzzles: Sequence[Puzzle]
    title: str = ""
    author: str = ""
    style: Style = field(default_factory=Style)
    in_order: bool = False
    solutions: bool = True
    steps: bool = False
    timeout: float | None = None
    keys: Sequence[str] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    cover: list[Picture] = field(default_factory=list)


def check_book(path: Path) -> None:
    """Raise InputError if pages cannot be written to this file."""
    if not path.suffix:
        raise InputError(f"{path}: no suffix; name a file that ends in .pdf, .html or .svg")
    check_output(path, BOOKS, str(path))
    if path.suffix.lower() == ".svg":
        require(".pdf", str(path))  # its page is laid out by the same program


def check_style(style: Style, *, option: str = "--") -> None:
    """Raise InputError for a paper or backs that there are not; `option` is before their names."""
    if style.paper not in PAPERS:
        raise InputError(f"{option}paper: {unknown('size', style.paper, PAPERS)}")
    if style.backs not in BACKS:
        raise InputError(f"{option}backs: {unknown('kind', style.backs, BACKS)}")


def check_titles(titles: Mapping[str, str]) -> None:
    """Raise InputError for a title with a line break or another character that is not printed;
    the titles are by what they are called in messages."""
    for name, title in titles.items():
        if not title.isprintable():
            raise InputError(f"{name}: write it on one line, without control characters")


def require_room(request: SheetRequest, path: Path) -> None:
    """Raise InputError if a file that can have only one page is not enough."""
    if path.suffix.lower() != ".svg":
        return
    if request.title or request.steps or request.solutions:
        remedy = "" if request.title else "; --no-solutions leaves out the solutions"
        raise InputError(
            f"{path}: an SVG file has one page, but more are needed; name a .pdf or .html "
            f"file{remedy}"
        )


@dataclass(frozen=True)
class Working:
    """What is done now, such as 'solving', about the puzzle of this number."""

    doing: str
    number: int

    def __str__(self) -> str:
        return f"{self.doing} {self.number:,}"


@dataclass(frozen=True)
class Doubted:
    """The solution that is printed may not be the only one, there is none, or a clue of the puzzle
    is printed twice in the book."""

    puzzle: Puzzle
    words: str


@dataclass(frozen=True)
class LaidOut:
    """All parts, and what stopped the search for solutions or steps, if anything did."""

    document: Document
    stopped: Stopped | KeyboardInterrupt | None = None


SheetEvent: TypeAlias = Working | Doubted | LaidOut


def lay_out(request: SheetRequest) -> Iterator[SheetEvent]:
    """What happens until all parts are there, which come last.

    Raises what stops the rating: Stopped, or KeyboardInterrupt.
    """
    all_limits = Limits(request.timeout)
    limits = Limits(_limit_searches(request.timeout))
    keys = request.keys or [puzzle.family for puzzle in request.puzzles]
    ratings: list[Rating] = []
    if request.in_order or request.title:
        with held_interrupts():
            yield from _work_on_each("rating", request.puzzles, rating, limits, ratings)
    order = _order_puzzles(request, keys, ratings)
    puzzles = [request.puzzles[i] for i in order]
    levels = [ratings[i].level for i in order] if request.title else []

    with stops_named("the pages", " while drawing the puzzles"), all_limits.hold():
        booklet = _Booklet(request, puzzles, [keys[i] for i in order], levels)
    if request.title:
        yield from booklet.find_repeated_clues()
    stopped = None
    if request.solutions:
        with held_interrupts():
            stopped = yield from booklet.solve(limits)
        with stops_named("the pages", " while drawing the solutions"), all_limits.hold():
            booklet.draw_solutions()
    if request.steps and not stopped:
        with held_interrupts():
            stopped = yield from booklet.explain(limits)
    yield LaidOut(booklet.lay_out(), stopped)


def _limit_searches(timeout: float | None) -> float | None:
    """The seconds for rating, solutions and steps; the rest is for the pages."""
    if timeout is None:
        return None
    return timeout - min(timeout * TYPESETTING_SHARE, MAX_TYPESETTING_S)


def _order_puzzles(
    request: SheetRequest, keys: Sequence[str], ratings: Sequence[Rating]
) -> list[int]:
    """The places of the puzzles in the order in which they are printed.

    In a book and with `in_order`, the chapters stay together, and in them the families and what is
    cut out; with `in_order`, the easiest come first in each.
    """
    places = list(range(len(request.puzzles)))
    if not ratings:
        return places
    kinds = []
    for key, puzzle in zip(keys, request.puzzles, strict=True):
        rules = list(puzzle.rules())
        kind = classify_parts(puzzle.parts(), rules)
        kinds.append((key, puzzle.family, kind, choose_shared_rule(kind, rules)))
    chapters = list(dict.fromkeys(keys))
    families = list(dict.fromkeys((key, family) for key, family, *_ in kinds))
    different = list(dict.fromkeys(kinds))

    def order(place: int) -> tuple[int, int, int, tuple[int, ...]]:
        key, family, *_ = kinds[place]
        level: tuple[int, ...] = ()
        if request.in_order:
            level = ratings[place].order(request.puzzles[place].known)
        in_chapter = families.index((key, family)), different.index(kinds[place])
        return chapters.index(key), *in_chapter, level

    return sorted(places, key=order)


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
    stated = _count_stated(puzzle.known)
    if stated and min(stated.values()) == 0:
        return _Solved(first, "", "the file states that there is no solution, but one is printed")
    if stated and min(stated.values()) > 1:
        return _Solved(first, _describe_others(stated))

    least = bool(puzzle.encode().objective)
    level = _find_level(stated) if stated else Level.REFLECTION
    search = Enumeration[Solution](
        puzzle, limit=2, up_to=level, minimize=least and not stated, timeout=MAX_SECOND_S
    )
    if len([*search]) > 1:
        but = "the file states that there is one solution, but " if stated else ""
        return _Solved(
            first,
            "one of several solutions",
            f"{but}there are several solutions, and one of them is printed",
        )
    if stated:
        return _Solved(first, f"the only solution{_describe_level(stated)}")
    if not search.result.complete:
        return _Solved(
            first, "", f"it may have other solutions: none was found in {duration(MAX_SECOND_S)}"
        )
    if not least:
        return _Solved(first)
    counts = {Level.NOTHING: search.result.solutions or 1, **search.result.distinct}
    return _Solved(first, f"the only best solution{_describe_level(counts)}")


class _End(NamedTuple):
    """The sentence after the last step, if any, and what is then on the board."""

    words: str = ""
    placements: tuple[Placement, ...] = ()


def _explain(puzzle: Puzzle) -> Iterator[Illustrated | _End]:
    """The sentences and pictures of the steps, and how they end. Until something is excluded, what
    is on the board says everything, and the pictures need no pencil marks."""
    illustrator = Illustrator(puzzle)
    explained = Explained()
    with_marks = False
    for event in explain_steps(puzzle):
        match event:
            case StudyStep():
                explained.steps.append(event)
                with_marks = with_marks or bool(event.excluded)
                yield illustrator.illustrate(event, with_marks=with_marks)
            case Undecided(number):
                explained.undecided = number
    board: tuple[Placement, ...] = ()
    if explained.steps:
        last = explained.steps[-1]
        board = (*last.board, *last.placed)
    yield _End(describe_end(explained), board)


def _list_steps(illustrated: Sequence[Illustrated], end: str) -> list[Step]:
    """The steps of a puzzle, and the sentence after them. What several pictures need to be
    understood is said once, before them."""
    times = Counter(key for step in illustrated for key in step.legend)
    common: dict[str, str] = {}
    for step in illustrated:
        for key, sentence in step.legend.items():
            if times[key] > 1:
                common.setdefault(key, sentence)
    steps = [Step("", [" ".join(common.values())], [])] if common else []
    for number, step in enumerate(illustrated, 1):
        own = [sentence for key, sentence in step.legend.items() if key not in common]
        caption = " ".join([*step.text.beside, *own])
        picture = draw_legibly(Part(step.picture, MAX_STEP_WIDTH_MM, caption))
        steps.append(Step(f"Step {number}", list(step.text.lines()), [picture]))
    if end:
        steps.append(Step("", [end], []))
    return steps


class _Booklet:
    """Puzzles to print, and their solutions and steps as far as they are known."""

    def __init__(
        self,
        request: SheetRequest,
        puzzles: Sequence[Puzzle],
        keys: Sequence[str],
        levels: Sequence[str],
    ) -> None:
        self._request = request
        self._puzzles = puzzles
        self._keys = keys
        titles = _name_puzzles(puzzles, book=bool(request.title))
        first = puzzles[0].title or puzzles[0].name
        same = len({_remove_counter(puzzle) for puzzle in puzzles}) == 1
        self.title = request.title or _remove_counter(puzzles[0]) or first
        if not request.title and not same:
            self.title += " and other puzzles"

        several = sum(_is_cut(puzzle) for puzzle in puzzles) > 1
        self._printed = []
        self._answers: list[_Solved] = []
        for number, puzzle in enumerate(puzzles, 1):
            title = titles[number - 1]
            level = levels[number - 1] if levels else ""
            self._printed.append(draw_puzzle(puzzle, number, title, level, numbered=several))

    def lay_out(self) -> Document:
        """The parts of all puzzles, with the solutions and steps as far as they are known."""
        request = self._request
        names = [puzzle.name_kind() for puzzle in self._puzzles]
        entries = list(map(Entry, self._keys, self._printed, names))
        book = bool(request.title)
        families = {puzzle.family: puzzle.name_kind() for puzzle in self._puzzles}
        titles = {**families, **request.titles}
        chapters = make_chapters(entries, titles, request.texts, book=book)
        return Document(self.title, request.author, book, chapters, request.style, request.cover)

    def find_repeated_clues(self) -> Iterator[Doubted]:
        """The puzzles with a numbered clue that a puzzle before them has, too."""
        firsts: dict[str, int] = {}
        for puzzle, printed in zip(self._puzzles, self._printed, strict=True):
            lines = [line for clues in printed.clues for line in clues.lines]
            texts = dict.fromkeys(
                match[1] for line in lines if (match := re.fullmatch(r"\d+ (.+)", line))
            )
            repeated = [text for text in texts if text in firsts]
            if repeated and len(repeated) < len(texts):  # otherwise it is the same puzzle
                more = f", and {len(repeated) - 1} more like it" if len(repeated) > 1 else ""
                words = f"the clue “{repeated[0]}” is in puzzle {firsts[repeated[0]]}, too{more}"
                yield Doubted(puzzle, words)
            for text in texts:
                firsts.setdefault(text, printed.number)

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
        return stopped

    def draw_solutions(self) -> None:
        """Draw what `solve` found."""
        unsolved = _Solved(None, "no solution found; the search was stopped")
        for i, puzzle in enumerate(self._puzzles):
            solved = self._answers[i] if i < len(self._answers) else unsolved
            solution = draw_solution(puzzle, solved.placements, solved.remark)
            self._printed[i] = replace(self._printed[i], solution=solution)

    def explain(
        self, limits: Limits
    ) -> Generator[Working, None, Stopped | KeyboardInterrupt | None]:
        """Find the steps of each puzzle; returns what stopped the search, if anything did."""
        finish = math.inf if limits.timeout is None else time.monotonic() + limits.timeout
        for i, puzzle in enumerate(self._puzzles):
            yield Working("explaining", i + 1)
            left = None if limits.timeout is None else max(0.0, finish - time.monotonic())
            with closing(Child(partial(_explain, puzzle), timeout=left)) as run:
                explained = list(run.until_stopped())
            illustrated = [step for step in explained if isinstance(step, Illustrated)]
            end = _End(NOT_FINISHED)
            for event in explained:
                if isinstance(event, _End):
                    end = event
            self._printed[i] = replace(self._printed[i], steps=_list_steps(illustrated, end.words))
            self._print_reached(i, end.placements)
            if run.stopped:
                return run.stopped.within(puzzle.name, " while explaining")
        return None

    def _print_reached(self, i: int, placements: tuple[Placement, ...]) -> None:
        """Print the solution to which the steps lead, if it is another one."""
        puzzle = self._puzzles[i]
        if i >= len(self._answers) or any(puzzle.check(placements)):
            return
        solved = self._answers[i]
        if solved.placements and set(solved.placements) != set(placements):
            solution = draw_solution(puzzle, placements, solved.remark)
            self._printed[i] = replace(self._printed[i], solution=solution)


def _is_cut(puzzle: Puzzle) -> bool:
    return any(part.kind == "piece" for part in puzzle.parts())


def _remove_counter(puzzle: Puzzle) -> str:
    return re.sub(COUNTER, "", puzzle.title or puzzle.name)


def _has_generated_title(puzzle: Puzzle) -> bool:
    """Whether `generate` made the title, which says what the book has anyway."""
    source = puzzle.source or ""
    made = source.startswith("jigsat generate") and "title=" not in source
    return made and bool(re.search(GENERATED, puzzle.title or ""))


def _name_puzzles(puzzles: Sequence[Puzzle], *, book: bool) -> list[str]:
    """The titles to print. In a book, puzzles with a generated title have none; on a sheet, the
    names of their files tell puzzles with the same title apart."""
    plain = [_remove_counter(puzzle) for puzzle in puzzles]
    titles = []
    for puzzle, short in zip(puzzles, plain, strict=True):
        title = puzzle.title or puzzle.name
        if plain.count(short) > 1:
            title = short
        if book and _has_generated_title(puzzle):
            title = ""
        titles.append(title)
    if book:
        return titles

    named = []
    for puzzle, title in zip(puzzles, titles, strict=True):
        if titles.count(title) > 1 and title != puzzle.name and puzzle.name:
            title += f" ({puzzle.name})"
        named.append(title)
    return named


def _count_stated(known: Known) -> dict[Level, int]:
    """How many solutions the file states, by levels; nothing if it counts all and the best ones
    are printed."""
    if known.solutions is None or known.minimum is not None:
        return {}
    return {Level.NOTHING: known.solutions, **known.distinct()}


def _find_level(counts: Mapping[Level, int]) -> Level:
    """The first level up to which there are as few solutions as these counts say."""
    return min(counts, key=counts.__getitem__)


def _describe_level(counts: Mapping[Level, int]) -> str:
    """What the only solution is apart from, if others are its images."""
    level = _find_level(counts)
    return APART.get(level, f" up to {level.in_words}")


def _describe_others(counts: Mapping[Level, int]) -> str:
    level = _find_level(counts)
    words = f"one of {counts[Level.NOTHING]:,} solutions"
    return words + (f", {counts[level]:,} up to {level.in_words}" if level != Level.NOTHING else "")
