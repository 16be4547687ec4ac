"""The facts about a puzzle do not depend on how its search is divided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from support.ledgers import here, set_target
from support.stages import changed

import jigsat
from jigsat.answering import parts
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.backends import DEFAULT
from jigsat.errors import InputError
from jigsat.puzzle import Puzzle
from jigsat.questions import Answer, Event, FirstSolutions, Means
from jigsat.search import portfolio
from jigsat.solving import clues
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level

INSTANCES = (
    "cats",
    "dinner-impossible",
    "exact-cover-toy",
    "kakuro-2",
    "lights-5x5",
    "lights-unsolvable",
    "nurikabe-4",
    "push-pull",
    "slitherlink-4",
    "star-battle-6",
    "sudoku-6x6",
)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the puzzles whose parts are searched from now on."""
    names: list[str] = []
    run = parts.SearchParts.run

    def note(way: parts.SearchParts, desk: Desk, answer: Any) -> Iterator[Event]:
        names.append(way.task.subject.name)
        yield from run(way, desk, answer)

    monkeypatch.setattr(parts.SearchParts, "run", note)
    return names


@pytest.fixture
def hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """No first search by one process ends: all puzzles count as hard."""
    briefly = {backend: {"models": 0} for backend in (DEFAULT, "cover", "scan")}
    later = [stage for stage in changed(briefly) if stage.effort != portfolio.GRAPH_CONFLICTS]
    stages = [stage for stage in later if stage.backend != "scan" or stage.shared]
    monkeypatch.setattr(portfolio, "STAGES", tuple(stages))
    monkeypatch.setattr(clues, "BRIEF_NODES", 1)


@pytest.fixture
def finest(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process searches the parts, and splits them as finely as possible."""
    monkeypatch.setattr(parts, "open_workers", lambda *_: here())
    set_target(monkeypatch)


def list_facts(puzzle: Puzzle, jobs: int) -> list[tuple[object, ...]]:
    """What is known at the end about the first solutions, a list of all, and their number."""
    answer = find_first(puzzle, jobs)
    facts: list[tuple[object, ...]] = [
        (len(answer.solutions), answer.complete, answer.established_by, answer.stopped_by)
    ]
    listed: Any = jigsat.solutions(puzzle, jobs=jobs)
    for result in (listed.run(), jigsat.count(puzzle, jobs=jobs)):
        facts.append(
            (
                result.solutions,
                result.distinct,
                result.complete,
                result.established_by,
                result.stopped_by,
            )
        )
    return facts


def find_first(puzzle: Puzzle, jobs: int, *, explain: bool = False) -> Answer:
    question = FirstSolutions(Level.ROTATION, limit=2, explain=explain)
    task = Task(PuzzleSubject(puzzle), question, Means(jobs=jobs))
    answer = task.begin_answer()
    assert isinstance(answer, Answer)
    with closing(Desk("auto")) as desk:
        for event in answer_task(task, desk):
            answer.add(event)
    return answer


@pytest.mark.parametrize("name", INSTANCES)
def test_two_processes_establish_the_same_facts(name: str) -> None:
    puzzle = jigsat.load(name)
    assert list_facts(puzzle, jobs=2) == list_facts(puzzle, jobs=1)


@pytest.mark.usefixtures("hard", "finest")
@pytest.mark.parametrize("name", INSTANCES)
def test_the_finest_parts_establish_the_same_facts(name: str, searched: list[str]) -> None:
    puzzle = jigsat.load(name)
    whole = list_facts(puzzle, jobs=1)
    assert searched == []
    assert list_facts(puzzle, jobs=2) == whole
    if {by for *_, by, _ in whole} != {"rank"}:  # linear algebra needs no search
        assert set(searched) == {name}


@pytest.mark.usefixtures("hard")
def test_two_processes_search_parts_of_hard_puzzles(searched: list[str]) -> None:
    for name in ("cats", "sudoku-6x6"):
        puzzle = jigsat.load(name)
        assert list_facts(puzzle, jobs=2) == list_facts(puzzle, jobs=1)
        assert name in searched


@pytest.mark.usefixtures("hard", "finest")
def test_a_puzzle_without_solutions_is_searched_once(
    searched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its parts, only the reasons are missing."""
    monkeypatch.setattr("jigsat.answering.puzzles.check_model", refuse_model)
    answer = find_first(jigsat.load("dinner-impossible"), jobs=2, explain=True)
    assert (answer.complete, answer.solutions, answer.reasons_ended) == (True, [], True)
    assert searched == ["dinner-impossible"]


def refuse_model(*_: object) -> None:
    raise InputError("a solution")
