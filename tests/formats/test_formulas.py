"""Formulas from DIMACS and OPB files: compared with a plain count over all assignments, and errors
in one line."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.forked import run
from support.quick import cases

import jigsat
from jigsat.errors import InputError
from jigsat.formats.formulas import read_formula
from jigsat.formula import Formula
from jigsat.questions import MinimumBounded, Result

OPTIONS = {"max_examples": cases(60), "derandomize": True, "deadline": None}


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def sizes(rng: random.Random) -> tuple[int, list[int]]:
    """A number of variables, and those to show."""
    n = rng.randint(1, 6)
    return n, sorted(rng.sample(range(1, n + 1), rng.randint(0, n)))


@settings(**OPTIONS)
@given(st.integers(0, 10**6))
def test_models_of_dimacs_are_those_of_a_plain_count(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng = random.Random(seed)
    n, shown = sizes(rng)
    clauses = [
        (
            rng.random() < 0.3,
            [rng.choice((1, -1)) * rng.randint(1, n) for _ in range(rng.randint(1, 3))],
        )
        for _ in range(rng.randint(0, 6))
    ]
    lines = [f"{'x' if xor else ''}{' '.join(map(str, clause))} 0" for xor, clause in clauses]
    show = [f"c p show {' '.join(map(str, shown))} 0"] if rng.random() < 0.6 else []
    text = "\n".join(["c a comment", *show, f"p cnf {n} {len(clauses)}", *lines, ""])

    def true(literal: int, values: tuple[bool, ...]) -> bool:
        return values[abs(literal) - 1] == (literal > 0)

    models = {
        tuple(values[i - 1] for i in (shown if show else range(1, n + 1)))
        for values in product((False, True), repeat=n)
        if all(
            sum(true(x, values) for x in clause) % 2
            if xor
            else any(true(x, values) for x in clause)
            for xor, clause in clauses
        )
    }
    formula = read_formula(saved(tmp_path_factory.mktemp("dimacs"), "x.cnf", text))
    assert jigsat.count(formula, backend="cadical195").solutions == len(models)


@settings(**OPTIONS)
@given(st.integers(0, 10**6))
def test_models_of_opb_are_those_of_a_plain_count(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng = random.Random(seed)
    n, shown = sizes(rng)
    sums = []
    for _ in range(rng.randint(0, 4)):
        terms = [
            (rng.randint(-4, 4), rng.choice((1, -1)) * rng.randint(1, n))
            for _ in range(rng.randint(1, 4))
        ]
        sums.append((terms, rng.choice((">=", "=", "<=")), rng.randint(-3, 4)))
    show = [f"* p show {' '.join(map(str, shown))} 0"] if rng.random() < 0.6 else []
    lines = [f"* #variable= {n} #constraint= {len(sums)}", *show, "min: +1 x1 ;"]
    for terms, relation, bound in sums:
        words = " ".join(f"{weight:+} {'~' * (x < 0)}x{abs(x)}" for weight, x in terms)
        lines.append(
            f"{words}\n {relation} {bound};"
            if rng.random() < 0.5
            else f"{words} {relation} {bound} ;"
        )

    def fits(
        values: tuple[bool, ...], terms: list[tuple[int, int]], relation: str, bound: int
    ) -> bool:
        total = sum(weight for weight, x in terms if values[abs(x) - 1] == (x > 0))
        return {">=": total >= bound, "=": total == bound, "<=": total <= bound}[relation]

    models = {
        tuple(values[i - 1] for i in (shown if show else range(1, n + 1)))
        for values in product((False, True), repeat=n)
        if all(fits(values, *one) for one in sums)
    }
    formula = read_formula(saved(tmp_path_factory.mktemp("opb"), "x.opb", "\n".join([*lines, ""])))
    assert jigsat.count(formula, backend="cadical195").solutions == len(models)


@pytest.mark.parametrize("name", ["cats", "sudoku-4x4-empty", "lights-5x5", "menage-5"])
@pytest.mark.parametrize("suffix", [".cnf", ".cnf.gz", ".xnf"])
def test_exported_puzzles_are_counted_as_puzzles(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}{suffix}"
    jigsat.export(name, path)
    assert jigsat.count(read_formula(path)).solutions == jigsat.load(name).known.solutions


@settings(**OPTIONS)
@given(st.integers(0, 10**6))
def test_the_least_cost_is_that_of_a_plain_search(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Soft clauses in both formats of WCNF, and the same costs as the objective of an OPB file."""
    rng = random.Random(seed)
    n = rng.randint(1, 5)
    clauses = [
        [rng.choice((1, -1)) * rng.randint(1, n) for _ in range(rng.randint(1, 3))]
        for _ in range(rng.randint(1, 8))
    ]
    weights = [rng.choice((None, rng.randint(0, 4))) for _ in clauses]
    costs = []
    for values in product((False, True), repeat=n):
        broken = [
            w
            for w, clause in zip(weights, clauses, strict=True)
            if not any(values[abs(x) - 1] == (x > 0) for x in clause)
        ]
        if None not in broken:
            costs.append(sum(filter(None, broken)))
    folder = tmp_path_factory.mktemp("wcnf")
    for hard, header in ("h", ""), ("99", f"p wcnf {n} {len(clauses)} 99\n"):
        lines = [
            f"{hard if weight is None else weight} {' '.join(map(str, clause))} 0\n"
            for weight, clause in zip(weights, clauses, strict=True)
        ]
        formula = read_formula(saved(folder, "x.wcnf", header + "".join(lines)))
        if not formula.objective:  # every clause is hard
            assert bool(jigsat.models(formula).run().solutions) == bool(costs)
            continue
        result = jigsat.models(formula, minimize=True).run()
        assert result.minimum == min(costs, default=None)
        jigsat.export(formula, folder / "x.opb")
        assert (
            jigsat.models(read_formula(folder / "x.opb"), minimize=True).run().minimum
            == result.minimum
        )


