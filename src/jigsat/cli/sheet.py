"""The command `sheet`."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import typer

from jigsat import instance
from jigsat.analysis.difficulty import rating
from jigsat.analysis.steps import NOTHING_LEFT, find_steps
from jigsat.analysis.walkthrough import illustrate_steps
from jigsat.cli import options
from jigsat.cli.colour import print_warning
from jigsat.cli.common import app, live, reading, say, write_pictures
from jigsat.errors import InputError, Stopped, unknown
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
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.enumeration import Enumeration, first_solution
from jigsat.solving.many import answer_each
from jigsat.solving.question import FunctionQuestion
from jigsat.solving.task import Resources
from jigsat.symmetry import Level, Placement
from jigsat.words import duration, plural

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
MAX_SECOND_S = 10.0  # time limit of the search for a second solution


@app.command()
def sheet(
    names: options.PrintedNames,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE.pdf|html|svg", help=".svg is for a single page"
        ),
    ],
    paper: Annotated[str, typer.Option(help=f"the size of the paper: {', '.join(PAPERS)}")] = "a4",
    per_page: Annotated[
        int | None, typer.Option("--per-page", min=1, metavar="N", help="most puzzles on a page")
    ] = None,
    in_order: Annotated[
        bool, typer.Option("--sort", help="print the easiest puzzles first")
    ] = False,
    no_solutions: Annotated[
        bool, typer.Option("--no-solutions", help="leave out the solutions at the end")
    ] = False,
    with_steps: Annotated[
        bool, typer.Option("--steps", help="print how each puzzle is solved, after the solutions")
    ] = False,
    title: Annotated[
        str,
        typer.Option(
            metavar="TITLE", help="make a book with contents, levels, and rules once per kind"
        ),
    ] = "",
    author: Annotated[
        str, typer.Option(metavar="NAME", help="the author of a book with a title, for its cover")
    ] = "",
    timeout: options.Timeout = None,
    settings: options.Changes = None,
) -> None:
    """Print puzzles: their rules, boards and pieces to cut out, true to scale, and the solutions at
    the end."""
    if (size := PAPERS.get(paper.lower())) is None:
        raise InputError(f"--paper: {unknown('size', paper, PAPERS)}")
    if not output.suffix:
        raise InputError(f"{output}: no suffix; name a file that ends in .pdf, .html or .svg")
    options.check_output(output, BOOKS, str(output))
    limits = options.limits_from_options(timeout)
    puzzles, unfit, changes = list[Puzzle](), list[InputError](), options.changes(settings)
    files = [*chain.from_iterable(map(_list_files, names))]
    for name in files:
        with reading(name, limits):
            try:
                puzzles += instance.load_all(name, **changes)
            except InputError as error:  # another kind of puzzle, without this entry or this label
                unfit.append(error)
                if not changes or len(unfit) == len(files):
                    raise unfit[0] from error
                puzzles += instance.load_all(name)
    if unfit:
        print_warning(
            f"jigsat: --set is left out for {len(unfit)} of {len(files)} files; the first: "
            f"{unfit[0]}"
        )
    for kind in dict.fromkeys(puzzle.__class__ for puzzle in puzzles):
        if (kind.parts, kind.svg, kind.clues) == (Puzzle.parts, Puzzle.svg, Puzzle.clues):
            lacking = "the family has no `parts`, `svg` or `clues`"
            print_warning(f"jigsat: {kind.family}: pages show empty boards, because {lacking}")
    write_book(
        puzzles,
        output,
        limits,
        title,
        size,
        per_page,
        author,
        in_order=in_order,
        no_solutions=no_solutions,
        with_steps=with_steps,
    )


def _list_files(name: str) -> list[str]:
    """The files of puzzles in a folder, sorted by name, or the name itself."""
    files = sorted(map(str, Path(name).glob("*.toml")))
    if not files and Path(name).is_dir():
        raise InputError(f"{name}: the folder has no .toml files")
    return files or [name]


def write_book(
    puzzles: Sequence[Puzzle],
    output: Path,
    limits: Limits,
    title: str,
    paper: Paper = PAPERS["a4"],
    per_page: int | None = None,
    author: str = "",
    *,
    in_order: bool = False,
    no_solutions: bool = False,
    with_steps: bool = False,
) -> None:
    """Write the pages of puzzles, and of their solutions and steps if requested. Raises what
    stopped the solving."""
    levels: Sequence[str] = ()
    if in_order or title:
        with held_interrupts():
            rated = [*_answer_each("rating", puzzles, rating, limits)]
        if in_order:  # as `jigsat rate --sort`, kind by kind
            kinds = [
                Section("", [], puzzle.parts(), family=puzzle.family).kind for puzzle, _ in rated
            ]
            order = sorted(
                range(len(rated)),
                key=lambda i: (kinds.index(kinds[i]), rated[i][1].order(rated[i][0].known)),
            )
            rated = [rated[i] for i in order]
        puzzles = [puzzle for puzzle, _ in rated]
        levels = [its.level for _, its in rated] if title else ()
    booklet = _Booklet(puzzles, paper, per_page, title, author, levels)
    pages, stopped = booklet.pages(), None
    if output.suffix.lower() == ".svg" and (title or len(pages) > (1 if no_solutions else 0)):
        remedy = (
            "; --no-solutions leaves out the solutions" if len(pages) == 1 and not title else ""
        )
        raise InputError(
            f"{output}: an SVG file has one page, but more are needed; name a .pdf or .html "
            f"file{remedy}"
        )
    if not no_solutions:
        with held_interrupts():
            stopped = booklet.solve(limits)
            pages = booklet.pages()
    if with_steps and not stopped:
        with held_interrupts():
            pages += booklet.explain(limits)
    write_pictures(output, pages, limits, booklet.title, author)
    say(f"wrote {output}: {plural(len(puzzles), 'puzzle')} on {plural(len(pages), 'page')}")
    if stopped:
        raise stopped


def _answer_each(
    doing: str, puzzles: Sequence[Puzzle], function: Callable[[Puzzle], T], limits: Limits
) -> Iterator[tuple[Puzzle, T]]:
    """The puzzles with what the function returns for each, in another process; messages name what
    it is `doing`."""
    number, question = 1, FunctionQuestion(function, doing)
    with (
        live(lambda: f"{doing} {number} of {len(puzzles)}"),
        closing(answer_each(question, puzzles, Resources(), limits.timeout)) as answers,
    ):
        for puzzle, answer, reason in answers:
            if reason:
                raise reason
            yield puzzle, answer[0]
            number += 1


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


def _explain(puzzle: Puzzle) -> list[tuple[str, str]]:
    """The sentences and pictures of the steps."""
    return list(illustrate_steps(puzzle, list(find_steps(puzzle))))


class _Booklet:
    """Puzzles to print, and their solutions as far as they are known."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        paper: Paper,
        per_page: int | None,
        title: str,
        author: str,
        levels: Sequence[str],
    ) -> None:
        self._puzzles, self._paper, self._per_page, self._author, self._levels = (
            puzzles,
            paper,
            per_page,
            author,
            levels,
        )
        self._answers: list[_Solved] = []
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
        solutions = [*map(self._solution, self._titles, self._puzzles, self._answers)]
        if self._levels:
            return titled_book(
                self.title, self._author, self._sections, solutions, self._paper, self._per_page
            )
        puzzles = book(self._sections, "", self._paper, per_page=self._per_page)
        return [*puzzles, *book(solutions, "solutions", self._paper, each=SOLUTIONS_PER_PAGE)]

    def solve(self, limits: Limits) -> Stopped | KeyboardInterrupt | None:
        """Find a solution of each puzzle; returns what stopped the search, if anything did."""
        try:
            for puzzle, solved in _answer_each("solving", self._puzzles, _solve, limits):
                if solved.warning:
                    print_warning(f"jigsat: {puzzle.name}: {solved.warning}")
                self._answers.append(solved)
        except (Stopped, KeyboardInterrupt) as reason:
            stopped = _Solved(None, "no solution found; the search was stopped")
            self._answers += [stopped] * (len(self._puzzles) - len(self._answers))
            return reason
        return None

    def explain(self, limits: Limits) -> list[str]:
        """The pages with the steps of each puzzle. Raises Stopped."""
        sections = []
        explained = _answer_each("explaining", self._puzzles, _explain, limits)
        for title, (_, drawn) in zip(self._titles, explained, strict=True):
            steps = [
                Section(f"Step {i}", [words], [Part(svg, MAX_STEP_WIDTH_MM)])
                for i, (words, svg) in enumerate(drawn, 1)
            ]
            steps = steps or [Section("", [NOTHING_LEFT], [])]
            title = f"Steps of {title}{': step 1' if drawn else ''}"
            sections += [steps[0]._replace(title=title), *steps[1:]]
        return [*book(sections, "steps", self._paper, per_page=STEPS_PER_PAGE)]

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
