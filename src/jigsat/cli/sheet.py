"""The command `sheet`."""

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.colour import print_warning
from jigsat.cli.common import app, live, reading, say
from jigsat.errors import InputError, unknown
from jigsat.pictures.pages import PAPERS
from jigsat.puzzle import Puzzle
from jigsat.runtime.limits import Limits
from jigsat.services.files import check_output
from jigsat.services.pictures import write_pages
from jigsat.services.sheet import (
    BOOKS,
    Doubted,
    Pages,
    PuzzlesLaidOut,
    SheetRequest,
    Working,
    fits_one_page,
    lay_out,
)
from jigsat.words import plural


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
    check_output(output, BOOKS, str(output))
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
    request = SheetRequest(
        puzzles,
        title,
        author,
        size,
        per_page,
        in_order,
        solutions=not no_solutions,
        steps=with_steps,
        timeout=limits.timeout,
    )
    write_book(request, output, limits)


def _list_files(name: str) -> list[str]:
    """The files of puzzles in a folder, sorted by name, or the name itself."""
    files = sorted(map(str, Path(name).glob("*.toml")))
    if not files and Path(name).is_dir():
        raise InputError(f"{name}: the folder has no .toml files")
    return files or [name]


def write_book(request: SheetRequest, output: Path, limits: Limits) -> None:
    """Write the pages of puzzles. Raises what stopped the search for solutions."""
    doing = "laying out"
    with live(lambda: doing):
        for event in lay_out(request):
            match event:
                case Working():
                    doing = f"{event} of {len(request.puzzles):,}"
                case PuzzlesLaidOut(number):
                    _require_room(output, request, number)
                case Doubted(puzzle, words):
                    print_warning(f"jigsat: {puzzle.name}: {words}")
                case Pages():
                    laid_out = event
    write_pages(output, laid_out.pages, limits, laid_out.title, request.author)
    puzzles, pages = len(request.puzzles), len(laid_out.pages)
    say(f"wrote {output}: {plural(puzzles, 'puzzle')} on {plural(pages, 'page')}")
    if laid_out.stopped:
        raise laid_out.stopped


def _require_room(output: Path, request: SheetRequest, pages: int) -> None:
    """Raise InputError if the puzzles take several pages, and the file can have only one."""
    if output.suffix.lower() != ".svg" or fits_one_page(request, pages):
        return
    remedy = "; --no-solutions leaves out the solutions" if pages == 1 and not request.title else ""
    raise InputError(
        f"{output}: an SVG file has one page, but more are needed; name a .pdf or .html "
        f"file{remedy}"
    )
