"""The splits of a complete ledger, with which a graph of the count begins, and its counts, which the graphs must confirm."""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from jigsat.errors import CheckError, InputError
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.proofs.graph import Constraint, Splits
from jigsat.puzzle import Puzzle


class CompleteLedger(NamedTuple):
    """The item that is split after some variables are true, by its number from 0, and the counts."""

    splits: Splits
    solutions: int
    distinct: dict[str, int]


def read_ledger(path: Path, puzzle: Puzzle, constraints: list[Constraint]) -> CompleteLedger:
    """The splits and counts of a ledger.

    Raises InputError unless it is a complete ledger of the puzzle, and CheckError if an audit of its tree finds a fault.
    """
    with closing(Ledger(path)) as ledger:
        header = ledger.header
        if header.digest != puzzle.digest():
            raise InputError(f"{path}: belongs to another instance, {header.instance}; name its ledger")
        if header.problem is None:
            raise InputError(f"{path}: the search in it was not split into subproblems; leave out --store")
        ledger.validate()
        if ledger.states().get("open"):
            raise InputError(f"{path}: not complete; continue it with: jigsat count {puzzle.name} --store {path}")
        audit = audit_ledger(ledger, 0)
        if audit.faults:
            raise CheckError(f"{path}: {audit.faults[0]}")
        items = {frozenset(each.variables): at for at, each in enumerate(constraints) if each.low == each.high == 1}
        chosen: dict[tuple[int, ...], set[int]] = {}
        for row in ledger.every():
            if row.state == "split":
                chosen[row.literals] = {*(row.refuted or ())}
            if row.parent is not None:
                chosen[row.literals[:-1]].add(row.literals[-1])
    try:
        splits = {frozenset(literals): items[frozenset(options)] for literals, options in chosen.items()}
    except KeyError:
        raise InputError(f"{path}: it is split by the values of variables, which has no graph; leave out --store") from None
    return CompleteLedger(splits, audit.solutions, audit.distinct)
