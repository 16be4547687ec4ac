"""Ledgers that a stranger made or damaged: nothing in them is run or believed, and each error is
one line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat
from support.ledgers import ATOMS, coordinate

import jigsat as python
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import count_header
from jigsat.subject import PuzzleSubject

Capture = pytest.CaptureFixture[str]


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as rows:
        for statement in statements:
            rows.execute(statement)
        rows.commit()


def header(place: str, value: str) -> str:
    """The statement that sets a part of the header to a value in SQL."""
    return f"UPDATE header SET text = json_set(text, '$.{place}', {value})"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of a count that was stopped when the first subproblems were done."""
    path = tmp_path_factory.mktemp("begun") / "ledger"
    with closing(
        Ledger(path, count_header(PuzzleSubject(python.load("queens-8")), "cadical195"))
    ) as ledger:
        for _ in coordinate(ledger, None, ATOMS):
            if ledger.states().get("done", 0) > 3:
                break
    return path


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("complete") / "ledger"
    with closing(
        Ledger(path, count_header(PuzzleSubject(python.load("cats")), "cadical195"))
    ) as ledger:
        for _ in coordinate(ledger, None, ATOMS):
            pass
    return path


@pytest.fixture
def ledger(complete: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(complete, tmp_path / "ledger"))


COMMANDS = [
    ("ledger", "ledger"),
    ("ledger", "ledger", "all", "--audit"),
    ("count", "cats", "--store", "ledger"),
]


def refused(capsys: Capture, what: str, commands: Any = COMMANDS) -> None:
    for command in commands:
        done = jigsat(capsys, *command)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), (command, done)
        assert done.err.startswith("jigsat: ledger: ") and what in done.err, (command, done)


# -- programs


@pytest.fixture
def evil(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ledger states that a program beside it is its backend. The program writes a file and
    finds no solution."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\necho s UNSATISFIABLE\nexit 20\n")
    program.chmod(0o755)
    path = Path(shutil.copy(begun, tmp_path / "ledger"))
    change(path, header("problem.backend", "'./evil.sh'"))
    return path


def test_a_program_that_a_ledger_names_is_not_run(
    evil: Path, tmp_path: Path, capsys: Capture
) -> None:
    change(evil, "UPDATE subproblem SET backend = './evil.sh' WHERE backend IS NOT NULL")
    shown = jigsat(capsys, "ledger", "ledger")
    assert shown.status == 0 and "nodes, ./evil.sh\n" in shown.out
    audit = jigsat(capsys, "ledger", "ledger", "all", "--audit")
    assert audit.status == 0 and "of ./evil.sh counted again by " in audit.out
    done = jigsat(capsys, "count", "queens-8", "--store", "ledger")
    assert done.status == 0 and done.out.startswith("queens-8: 92 solutions")
    assert "complete (by " in done.out and "./evil.sh" in done.out.splitlines()[0]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("command", ["solve", "count"])
def test_the_ledger_of_a_list_runs_no_program(
    command: str, evil: Path, tmp_path: Path, capsys: Capture
) -> None:
    change(
        evil,
        header("kind", "'list', '$.listed', 'all', '$.minimize', json('false'), '$.formula', ''"),
        "UPDATE subproblem SET state = 'open', backend = NULL, counts = NULL WHERE state = 'done'",
    )
    done = jigsat(capsys, command, "queens-8", "--store", "ledger", "--json")
    answer = json.loads(done.out)
    assert (done.status, answer["solutions"], answer["complete"]) == (0, 92, True)
    assert "evil" not in answer["backend"] and not (tmp_path / "ran").exists()


def test_a_program_that_the_person_names_is_run(
    evil: Path, tmp_path: Path, capsys: Capture
) -> None:
    done = jigsat(capsys, "count", "queens-8", "--store", "ledger", "--backend", "./evil.sh")
    assert done.status in (0, 1) and "./evil.sh" in done.out and "cadical195" in done.out
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    assert "the counts differ" in jigsat(capsys, "ledger", "ledger", "all", "--audit").out
    assert not (tmp_path / "ran").exists()


def test_an_audit_counts_with_the_backend_that_is_named(ledger: Path, capsys: Capture) -> None:
    pytest.importorskip("clingo")
    done = jigsat(capsys, "ledger", "ledger", "all", "--audit", "--backend", "clingo")
    assert (
        done.status == 0
        and "of cadical195 counted again by clingo, with the same counts" in done.out
    )
    done = jigsat(capsys, "ledger", "ledger", "--backend", "clingo")
    assert (done.status, done.err) == (2, "jigsat: --backend clingo: only allowed with --audit\n")


