"""The solutions of a puzzle in a ledger, from which an interrupted search is resumed.

The file has one representative of each orbit, up to all declared symmetries (or all automorphisms), so it serves every level.
One process searches the whole puzzle with blocking clauses and writes each solution when it is found. Several processes or a
cluster search subproblems, whose solutions are written together with their counts. Without a file, several processes use a
ledger in memory.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.runtime import Progress
from jigsat.runtime.executors import Workers
from jigsat.runtime.untrusted import canonical, unreadable
from jigsat.search.exhaustive import check_exhaustive, is_exhaustive
from jigsat.solving.equivalence import Equivalence
from jigsat.solving.ledger import LISTED, MEMORY, Ledger, begun, is_there, resumable
from jigsat.solving.ledger_count import LOOK, header_of, opened, own_backend, workers
from jigsat.solving.ledger_rows import REMEDY, CountHeader, Header, ListHeader, damage, listing
from jigsat.solving.result import Result
from jigsat.solving.sharing import SECONDS, Sharing
from jigsat.solving.store import Established, Store
from jigsat.solving.subject import Earlier, Source, Stated, Subject, formula_digest
from jigsat.solving.tally import ListedTally
from jigsat.solving.weights import Kind, Weigher, totals
from jigsat.solving.work import Outcome, forget, rows_of
from jigsat.symmetry import AUTOMORPHISM, LEVELS, Group, Model

if TYPE_CHECKING:
    from jigsat.runtime.cluster import Address
    from jigsat.solving.enumeration import Event, Start

FIRST = 0.25
"""The target duration of the first subproblems, in seconds, so that the first solutions appear soon."""

GROWTH = 20
"""The target duration is the time since the start divided by this, up to that of a count."""

NOT_SPLIT = "a search with --minimize, --amo, --up-to automorphism or `group` cannot be split into subproblems"


@dataclass(frozen=True)
class Wanted:
    """The solutions to list: those of a subject up to a level of symmetry, perhaps only those of least cost."""

    subject: Subject[Any]
    formula: Formula
    same: Equivalence
    up_to: str
    minimize: bool = False
    minimum: int | None = None

    @property
    def top(self) -> str:
        """The level at which each orbit has a representative in the file."""
        return LEVELS[-1] if self.up_to in LEVELS else self.up_to

    def header(self, there: Header | None, backend: str) -> ListHeader:
        """The header of a ledger for these solutions; `there` is that of an unfinished one in the file.

        Without a `problem.puzzle`, the search cannot be split.
        """
        if self.up_to in LEVELS and not self.minimize:
            searched = own_backend(there) if backend == AUTO else backend
            if found := divisible(self.subject, searched if is_exhaustive(searched) else AUTO):
                return listing(found, self.top)
        digest = formula_digest(self.subject.encode()) if self.up_to == AUTOMORPHISM else ""
        return _header(self.subject, self.up_to, digest, minimize=self.minimize)

    def orbit(self, model: Model, level: str) -> set[Model] | None:
        """The orbit of a model; None if it is too large to list."""
        return self.same.group.orbit(model, level) if isinstance(self.same.group, Group) else None

    def first(self, model: Model) -> list[int]:
        """The model that represents the orbit in the file."""
        orbit = self.orbit(model, self.top)
        return self.same.tally.representative(model) if orbit is None else min(map(sorted, orbit))

    def parts(self, model: Model) -> list[list[int]]:
        """A representative of each distinct solution in the orbit that a model in the file represents."""
        rest = self.orbit(model, self.top)
        if rest is None or self.up_to == self.top:
            return [self.first(model)]
        parts = []
        while rest:
            parts.append(min(map(sorted, rest)))
            rest -= self.same.group.orbit(frozenset(parts[-1]), self.up_to)
        return parts

    def stated(self, model: list[int], source: Source | None = None) -> Stated:
        """The form in which a model is kept; the model is checked."""
        return self.subject.checked(self.formula, frozenset(model), [model], "the solver", source)


class Kept:
    """The solutions in a ledger that is open for a run."""

    def __init__(self, ledger: Ledger, wanted: Wanted) -> None:
        self.ledger, self._wanted = ledger, wanted
        self._variables = wanted.subject.variables(wanted.formula)
        problem, group = ledger.header.problem, wanted.same.group
        self._weigher = Weigher(group, problem.breaking) if problem and isinstance(group, Group) else None
        self._kinds = Counter[Kind]()
        self._last = 0
        self._started = time.monotonic()

    def new(self) -> Iterator[tuple[Source, Model]]:
        """The orbits that were written to the file since the last call; each is represented by its first member."""
        while rows := self.ledger.solutions_after(self._last):
            for row in rows:
                self._last = row.id
                source = Source(f"{self.ledger.path}: solution {row.id}", REMEDY)
                model = self._model(source, row.placements)
                first = self._wanted.first(model)
                # a solution that was written with another encoding may have another representative
                if first == sorted(model) or self.ledger.restate(row.id, self._wanted.stated(first, source)):
                    yield source, frozenset(first)

    def _model(self, source: Source, placements: list[Any]) -> Model:
        try:
            model = frozenset(self._variables[canonical(placement)] for placement in placements)
        except KeyError:
            raise InputError(f"{source.place}: not a solution of this puzzle; {REMEDY}") from None
        if len(model) < len(placements):
            raise InputError(f"{source.place}: a placement is repeated; {REMEDY}")
        return model

    def known(self) -> dict[tuple[int, ...], Source]:
        """A representative of each distinct solution in the file, with its place."""
        known: dict[tuple[int, ...], Source] = {}
        for source, first in self.new():
            self._weigh(first)
            for part in self._wanted.parts(first):
                known.setdefault(tuple(part), source)
        return known

    def add(self, model: list[int], stated: Stated) -> None:
        """Write the orbit of a model, unless it is there already."""
        first = self._wanted.first(frozenset(model))
        if self.ledger.add(stated if first == model else self._wanted.stated(first)):
            self._weigh(frozenset(first))

    def _weigh(self, model: Model) -> None:
        if self._weigher:
            kind = self._weigher.kind(self._weigher.orbit(model))
            self._kinds[kind] += kind.found

    def finish(self, solutions: int, distinct: dict[str, int], result: Result, nodes: int) -> None:
        """Write that there are no other solutions, as the result states, unless that is written already."""
        if self.ledger.is_begun():
            return
        orders = {level: self._wanted.same.orders[level] for level in distinct}
        kinds = self._kinds if self._weigher else Counter({Kind(solutions, 1, tuple(distinct.values())): 1})
        if totals(kinds, orders, complete=True) != (solutions, distinct):
            raise self._wrong()
        by = Established(backend=result.backend, established_by=str(result.established_by))
        self.ledger.finish(Outcome(seconds=time.monotonic() - self._started, nodes=nodes, counts=rows_of(kinds)), by, orders)

    def verify(self, solutions: int, distinct: dict[str, int]) -> None:
        """Raise InputError if the file is complete and its counts differ from these."""
        if not self.ledger.is_begun():
            return
        counts = self.ledger.totals(self.ledger.counts(), complete=True)
        if counts != (solutions, {level: distinct.get(level) for level in counts[1]}):
            raise self._wrong()

    def _wrong(self) -> InputError:
        return damage(self.ledger.path, "its solutions do not agree with its counts")


def searched(
    wanted: Wanted,
    path: Path,
    backend: str,
    whole: Callable[[Kept, Established | None], Iterator[Event]],
    *,
    jobs: int,
    cluster: Address | None,
    limit: int | None,
    splits: bool,
    progress: Progress | None,
) -> Iterator[Event]:
    """Search with a ledger: by subproblems, or else by `whole`, which searches the whole puzzle.

    The search is split on a cluster, with several processes, and if the ledger was begun that way. `splits` states whether the
    other options allow that.
    """
    with ExitStack() as stack:
        old = is_old(path)
        there = None if old else begun(path)
        header = wanted.header(there, backend)
        splits = splits and header.problem is not None
        if (cluster is not None or there) and not splits:
            raise InputError(f"{wanted.subject.name}: {NOT_SPLIT}")
        if cluster is not None and backend != AUTO:
            check_exhaustive(backend)
        found: Workers | None = None
        if cluster is not None or there or (jobs > 1 and splits and is_exhaustive(backend) and not old):
            stack.callback(forget)
            found = stack.enter_context(closing(workers(cluster, jobs)))  # before a file is opened: no open file is forked
        done = _converted(path, wanted, header) if old else None
        reading = closing(Ledger(path)) if _only_readable(path) else None
        kept = Kept(stack.enter_context(reading or opened(path, header)), wanted)
        if reading:
            kept.ledger.compare(header)
        done = kept.ledger.established() if kept.ledger.is_begun() else done
        yield from by_subproblems(wanted, kept, found, limit, progress) if found else whole(kept, done)


def divisible(subject: Subject[Any], backend: str) -> CountHeader | None:
    """The header of a ledger for the search of a puzzle or formula by a backend; None if it cannot be split."""
    with suppress(InputError):  # a formula with `group`, for example
        return header_of(subject, backend)
    return None


def divided(
    wanted: Wanted, header: CountHeader, start: Start, jobs: int, limit: int | None, progress: Progress | None
) -> Iterator[Event]:
    """The distinct solutions that processes of this machine find after the `start`, with a ledger in memory."""
    with ExitStack() as stack:
        stack.callback(forget)
        found = stack.enter_context(closing(workers(None, jobs)))
        kept = Kept(stack.enter_context(closing(Ledger(MEMORY, listing(header, wanted.top)))), wanted)
        for model in start.found:
            kept.ledger.add(wanted.stated(wanted.first(model)))
        yield from by_subproblems(wanted, kept, found, limit, progress, start)


def _only_readable(path: Path) -> bool:
    """Whether a file cannot be written and is a complete ledger, which a run only reads."""
    if not is_there(path) or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return False
    with closing(Ledger(path)) as there:
        return there.is_begun() and not there.states().get("open")


def by_subproblems(
    wanted: Wanted, kept: Kept, workers: Workers, limit: int | None, progress: Progress | None, start: Start | None = None
) -> Iterator[Event]:
    """The distinct solutions in a ledger, and then those that workers find; without those of the `start`."""
    subject, formula, ledger = wanted.subject, wanted.formula, kept.ledger
    group = subject.group(formula)
    shown, before = (frozenset(start.found), start.statistics) if start else (frozenset[Model](), {})
    tally, earlier, number = ListedTally(group, LEVELS[-1]), Earlier(subject, formula, group), len(shown)
    result = Result(subject.name, ledger.established().backend, distinct=tally.distinct, symmetries=group.orders)
    sharing, started, looked = Sharing(ledger, workers, FIRST), time.monotonic(), 0.0
    for _ in chain([None], sharing):
        for source, first in kept.new():
            tally.add(first)
            result.solutions = tally.solutions
            for part in map(frozenset, wanted.parts(first)):
                orbit = sorted(map(sorted, group.orbit(part, wanted.up_to)))
                said = subject.checked(formula, part, orbit, result.backend, source)
                relation = earlier.relation(part)
                if part in shown:
                    continue
                yield said, relation, result
                number += 1
                if number == limit:
                    return
        if (now := time.monotonic()) > looked + LOOK:
            looked = now
            result.statistics = before | ledger.statistics()
            if progress:
                progress.set(ledger.done()[0])
            yield None, "", result
        sharing.aim(target(now - started))
    result.statistics = before | ledger.statistics()
    kept.verify(tally.solutions, tally.distinct)
    result.complete = True
    by = ledger.established()
    result.backend, result.established_by = by.backend, by.established_by
    yield None, "", result


def target(seconds: float) -> float:
    """The target duration of a subproblem, given the seconds since the start of the search."""
    return min(SECONDS, max(FIRST, seconds / GROWTH))


# -- files of version 0.1


def is_old(path: Path) -> bool:
    """Whether a file is a list of solutions of version 0.1."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(LISTED)) == LISTED
    except OSError as error:
        raise unreadable(path, error) from error


