"""Certificates: a directory with all solutions of an instance and a proof that there are no others.

It contains

- the instance file;
- `formula.cnf`, as `jigsat export` writes it, without symmetry breaking;
- `solutions.json`, all solutions, and their number up to each level of symmetry;
- `symmetries.json`, the symmetries as permutations of the decision variables;
- `blocked.cnf`, the formula with one more clause per solution, which rules out that solution;
- `proof.drat`, the proof that `blocked.cnf` has no model;
- `README.md`, instructions for checking the certificate.

With an LRAT proof, it also contains

- `proof.lrat`, the same proof with the reason of each step (`jigsat.proofs.lrat`);
- `check_refutation.py`, a program that checks it without jigsat.

If the formula has constraints on graphs, `formula.cnf` has only what they require of single nodes,
and `solutions.json` lists the clauses that the proof needs of them; see `jigsat.proofs.graphs`.

If the formula consists of XORs, the certificate is one of linear algebra instead; see
`jigsat.proofs.linear`. If the solutions are counted without a list, it is one of the count; see
`jigsat.proofs.counting`. `jigsat.proofs.verification` checks such a directory.
"""

import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from string import Template
from typing import Any, TypeAlias

from jigsat import backends, instance
from jigsat.answering.enumeration import Enumeration
from jigsat.answering.ways import try_counting_first
from jigsat.errors import (
    CheckError,
    InputError,
    Interrupted,
    Stopped,
    printable,
    stops_named,
    unwritable,
)
from jigsat.formats.dimacs import cnf_lines, xnf_lines
from jigsat.formats.opb import opb_lines
from jigsat.formula import Clause, Cut, Formula, Lowered, count_models
from jigsat.proofs import counting, graphs, linear, lrat
from jigsat.proofs.covers import list_constraints
from jigsat.proofs.offers import DEFAULT_MAX_SOLUTIONS
from jigsat.proofs.properties import (
    Counts,
    GraphsWritten,
    LedgerFollowed,
    OthersRefuted,
    ProofStep,
    RefutationConverted,
    SolutionsEnumerated,
    SolutionsSolved,
)
from jigsat.proofs.report import describe_counts, quote_name
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import apart
from jigsat.runtime.limits import Limits
from jigsat.search.blocking import Blocking
from jigsat.symmetry import (
    DECLARED_LEVELS,
    Group,
    Level,
    Model,
    add_levels,
    count_solutions_and_orbits,
)
from jigsat.words import plural

PROVER = "cadical195"  # default backend for proofs

FILES: tuple[str, ...] = (
    "formula.cnf",
    "solutions.json",
    "symmetries.json",
    "blocked.cnf",
    "proof.drat",
    "README.md",
)
"""The files in a certificate besides the instance file."""

# templates of README.md for each kind of certificate
READMES = Path(__file__).resolve().with_name("readme")

CreateFile: TypeAlias = Callable[[str], Path]  # creates an empty file of this name


def prove(
    name: str | Path,
    directory: Path,
    *,
    backend: str | None = None,
    count: bool = False,
    store: Path | None = None,
    with_lrat: bool = False,
    limit: int = DEFAULT_MAX_SOLUTIONS,
    timeout: float | None = None,
) -> Iterator[ProofStep]:
    """Find all solutions, prove that there are no others, and write the directory; yields what is
    done.

    Without a backend, a formula of XORs is proved by linear algebra, one whose solutions are
    counted without a list by graphs of the count, and any other by the backend `PROVER`. With
    `count`, it must be proved by graphs. With `store`, a complete ledger, the graph begins with the
    splits of the ledger, and its counts must be those of the ledger. If it fails, no file is left
    behind. With `with_lrat`, the proof of the backend is converted to LRAT at the end; if only this
    fails, the rest of the certificate stays. Raises InputError for a directory that is not empty,
    for a backend that writes no proofs, for a count that has no certificate, and for `with_lrat`
    where no backend writes a proof; Stopped if there are more solutions than the limit or the time
    is up.
    """
    limits = Limits(timeout)
    if backend:
        _require_prover(backend)
    source = instance.find(name)
    with stops_named(f"{source.stem}: no proof", " while reading the file"), limits.hold():
        puzzle = instance.load(source)
    is_shipped(puzzle, source)
    if source.name in {*FILES, *lrat.FILES, *linear.FILES, *counting.FILES}:
        raise InputError(f"{name}: a file of this name is part of every certificate; rename it")
    with open_directory(directory) as output, stops_named(f"{puzzle.name}: no proof"):
        _write_instance(puzzle, source, output(source.name))
        with limits.hold():
            formula = encode(puzzle)
            group = Group.of(formula, puzzle.symmetries())
        with limits.hold():
            by_counting = count or store is not None
            if by_counting and not counting.fits(formula, group):
                raise InputError(f"{name}: {counting.NOT_COUNTABLE}")
            if not backend:
                by_counting = by_counting or _should_count(puzzle, formula, group)
            equations = None if backend or by_counting else linear.Equations.of(formula)
        if with_lrat and (by_counting or equations):
            raise InputError(
                f"{name}: is proved without a solver; with --lrat, name one, as in "
                f"--backend {PROVER}"
            )
        if by_counting:
            with limits.hold():
                counts = yield from _by_counting(puzzle, source, formula, group, output, store)
        elif equations:
            with limits.hold():
                counts = yield from _by_addition(puzzle, source, formula, group, equations, output)
        else:
            counts = yield from _by_refutation(
                puzzle, source, formula, group, output, backend or PROVER, limit, limits
            )
        write(output("solutions.json"), _end_lines(json_lines(counts)))
        write(output("symmetries.json"), _end_lines(json_lines(permutations(formula, group))))
        write(output("README.md"), _end_lines(readme(puzzle, counts, with_lrat)))
        failure = None
        if with_lrat:
            failure = yield from _write_lrat_proof(directory, output, limits)
    if failure:
        raise failure


