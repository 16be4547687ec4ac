"""The ways to answer questions about puzzles: the first solutions, why there is none, how difficult
a puzzle is, and what can be placed where."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass

from jigsat.answering.task import Desk, Task
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.questions import (
    AlternativesAnswer,
    Answer,
    CandidatesAnswer,
    CandidatesEnded,
    Decided,
    Established,
    Event,
    Explained,
    FindAlternatives,
    FindCandidates,
    Found,
    FoundReasons,
    Judged,
    LongSearch,
    Rated,
    RatingAnswer,
    ReasonsEnded,
)
from jigsat.search.portfolio import Models, models
from jigsat.solving.clues import ModelSearch
from jigsat.subject import check_model, nearest
from jigsat.symmetry import Group, Level, Model

OF_A_FORM = " and exchange"
"""What `established_by` adds if only the solutions of a special form were searched, because each
other one could be changed into one of them."""


@dataclass(frozen=True)
class FindFirst:
    """Finds the first solutions. Puzzles that differ only in their clues share a solver, unless the
    backend does not accept assumptions.

    If it is `brief`, the search ends where several processes can go on together, and the next way
    goes on.
    """

    task: Task
    why: str = "the first solutions are searched for"
    brief: bool = False

    def run(self, desk: Desk, answer: Answer) -> Iterator[Event]:
        if answer.is_known:  # only the reasons are missing
            return
        puzzle = self.task.puzzle
        shared = desk.clue_search
        if shared.suits(puzzle):
            clue_models = shared.models(puzzle, brief=self.brief)
            if clue_models is None:
                return
            with closing(clue_models):
                complete = yield from report_first(self.task, shared.formula, clue_models, answer)
            by = desk.find_proof(shared.found_by)
        else:
            formula = puzzle.encode()
            with closing(self._open_search(formula)) as search:
                models = _announce(search)
                ended = yield from report_first(self.task, formula, models, answer)
                complete = ended and search.complete
                by = "reason" if search.refuted else desk.find_proof(search.backend)
        if complete:
            yield Established(by)

    def _open_search(self, formula: Formula) -> Models:
        """A search of this puzzle by itself."""
        up_to = self.task.first.up_to
        group = None
        if up_to > Level.NOTHING:
            group = Group.of(formula, self.task.puzzle.symmetries())
        return models(
            formula,
            self.task.means.backend,
            group=group,
            up_to=up_to,
            brief=self.brief,
            refute=lambda: self.task.subject.find_reason() != "",
        )


@dataclass(frozen=True)
class FindNarrow:
    """Finds the first solutions among those that the puzzle's narrow formula allows, as long as
    they settle whether there are others."""

    task: Task
    why: str = "solutions of a special form are searched for first, because they may settle it"

    def run(self, desk: Desk, answer: Answer) -> Iterator[Event]:
        formula = self.task.puzzle.encode_narrow()
        if formula is None or answer.is_known:
            return
        with closing(models(formula, self.task.means.backend)) as search:
            narrow = NarrowModels(self.task.puzzle, search, answer)
            ended = yield from report_first(self.task, formula, narrow.list(), answer)
            if ended and search.complete and narrow.settled and narrow.number == 1:
                yield Established(desk.find_proof(search.backend) + OF_A_FORM)


class NarrowModels:
    """The models of a narrow formula, up to the first one that settles nothing."""

    def __init__(self, puzzle: Puzzle, search: Models, answer: Answer) -> None:
        self.number = 0
        self.settled = True
        self._puzzle = puzzle
        self._search = search
        self._answer = answer

    def list(self) -> ModelSearch:
        """The models, and None before each search, because it may take long."""
        for model in _announce(self._search):
            yield model
            if model is not None:
                # the answer has the solution now
                self.number += 1
                self.settled = self._puzzle.settles(self._answer.solutions[-1].placements)
                if not self.settled:
                    return


def report_first(
    task: Task, formula: Formula, search: ModelSearch, answer: Answer
) -> Generator[Event, None, bool]:
    """Report new solutions among the models, up to the limit of the question. Those in the answer
    are known. Returns whether there are no others."""
    puzzle, question = task.puzzle, task.first
    new = NewOrbits(puzzle, formula, question.up_to)
    known = list_models(answer, formula)
    for earlier in known:
        new.add(earlier)
    number = len(known)
    for model in search:
        if model is None:
            yield LongSearch()
            continue
        if model in known:
            continue
        representative = new.add(model)
        if representative is None:
            continue
        number += 1
        relation = new.relation(representative) if number == 2 else ""
        stated = check_model(puzzle, formula, sorted(representative), task.means.backend)
        yield Found(stated, relation)
        if number == question.limit:
            return False
    return True


def list_models(answer: Answer, formula: Formula) -> list[Model]:
    """The models of the solutions that are known."""
    if not answer.solutions:  # most puzzles; to list the variables takes time
        return []
    variables = formula.decisions_by_key()
    return [
        frozenset(variables[placement] for placement in solution.placements)
        for solution in answer.solutions
    ]


class NewOrbits:
    """Tells which models are new up to symmetry, if a search finds every member of an orbit.

    The group is made for the second model, because most puzzles with clues have one solution.
    """

    def __init__(self, puzzle: Puzzle, formula: Formula, up_to: Level) -> None:
        self._puzzle = puzzle
        self._formula = formula
        self._up_to = up_to
        self._first: Model | None = None
        self._group: Group | None = None
        self._known: set[Model] = set()

    def add(self, model: Model) -> Model | None:
        """The member of the model's orbit that is most similar to the first one; None if the orbit
        is known."""
        if self._first is None:
            self._first = model
            return model
        if self._up_to == Level.NOTHING:
            return model
        if self._group is None:
            self._group = Group.of(self._formula, self._puzzle.symmetries())
            self._known = self._group.orbit(self._first, self._up_to)
        if model in self._known:
            return None
        orbit = self._group.orbit(model, self._up_to)
        self._known |= orbit
        first = self._first
        return min(orbit, key=lambda image: (len(image ^ first), sorted(image)))

    def relation(self, model: Model) -> str:
        """How a solution differs from the first one, in words; '' if symmetries do not matter."""
        if self._group is None or self._first is None:
            return ""
        relation = nearest(self._puzzle, self._formula, self._group, [self._first], model)
        return str(relation or "")


def _announce(search: Models) -> ModelSearch:
    """The models, and None before each search, because it may take long."""
    yield None
    for model in search:
        yield model
        yield None


@dataclass(frozen=True)
class Explain:
    """Looks for the reasons why there is no solution, once that is established."""

    task: Task
    why: str = "there is no solution, and the reasons are searched for"

    def run(self, desk: Desk, answer: Answer) -> Iterator[Event]:
        # most puzzles have a solution
        from jigsat.diagnosis.corrections import Corrections
        from jigsat.diagnosis.unsolvable import MAX_CORRECTIONS_S, SEARCHING_SHARE, find_reasons

        yield LongSearch()
        unfinished = ""
        corrections = Corrections()
        timeout = self.task.means.timeout
        seconds = MAX_CORRECTIONS_S if timeout is None else SEARCHING_SHARE * timeout
        for reason in find_reasons(self.task.puzzle, seconds=seconds):
            match reason:
                case str():
                    unfinished = reason
                case Corrections():
                    corrections = reason
                case FoundReasons():
                    yield Explained(reason)
                    yield LongSearch()
        for correction in corrections.reasons:
            yield Explained(FoundReasons(correction))
        yield ReasonsEnded(corrections.unfinished or unfinished)


@dataclass(frozen=True)
class RatePuzzle:
    """Measures how difficult the puzzle is."""

    task: Task
    why: str = "propagation, failed literals and a search are tried in turn"

    def run(self, desk: Desk, answer: RatingAnswer) -> Iterator[Event]:
        from jigsat.rating.difficulty import rating  # most runs need none of it

        yield LongSearch()
        yield Rated(rating(self.task.puzzle))


@dataclass(frozen=True)
class DecideCandidates:
    """Decides about each placement, whether it is in all solutions, in some, or in none."""

    task: Task
    why: str = "solutions are listed, and a solver is asked for what none of them has"

    def run(self, desk: Desk, answer: CandidatesAnswer) -> Iterator[Event]:
        from jigsat.study.candidates import find_candidates  # most runs need none of it

        question = self.task.question
        assert isinstance(question, FindCandidates)
        for candidates in find_candidates(self.task.puzzle, question.given, count=question.count):
            known = answer.candidates
            news = {
                placement: status
                for placement, status in candidates.statuses.items()
                if known.statuses.get(placement) != status
            }
            yield Decided(news, candidates.possible - known.possible, candidates.solvable)
            if candidates.complete:
                yield CandidatesEnded(candidates.counts, candidates.total, candidates.conflict)


@dataclass(frozen=True)
class DecideAlternatives:
    """Decides what can be at a place, such as each word of a slot."""

    task: Task
    why: str = "solutions that the family finds are checked, and a solver is asked about the rest"

    def run(self, desk: Desk, answer: AlternativesAnswer) -> Iterator[Event]:
        from jigsat.study.candidates import find_alternatives  # most runs need none of it

        question = self.task.question
        assert isinstance(question, FindAlternatives)
        for statuses in find_alternatives(self.task.puzzle, question.place, question.given):
            known = answer.statuses
            news = {name: status for name, status in statuses.items() if known.get(name) != status}
            yield Judged(news)
        yield Judged({}, complete=True)
