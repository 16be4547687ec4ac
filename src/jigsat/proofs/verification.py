"""Checking a certificate that `jigsat.proofs.certificate` supposedly wrote. No file in it is
trusted.

The formula is generated again from the instance. The solutions are read from solutions.json, and
the checker of the puzzle's family verifies each. The symmetries are verified on these solutions,
and then used to count the distinct ones. The other files are generated again and compared, and an
independent program checks the proof.
"""

import os
import re
import stat
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from jigsat import instance
from jigsat.errors import CheckError, InputError, UnknownFamily
from jigsat.formats.dimacs import cnf_lines, xnf_lines
from jigsat.formats.opb import opb_lines
from jigsat.formula import Cut, Formula, System, Xor, count_models
from jigsat.proofs import (
    certificate,
    check_count,
    check_refutation,
    counting,
    drat,
    graphs,
    linear,
    lrat,
)
from jigsat.proofs.properties import (
    CertificateRight,
    CutsFollow,
    FilesIgnored,
    FormulaIdentical,
    InstanceRead,
    Property,
    RefutationUnchecked,
    RefutationVerified,
    SolutionsChecked,
    SolutionsCounted,
    SolutionsRuledOut,
    SymmetriesHold,
)
from jigsat.proofs.report import quote_name
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.runtime.child import apart
from jigsat.runtime.untrusted import Malformed, canonical
from jigsat.symmetry import DECLARED_LEVELS, Group, Level, Model, count_solutions_and_orbits

Recorded = Mapping[str, Any]  # content of solutions.json
Verified = Generator[Property, None, Recorded]  # what holds
Verification = Callable[[Path, Recorded, Puzzle, str, Formula], Verified]
# maximum memory of the checker of LRAT proofs, which holds the clauses that are still used
MAX_CHECKER_BYTES = 4 * 2**30


def check(directory: Path) -> Iterator[Property]:
    """Verify a directory; yields each property that holds.

    Raises CheckError if one does not, InputError if the directory cannot be read or no proof
    checker is installed.
    """
    try:
        yield from _verify_certificate(directory)
    except OSError as error:
        raise untrusted.unreadable(error.filename or directory, error) from error


def _verify_certificate(directory: Path) -> Iterator[Property]:
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    present = {path.name for path in directory.iterdir()}
    files, verify_proof = _choose_verification(present)
    for name in files:
        if name not in present:
            raise CheckError(f"{name} is missing")
        _check_regular(directory / name)
    recorded = _json(directory / "solutions.json")
    file = recorded.get("file")
    if not isinstance(file, str) or file not in present - {*files}:
        raise CheckError(f"solutions.json: the instance file {_shorten(file)} is missing")
    _check_regular(directory / file)
    puzzle, shipped = _instance(directory / file)
    yield InstanceRead(file, shipped)
    formula = certificate.encode(puzzle)
    counts = yield from verify_proof(directory, recorded, puzzle, file, formula)
    others = sorted({path.name for path in directory.iterdir()} - {*files, file})
    if others:
        yield FilesIgnored(tuple(others))
    yield CertificateRight(puzzle.name, certificate.counts_in(counts))


def _choose_verification(present: Collection[str]) -> tuple[tuple[str, ...], Verification]:
    """The files that a certificate consists of, and how its proof is verified, given the files that
    are present."""
    if "proof.drat" not in present and linear.PROOF in present:
        return linear.FILES, _by_addition
    if "proof.drat" not in present and counting.PROOF in present:
        return counting.FILES, _by_counting
    if lrat.PROOF in present:
        return certificate.FILES + lrat.FILES, _by_refutation
    if lrat.CHECKER in present:  # the proof was too large to be converted
        return (*certificate.FILES, lrat.CHECKER), _by_refutation
    return certificate.FILES, _by_refutation


