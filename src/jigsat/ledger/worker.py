"""What a worker does with a bundle of subproblems: JSON in, JSON out, so that it can run anywhere.

A worker encodes the puzzle itself and compares the hash of the formula with that of the
coordinator, so the literals of subproblems mean the same to both. The worker that finds a solution
checks it.
"""

from __future__ import annotations

import os
import socket
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import copy
from functools import cache
from importlib.metadata import version
from itertools import chain
from typing import Any

from pydantic import BaseModel, NonNegativeInt, field_validator

from jigsat.backends import Branching
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Formula
from jigsat.orbits import OrbitCounter, OrbitShare, with_breaking_clause
from jigsat.search.exhaustive import Exhaustive, Literals, Splitter
from jigsat.subject import Described, Subject, constraints_digest, describe_subject, restore_subject
from jigsat.symmetry import Model

MAX_TARGET_MULTIPLE = 2.0
"""A subproblem that takes this many times the target duration is split during its search, if the
backend can be interrupted."""

# a subproblem is split if the answer to it has more solutions than this
MAX_SUBPROBLEM_SOLUTIONS = 20_000


class WorkerMessage(BaseModel, extra="forbid"):
    """Data sent between processes and machines."""


class SearchProblem(WorkerMessage):
    """What all subproblems of a ledger have in common.

    `digest` is that of the formula with the symmetry-breaking clause, and `top` its number of
    variables. `establishes` states how the backend establishes that there are no other solutions.
    """

    puzzle: Described
    backend: str
    establishes: str
    breaking: list[int]
    top: NonNegativeInt
    digest: str

    @property
    def search_key(self) -> tuple[list[int], int, str]:
        """What must be the same to continue a search, whichever the backend."""
        return self.breaking, self.top, self.digest

    def encode_subject(self, subject: Subject[Any]) -> tuple[Formula, Formula]:
        """The formula of the subject, and that which is searched. Raises InputError if the digest
        is that of another one."""
        formula = subject.encode()
        with suppress(ValueError):  # an unknown variable in the symmetry-breaking clause
            searched = with_breaking_clause(formula, self.breaking)
            if (constraints_digest(searched), searched.top) == (self.digest, self.top):
                return formula, searched
        raise InputError(
            f"{subject.name}: this installation encodes the puzzle differently; install the "
            f"jigsat and the families with which "
            "the search was begun"
        )


class Bundle(WorkerMessage):
    """Subproblems for one worker, by number, and the target durations of each and of all together,
    in seconds.

    With `split`, they are only split. With `listing`, their solutions are requested.
    """

    jigsat: str
    problem: SearchProblem
    seconds: float
    split: bool
    listing: bool = False
    subproblems: dict[int, list[int]]


class SubproblemOutcome(WorkerMessage):
    """What became of a subproblem: it is done, with the number of models of each share, or split by
    one choice.

    `counts` are rows of the fields of an `OrbitShare` and a number. `open`, `refuted` and `parts`
    have the literals of the choice; `parts` are those that were searched, at least partly, in the
    time of the whole. `solutions` has the smallest member of each orbit. An orbit belongs to the
    subproblem with its first member that satisfies the breaking clause. If the subproblem is split,
    some of them may be in open parts, which will find them again.
    """

    seconds: float
    nodes: int = 0
    counts: list[tuple[int, int, list[int], int]] | None = None
    open: list[int] = []
    refuted: list[int] = []
    solutions: list[list[Any]] = []
    parts: dict[int, SubproblemOutcome] = {}

    @field_validator("counts")
    @classmethod
    def _differ(
        cls, counts: list[tuple[int, int, list[int], int]] | None
    ) -> list[tuple[int, int, list[int], int]] | None:
        shares_in(counts)
        return counts

    @property
    def state(self) -> str:
        """The state of the subproblem in the ledger."""
        if self.counts is not None:
            return "done"
        return "split" if self.open or self.parts else "refuted"

    def all(self) -> Iterator[SubproblemOutcome]:
        """This outcome and those of all parts."""
        yield self
        for part in self.parts.values():
            yield from part.all()


class WorkerReply(WorkerMessage):
    """The outcomes by subproblem, without those that the worker did not begin; or the reason why it
    refuses or fails."""

    worker: str
    outcomes: dict[int, SubproblemOutcome] = {}
    refused: str = ""
    error: str = ""
    wrong: str = ""