def test_the_backend_of_many_puzzles_is_not_taken_from_the_file(
    evil: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "many.txt").write_text("1234341221434321\n" + "1" + "." * 15 + "\n")
    assert jigsat(capsys, "solve", "many.txt", "--store", "puzzles").status == 0
    change(
        tmp_path / "puzzles",
        header("backend", "'./evil.sh'"),
        "UPDATE subproblem SET state = 'open', backend = NULL, counts = NULL WHERE id > 1",
        "DELETE FROM solution",
    )
    assert "many-1: unique" in jigsat(capsys, "solve", "many.txt", "--store", "puzzles").out
    assert not (tmp_path / "ran").exists()


# -- the schema


RENAMED = "ALTER TABLE subproblem RENAME TO other"
COLUMNS = (
    "id, parent, literals, state, refuted, weight, attempts, worker, backend, established_by, "
    "seconds, nodes, "
    "CASE WHEN strftime('%s', 'now') % 2 THEN counts ELSE '[]' END AS counts"
)


@pytest.mark.parametrize(
    "statements",
    [
        (RENAMED, f"CREATE VIEW subproblem AS SELECT {COLUMNS} FROM other"),
        (
            RENAMED,
            "CREATE VIEW subproblem AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 "
            "FROM n) "
            "SELECT other.* FROM n, other",
        ),
        ("ALTER TABLE header RENAME TO h", "CREATE VIEW header AS SELECT text FROM h"),
        ("CREATE TRIGGER t AFTER UPDATE ON subproblem BEGIN DELETE FROM solution; END",),
        ("CREATE TABLE more (x)",),
        ("CREATE INDEX more ON subproblem (seconds)",),
        ("CREATE INDEX more ON subproblem (abs(seconds)) WHERE nodes > 0",),
        ("ALTER TABLE subproblem ADD COLUMN more AS (hex(zeroblob(1000000000)))",),
        ("DROP INDEX by_state", "CREATE INDEX by_state ON subproblem (state COLLATE NOCASE, id)"),
        ("DROP TABLE header", "CREATE TABLE header (text TEXT PRIMARY KEY) WITHOUT ROWID"),
        (
            "DROP TABLE solution",
            "CREATE VIRTUAL TABLE solution USING fts5(id, subproblem, placements)",
        ),
        ("ANALYZE",),
        (
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, 'weight REAL', 'weight BLOB')",
        ),
        (
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = 'x' || char(10) || 'complete'",
        ),
        ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 2"),
        ("PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'by_state'"),
    ],
    ids=str,
)
def test_other_tables_are_refused(
    statements: tuple[str, ...], ledger: Path, capsys: Capture
) -> None:
    change(ledger, *statements)
    before = ledger.read_bytes()
    refused(capsys, "damaged (")
    assert ledger.read_bytes() == before


@pytest.mark.slow
def test_a_large_ledger_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ledger"
    with closing(Ledger(path, count_header(PuzzleSubject(python.load("soma")), "cover"))):
        pass
    split = (
        "UPDATE subproblem SET state = 'split', backend = 'cover', established_by = 'exhaustion'"
    )
    # each subproblem is split by the next variable
    part = (
        "INSERT INTO subproblem (parent, literals, state, weight, backend, established_by) "
        "SELECT id, json_insert(literals, '$[#]', {sign} * (1 + json_array_length(literals))), "
        "'split', weight / 2, 'cover', 'exhaustion' FROM subproblem "
        "WHERE json_array_length(literals) = {depth} AND id <= {last}"
    )
    parts = [
        part.format(sign=sign, depth=depth, last=2 ** (depth + 1) - 1)
        for depth in range(16)
        for sign in (1, -1)
    ]
    done = (
        "UPDATE subproblem SET state = 'done', counts = '[]' WHERE json_array_length(literals) = 16"
    )
    change(path, split, *parts, done)
    shown = jigsat(capsys, "ledger", "ledger")
    assert (shown.status, shown.err) == (0, "")
    assert "subproblems: 65,536 done, 65,535 split" in shown.out


# -- texts and values


