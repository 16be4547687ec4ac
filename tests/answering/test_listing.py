"""Solutions in a ledger: however a search is split, stopped and resumed, they are those of a search
without one."""

from __future__ import annotations

import random
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from support import quick, truth
from support.ledgers import here, set_target
from support.running import lines_of

import jigsat
from jigsat import Enumeration, Formula, InputError, Puzzle, load
from jigsat.answering import parts
from jigsat.ledger import worker as work
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.report import report
from jigsat.symmetry import DECLARED_LEVELS

SQUARE = "\n".join(["####"] * 4)
"""A board with 36 domino tilings; some of them are turned or mirrored into themselves."""

DISTINCT = {"nothing": 36, "rotation": 12, "reflection": 9, "all": 9}

FRAMED = {
    "family": "edge-matching",
    "board": "square 2x2",
    "tiles": {"a": ["x", "y", "x", "y"], "b": ["y", "x", "x", "y"], "c": ["x", "x", "y", "y"]},
    "reusable": True,
}


def dominoes() -> Puzzle:
    return load("dominoes-6x8", board=SQUARE)


def split_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `jobs=2` this process searches, and splits everything as far as possible."""
    monkeypatch.setattr(parts, "open_workers", lambda *_: here())
    set_target(monkeypatch)


@pytest.fixture
def atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    split_everything(monkeypatch)


def solved(problem: Any, **options: Any) -> tuple[set[Any], Any]:
    enumeration: Any = Enumeration(problem, **options)
    found = [solution.placements for solution in enumeration]
    assert len(set(found)) == len(found)
    return set(found), enumeration.result


def counted(problem: Any, **options: Any) -> Any:
    return jigsat.count(problem, **options)


@pytest.fixture
def ledger(atoms: None, tmp_path: Path) -> Path:
    """The ledger of a complete search by subproblems."""
    assert len(solved(dominoes(), store=tmp_path / "ledger", jobs=2)[0]) == 12
    return tmp_path / "ledger"


# -- what is found


@pytest.mark.parametrize("backend", ["cadical195", "cover"])
def test_subproblems_have_the_same_solutions_at_every_level(
    backend: str, atoms: None, tmp_path: Path
) -> None:
    everything = {solution.placements for solution in jigsat.solutions(dominoes(), up_to="nothing")}
    for level in DECLARED_LEVELS:
        found, result = solved(
            dominoes(), store=tmp_path / level, jobs=2, up_to=level, backend=backend
        )
        assert found <= everything and len(found) == DISTINCT[level]
        assert (result.solutions, result.distinct) == (36, {"rotation": 12, "reflection": 9})
        assert result.complete and result.statistics["subproblems"] > 20
        assert len(lines_of(tmp_path / level)) == 9


def test_one_file_serves_every_level(ledger: Path) -> None:
    for level in DECLARED_LEVELS:
        found, result = solved(dominoes(), store=ledger, up_to=level)
        assert (len(found), result.complete) == (DISTINCT[level], True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_complete_file_that_cannot_be_written_is_read(
    jobs: int, atoms: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = solved(dominoes(), store=tmp_path / "ledger", jobs=jobs)
    before = (tmp_path / "ledger").read_bytes()
    monkeypatch.delattr(parts, "open_workers")
    monkeypatch.delattr(Ledger, "record")
    monkeypatch.delattr(Ledger, "finish")
    for again in (1, 2):
        found, result = solved(dominoes(), store=tmp_path / "ledger", jobs=again)
        assert (found, result.solutions, result.complete) == (expected, 36, True)
    assert (tmp_path / "ledger").read_bytes() == before


@settings(max_examples=quick.cases(24), derandomize=True, deadline=None)
@given(truth.instances())
def test_formulas_have_the_models_of_their_truth_table(
    case: tuple[list[truth.Spec], int, int],
) -> None:
    expected = truth.table(*case)
    with pytest.MonkeyPatch.context() as monkeypatch:
        split_everything(monkeypatch)
        enumeration: Any = Enumeration(truth.formula(*case), jobs=2, backend="cadical195")
        found = [model.variables for model in enumeration]
    assert len(found) == len(expected) and set(found) == expected
    assert enumeration.result.complete


@pytest.mark.parametrize("seed", range(quick.cases(8)))
def test_any_sequence_of_runs_ends_with_the_same_solutions(
    seed: int, atoms: None, tmp_path: Path
) -> None:
    chance, store = random.Random(seed), tmp_path / "ledger"
    for _ in range(chance.randint(1, 4)):
        backend = chance.choice(["auto", "cadical195"])
        if chance.random() < 0.3 and store.exists():
            assert counted(dominoes(), store=store).solutions == 36
        else:
            limit, jobs, level = (
                chance.choice([None, 1, 2, 5]),
                chance.choice([1, 2]),
                chance.choice(DECLARED_LEVELS),
            )
            try:
                solved(
                    dominoes(), store=store, limit=limit, jobs=jobs, up_to=level, backend=backend
                )
            except InputError as error:
                assert "begun with the backend" in str(error)
    found, result = solved(dominoes(), store=store)
    assert (len(found), result.solutions, result.complete) == (12, 36, True)
    with closing(Ledger(store)) as opened:
        said = audit_ledger(opened, None)
    assert (said.faults, said.listed, said.solutions) == ([], 9, 36)


def test_a_count_takes_the_counts_of_a_listing(tmp_path: Path) -> None:
    store = tmp_path / "ledger"
    solved("cube", store=store, limit=1)
    assert solved("cube", store=store)[1].complete
    result = counted("cube", store=store)
    assert (result.solutions, result.distinct, result.complete) == (
        96,
        {"rotation": 4, "reflection": 2},
        True,
    )
    assert (result.backend, result.established_by) == ("cadical195", "refutation")


def test_a_count_without_its_solutions_is_left_to_the_count(tmp_path: Path) -> None:
    store = tmp_path / "ledger"
    assert counted("cats", store=store, backend="cover").complete
    before = store.read_bytes()
    with pytest.raises(
        InputError, match="holds counts without their solutions, which `jigsat count` resumes"
    ):
        Enumeration("cats", store=store)
    assert store.read_bytes() == before


def test_what_was_found_in_a_subproblem_that_is_split_is_kept(
    atoms: None, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(work, "MAX_SUBPROBLEM_SOLUTIONS", 2)
    monkeypatch.setattr(parts, "target_duration", lambda _: 5.0)
    found, result = solved(
        dominoes(), store=tmp_path / "ledger", jobs=2, up_to="nothing", backend="cadical195"
    )
    assert (len(found), result.complete) == (36, True)
    with closing(sqlite3.connect(tmp_path / "ledger")) as rows:
        states = (
            "SELECT DISTINCT state FROM solution JOIN subproblem ON subproblem.id = "
            "solution.subproblem"
        )
        assert set(rows.execute(states)) == {("split",), ("done",)}


def test_solutions_of_another_encoding_are_the_same_solutions(tmp_path: Path) -> None:
    store, other = tmp_path / "ledger", {**FRAMED, "encoding": "supports"}
    everything = len(solved(FRAMED)[0])
    before, _ = solved(FRAMED, store=store, limit=5)
    found, result = solved(other, store=store)
    assert before <= found or len(before) == 5
    assert (len(found), result.complete) == (everything, True)
    assert solved(FRAMED, store=store)[1].complete


def test_a_ledger_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "ledger"
    assert counted("cats", store=store, backend="cover").solutions == 4
    change(store, "PRAGMA user_version = 2")
    with pytest.raises(
        InputError,
        match="a ledger of another version of jigsat; use that version, or name another file",
    ):
        counted("cats", store=store, backend="cover")


# -- what is refused


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as rows:
        for statement in statements:
            rows.execute(statement)
        rows.commit()


ONE = "(SELECT max(id) FROM solution)"


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (
            f"DELETE FROM solution WHERE id = {ONE}",
            "damaged (its solutions do not agree with its counts)",
        ),
        (f"UPDATE solution SET placements = '[]' WHERE id = {ONE}", "not a solution: "),
        (
            f"UPDATE solution SET placements = '[1]' WHERE id = {ONE}",
            "not a solution of this puzzle",
        ),
        (f"UPDATE solution SET placements = '5' WHERE id = {ONE}", "is wrong)"),
        (f"UPDATE solution SET placements = 5 WHERE id = {ONE}", "is wrong)"),
        (f"UPDATE solution SET placements = '[' WHERE id = {ONE}", "is wrong)"),
        (
            "UPDATE solution SET placements = json_insert(placements, '$[#]', "
            "json_extract(placements, '$[0]'))",
            "a placement is repeated",
        ),
        ("DROP TABLE solution", "damaged (its tables are not those of a ledger)"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_damaged_solutions_are_refused(
    damage: str, complaint: str, jobs: int, ledger: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    assert solved(dominoes(), store=whole)[1].complete  # one subproblem
    for path in (ledger, whole):
        change(path, damage)
        with pytest.raises(InputError) as refused:
            solved(dominoes(), store=path, jobs=jobs)
        assert complaint in str(refused.value) and str(path) in str(refused.value)


def test_a_count_needs_all_solutions_of_a_complete_ledger(ledger: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    assert solved(dominoes(), store=whole)[1].complete  # one subproblem
    for path in (ledger, whole):
        assert counted(dominoes(), store=path).distinct == {"rotation": 12, "reflection": 9}
        change(path, f"DELETE FROM solution WHERE id = {ONE}")
        with pytest.raises(
            InputError, match=f"^{path}: damaged .it has fewer solutions than its counts state"
        ):
            counted(dominoes(), store=path)


def test_an_audit_finds_faults_in_solutions(ledger: Path, tmp_path: Path) -> None:
    for damage, fault in (
        (
            f"DELETE FROM solution WHERE id = {ONE}",
            "the solutions in the file do not agree with the counts",
        ),
        (f"UPDATE solution SET placements = '[]' WHERE id = {ONE}", "is not a solution"),
        (f"UPDATE solution SET placements = placements || ' ' WHERE id = {ONE}", ""),
    ):
        path = Path(shutil.copy(ledger, tmp_path / "copy"))
        change(path, damage)
        with closing(Ledger(path)) as opened:
            faults = audit_ledger(opened, 0).faults
        assert any(fault in found for found in faults) == bool(fault)


def test_only_one_search_can_be_split(tmp_path: Path) -> None:
    nowhere = "local:2"
    formula = Formula()
    x = formula.variables("x", {"i": range(3)})
    formula.exactly(1, x[:])
    for problem, options in (
        ("lights-5x5", {"minimize": True}),
        ("cube", {"up_to": "automorphism"}),
        ("cube", {"lowering": jigsat.Lowering(at_most_one="pairwise")}),
        (formula, {"group": [{x(0): x(1), x(1): x(2), x(2): x(0)}], "up_to": "all"}),
    ):
        enumeration: Any = Enumeration(problem, cluster=nowhere, **options)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="cannot be split into subproblems"):
            next(enumeration)


def test_a_report_tells_how_many_solutions_are_in_the_file(tmp_path: Path) -> None:
    solved(dominoes(), store=tmp_path / "ledger", up_to="all", limit=4)
    with closing(Ledger(tmp_path / "ledger")) as opened:
        said = report(opened)
    assert (said.listed, said.solutions, said.complete) == (4, 4, False)
    assert "in the file: 4 solutions, one of each orbit" in str(said)


def test_a_count_is_shared_on_the_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jigsat.runtime import cluster

    asked = tmp_path / "asked"  # by another process

    def connected(address: str, _: object) -> Any:
        asked.write_text(address)
        return here()

    monkeypatch.setattr(cluster, "Cluster", connected)
    count = jigsat.count("cats", backend="cover", cluster="local:2")
    assert (count.solutions, asked.read_text()) == (4, "local:2")


def test_threads_may_take_turns(tmp_path: Path) -> None:
    found = jigsat.solutions("cats-reuse", store=tmp_path / "ledger", limit=3)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(next, found).result()
    assert len([first, *found]) == 3


@pytest.mark.parametrize(
    "name", ["sudoku-4x4-empty", "dominoes 4x4", "dominoes 2x7", "dominoes 3x3", "cats"]
)
def test_a_count_by_one_backend_agrees_with_a_list(name: str) -> None:
    """A count looks for orbits up to all symmetries, whichever level is asked for. Some solutions
    are symmetric themselves."""
    kind, _, size = name.partition(" ")
    rows, columns = map(int, size.split("x")) if size else (0, 0)
    puzzle = (
        load("dominoes-6x8", board="\n".join(["#" * columns] * rows))
        if kind == "dominoes"
        else load(name)
    )
    listing = Enumeration(puzzle, backend="cadical195", up_to="nothing")
    listed = len(list(listing))
    for up_to in ("nothing", "rotation", "all"):
        found = jigsat.count(puzzle, backend="cadical195", up_to=up_to)  # type: ignore[arg-type]
        assert (found.solutions, found.distinct) == (listed, listing.result.distinct)
        assert (found.complete, found.symmetries) == (True, listing.result.symmetries)


def test_a_piece_that_fits_nowhere_leaves_one_empty_solution() -> None:
    puzzle = load(
        {
            "family": "tiling",
            "board": "square 1x1",
            "pieces": {"a": {"shape": "##", "uses": [0, 1]}},
            "left_over": 1,
        }
    )
    for backend in ("auto", "cover", "cadical195"):
        assert jigsat.count(puzzle, backend=backend).solutions == 1
