"""The commands `list`, `backends` and `explain`."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from jigsat import backends, instance
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, read_puzzle, say
from jigsat.cli.console import Console
from jigsat.confirmation import confirm, describe_abilities
from jigsat.diagnosis.cores import MAX_SEARCH_S
from jigsat.errors import InputError, printable, stops_named, unknown
from jigsat.explanation.summary import Explanation
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child, apart, held_interrupts
from jigsat.services.explain import explain as explain_encoding
from jigsat.services.explain import explain_clues
from jigsat.services.files import check_output
from jigsat.services.handout import HANDOUTS, write_handout
from jigsat.symmetry import DECLARED_LEVELS
from jigsat.words import plural


@app.command("list")
def list_instances(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD]...",
            help="only those with these words in their name, title, source or kind, which others "
            "may call by another name, such as hanjie",
            show_default=False,
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """List the instances that come with jigsat, with what is known about them."""
    rows: list[Mapping[str, Any]] = []
    for path in instance.instances():
        data = instance.read_data(path)
        known: dict[str, Any] = data.get("known", {})
        rows.append(
            {
                "name": path.stem,
                "family": data.get("family"),
                "title": data.get("title", ""),
                "source": data.get("source", ""),
                "known": known,
            }
        )
    if words:
        rows = instance.search_instances(rows, words)
    if as_json:
        print_json(rows)
        return
    # in a pipe, wide lines are better than wrapped ones
    console = Console(width=None if sys.stdout.isatty() else 160)
    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("solutions", justify="right", no_wrap=True)
    table.add_column("distinct", justify="right", no_wrap=True)
    table.add_column("title")
    for family, puzzles in groupby(
        sorted(rows, key=lambda row: str(row["family"])), key=lambda row: row["family"]
    ):
        table.add_row(Text(printable(str(family)), "bold"))
        for row in puzzles:
            known = row["known"]
            distinct = [known[level] for level in DECLARED_LEVELS[1:] if level in known]
            solutions = _write_count(known.get("solutions"))
            orbits = _write_count(distinct[-1] if distinct else None)
            table.add_row(f"  {row['name']}", solutions, orbits, row["title"])
    console.print_table(table)
    print_line()
    print_line(
        "solutions: turned and mirrored ones count separately; distinct: up to the symmetries of "
        "the puzzle"
    )


def _write_count(number: int | None) -> str:
    """A count in a column of a table; large ones are rounded."""
    if number is None:
        return ""
    return f"{number:,}" if number < 10**12 else f"{number:.2e}"


@app.command("backends")
def list_backends(as_json: options.AsJson = False) -> None:
    """List the solvers with their confirmed capabilities, or how to install them."""
    tested = [(spec, *confirm(spec)) for spec in backends.specs()]
    if as_json:
        rows = [
            {"name": spec.name, "library": spec.library, "install": spec.install}
            for spec, *_ in tested
        ]
        print_json(
            [
                row | {"capabilities": describe_abilities(spec, can)}
                for row, (spec, can, _) in zip(rows, tested, strict=True)
            ]
        )
        return
    table = Table("name", "library", "capabilities", box=None, pad_edge=False)
    for spec, can, faults in tested:
        abilities = describe_abilities(spec, can) or {}
        names = [name.replace("_", " ") for name, there in abilities.items() if there]
        cell = ", ".join(names) or Text(printable(faults[0]), "dim")
        table.add_row(spec.name, spec.library, cell)
    Console().print_table(table)


@app.command()
def explain(
    name: options.InstanceName,
    amo: options.AtMostOne = "auto",
    settings: options.Changes = None,
    clues: Annotated[
        bool, typer.Option("--clues", help="show instead which clues are redundant or conflict")
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            "--handout",
            metavar="FILE.pdf|html",
            help="instead, write a page that explains the encoding",
        ),
    ] = None,
    timeout: options.Timeout = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the encoding: variables, constraint groups with their sizes, symmetries, and
    automorphisms by igraph."""
    if as_json and (clues or page):
        raise InputError(f"--json and {'--clues' if clues else '--handout'} cannot be combined")
    limits = options.limits_from_options(timeout)
    lowering = options.chosen_lowering(amo)
    if page is not None:
        if clues:
            raise InputError("--handout and --clues cannot be combined")
        check_output(page, HANDOUTS, f"--handout {page}")
    puzzle = read_puzzle(name, settings, limits)
    with stops_named(puzzle.name):
        if clues:
            seconds = (
                MAX_SEARCH_S if limits.timeout is None else min(MAX_SEARCH_S, limits.timeout / 2)
            )
            for line in Child(partial(_clues, puzzle, seconds), timeout=limits.timeout):
                print_line(line)
        elif page is not None:
            with held_interrupts():
                stopped = write_handout(puzzle, page, lowering, limits)
            say(f"wrote {page}")
            if stopped:
                raise stopped
        else:
            explanation = apart(explain_encoding, puzzle, lowering, timeout=limits.timeout)
            if as_json:
                print_json(asdict(explanation))
            else:
                _print_explanation(explanation)