class SubproblemWorker:
    """Answers bundles of subproblems: each job is a `Bundle` as JSON text, and its answer a
    `WorkerReply`.

    The solver of the last problem is kept for the next bundle. `prepared` is the subject of the
    search that begins, so that a process that is forked need not encode it again.
    """

    def __init__(self, prepared: Subject[Any] | None = None) -> None:
        self._prepared = prepared
        self._problem: SearchProblem | None = None
        self._searcher: Searcher | None = None

    def work(self, job: str) -> Iterator[str]:
        bundle = Bundle.model_validate_json(job)
        yield write_reply(bundle.jigsat, bundle.seconds, self._search(bundle))

    def _search(self, bundle: Bundle) -> Iterator[tuple[int, SubproblemOutcome]]:
        if self._searcher is None or self._problem != bundle.problem:
            self.close()
            self._searcher = Searcher(bundle.problem, self._prepared)
            self._problem = bundle.problem
        for number, subproblem in bundle.subproblems.items():
            yield (
                number,
                self._searcher.outcome(
                    tuple(subproblem), bundle.seconds, split=bundle.split, listing=bundle.listing
                ),
            )

    def close(self) -> None:
        if self._searcher:
            self._searcher.close()
        self._searcher = self._problem = None


@cache
def read_own_version() -> str:
    """The version of jigsat. Reading it takes half a millisecond, and each message needs it."""
    return version("jigsat")


def write_reply(
    jigsat: str, seconds: float, search: Iterator[tuple[int, SubproblemOutcome]]
) -> str:
    """A `WorkerReply` as JSON text, with the outcomes by number that a search finds until about
    this many seconds are over.

    Nothing is searched unless this is the requested version.
    """
    reply = WorkerReply(worker=worker_name())
    end = time.monotonic() + seconds
    own = read_own_version()
    if jigsat != own:
        reply.refused = f"it has jigsat {own}, not {jigsat}"
        return reply.model_dump_json()
    try:
        for number, outcome in search:
            reply.outcomes[number] = outcome
            if time.monotonic() > end:
                break
    except CheckError as error:
        reply.wrong = str(error)
    except (InputError, Stopped, ImportError, MemoryError) as error:
        reply.error = str(error) or type(error).__name__
    except (
        Exception
    ) as error:  # otherwise the subproblems would be sent to other workers, which fail as well
        reply.wrong = f"{type(error).__name__}: {error}. This is a bug"
    return reply.model_dump_json()


def worker_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


class Searcher:
    """A problem, loaded into a solver. The `prepared` subject is used if it is that of the
    problem."""

    def __init__(self, problem: SearchProblem, prepared: Subject[Any] | None = None) -> None:
        there = prepared is not None and describe_subject(prepared) == problem.puzzle
        self._subject = copy(prepared) if prepared and there else restore_subject(problem.puzzle)
        self._formula, searched = problem.encode_subject(self._subject)
        self._orbits = OrbitCounter(self._subject.group(self._formula), problem.breaking)
        self._backend = problem.backend
        self._search = Exhaustive(searched, problem.backend)

    def outcome(
        self, subproblem: Literals, seconds: float, *, split: bool = False, listing: bool = False
    ) -> SubproblemOutcome:
        """Count the models of a subproblem, and list them if requested.

        Split it if requested, or during the search if that takes much longer than the given
        seconds.
        """
        started = time.monotonic()
        solutions: list[list[Any]] | None = [] if listing else None
        if split and (choice := self._search.choice(subproblem)):
            took = time.monotonic() - started
            return SubproblemOutcome(
                seconds=took, open=list(choice.open), refuted=list(choice.refuted)
            )
        before = self._search.nodes
        branches = Branches(self._search.splitter, subproblem)
        for models in self._search.models(subproblem, started + MAX_TARGET_MULTIPLE * seconds):
            if isinstance(models, Branching):
                branches.divide(models)
                continue
            for model in models:
                branches.add(model, self._share(model, solutions))
            if solutions and len(solutions) > MAX_SUBPROBLEM_SOLUTIONS:
                self._search.hurried = True
        outcome = branches.end(time.monotonic() - started, self._search.nodes - before)
        return outcome.model_copy(update={"solutions": solutions or []})

    def count(self, subproblem: Literals) -> Counter[OrbitShare]:
        """The number of models of each `OrbitShare` in a subproblem, each checked."""
        counts = Counter[OrbitShare]()
        for models in self._search.models(subproblem):
            assert not isinstance(models, Branching), "a search without a limit is not divided"
            counts.update(map(self._share, models))
        return counts

    def _share(self, model: Model, solutions: list[list[Any]] | None = None) -> OrbitShare:
        """The kind of a model, which is checked. If it represents its orbit, the solution is
        appended to `solutions`."""
        orbit = self._orbits.orbit(model)
        images = map(sorted, orbit - {model})
        self._subject.check_orbit(self._formula, chain([sorted(model)], images), self._backend)
        if solutions is not None and self._orbits.represents(model, orbit):
            smallest = min(map(sorted, orbit))
            solutions.append(
                list(self._subject.check_orbit(self._formula, [smallest], self._backend))
            )
        return self._orbits.share(orbit)

    def close(self) -> None:
        self._search.close()


