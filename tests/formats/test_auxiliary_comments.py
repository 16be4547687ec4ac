"""The comments about auxiliary variables in DIMACS files."""

from __future__ import annotations

import jigsat
from jigsat.formats.dimacs import cnf_lines, wcnf_lines
from jigsat.formula import Formula, Lowering


def make_formula() -> Formula:
    formula = Formula()
    x = formula.variables("x", {"i": range(6)})
    with formula.rule("few"):
        formula.at_most(2, x[:])
    with formula.rule("one"):
        formula.at_most_one(x[:])
    with formula.rule("parity"):
        formula.xor(x[:], odd=False)
    formula.linear({x(0): 2, x(1): 3, x(2): 4}, at_least=5)
    return formula


def test_every_auxiliary_variable_is_explained_once() -> None:
    formula, origin = make_formula(), jigsat.load("cats")
    for write in (cnf_lines, wcnf_lines):
        lines = list(write(formula, origin, Lowering(at_most_one="seqcounter")))
        numbers, words = [], []
        for line in lines:
            if line.startswith("c aux "):
                first, _, last = line.split()[2].partition("-")
                numbers += range(int(first), int(last or first) + 1)
                words.append(" ".join(line.split()[3:]))
        literals = [
            abs(int(x)) for line in lines if line[0] in "h-123456789" for x in line[1:].split()
        ]
        assert numbers == list(range(formula.top + 1, max(literals) + 1))
        assert words[:3] == [
            "at most 2 of 6: x i=0, x i=1, …, x i=5",
            "at most 1 of 6: x i=0, x i=1, …, x i=5",
            "an even number of 6: x i=0, x i=1, …, x i=5",
        ]
        assert words[3].startswith("a sum of weights at least 5 of 3: x i=0, x i=1, x i=2")


def test_certificates_have_no_such_line() -> None:
    """So that a certificate of an earlier version is still accepted."""
    lines = list(cnf_lines(make_formula(), jigsat.load("cats")))
    assert any(line.startswith("c group") for line in lines)
    assert not any(line.startswith("c aux") for line in lines)