def test_names_are_printed_on_one_line(ledger: Path, capsys: Capture) -> None:
    change(ledger, header("instance", "'soma: 9,999 solutions; complete' || char(10) || 'cats'"))
    shown = jigsat(capsys, "ledger", "ledger")
    assert shown.out.startswith("soma: 9,999 solutions; complete\\ncats: 4 solutions")
    audit = jigsat(capsys, "ledger", "ledger", "--audit")
    assert audit.status == 1
    assert (
        audit.out
        == "soma: 9,999 solutions; complete\\ncats: the puzzle in it has another name, cats\n"
    )


def test_the_name_of_a_puzzle_that_comes_with_jigsat_stands_for_that_puzzle(
    ledger: Path, capsys: Capture
) -> None:
    change(ledger, header("instance", "'fish'"), header("problem.puzzle.name", "'fish'"))
    audit = jigsat(capsys, "ledger", "ledger", "--audit")
    assert (audit.status, audit.out) == (1, "fish: not the fish that comes with jigsat\n")
    assert audit.err == "jigsat: ledger: the audit found 1 fault; do not trust the counts in it\n"


def test_another_puzzle_is_not_resumed_unnoticed(ledger: Path, capsys: Capture) -> None:
    digest = python.load("fish").digest()
    change(
        ledger,
        header("instance", "'mine'"),
        header("problem.puzzle.name", "'mine'"),
        header("digest", f"'{digest}'"),
    )
    audit = jigsat(capsys, "ledger", "ledger", "--audit")
    assert (audit.status, audit.out) == (1, "mine: it is resumed for another puzzle\n")


DONE = "WHERE state = 'done'"


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE subproblem SET state = 'x' || char(10) || 'complete' {DONE}",
        f"UPDATE subproblem SET counts = NULL {DONE}",
        f"UPDATE subproblem SET backend = NULL {DONE}",
        f"UPDATE subproblem SET backend = 'x' || char(10) || 'complete' {DONE}",
        f"UPDATE subproblem SET backend = 'cadical195, checked by all) (' {DONE}",
        f"UPDATE subproblem SET established_by = 'proof, 2 s) (' {DONE}",
        f"UPDATE subproblem SET literals = replace(hex(zeroblob(50000)), '0', '[') {DONE}",
        f"UPDATE subproblem SET refuted = replace(hex(zeroblob(50000)), '0', '[') {DONE}",
        f"UPDATE subproblem SET counts = replace(hex(zeroblob(50000)), '0', '[') {DONE}",
        f"UPDATE subproblem SET counts = '[[1, 1, [1], 1{'0' * 4000}]]' {DONE}",
        f"UPDATE subproblem SET counts = '[[1, 1, [1], NaN]]' {DONE}",
        f"UPDATE subproblem SET counts = '[[4, 1, [1], 1], [4, 1, [1], 0]]' {DONE}",
        f"UPDATE subproblem SET literals = '[99999999]' {DONE}",
        f"UPDATE subproblem SET literals = '[1.0]' {DONE}",
        "UPDATE subproblem SET refuted = '[99999999]'",
        "UPDATE subproblem SET seconds = 'x'",
        "UPDATE subproblem SET seconds = 9e999",
        "UPDATE subproblem SET seconds = -1",
        "UPDATE subproblem SET attempts = 'x'",
        "UPDATE subproblem SET attempts = -5",
        "UPDATE subproblem SET nodes = 9223372036854775807",
        "UPDATE subproblem SET nodes = 1.5",
        "UPDATE subproblem SET weight = 'x'",
        "UPDATE subproblem SET weight = -9e999",
        "UPDATE subproblem SET worker = x'00ff'",
        "UPDATE subproblem SET worker = CAST(x'00ff' AS TEXT)",
        "UPDATE subproblem SET parent = 'x'",
        "UPDATE subproblem SET id = -id",
        "UPDATE subproblem SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM "
        "subproblem)",
        "DELETE FROM header",
        "INSERT INTO header SELECT text FROM header",
        "UPDATE header SET text = replace(hex(zeroblob(50000)), '0', '[')",
        "UPDATE header SET text = x'00'",
        *(
            header(place, value)
            for place, value in (
                ("kind", "'other'"),
                ("instance", "json('[]')"),
                ("levels", 'json(\'{"rotation": "4"}\')'),
                ("levels", "json('{\"turned\": 4}')"),
                ("levels", "json('{}')"),
                ("problem", "json('null')"),
                ("problem.puzzle", "json('[0]')"),
                ("problem.puzzle.puzzle", "json('[0]')"),
                ("problem.breaking", "'x'"),
                ("problem.top", "-1"),
                ("more", "1"),
            )
        ),
    ],
)
def test_damaged_values_are_refused(statement: str, ledger: Path, capsys: Capture) -> None:
    change(ledger, statement)
    refused(capsys, "damaged (")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("problem.breaking", "json('[99999999]')"),
        ("problem.breaking", "json('[0]')"),
        ("problem.breaking", "json('[]')"),
        ("problem.top", "99999999"),
        ("problem.digest", "'x'"),
        ("problem.puzzle.puzzle", "json('{}')"),
        ("problem.puzzle.puzzle.family", "'none'"),
        ("problem.puzzle.puzzle.family", "json('[]')"),
        ("problem.puzzle.puzzle.board", "'square 1x1'"),
        (
            "problem.puzzle",
            'json(\'{"top": 2, "decisions": [1], "constraints": [["clause", [7]]], "name": "x"}\')',
        ),
        (
            "problem.puzzle",
            'json(\'{"top": 2, "decisions": [1], "constraints": [["linear", [1], [], 0, 1]], '
            '"name": "x"}\')',
        ),
    ],
)
def test_a_wrong_problem_is_refused(place: str, value: str, ledger: Path, capsys: Capture) -> None:
    change(ledger, header(place, value))
    for command in COMMANDS[:2]:
        done = jigsat(capsys, *command)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), (command, done)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM subproblem",
        "UPDATE subproblem SET weight = 0",
        "UPDATE subproblem SET state = 'split', counts = NULL",
    ],
)
def test_a_ledger_with_missing_parts_is_not_complete(
    statement: str, ledger: Path, capsys: Capture
) -> None:
    change(ledger, statement)
    refused(capsys, "damaged (subproblems or their counts are missing)", (COMMANDS[0], COMMANDS[2]))


