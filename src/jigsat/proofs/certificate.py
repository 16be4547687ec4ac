"""Proofs that nothing is missing: all solutions of an instance, and why there is no other, in a directory.

In it are

- the instance file;
- `formula.cnf`, as `jigsat export` writes it, without symmetry breaking;
- `solutions.json`, every solution, and how many there are up to each symmetry;
- `symmetries.json`, the symmetries as permutations of the decision variables;
- `blocked.cnf`, the formula and one more clause for each solution, which rules out that solution;
- `proof.drat`, the proof that `blocked.cnf` has no model;
- `README.md`, how anybody can check it.

`jigsat.proofs.verification` checks such a directory.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jigsat import backends, instance
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formats import cnf_lines
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.runtime import Limits, apart
from jigsat.search import Blocking
from jigsat.solving import Enumeration
from jigsat.symmetry import LEVELS, Group, Model

PROVER = "cadical195"
"""The backend that writes proofs if no other is named."""

LIMIT = 10_000
"""Solutions beyond which there is no proof if no other limit is named."""

FILES = ("formula.cnf", "solutions.json", "symmetries.json", "blocked.cnf", "proof.drat", "README.md")
"""What is in a directory besides the instance file."""


def prove(
    name: str | Path, directory: Path, *, backend: str = PROVER, limit: int = LIMIT, timeout: float | None = None
) -> Iterator[str]:
    """Find all solutions, prove that there is no other, and write the directory; a line of words for each step.

    Nothing is left behind if it fails. Raises InputError for a directory with something in it and for a backend without
    proofs, Stopped where there are more solutions than the limit or time runs out.
    """
    limits = Limits(timeout)
    refuting = [spec.name for spec in backends.specs() if spec.refute]
    if backends.find(backend).name not in refuting:
        raise InputError(f"the backend {backend} writes no proofs; these do: {', '.join(refuting)}")
    source = instance.find(name)
    try:
        with limits.hold():
            puzzle = instance.load(source)
    except Stopped as reason:
        raise Stopped(f"{source.stem}: no proof: {reason} while reading the file") from None
    is_shipped(puzzle, source)
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise InputError(f"{directory}: there is something already; name a new directory")
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with limits.hold():
            formula = puzzle.encode()
            group = Group.of(formula, puzzle.symmetries())
        models, distinct = _all_models(puzzle, formula, group, limit, limits.timeout)
        counts = record(puzzle, source.name, formula, group, models, distinct)
        yield f"enumerated  {counted(counts)}"
        ruled_out = blocked(formula, models)
        steps = apart(_refute, backend, puzzle, ruled_out, directory / "proof.drat", timeout=limits.timeout)
        yield f"refuted     any {'other, ' if models else ''}in {steps:,} steps by {backend}"
        shutil.copyfile(source, directory / source.name)
        _write(directory / "formula.cnf", cnf_lines(puzzle, formula))
        _write(directory / "blocked.cnf", cnf_lines(puzzle, ruled_out))
        _write(directory / "solutions.json", [_json(counts)])
        _write(directory / "symmetries.json", [_json(permutations(formula, group))])
        _write(directory / "README.md", readme(puzzle, counts))
    except BaseException as error:
        shutil.rmtree(directory)
        if isinstance(error, Stopped):
            raise Stopped(f"{puzzle.name}: no proof: {error}") from None
        raise


def _all_models(
    puzzle: Puzzle, formula: Formula, group: Group, limit: int, timeout: float | None
) -> tuple[list[Model], dict[str, int]]:
    """Every solution, and the number of distinct ones by level."""
    variables = {formula.key(variable): variable for variable in formula.decisions()}
    enumeration = Enumeration(puzzle, up_to="all", timeout=timeout, isolated=True)
    models: list[Model] = []
    for solution in enumeration:
        model = frozenset(variables[placement] for placement in solution.placements)
        models += sorted(group.orbit(model, "all"), key=sorted)
        if len(models) > limit:
            enumeration.close()
            raise Stopped(f"there are more than {limit:,} solutions; --limit raises the limit")
    if enumeration.result.stopped_by == "interrupt":
        raise KeyboardInterrupt
    if not enumeration.result.complete:
        raise Stopped(f"the search for all solutions was ended by {enumeration.result.stopped_by}")
    return models, enumeration.result.distinct


def _refute(backend: str, puzzle: Puzzle, formula: Formula, proof: Path) -> int:
    """Write the proof that the formula has no model; the number of its steps."""
    refute = backends.find(backend).refute
    assert refute
    lines = refute([clause.literals for clause in Lowered(formula) if isinstance(clause, Clause)])
    if lines is None:
        raise CheckError(f"{puzzle.name}: {backend} finds one more solution after the last. This is a bug")
    _write(proof, lines)
    return len(lines)


# -- what the files say


def blocked(formula: Formula, models: Iterable[Model]) -> Formula:
    """The formula with every one of the models ruled out."""
    ruled_out, blocking = formula.extended(), Blocking(formula)
    with ruled_out.group("none of the solutions"):
        for model in models:
            ruled_out.clause(blocking.literals(model))
    return ruled_out


def record(
    puzzle: Puzzle, file: str, formula: Formula, group: Group, models: Sequence[Model], distinct: Mapping[str, int]
) -> dict[str, Any]:
    """What solutions.json says."""
    names: dict[int, Any] = {variable: formula.key(variable) for variable in formula.decisions()}
    return {
        "instance": puzzle.name,
        "file": file,
        "sha256": puzzle.digest(),
        "solutions": len(models),
        "distinct": distinct,
        "symmetries": group.orders,
        "found": [[names[variable]._asdict() for variable in sorted(model)] for model in models],
    }


def permutations(formula: Formula, group: Group) -> dict[str, Any]:
    """What symmetries.json says: each permutation once, at the first level that takes it in."""
    decisions = formula.decisions()
    first: dict[tuple[int, ...], str] = {}
    for level in LEVELS:
        for images in group.levels[level]:
            first.setdefault(tuple(images[variable] for variable in decisions), level)
    return {"variables": decisions, "symmetries": [{"level": level, "images": list(to)} for to, level in first.items()]}


def counted(counts: Mapping[str, Any]) -> str:
    """What solutions.json says, in words: 4 solutions, 1 up to rotation."""
    number = counts["solutions"]
    if number == 0:
        return "no solution"
    said = ["1 solution" if number == 1 else f"{number:,} solutions"]
    for level, distinct in counts["distinct"].items():
        said.append(f"{distinct:,} up to {'all symmetries' if level == 'all' else level}")
    return ", ".join(said)


def readme(puzzle: Puzzle, counts: Mapping[str, Any]) -> list[str]:
    """What README.md says: how anybody can check the directory."""
    number = counts["solutions"]
    beyond = f"""{number:,} clauses. This prints them:

        diff <(grep -v '^[cp]' formula.cnf) <(grep -v '^[cp]' blocked.cnf)

   Each is the opposite of one solution, so the formula has no solutions but these.
