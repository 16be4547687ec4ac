"""Candidates as an answer: the sum of its events, told as they are decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pytest
from support.ledgers import dominoes

import jigsat
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.questions import (
    Candidates,
    CandidatesAnswer,
    CandidatesEnded,
    Decided,
    Event,
    FindCandidates,
    Means,
    Status,
)
from jigsat.services.answer import answer_question, follow_answer
from jigsat.study import candidates
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Placement


def list_events(task: Task) -> list[Event]:
    with closing(Desk("auto")) as desk:
        events = answer_task(task, desk)
        return [event for event in events if isinstance(event, Decided | CandidatesEnded)]


@pytest.mark.parametrize("count", [False, True])
@pytest.mark.parametrize("name", ["cats", "cube", "lights-unsolvable"])
def test_the_sum_of_the_events_is_what_was_found_last(
    name: str, count: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "REPORT_INTERVAL_S", 0.0)
    puzzle = jigsat.load(name)
    *_, last = candidates.find_candidates(puzzle, count=count)
    question = FindCandidates(count=count)
    assert answer_question(question, puzzle).candidates == last
    *_, followed = follow_answer(question, puzzle)
    assert (followed.candidates, followed.is_final) == (last, True)


def test_each_event_adds_what_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first candidates are told long before the last ones, and none is told again."""
    monkeypatch.setattr(candidates, "REPORT_INTERVAL_S", 0.0)
    begun, *events = list_events(Task(PuzzleSubject(dominoes()), FindCandidates()))
    assert isinstance(begun, Decided) and {*begun.statuses.values()} == {"unknown"}
    assert isinstance(events[-1], CandidatesEnded)
    decided: dict[Placement, Status] = {}
    sizes = []
    for event in events[:-1]:
        assert isinstance(event, Decided)
        assert "unknown" not in event.statuses.values()
        assert decided.keys().isdisjoint(event.statuses)
        decided |= event.statuses
        sizes.append(len(event.statuses))
    assert decided.keys() == begun.statuses.keys()
    assert sum(size > 0 for size in sizes) > 1


@pytest.mark.parametrize("isolated", [False, True])
def test_what_was_decided_before_a_limit_is_kept(
    isolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = candidates.find_candidates

    def stopping(puzzle: jigsat.Puzzle, *given: object, count: bool) -> Iterator[Candidates]:
        yield from islice(whole(puzzle, count=count), 2)
        raise jigsat.Stopped("memory")

    monkeypatch.setattr(candidates, "REPORT_INTERVAL_S", 0.0)
    monkeypatch.setattr(candidates, "find_candidates", stopping)
    answer = answer_question(FindCandidates(), dominoes(), Means(), isolated=isolated)
    assert isinstance(answer, CandidatesAnswer)
    assert (answer.stopped_by, answer.is_final) == ("memory", False)
    assert answer.candidates.solvable and answer.candidates.possible
    assert answer.json()["complete"] is False