def _should_count(puzzle: Puzzle, formula: Formula, group: Group) -> bool:
    """Whether graphs of the count prove the number of solutions soonest."""
    return counting.fits(formula, group) and bool(try_counting_first(puzzle))


def _require_prover(backend: str) -> None:
    """Raise InputError for a backend that writes no proofs."""
    refuting = [spec.name for spec in backends.specs() if spec.refute]
    if backends.find(backend).name not in refuting:
        raise InputError(f"the backend {backend} writes no proofs; these do: {', '.join(refuting)}")


def _write_instance(puzzle: Puzzle, source: Path, path: Path) -> None:
    """Write the unchanged file, or the puzzle if contents of other files belong to it."""
    data = instance.read_data(source)
    alone = puzzle.include_files(data, source.parent) == data
    write(path, [source.read_bytes() if alone else instance.instance_text(puzzle).encode()])


def _write_lrat_proof(
    directory: Path, output: CreateFile, limits: Limits
) -> Generator[ProofStep, None, Exception | Interrupted | None]:
    """Write the LRAT proof and its checker; returns the reason why there is no such proof, if there
    is none.

    The rest of the certificate is valuable without it, and drat-trim can make it there.
    """
    write(output(lrat.CHECKER), _end_lines(lrat.checker()))
    drat = directory / "proof.drat"
    manually = f"`drat-trim blocked.cnf proof.drat -L {lrat.PROOF}`"
    context = f"{directory}: written without {lrat.PROOF} ({manually} makes it there)"
    if drat.stat().st_size > lrat.MAX_PROOF_BYTES:
        most = lrat.MAX_PROOF_BYTES // 2**20
        return Stopped(f"{context}: proof.drat has more than the {most} MiB that jigsat converts")
    try:
        with stops_named(context, " while converting proof.drat"):
            lines = apart(_convert, directory / "blocked.cnf", drat, timeout=limits.timeout)
    except (Stopped, Interrupted) as reason:
        return reason
    except CheckError as error:
        return CheckError(f"{context}: {error}")
    write(output(lrat.PROOF), _end_lines(lines))
    yield RefutationConverted(lrat.PROOF, lrat.CHECKER)
    return None


def _convert(formula: Path, drat: Path) -> list[str]:
    """The lines of the LRAT proof that a DRAT proof of a formula is converted to."""
    return list(lrat.convert_proof(formula, drat))


