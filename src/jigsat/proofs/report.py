"""What holds of a certificate, and what is done to write one, in words: a line for each fact."""

from __future__ import annotations

import re

from jigsat.proofs.properties import (
    CertificateRight,
    Counts,
    CutsFollow,
    EquationsContradictory,
    EquationsIndependent,
    FilesIgnored,
    FormulaIdentical,
    GraphsWritten,
    InstanceRead,
    LedgerFollowed,
    OthersRefuted,
    ProofStep,
    Property,
    RefutationConverted,
    RefutationUnchecked,
    RefutationVerified,
    SolutionsChecked,
    SolutionsCounted,
    SolutionsEnumerated,
    SolutionsRuledOut,
    SolutionsSolved,
    SymmetriesHold,
)
from jigsat.symmetry import in_words
from jigsat.words import plural

MAX_NAMED_FILES = 5  # maximum number of files that are named among those that are ignored


def describe_property(holds: Property) -> str:
    """The line about a property.

    >>> print(describe_property(SymmetriesHold(4)))
    symmetries  4 in a group that maps solutions to solutions
    """
    match holds:
        case InstanceRead(file, comes_with_jigsat):
            origin = "does not come with jigsat; read it yourself"
            if comes_with_jigsat:
                origin = "comes with jigsat"
            return f"instance    {quote_name(file)}, which {origin}"
        case FormulaIdentical():
            return "formula     identical to the one generated from the instance"
        case CutsFollow(number):
            return f"cuts        each follows from what is connected: {number:,} in total"
        case SolutionsRuledOut(number):
            clauses = "the formula and one clause per solution that rules it out"
            return f"blocked     {clauses}: {number:,} in total"
        case SymmetriesHold(order):
            return f"symmetries  {order:,} in a group that maps solutions to solutions"
        case SolutionsChecked(counts):
            return f"solutions   checked and counted: {describe_counts(counts)}"
        case SolutionsCounted(counts):
            return f"solutions   counted by the graphs: {describe_counts(counts)}"
        case FilesIgnored(files):
            return f"ignored     {_list_files(files)}: not part of the certificate"
        case CertificateRight(puzzle, counts):
            solutions = describe_counts(counts)
            if counts.solutions:
                solutions += ", and no other"
            return f"verified: {quote_name(puzzle)} has {solutions}"
    return f"proof       {_describe_proof(holds)}"


def _describe_proof(
    holds: RefutationVerified | RefutationUnchecked | EquationsIndependent | EquationsContradictory,
) -> str:
    match holds:
        case RefutationVerified(file, checker):
            return f"verified by {checker}" if holds.is_only else f"{file} verified by {checker}"
        case RefutationUnchecked(file, why):
            return f"{file} is not checked as well: {why}"
        case EquationsIndependent() | EquationsContradictory():
            return f"verified by addition: {describe_equations(holds)}"


def describe_step(step: ProofStep) -> str:
    """The line about a step."""
    match step:
        case SolutionsEnumerated(counts):
            return f"enumerated  {describe_counts(counts)}"
        case OthersRefuted(steps, backend, counts):
            others = "any other solution" if counts.solutions else "any solution"
            return f"refuted     {others}, in {steps:,} steps by {backend}"
        case SolutionsSolved(counts):
            return f"solved      {describe_counts(counts)}"
        case EquationsIndependent() | EquationsContradictory():
            return f"proved      {describe_equations(step)}"
        case LedgerFollowed(splits, ledger):
            return f"followed    {plural(splits, 'split')} of {ledger}, whose counts are the same"
        case GraphsWritten(counts):
            return f"counted     {describe_counts(counts)}"
        case RefutationConverted(file, checker):
            return f"converted   the proof to LRAT: {file}, which {checker} verifies"


def describe_equations(proved: EquationsIndependent | EquationsContradictory) -> str:
    """What linear algebra proves."""
    total = f"{proved.equations:,} equations"
    if isinstance(proved, EquationsContradictory):
        return f"the sum of {proved.summands:,} of the {total} is 0 = 1"
    independent = f"{proved.independent:,} of the {total}"
    return f"{independent} are independent, so there are no other solutions"


def describe_counts(counts: Counts) -> str:
    """The counts, such as '4 solutions, 1 up to rotation'."""
    if counts.solutions == 0:
        return "no solution"
    return plural(counts.solutions, "solution") + in_words(dict(counts.distinct))


def quote_name(name: str) -> str:
    """A file name, in quotes if it contains anything but letters, digits and `_.+-`.

    >>> print(quote_name("cats.toml"), quote_name("cats, which comes with jigsat"))
    cats.toml 'cats, which comes with jigsat'
    """
    return name if re.fullmatch(r"[\w.+-]+", name) else repr(name)


def _list_files(files: tuple[str, ...]) -> str:
    named = ", ".join(quote_name(file) for file in files[:MAX_NAMED_FILES])
    return f"{named}, …" if len(files) > MAX_NAMED_FILES else named
