"""Many puzzles with a ledger: the same answers as without one, however a run is stopped, resumed
and repeated."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.answers import solve_all
from support.inside import jigsat
from support.unreliable import Unreliable

from jigsat import InputError, Puzzle, instance
from jigsat.answering import puzzle_ledger
from jigsat.answering.puzzle_ledger import answer_with_ledger, count_answered
from jigsat.ledger.file import Ledger
from jigsat.questions import Answer, FirstSolutions, Means
from jigsat.symmetry import Level

GRIDS = [
    "." * 16,
    "1" + "." * 15,
    "1..2" + "." * 12,
    "1234341221434321",
    "11" + "." * 14,
    "1234" + "." * 12,
]


@pytest.fixture
def puzzles() -> list[Puzzle]:
    return [
        instance.parse({"family": "sudoku", "grid": grid}, name=f"p-{i}", origin="p")
        for i, grid in enumerate(GRIDS, 1)
    ]


class Batch(NamedTuple):
    """A question and the puzzles."""

    question: FirstSolutions
    puzzles: list[Puzzle]
    backend: str

    def solved(self, path: Path) -> int:
        """The number of solved puzzles in a file."""
        means = Means(self.backend, store=path, source="puzzles")
        return count_answered(self.question, self.puzzles, means)


def batch(
    puzzles: list[Puzzle], *, backend: str = "auto", up_to: str = "nothing", limit: int = 2
) -> Batch:
    return Batch(FirstSolutions(Level(up_to), limit), puzzles, backend)


def solved(wanted: Batch, path: Path, jobs: int) -> Generator[tuple[list[Any], bool], None, None]:
    """The solutions of each puzzle, and whether there are no others."""
    means = Means(wanted.backend, jobs=jobs, store=path, source="puzzles")
    reports: Any = answer_with_ledger(wanted.question, wanted.puzzles, means)
    answers = [Answer(puzzle, limit=wanted.question.limit) for puzzle in wanted.puzzles]
    first = 0
    with closing(reports):
        for ready in reports:
            for number, event in ready:
                answers[number].add(event)
            while first < len(answers) and answers[first].is_known:
                answer = answers[first]
                first += 1
                rows = [(each.placements, each.relation) for each in answer.solutions]
                yield rows, answer.complete


def expected(wanted: Batch) -> list[Any]:
    question = wanted.question
    answers = solve_all(wanted.puzzles, wanted.backend, question.limit, question.up_to)
    return [
        ([(each.placements, each.relation) for each in answer.solutions], answer.complete)
        for answer in answers
    ]


def sizes(answers: Iterable[Any]) -> list[tuple[int, bool]]:
    """What does not depend on the order in which puzzles are solved: which of many solutions are
    found does."""
    return [(len(found), complete) for found, complete in answers]


@pytest.mark.parametrize(
    "options", [{}, {"limit": 3, "up_to": "rotation"}, {"backend": "cover"}, {"limit": 1}], ids=str
)
def test_the_answers_are_those_without_a_ledger(
    options: dict[str, Any], puzzles: list[Puzzle], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = batch(puzzles, **options)
    first = list(solved(wanted, tmp_path / "ledger", 1))
    assert sizes(first) == sizes(expected(wanted))
    if options.get("backend") != "cover":
        assert first == expected(wanted)
    monkeypatch.delattr(puzzle_ledger.PuzzleWorker, "work")  # nothing is left to solve
    assert list(solved(wanted, tmp_path / "ledger", 1)) == first
    assert wanted.solved(tmp_path / "ledger") == len(puzzles)


def test_a_stopped_run_is_resumed(puzzles: list[Puzzle], tmp_path: Path) -> None:
    wanted, path, done = batch(puzzles), tmp_path / "ledger", 0
    for number in (1, 2, 4):
        run = solved(wanted, path, 1)
        assert sizes([next(run) for _ in range(number)]) == sizes(expected(wanted)[:number])
        run.close()
        assert max(number, done) <= (done := wanted.solved(path))
    assert sizes(solved(wanted, path, 1)) == sizes(expected(wanted))


@pytest.mark.parametrize("seed", range(3))
def test_lost_and_repeated_answers_change_nothing(
    seed: int, puzzles: list[Puzzle], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = puzzle_ledger.PuzzleWorker
    monkeypatch.setattr(puzzle_ledger, "open_workers", lambda *_: Unreliable(make, seed, 0.2))
    answers = list(solved(batch(puzzles), tmp_path / "ledger", 1))
    assert sizes(answers) == sizes(expected(batch(puzzles)))


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as rows:
        rows.executescript(statement)
        rows.commit()


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (
            "UPDATE solution SET placements = '[5, [], \"\"]' WHERE subproblem = 5",
            "p-4: not a solution: ",
        ),
        (
            "UPDATE solution SET placements = '[5, [7], \"\"]' WHERE subproblem = 5",
            "p-4: not a solution of this puzzle",
        ),
        ("UPDATE solution SET placements = 'x' WHERE subproblem = 5", " is wrong)"),
        ("UPDATE solution SET placements = 7 WHERE subproblem = 5", " is wrong)"),
        (
            "INSERT INTO solution (subproblem, placements) SELECT 5, replace(placements, '\"\"', "
            "'\"again\"') FROM solution "
            "WHERE subproblem = 5; UPDATE subproblem SET counts = '[[2, 1, [], 1]]' WHERE id = 5",
            "damaged (a solution of p-4 is repeated)",
        ),
        *(
            (
                f"UPDATE solution SET placements = '[6, {row}]' WHERE subproblem = 6",
                "p-5: not a reason why this puzzle",
            )
            for row in (
                '"", 7',
                '"", [[1]]',
                '"", [], 1',
                r'"\n", []',
                r'"", [[["\u001b", []], [], [], [[], [], [], ""]]]',
            )
        ),
        ("DELETE FROM solution WHERE subproblem = 5", "damaged (subproblem 5 has lost solutions)"),
        ("UPDATE subproblem SET id = 50 WHERE id = 5", "damaged (p-4 is missing)"),
        (
            "UPDATE subproblem SET id = 50, state = 'open', counts = NULL, backend = NULL WHERE "
            "id = 5",
            "damaged (there are other puzzles)",
        ),
        (
            "DELETE FROM subproblem WHERE id = 5",
            "damaged (subproblems or their counts are missing)",
        ),
    ],
)
def test_damage_is_refused(
    statement: str, complaint: str, puzzles: list[Puzzle], tmp_path: Path
) -> None:
    path = tmp_path / "ledger"
    assert len(list(solved(batch(puzzles), path, 1))) == len(puzzles)
    changed(path, statement)
    with pytest.raises(InputError) as refused:
        list(solved(batch(puzzles), path, 1))
    assert complaint in str(refused.value) and str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (lambda puzzles: batch(puzzles, limit=3), "holds up to 2 solutions of each puzzle, not 3"),
        (
            lambda puzzles: batch(puzzles, up_to="all"),
            "holds the solutions up to nothing, not up to all its symmetries",
        ),
        (lambda puzzles: batch(puzzles[1:]), "belongs to another instance, puzzles"),
        (lambda puzzles: batch(puzzles[::-1]), "belongs to another instance, puzzles"),
    ],
)
def test_other_requests_are_refused(
    other: Callable[[list[Puzzle]], Batch], complaint: str, puzzles: list[Puzzle], tmp_path: Path
) -> None:
    path = tmp_path / "ledger"
    next(solved(batch(puzzles), path, 1))
    with pytest.raises(InputError, match=complaint):
        other(puzzles).solved(path)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = tmp_path / "many.txt", tmp_path / "ledger"
    file.write_text("\n".join(GRIDS) + "\n", encoding="utf-8")
    plain = jigsat(capsys, "solve", file)
    assert jigsat(capsys, "solve", file, "--store", store) == plain
    again = jigsat(capsys, "solve", file, "--store", store, "--jobs", "2")
    assert again == (0, plain.out, f"{store}: 6 of 6 puzzles already solved\n{plain.err}")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("ledger")] == [
        "ledger"
    ]
    shown = jigsat(capsys, "ledger", store).out
    assert shown.startswith("many: 6 of 6 puzzles solved; complete\n") and "  puzzle 1\n" in shown
    for command, complaint in (
        (("solve", file, "--store", store, "--limit", "3"), "use --limit, or name another file"),
        (("solve", "cats", "--store", store), "belongs to another instance, many"),
        (("count", "cats", "--store", store), "belongs to another instance, many"),
        (
            ("solve", file, "--cluster", "local:2", "--jobs", "2"),
            "--jobs cannot be combined with --cluster",
        ),
        (("ledger", store, "--audit"), "a ledger of many puzzles has no audit"),
    ):
        done = jigsat(capsys, *command)
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert complaint in done.err


def test_several_processes_share_puzzles(puzzles: list[Puzzle], tmp_path: Path) -> None:
    answers = list(solved(batch(puzzles), tmp_path / "ledger", 2))
    assert [complete for _, complete in answers] == [
        complete for _, complete in expected(batch(puzzles))
    ]
    with closing(Ledger(tmp_path / "ledger")) as opened:
        assert opened.states() == {"split": 1, "done": 6}
