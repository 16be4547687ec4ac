"""Converting the proofs of solvers to LRAT."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from support.installed import CAPABILITIES
from support.lrat import accepts, is_true_proof

from jigsat import backends
from jigsat.errors import CheckError
from jigsat.proofs import check_refutation, lrat

Clauses = Sequence[Sequence[int]]
Convert = Callable[[Clauses, str], str]


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    """Converts a proof of clauses, checks the result, and returns it."""

    def make(clauses: Clauses, drat: str) -> str:
        (tmp_path / "blocked.cnf").write_text(to_dimacs(clauses))
        (tmp_path / "proof.drat").write_text(drat)
        lines = lrat.convert_proof(tmp_path / "blocked.cnf", tmp_path / "proof.drat")
        (tmp_path / "proof.lrat").write_text("".join(f"{line}\n" for line in lines))
        assert accepts(tmp_path)
        proof = (tmp_path / "proof.lrat").read_text()
        assert is_true_proof(to_dimacs(clauses), proof)
        return proof

    return make


def to_dimacs(clauses: Clauses) -> str:
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    rows = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(clauses)}", *rows, ""])


FULL = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
"""All clauses of two variables."""


def test_hints_stand_in_the_order_of_their_use(convert: Convert) -> None:
    assert convert(FULL, "1 0\n0\n") == "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"


def test_steps_that_nothing_depends_on_are_dropped(convert: Convert) -> None:
    clauses = [*FULL, [3, 4], [3, -4]]
    assert convert(clauses, "3 0\n1 0\n0\n") == "7 1 0 1 2 0\n7 d 1 2 0\n8 0 7 3 4 0\n"


@pytest.mark.parametrize(
    ("clauses", "drat"),
    [
        # the formula is refuted by propagation, or has the empty clause
        ([[1], [-1]], ""),
        ([[1], [-1, 2], [-2]], "0\n"),
        ([[1, 2], []], "0\n"),
        # literals that are true or false for good before the step: x3, then x4
        ([[3], [-3, 4], [-4, 5], *FULL], "3 5 0\n5 4 0\n-3 1 0\n1 0\n0\n"),
        ([[3], [-3, 4], *FULL], "4 3 0\n4 0\n-4 1 0\n1 0\n0\n"),
        # deletion of a clause that is the reason of x3, and of a clause of one literal
        ([[3], [-3, 4, 5], [-4], [-5, 1, 2], *FULL[1:]], "5 0\nd 4 -3 5 0\nd 3 0\n1 0\n0\n"),
        ([[3], *FULL], "1 0\nd 1 0\n0\n"),
        # deletion of a clause that is not there, and twice
        (FULL, "d 1 2 3 0\nd 7 8 9 0\nd 1 2 2 0\n1 0\n0\n"),
        ([[1, 2, 3], [1, 2, -3], *FULL[1:]], "1 2 0\nd 3 2 1 0\nd 1 2 3 0\n1 0\n0\n"),
        # literals that are repeated, and steps and clauses that are always true
        ([[1, 1, 2], [1, -2, -2], [3, -3, 1], *FULL[2:]], "1 -1 0\n1 1 0\n0\n"),
        # the empty clause is not stated, or steps follow it
        (FULL, "1 0\n"),
        (FULL, "1 0\n0\n1 5 0\nnonsense\n"),
    ],
)
def test_special_cases(clauses: Clauses, drat: str, convert: Convert) -> None:
    convert(clauses, drat)


@pytest.mark.parametrize(
    ("clauses", "drat", "complaint"),
    [
        (FULL[:3], "1 0\n0\n", "line 2, '0', does not follow by unit propagation"),
        (FULL, "0\n", "line 1, '0', does not follow by unit propagation"),
        (FULL, "d 1 2 0\n", "the empty clause is missing"),
        (FULL, "", "the empty clause is missing"),
        # steps for which a new variable is introduced
        (FULL, "3 -1 0\n3 0\n-3 1 0\n1 0\n0\n", "line 1, '3 -1 0', does not follow"),
        (FULL, "-3 1 0\n0\n", "line 1, '-3 1 0', does not follow"),
        # deleted clauses are not used
        (
            [[1, 2, 3], [1, 2, -3], *FULL[1:]],
            "d 1 2 3 0\n1 2 0\n0\n",
            "line 2, '1 2 0', does not follow",
        ),
        # anything but clauses in text
        (FULL, "1\n0\n", "line 1 is not a clause"),
        (FULL, "1 0 2 0\n", "line 1 is not a clause"),
        (FULL, "1  0\n", "line 1 is not a clause"),
        (FULL, "\n", "line 1 is not a clause"),
        (FULL, "a\x02\x04\x00a\x00", "line 1 is not a clause"),
        (FULL, f"{10**9} 0\n", "line 1 is not a clause"),
        (FULL, "d\n", "line 1 is not a clause"),
        (FULL, "01 0\n", "line 1 is not a clause"),
    ],
)
def test_what_does_not_follow_is_refused(
    clauses: Clauses, drat: str, complaint: str, convert: Convert
) -> None:
    with pytest.raises(CheckError, match=f"^proof.drat: {complaint}"):
        convert(clauses, drat)


@pytest.mark.parametrize("solver", [name for name in CAPABILITIES if backends.find(name).refute])
def test_random_formulas_are_refuted(solver: str, convert: Convert) -> None:
    """Short clauses have units and conflicts early, long ones have steps with many literals."""
    refute = backends.find(solver).refute
    assert refute
    picked = random.Random(solver)
    refuted = 0
    for number in range(30):
        variables = 3 + number % 12
        clauses = random_clauses(picked, variables, 5 * variables)
        drat = refute(clauses)
        if drat is None:
            continue
        refuted += 1
        convert(clauses, "".join(f"{line}\n" for line in drat))
    assert refuted >= 15


def random_clauses(picked: random.Random, variables: int, number: int) -> list[list[int]]:
    clauses = []
    for _ in range(number):
        length = picked.choice([1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 5] if variables > 4 else [2, 2, 3])
        chosen = picked.choices(range(1, variables + 1), k=length)
        clauses.append([picked.choice([-1, 1]) * variable for variable in chosen])
    return clauses


def test_random_steps_are_refused_or_right(tmp_path: Path) -> None:
    """Steps that no solver wrote: the conversion never makes a proof that is wrong."""
    picked = random.Random(1)
    converted = 0
    for _ in range(150):
        clauses = random_clauses(picked, 4, 14)
        steps = random_clauses(picked, 4, 6)
        lines = [picked.choice(["", "", "d "]) + " ".join(map(str, [*step, 0])) for step in steps]
        (tmp_path / "blocked.cnf").write_text(to_dimacs(clauses))
        (tmp_path / "proof.drat").write_text("\n".join([*lines, "0", ""]))
        try:
            proof = list(lrat.convert_proof(tmp_path / "blocked.cnf", tmp_path / "proof.drat"))
        except CheckError:
            continue
        converted += 1
        (tmp_path / "proof.lrat").write_text("".join(f"{line}\n" for line in proof))
        assert accepts(tmp_path)
        assert not has_model(clauses, 4)
    assert converted > 15


def has_model(clauses: Clauses, variables: int) -> bool:
    for signs in product([1, -1], repeat=variables):
        true = {sign * variable for variable, sign in enumerate(signs, 1)}
        if not any(true.isdisjoint(clause) for clause in clauses):
            return True
    return False


def test_the_checker_shares_no_code_with_the_conversion() -> None:
    assert imports(check_refutation.__file__) <= set(sys.stdlib_module_names)
    assert not any(name.startswith("jigsat.proofs") for name in imports(lrat.__file__))


def imports(path: str | None) -> set[str]:
    assert path
    names = set()
    for node in ast.walk(ast.parse(Path(path).read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(
                node.module if node.module.startswith("jigsat") else node.module.split(".")[0]
            )
    return names