def _by_refutation(
    puzzle: Puzzle,
    source: Path,
    formula: Formula,
    group: Group,
    output: CreateFile,
    backend: str,
    limit: int,
    limits: Limits,
) -> Generator[ProofStep, None, Mapping[str, Any]]:
    """Write the formulas and the proof of a backend; returns the content of solutions.json."""
    models, distinct = _all_models(puzzle, formula, group, limit, limits.timeout)
    lists = {"found": describe_solutions(formula, models)}
    cuts: list[Cut] = []
    if formula.list_graphs():
        blocked = block_models(formula, models)
        cuts = apart(graphs.find_refuting_cuts, blocked, timeout=limits.timeout)
        lists |= describe_cuts(formula, cuts)
    counts = record(puzzle, source.name, group.orders, len(models), distinct, **lists)
    _compare(source, puzzle, counts, least_of(formula, models))
    yield SolutionsEnumerated(counts_in(counts))
    formula = graphs.leave_graphs_out(formula)
    ruled_out = block_models(formula, models, cuts)
    steps = apart(_refute, backend, puzzle, ruled_out, output("proof.drat"), timeout=limits.timeout)
    yield OthersRefuted(steps, backend, counts_in(counts))
    write(output("formula.cnf"), _end_lines(cnf_lines(formula, puzzle)))
    write(output("blocked.cnf"), _end_lines(cnf_lines(ruled_out, puzzle)))
    return counts


def _by_addition(
    puzzle: Puzzle,
    source: Path,
    formula: Formula,
    group: Group,
    equations: linear.Equations,
    output: CreateFile,
) -> Generator[ProofStep, None, Mapping[str, Any]]:
    """Write the equations and the proof by linear algebra; returns the content of
    solutions.json."""
    consistent, lines = equations.eliminate()
    particular, kernel = equations.solve_and_span_kernel()
    distinct = count_solutions_and_orbits(formula, group, count_models)[1]
    lists = {
        "found": describe_solutions(formula, particular),
        "kernel": describe_solutions(formula, kernel),
    }
    counts = record(
        puzzle, source.name, group.orders, len(particular) << len(kernel), distinct, **lists
    )
    _compare(source, puzzle, counts, linear.minimum(puzzle, formula))
    yield SolutionsSolved(counts_in(counts))
    yield linear.summarize(equations, consistent, lines)
    write(output("formula.xnf"), _end_lines(xnf_lines(formula, puzzle)))
    write(output(linear.PROOF), _end_lines(" ".join(map(str, line)) for line in lines))
    return counts


def _by_counting(
    puzzle: Puzzle,
    source: Path,
    formula: Formula,
    group: Group,
    output: CreateFile,
    store: Path | None,
) -> Generator[ProofStep, None, Mapping[str, Any]]:
    """Write the formula and the graphs of the count; returns the content of solutions.json."""
    levels = list_symmetries(formula, group)
    ledger = None
    if store:
        ledger = counting.read_ledger(store, puzzle, list_constraints(formula))
    fixed = counting.write_graphs(
        output(counting.PROOF), formula, group, [*levels], ledger.splits if ledger else {}
    )
    distinct = counting.count_orbits(levels, fixed, group.orders)
    counts = record(puzzle, source.name, group.orders, fixed[tuple(formula.decisions())], distinct)
    _compare(source, puzzle, counts, linear.minimum(puzzle, formula))
    if ledger:
        if (ledger.solutions, ledger.distinct) != (counts["solutions"], distinct):
            stated = describe_counts(Counts(ledger.solutions, ledger.distinct))
            right = describe_counts(counts_in(counts))
            raise CheckError(f"{store}: states {stated}; the graphs count {right}")
        assert store is not None
        yield LedgerFollowed(len(ledger.splits), store)
    yield GraphsWritten(counts_in(counts))
    write(output("formula.opb"), _end_lines(opb_lines(formula, puzzle)))
    write(output(counting.CHECKER), _end_lines(counting.checker()))
    return counts


def _compare(source: Path, puzzle: Puzzle, counts: Mapping[str, Any], minimum: int | None) -> None:
    """Raise CheckError if a number under [known] in the instance file differs from the count."""
    if wrong := contradiction(puzzle, counts, minimum):
        raise CheckError(f"{source}: {wrong}; correct the file")


def _all_models(
    puzzle: Puzzle, formula: Formula, group: Group, limit: int, timeout: float | None
) -> tuple[list[Model], dict[Level, int]]:
    """All solutions, and the number of distinct ones by level."""
    variables = formula.decisions_by_key()
    enumeration: Enumeration[Any] = Enumeration(
        puzzle, up_to=Level.ALL, timeout=timeout, isolated=True
    )
    models: list[Model] = []
    for solution in enumeration:
        model = frozenset(variables[placement] for placement in solution.placements)
        models += sorted(group.orbit(model, Level.ALL), key=sorted)
        if len(models) > limit:
            enumeration.close()
            raise Stopped(f"there are more than {limit:,} solutions; --limit raises the limit")
    if not enumeration.result.complete:
        reason = str(enumeration.result.stopped_by)
        raise Stopped(f"the search for all solutions was stopped by {reason}", reason)
    return models, enumeration.result.distinct


