"""Certificates of counts that follow the splits of a ledger, and ledgers that are refused."""

from __future__ import annotations

import gzip
import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.certificates import check, describe_proof
from support.inside import jigsat
from support.ledgers import ATOMS, DISTINCT, SQUARE, count_in_parts

from jigsat import InputError, Puzzle, Stopped, load
from jigsat.errors import CheckError
from jigsat.instance import find
from jigsat.ledger.file import Ledger
from jigsat.proofs import check_count
from jigsat.proofs.certificate import prove
from jigsat.proofs.counting import PROOF

Capture = pytest.CaptureFixture[str]


def board(drawing: str) -> Puzzle:
    return load("dominoes-6x8", board=drawing)


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(
        f'family = "tiling"\nboard = """\n{SQUARE}\n"""\n[pieces.domino]\nshape = "##"\nuses = '
        f'"any"\n'
    )
    return path


@pytest.mark.parametrize("backend", ["cover", "cadical195"])
@pytest.mark.parametrize("seconds", [ATOMS, 10.0])
def test_a_ledger_becomes_a_certificate(
    backend: str, seconds: float, instance: Path, tmp_path: Path
) -> None:
    count_in_parts(load(instance), backend=backend, seconds=seconds, store=tmp_path / "ledger")
    with closing(Ledger(tmp_path / "ledger")) as ledger:
        split = [row for row in ledger.every() if row.state == "split"]
    lines = describe_proof(instance, tmp_path / "certificate", store=tmp_path / "ledger")
    assert lines[0].split()[:2] == ["followed", f"{len(split):,}"]
    assert "36 solutions" in [*check(tmp_path / "certificate")][-1]
    assert check_count.verify(tmp_path / "certificate")[0] == {"nothing": 36, **DISTINCT}
    graph = lzma.decompress((tmp_path / "certificate" / PROOF).read_bytes()).splitlines()
    assert len(split) < graph.index(
        next(line for line in graph[1:] if line.startswith(b"symmetry"))
    )


@pytest.mark.slow
def test_a_hundred_subproblems_are_followed(tmp_path: Path) -> None:
    count_in_parts(
        load("pentominoes-3x20"), backend="cover", seconds=0.001, store=tmp_path / "ledger"
    )
    with closing(Ledger(tmp_path / "ledger")) as ledger:
        assert ledger.states()["done"] > 100
    list(prove("pentominoes-3x20", tmp_path / "certificate", store=tmp_path / "ledger"))
    assert "8 solutions" in [*check(tmp_path / "certificate")][-1]
    assert check_count.verify(tmp_path / "certificate")[0] == {
        "nothing": 8,
        "rotation": 4,
        "reflection": 2,
    }


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "UPDATE subproblem SET counts = '[[2,1,[1,1],1]]' WHERE state = 'done' AND counts <> "
            "'[]' AND id > 9",
            "count|orbit",
        ),
        (
            "DELETE FROM subproblem WHERE id = (SELECT max(id) FROM subproblem)",
            "are not those of a variable or of an exactly",
        ),
        (
            "UPDATE subproblem SET refuted = '[1]' WHERE state = 'split' AND parent IS NULL",
            "are not those of a variable or of an exactly",
        ),
        (
            "UPDATE subproblem SET state = 'open', counts = NULL, backend = NULL WHERE id = 9",
            "not complete; continue it with",
        ),
    ],
)
def test_forged_ledgers_are_refused(
    statement: str, says: str, instance: Path, tmp_path: Path
) -> None:
    store = tmp_path / "ledger"
    count_in_parts(load(instance), backend="cover", seconds=ATOMS, store=store)
    with closing(sqlite3.connect(store)) as rows:
        assert rows.execute(statement).rowcount
        rows.commit()
    with pytest.raises((CheckError, InputError, Stopped), match=says) as error:
        list(prove(instance, tmp_path / "certificate", store=store))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "certificate").exists()


def test_a_split_of_an_item_that_is_not_open(instance: Path, tmp_path: Path) -> None:
    """The option that was chosen last is chosen again, which neither loses nor adds a solution."""
    store = tmp_path / "ledger"
    count_in_parts(load(instance), backend="cover", seconds=ATOMS, store=store)
    with closing(Ledger(store)) as ledger:
        split = {row.id: row for row in ledger.every() if row.state == "split"}
        leaf = next(row for row in ledger.every() if row.state == "done")
        parts = [row.literals[-1] for row in ledger.every() if row.parent == leaf.parent]
    refuted = {*parts, *(split[leaf.parent or 0].refuted or ())} - {leaf.literals[-1]}
    with closing(sqlite3.connect(store)) as rows:
        columns = "weight, backend, established_by, state, counts"
        rows.execute(
            f"INSERT INTO subproblem (parent, literals, {columns}) SELECT id, ?, {columns} FROM "
            f"subproblem WHERE id = ?",
            (json.dumps([*leaf.literals, leaf.literals[-1]]), leaf.id),
        )
        again = "UPDATE subproblem SET state = 'split', counts = NULL, refuted = ? WHERE id = ?"
        rows.execute(again, (json.dumps([*refuted]), leaf.id))
        rows.commit()
    with pytest.raises(CheckError, match="the ledger splits an item that is not open"):
        list(prove(instance, tmp_path / "certificate", store=store))
    assert not (tmp_path / "certificate").exists()


def test_other_ledgers_are_refused_in_one_line(
    instance: Path, tmp_path: Path, capsys: Capture
) -> None:
    count_in_parts(load("cats"), backend="cover", store=tmp_path / "cats")
    count_in_parts(board("##\n##"), backend="cover", store=tmp_path / "other")
    for arguments, says in (
        (("cats", "--store", tmp_path / "cats"), "no certificate of the count can be made"),
        ((instance, "--store", tmp_path / "other"), "belongs to another instance, dominoes-6x8"),
        ((instance, "--store", tmp_path / "none"), "no such file"),
        (
            (instance, "--store", tmp_path / "other", "--backend", "cadical195"),
            "--store cannot be combined with --backend",
        ),
    ):
        done = jigsat(capsys, "prove", *arguments, "-o", tmp_path / "certificate")
        assert (done.status, done.err.count("\n")) == (2, 1), done
        assert says in done.err
        assert not (tmp_path / "certificate").exists()


def test_a_compressed_instance_with_the_name_of_a_shipped_one_is_refused(
    tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "black-and-white-rule.toml"
    path.write_bytes(gzip.compress(find("black-and-white-rule").read_bytes()))
    done = jigsat(capsys, "prove", path, "-o", tmp_path / "certificate")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "not the black-and-white-rule that comes with jigsat" in done.err