def _check_regular(path: Path) -> None:
    """Raises CheckError for a link or a device, which could be endless, or show another file."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        name = quote_name(path.name)
        raise CheckError(f"{name}: not a regular file; links are not followed")


def _by_refutation(
    directory: Path, recorded: Recorded, puzzle: Puzzle, file: str, formula: Formula
) -> Verified:
    """Verify a certificate with a proof; returns the content of solutions.json."""
    plain = graphs.leave_graphs_out(formula)
    _same(directory / "formula.cnf", cnf_lines(plain, puzzle))
    yield FormulaIdentical()
    models = _solutions(recorded, puzzle, formula)
    cuts: list[Cut] = []
    more: dict[str, list[Any]] = {}
    if formula.list_graphs():
        cuts = graphs.check_cuts(formula, recorded.get("cuts"))
        more = certificate.describe_cuts(formula, cuts)
        yield CutsFollow(len(cuts))
    blocked = certificate.block_models(plain, models, cuts)
    _same(directory / "blocked.cnf", cnf_lines(blocked, puzzle))
    yield SolutionsRuledOut(len(models))
    group = yield from _group(
        directory / "symmetries.json", puzzle, formula, models, set(models).__contains__
    )
    distinct = {level: group.count_orbits(models, level) for level in group.orders}
    solutions = certificate.describe_solutions(formula, models)
    minimum = certificate.least_of(formula, models)
    counts = certificate.record(
        puzzle, file, group.orders, len(models), distinct, found=solutions, **more
    )
    _compare_counts(directory, puzzle, counts, minimum)
    yield SolutionsChecked(certificate.counts_in(counts))
    yield from _check_refutation(directory)
    return counts


def _check_refutation(directory: Path) -> Iterator[Property]:
    """Have the proofs that blocked.cnf has no model checked: the DRAT proof and, if there is one,
    the LRAT proof. Either is enough."""
    formula = directory / "blocked.cnf"
    proof = directory / lrat.PROOF
    verified = False
    if (directory / lrat.CHECKER).is_file():
        _same(directory / lrat.CHECKER, lrat.checker())
        if not proof.is_file():
            yield RefutationUnchecked(lrat.PROOF, "it is missing")
    if proof.is_file():
        try:
            apart(check_refutation.check_refutation, formula, proof, memory=MAX_CHECKER_BYTES)
        except ValueError as error:
            raise CheckError(str(error)) from None
        yield RefutationVerified(lrat.PROOF, lrat.CHECKER)
        verified = True
    try:
        checker = drat.verify(formula, directory / "proof.drat")
    except InputError as error:  # there is no checker, or none for a proof of this size
        if not verified:
            raise
        yield RefutationUnchecked("proof.drat", str(error))
    else:
        yield RefutationVerified("proof.drat", checker, is_only=not verified)


def _by_addition(
    directory: Path, recorded: Recorded, puzzle: Puzzle, file: str, formula: Formula
) -> Verified:
    """Verify a certificate of linear algebra; returns the content of solutions.json."""
    equations = linear.Equations.of(formula)
    if equations is None:
        raise CheckError(
            f"{linear.PROOF}: the formula of {quote_name(puzzle.name)} does not consist of XORs"
        )
    _same(directory / "formula.xnf", xnf_lines(formula, puzzle))
    yield FormulaIdentical()
    particular, kernel = _space(recorded, equations, puzzle, formula)
    models = [*particular, *(model ^ vector for model in particular for vector in kernel)]
    group = yield from _group(
        directory / "symmetries.json", puzzle, formula, models, equations.hold
    )
    distinct = count_solutions_and_orbits(formula, group, count_models)[1]
    lists = {
        "found": certificate.describe_solutions(formula, particular),
        "kernel": certificate.describe_solutions(formula, kernel),
    }
    counts = certificate.record(
        puzzle, file, group.orders, len(particular) << len(kernel), distinct, **lists
    )
    _compare_counts(directory, puzzle, counts, linear.minimum(puzzle, formula))
    yield SolutionsChecked(certificate.counts_in(counts))
    lines = _numbers(directory / linear.PROOF)
    if not particular:
        equations.check_refutation(lines)
    elif missing := len(equations.variables) - len(kernel) - equations.rank(lines):
        raise CheckError(
            f"{linear.PROOF}: lacks {missing:,} lines, or solutions.json lacks vectors of the "
            f"kernel"
        )
    yield linear.summarize(equations, bool(particular), lines)
    return counts


def _by_counting(
    directory: Path, recorded: Recorded, puzzle: Puzzle, file: str, formula: Formula
) -> Verified:
    """Verify a certificate of a count; returns the content of solutions.json."""
    _same(directory / "formula.opb", opb_lines(formula, puzzle))
    yield FormulaIdentical()
    group = yield from _group(directory / "symmetries.json", puzzle, formula, [], lambda _: True)
    orders = group.orders
    del group  # its mappings take much memory
    try:
        solutions, *distinct = check_count.verify(directory)[0].values()
    except check_count.Refuted as refuted:
        raise CheckError(str(refuted)) from None
    except ValueError as error:  # no line should lead here
        raise CheckError(f"{counting.PROOF}: damaged: {_shorten(str(error))}") from None
    counts = certificate.record(
        puzzle, file, orders, solutions, dict(zip(orders, distinct, strict=True))
    )
    _compare_counts(directory, puzzle, counts, linear.minimum(puzzle, formula))
    _same(directory / counting.CHECKER, counting.checker())
    yield SolutionsCounted(certificate.counts_in(counts))
    return counts


def _compare_counts(directory: Path, puzzle: Puzzle, counts: Recorded, minimum: int | None) -> None:
    """Raises CheckError if the counts contradict the files or [known]."""
    if wrong := certificate.contradiction(puzzle, counts, minimum):
        raise CheckError(f"{quote_name(str(counts['file']))}: {wrong}")
    _same(directory / "solutions.json", certificate.json_lines(counts))
    with_lrat = (directory / lrat.CHECKER).is_file()
    _same(directory / "README.md", certificate.readme(puzzle, counts, with_lrat))


def _space(
    recorded: Recorded, equations: linear.Equations, puzzle: Puzzle, formula: Formula
) -> tuple[list[Model], list[Model]]:
    """The solution in solutions.json, if there is one, and the vectors of the kernel. Raises
    CheckError for a wrong one."""
    particular, kernel = _models(recorded, "found", formula), _models(recorded, "kernel", formula)
    if not particular:
        return [], []
    for number, vector in enumerate(kernel, 1):
        if not equations.hold(vector, homogeneous=True):
            raise CheckError(
                f"solutions.json: vector {number} of the kernel does not lead to another solution"
            )
    if System(Xor(tuple(vector), False) for vector in kernel).rank < len(kernel):
        raise CheckError("solutions.json: the vectors of the kernel are not independent")
    for number, vector in enumerate([Model(), *kernel]):
        if broken := _broken_rule(puzzle, formula, particular[0] ^ vector):
            what = (
                f"vector {number} of the kernel leads to an assignment"
                if number
                else "found is an assignment"
            )
            raise CheckError(f"solutions.json: {what} that is not a solution: {broken}")
    return particular[:1], kernel


def _numbers(path: Path) -> list[list[int]]:
    """The lines of a file of numbers. Raises CheckError for anything else."""
    lists = []
    with path.open("rb") as file:
        try:
            for number, line in enumerate(untrusted.lines(file), 1):
                if not re.fullmatch(rb"[1-9]\d{0,8}( [1-9]\d{0,8})*\n?", line):
                    raise CheckError(
                        f"{path.name}: line {number} is not a list of numbers: "
                        f"{_shorten(line.decode(errors='replace'))}"
                    )
                lists.append([*map(int, line.split())])
        except Malformed as error:
            raise CheckError(f"{path.name}: {error}") from error
    return lists


def _json(path: Path) -> dict[str, Any]:
    try:
        data = untrusted.parse_json(untrusted.content(path))
    except Malformed as error:
        raise CheckError(f"{path.name}: {error}") from error
    if not isinstance(data, dict):
        raise CheckError(f"{path.name}: not a JSON object")
    return data


def _instance(path: Path) -> tuple[Puzzle, bool]:
    """The puzzle in a file, and whether it comes with jigsat."""
    path = path.absolute()  # never the name of an instance
    try:
        puzzle = instance.load_alone(path)
        return puzzle, certificate.is_shipped(puzzle, path)
    except UnknownFamily as error:
        raise InputError(str(error)) from error
    except InputError as error:
        raise CheckError(str(error)) from error


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]} …"


def _same(path: Path, lines: Iterable[str]) -> None:
    """Raises CheckError unless the file has exactly these lines."""
    with path.open("rb") as file:
        for number, line in enumerate(chain(lines, [None]), 1):
            expected = b"" if line is None else f"{line}\n".encode()
            actual = file.readline(len(expected) + 80)
            if actual != expected:
                stated, correct = (
                    repr(text.decode(errors="replace")[:80]) if text else "the end"
                    for text in (actual, expected)
                )
                raise CheckError(f"{path.name}: line {number} is {stated} and should be {correct}")


def _models(recorded: Recorded, key: str, formula: Formula) -> list[Model]:
    """The variables of each entry of a list in solutions.json. Raises CheckError unless it consists
    of lists of placements."""
    names = {}
    for variable in formula.decisions():
        placement = formula.key(variable)
        names[canonical(placement._asdict())] = variable  # type: ignore[attr-defined]
    models: list[Model] = []
    listed = recorded.get(key)
    for number, entry in enumerate(listed if isinstance(listed, list) else [listed], 1):
        try:
            models.append(frozenset(names[canonical(placement)] for placement in entry))
        except (KeyError, TypeError):
            raise CheckError(
                f"solutions.json: item {number} of {key} is not a list of placements of the puzzle"
            ) from None
    return models


def _solutions(recorded: Recorded, puzzle: Puzzle, formula: Formula) -> list[Model]:
    """The solutions in solutions.json. Raises CheckError for one that is wrong or repeated."""
    numbers: dict[Model, int] = {}
    for number, model in enumerate(_models(recorded, "found", formula), 1):
        if (first := numbers.setdefault(model, number)) < number:
            raise CheckError(f"solutions.json: solution {number} is the same as solution {first}")
        if broken := _broken_rule(puzzle, formula, model):
            raise CheckError(f"solutions.json: solution {number} is not a solution: {broken}")
    return list(numbers)


def _broken_rule(puzzle: Puzzle, formula: Formula, model: Model) -> str | None:
    """A rule that an assignment breaks, in words; None for a solution."""
    return next(iter(puzzle.check([formula.key(variable) for variable in sorted(model)])), None)


def _group(
    path: Path,
    puzzle: Puzzle,
    formula: Formula,
    models: Sequence[Model],
    is_solution: Callable[[Model], bool],
) -> Generator[Property, None, Group]:
    """The symmetries in a file. Raises CheckError unless they are the puzzle's, form a group and
    permute the solutions."""
    decisions = formula.decisions()
    place = {x: at for at, x in enumerate(decisions)}
    recorded = _json(path)
    levels: dict[Level, list[Mapping[int, int]]] = {level: [] for level in DECLARED_LEVELS}
    for number, (level, images) in enumerate(_read_symmetries(path, recorded, decisions), 1):
        for at, model in enumerate(models, 1):
            image = frozenset(images[variable] for variable in model)
            if not is_solution(image):
                broken = _broken_rule(puzzle, formula, image)
                what = (
                    f"something that is not a solution: {broken}"
                    if broken
                    else "a solution that is missing"
                )
                raise CheckError(f"{path.name}: symmetry {number} maps solution {at} to {what}")
        for including in DECLARED_LEVELS:
            if including >= level:
                levels[including].append(images)
    for level, members in levels.items():
        if not check_count.is_group(
            {tuple([images[x] for x in decisions]) for images in members}, place
        ):
            raise CheckError(
                f"{path.name}: the symmetries up to {level.in_words} do not form a group"
            )
    expected = certificate.permutations(formula, Group.of(formula, puzzle.symmetries()))
    if canonical(recorded) != canonical(expected):
        raise CheckError(
            f"{path.name}: not the symmetries of the puzzle, which has "
            f"{len(expected['symmetries'])}"
        )
    _same(path, certificate.json_lines(expected))
    yield SymmetriesHold(len(levels[Level.ALL]))
    return Group(levels)


def _read_symmetries(
    path: Path, recorded: Mapping[str, Any], decisions: list[int]
) -> Iterator[tuple[str, Mapping[int, int]]]:
    """The level of each symmetry in a file, and the image of each decision variable. Raises
    CheckError for one that is not a permutation of these."""
    listed = recorded.get("symmetries")
    for number, entry in enumerate(listed if isinstance(listed, list) else [], 1):
        match entry:
            case {"level": str(level), "images": list(to)} if (
                level in DECLARED_LEVELS
                and all(type(x) is int for x in to)
                and sorted(to) == decisions
            ):
                yield level, dict(zip(decisions, to, strict=True))
            case _:
                raise CheckError(
                    f"{path.name}: symmetry {number} is not a permutation of the placements"
                )