def test_a_ledger_whose_parts_overlap_is_refused(
    ledger: Path, begun: Path, capsys: Capture
) -> None:
    shutil.copy(begun, ledger)
    literals = "SELECT literals FROM subproblem WHERE id = 2"
    change(ledger, f"UPDATE subproblem SET literals = ({literals}) WHERE parent = 1")
    refused(
        capsys,
        "is a part of 1 for the second time",
        [("ledger", "ledger"), ("count", "queens-8", "--store", "ledger")],
    )


def test_a_journal_beside_a_ledger_is_not_followed(ledger: Path, capsys: Capture) -> None:
    victim = ledger.with_name("victim")
    victim.write_text("precious")
    journal = ledger.with_name("ledger-journal")
    with closing(sqlite3.connect(ledger, isolation_level=None)) as rows:
        rows.execute(
            "PRAGMA cache_size = 1"
        )  # so that pages, and the journal before them, are written at once
        rows.execute("BEGIN IMMEDIATE")
        rows.executemany("INSERT INTO header VALUES (?)", [("x" * 4000,)] * 1000)
        pages, begun = ledger.read_bytes(), journal.read_bytes()
        rows.execute("ROLLBACK")
    name = bytes(victim)
    locked_page = 2**30 // int.from_bytes(pages[16:18]) + 1
    super_journal = (
        struct.pack(">I", locked_page) + name + struct.pack(">II", len(name), sum(name)) + begun[:8]
    )
    for commands in (COMMANDS, [("solve", "cats", "--store", "ledger")]):
        ledger.write_bytes(pages)
        journal.write_bytes(begun + super_journal)
        refused(capsys, "ledger-journal lies beside it, which no ledger has", commands)
    assert victim.exists()
    with closing(sqlite3.connect(ledger)) as rows:
        rows.execute("SELECT * FROM header").fetchall()
    assert not victim.exists(), "the journal is one that SQLite follows"


def test_a_ledger_that_was_rewritten_by_sqlite_is_read(ledger: Path, capsys: Capture) -> None:
    change(ledger, "VACUUM")
    assert jigsat(capsys, "ledger", "ledger").status == 0


def test_a_part_without_literals_is_a_fault(ledger: Path, begun: Path, capsys: Capture) -> None:
    shutil.copy(begun, ledger)
    change(ledger, "UPDATE subproblem SET literals = '[]' WHERE state = 'done'")
    done = jigsat(capsys, "ledger", "ledger", "0", "--audit")
    assert (done.status, "fault" in done.err) == (
        1,
        True,
    ) and "by one literal" in done.out
