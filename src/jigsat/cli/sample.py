"""The command `sample`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.colour import print_picture
from jigsat.cli.common import app, print_json, print_line, reading, write_gallery
from jigsat.cli.replies import stopped_by
from jigsat.errors import Stopped, plural, stops_named
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import Child, held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.uniform import Population, samples
from jigsat.subject.subject import PuzzleSubject


@app.command()
def sample(
    name: options.InstanceName,
    count: Annotated[int, typer.Option(min=1, help="the number of draws; solutions can repeat")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="random seed; the same seed gives the same solutions")] = 0,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    settings: options.Changes = None,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw random solutions. All solutions are equally likely; turned and mirrored solutions are different solutions."""
    limits = options.limits_from_options(timeout, memory)
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
    drawn = _Drawn(puzzle, count, seed)
    with held_interrupts():
        try:
            with stops_named(puzzle.name):
                drawn.draw(limits, quiet=as_json)
        finally:
            if as_json:
                print_json(drawn.json())
            elif drawn.population:
                print_line(str(drawn))
            if picture is not None and drawn.solutions:
                write_gallery(picture, [solution.svg() for solution in drawn.solutions])


class _Drawn:
    """The solutions drawn so far."""

    def __init__(self, puzzle: Puzzle, number: int, seed: int) -> None:
        self.solutions: list[Solution] = []
        self.population: Population | None = None
        self._puzzle, self._number, self._seed = puzzle, number, seed
        self._stopped_by: str | None = None

    def draw(self, limits: Limits, *, quiet: bool) -> None:
        """Draw all solutions and print each of them unless `quiet`."""
        job = partial(samples, PuzzleSubject(self._puzzle), self._number, self._seed)
        try:
            for item in Child(job, timeout=limits.timeout, memory=limits.memory):
                if isinstance(item, Population):
                    self.population = item
                    continue
                self.solutions.append(Solution(self._puzzle, item))
                if not quiet:
                    print_picture(self.solutions[-1].text(), f"Draw {len(self.solutions)}")
        except (Stopped, KeyboardInterrupt) as reason:
            self._stopped_by = stopped_by(reason)
            raise

    def json(self) -> dict[str, Any]:
        """The draws as a plain object."""
        of, backend, by = self.population or (None, None, None)
        return {
            "instance": self._puzzle.name,
            "seed": self._seed,
            "solutions": of,
            "established_by": by,
            "backend": backend,
            "stopped_by": self._stopped_by,
            "found": [solution.objects() for solution in self.solutions],
        }

    def __str__(self) -> str:
        of, _, by = self.population or (0, "", "")
        if not of:
            return f"{self._puzzle.name}: no solution (by {by})"
        draws = plural(len(self.solutions), "uniform draw")
        return f"{self._puzzle.name}: {draws} from {plural(of, 'solution')} (by {by}), seed {self._seed}"