class Branches:
    """Collects the models of a subproblem, which is divided if the search gives up some of its
    branches.

    The models are kept only until their branch is finished, each as a few bytes.
    """

    def __init__(self, splitter: Splitter, subproblem: Literals) -> None:
        self.outcome = SubproblemOutcome(seconds=0)
        self._splitter = splitter
        self._literals = subproblem
        self._part: SubproblemOutcome | None = self.outcome  # of the branch under way
        self._models: list[tuple[bytes, OrbitShare]] = []

    def add(self, model: Model, kind: OrbitShare) -> None:
        """A model of the branch under way."""
        self._models.append((array("i", model).tobytes(), kind))

    def divide(self, branching: Branching) -> None:
        """The branch under way is divided; the search continues in the branch that was taken."""
        fixed = self._splitter.implied_literals(self._literals)
        if self._part is None or fixed is None or branching.taken in fixed:
            return  # the other branches have no models
        models = self._by_branch(branching.literals)
        for literal in branching.literals:
            if literal == branching.taken:
                continue
            if (
                not models[literal]
                and self._splitter.implied_literals((*self._literals, literal)) is None
            ):
                self._part.refuted.append(literal)
            elif literal in branching.rest:
                self._part.open.append(literal)
            else:
                self._part.parts[literal] = SubproblemOutcome(
                    seconds=0, counts=rows_of(kind for _, kind in models[literal])
                )
        if branching.taken is None:
            self._part = None
            self._models = []
            return
        self._part.parts[branching.taken] = taken = SubproblemOutcome(seconds=0)
        self._part = taken
        self._models = models[branching.taken]
        self._literals = (*self._literals, branching.taken)

    def _by_branch(self, literals: tuple[int, ...]) -> dict[int, list[tuple[bytes, OrbitShare]]]:
        models = defaultdict(list)
        # Models have no slacks: that of a choice is true if no other literal is.
        choices = [x for x in literals if not self._splitter.is_slack(x)]
        slack = next((x for x in literals if self._splitter.is_slack(x)), 0)
        for packed, kind in self._models:
            true = frozenset(array("i", packed))
            chosen = (x for x in choices if (x in true if x > 0 else -x not in true))
            models[next(chosen, slack)].append((packed, kind))
        return models

    def end(self, seconds: float, nodes: int) -> SubproblemOutcome:
        """The outcome of the subproblem, when the search has ended."""
        if self._part is not None:
            self._part.counts = rows_of(kind for _, kind in self._models)
        self.outcome.seconds, self.outcome.nodes = seconds, nodes
        return self.outcome


def shares_in(rows: Iterable[tuple[int, int, Iterable[int], int]] | None) -> Counter[OrbitShare]:
    """The number of models of each `OrbitShare`, given the `counts` of a SubproblemOutcome.

    Raises ValueError if two rows have the same share: one would replace the other.
    """
    shares = Counter[OrbitShare]()
    for solutions, found, distinct, number in rows or ():
        share = OrbitShare(solutions, found, tuple(distinct))
        if share in shares:
            raise ValueError("two rows of counts have equal shares")
        shares[share] = number
    return shares


def rows_of(
    shares: Iterable[OrbitShare] | Counter[OrbitShare],
) -> list[tuple[int, int, list[int], int]]:
    """The numbers of shares as in a SubproblemOutcome."""
    return [
        (kind.solutions, kind.found, list(kind.distinct), number)
        for kind, number in sorted(Counter(shares).items())
    ]
