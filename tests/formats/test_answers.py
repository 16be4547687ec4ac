"""Reading the answers of solvers."""

from __future__ import annotations

import pytest

from jigsat import InputError
from jigsat.formats import answers
from jigsat.formats.answers import SolverModel, parse


def values(*literals: int) -> dict[int, bool]:
    return {abs(literal): literal > 0 for literal in literals}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c hello\ns SATISFIABLE\nv 1 -2 3\nv -4\nv 0\n", [values(1, -2, 3, -4)]),
        ("v 1 -2 0\ns SATISFIABLE\n", [values(1, -2)]),
        ("s SATISFIABLE\nv 1 -2 3 -4 \n", [values(1, -2, 3, -4)]),  # Z3 leaves out the 0
        ("SAT\n1 -2\n3 0\nWARNING: for repeatability\n12 13\nSATISFIABLE\n", [values(1, -2, 3)]),
        ("restarts              : 1\n| 12 13 |\n\nSATISFIABLE\nv 1 0\n", [values(1)]),
        (
            "c Answer: 1\nv 1 -2 0\nc Answer: 2\nv -1\nv 2 0\ns SATISFIABLE\n",
            [values(1, -2), values(-1, 2)],
        ),
        (
            "s SATISFIABLE\nv 1 2 0\ns SATISFIABLE\nv 1 -2 0\ns UNSATISFIABLE\n",
            [values(1, 2), values(1, -2)],
        ),
        ("v x1 -x2\nv x10\ns SATISFIABLE\n", [values(1, -2, 10)]),
        ("v x1 -x2\nv -x1 x2\ns SATISFIABLE\n", [values(1, -2), values(-1, 2)]),
        ("s SATISFIABLE\nv 0\n", [{}]),
        ("v 10 0\n", [values(10)]),
        ("v 10\n", [values(1, -2)]),
        (
            "sat\n(define-fun k!1 () Bool\n  false)\n(define-fun k!12 () Bool\n  true)\n   1\n",
            [values(-1, 12)],
        ),
    ],
)
def test_literals(text: str, expected: list[dict[int, bool]]) -> None:
    assert [model.literals for model in parse(text).models] == expected
    assert [model.literals for model in parse(text.replace("\n", "\r\n")).models] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o 7\no 3\ns OPTIMUM FOUND\nv 1 -2 0\n", [SolverModel(values(1, -2), cost=3)]),
        ("s OPTIMUM FOUND\no 3\nv 0110\n", [SolverModel(values(-1, 2, 3, -4), cost=3)]),
        (
            "o 5\nv x1\no 4\nv -x1\ns OPTIMUM FOUND\n",
            [SolverModel(values(1), cost=5), SolverModel(values(-1), cost=4)],
        ),
    ],
)
def test_costs(text: str, expected: list[SolverModel]) -> None:
    assert list(parse(text).models) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "sat\n(\n  (define-fun |a b| () Bool\n    true)\n  (define-fun c () label\n    |d "
            "(e|)\n)\n",
            [{"a b": "true", "c": "d (e"}],
        ),
        ("sat\n(model\n(define-fun a () Bool false) ; why\n)\n", [{"a": "false"}]),
        (
            "sat\n((define-fun a () T (as b T)) (define-fun f ((x Int)) Int x) (define-fun g () "
            "Bool (= a b)))",
            [{"a": "b"}],
        ),
        ("sat\n((a true)\n (|b c| d))\n", [{"a": "true", "b c": "d"}]),
        (
            "sat\n((define-fun a () Bool true))\nsat\n((define-fun a () Bool false))\n",
            [{"a": "true"}, {"a": "false"}],
        ),
    ],
)
def test_symbols(text: str, expected: list[dict[str, str]]) -> None:
    assert [model.symbols for model in parse(text).models] == expected


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("s UNSATISFIABLE\n", "unsatisfiable"),
        ("UNSAT\n", "unsatisfiable"),
        ("UNSATISFIABLE\n", "unsatisfiable"),
        ('unsat\n(error "line 12 column 10: model is not available")\n', "unsatisfiable"),
        ("s UNKNOWN\n", "unknown"),
        ("INDET\n", "unknown"),
        ("unknown\n", "unknown"),
    ],
)
def test_answers_without_a_model(text: str, status: str) -> None:
    assert parse(text).status == status


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no solver's answer"),
        ("p cnf 1 1\n1 0\n", "no solver's answer"),
        ("SATISFIABLE\n", "without an assignment"),
        ("s SATISFIABLE\nv 1 2\nv 3 two 0\n", "line 3: 'two' is not a literal"),
        ("s SATISFIABLE\nv 1 2 -1 0\n", "line 2: variable 1 already has a value"),
        ("sat\n((define-fun a () Bool true)", "in the middle of a model"),
        ("sat\n(a true))", "closing parenthesis"),
        ("s FOO\n", r"line 1: unknown status 'FOO'; known are SAT, SATISFIABLE, OPTIMUM FOUND, "),
        ("s\n", "line 1: unknown status ''"),
        ("s FOO\nv 1 0\n", "line 1: unknown status 'FOO'"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", "states 'satisfiable' and then 'unsatisfiable'"),
        (
            "v 1 0\ns SATISFIABLE\ns UNSATISFIABLE\n",
            "states 'satisfiable' and then 'unsatisfiable'",
        ),
        (
            "s UNSATISFIABLE\ns SATISFIABLE\nv 1 0\n",
            "states 'unsatisfiable' and then 'satisfiable'",
        ),
        ("s UNSATISFIABLE\ns UNKNOWN\n", "states 'unsatisfiable' and then 'unknown'"),
        ("s UNSATISFIABLE\nv 1 0\n", "states 'unsatisfiable' and then gives an assignment"),
        ("v 1 0\ns UNSATISFIABLE\n", "gives an assignment and then states 'unsatisfiable'"),
        ("UNSAT\n1 -2 0\n", "states 'unsatisfiable' and then gives an assignment"),
        ("UNSAT\nSAT\n1 -2 0\n", "states 'unsatisfiable' and then 'satisfiable'"),
        ("SAT\n1 -2 0\nUNSAT\n1 -2 0\n", "states 'unsatisfiable' and then gives an assignment"),
        ("sat\nunsat\n", "states 'satisfiable' and then 'unsatisfiable'"),
        (
            "unsat\n((define-fun a () Bool true))\n",
            "states 'unsatisfiable' and then gives an assignment",
        ),
        (f"v {'1' * 10_000} 0\n", "line 1: a number of 10,000 digits"),
        (f"v -x{'9' * 10_000} 0\n", "line 1: a number of 10,000 digits"),
        ("o 1e1\ns OPTIMUM FOUND\nv 1 0\n", "line 1: expected one whole number after 'o'"),
        ("o\ns OPTIMUM FOUND\nv 1 0\n", "line 1: expected one whole number after 'o'"),
        ("o 15 10\ns OPTIMUM FOUND\nv 1 0\n", "line 1: expected one whole number after 'o'"),
        (f"o {'9' * 10_000}\ns OPTIMUM FOUND\nv 1 0\n", "line 1: a number of 10,000 digits"),
        (f"v {'y' * 10_000} 0\n", r"line 1: 'y{40}' is not a literal"),
        ("v ١ 0\n", "line 1: '١' is not a literal"),
        ("sat\n" + "(" * 100_000, "nested more than 1,000 levels deep"),
    ],
)
def test_malformed_answers(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        parse(text)


def test_a_large_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_VALUES", 100)
    for text in (f"v {'1' * 101}\n", "v 1 0\n" * 51, "sat\n" + "(a b)\n" * 26):
        with pytest.raises(
            InputError, match=r"more than 100 (values|words and parentheses), the limit"
        ):
            parse(text)
    monkeypatch.setattr(answers, "MAX_ANSWER_BYTES", 2**20)
    with pytest.raises(InputError, match="larger than 1 MiB, the limit for an answer"):
        parse(" " * 2**20 + "\n")


def test_blank_lines_take_no_time() -> None:
    assert parse("\n" * 1_000_000 + "s UNSATISFIABLE\n").status == "unsatisfiable"