3. `solutions.json` has them in words, in the same order. Lay them out and see that they keep the rules."""
    return f"""\
# {puzzle.title or puzzle.name}: {counted(counts)}, and a proof {"that there is no other" if number else "of it"}

| file | what it is |
| --- | --- |
| `{counts["file"]}` | the puzzle |
| `formula.cnf` | the puzzle as a formula; comments name each variable and each group of clauses |
| `solutions.json` | the solutions |
| `symmetries.json` | the symmetries of the puzzle: the image of each of the variables |
| `blocked.cnf` | the formula and one more clause for each solution, which rules it out |
| `proof.drat` | the proof that `blocked.cnf` has no model |

## With jigsat

    pip install jigsat
    jigsat check .

This makes the formula again from the puzzle, has every solution judged by the rules of the puzzle alone, counts again, and has
the proof checked by a program that did not write it.

## Without jigsat

1. That `blocked.cnf` has no model is checked by drat-trim, one file of C from https://github.com/marijnheule/drat-trim. It
   must say `s VERIFIED`:

        drat-trim blocked.cnf proof.drat

2. What `blocked.cnf` says beyond `formula.cnf` is {beyond if number else "nothing, so the formula has no model either."}
{"4" if number else "3"}. That `formula.cnf` says no more than the rules do is for you to judge:
   one clause too many could rule out a solution. Its comments say what each variable means and
   which clauses say which rule.""".splitlines()


def is_shipped(puzzle: Puzzle, source: Path) -> bool:
    """Whether the puzzle comes with jigsat. Raises InputError for another puzzle under the name of one that does."""
    shipped = {path.stem: path for path in instance.instances()}.get(puzzle.name)
    if shipped and [other.digest() for other in instance.load_all(shipped)] != [puzzle.digest()]:
        raise InputError(f"{source.name}: not the {puzzle.name} that comes with jigsat; give the file a name of its own")
    return shipped is not None


def _json(data: Mapping[str, Any]) -> str:
    """A JSON object, the lists and objects in its lists a line each."""
    parts = []
    for key, value in data.items():
        several = isinstance(value, list) and value and isinstance(value[0], list | dict)
        said = ",\n".join(json.dumps(item, ensure_ascii=False) for item in (value if several else [value]))
        parts.append(f"{json.dumps(key)}: " + (f"[\n{said}\n]" if several else said))
    return "{\n" + ",\n".join(parts) + "\n}"


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
