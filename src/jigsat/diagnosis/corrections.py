"""Which entry may be wrong: single changes of a piece or a clue with which there is a solution.

For a puzzle on a grid, the other clues show what a wrong one would say. Some families have a
formula of near misses, whose models break the puzzle at a single place; one search of these models
finds all changes. For other families, each change is tried on its own.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pydantic import ValidationError

from jigsat.diagnosis.wrong_clues import WrongClues
from jigsat.errors import Stopped
from jigsat.formula import Clause, Formula
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Correction, Puzzle, Reason
from jigsat.search.blocking import Blocking
from jigsat.search.sampling import Sampler, find_orbits
from jigsat.subject import check_model
from jigsat.symmetry import Group, Level, Model, Placement
from jigsat.words import plural

MAX_SHOWN = 10  # number of corrections that are named
MAX_CONFLICTS = 2_000  # number of conflicts after which a single change is given up
CONFLICTS_PER_CHECK = 2_000  # number of conflicts after which the search looks at its time limit
MAX_NEAR_MISSES = 1_000  # number of near misses after which the search ends
UP_TO = Level.REFLECTION  # such solutions count as one
SEVERAL = 2  # solutions are counted up to this number
INTRODUCTION = "one entry may be wrong"


@dataclass(frozen=True)
class Corrections:
    """The changes that are known to give a solution, as reasons, the likeliest first.

    It replaces what was known before. `unfinished` says what was not tried, or is empty.
    """

    reasons: tuple[Reason, ...] = ()
    unfinished: str = ""


class Helpful(NamedTuple):
    """A change that gives a solution. `number` counts the solutions up to UP_TO, at most
    SEVERAL; it is None if this is not known."""

    change: Correction
    number: int | None

    @property
    def rank(self) -> tuple[bool, int]:
        """Smaller for a change that is likelier."""
        return self.number != 1, -self.change.merit


def find_corrections(
    puzzle: Puzzle, suspects: Collection[str], seconds: float
) -> Iterator[Corrections]:
    """What is known after each change that gives a solution, and at the end, in words; see
    `list_helpful`."""
    for helpful, unfinished in list_helpful(puzzle, suspects, seconds):
        if helpful or unfinished:
            shown, vague = helpful, 0
            # A pencil puzzle has one solution, so a change that gives several is hardly meant.
            if isinstance(puzzle, GridPuzzle) and any(option.number == 1 for option in helpful):
                shown = [option for option in helpful if option.number != SEVERAL]
                vague = len(helpful) - len(shown)
            yield Corrections(_describe(shown, vague), unfinished)


def list_helpful(
    puzzle: Puzzle, suspects: Collection[str], seconds: float
) -> Iterator[tuple[list[Helpful], str]]:
    """The changes that give a solution, as far as they are known, after each that is found; at the
    end with what was not tried, in words, or ''.

    If there are `suspects`, the wrong piece is one of them.
    """
    end = time.monotonic() + seconds
    if isinstance(puzzle, GridPuzzle):
        yield from _try_grid(puzzle, end)
        return
    formula = puzzle.near_misses()
    if formula is None:
        yield from _try_each(puzzle, suspects, end)
    else:
        yield from _search(puzzle, formula, end)


def _try_grid(puzzle: GridPuzzle, end: float) -> Iterator[tuple[list[Helpful], str]]:
    """Try the clues; if no change of one gives one solution, try what else may be wrong."""
    helpful: list[Helpful] = []
    unfinished = ""
    for helpful, unfinished in _try_clues(puzzle, end):
        yield helpful, unfinished
    if not any(option.number == 1 for option in helpful):
        for others, untried in _try_each(puzzle, (), end):
            yield [*helpful, *others], unfinished or untried


def _try_clues(puzzle: GridPuzzle, end: float) -> Iterator[tuple[list[Helpful], str]]:
    """Leave out each clue, and see what it would say."""
    search = WrongClues(puzzle, end)
    helpful: list[Helpful] = []
    for change, answer in search.find():
        changed = _change(puzzle, change)
        if changed is None or any(True for _ in changed.check(answer)):
            continue
        number = _count_solutions(puzzle, change, MAX_CONFLICTS)
        helpful.append(Helpful(change, number))
        yield helpful, ""
    unfinished = ""
    if search.untried:
        unfinished = f"not tried: other values of {plural(len(search.untried), 'clue')}"
    yield helpful, unfinished


def _try_each(
    puzzle: Puzzle, suspects: Collection[str], end: float
) -> Iterator[tuple[list[Helpful], str]]:
    """Solve the puzzle with each change."""
    helpful: list[Helpful] = []
    untried = 0
    for change in puzzle.corrections():
        if suspects and change.piece not in suspects:
            continue
        number = None
        if time.monotonic() < end:
            number = _count_solutions(puzzle, change, MAX_CONFLICTS)
        if number is None:
            untried += 1
        elif number > 0:
            helpful.append(Helpful(change, number))
            yield helpful, ""
    unfinished = ""
    if untried:
        unfinished = f"not tried: {plural(untried, 'single change')}"
    yield helpful, unfinished


def _search(puzzle: Puzzle, formula: Formula, end: float) -> Iterator[tuple[list[Helpful], str]]:
    """Find all near misses, and the changes that make them solutions."""
    times = Counter[str]()  # near misses for each change, by its words
    changes: dict[str, Correction] = {}
    finished = False
    for images in _find_near_misses(puzzle, formula, end):
        if not images:
            finished = True
            break
        helping = _find_helping(puzzle, formula, images, changes)
        changes |= helping
        times.update(helping.keys())
        known = [Helpful(change, _number(times[words], False)) for words, change in changes.items()]
        yield known, ""

    helpful = []
    for words, change in changes.items():
        number = _number(times[words], finished)
        if number != 1 and time.monotonic() < end:
            # Two near misses are the same solution if the changed piece equals another one.
            number = _count_solutions(puzzle, change, MAX_CONFLICTS) or number
        helpful.append(Helpful(change, number))
    unfinished = "" if finished else "the search for wrong entries was stopped"
    yield helpful, unfinished


def _find_helping(
    puzzle: Puzzle, formula: Formula, images: Collection[Model], known: Mapping[str, Correction]
) -> dict[str, Correction]:
    """The changes that make a near miss a solution, by their words. Each occurs once, although
    several images need it."""
    helping: dict[str, Correction] = {}
    for image in images:
        placements = [formula.key(x) for x in sorted(image)]
        for change in puzzle.corrections_of(placements):
            if change.words in helping:
                continue
            if change.words in known or _is_right(puzzle, change, placements):
                helping[change.words] = change
    return helping


def _number(near_misses: int, finished: bool) -> int | None:
    """The number of solutions, as far as near misses show it."""
    if near_misses > 1:
        return SEVERAL
    return 1 if finished else None


def _find_near_misses(puzzle: Puzzle, formula: Formula, end: float) -> Iterator[set[Model]]:
    """The near misses, one orbit after another; then an empty set if there is no other one.

    The members of an orbit may need changes of different pieces, such as of two that mirror each
    other.
    """
    group = Group.of(formula, puzzle.symmetries())
    blocking = Blocking(formula)
    with closing(Sampler(formula, CONFLICTS_PER_CHECK)) as sampler:
        breaking = group.find_breaking_clause(formula, UP_TO)
        if breaking:
            sampler.add(Clause(tuple(breaking)))
        for _ in range(MAX_NEAR_MISSES):
            is_met = _solve_until(sampler, end)
            if is_met is None:
                return
            if not is_met:
                yield set()
                return
            model = blocking.model(sampler.solver.model())
            images = {model, *group.orbit(model, UP_TO)}
            for image in images:
                sampler.add(Clause(blocking.literals(image)))
            yield images


def _solve_until(sampler: Sampler, end: float) -> bool | None:
    """Whether there is a model; None after the time limit."""
    while time.monotonic() < end:
        try:
            return sampler.solver.solve()
        except Stopped:
            continue  # the solver keeps what it has learnt
    return None


def _change(puzzle: Puzzle, change: Correction) -> Puzzle | None:
    """The changed puzzle; None if it is not valid."""
    entries = {**puzzle.model_dump(exclude_defaults=True), **change.entries}
    try:
        return type(puzzle).model_validate(entries)
    except ValidationError:
        return None


def _is_right(puzzle: Puzzle, change: Correction, placements: Sequence[Placement]) -> bool:
    """Whether the changed puzzle has a solution: these placements, or another one if equal pieces
    have other names in it."""
    changed = _change(puzzle, change)
    if changed is None:
        return False
    if not any(True for _ in changed.check(placements)):
        return True
    return bool(_count_solutions(puzzle, change, MAX_CONFLICTS))


def _count_solutions(puzzle: Puzzle, change: Correction, conflicts: int) -> int | None:
    """The number of solutions of the changed puzzle, at most SEVERAL; None if this is too hard."""
    changed = _change(puzzle, change)
    if changed is None or any(True for _ in changed.reasons()):
        return 0
    formula = changed.encode()
    group = Group.of(formula, changed.symmetries())
    orbits = find_orbits(formula, group, UP_TO, conflicts)
    try:
        solutions = list(islice(orbits, SEVERAL))
    except Stopped:
        return None
    for images in solutions:
        check_model(changed, formula, sorted(min(images, key=sorted)), "the solver")
    return len(solutions)


def _describe(helpful: list[Helpful], vague: int) -> tuple[Reason, ...]:
    """Sentences, the likeliest changes first; at the end, how many others give several
    solutions."""
    ranked = sorted(helpful, key=lambda option: option.rank)
    sentences = []
    for option in ranked[:MAX_SHOWN]:
        number = _name_number(option.number)
        sentences.append(f"{INTRODUCTION}: {option.change.words} would give {number}")
    if len(ranked) > 1:
        likeliest = sum(option.rank == ranked[0].rank for option in ranked)
        if likeliest > 1:
            sentences[0] += f" ({likeliest} changes are equally likely)"
        else:
            sentences[0] += " (look there first)"
    more = len(ranked) - MAX_SHOWN
    if more > 0:
        sentences.append(
            f"{INTRODUCTION}: {plural(more, 'other change')} would give a solution, too"
        )
    if vague:
        others = plural(vague, "other change")
        sentences.append(f"{INTRODUCTION}: {others} would give several solutions")
    return tuple(map(Reason, sentences))


def _name_number(number: int | None) -> str:
    if number is None:
        return "a solution"
    return "1 solution" if number == 1 else "several solutions"
