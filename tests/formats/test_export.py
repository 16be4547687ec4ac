"""Exported files are read by independent code and compared with the formula."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.inside import jigsat as command
from support.quick import cases

import jigsat
from jigsat import Formula, InputError, Lowered, Lowering, load
from jigsat.formats.export import FORMATS, lines
from jigsat.formats.formulas import read_formula
from jigsat.formats.smtlib import Symbols
from jigsat.formula.constraints import Cardinality, Clause, Constraint, Linear, Xor
from jigsat.formula.lowering import AT_MOST_ONE, CARDINALITY

CATS = load("cats")
FORMULA, ORIGIN = CATS.encode(), CATS
Model = tuple[bool, ...]


def true(literal: int, model: Model) -> bool:
    return model[abs(literal) - 1] == (literal > 0)


def holds(constraint: Constraint, model: Model) -> bool:
    match constraint:
        case Clause(literals):
            return any(true(literal, model) for literal in literals)
        case Cardinality(literals, at_least, at_most):
            return at_least <= sum(true(literal, model) for literal in literals) <= at_most
        case Linear(literals, weights, at_least, at_most):
            return (
                at_least
                <= sum(
                    w for literal, w in zip(literals, weights, strict=True) if true(literal, model)
                )
                <= at_most
            )
        case Xor(variables, odd):
            return sum(model[variable - 1] for variable in variables) % 2 == odd


def models(formula: Formula) -> set[Model]:
    """Its models, by trying all assignments."""
    constraints = list(formula.constraints())
    return {
        model
        for model in product((False, True), repeat=formula.top)
        if all(holds(constraint, model) for constraint in constraints)
    }


@st.composite
def formulas(draw: st.DrawFn, choices: bool = True) -> Formula:
    """Small formulas with every kind of constraint, including trivial and contradictory ones."""
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(draw(st.integers(1, 4)))])
    if choices and draw(st.booleans()):
        formula.choice(
            "side",
            draw(st.sampled_from([["red one", "blue"], ["red one"], ["red one", "red_one", 3]])),
            cell=(0, 1),
        )
        formula.choice("side", ["blue", "|\\"], cell=(0, 2))
    literal = st.integers(1, formula.top).flatmap(lambda v: st.sampled_from([v, -v]))
    some = st.lists(literal, max_size=5)
    distinct = st.lists(literal, max_size=5, unique_by=abs)
    bound = st.integers(-1, 6)
    for _ in range(draw(st.integers(0, 4))):
        with formula.rule(draw(st.sampled_from(["one rule", "another\nrule"]))):
            match draw(st.sampled_from(["clause", "between", "exactly", "xor", "linear"])):
                case "clause":
                    formula.clause(draw(some))
                case "between":
                    formula.between(draw(bound), draw(bound), draw(distinct))
                case "exactly":
                    formula.exactly(draw(bound), draw(distinct))
                case "linear":
                    weights = st.lists(st.tuples(literal, st.integers(-3, 3)), max_size=4)
                    formula.linear(
                        draw(weights), at_least=draw(st.none() | bound), at_most=draw(bound)
                    )
                case "xor":
                    formula.xor(draw(some), odd=draw(st.booleans()))
    return formula


def written(formula: Formula, suffix: str, lowering: Lowering | None = None) -> list[str]:
    return "".join(lines(formula, Path("f" + suffix), ORIGIN, lowering)).splitlines()


def dimacs_models(said: list[str], top: int) -> set[Model]:
    """The models of a CNF file with or without XOR lines, by trying all assignments, projected to
    the first variables."""
    (header,) = (line.split() for line in said if line.startswith("p "))
    rows = [line for line in said if line[0] not in "cp"]
    assert header[1] == "cnf" and int(header[3]) == len(rows)
    found = set()
    for model in product((False, True), repeat=int(header[2])):
        for row in rows:
            *literals, end = map(int, row.removeprefix("x").split())
            assert end == 0 and literals
            satisfied = sum(true(literal, model) for literal in literals)
            if not (satisfied % 2 if row[0] == "x" else satisfied):
                break
        else:
            found.add(model[:top])
    return found


@settings(max_examples=cases(60), deadline=None)
@given(
    formulas(choices=False),
    st.sampled_from([Lowering(), Lowering("ladder"), Lowering("bitwise", "totalizer")]),
)
def test_cnf_and_xnf_are_equivalent_to_the_formula(formula: Formula, lowering: Lowering) -> None:
    lowered = Lowered(formula, lowering)
    lowered.sizes()
    assume(lowered.top <= 14)  # all assignments are tried
    expected = models(formula)
    for suffix in (".cnf", ".xnf"):
        said = written(formula, suffix, lowering)
        assert dimacs_models(said, formula.top) == expected
        assert [line for line in said if line.startswith("c p show")] == [
            "c p show 1" + "".join(f" {i}" for i in range(2, formula.top + 1)) + " 0"
        ]


def test_opb_lists_the_decision_variables(tmp_path: Path) -> None:
    crossword = {
        "family": "crossword",
        "grid": ["..", ".."],
        "words": ["ab", "cd", "ac", "bd", "ad"],
    }
    jigsat.export(crossword, tmp_path / "words.opb")
    said = (tmp_path / "words.opb").read_text().splitlines()
    shown = " ".join(str(variable) for variable in jigsat.load(crossword).encode().decisions())
    assert [line for line in said if line.startswith(("* p ", "* ind"))] == [
        f"* p show {shown} 0",
        f"* ind {shown} 0",
    ]
    assert jigsat.count(read_formula(tmp_path / "words.opb")).solutions == 2


@settings(max_examples=cases(60), deadline=None)
@given(formulas(choices=False))
def test_opb_is_equivalent_to_the_formula(formula: Formula) -> None:
    said = written(formula, ".opb")
    counts = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", said[0])
    assert counts
    rows = [line for line in said if line[0] != "*"]
    assert int(counts[2]) == len(rows)
    found = set()
    for model in product((False, True), repeat=int(counts[1])):
        for row in rows:
            parts = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;", row)
            assert parts, row
            total = sum(
                int(weight) * model[int(x) - 1]
                for weight, x in re.findall(r"([+-]\d+) x(\d+)", parts[1])
            )
            if not (total >= int(parts[3]) if parts[2] == ">=" else total == int(parts[3])):
                break
        else:
            found.add(model[: formula.top])
    assert found == models(formula)


@settings(max_examples=cases(40), deadline=None)
@given(formulas())
def test_smt_is_equivalent_to_the_formula(formula: Formula) -> None:
    import z3

    solver = z3.Solver()
    solver.from_string("\n".join(written(formula, ".smt2")))
    assertion = z3.And(solver.assertions())
    symbols = Symbols(formula)
    domains = {symbol: ["true", "false"] for symbol in symbols.variables}
    domains |= {
        symbol: list(symbols.values[choice.name.family].values())
        for symbol, choice in symbols.choices.items()
    }
    constants = {
        term.decl().name(): term
        for term in parts(assertion)
        if term.decl().kind() == z3.Z3_OP_UNINTERPRETED
    }
    assert set(constants) <= set(domains)

    def value(symbol: str, said: str) -> Any:
        sort = constants[symbol].sort()
        if sort.kind() == z3.Z3_BOOL_SORT:
            return z3.BoolVal(said == "true")
        return next(
            c() for i in range(sort.num_constructors()) if (c := sort.constructor(i)).name() == said
        )

    expected = models(formula)
    for said in product(*domains.values()):
        model = dict(zip(domains, said, strict=True))
        fixed = [(term, value(symbol, model[symbol])) for symbol, term in constants.items()]
        assigned = symbols.read_values(model)
        holds_there = z3.is_true(z3.simplify(z3.substitute(assertion, *fixed)))
        assert holds_there == (tuple(assigned[v] for v in range(1, formula.top + 1)) in expected)


def parts(term: Any) -> Iterator[Any]:
    """A z3 term and all terms in it."""
    yield term
    for child in term.children():
        yield from parts(child)


@pytest.mark.parametrize(
    ("objective", "higher", "in_opb"),
    [
        ({1: 1, 3: 1}, 0, "min: +1 x1 +1 x3 ;"),
        ({-1: 1, 2: 1}, 0, "min: +1 ~x1 +1 x2 ;"),
        ({1: 7, 2: 3, 3: 4}, 0, "min: +7 x1 +3 x2 +4 x3 ;"),
        ({1: -2, -2: 5, 3: -(10**12)}, 10**12 + 2, f"min: -2 x1 +5 ~x2 -{10**12} x3 ;"),
    ],
)
def test_objectives_in_files(objective: dict[int, int], higher: int, in_opb: str) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(3)])
    formula.at_least(2, x[:])
    formula.clause([1, -2])
    formula.minimize(objective)
    cost = {
        model: sum(weight * true(literal, model) for literal, weight in objective.items())
        for model in models(formula)
    }
    wcnf = written(formula, ".wcnf")
    with RC2(WCNF(from_string="\n".join(wcnf))) as rc2:
        best = rc2.compute()
        assert (
            best
            and rc2.cost - higher
            == min(cost.values())
            == cost[tuple(literal > 0 for literal in best[:3])]
        )
    said = [line for line in wcnf if "costs" in line]
    assert said == (
        [f"c costs are higher by {higher}, as there are no negative weights"] if higher else []
    )
    (minimised,) = (line for line in written(formula, ".opb") if line.startswith("min: "))
    assert minimised == in_opb


def test_nothing_to_minimise() -> None:
    formula = Formula()
    formula.clause(formula.variables("x", {"i": range(2)})[:])
    assert [line for line in written(formula, ".wcnf") if not line.startswith("c")] == ["h 1 2 0"]


def test_a_formula_on_stdout_is_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cats.cnf"
    assert command(capsys, "export", "cats", "-o", path) == (0, "", "")
    status, out, err = command(capsys, "export", "cats", "-o", "-")
    assert (status, out, err) == (0, path.read_text(encoding="utf-8"), "")
    status, out, err = command(capsys, "export", "cats", "-o", "-", "--timeout", "0")
    assert (status, out) == (3, "") and err.startswith("jigsat: cats: stopped by timeout")


@pytest.mark.parametrize("at_most_one", ["auto", *AT_MOST_ONE])
@pytest.mark.parametrize("cardinality", CARDINALITY)
def test_sizes_without_lowering_everything(at_most_one: str, cardinality: str) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(50)])
    for n in (0, 1, 2, 3, 7, 7, 45):
        with formula.rule(f"{n % 2}"):
            formula.at_most_one(range(1, n + 1))
            formula.exactly(3, range(-n, 0))
            formula.between(2, 4, range(1, n + 1))
            formula.xor(range(1, n + 1))
            formula.clause(range(1, n + 1))
            formula.linear((((-1) ** i * i, i % 5) for i in range(1, n + 1)), at_least=3, at_most=9)
    for native in (
        frozenset(),
        frozenset({"cardinality"}),
        frozenset({"xor", "cardinality", "linear"}),
    ):
        lowered = Lowered(formula, Lowering(at_most_one, cardinality), native)
        sizes, top = lowered.sizes(), lowered.top
        assert sizes == {name: len(list(constraints)) for name, constraints in lowered.groups()}
        assert lowered.top == top


@pytest.mark.parametrize(
    ("name", "k"), [*((name, 1) for name in AT_MOST_ONE), *((name, 3) for name in CARDINALITY)]
)
def test_patterns_agree_with_the_encodings_of_pysat(name: str, k: int) -> None:
    from pysat.card import CardEnc, EncType

    literals = [7, -3, 12, 5, -20, 1]
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(30)])
    formula.at_most(k, literals)
    encoded = CardEnc.atmost(literals, k, top_id=30, encoding=getattr(EncType, name))
    lowered = Lowered(formula, Lowering(name) if k == 1 else Lowering(cardinality=name))
    assert sorted(sorted(c.literals) for c in lowered) == sorted(map(sorted, encoded.clauses))  # type: ignore[union-attr]
    assert lowered.top == max(30, encoded.nv)


def test_comments_name_variables_and_groups() -> None:
    said = written(CATS.encode(), ".cnf")
    assert said[1] == f"c instance cats sha256 {CATS.digest()}"
    assert "c var 17 place cell=(0,0) tile=5 turn=0" in said
    groups = [line.split(maxsplit=3) for line in said if line.startswith("c group")]
    assert [name for *_, name in groups] == list(CATS.encode().groups)
    first, last = zip(*(map(int, lines.split("-")) for _, _, lines, _ in groups), strict=True)
    assert (1, *(end + 1 for end in last)) == (
        *first,
        sum(line[0] not in "cp" for line in said) + 1,
    )


def test_a_strange_name_stays_in_its_comment() -> None:
    formula = Formula()
    x = formula.variables("x", ("label",), [("a\nb\0",), ("|é\\",)])
    with formula.rule("the frame shows\n1 0"):
        formula.exactly_one(x[:])
    puzzle = CATS.model_copy(update={"name": "my\npuzzle 1"})
    for suffix in FORMATS.keys() - {".wcnf"}:
        text = "".join(lines(formula, Path("f" + suffix), puzzle))
        assert all(line.isprintable() for line in text.split("\n"))
        assert text.count("\n") == len(text.splitlines())
    assert dimacs_models(written(formula, ".cnf"), 2) == {(True, False), (False, True)}


def test_the_suffix_determines_the_format() -> None:
    for path in ("x", "x.cnf.bz2", "cnf", "x.gz"):
        with pytest.raises(InputError, match=r"\.smt2"):
            lines(FORMULA, Path(path), ORIGIN)
    with pytest.raises(InputError, match="no encoding"):
        lines(FORMULA, Path("x.opb"), ORIGIN, lowering=Lowering("ladder"))


@pytest.mark.parametrize("suffix", ["cnf", "xnf", "wcnf"])
def test_the_header_names_the_encoding_of_at_most_one(suffix: str, tmp_path: Path) -> None:
    for name in ("auto", "ladder"):
        path = tmp_path / f"{name}.{suffix}"
        jigsat.export("cats", path, lowering=jigsat.Lowering(at_most_one=name))
        assert f"c amo {name}" in path.read_text().splitlines()
