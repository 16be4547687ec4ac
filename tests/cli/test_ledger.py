"""The command `ledger`, and `count` with a ledger."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat

Capture = pytest.CaptureFixture[str]


REUSED = r"(.*: complete, so nothing was searched again\n)?"


def objects(capsys: Capture, *arguments: str | Path) -> Any:
    done = jigsat(capsys, *arguments, "--json")
    assert done.status == 0 and re.fullmatch(REUSED, done.err), done
    return json.loads(done.out)


def test_a_count_keeps_a_ledger_that_shows_its_progress(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "ledger"
    counted = objects(capsys, "count", "cats", "--backend", "cover", "--store", file)
    assert (counted["solutions"], counted["distinct"], counted["complete"]) == (
        4,
        {"rotation": 1},
        True,
    )
    shown = objects(capsys, "ledger", file)
    assert (shown["solutions"], shown["distinct"], shown["complete"]) == (4, {"rotation": 1}, True)
    assert (shown["done"], shown["seconds_left"], shown["subproblems"]) == (1.0, 0.0, {"done": 1})
    text = jigsat(capsys, "ledger", file).out
    assert text.startswith(
        "cats: 4 solutions, 1 up to rotation; complete\nsubproblems: 1 done\nsearched: "
    )
    again = objects(capsys, "count", "cats", "--backend", "cover", "--store", file)
    assert (again["solutions"], again["statistics"]) == (4, counted["statistics"])


def test_an_audit_states_what_it_confirms(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "ledger"
    jigsat(capsys, "count", "cats", "--backend", "cover", "--store", file)
    found = objects(capsys, "ledger", file, "all", "--audit")
    assert (found["faults"], found["missed"], found["recomputed"]) == ([], 0.0, 1)
    assert (
        "the probability that one wrong count was missed is 0"
        in jigsat(capsys, "ledger", file, "--audit").out
    )
    with closing(sqlite3.connect(file)) as rows:
        rows.execute("UPDATE subproblem SET counts = '[]'")
        rows.commit()
    done = jigsat(capsys, "ledger", file, "--audit")
    assert (done.status, done.out) == (
        1,
        "cats: subproblem 1: the counts differ when it is counted again\n",
    )


def test_the_ledger_of_a_listing_is_shown_counted_and_audited(
    tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "ledger"
    solved = objects(capsys, "solve", "cube", "--store", file)
    shown = objects(capsys, "ledger", file)
    assert (shown["solutions"], shown["distinct"], shown["listed"]) == (
        96,
        {"rotation": 4, "reflection": 2},
        2,
    )
    assert shown["backend"] == solved["backend"]
    assert "in the file: 2 solutions, one of each orbit" in jigsat(capsys, "ledger", file).out
    found = objects(capsys, "ledger", file, "all", "--audit")
    assert (found["faults"], found["recomputed"], found["listed"]) == ([], 1, 2)
    assert (
        "2 solutions in the file, each checked, all of different orbits"
        in jigsat(capsys, "ledger", file, "--audit").out
    )
    counted = objects(capsys, "count", "cube", "--store", file)
    assert all(
        counted[name] == solved[name] for name in ("solutions", "distinct", "complete", "backend")
    )


def test_a_search_in_one_piece_has_a_report_but_no_audit(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("igraph")
    file = tmp_path / "ledger"
    jigsat(capsys, "solve", "cube", "--up-to", "automorphism", "--store", file)
    shown = objects(capsys, "ledger", file)
    assert (shown["solutions"], shown["listed"], shown["complete"]) == (96, 2, True)
    for command, complaint in (
        (
            ("ledger", file, "--audit"),
            "the search in it cannot be split into subproblems, so there is nothing to audit",
        ),
        (
            ("count", "cube", "--store", file),
            "holds the solutions up to automorphism, not up to all its symmetries",
        ),
        (
            ("solve", "cube", "--store", file),
            "holds the solutions up to automorphism, not up to all its symmetries",
        ),
    ):
        done = jigsat(capsys, *command)
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert complaint in done.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("ledger", "none"), "none: no such file"),
        (("ledger", __file__), f"{__file__}: not a ledger of jigsat; name another file"),
        (("ledger", "x", "some", "--audit"), "--audit some: write a number, or all"),
        (("ledger", "x", "all"), "all: only allowed with --audit"),
        (
            ("count", "cats", "--cluster", "local:2", "--amo", "pairwise"),
            "cats: a search with --minimize, --amo,",
        ),
        (
            ("count", "cats", "--cluster", "local:2", "--jobs", "2"),
            "--jobs cannot be combined with --cluster",
        ),
        (
            ("solve", "cats", "--cluster", "local:2", "--jobs", "2"),
            "--jobs cannot be combined with --cluster",
        ),
        (
            ("solve", "cats", "--cluster", "local:2", "--amo", "pairwise"),
            "cats: a search with --minimize, --amo,",
        ),
        (
            ("solve", "cats", "--cluster", "local:2", "--backend", "counting"),
            "the backend counting does not search",
        ),
        (
            ("solve", "cats", "--store", "no/such"),
            "no/such: cannot be written: there is no such directory",
        ),
        (("solve", "cats", "--store", ""), ".: a directory; name a file"),
        (("count", "cats", "--store", ""), ".: a directory; name a file"),
        (("solve", "cats", "--store", "x" * 300), "x: cannot be read: file name too long"),
        (
            ("count", "cats", "--store", "x" * 300, "--backend", "cover"),
            "x: cannot be read: file name too long",
        ),
        (
            ("solve", "cats", "--store", "x", "--backend", "gf2"),
            "jigsat: the backend gf2 accepts only XOR constraints",
        ),
        (
            ("count", "cats", "--store", "x", "--backend", "gf2"),
            "jigsat: the backend gf2 accepts only XOR constraints",
        ),
        (
            ("count", "cats", "--cluster", "local:2", "--jobs", "2"),
            "--jobs cannot be combined with --cluster",
        ),
    ],
)
def test_wrong_options_are_refused(
    arguments: tuple[str, ...],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = jigsat(capsys, *arguments)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert complaint in done.err
    assert not [*tmp_path.iterdir()]


def test_one_process_is_announced_if_several_were_requested(capsys: Capture) -> None:
    pytest.importorskip("igraph")
    for option in ("--amo", "pairwise"), ("--up-to", "automorphism"):
        for command in "solve", "count":
            done = jigsat(capsys, command, "cube", "--jobs", "3", *option)
            assert (
                done.err
                == f"jigsat: with {' '.join(option).removesuffix(' pairwise')}, one process "
                f"searches instead of 3\n"
            )
            assert "96 solutions" in done.out


def test_an_empty_file_is_no_ledger_yet(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "empty"
    file.touch()
    done = jigsat(capsys, "ledger", file)
    assert (done.status, done.err) == (
        2,
        f"jigsat: {file}: empty; nothing was searched with this ledger yet\n",
    )
    assert objects(capsys, "count", "cats", "--backend", "cover", "--store", file)["solutions"] == 4


def test_times_have_three_digits(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "ledger"
    jigsat(capsys, "count", "cats", "--backend", "cover", "--store", file)
    for seconds, bound in ((0.0001, "0.000977"), (0.2, "0.25"), (1500, "2048")):
        with closing(sqlite3.connect(file)) as rows:
            rows.execute("UPDATE subproblem SET seconds = ?", (seconds,))
            rows.commit()
        assert f"  up to {bound:>8} s         1 █" in jigsat(capsys, "ledger", file).out
