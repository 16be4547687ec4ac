"""The command `sheet`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.analysis.difficulty import rating
from jigsat.cli import options
from jigsat.cli.colour import print_warning
from jigsat.cli.common import app, reading, say, write_pictures
from jigsat.cli.progress import answer_with_progress
from jigsat.errors import InputError, Stopped, duration, plural, unknown
from jigsat.pictures import Part
from jigsat.pictures.pages import PAPERS, Paper
from jigsat.pictures.printing import Section, book
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.first import first_solution
from jigsat.symmetry import LEVELS, WORDS, Placement

BOOKS = (".pdf", ".html", ".svg")  # suffixes of files with pages
SOLUTIONS_PER_PAGE = 1, 2, 4, 6

MAX_SOLUTION_WIDTH_MM = 180.0  # maximum width of a solution in millimetres
MAX_SECOND_S = 10.0  # time limit of the search for a second solution


@app.command()
def sheet(
    names: options.InstanceNames,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.pdf|html|svg", help="the file to write; .svg for a single page")
    ],
    paper: Annotated[str, typer.Option(help=f"the size of the paper: {', '.join(PAPERS)}")] = "a4",
    per_page: Annotated[
        int | None, typer.Option("--per-page", min=1, metavar="N", help="maximum number of puzzles per page")
    ] = None,
    in_order: Annotated[bool, typer.Option("--sort", help="print the easiest puzzles first")] = False,
    no_solutions: Annotated[bool, typer.Option("--no-solutions", help="leave out the solutions at the end")] = False,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
) -> None:
    """Print puzzles: their rules, boards and pieces to cut out, true to scale, and the solutions at the end."""
    if (size := PAPERS.get(paper.lower())) is None:
        raise InputError(f"--paper: {unknown('size', paper, PAPERS)}")
    if not output.suffix:
        raise InputError(f"{output}: no suffix; name a file that ends in .pdf, .html or .svg")
    options.check_output(output, BOOKS, str(output))
    limits = options.limits_from_options(timeout)
    puzzles: list[Puzzle] = []
    for name in names:
        with reading(name, limits):
            puzzles += instance.load_all(name, **options.changes(settings))
    for kind in dict.fromkeys(puzzle.__class__ for puzzle in puzzles):
        if (kind.parts, kind.svg, kind.clues) == (Puzzle.parts, Puzzle.svg, Puzzle.clues):
            lacking = "the family has no `parts`, `svg` or `clues`"
            print_warning(f"jigsat: {kind.family}: pages show empty boards, because {lacking}")
    if in_order:
        with held_interrupts():
            puzzles = _easiest_first(puzzles, limits)
    booklet = _Booklet(puzzles, size, per_page)
    pages, stopped = booklet.puzzle_pages(), None
    if output.suffix.lower() == ".svg" and len(pages) > (1 if no_solutions else 0):
        remedy = "; --no-solutions leaves out the solutions" if len(pages) == 1 else ""
        raise InputError(f"{output}: an SVG file has one page, but more are needed; name a .pdf or .html file{remedy}")
    if not no_solutions:
        with held_interrupts():
            stopped = booklet.solve(limits)
            pages += booklet.solution_pages()
    write_pictures(output, pages, booklet.title)
    say(f"wrote {output}: {plural(len(puzzles), 'puzzle')} on {plural(len(pages), 'page')}")
    if stopped:
        raise stopped


def _easiest_first(puzzles: list[Puzzle], limits: Limits) -> list[Puzzle]:
    """The puzzles in the order of `jigsat rate --sort`."""
    rated = answer_with_progress("rating", puzzles, rating, limits)
    return [puzzle for puzzle, _ in sorted(rated, key=lambda pair: pair[1].order)]


def _solve(puzzle: Puzzle) -> tuple[tuple[Placement, ...] | None, str]:
    """A solution, and a warning unless it is the only one up to reflection, or the file states that there are others."""
    if (first := first_solution(puzzle)) is None:
        return None, "there is no solution; `jigsat solve` says why"
    if _among(puzzle.known):
        return first, ""
    least = bool(puzzle.encode().objective)
    search = Enumeration[Solution](puzzle, limit=2, up_to=LEVELS[-1], minimize=least, timeout=MAX_SECOND_S)
    if len([*search]) > 1:
        return first, "there are several solutions, and one of them is printed"
    return first, "" if search.result.complete else f"it may have other solutions: none was found in {duration(MAX_SECOND_S)}"


class _Booklet:
    """Puzzles to print, and their solutions as far as they are known."""

    def __init__(self, puzzles: Sequence[Puzzle], paper: Paper, per_page: int | None) -> None:
        self._puzzles, self._paper, self._per_page = puzzles, paper, per_page
        self._answers: list[Solution | str] = []
        titles = [puzzle.title or puzzle.name for puzzle in puzzles]
        number = Counter(titles)
        self._titles = (
            [
                f"{i}. {title}" + (f" ({puzzle.name})" if number[title] > 1 and title != puzzle.name else "")
                for i, (title, puzzle) in enumerate(zip(titles, puzzles, strict=True), 1)
            ]
            if len(titles) > 1
            else titles
        )
        self.title = titles[0] if len(set(titles)) == 1 else f"{titles[0]} and other puzzles"

    def puzzle_pages(self) -> list[str]:
        parts = [puzzle.parts() for puzzle in self._puzzles]
        cut_out = sum(any(part.kind == "piece" for part in its) for its in parts)
        sections = [
            Section(title, [*puzzle.rules()], its, number if cut_out > 1 else None)
            for number, (title, puzzle, its) in enumerate(zip(self._titles, self._puzzles, parts, strict=True), 1)
        ]
        return [*book(sections, "", self._paper, per_page=self._per_page)]

    def solve(self, limits: Limits) -> Stopped | KeyboardInterrupt | None:
        """Find a solution of each puzzle; returns what stopped the search, if anything did."""
        try:
            for puzzle, (placements, warning) in answer_with_progress("solving", self._puzzles, _solve, limits):
                if warning:
                    print_warning(f"jigsat: {puzzle.name}: {warning}")
                self._answers.append("There is no solution." if placements is None else Solution(puzzle, placements))
        except (Stopped, KeyboardInterrupt) as reason:
            self._answers += ["no solution found; the search was stopped"] * (len(self._puzzles) - len(self._answers))
            return reason
        return None

    def solution_pages(self) -> list[str]:
        """The pages with the solutions."""
        sections = [*map(self._solution, self._titles, self._puzzles, self._answers)]
        each = next((number for number in SOLUTIONS_PER_PAGE if number >= len(sections)), SOLUTIONS_PER_PAGE[-1])
        return [*book(sections, "solutions", self._paper, per_page=each)]

    def _solution(self, title: str, puzzle: Puzzle, answer: Solution | str) -> Section:
        title = f"Solution of {title}" if len(self._puzzles) == 1 else title
        if isinstance(answer, str):
            return Section(title, [answer], [])
        said = [_among(puzzle.known)] if _among(puzzle.known) else []
        if answer_in_words := puzzle.answer(answer.placements):
            said.append(f"answer: {answer_in_words}")
        return Section(title, said, [Part(answer.svg(), MAX_SOLUTION_WIDTH_MM)])


def _among(known: Known) -> str:
    """How many other solutions are known; '' if there are none except copies of this one."""
    distinct = known.distinct()
    least = min(distinct.values(), default=known.solutions or 1)
    if least < 2 or not known.solutions:
        return ""
    level = min(distinct, key=distinct.__getitem__, default=None)
    return f"one of {known.solutions:,} solutions" + (f", {least:,} up to {WORDS[level]}" if level else "")