def _print_explanation(explanation: Explanation) -> None:
    console = Console()
    table = Table(
        "variables",
        "axes",
        "number",
        "role",
        title=explanation.title,
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    for family in explanation.variables:
        table.add_row(family.name, ", ".join(family.axes), f"{family.number:,}", family.role)
    console.print_table(table)
    table = Table("constraint group", "constraints", "clauses", box=None, pad_edge=False)
    for group in explanation.groups:
        table.add_row(
            group.name,
            ", ".join(f"{number:,} {kind}" for kind, number in group.kinds.items()),
            f"{group.clauses:,}",
        )
    table.add_row(
        f"all, with {plural(explanation.added, 'variable')} added by lowering",
        "",
        f"{explanation.clauses:,}",
    )
    console.print()
    console.print_table(table)
    print_line()
    for line in explanation.words():
        print_line(line)


def _clues(puzzle: Puzzle, seconds: float) -> Iterator[str]:
    """A report on which clues are needed."""
    clues = explain_clues(puzzle, seconds)
    if type(puzzle).clues is Puzzle.clues:
        number = f"the family {puzzle.family} has no clues"
    else:
        number = plural(clues.number, "clue") if clues.number else "the puzzle has no clues"
    if clues.core and clues.core.names:
        names = clues.core.names
        together = f"these {len(names)} conflict, {clues.core.extent}"
        if len(names) == 1:
            together = "this one cannot be kept"
        yield f"{puzzle.name}: {number}, no solution: {together}"
        yield _list_names("conflicting", names)
    elif not clues.solvable:
        yield f"{puzzle.name}: {number}, " + (
            "no solution even without them" if clues.number else "and no solution"
        )
    elif not clues.redundant:
        yield f"{puzzle.name}: {number}" + (", none of them redundant" if clues.number else "")
    else:
        redundant = f"{len(clues.redundant)} redundant" + (
            " (each on its own)" if len(clues.redundant) > 1 else ""
        )
        enough = "the rules are enough"
        if clues.minimal:
            enough = f"{len(clues.minimal)} {'is' if len(clues.minimal) == 1 else 'are'} enough"
        yield f"{puzzle.name}: {number}, {redundant}; {enough}"
        yield _list_names("redundant", clues.redundant)
        if clues.minimal:
            yield _list_names("sufficient", clues.minimal)


def _list_names(title: str, names: list[str]) -> str:
    return f"{title:11} {', '.join(names)}"


@app.command("help")
def show_page(
    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="such as proofs; index lists all")
    ] = "index",
) -> None:
    """Show a page of the documentation, such as `jigsat help proofs`."""
    pages = {path.stem: path for path in sorted(Path(str(files("jigsat.docs"))).rglob("*.md"))}
    if topic not in pages:
        raise InputError(f"help: {unknown('page', topic, pages)}")
    if topic == "index":  # the first page of the website has links, of which a terminal has no use
        text = f"# jigsat\n\nPages: {', '.join(pages)}"
    else:
        text = pages[topic].read_text(encoding="utf-8")
    if sys.stdout.isatty():
        Console().print(Markdown(text))
    else:
        for line in text.splitlines():
            print_line(line)