def test_the_command_solves_formulas(tmp_path: Path) -> None:
    text = "* #variable= 3 #constraint= 1\nmin: +2 x1 +1 x2 -1 ~x3 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n"
    saved(tmp_path, "a.opb", text)
    solved = run("solve", "a.opb", "--minimize", folder=tmp_path)
    assert solved.out.startswith(
        "Solution 1\n\nv -1 2 3 0\n\na.opb: 1 solution with the minimum 1 (proved); complete"
    )
    assert run("solve", "a.opb", folder=tmp_path).out.count("\nv ") == 3
    refused = run("solve", "a.opb", "--picture", "a.svg", folder=tmp_path)
    assert (refused.status, refused.err) == (
        2,
        "jigsat: a.opb: --picture is for puzzles, and this is a formula\n",
    )


def test_the_older_comment_lists_the_variables_as_well(tmp_path: Path) -> None:
    for name, text in {
        "x.cnf": "c ind 1 0\nc ind 2 0\np cnf 3 1\n1 2 0\n",
        "x.opb": "* #variable= 3 #constraint= 1\n* ind 1 2 0\n+1 x1 +1 x2 >= 1 ;\n",
    }.items():
        assert jigsat.count(read_formula(saved(tmp_path, name, text))).solutions == 3


def test_the_command_counts_formulas(tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    saved(tmp_path, "two.cnf", "p cnf 3 1\nc p show 1 2 0\n1 2 0\n")
    counted = run("count", "two.cnf", "--up-to", "automorphism", folder=tmp_path)
    assert counted.status == 0
    assert counted.out.startswith("two.cnf: 3 solutions, 2 up to automorphism; complete")
    refused = run("count", "two.cnf", "--set", "a=1", folder=tmp_path)
    assert (refused.status, refused.err) == (
        2,
        "jigsat: --set a=1: two.cnf is a formula and has no entries\n",
    )


WRONG = {
    "x.cnf": [
        (
            "p cnf 2 1\nc p weight 1 0.4 0\n1 2 0\n",
            "line 2: weights of literals, which are not read",
        ),
        ("", "not DIMACS: the line 'p cnf VARIABLES CLAUSES' is missing"),
        ("1 2 0\n", "line 1: not DIMACS; the line 'p cnf VARIABLES CLAUSES' comes first"),
        ("p cnf 2\n", "line 1: expected one line 'p cnf VARIABLES CLAUSES'"),
        ("p cnf 2 1\n1 3 0\n", "line 2: variable 3, but there are only 2"),
        ("p cnf 2 1\n1 a 0\n", "line 2: expected a whole number, got 'a'"),
        ("p cnf 2 2\n1 2 0\n", "1 clause instead of 2; the file may be cut off"),
        ("p cnf 2 1\n1 2\n", "the last clause does not end with 0; the file may be cut off"),
        ("p cnf 2 1\n1 2 0\n-1 -2 0\n", "2 clauses instead of 1; correct the number in the header"),
        ("p cnf ٢ 1\n1 2 0\n", "line 1: expected one line 'p cnf VARIABLES CLAUSES'"),
        (
            "c p show ١ 0\np cnf 2 0\n",
            "line 1: expected numbers of variables after 'p show', and 0 at the end",
        ),
        (
            "c ind a 0\np cnf 2 0\n",
            "line 1: expected numbers of variables after 'ind', and 0 at the end",
        ),
        ("c p show 9 0\np cnf 2 0\n", "'p show' lists variable 9, but there are only 2"),
        (
            "c p show a 0\np cnf 2 0\n",
            "line 1: expected numbers of variables after 'p show', and 0 at the end",
        ),
        ("p cnf 999999999 0\n", "999,999,999 variables are too many; the limit is 5,000,000"),
        ("p cnf 1 1\n1 0\np cnf 1 1\n", "line 3: a second header"),
        ("p cnf 1 1\n1 0\n%\n0\n-1 0\n", "line 5: more after '%'"),
        (
            "p wcnf 2 1 3\n3 1 0\n",
            "line 1: expected one line 'p cnf VARIABLES CLAUSES'; this is WCNF",
        ),
        ("* #variable= 1 #constraint= 0\n", "line 1: not DIMACS; this is OPB; name the file .opb"),
        ("p edge 3 2\ne 1 2\n", "this is a graph in DIMACS format, not a formula"),
        ("p cnf 2 1\ne 1 2 0\n1 2 0\n", "line 2: quantifiers (QDIMACS), which are not read"),
    ],
    "x.wcnf": [
        ("h 1 2\n", "line 1: expected 'h' or a weight, then the literals of a clause and 0"),
        ("-3 1 0\n", "line 1: expected 'h' or a weight"),
        ("h\n", "line 1: expected a whole number"),
        ("x 1 0\n", "line 1: expected a whole number, got 'x'"),
        ("p wcnf 3 5 10\n10 1 0\n2 2 0\n", "2 clauses instead of 5; the file may be cut off"),
        ("p wcnf 3 1 10\n10 1 0\n2 2 0\n", "2 clauses instead of 1; correct the number"),
        ("p wcnf 3 1 10\n10 4 0\n", "line 2: variable 4, but there are only 3"),
        ("p wcnf 3 1 10\n11 1 0\n", "line 2: weight 11, but hard clauses have 10"),
        ("p wcnf 3 1 10\np wcnf 3 1 9\n9 1 0\n", "line 2: a second header"),
        ("h 1 0\np wcnf 3 1 9\n9 1 0\n", "line 2: a header after clauses"),
        ("p wcnf 3 1 10\nh 1 0\n", "line 2: expected a whole number, got 'h'"),
        ("p wcnf 3 1 0\n0 1 0\n", "line 1: the weight of hard clauses is 0"),
        ("p wcnf 3 1\n4 1 0\n", "line 1: weighted MaxSAT without hard clauses, which is not read"),
        ("p cnf 3 1\n1 0\n", "line 1: expected 'p wcnf VARIABLES CLAUSES TOP'; this is DIMACS CNF"),
    ],
    "x.opb": [
        ("* #variable= 1 #constraint= 0\nmin: +1 x2 ;\n", "variable x2, but there are only 1"),
        ("* #variable= 1 #constraint= 0\nmin: x1 x2 ;\n", "line 2: expected a sum"),
        (
            "* #variable= 2 #constraint= 0\nmin: +1 x1 ;\nmax: +1 x2 ;\n",
            "line 3: a second objective; a formula has one",
        ),
        (
            "* #variable= 2 #constraint= 0\n* #variable= 3 #constraint= 0\n",
            "line 2: a second header",
        ),
        ("* #variable= 2 #constraint= 1\n+1 x1x2 >= 1 ;\n", "line 2: expected a sum"),
        ("* #variable= 2 #constraint= 1\n+1 x1 == 1 ;\n", "line 2: expected a sum"),
        ("* #variable= 2 #constraint= 1\n+1 y1 >= 1 ;\n", "line 2: expected a sum"),
        ("* #variable= 1 #constraint= 1\n[2] +1 x1 >= 1 ;\n", "line 2: a soft constraint (WBO)"),
        ("soft: 3 ;\n", "line 1: a soft constraint (WBO)"),
        ("p cnf 2 1\n1 2 0\n", "line 1: not OPB; this is DIMACS CNF; name the file .cnf"),
        ("", "not OPB: the first line '* #variable= … #constraint= …' is missing"),
        (
            "* #variable= 1 #constraint= 1\n+1 x1 >= 1\n",
            "the last constraint does not end with ';'; the file may be cut off",
        ),
        (
            "* #variable= 1 #constraint= 1\n+1 x1 x2 >= 1 ;\n",
            "line 2: expected a sum such as '+1 x1 -2 ~x3 >= 2'",
        ),
        ("* #variable= 1 #constraint= 1\n+1 x2 >= 1 ;\n", "variable x2, but there are only 1"),
        ("* #variable= 1 #constraint= 1\n+1 x0 >= 1 ;\n", "line 2: variables are numbered from x1"),
        (
            "* #variable= ١ #constraint= 0\n",
            "not OPB: the first line '* #variable= … #constraint= …' is missing",
        ),
        (
            "* #variable= 1 #constraint= 1\n+١ x1 >= 1 ;\n",
            "line 2: expected a sum such as '+1 x1 -2 ~x3 >= 2'",
        ),
        (
            "* #variable= 1 #constraint= 0\n+1 x1 >= 1 ;\n",
            "1 constraint instead of 0; correct the number in the header",
        ),
        (
            "* #variable= 1 #constraint= 2\n+1 x1 >= 1 ;\n",
            "1 constraint instead of 2; the file may be cut off",
        ),
        (
            f"* #variable= 1 #constraint= 1\n+{'9' * 5000} x1 >= 1 ;\n",
            "line 2: a number with too many digits",
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [(name, *case) for name, cases in WRONG.items() for case in cases],
)
def test_wrong_files_are_refused(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_formula(saved(tmp_path, name, text))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".cnf", ".xnf", ".wcnf", ".opb", ".cnf.gz", ".opb.xz"])
@pytest.mark.parametrize("number", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_mutated_files_end_in_one_line_or_a_formula(
    suffix: str, number: int, tmp_path: Path
) -> None:
    path = tmp_path / f"cats{suffix}"
    jigsat.export("push-pull", path)
    data, rng = path.read_bytes(), random.Random(suffix)
    for _ in range(number):
        changed = bytearray(data[: rng.randint(0, len(data))] if rng.random() < 0.3 else data)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(changed) + 1)
            changed[at : at + rng.randint(0, 3)] = bytes(
                rng.choices(b"0123456789 -~x;=>pcnf\n\xff", k=rng.randint(0, 3))
            )
        path.write_bytes(changed)
        try:
            read_formula(path)
        except InputError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)


def read(folder: Path, name: str, text: str) -> jigsat.Formula:
    return read_formula(saved(folder, name, text))


def test_the_header_of_the_older_wcnf_states_the_variables_and_the_hard_weight(
    tmp_path: Path,
) -> None:
    assert jigsat.count(read(tmp_path, "x.wcnf", "p wcnf 3 1 10\n10 1 0\n")).solutions == 4
    top = 2**64 - 1
    huge = read(tmp_path, "x.wcnf", f"p wcnf 2 3 {top}\n{top} 1 2 0\n{top} -1 0\n3 -2 0\n")
    assert [model.text() for model in jigsat.models(huge, minimize=True)] == ["v -1 2 0"]
    assert jigsat.minimum(huge).minimum == 3


def test_a_comment_block_of_a_maxsat_file_is_a_comment(tmp_path: Path) -> None:
    text = 'c{\nc "nvars": 2,\nc}\nh 1 2 0\n5 -1 0\n'
    assert jigsat.minimum(read(tmp_path, "x.wcnf", text)).minimum == 0


@pytest.mark.parametrize("end", ["%\n0\n", "%\n0\n\n", "%\n"])
def test_the_end_of_a_file_of_satlib(end: str, tmp_path: Path) -> None:
    formula = read(tmp_path, "x.cnf", f"\ufeffc a BOM\np cnf 3  2\n 1 -3 0\n2 3 -1 0\n{end}")
    assert jigsat.count(formula).solutions == 5


@pytest.mark.parametrize(
    ("constraint", "models"),
    [
        ("x1 + x2 >= 1", 3),
        ("1x1>=1", 2),
        ("-x1 - x2 >= -1", 3),
        ("+ 2 x1 - 3~x2 >= - 1", 3),
        ("2*x1 + ~ x2 = 1", 1),
        ("1 x1 2 x2 <= 2", 3),
    ],
)
def test_sums_without_weights_and_spaces(constraint: str, models: int, tmp_path: Path) -> None:
    text = f"* #variable= 2 #constraint= 1\n{constraint};\n"
    assert jigsat.count(read(tmp_path, "x.opb", text)).solutions == models


def test_repeated_variables_of_an_objective_are_added_up(tmp_path: Path) -> None:
    header = "* #variable= 2 #constraint= 1\n"
    formula = read(tmp_path, "x.opb", f"{header}min: +1 x1 +2 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n")
    assert jigsat.minimum(formula).minimum == 2
    both = read(tmp_path, "x.opb", f"{header}min: +1 x1 -3 ~x1 ;\n+1 x1 +1 x2 >= 1 ;\n")
    assert jigsat.minimum(both).minimum == -3


def test_the_maximum_of_a_sum_is_stated(tmp_path: Path) -> None:
    header = "* #variable= 3 #constraint= 1\n"
    path = saved(tmp_path, "most.opb", f"{header}max: 2 x1 3 x2 -1 x3 ;\n1 x1 1 x2 1 x3 <= 2 ;\n")
    solved = run("solve", path, "--minimize")
    assert "v 1 2 -3 0\n" in solved.out
    assert "1 solution with the maximum 5 (proved); complete" in solved.out
    facts = json.loads(run("solve", path, "--minimize", "--json").out)
    assert (facts["maximum"], facts["maximum_proved"]) == (5, True)
    assert "minimum" not in facts and "lower_bound" not in facts

    assert jigsat.minimum(path).maximum == 5
    formula = Formula()
    coin = formula.variables("coin", {"value": (1, 2, 5)})
    formula.linear({literal: value for (value,), literal in coin.items()}, at_most=6)
    formula.maximize({coin(value): 1 for value in (1, 2, 5)})
    result = jigsat.minimum(formula)
    assert result.maximum == 2 and "the maximum 2 (proved)" in str(result)
    formula.minimize({coin(value): 1 for value in (1, 2, 5)})
    assert jigsat.minimum(formula).maximum is None


def test_bounds_of_a_maximum_are_stated() -> None:
    result = Result("most", "cadical195", minimum_proved=False, maximizes=True)
    assert "; the maximum is not known yet" in str(result)
    result.add(MinimumBounded(lower=-9, best=-4))
    bounds = "; the maximum is at most 9 (proved), and the best value found is 4"
    assert bounds in str(result)
    assert (result.upper_bound, result.best_value) == (9, 4)
    facts = result.json()
    assert (facts["upper_bound"], facts["best_value"], facts["maximum"]) == (9, 4, None)


def test_only_variables_of_the_file_are_listed(tmp_path: Path) -> None:
    """A soft clause of several literals gets a variable, which is not in the file."""
    text = "h 1 2 0\n2 -1 -2 0\n3 -1 3 0\n1 1 2 3 0\n"
    path = saved(tmp_path, "soft.wcnf", text)
    solved = run("solve", path, "--minimize")
    values = [line for line in solved.out.splitlines() if line.startswith("v")]
    assert sorted(values) == ["v -1 2 -3 0", "v -1 2 3 0", "v 1 -2 3 0"]
    facts = json.loads(run("solve", path, "--json").out)
    assert all(len(model) == 3 for model in facts["found"])
    models = [model.objects() for model in jigsat.models(path)]
    assert len(models) == 6 and sorted(models) == sorted(facts["found"])


def test_functions_read_files_of_formulas_as_the_commands_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "* #variable= 2 #constraint= 1\nmin: +1 x1 +2 x2;\n+1 x1 +1 x2 >= 1;\n"
    path = saved(tmp_path, "f.opb", text)
    monkeypatch.chdir(tmp_path)
    assert jigsat.count("f.opb").solutions == jigsat.count(path).solutions == 3
    assert jigsat.count("f.opb").instance == "f.opb"
    assert jigsat.count("f.opb", group=[{1: 2, 2: 1}]).distinct == {"all": 2}
    assert jigsat.minimum("f.opb").minimum == 1
    assert len(list(jigsat.models("f.opb"))) == 3
    assert len(list(jigsat.sample("f.opb", 2))) == 2
    assert len(jigsat.decode("f.opb", "s SATISFIABLE\nv x1 -x2\n")) == 1
    jigsat.export("f.opb", "again.cnf")
    assert jigsat.count("again.cnf").solutions == 3
    with pytest.raises(InputError, match=r"f\.opb: a formula, and a puzzle is needed here"):
        jigsat.solutions("f.opb")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.cnf", "p cnf 1 1\n1 0\n", "a.cnf: a DIMACS file has no objective to minimise"),
        ("a.opb", "* #variable= 1 #constraint= 0\n", "a.opb: the file states no objective"),
        ("a.wcnf", "h 1 0\n", "a.wcnf: the file states no objective to minimise"),
        (
            "a.opb",
            "* #variable= 2 #constraint= 0\n* p show 1 0\nmin: +1 x2 ;\n",
            "a.opb: the objective has variable 2, which 'p show' does not list",
        ),
    ],
)
def test_the_command_says_why_nothing_is_minimised(
    name: str, text: str, complaint: str, tmp_path: Path
) -> None:
    saved(tmp_path, name, text)
    ended = run("solve", name, "--minimize", folder=tmp_path)
    assert (ended.status, ended.err.count("\n")) == (2, 1)
    assert complaint in ended.err


@pytest.mark.parametrize(
    "command",
    [
        ("unique",),
        ("steps",),
        ("rate",),
        ("candidates",),
        ("sheet", "-o", "x.html"),
        ("import", "-o", "x.toml"),
        ("export", "-o", "x.cnf"),
        ("prove", "-o", "proved"),
    ],
)
def test_a_command_for_puzzles_says_that_a_file_is_a_formula(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    saved(tmp_path, "a.cnf", "p cnf 1 1\n1 0\n")
    ended = run(command[0], "a.cnf", *command[1:], folder=tmp_path)
    assert ended.status == 2
    assert ended.err.startswith("jigsat: a.cnf: a formula, and a puzzle is needed here")


def test_a_semicolon_without_a_constraint_is_named(tmp_path: Path) -> None:
    text = "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ; ;\n"
    with pytest.raises(InputError, match="line 2: nothing stands before ';'; remove it"):
        read_formula(saved(tmp_path, "a.opb", text))
