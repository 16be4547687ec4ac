"""Checking a directory that `jigsat.proofs.certificate` wrote, or somebody who says so: nothing in it is believed.

The formula is made again from the instance. The clauses that are added to it are read back as solutions, which the checker of
the puzzle's family judges. The symmetries are checked on those, and are what the distinct solutions are counted by. What
the other files say is compared with that, and a program that is no solver checks the proof.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from jigsat import instance
from jigsat.errors import CheckError, InputError
from jigsat.formats import cnf_lines
from jigsat.formula import Clause, Formula, Lowered
from jigsat.proofs import drat
from jigsat.proofs.certificate import FILES, blocked, counted, is_shipped, permutations, readme, record
from jigsat.puzzle import Puzzle
from jigsat.search import Blocking
from jigsat.symmetry import LEVELS, Group, Model


def check(directory: Path) -> Iterator[str]:
    """Verify a directory, with a line of words for each thing that holds.

    Raises CheckError with the reason if something does not, InputError if there is no directory or no proof checker.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    for name in FILES:
        if not (directory / name).is_file():
            raise CheckError(f"{name} is missing")
    recorded = _json(directory / "solutions.json")
    puzzle, file, shipped = _instance(directory, recorded.get("file"))
    yield f"instance    {file}, which " + ("comes with jigsat" if shipped else "does not come with jigsat; see what it says")
    formula = puzzle.encode()
    _same(directory / "formula.cnf", cnf_lines(puzzle, formula))
    yield "formula     byte for byte what the instance gives"
    models = _ruled_out(directory / "blocked.cnf", puzzle, formula)
    _same(directory / "blocked.cnf", cnf_lines(puzzle, blocked(formula, models)))
    yield f"blocked     the formula, and for each of its solutions a clause that rules it out: {len(models):,}"
    group = _group(directory / "symmetries.json", puzzle, formula, models)
    yield f"symmetries  {len(group.levels['all']):,}, a group that maps placements to placements and solutions to solutions"
    distinct = {level: _orbits(models, group, level) for level in group.orders}
    counts = record(puzzle, file, formula, group, models, distinct)
    _agree(recorded, json.loads(json.dumps(counts)))
    _same(directory / "README.md", readme(puzzle, counts))
    yield f"solutions   as listed and counted: {counted(counts)}"
    yield f"proof       verified by {drat.verify(directory / 'blocked.cnf', directory / 'proof.drat')}"
    yield f"verified: {puzzle.name} has {counted(counts)}{', and no other' if models else ''}"


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise CheckError(f"{path.name}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise CheckError(f"{path.name}: not a JSON object")
    return data


def _instance(directory: Path, file: object) -> tuple[Puzzle, str, bool]:
    """The puzzle of the directory, its file, and whether it comes with jigsat."""
    if not isinstance(file, str) or Path(file).name != file or not (directory / file).is_file():
        raise CheckError(f"solutions.json: the instance file {file!r} is missing")
    try:
        puzzle = instance.load(directory / file)
        return puzzle, file, is_shipped(puzzle, directory / file)
    except InputError as error:
        raise CheckError(str(error)) from error


def _same(path: Path, lines: Iterable[str]) -> None:
    """Raises CheckError unless the file has exactly these lines."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        for number, (there, due) in enumerate(zip_longest(file, (f"{line}\n" for line in lines)), 1):
            if there != due:
                found, wanted = ("the end" if line is None else repr(line[:80]) for line in (there, due))
                raise CheckError(f"{path.name}: line {number} is {found} and should be {wanted}")


def _ruled_out(path: Path, puzzle: Puzzle, formula: Formula) -> list[Model]:
    """The solutions that the clauses after the formula's rule out. Raises CheckError for any other clause."""
    clauses, length = list(_clauses(path)), 0
    for length, constraint in enumerate(Lowered(formula), 1):
        assert isinstance(constraint, Clause)
        there = clauses[length - 1] if length <= len(clauses) else "missing"
        if there != constraint.literals:
            raise CheckError(f"{path.name}: clause {length} is {there} and in the formula {constraint.literals}")
    blocking = Blocking(formula)
    found: dict[Model, int] = {}
    for number, clause in enumerate(clauses[length:], length + 1):
        model = frozenset(-literal for literal in clause if literal < 0)
        if blocking.model(model) != model or blocking.literals(model) != clause:
            raise CheckError(f"{path.name}: clause {number} does not rule out one assignment alone")
        if model in found:
            raise CheckError(f"{path.name}: clause {number} rules out the same as clause {found[model]}")
        if broken := _broken(puzzle, formula, model):
            raise CheckError(f"{path.name}: clause {number} rules out what is no solution: {broken}")
        found[model] = number
    return list(found)


def _clauses(path: Path) -> Iterator[tuple[int, ...]]:
    with path.open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.startswith(("c", "p")):
                continue
            try:
                *literals, end = map(int, line.split())
            except ValueError:
                literals, end = [], -1
            if end != 0 or 0 in literals:
                raise CheckError(f"{path.name}: line {number} is no clause: {line[:80]!r}")
            yield tuple(literals)


def _broken(puzzle: Puzzle, formula: Formula, model: Model) -> str | None:
    """A rule that an assignment breaks, in words; None for a solution."""
    return next(iter(puzzle.check([formula.key(variable) for variable in sorted(model)])), None)


def _group(path: Path, puzzle: Puzzle, formula: Formula, models: Sequence[Model]) -> Group:
    """The symmetries in a file, if they are a group that maps solutions to solutions and all that the puzzle has."""
    decisions, solutions = formula.decisions(), set(models)
    listed = _json(path).get("symmetries")
    levels: dict[str, list[Mapping[int, int]]] = {level: [] for level in LEVELS}
    for number, entry in enumerate(listed if isinstance(listed, list) else [], 1):
        match entry:
            case {"level": str(level), "images": list(to)} if level in LEVELS and _is_permutation(to, decisions):
                images = dict(zip(decisions, to, strict=True))
            case _:
                raise CheckError(f"{path.name}: symmetry {number} is no permutation of the placements")
        for at, model in enumerate(models, 1):
            image = frozenset(images[variable] for variable in model)
            if image not in solutions:
                broken = _broken(puzzle, formula, image)
                what = f"what is none: {broken}" if broken else "one that is missing"
                raise CheckError(f"{path.name}: symmetry {number} maps solution {at} to {what}")
        for taking_in in LEVELS[LEVELS.index(level) :]:
            levels[taking_in].append(images)
    for level, members in levels.items():
        if not _is_group(members, decisions):
            raise CheckError(f"{path.name}: the symmetries up to {level} are no group")
    due = permutations(formula, Group.of(formula, puzzle.symmetries()))
    if _json(path) != due:
        raise CheckError(f"{path.name}: not the symmetries of the puzzle, which has {len(due['symmetries'])}")
    return Group(levels)


def _is_permutation(images: Sequence[object], on: Sequence[int]) -> bool:
    return all(isinstance(image, int) for image in images) and len(images) == len(on) and set(images) == set(on)


def _is_group(permutations: Iterable[Mapping[int, int]], on: Sequence[int]) -> bool:
    """Whether the permutations are those that some of them generate.

    A finite set of permutations with the identity is a group if the products of its members are in it.
    """
    members = {tuple(images[x] for x in on) for images in permutations}
    place = {x: i for i, x in enumerate(on)}
    generators: list[tuple[int, ...]] = []
    reached = {tuple(on)}
    for member in members:
        if member in reached:
            continue
        generators.append(member)
        to_do = list(reached)
        while to_do:
            one = to_do.pop()
            products = {tuple(generator[place[x]] for x in one) for generator in generators}
            if not products <= members:
                return False
            to_do += products - reached
            reached |= products
    return reached == members


def _orbits(models: Iterable[Model], group: Group, level: str) -> int:
    rest, orbits = set(models), 0
    while rest:
        rest -= group.orbit(next(iter(rest)), level)
        orbits += 1
    return orbits


def _agree(there: Mapping[str, Any], due: Mapping[str, Any]) -> None:
    """Raises CheckError for the first thing that solutions.json says wrongly."""
    for key in [*due, *(there.keys() - due.keys())]:
        says, should = there.get(key), due.get(key)
        if says == should:
            continue
        if key != "found" or not isinstance(says, list):
            raise CheckError(f"solutions.json: {key} is {repr(says)[:80]} and should be {should!r}")
        for number, (one, other) in enumerate(zip_longest(says, due["found"]), 1):
            if one is None:
                raise CheckError(f"solutions.json: solution {number} is missing")
            if one != other:
                raise CheckError(f"solutions.json: solution {number} is not what blocked.cnf rules out there")
