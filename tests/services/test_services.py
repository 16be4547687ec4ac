"""The services, through the functions of `import jigsat`: what the command line does as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jigsat
from jigsat import InputError
from jigsat.proofs.properties import InstanceRead, SymmetriesHold
from jigsat.questions import Answer, Chosen, Established, Event, Found
from jigsat.services.check import Verdict
from jigsat.services.check import check as check_certificate
from jigsat.services.sheet import (
    Doubted,
    LaidOut,
    SheetRequest,
    Working,
    lay_out,
)


def test_a_certificate_is_written_and_checked(tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    steps = jigsat.prove("cats", folder, lrat=True)
    assert steps[0].startswith("enumerated  4 solutions")
    assert (folder / "proof.lrat").exists()
    verdict = jigsat.check(folder)
    assert verdict.is_right and verdict.refuted_by == ""
    assert verdict.verified[0] == InstanceRead("cats.toml", True)
    assert SymmetriesHold(4) in verdict.verified
    assert "symmetries  4 in a group that maps solutions to solutions" in verdict.lines()
    assert str(verdict).endswith("\nverified")
    with pytest.raises(InputError, match=r"not empty|exists"):
        jigsat.prove("cats", folder)

    solutions = folder / "solutions.json"
    text = solutions.read_text("utf-8")
    solutions.write_text(text.replace('"turn": 0', '"turn": 1', 1), "utf-8")
    events = list(check_certificate(folder))
    *verified, last = events
    assert isinstance(last, Verdict) and not last.is_right and last.refuted_by
    assert list(last.verified) == verified
    assert not jigsat.check(folder).is_right


def test_many_puzzles_are_answered(tmp_path: Path) -> None:
    names = ["sudoku-6x6", "cube", "lights-unsolvable"]
    store = tmp_path / "ledger"
    for options in ({}, {"jobs": 2}, {"store": store}, {"store": store}):
        answers = list(jigsat.unique_each(names, **options))  # type: ignore[arg-type]
        assert [answer.verdict for answer in answers] == ["unique", "several", "none"]
        assert answers[2].why is not None and answers[2].why.found
        assert all(answer.is_final for answer in answers)
    rated = list(jigsat.rate_each(names[:2], jobs=2))
    assert [answer.puzzle.name for answer in rated] == names[:2]
    assert rated[0].rating == jigsat.rate("sudoku-6x6")


def test_a_sheet_reports_what_it_does() -> None:
    request = SheetRequest([jigsat.load("cube"), jigsat.load("lights-5x5")])
    *events, last = lay_out(request)
    working = [str(event) for event in events if isinstance(event, Working)]
    assert working == ["solving 1", "solving 2"]
    assert isinstance(last, LaidOut) and not last.stopped
    first, second = last.document.puzzles()
    assert len(first.pieces) == 6 and len(second.boards) == 1
    assert first.solution and first.solution.pictures
    doubts = [event for event in events if isinstance(event, Doubted)]
    assert all(event.words for event in doubts)


def test_a_sheet_is_written(tmp_path: Path) -> None:
    page = tmp_path / "lights.svg"
    assert jigsat.sheet(["lights-5x5"], page, solutions=False) == []
    assert page.read_text("utf-8").startswith("<svg")
    with pytest.raises(InputError, match="more are needed"):
        jigsat.sheet(["lights-5x5"], page)
    with pytest.raises(InputError, match="one page, but 2 are needed"):
        jigsat.sheet(["cats", "cube"], page, solutions=False)
    with pytest.raises(InputError, match=r"\.pdf, \.html or \.svg"):
        jigsat.sheet(["lights-5x5"], tmp_path / "lights.txt")
    with pytest.raises(ValueError, match="`paper` must be one of a4, letter"):
        jigsat.sheet(["lights-5x5"], page, paper="a3")
    book = tmp_path / "book.html"
    jigsat.sheet(["lights-5x5"], book, title="A book", chapters={"lights-out": "Lamps"})
    assert "<h1>Lamps</h1>" in book.read_text("utf-8")


def test_a_file_of_another_program_is_imported(tmp_path: Path) -> None:
    source, output = tmp_path / "some.txt", tmp_path / "some.toml"
    grid = "1234" + "." * 12
    source.write_text(f"{grid}\n{grid}\n{'.' * 16}\n", "utf-8")
    assert len(jigsat.import_file(source, output)) == 3
    assert len(jigsat.load_all(output)) == 3
    with pytest.raises(InputError, match="exists already"):
        jigsat.import_file(source, output)
    with pytest.raises(InputError, match=r"ends in \.toml"):
        jigsat.import_file(source, tmp_path / "some.json")


def test_a_formula_is_exported_without_known_solutions(tmp_path: Path) -> None:
    file, known = tmp_path / "cats.cnf", tmp_path / "known.json"
    solution = next(jigsat.solutions("cats"))
    known.write_text(json.dumps({"up_to": "rotation", "found": [solution.objects()]}))
    jigsat.export("cats", file, known=known, timeout=60)
    assert jigsat.count(file).solutions == 0  # the four solutions are turned copies of one
    with pytest.raises(InputError, match="this is a formula"):
        jigsat.export(file, tmp_path / "again.cnf", known=known)

    answer = "s UNSATISFIABLE\n"
    assert jigsat.decode("cats", answer, formula=file) == []
    with pytest.raises(InputError, match="an export of another instance"):
        jigsat.decode("cube", answer, formula=file)


def test_a_puzzle_is_written_in_other_formats_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "hard.sdk"
    jigsat.export("sudoku-hard", file, format="sdk")
    puzzle = jigsat.load(file)
    assert puzzle.given_placements() == jigsat.load("sudoku-hard").given_placements()
    with pytest.raises(InputError, match="unknown format 'csv'"):
        jigsat.export("sudoku-hard", file, format="csv")

    instance = tmp_path / "again.toml"
    jigsat.save(puzzle, instance)
    assert jigsat.load(instance).digest() == puzzle.digest()
    with pytest.raises(InputError, match="exists already"):
        jigsat.save(puzzle, instance)
    jigsat.save(puzzle, instance, force=True)


def test_puzzles_are_generated_in_a_folder_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    options = {"number": 3, "seed": 1, "size": 4, "output": tmp_path}
    first = next(jigsat.generate("sudoku", **options))  # type: ignore[arg-type]
    rest = list(jigsat.generate("sudoku", jobs=2, **options))  # type: ignore[arg-type]
    assert len(rest) == 2
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"sudoku-1-{i}.toml" for i in (1, 2, 3)]
    assert jigsat.load(files[0]).digest() == first.digest()
    assert first.source == "jigsat generate sudoku --set size=4 --seed 1, number 1"
    here = jigsat.generate("sudoku", number=3, seed=1, size=4)
    assert [puzzle.digest() for puzzle in here] == [jigsat.load(file).digest() for file in files]


def test_what_is_given_is_read_and_drawn(tmp_path: Path) -> None:
    puzzle = jigsat.load("sudoku-6x6")
    clues = jigsat.read_placements(puzzle, "sudoku-6x6")
    assert clues == puzzle.given_placements()
    candidates = jigsat.candidates(puzzle)
    drawn = jigsat.draw_candidates(puzzle, candidates)
    picture = tmp_path / "both.svg"
    jigsat.save_pictures([drawn, next(jigsat.solutions(puzzle))], picture)
    assert drawn.startswith("<svg") and picture.read_text("utf-8").count("<svg") == 3
    with pytest.raises(InputError, match="unknown suffix"):
        jigsat.save_pictures([drawn], tmp_path / "both.gif")

    words = jigsat.alternatives("crossword-5x5", "1 across")
    assert "some" in words.values() or "all" in words.values()
    with pytest.raises(InputError):
        jigsat.alternatives("crossword-5x5", "99 across")


def test_pages_explain_steps_and_the_encoding(tmp_path: Path) -> None:
    steps, encoding = tmp_path / "steps.html", tmp_path / "encoding.html"
    jigsat.walkthrough("push-pull", steps)
    assert steps.read_text("utf-8").count("<details") >= len(list(jigsat.steps("push-pull")))
    jigsat.handout("push-pull", encoding)
    assert "<svg" in encoding.read_text("utf-8")
    assert jigsat.judge_clues("sudoku-6x6").solvable


def test_many_puzzles_have_a_limit_of_solutions() -> None:
    (answer,) = jigsat.unique_each(["cube"], limit=3)
    assert len(answer.solutions) == 3


def test_a_comparison_goes_on(tmp_path: Path) -> None:
    store, table = tmp_path / "runs", tmp_path / "runs.csv"
    for backends in (["cadical195"], ["cadical195", "glucose42"]):
        runs = jigsat.compare("cats", backends=backends, store=store, table=table)
        assert [run.combination.backend for run in runs] == backends
    # A header, and the plan and the run of each comparison: the first run is not repeated.
    assert len(store.read_text("utf-8").splitlines()) == 5
    assert len(table.read_text("utf-8").splitlines()) == 3


def test_a_family_is_started(tmp_path: Path) -> None:
    files = jigsat.start_family("night-sky", tmp_path)
    assert files[0] == tmp_path / "jigsat-night-sky" / "night_sky.py"
    with pytest.raises(InputError, match="exists already"):
        jigsat.start_family("night-sky", tmp_path)


def test_a_ledger_is_shown_and_audited(tmp_path: Path) -> None:
    store = tmp_path / "ledger"
    counted = jigsat.count("cats", store=store, backend="cover")
    report = jigsat.ledger_report(store)
    assert (report.solutions, report.complete) == (counted.solutions, True)
    assert jigsat.audit(store, sample=None).faults == []
    with pytest.raises(InputError, match="no such file"):
        jigsat.ledger_report(tmp_path / "missing")


def test_what_there_is_can_be_listed() -> None:
    assert {"cube", "cats", "soma"} <= set(jigsat.list_instances())
    assert "properties" in str(jigsat.schema("sudoku"))
    with pytest.raises(InputError, match="sudok"):
        jigsat.schema("sudok")


def test_an_answer_is_the_sum_of_its_events() -> None:
    from jigsat.answering.task import Desk, Task
    from jigsat.answering.work import answer_task
    from jigsat.questions import Count, FirstSolutions, Means, Result, Solutions
    from jigsat.subject import PuzzleSubject

    puzzle = jigsat.load("cube")
    for question in (Solutions(), Count(), FirstSolutions()):
        task = Task(PuzzleSubject(puzzle), question, Means())
        events: list[Event] = list(answer_task(task, Desk("auto")))
        assert isinstance(events[0], Chosen)

        # Whatever ends the events, the answer so far is true, and only the last one is final.
        answer = task.begin_answer()
        for event in events:
            assert not answer.is_final
            answer.add(event)
        assert answer.is_final
        found = sum(isinstance(event, Found) for event in events)
        if isinstance(answer, Result):
            assert (answer.solutions, answer.distinct) == (96, {"rotation": 4, "reflection": 2})
            assert isinstance(events[-1], Established) and answer.complete
            assert found == (0 if isinstance(question, Count) else 4)
        else:
            assert isinstance(answer, Answer)
            assert len(answer.solutions) == found == 2
