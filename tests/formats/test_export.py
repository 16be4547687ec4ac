"""Exported files are read by independent code and compared with the formula."""

from __future__ import annotations

import gzip
import lzma
import re
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.command import JIGSAT
from support.command import run as jigsat
from support.inside import jigsat as command
from support.quick import cases

from jigsat import Formula, Group, InputError, Lowered, Lowering, cli, load
from jigsat.formats.dimacs import Origin
from jigsat.formats.export import FORMATS, lines, save
from jigsat.formats.smtlib import Symbols
from jigsat.formula.constraints import Cardinality, Clause, Constraint, Linear, Xor
from jigsat.formula.lowering import AT_MOST_ONE, CARDINALITY
from jigsat.search.blocking import Blocking

CATS = load("cats")
FORMULA, ORIGIN = CATS.encode(), Origin.of(CATS)
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
            return at_least <= sum(w for literal, w in zip(literals, weights, strict=True) if true(literal, model)) <= at_most
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
            "side", draw(st.sampled_from([["red one", "blue"], ["red one"], ["red one", "red_one", 3]])), cell=(0, 1)
        )
        formula.choice("side", ["blue", "|\\"], cell=(0, 2))
    literal = st.integers(1, formula.top).flatmap(lambda v: st.sampled_from([v, -v]))
    some = st.lists(literal, max_size=5)
    distinct = st.lists(literal, max_size=5, unique_by=abs)
    bound = st.integers(-1, 6)
    for _ in range(draw(st.integers(0, 4))):
        with formula.group(draw(st.sampled_from(["one rule", "another\nrule"]))):
            match draw(st.sampled_from(["clause", "between", "exactly", "xor", "linear"])):
                case "clause":
                    formula.clause(draw(some))
                case "between":
                    formula.between(draw(bound), draw(bound), draw(distinct))
                case "exactly":
                    formula.exactly(draw(bound), draw(distinct))
                case "linear":
                    weights = st.lists(st.tuples(literal, st.integers(-3, 3)), max_size=4)
                    formula.linear(draw(weights), at_least=draw(st.none() | bound), at_most=draw(bound))
                case "xor":
                    formula.xor(draw(some), odd=draw(st.booleans()))
    return formula


def written(formula: Formula, suffix: str, lowering: Lowering | None = None) -> list[str]:
    return "".join(lines(formula, Path("f" + suffix), ORIGIN, lowering)).splitlines()


def dimacs_models(said: list[str], top: int) -> set[Model]:
    """The models of a CNF file with or without XOR lines, by trying all assignments, projected to the first variables."""
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


@settings(max_examples=60, deadline=None)
@given(formulas(choices=False), st.sampled_from([Lowering(), Lowering("ladder"), Lowering("bitwise", "totalizer")]))
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


@settings(max_examples=60, deadline=None)
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
            total = sum(int(weight) * model[int(x) - 1] for weight, x in re.findall(r"([+-]\d+) x(\d+)", parts[1]))
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
    domains |= {symbol: list(symbols.values[choice.name.family].values()) for symbol, choice in symbols.choices.items()}
    constants = {term.decl().name(): term for term in parts(assertion) if term.decl().kind() == z3.Z3_OP_UNINTERPRETED}
    assert set(constants) <= set(domains)

    def value(symbol: str, said: str) -> Any:
        sort = constants[symbol].sort()
        if sort.kind() == z3.Z3_BOOL_SORT:
            return z3.BoolVal(said == "true")
        return next(c() for i in range(sort.num_constructors()) if (c := sort.constructor(i)).name() == said)

    expected = models(formula)
    for said in product(*domains.values()):
        model = dict(zip(domains, said, strict=True))
        fixed = [(term, value(symbol, model[symbol])) for symbol, term in constants.items()]
        assigned = symbols.assigned(model)
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
    cost = {model: sum(weight * true(literal, model) for literal, weight in objective.items()) for model in models(formula)}
    wcnf = written(formula, ".wcnf")
    with RC2(WCNF(from_string="\n".join(wcnf))) as rc2:
        best = rc2.compute()
        assert best and rc2.cost - higher == min(cost.values()) == cost[tuple(literal > 0 for literal in best[:3])]
    said = [line for line in wcnf if "costs" in line]
    assert said == ([f"c costs are higher by {higher}, as there are no negative weights"] if higher else [])
    (minimised,) = (line for line in written(formula, ".opb") if line.startswith("min: "))
    assert minimised == in_opb


def test_nothing_to_minimise() -> None:
    formula = Formula()
    formula.clause(formula.variables("x", {"i": range(2)})[:])
    assert [line for line in written(formula, ".wcnf") if not line.startswith("c")] == ["h 1 2 0"]