def _refute(backend: str, puzzle: Puzzle, formula: Formula, proof: Path) -> int:
    """Write the proof that the formula has no model; return the number of its steps."""
    refute = backends.find(backend).refute
    assert refute
    lines = refute([clause.literals for clause in Lowered(formula) if isinstance(clause, Clause)])
    if lines is None:
        raise CheckError(
            f"{puzzle.name}: {backend} finds one more solution after the last. This is a bug"
        )
    write(proof, _end_lines(lines))
    return len(lines)


# -- the contents of the files


def encode(puzzle: Puzzle) -> Formula:
    """The formula of a certificate, in whose files no comment names the clauses of each rule."""
    formula = puzzle.encode()
    formula.rules.clear()
    return formula


def block_models(formula: Formula, models: Iterable[Model], cuts: Iterable[Cut] = ()) -> Formula:
    """The formula with cuts, which follow from constraints on graphs, and with one more clause per
    model, which rules it out."""
    ruled_out = formula.extended()
    blocking = Blocking(formula)
    with ruled_out.rule("what follows from what is connected"):
        for cut in cuts:
            ruled_out.clause(cut)
    with ruled_out.rule("none of the solutions"):
        for model in models:
            ruled_out.clause(blocking.literals(model))
    return ruled_out


def record(
    puzzle: Puzzle,
    file: str,
    orders: Mapping[Level, int],
    solutions: int,
    distinct: Mapping[Level, int],
    **lists: list[list[Any]],
) -> dict[str, Any]:
    """The content of solutions.json: the counts, and lists of solutions or vectors."""
    return {
        "instance": puzzle.name,
        "file": file,
        "sha256": puzzle.digest(),
        "solutions": solutions,
        "distinct": distinct,
        "symmetries": orders,
        **lists,
    }


def describe_cuts(formula: Formula, cuts: Iterable[Cut]) -> dict[str, list[Any]]:
    """The constraints on graphs and the cuts, as solutions.json has them."""
    return {"graphs": graphs.describe_graphs(formula), "cuts": [list(cut) for cut in cuts]}


def describe_solutions(formula: Formula, models: Iterable[Model]) -> list[list[Any]]:
    """Solutions or vectors by the keys of their variables."""
    names: dict[int, Any] = {variable: formula.key(variable) for variable in formula.decisions()}
    return [[names[variable]._asdict() for variable in sorted(model)] for model in models]


def least_of(formula: Formula, models: Iterable[Model]) -> int | None:
    """The least cost of the models; None if there is no model or no objective."""
    return min(map(formula.cost, models), default=None) if formula.objective else None


def contradiction(puzzle: Puzzle, counts: Mapping[str, Any], minimum: int | None) -> str:
    """A message about the first number under [known] in the instance file that differs from the
    count; '' if none does."""
    levels = add_levels(counts["solutions"], counts["distinct"])
    stated: dict[str, int | None] = {"solutions": counts["solutions"]}
    stated |= {str(level): number for level, number in levels.items()}
    stated["minimum"] = minimum
    return puzzle.known.contradiction(stated)


def permutations(formula: Formula, group: Group) -> dict[str, Any]:
    """The content of symmetries.json."""
    listed = [
        {"level": level, "images": list(to)}
        for to, level in list_symmetries(formula, group).items()
    ]
    return {"variables": formula.decisions(), "symmetries": listed}


def list_symmetries(formula: Formula, group: Group) -> dict[counting.Images, Level]:
    """The images of the decision variables under each symmetry, with the first level that includes
    it."""
    decisions = formula.decisions()
    first: dict[counting.Images, Level] = {}
    for level in DECLARED_LEVELS:
        for images in group.levels[level]:
            first.setdefault(tuple(images[variable] for variable in decisions), level)
    return first


def counts_in(recorded: Mapping[str, Any]) -> Counts:
    """The counts of solutions.json, in which levels are texts if it was read from a file."""
    distinct = {Level(name): count for name, count in recorded["distinct"].items()}
    return Counts(recorded["solutions"], distinct)


