"""Checking the answers of solvers to exported formulas, and the command `decode`."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from support.inside import jigsat as command

from jigsat import Formula, InputError, load, solutions
from jigsat.formats.answers import parse
from jigsat.formats.export import lines, save
from jigsat.formats.smtlib import Symbols
from jigsat.formula.constraints import Cardinality, Clause, Xor
from jigsat.puzzle import Puzzle
from jigsat.services.decode import read_solutions as checked

CATS = load("cats")
FORMULA = CATS.encode()
SOLUTIONS = [frozenset(solution.placements) for solution in solutions("cats", up_to="nothing")]


# -- the check


def full_model(placements: frozenset[object], auxiliaries: bool = True) -> dict[int, bool]:
    """The values of all variables of the cats' formula in a solution: the placements, and the label
    of each edge."""
    true = {v for v in FORMULA.decisions() if FORMULA.key(v) in placements}
    for clause in FORMULA.groups["a tile shows its labels"].constraints:
        assert isinstance(clause, Clause)
        if -clause.literals[0] in true:
            true.add(clause.literals[1])
    return {
        v: v in true for v in (range(1, FORMULA.top + 1) if auxiliaries else FORMULA.decisions())
    }


def first_broken(model: dict[int, bool]) -> str | None:
    """The first group with a constraint that a full assignment breaks."""
    for group in FORMULA.groups.values():
        for constraint in group.constraints:
            match constraint:
                case Clause(literals):
                    kept = any(model[abs(x)] == (x > 0) for x in literals)
                case Cardinality(literals, low, high):
                    kept = low <= sum(model[abs(x)] == (x > 0) for x in literals) <= high
                case Xor(variables, odd):
                    kept = sum(model[x] for x in variables) % 2 == odd
            if not kept:
                return group.name
    return None


def answered(model: dict[int, bool]) -> str:
    return (
        "s SATISFIABLE\nv "
        + " ".join(str(v if value else -v) for v, value in model.items())
        + " 0\n"
    )


@pytest.mark.parametrize("auxiliaries", [True, False])
@pytest.mark.parametrize("placements", SOLUTIONS)
def test_solutions_are_accepted(placements: frozenset[object], auxiliaries: bool) -> None:
    (solution,) = checked(CATS, FORMULA, parse(answered(full_model(placements, auxiliaries))))
    assert frozenset(solution.placements) == placements


def test_only_true_literals_are_required() -> None:
    true = [v for v in FORMULA.decisions() if FORMULA.key(v) in SOLUTIONS[1]]
    (solution,) = checked(CATS, FORMULA, parse(f"v {' '.join(map(str, true))} 0"))
    assert frozenset(solution.placements) == SOLUTIONS[1]
    with pytest.raises(
        InputError, match="breaks 'every cell holds one tile'"
    ):  # but none of them may be missing
        list(checked(CATS, FORMULA, parse(f"v {' '.join(map(str, true[1:]))} 0")))


def test_any_wrong_value_is_refused_with_its_group() -> None:
    right = full_model(SOLUTIONS[0])
    groups = set()
    for variable in random.Random(5).sample(sorted(right), 25):
        wrong = {**right, variable: not right[variable]}
        expected = first_broken(wrong)
        assert expected
        groups.add(expected)
        with pytest.raises(InputError, match=f"breaks '{expected}'"):
            list(checked(CATS, FORMULA, parse(answered(wrong))))
    assert groups == {"every cell holds one tile", "an edge has one label"}


def test_a_label_that_contradicts_its_tile() -> None:
    model = full_model(SOLUTIONS[0])
    labels = list(FORMULA.choices[0].literals.values())
    shown = next(v for v in labels if model[v])
    model[shown] = False
    model[next(v for v in labels if v != shown)] = True
    with pytest.raises(InputError, match="breaks 'a tile shows its labels'"):
        list(checked(CATS, FORMULA, parse(answered(model))))


class Coin(NamedTuple):
    i: int


def test_costs_are_checked() -> None:
    class Coins(Puzzle):
        """At least two of three coins are used."""

        family: str = "coins"

        def encode(self) -> Formula:
            formula = Formula()
            x = formula.variables("coin", ("i",), [Coin(i) for i in range(3)])
            with formula.rule("enough"):
                formula.at_least(2, x[:])
            formula.minimize({x(0): 3, x(1): -2, -x(2): 1})
            return formula

        def check(self, placements):  # type: ignore[no-untyped-def]
            if len(placements) < 2:
                yield "too few"

        def text(self, placements):  # type: ignore[no-untyped-def]
            return ""

        svg = text

    puzzle = Coins(name="coins")
    formula = puzzle.encode()
    for bits in product((False, True), repeat=3):
        cost = 3 * bits[0] - 2 * bits[1] + (not bits[2])
        in_wcnf = cost + 2
        for claimed in range(-4, 8):
            answer = parse(
                f"o {claimed}\ns OPTIMUM FOUND\nv {''.join(str(int(bit)) for bit in bits)}\n"
            )
            if sum(bits) >= 2 and claimed in (cost, in_wcnf):
                (solution,) = checked(puzzle, formula, answer)
                assert len(solution.placements) == sum(bits)
            else:
                with pytest.raises(InputError, match="cost" if sum(bits) >= 2 else "'enough'"):
                    list(checked(puzzle, formula, answer))


def test_the_minimum_number_of_presses_by_maxsat(tmp_path: Path) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    puzzle = load("lights-5x5")
    save(tmp_path / "x.wcnf", lines(puzzle.encode(), tmp_path / "x.wcnf", puzzle))
    with RC2(WCNF(from_file=str(tmp_path / "x.wcnf"))) as rc2:
        values = rc2.compute()
        bits = "".join(str(int(value > 0)) for value in values)
        said = f"o {rc2.cost}\ns OPTIMUM FOUND\nv {bits}\n"
    (solution,) = checked(puzzle, puzzle.encode(), parse(said))
    assert len(solution.placements) == 15
    with pytest.raises(
        InputError, match="the assignment has the cost 15, but the solver states 14"
    ):
        list(checked(puzzle, puzzle.encode(), parse(said.replace("o 15", "o 14"))))


def test_symbols_of_another_instance() -> None:
    with pytest.raises(InputError, match="no variable 'place cell=top'"):
        list(checked(CATS, FORMULA, parse("sat\n((define-fun |place cell=top| () Bool true))")))


def test_an_irrelevant_choice() -> None:
    formula = Formula()
    formula.choice("label", ["a", "b"], edge=1)
    formula.choice("label", ["b", "c"], edge=2)
    assert Symbols(formula).read_values({}) == {1: True, 2: False, 3: True, 4: False}
    assert Symbols(formula).read_values({"label edge=2": "label=c"}) == {
        1: True,
        2: False,
        3: False,
        4: True,
    }


# -- the command


def decode(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str | Path
) -> tuple[int, str, str]:
    return command(capsys, "decode", *arguments)  # it restores the handlers of signals


def test_decode(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, svg = tmp_path / "answer", tmp_path / "cats.svg"
    answer.write_text(
        "".join(answered(full_model(placements)) for placements in [*SOLUTIONS, SOLUTIONS[0]])
    )
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--show", "2", "--svg", svg)
    assert (status, err) == (0, "")
    assert out.count("Solution ") == 2
    assert out.endswith(f"cats: 4 solutions in {answer}, checked (1 more repeats another one)\n")
    assert svg.read_text().startswith("<svg")
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--json")
    said = json.loads(out)
    assert (said["instance"], said["status"], said["solutions"]) == ("cats", "satisfiable", 4)
    assert {
        frozenset((tuple(p["cell"]), p["tile"], p["turn"]) for p in found)
        for found in said["found"]
    } == {frozenset(map(tuple, placements)) for placements in SOLUTIONS}


def test_decode_stops_after_its_timeout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("s UNSATISFIABLE\n")
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--timeout", "100")
    assert (status, err) == (0, "") and "no solution according to" in out

    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("jigsat.services.decode.parse", endless)
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--timeout", "0.2")
    assert (status, out) == (3, "")
    assert err == f"jigsat: {answer}: not checked: stopped by timeout; --timeout raises the limit\n"
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--timeout", "0")
    assert (status, err) == (
        3,
        "jigsat: cats: stopped by timeout while reading and encoding; --timeout raises the limit\n",
    )


def test_decode_from_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("s UNSATISFIABLE\n"))
    status, out, _ = decode(capsys, monkeypatch, "cats", "-")
    assert (status, out) == (
        0,
        "cats: no solution according to the answer on stdin; this is not checked\n",
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("s UNKNOWN\n"))
    status, out, err = decode(capsys, monkeypatch, "cats", "-")
    assert (status, out, err) == (3, "", "jigsat: the answer on stdin: the solver gave up\n")


def test_decode_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, other, own, renamed, cut = (
        tmp_path / name for name in ("answer", "cube.opb", "cats.cnf", "old.cnf", "cut")
    )
    right = answered(full_model(SOLUTIONS[0]))
    cut.write_text(f"{right}v 1 2\n{right}")
    answer.write_text(answered(full_model(SOLUTIONS[0])))
    other.write_text("".join(lines(load("cube").encode(), other, load("cube"))))
    own.write_text("".join(lines(FORMULA, own, CATS)))
    renamed.write_text(own.read_text().replace("tile=1 turn=2", "tile=2 turn=1"))
    assert decode(capsys, monkeypatch, "cats", answer, "--formula", own)[0] == 0
    refused = {
        (
            "cats",
            answer,
            "--formula",
            other,
        ): f"{other}: an export of another instance, cube sha256 {load('cube').digest()}",
        (
            "cats",
            answer,
            "--formula",
            renamed,
        ): f"{renamed}: variable 3 place cell=(0,0) tile=2 turn=1 has another meaning here",
        (
            "cats",
            answer,
            "--formula",
            answer,
        ): f"{answer}: not exported by jigsat: the comment 'instance",
        (
            "cats",
            tmp_path / "nothing",
        ): f"{tmp_path / 'nothing'}: cannot be read: no such file or directory",
        (
            "cube",
            answer,
        ): f"{answer}: the assignment is not a solution of cube: it breaks 'every face holds one "
        f"piece'",
        ("cats", own): f"{own}: contains no solver's answer",
        ("cats", cut): f"{cut}: assignment 2 of 3 in line 3 is not a solution of cats: it breaks",
    }
    for arguments, complaint in refused.items():
        status, out, err = decode(capsys, monkeypatch, *arguments)
        assert (status, out) == (2, "")
        assert err.startswith(f"jigsat: {complaint}") and err.count("\n") == 1


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("x.cnf", bytes(range(256)), "not a text file"),
        ("x.cnf.gz", b"not packed", "damaged, or not compressed as .gz; export it again\n"),
        ("x.cnf.gz", _gzipped(b"c jigsat\n" * 1000)[:40], "damaged, or not compressed as .gz; "),
        (
            "x.cnf.gz",
            _gzipped(b"c jigsat\n" * 1000)[:20] + b"\xff" * 40,
            "damaged, or not compressed as .gz; ",
        ),
        (
            "x.cnf.gz",
            _gzipped(b"c jigsat\n" * 1000)[:-8] + b"\xff" * 8,
            "damaged, or not compressed as .gz; ",
        ),
        (
            "x.cnf.xz",
            lzma.compress(b"c jigsat\n" * 1000) + b"junk",
            "damaged, or not compressed as .xz; ",
        ),
        ("x.cnf.xz", b"not packed", "damaged, or not compressed as .xz; export it again\n"),
        (
            "x.cnf.xz",
            lzma.compress(b"c jigsat\n" * 1000)[:60],
            "damaged, or not compressed as .xz; ",
        ),
        (
            "x.cnf.xz",
            lzma.compress(b"c jigsat\n" * 1000)[:-12] + b"x" * 12,
            "damaged, or not compressed as .xz; ",
        ),
        ("x.cnf", b"c instance \n", "not exported by jigsat"),
        ("x.cnf", b"c instance \t\n", "not exported by jigsat"),
        ("x.cnf", b"c instance cats\n", "an export of another instance, cats; cats has "),
        (
            "x.cnf",
            f"c instance cats sha256 {load('cats').digest()}\nc group \nc group 1\nc var \nc var "
            f"1\n".encode(),
            "variable 1 has another meaning",
        ),
        ("x.cnf", b"c " + b"x" * (17 * 2**20), "a line is longer than 16 MiB, the limit"),
        (
            "x.cnf.gz",
            _gzipped(b"c " + b"x" * (17 * 2**20)),
            "a line is longer than 16 MiB, the limit",
        ),
        ("x.cnf.gz", _gzipped(bytes(range(256))), "not a text file"),
        ("d", None, "cannot be read: is a directory"),
    ],
)
def test_a_formula_that_cannot_be_read(
    name: str,
    content: bytes | None,
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, answer = tmp_path / name, tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    path.mkdir() if content is None else path.write_bytes(content)
    status, out, err = decode(capsys, monkeypatch, "cats", answer, "--formula", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"jigsat: {path}: {complaint}")


def test_an_answer_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = tmp_path / "answer"
    with answer.open("wb") as file:
        file.truncate(3 * 2**30)  # one line of 3 GiB, as a sparse file
    for path, complaint in {
        answer: "larger than 64 MiB, the limit for this kind of file",
        tmp_path: "cannot be read: is a directory",
        tmp_path / ("x" * 5000): "cannot be read: file name too long",
    }.items():
        status, out, err = decode(capsys, monkeypatch, "cats", path)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert complaint in err
    answer.write_bytes(bytes(range(256)))
    assert decode(capsys, monkeypatch, "cats", answer)[0] == 2
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="utf-8"))
    status, _, err = decode(capsys, monkeypatch, "cats", "-")
    assert (status, err) == (
        2,
        "jigsat: the answer on stdin: contains no solver's answer: no line with s, v or SAT, and "
        "no model\n",
    )


def test_no_solution_besides_those_ruled_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, path, answer = tmp_path / "known.json", tmp_path / "cats.cnf.gz", tmp_path / "answer"
    known.write_text(
        json.dumps({"found": [s.objects() for s in solutions("cats")], "up_to": "rotation"})
    )
    assert command(capsys, "export", "cats", "-o", path, "--block", known).status == 0
    answer.write_text("UNSAT\n")
    _, out, _ = decode(capsys, monkeypatch, "cats", answer, "--formula", path)
    assert (
        out
        == f"cats: no solution besides those excluded in the formula according to {answer}; this "
        f"is not checked\n"
    )


@pytest.mark.parametrize("encoding", ["labels-lean", "supports", "conflicts"])
def test_decode_in_the_encoding_of_the_export(
    encoding: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    path, answer = tmp_path / "cats.cnf", tmp_path / "answer"
    assert (
        command(capsys, "export", "cats", "-o", path, "--set", f"encoding={encoding}").status == 0
    )
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()
        answer.write_text(f"v {' '.join(map(str, solver.get_model()))} 0\n")
    assert (
        decode(
            capsys, monkeypatch, "cats", answer, "--formula", path, "--set", f"encoding={encoding}"
        )[0]
        == 0
    )
    status, _, err = decode(capsys, monkeypatch, "cats", answer, "--formula", path)
    if encoding == "labels-lean":  # the same variables
        assert status == 0
    else:
        assert status == 2 and "another encoding (--set encoding=…)" in err
