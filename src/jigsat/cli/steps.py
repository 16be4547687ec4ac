"""The commands `steps` and `hint`."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Annotated

import typer

from jigsat.cli import options
from jigsat.cli.answers import stopped_by
from jigsat.cli.common import PROGRESS_DELAY_S, app, print_json, print_line, say
from jigsat.cli.given import Given, read_given
from jigsat.errors import InputError, stops_named
from jigsat.facts import as_object
from jigsat.phrases import upper
from jigsat.phrases.legends import find_legends, list_rules
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child, held_interrupts
from jigsat.services.files import check_output, write_file
from jigsat.services.steps import (
    Explained,
    NoSuchSolution,
    Phase,
    StepEvent,
    Undecided,
    describe_end,
    explain_steps,
)
from jigsat.study.hints import Hint, find_hint
from jigsat.study.steps import Step
from jigsat.symmetry import Placement
from jigsat.words import plural

SOLVED = "solved; there is no other solution"


@app.command()
def steps(
    name: options.InstanceName,
    given: Given = None,
    chains: Annotated[
        bool, typer.Option("--chains", help="tell also chains of more than eight lines")
    ] = False,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="write a page to click through instead"),
    ] = None,
) -> None:
    """Explain how a puzzle is solved by logic, a few rules at a time."""
    limits = options.limits_from_options(timeout)
    if page is not None:
        check_output(page, (".html", ".htm"), f"--html {page}")
    notice = _Notice("step")
    with notice.say_when_due():
        puzzle, placed = read_given(name, given, limits, settings)
    printer = None if as_json or page else _Printer(puzzle, chains)
    with held_interrupts(), stops_named(puzzle.name):
        run = Child(partial(explain_steps, puzzle, placed), timeout=limits.timeout)
        try:
            with notice.say_when_due():
                explained = _receive(run, printer, notice)
        except NoSuchSolution:
            raise InputError(
                f"{given}: no solution of {puzzle.name} has all of these placements; "
                f"`jigsat hint {name} --given {given}` says which are wrong"
            ) from None
        end = describe_end(explained)
        if page is not None:
            from jigsat.study.pages import write_walkthrough

            write_file(page, write_walkthrough(puzzle, explained.steps, end))
            say(f"wrote {page}: {plural(len(explained.steps), 'step')}")
        if as_json:
            print_json(_as_json(puzzle, explained))
        elif not explained.stopped:
            print_line(end or SOLVED)
        if explained.stopped:
            raise explained.stopped


class _Printer:
    """Prints steps as they are found, before them the rules, and what their words mean."""

    def __init__(self, puzzle: Puzzle, every_chain: bool) -> None:
        self._puzzle = puzzle
        self._every_chain = every_chain
        self._printed: set[str] = set()
        self._has_begun = False

    def print(self, step: Step) -> None:
        if not self._has_begun:
            for rule in list_rules(self._puzzle):
                print_line(rule)
        self._has_begun = True
        text = step.text(self._puzzle)
        lines = text.lines(every=self._every_chain)
        self.print_legends(lines)
        title = f"{upper(text.title)}: " if text.title else ""
        first, *others = lines
        print_line(f"{step.number}. {title}{first}")
        for line in [*others, *text.beside]:
            print_line(f"   {line}")

    def print_legends(self, lines: Sequence[str]) -> None:
        """Print the meaning of words that were not used before."""
        legends = find_legends(lines, self._puzzle.way().uncounted)
        for pattern, legend in legends.items():
            if pattern not in self._printed:
                print_line(legend)
        self._printed |= legends.keys()


class _Notice:
    """Says what is tried, once, if nothing is there two seconds after the command began."""

    def __init__(self, awaited: str) -> None:
        self.phase = Phase.READING
        self._awaited = awaited
        self._due = time.monotonic() + PROGRESS_DELAY_S
        self._is_over = False

    @contextmanager
    def say_when_due(self) -> Iterator[None]:
        """Say it if the two seconds are over inside the block."""
        timer = Timer(max(0, self._due - time.monotonic()), self._say)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end(self) -> None:
        """What was awaited is there."""
        self._is_over = True

    def _say(self) -> None:
        if not self._is_over:
            say(f"no {self._awaited} so far: {self.phase.value}")
        self._is_over = True


def _receive(run: Child[StepEvent], printer: _Printer | None, notice: _Notice) -> Explained:
    """Receive the steps, and print them."""
    explained = Explained()
    notice.phase = Phase.IN_COMMON
    for event in run.until_stopped():
        match event:
            case Phase():
                notice.phase = event
            case Undecided(number):
                explained.undecided = number
            case Step():
                notice.end()
                explained.steps.append(event)
                if printer:
                    printer.print(event)
    explained.stopped = run.stopped
    return explained


def _as_json(puzzle: Puzzle, explained: Explained) -> dict[str, object]:
    stopped = stopped_by(explained.stopped)
    steps = []
    for step in explained.steps:
        text = step.text(puzzle)
        lines = text.lines(every=True)
        title = {"technique": text.title} if text.title else {}
        fact = as_object(step.fact)
        steps.append({"number": step.number, **title, "lines": lines, "fact": fact})
    return {
        "instance": puzzle.name,
        "undecided": explained.undecided,
        "complete": not stopped,
        "stopped_by": stopped,
        "steps": steps,
    }


@app.command()
def hint(
    name: options.InstanceName,
    given: Given = None,
    more: Annotated[
        int,
        typer.Option(
            "--more",
            count=True,
            show_default=False,
            help="say which rules to look at; given twice, say what follows",
        ),
    ] = 0,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
) -> None:
    """Give a hint: where to look next, and first of all what is wrong, if anything is."""
    limits = options.limits_from_options(timeout)
    notice = _Notice("hint")
    with notice.say_when_due():
        puzzle, placed = read_given(name, given, limits, settings)
    notice.phase = Phase.HINTING
    with held_interrupts(), stops_named(puzzle.name), notice.say_when_due():
        run = Child(partial(_hint, puzzle, placed), timeout=limits.timeout)
        hints = list(run.until_stopped())
        if run.stopped:
            raise run.stopped
    lines = hints[0].lines(1 + more)
    _Printer(puzzle, True).print_legends(lines)
    for line in lines:
        print_line(line)


def _hint(puzzle: Puzzle, given: list[Placement]) -> Iterator[Hint]:
    yield find_hint(puzzle, given)
