"""The command `sheet`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.colour import print_warning
from jigsat.cli.common import app, live, reading, say
from jigsat.errors import InputError, unknown
from jigsat.pictures.pages import PAPERS
from jigsat.printing.parts import Style
from jigsat.puzzle import Puzzle
from jigsat.runtime.limits import Limits
from jigsat.services.book import BookFile, read_book_file
from jigsat.services.generate import read_shortcoming
from jigsat.services.pictures import write_document
from jigsat.services.sheet import (
    BACKS,
    Doubted,
    LaidOut,
    SheetRequest,
    Working,
    check_book,
    check_style,
    check_titles,
    lay_out,
    require_room,
)
from jigsat.words import join_words, plural

ONLY_ON_PAPER = ("bleed", "backs", "fonts")  # entries of a book that a web page has not


@app.command()
def sheet(
    names: options.PrintedNames,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE.pdf|html|svg", help=".svg is for a single page"
        ),
    ],
    paper: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help=f"the size of the paper: {', '.join(PAPERS)}; default: a4"
        ),
    ] = None,
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
    chapters: Annotated[
        list[str] | None,
        typer.Option(
            "--chapter", metavar="FAMILY=TITLE", help="the title of a chapter of a book, repeatable"
        ),
    ] = None,
    backs: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help=f"what is behind the pieces of a book: {', '.join(BACKS)}; default: numbers",
        ),
    ] = None,
    bleed: Annotated[
        float,
        typer.Option(min=0, max=20, metavar="MM", help="how far the pages exceed the paper, in mm"),
    ] = 0.0,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
) -> None:
    """Print puzzles: their rules, boards and pieces to cut out, true to scale, and the solutions at
    the end. A file with chapters instead of a family describes a book."""
    style = Style((paper or "a4").lower(), bleed, backs or "numbers", per_page=per_page)
    check_style(style)
    check_titles({"--title": title, "--author": author})
    check_book(output)
    titles = _read_titles(chapters or [])
    limits = options.limits_from_options(timeout)
    book = read_book_file(names[0]) if len(names) == 1 else None
    if book is not None:
        others = {
            "--title": title,
            "--author": author,
            "--chapter": chapters,
            "--per-page": per_page,
            "--sort": in_order,
            "--steps": with_steps,
            "--no-solutions": no_solutions,
            "--set": settings,
            "--paper": paper,
            "--backs": backs,
            "--bleed": bleed,
        }
        _print_book_file(Path(names[0]), book, others, output, limits)
        return
    if not title:
        of_books = {"--author": author, "--chapter": chapters, "--backs": backs}
        _refuse(of_books, "only a book has it; add --title")
    if output.suffix.lower() == ".html":
        _refuse({"--backs": backs, "--bleed": bleed}, "an HTML file has none; name a .pdf file")
    puzzles = _load_puzzles(names, options.changes(settings), limits)
    for kind in dict.fromkeys(puzzle.__class__ for puzzle in puzzles):
        if (kind.parts, kind.svg, kind.clues) == (Puzzle.parts, Puzzle.svg, Puzzle.clues):
            lacking = "the family has no `parts`, `svg` or `clues`"
            print_warning(f"jigsat: {kind.family}: pages show empty boards, because {lacking}")
    unused = titles.keys() - {puzzle.family for puzzle in puzzles}
    if unused:
        raise InputError(f"--chapter {min(unused)}: no puzzle of this family is printed")
    _require_puzzles(puzzles, names)
    _warn_of_repeats(puzzles)
    request = SheetRequest(
        puzzles,
        title,
        author,
        style,
        in_order,
        solutions=not no_solutions,
        steps=with_steps,
        timeout=limits.timeout,
        titles=titles,
    )
    write_book(request, output, limits)


def _load_puzzles(
    names: Sequence[str], changes: Mapping[str, object], limits: Limits
) -> list[Puzzle]:
    """The puzzles to print of instances, files and folders, with the changes of --set. A warning
    tells of those that are not changed, as they have no such entry."""
    puzzles, unfit = list[Puzzle](), list[InputError]()
    files = [(file, file == name) for name in names for file in _list_files(name)]
    for name, is_named in files:
        with reading(name, limits):
            try:
                loaded = instance.load_all(name, **changes)
            except InputError as error:  # another kind of puzzle, without this entry or this label
                unfit.append(error)
                if not changes or len(unfit) == len(files):
                    raise unfit[0] from error
                loaded = instance.load_all(name)
        puzzles += _select_requested(loaded, is_named=is_named)
    if unfit:
        print_warning(
            f"jigsat: --set is left out for {len(unfit)} of {len(files)} files; the first: "
            f"{unfit[0]}"
        )
    return puzzles


def _refuse(values: Mapping[str, object], why: str) -> None:
    """Raise InputError for the first of these options that is given."""
    option = options.first_given(values)
    if option:
        raise InputError(f"{option}: {why}")


def _print_book_file(
    path: Path, book: BookFile, others: Mapping[str, object], output: Path, limits: Limits
) -> None:
    """Print the book that a file describes; `given` are the options that it replaces."""
    _refuse(others, f"{path} describes the book; write this into the file")
    puzzles, keys = list[Puzzle](), list[str]()
    for key, name in book.list_files(path.parent):
        for file in _list_files(name):
            with reading(file, limits):
                loaded = instance.load_all(file)
            chosen = _select_requested(loaded, is_named=file == name)
            puzzles += chosen
            keys += [key] * len(chosen)
    _require_puzzles(puzzles, [str(path)])
    try:
        request = book.make_request(path.parent, puzzles, keys, limits.timeout)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    if output.suffix.lower() == ".html":
        left_out = [entry for entry in ONLY_ON_PAPER if entry in book.model_fields_set]
        if left_out:
            print_warning(
                f"jigsat: {path}: {join_words(left_out)} left out, because an HTML file has none"
            )
    _warn_of_repeats(puzzles)
    write_book(request, output, limits)


def _require_puzzles(puzzles: Sequence[Puzzle], names: Sequence[str]) -> None:
    if not puzzles:
        raise InputError(f"{', '.join(names)}: no puzzle is left to print; generate others")


def _select_requested(puzzles: Sequence[Puzzle], *, is_named: bool) -> Sequence[Puzzle]:
    """The puzzles of a file without one that `generate` kept although it is not as requested,
    unless the file is named; a warning tells of it in any case."""
    chosen = []
    for puzzle in puzzles:
        shortcoming = read_shortcoming(puzzle)
        if shortcoming:
            done = "printed all the same" if is_named else "left out; to print it, name its file"
            print_warning(
                f"jigsat: {puzzle.name}: not as requested from `jigsat generate`, because "
                f"{shortcoming}; {done}"
            )
        if is_named or not shortcoming:
            chosen.append(puzzle)
    return chosen


def _warn_of_repeats(puzzles: Sequence[Puzzle]) -> None:
    """Print a warning if puzzles are printed more than once."""
    times = Counter(puzzle.digest() for puzzle in puzzles)
    names: dict[str, str] = {}
    for puzzle in puzzles:
        if times[puzzle.digest()] > 1:
            names.setdefault(puzzle.digest(), puzzle.name)
    if names:
        first = next(iter(names.values()))
        number = plural(len(names), "puzzle")
        print_warning(f"jigsat: {number} printed more than once; the first: {first}")


def _read_titles(chapters: Sequence[str]) -> dict[str, str]:
    """The titles of chapters by families."""
    titles = {}
    for chapter in chapters:
        family, equals, title = chapter.partition("=")
        if not equals or not title:
            raise InputError(f"--chapter {chapter}: write FAMILY=TITLE, such as sudoku=Sudokus")
        families = instance.families()
        if family not in families:
            raise InputError(f"--chapter {chapter}: {unknown('family', family, families)}")
        if family in titles:
            raise InputError(f"--chapter {chapter}: the chapter of {family} has two titles")
        titles[family] = title
    return titles


def _list_files(name: str) -> list[str]:
    """The files of puzzles in a folder, sorted by name, or the name itself."""
    files = sorted(map(str, Path(name).glob("*.toml")))
    if not files and Path(name).is_dir():
        raise InputError(f"{name}: the folder has no .toml files")
    return files or [name]


def write_book(request: SheetRequest, output: Path, limits: Limits) -> None:
    """Write the pages of puzzles. Raises what stopped the search for solutions."""
    require_room(request, output)
    doing = "laying out"
    with live(lambda: doing):
        for event in lay_out(request):
            match event:
                case Working():
                    doing = f"{event} of {len(request.puzzles):,}"
                case Doubted(puzzle, words):
                    print_warning(f"jigsat: {puzzle.name}: {words}")
                case LaidOut():
                    laid_out = event
        doing = "laying out"
        pages = write_document(output, laid_out.document, limits)
    where = "" if pages is None else f" on {plural(pages, 'page')}"
    say(f"wrote {output}: {plural(len(request.puzzles), 'puzzle')}{where}")
    if laid_out.stopped:
        raise laid_out.stopped
