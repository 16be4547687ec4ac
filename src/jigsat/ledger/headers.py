"""The header of a ledger: what is counted or listed, by which backend, and up to which
symmetries."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import version
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field, PositiveInt, TypeAdapter

from jigsat.backends import AUTO, find, is_own, open_backend
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.ledger.worker import SearchProblem, WorkerMessage
from jigsat.orbits import with_breaking_clause
from jigsat.puzzle import Puzzle
from jigsat.search.blocking import find_item
from jigsat.search.exhaustive import check_exhaustive
from jigsat.search.portfolio import choose_exhaustive
from jigsat.subject import Subject, constraints_digest, describe_subject, restore_subject
from jigsat.symmetry import Group, Level


class Established(WorkerMessage):
    """Which backends established that there are no other solutions, and how."""

    backend: str
    established_by: str


class _Header(WorkerMessage):
    """What all ledgers state. `digest` is that of the puzzle without its name, title and the
    like."""

    instance: str
    digest: str
    jigsat: str


class CountHeader(_Header):
    """The ledger of a count. `levels` are the levels of symmetry that have counts, with the orders
    of their groups."""

    kind: Literal["count"] = "count"
    problem: SearchProblem
    levels: dict[Level, PositiveInt]
    listed: ClassVar[Level | None] = None
    minimize: ClassVar = False
    formula: ClassVar = ""


class ListHeader(_Header):
    """The ledger of a list of solutions.

    `listed` is the level at which each orbit has a representative in the file. With `minimize`,
    only the solutions of least cost are meant. Without a `problem`, the search cannot be split.
    `formula` is the digest of a formula whose automorphisms are the symmetries.
    """

    kind: Literal["list"] = "list"
    problem: SearchProblem | None
    levels: dict[Level, PositiveInt]
    listed: Level
    minimize: bool = False
    formula: str = ""


class PuzzlesHeader(_Header):
    """The ledger of a file of many puzzles, which are its subproblems.

    `question` is the name of the class of what is asked: 'Solve' for up to `limit` solutions,
    'Rate' for the difficulty.
    """

    kind: Literal["puzzles"] = "puzzles"
    backend: str
    puzzles: PositiveInt
    limit: PositiveInt
    listed: Level
    question: str = "Solve"
    problem: ClassVar = None
    levels: ClassVar[dict[Level, int]] = {}
    minimize: ClassVar = False
    formula: ClassVar = ""

    @classmethod
    def of(
        cls, name: str, puzzles: Sequence[Puzzle], question: str, **fields: Any
    ) -> PuzzlesHeader:
        """The header for puzzles from a file of this name."""
        digest = hashlib.sha256(
            "\n".join(puzzle.digest() for puzzle in puzzles).encode()
        ).hexdigest()
        return cls(
            instance=name,
            digest=digest,
            jigsat=version("jigsat"),
            puzzles=len(puzzles),
            question=question,
            **fields,
        )


Header: TypeAlias = CountHeader | ListHeader | PuzzlesHeader
HEADER: TypeAdapter[Header] = TypeAdapter(Annotated[Header, Field(discriminator="kind")])
"""The text of a header as one of three types."""


def searcher(header: Header) -> Established:
    """The backend that searches, and how it establishes that there are no other solutions."""
    if isinstance(header, PuzzlesHeader):
        return Established(backend=header.backend, established_by="")
    if header.problem is None:
        return Established(backend="", established_by="")
    return Established(backend=header.problem.backend, established_by=header.problem.establishes)


def own_backend(header: Header | None) -> str:
    """The backend that a ledger states. A program named by a stranger's file is not run, so `auto`
    stands for it."""
    stated = header.problem.backend if header and header.problem else AUTO
    return stated if is_own(stated) else AUTO


def conflict(there: Header, here: Header) -> str:
    """Why a ledger cannot be resumed for another header, whatever the encoding; '' if it can."""
    several = [isinstance(header, PuzzlesHeader) for header in (there, here)]
    if there.digest != here.digest or several[0] != several[1]:
        return f"belongs to another instance, {there.instance}; name another file"
    if isinstance(there, PuzzlesHeader) and isinstance(here, PuzzlesHeader):
        reason = _compare_questions(there, here)
        if reason:
            return reason
    if here.listed and not there.listed:
        return (
            "holds counts without their solutions, which `jigsat count` resumes; name another "
            "file for the solutions"
        )
    if there.minimize != here.minimize:
        return (
            f"holds {'only the least-cost' if there.minimize else 'all'} solutions; name "
            f"another file"
        )
    if here.listed and there.listed and there.listed != here.listed:
        return (
            f"holds the solutions up to {there.listed.in_words}, not up to "
            f"{here.listed.in_words}; name another file"
        )
    if isinstance(here, CountHeader) and there.problem is None:
        return (
            "holds a search that is not split into subproblems, which only `jigsat solve` "
            "resumes; name another file"
        )
    return ""


def _compare_questions(there: PuzzlesHeader, here: PuzzlesHeader) -> str:
    """Why the answers about many puzzles are to another question; '' if they are not."""
    if there.question != here.question:
        return f"holds the answers to another question, {there.question!r}; name another file"
    if there.limit != here.limit:
        return (
            f"holds up to {there.limit} solutions of each puzzle, not {here.limit}; use "
            f"--limit, or name another file"
        )
    return ""


def top_of(header: Header) -> int:
    """The number of variables in the literals of subproblems. In a file of many puzzles, each has a
    literal."""
    if isinstance(header, PuzzlesHeader):
        return header.puzzles
    return header.problem.top if header.problem else 0


def count_header(subject: Subject[Any], backend: str = AUTO) -> CountHeader:
    """The header for counting the solutions of a puzzle or formula in parts, by the given backend
    or a suitable one.

    Raises InputError for a backend that cannot search subproblems, and for a subject that cannot be
    sent to other processes.
    """
    formula = subject.encode()
    group = subject.group(formula)
    if backend == AUTO:
        backend = choose_exhaustive(
            with_breaking_clause(formula, _breaking_clause(group, formula, AUTO))
        )
    check_exhaustive(backend)
    breaking = _breaking_clause(group, formula, backend)
    data = describe_subject(subject)
    searched = with_breaking_clause(formula, breaking)
    digest = constraints_digest(searched)
    if constraints_digest(with_breaking_clause(restore_subject(data).encode(), breaking)) != digest:
        raise InputError(
            f"{subject.name}: cannot be sent to another process, because it is encoded "
            f"differently there"
        )
    problem = SearchProblem(
        puzzle=data,
        backend=backend,
        establishes=find(backend).establishes,
        breaking=breaking,
        top=searched.top,
        digest=digest,
    )
    return CountHeader(
        instance=subject.name,
        digest=subject.digest(),
        jigsat=version("jigsat"),
        problem=problem,
        levels=group.orders,
    )


def plain_list_header(
    subject: Subject[Any], level: Level, formula: str = "", *, minimize: bool
) -> ListHeader:
    """The header for a list of solutions whose search cannot be split.

    `formula` is the digest of the formula whose automorphisms are the symmetries, if the level is
    that of automorphisms.
    """
    return ListHeader(
        instance=subject.name,
        digest=subject.digest(),
        jigsat=version("jigsat"),
        problem=None,
        levels={},
        listed=level,
        minimize=minimize,
        formula=formula,
    )


def _breaking_clause(group: Group, formula: Formula, backend: str) -> list[int]:
    """The symmetry-breaking clause; without it, if the backend does not accept it, all members of
    each orbit are found."""
    breaking = group.find_breaking_clause(formula, Level.ALL) or []
    if not breaking or find_item(breaking, formula):
        return breaking
    if backend == AUTO:  # some of its searches do not
        return []
    with closing(open_backend(backend)) as solver:
        return breaking if solver.capabilities.clauses else []
