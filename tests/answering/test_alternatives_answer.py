"""What can be at a place, as an answer: the sum of its events."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

import pytest

import jigsat
from jigsat.questions import AlternativesAnswer, FindAlternatives, Means, Status
from jigsat.services.answer import answer_question
from jigsat.study import candidates
from jigsat.symmetry import Placement


def test_the_answer_is_what_was_found_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "REPORT_INTERVAL_S", 0.0)
    puzzle = jigsat.load("crossword-5x5")
    for slot in puzzle.slots:
        *_, last = candidates.find_alternatives(puzzle, slot.name)
        answer = answer_question(FindAlternatives(slot.name), puzzle)
        assert (answer.statuses, answer.is_final) == (last, True)
        assert list(answer.statuses) == list(last), "the best first"


@pytest.mark.parametrize("isolated", [False, True])
def test_what_was_decided_before_a_limit_is_kept(
    isolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = candidates.find_alternatives

    def stopping(
        puzzle: jigsat.Puzzle, place: str, given: Collection[Placement]
    ) -> Iterator[dict[str, Status]]:
        yield from islice(whole(puzzle, place, given), 4)
        raise jigsat.Stopped("memory")

    monkeypatch.setattr(candidates, "REPORT_INTERVAL_S", 0.0)
    monkeypatch.setattr(candidates, "find_alternatives", stopping)
    puzzle = jigsat.load("crossword-5x5")
    answer = answer_question(FindAlternatives("1 across"), puzzle, Means(), isolated=isolated)
    assert isinstance(answer, AlternativesAnswer)
    assert (answer.stopped_by, answer.is_final) == ("memory", False)
    assert {"unknown"} < set(answer.statuses.values()), "some are decided, some are not"
    assert answer.json()["complete"] is False
