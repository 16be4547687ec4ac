"""Certificates of linear algebra: true ones are verified, and faults are detected."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.certificates import check

from jigsat.errors import CheckError
from jigsat.formula import Formula, count_models
from jigsat.proofs import linear
from jigsat.proofs.certificate import json_lines, prove

BOARD = """
family = "lights-out"
board = "square 4x4"
lit = "all"
"""


@settings(deadline=None)
@given(st.lists(st.tuples(st.sets(st.integers(1, 6), max_size=6), st.booleans()), max_size=9))
def test_witness_of_random_systems(xors: list[tuple[set[int], bool]]) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(6)])
    for variables, odd in xors:
        if variables:
            formula.xor(variables, odd=odd)
    equations = linear.Equations.of(formula)
    assert equations
    consistent, lines = equations.eliminate()
    found, kernel = equations.solve_and_span_kernel()
    assert bool(found) == consistent
    if not found:
        equations.check_refutation(lines)
        assert count_models(formula) == 0
        return
    assert equations.rank(lines) + len(kernel) == 6
    assert 2 ** len(kernel) == count_models(formula)
    assert all(map(equations.hold, found))
    assert all(equations.hold(each, homogeneous=True) for each in kernel)
    sums = {frozenset[int]()}
    for each in kernel:
        sums |= {each ^ other for other in sums}
    assert len(sums) == 2 ** len(kernel), "no vector is the sum of others"


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The certificate of a board with 16 solutions, and of one that cannot be put out."""
    folder = tmp_path_factory.mktemp("linear")
    (folder / "all.toml").write_text(BOARD)
    list(prove(folder / "all.toml", folder / "all"))
    list(prove("lights-unsolvable", folder / "lights-unsolvable"))
    return lambda name: folder / name


def test_a_kernel_stands_for_all_solutions(proved: Callable[[str], Path]) -> None:
    record = json.loads((proved("all") / "solutions.json").read_text())
    assert (record["solutions"], len(record["found"]), len(record["kernel"])) == (16, 1, 4)
    assert len((proved("all") / "rank.txt").read_text().splitlines()) == 12
    assert list(check(proved("all")))[-1].startswith("verified: all has 16 solutions, ")


def test_a_backend_writes_a_refutation_instead(tmp_path: Path) -> None:
    (tmp_path / "all.toml").write_text(BOARD)
    list(prove(tmp_path / "all.toml", tmp_path / "out", backend="cadical195"))
    assert (tmp_path / "out" / "proof.drat").exists()
    assert list(check(tmp_path / "out"))[-1].startswith("verified: all has 16 solutions, ")


def lines_of(change: Callable[[list[str]], object]) -> Callable[[Path], None]:
    def harm(directory: Path) -> None:
        lines = (directory / "rank.txt").read_text().splitlines()
        change(lines)
        (directory / "rank.txt").write_text("".join(f"{line}\n" for line in lines))

    return harm


def data_of(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def harm(directory: Path) -> None:
        data = json.loads((directory / "solutions.json").read_text())
        change(data)
        (directory / "solutions.json").write_text("\n".join([*json_lines(data), ""]))

    return harm


HARMS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "a line removed": ("all", lines_of(lambda lines: lines.pop()), r"rank\.txt: lacks 1 lines"),
    "a line repeated": (
        "all",
        lines_of(lambda lines: lines.append(lines[0])),
        r"line 13: variable \d+ also leads line 1",
    ),
    "an equation that does not exist": (
        "all",
        lines_of(lambda lines: lines.append("17")),
        r"line 13: there is no equation 17",
    ),
    "a later line": (
        "all",
        lines_of(lambda lines: lines.insert(0, "1 2")),
        r"line 1: line 2 is not an earlier line",
    ),
    "an empty sum": (
        "all",
        lines_of(lambda lines: lines.append(f"{lines[0]} 1")),
        r"line 13: the sum has no variable",
    ),
    "words": (
        "all",
        lines_of(lambda lines: lines.append("one")),
        r"line 13 is not a list of numbers: 'one",
    ),
    "zero": (
        "all",
        lines_of(lambda lines: lines.append("0")),
        r"line 13 is not a list of numbers: '0",
    ),
    "a vector removed": (
        "all",
        data_of(lambda data: data["kernel"].pop()),
        r"line 5 is .*: 16.* should be .*: 8,",
    ),
    "a vector repeated": (
        "all",
        data_of(lambda data: data["kernel"].append(data["kernel"][0])),
        r"are not independent",
    ),
    "a wrong vector": (
        "all",
        data_of(lambda data: data["kernel"][1].pop()),
        r"vector 2 of the kernel does not lead to another",
    ),
    "a wrong solution": (
        "all",
        data_of(lambda data: data["found"][0].pop()),
        r"found is an assignment that is not a solution: ",
    ),
    "no solution": (
        "all",
        data_of(lambda data: data.update(found=[])),
        r"line 5 is .*: 16.* should be .*: 0,",
    ),
    "no placements": (
        "all",
        data_of(lambda data: data.update(found=[[3]])),
        r"item 1 of found is not a list of placements",
    ),
    "no list": (
        "all",
        data_of(lambda data: data.update(kernel=4)),
        r"item 1 of kernel is not a list of placements",
    ),
    "no proof": (
        "lights-unsolvable",
        lines_of(list.clear),
        r"the sum of these equations is not 0 = 1",
    ),
    "an equation too many": (
        "lights-unsolvable",
        lines_of(lambda lines: lines.append("1")),
        r"the sum of these equations is not 0 = 1",
    ),
    "an unknown equation": (
        "lights-unsolvable",
        lines_of(lambda lines: lines.append("26")),
        r"there is no equation 26",
    ),
}


@pytest.mark.parametrize("what", HARMS)
def test_wrong_certificates_are_refuted(
    what: str, proved: Callable[[str], Path], tmp_path: Path
) -> None:
    name, harm, reason = HARMS[what]
    directory = Path(shutil.copytree(proved(name), tmp_path / name))
    harm(directory)
    with pytest.raises(CheckError) as refuted:
        list(check(directory))
    assert re.search(reason, str(refuted.value)), str(refuted.value)
    assert len(str(refuted.value).splitlines()) == 1


def test_linear_algebra_proves_nothing_about_clauses(
    proved: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = Path(shutil.copytree(proved("all"), tmp_path / "other"))
    (directory / "all.toml").write_text(
        'family = "sudoku"\ngrid = """\n1 .\n. .\n"""\nboxes = "1x2"\n'
    )
    with pytest.raises(CheckError):
        list(check(directory))