def _old(path: Path, subject: Subject[Any], up_to: str, *, minimize: bool) -> Store:
    digest = subject.digest() if up_to in LEVELS else f"{subject.digest()} {formula_digest(subject.encode())}"
    return Store(path, subject.name, digest, up_to, minimize=minimize)


def _converted(path: Path, wanted: Wanted, header: Header) -> Established | None:
    """Convert a list of solutions to a ledger; returns how completeness was established, or None if it was not."""
    new = path.with_name(f"{path.name}.new")
    with closing(_old(path, wanted.subject, wanted.up_to, minimize=wanted.minimize)) as store:
        try:
            new.unlink(missing_ok=True)
            with closing(Ledger(new, header)) as ledger:
                kept, distinct = Kept(ledger, wanted), set[tuple[int, ...]]()
                for place, model in store.read(wanted.subject.variables(wanted.formula)):
                    source = Source(place, "remove the line")
                    first = wanted.same.tally.representative(model)
                    stated = wanted.stated(first, source)
                    if wanted.minimum is not None and wanted.formula.cost(model) != wanted.minimum:
                        raise InputError(f"{place}: not a solution with the minimum {wanted.minimum}; remove the line")
                    kept.add(first, stated)
                    distinct.add(tuple(first))
            done = store.complete(len(distinct))
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    return done


def examined(path: Path, subject: Subject[Any], up_to: str, *, minimize: bool) -> int:
    """The number of solutions in a file, from which a run continues. Raises InputError if it cannot be resumed."""
    if is_old(path):
        with closing(_old(path, subject, up_to, minimize=minimize)) as store:
            return store.solutions
    if not path.exists() and not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no such directory")
    return resumable(path, _header(subject, up_to, minimize=minimize))


def _header(subject: Subject[Any], up_to: str, digest: str = "", *, minimize: bool) -> ListHeader:
    """The header of a ledger whose search cannot be split."""
    return ListHeader(
        instance=subject.name,
        digest=subject.digest(),
        jigsat=version("jigsat"),
        problem=None,
        levels={},
        listed=LEVELS[-1] if up_to in LEVELS else up_to,
        minimize=minimize,
        formula=digest,
    )
