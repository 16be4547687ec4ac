"""What a new ledger states about a search: what is counted or listed, by which backend, and up to which symmetries."""

from contextlib import closing
from importlib.metadata import version
from typing import Any

from jigsat.backends import AUTO, find, open_backend
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.ledger.rows import CountHeader, ListHeader
from jigsat.ledger.worker import SearchProblem
from jigsat.orbits.shares import with_breaking_clause
from jigsat.search.blocking import within_one
from jigsat.search.exhaustive import check_exhaustive
from jigsat.search.portfolio import choose_exhaustive
from jigsat.subject import Subject, constraints_digest, describe_subject, restore_subject
from jigsat.symmetry import LEVELS, Group


def count_header(subject: Subject[Any], backend: str = AUTO) -> CountHeader:
    """The header for counting the solutions of a puzzle or formula in parts, by the given backend or a suitable one.

    Raises InputError for a backend that cannot search subproblems, and for a subject that cannot be sent to other processes.
    """
    formula = subject.encode()
    group = subject.group(formula)
    if backend == AUTO:
        backend = choose_exhaustive(with_breaking_clause(formula, _breaking_clause(group, formula, AUTO)))
    check_exhaustive(backend)
    breaking = _breaking_clause(group, formula, backend)
    data = describe_subject(subject)
    searched = with_breaking_clause(formula, breaking)
    digest = constraints_digest(searched)
    if constraints_digest(with_breaking_clause(restore_subject(data).encode(), breaking)) != digest:
        raise InputError(f"{subject.name}: cannot be sent to another process, because it is encoded differently there")
    problem = SearchProblem(
        puzzle=data, backend=backend, establishes=find(backend).establishes, breaking=breaking, top=searched.top, digest=digest
    )
    return CountHeader(
        instance=subject.name, digest=subject.digest(), jigsat=version("jigsat"), problem=problem, levels=group.orders
    )


def plain_list_header(subject: Subject[Any], level: str, formula: str = "", *, minimize: bool) -> ListHeader:
    """The header for a list of solutions whose search cannot be split.

    `formula` is the digest of the formula whose automorphisms are the symmetries, if the level is that of automorphisms.
    """
    return ListHeader(
        instance=subject.name, digest=subject.digest(), jigsat=version("jigsat"), problem=None, levels={}, listed=level,
        minimize=minimize, formula=formula,
    )  # fmt: skip


def _breaking_clause(group: Group, formula: Formula, backend: str) -> list[int]:
    """The symmetry-breaking clause; without it, if the backend does not accept it, all members of each orbit are found."""
    breaking = group.breaking(formula, LEVELS[-1]) or []
    if not breaking or within_one(breaking, formula):
        return breaking
    if backend == AUTO:  # some of its searches do not
        return []
    with closing(open_backend(backend)) as solver:
        return breaking if solver.capabilities.clauses else []