def test_a_formula_on_stdout_is_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
        with formula.group(f"{n % 2}"):
            formula.at_most_one(range(1, n + 1))
            formula.exactly(3, range(-n, 0))
            formula.between(2, 4, range(1, n + 1))
            formula.xor(range(1, n + 1))
            formula.clause(range(1, n + 1))
            formula.linear((((-1) ** i * i, i % 5) for i in range(1, n + 1)), at_least=3, at_most=9)
    for native in (frozenset(), frozenset({"cardinality"}), frozenset({"xor", "cardinality", "linear"})):
        lowered = Lowered(formula, Lowering(at_most_one, cardinality), native)
        sizes, top = lowered.sizes(), lowered.top
        assert sizes == {name: len(list(constraints)) for name, constraints in lowered.groups()}
        assert lowered.top == top


@pytest.mark.parametrize(("name", "k"), [*((name, 1) for name in AT_MOST_ONE), *((name, 3) for name in CARDINALITY)])
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
    assert (1, *(end + 1 for end in last)) == (*first, sum(line[0] not in "cp" for line in said) + 1)


def test_a_strange_name_stays_in_its_comment() -> None:
    formula = Formula()
    x = formula.variables("x", ("label",), [("a\nb\0",), ("|é\\",)])
    with formula.group("the frame shows\n1 0"):
        formula.exactly_one(x[:])
    puzzle = CATS.model_copy(update={"name": "my\npuzzle 1"})
    for suffix in FORMATS.keys() - {".wcnf"}:
        text = "".join(lines(formula, Path("f" + suffix), Origin.of(puzzle)))
        assert all(line.isprintable() for line in text.split("\n"))
        assert text.count("\n") == len(text.splitlines())
    assert dimacs_models(written(formula, ".cnf"), 2) == {(True, False), (False, True)}


def test_the_suffix_determines_the_format() -> None:
    for path in ("x", "x.cnf.bz2", "cnf", "x.gz"):
        with pytest.raises(InputError, match=r"\.smt2"):
            lines(FORMULA, Path(path), ORIGIN)
    with pytest.raises(InputError, match="no encoding"):
        lines(FORMULA, Path("x.opb"), ORIGIN, lowering=Lowering("ladder"))


# -- writing


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_the_same_bytes_every_time(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a.cnf{suffix}", tmp_path / f"b.cnf{suffix}"
    save(first, lines(FORMULA, first, ORIGIN))
    subprocess.run([*JIGSAT, "export", "cats", "-o", second], check=True, env={"PYTHONHASHSEED": "7"})
    assert first.read_bytes() == second.read_bytes()
    unpack = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]
    assert unpack(first.read_bytes()).decode() == "".join(lines(FORMULA, Path("x.cnf"), ORIGIN))


def test_text_that_is_no_utf_8_is_escaped(tmp_path: Path) -> None:
    save(tmp_path / "x.csv", ["a\udcff,1\n"])
    assert (tmp_path / "x.csv").read_text() == "a\\udcff,1\n"


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[str]:
        yield "half\n"
        raise RuntimeError

    path = tmp_path / "x.cnf"
    path.write_text("whole")
    with pytest.raises(RuntimeError):
        save(path, broken())
    assert [file.name for file in tmp_path.iterdir()] == ["x.cnf"]
    assert path.read_text() == "whole"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.smt2.xz"])