def readme(puzzle: Puzzle, counts: Mapping[str, Any], with_lrat: bool = False) -> list[str]:
    """The lines of README.md: instructions for checking the certificate."""
    number = counts["solutions"]
    file = str(counts["file"])
    kernel = len(counts.get("kernel", ()))
    kind = "counting"
    if "kernel" in counts:
        kind = "linear"
    elif "found" in counts:
        kind = "refutation"
    ending = "" if number or kind == "counting" else "-unsolvable"
    template = READMES / f"{kind}{ending}.md"
    texts = {
        "name": markdown(quote_name(puzzle.name)),
        "counts": describe_counts(counts_in(counts)),
        "claim": "that there is no other" if number else "of it",
        "title": f"Title in the instance file, which nothing here checks: "
        f"{markdown(puzzle.title)}\n\n"
        if puzzle.title
        else "",
        "file": f"`{file}`" if quote_name(file) == file else markdown(quote_name(file)),
        "number": f"{number:,}",
        "others": "nothing else",
        "more": f"{number:,} more clauses",
        "cuts": "",
        "dimension": f"{kernel:,}",
        "kernel": kernel,
        "lrat_files": "",
        "lrat_commands": "",
    }
    if "cuts" in counts:
        cuts = plural(len(counts["cuts"]), "clause")
        texts["others"] = f"{cuts} of `cuts`"
        texts["more"] = f"{cuts} of `cuts` and {number:,} more"
        texts["cuts"] = (READMES / "cuts.md").read_text("utf-8").rstrip()
    if with_lrat:
        texts["lrat_files"] = (READMES / "lrat-files.md").read_text("utf-8")
        texts["lrat_commands"] = (READMES / "lrat-commands.md").read_text("utf-8")
    return Template(template.read_text("utf-8")).substitute(texts).splitlines()


def markdown(text: str) -> str:
    """Markdown that displays the text literally on one line.

    >>> print(markdown("# *5* solutions\\n"))
    \\# \\*5\\* solutions\\\\n
    """
    return re.sub(r"([][\\`*_{}<>()#!|&~$^=])", r"\\\1", printable(text))


def is_shipped(puzzle: Puzzle, source: Path) -> bool:
    """Whether the file comes with jigsat. Raises InputError for a different file with the name of
    one that does."""
    shipped = instance.shipped_files().get(puzzle.name)
    text = source.read_text(encoding="utf-8", errors="replace")  # it may be compressed
    if (
        shipped
        and text != shipped.read_text(encoding="utf-8")
        and text != instance.instance_text(instance.load(shipped))
    ):
        raise InputError(
            f"{source.name}: not the {puzzle.name} that comes with jigsat; give the file a name "
            f"of its own"
        )
    return shipped is not None


def json_lines(data: Mapping[str, Any]) -> list[str]:
    """The lines of a JSON object: lists of lists or objects have one line per item; unprintable
    characters are escaped."""
    parts = []
    for key, value in data.items():
        several = isinstance(value, list) and value and isinstance(value[0], list | dict)
        items = [
            _visible(json.dumps(item, ensure_ascii=False))
            for item in (value if several else [value])
        ]
        text = ",\n".join(items)
        parts.append(f"{json.dumps(key)}: " + (f"[\n{text}\n]" if several else text))
    return ["{", *",\n".join(parts).split("\n"), "}"]


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _end_lines(lines: Iterable[str]) -> Iterator[bytes]:
    return (f"{line}\n".encode() for line in lines)


# -- the directory


def require_new(directory: Path) -> None:
    """Raise InputError if the directory exists and is not empty."""
    if os.path.lexists(directory) and (not directory.is_dir() or any(directory.iterdir())):
        raise InputError(
            f"{directory}: already exists and is not an empty directory; name a new directory"
        )


@contextmanager
def open_directory(directory: Path) -> Iterator[CreateFile]:
    """The function that creates an empty file in a new or empty directory. If the block fails, what
    was created is removed.

    Folders that contain other files are kept. Raises InputError, here and when the function is
    called, if the directory is not empty, or if something exists already or cannot be created.
    """
    with ExitStack() as created:

        def create(path: Path, make: Callable[[], None], remove: Callable[[], None]) -> Path:
            try:
                make()
            except OSError as error:
                raise unwritable(path, error) from error
            created.callback(try_to, remove)
            return path

        def try_to(remove: Callable[[], None]) -> None:
            with suppress(OSError):
                remove()

        try:
            require_new(directory)
            missing = [folder for folder in (directory, *directory.parents) if not folder.exists()]
        except OSError as error:
            raise unwritable(directory, error) from error
        for folder in reversed(missing):
            create(folder, folder.mkdir, folder.rmdir)
        yield lambda name: create(
            at := directory / name, lambda: at.touch(exist_ok=False), at.unlink
        )
        created.pop_all()


def write(path: Path, parts: Iterable[bytes]) -> None:
    try:
        with path.open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise unwritable(path, error) from error
