"""What holds of a certificate, and what is done to write one, as facts; `jigsat.proofs.report` puts
them into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from jigsat.symmetry import Level


@dataclass(frozen=True)
class InstanceRead:
    """The instance file can be read; whether it is one that comes with jigsat."""

    file: str
    comes_with_jigsat: bool


@dataclass(frozen=True)
class FormulaIdentical:
    """The formula in the certificate is the one that the instance has."""


@dataclass(frozen=True)
class CutsFollow:
    """Each of these clauses follows from what is connected; their number."""

    number: int


@dataclass(frozen=True)
class SolutionsRuledOut:
    """The refuted formula has one more clause for each of this number of solutions."""

    number: int


@dataclass(frozen=True)
class SymmetriesHold:
    """The symmetries are a group of this order, and map solutions to solutions."""

    order: int


@dataclass(frozen=True)
class Counts:
    """The number of solutions, and of distinct ones at each level of symmetry."""

    solutions: int
    distinct: Mapping[Level, int]


@dataclass(frozen=True)
class SolutionsChecked:
    """Each solution was checked, and they were counted."""

    counts: Counts


@dataclass(frozen=True)
class SolutionsCounted:
    """The graphs count these solutions."""

    counts: Counts


@dataclass(frozen=True)
class RefutationVerified:
    """A checker has verified the proof in a file that there are no other solutions."""

    file: str
    checker: str
    is_only: bool = False
    """Whether it is the only proof in the certificate."""


@dataclass(frozen=True)
class RefutationUnchecked:
    """The proof in a file was not checked as well, and why; another one was verified."""

    file: str
    why: str


@dataclass(frozen=True)
class EquationsIndependent:
    """So many of the equations are independent, so there are no other solutions."""

    independent: int
    equations: int


@dataclass(frozen=True)
class EquationsContradictory:
    """The sum of so many of the equations is 0 = 1, so there is no solution."""

    summands: int
    equations: int


@dataclass(frozen=True)
class FilesIgnored:
    """Files that are no part of the certificate."""

    files: tuple[str, ...]


@dataclass(frozen=True)
class CertificateRight:
    """The certificate proves that the puzzle has these solutions and no other."""

    puzzle: str
    counts: Counts


Property: TypeAlias = (
    InstanceRead
    | FormulaIdentical
    | CutsFollow
    | SolutionsRuledOut
    | SymmetriesHold
    | SolutionsChecked
    | SolutionsCounted
    | RefutationVerified
    | RefutationUnchecked
    | EquationsIndependent
    | EquationsContradictory
    | FilesIgnored
    | CertificateRight
)


@dataclass(frozen=True)
class SolutionsEnumerated:
    """All solutions were found by a search."""

    counts: Counts


@dataclass(frozen=True)
class OthersRefuted:
    """A backend has proved, in so many steps, that there are no other solutions than these."""

    steps: int
    backend: str
    counts: Counts


@dataclass(frozen=True)
class SolutionsSolved:
    """All solutions follow from one and a kernel, by linear algebra."""

    counts: Counts


@dataclass(frozen=True)
class LedgerFollowed:
    """The graphs begin with so many splits of a ledger, and count what it states."""

    splits: int
    ledger: Path


@dataclass(frozen=True)
class GraphsWritten:
    """Graphs that count the solutions were written."""

    counts: Counts


@dataclass(frozen=True)
class RefutationConverted:
    """The proof was converted for verified checkers: its file, and that of the program that checks
    it."""

    file: str
    checker: str


ProofStep: TypeAlias = (
    SolutionsEnumerated
    | OthersRefuted
    | SolutionsSolved
    | EquationsIndependent
    | EquationsContradictory
    | LedgerFollowed
    | GraphsWritten
    | RefutationConverted
)
