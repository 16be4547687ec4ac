"""The services that explain how a puzzle or formula is encoded and solved, and which clues are
needed."""

from __future__ import annotations

from jigsat.answering.plan import make_plan
from jigsat.answering.task import Task
from jigsat.diagnosis.cores import MAX_SEARCH_S, JudgedClues, judge_clues
from jigsat.diagnosis.grid_clues import judge_grid_clues
from jigsat.explanation.summary import Explanation, explain_encoding
from jigsat.formula import Lowering
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Puzzle
from jigsat.questions import Count, Question, Solutions
from jigsat.solving.options import validate
from jigsat.subject import Problem, Symmetries, subject_of


def explain(
    problem: Problem, lowering: Lowering | None = None, group: Symmetries = ()
) -> Explanation:
    """The encoding, the symmetries, and how `solve` and `count` work without options."""
    validate(lowering=lowering)
    subject = subject_of(problem, group)
    questions: dict[str, Question] = {"solve": Solutions(), "count": Count()}
    strategies = []
    for command, question in questions.items():
        ways = make_plan(Task(subject, question))
        strategies.append(f"{command}: {'; otherwise '.join(way.why for way in ways)}")
    return explain_encoding(subject, lowering, strategies)


def explain_clues(puzzle: Puzzle, seconds: float = MAX_SEARCH_S) -> JudgedClues:
    """Which clues are needed, and which conflict; the search for a smallest set of given placements
    that conflict ends after some seconds."""
    if isinstance(puzzle, GridPuzzle):
        return judge_grid_clues(puzzle)
    return judge_clues(puzzle, seconds)