def test_a_full_disk(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/full")
    run = jigsat("export", "cats", "-o", tmp_path / name)
    assert (run.returncode, run.stderr) == (3, f"jigsat: {tmp_path / name}: cannot be written: no space left on device\n")


def test_no_room_for_the_whole_file(tmp_path: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    command = [*JIGSAT, "export", "cats", "-o", tmp_path / "x.cnf"]
    run = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    assert (run.returncode, run.stderr) == (3, f"jigsat: {tmp_path / 'x.cnf'}: cannot be written: file too large\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("suffix", "amo"), [(".cnf", "pairwise"), (".cnf.gz", "pairwise"), (".opb", "auto")])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, suffix: str, amo: str) -> None:
    def peak(times: int) -> tuple[int, int]:
        formula = Formula()
        formula.variables("x", ("i",), [(i,) for i in range(100)])
        for _ in range(times):
            formula.at_most_one(range(1, 101))
        path = tmp_path / f"x{suffix}"
        tracemalloc.start()
        save(path, lines(formula, path, ORIGIN, Lowering(amo)))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used, path.stat().st_size

    peak(1)  # the first run imports modules and does not count
    small, little = peak(1)
    large, much = peak(6)
    assert much > 2 * little or suffix != ".cnf"
    assert large < 1.2 * small


# -- symmetry breaking and known solutions


def projected(path: Path) -> set[frozenset[int]]:
    """The models of a CNF file on the variables that it shows, by a solver that only gets the file."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    (shown,) = re.findall(r"^c p show (.*) 0$", path.read_text(), re.MULTILINE)
    found = set()
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path))) as solver:
        while solver.solve():
            values = set(solver.get_model())
            model = [v if v in values else -v for v in map(int, shown.split())]
            found.add(frozenset(v for v in model if v > 0))
            solver.add_clause([-literal for literal in model])
    return found


def test_breaking_leaves_some_of_every_orbit(tmp_path: Path) -> None:
    path = tmp_path / "cube.cnf"
    assert jigsat("export", "cube", "-o", path, "--break", "rotation").returncode == 0
    assert path.read_text().count(" symmetry breaking\n") == 1
    puzzle = load("cube")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    found = projected(path)
    assert len(found) < 96
    assert len({frozenset(group.orbit(model, "rotation")) for model in found}) == 4


def test_nothing_to_break(tmp_path: Path) -> None:
    instance = tmp_path / "row.toml"
    tiles = '{1 = ["a", "b", "a", "a"], 2 = ["a", "b", "b", "b"]}'
    instance.write_text(f'family = "edge-matching"\nboard = "square 1x2"\nturning = false\ntiles = {tiles}')
    run = jigsat("export", instance, "-o", tmp_path / "row.cnf", "--break", "all")
    assert (run.returncode, run.stderr) == (0, "jigsat: no symmetry up to all to break\n")
    assert jigsat("export", instance, "-o", tmp_path / "row.cnf", "--break", "nothing").returncode == 2


@pytest.mark.parametrize(
    ("up_to", "limit", "left"), [("rotation", 1, 72), ("rotation", 4, 0), ("nothing", 5, 91), ("reflection", 1, 48)]
)
def test_known_solutions_are_ruled_out(tmp_path: Path, up_to: str, limit: int, left: int) -> None:
    known, path = tmp_path / "known.json", tmp_path / "cube.cnf"
    known.write_text(jigsat("solve", "cube", "--json", "--up-to", up_to, "--limit", str(limit)).stdout)
    assert jigsat("export", "cube", "-o", path, "--block", known).returncode == 0
    assert len(projected(path)) == left


def test_ruling_out_where_one_solution_contains_another(tmp_path: Path) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(3)])
    formula.clause(x[:])
    extended = formula.extended()
    extended.clause(Blocking(formula).literals(frozenset({2})))
    save(tmp_path / "x.cnf", lines(extended, tmp_path / "x.cnf", ORIGIN))
    assert projected(tmp_path / "x.cnf") == {
        frozenset({1}),
        *map(frozenset, combinations((1, 2, 3), 2)),
        frozenset({3}),
        frozenset({1, 2, 3}),
    }


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("{", "not an output of `jigsat solve --json`: not JSON: "),
        ("\0\n\x7f", "not an output of `jigsat solve --json`: not JSON: "),
        ("[" * 100_000, "not an output of `jigsat solve --json`: not JSON: nested more than 50 levels deep"),
        (
            f'{{"found": [[{"[" * 900}{"]" * 900}]], "up_to": "all"}}',
            "not an output of `jigsat solve --json`: not JSON: nested",
        ),
        (
            '{"found": [], "found": [], "up_to": "all"}',
            "not an output of `jigsat solve --json`: not JSON: the key 'found' is given",
        ),
        ("[]", "not an output of `jigsat solve --json`: not an object"),
        ('{"found": []}', "not an output of `jigsat solve --json`: up_to: missing, unknown or of the wrong type"),
        ('{"found": [], "up_to": 1}', "not an output of `jigsat solve --json`: up_to: missing, unknown or of the wrong type"),
        ('{"found": [["cell"]], "up_to": "all"}', "not an output of `jigsat solve --json`: found.0.0: missing, unknown or of"),
        ('{"found": [[{"cell": [0, 0], "tile": "1", "turn": 1.0}]], "up_to": "all"}', "found.0: cats has no placement"),
        ('{"found": [[{"cell": [0, 0], "tile": "1", "turn": true}]], "up_to": "all"}', "found.0: cats has no placement"),
        (
            '{"found": [[{"cell": [0, 0], "tile": "1", "turn": 1}, {"tile": "1", "turn": 1, "cell": [0, 0]}]], "up_to": "all"}',
            "found.0: a placement is repeated",
        ),
        ('{"found": 3, "up_to": "rotation"}', "not an output of `jigsat solve --json`"),
        ('{"found": [], "up_to": "colour"}', "up_to: must be one of nothing, rotation, reflection, all; got 'colour'"),
        ('{"found": [[{"cell": 1}]], "up_to": "rotation"}', 'found.0: cats has no placement {"cell": 1}'),
        ('{"found": [[]], "up_to": "rotation"}', "found.0: not a solution of cats: cell ("),
    ],
)
def test_invalid_files_of_known_solutions(
    tmp_path: Path, said: str, complaint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known.json"
    known.write_text(said)
    monkeypatch.setattr(sys, "argv", ["jigsat", "export", "cats", "-o", str(tmp_path / "x.cnf"), "--block", str(known)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    complaints = capsys.readouterr().err
    assert ended.value.code == 2
    assert complaints.startswith(f"jigsat: {known}: {complaint}") and complaints.count("\n") == 1
    assert not (tmp_path / "x.cnf").exists()
