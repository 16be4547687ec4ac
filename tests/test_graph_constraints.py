"""A constraint on a graph is handled or refused by everything that takes a formula: a count that
ignored it would be wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import networkx
import pytest
from support import truth
from support.certificates import check
from support.installed import CAPABILITIES
from support.islands import Areas, Forest, Island, Line, Loop, Shaded
from support.ledgers import ATOMS, count_in_parts
from support.proving import Prover
from support.quick import cases

import jigsat
from jigsat import Formula, InputError, Puzzle
from jigsat.backends import Cutting, find, open_search, specs
from jigsat.errors import CheckError, NotWorthwhile
from jigsat.explanation.summary import describe_constraint, describe_plainly
from jigsat.facts import OnGraph, Reader, as_object
from jigsat.formats.export import lines
from jigsat.formats.formulas import read_formula
from jigsat.formula import Clause, Lowered, holds, relax_formula
from jigsat.instance import registry
from jigsat.orbits import find_automorphisms
from jigsat.proofs.certificate import block_models, prove
from jigsat.proofs.graphs import check_cuts, find_refuting_cuts, leave_graphs_out
from jigsat.rating.difficulty import rating
from jigsat.search.portfolio import least, models
from jigsat.search.propagation import LayeredPropagation, fixed_literals
from jigsat.solving.clues import ClueSearch
from jigsat.study.playing import Playing
from jigsat.subject import FormulaSubject
from jigsat.symmetry import Automorphisms, preserves
from jigsat.testing import check_family

ISLAND = Island(rows=2, columns=4, number=3, name="island")
LOOP = Loop(rows=2, columns=2, length=6, name="loop")
FOREST = Forest(rows=1, columns=2, number=4, name="forest")
AREAS = Areas(rows=2, columns=3, most=3, name="areas")
PUZZLES = {"island": ISLAND, "loop": LOOP, "forest": FOREST, "areas": AREAS}
COUNTS = {name: len(puzzle.solutions()) for name, puzzle in PUZZLES.items()}
every_puzzle = pytest.mark.parametrize("name", PUZZLES)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    jigsat.register(Island)
    jigsat.register(Loop)
    jigsat.register(Forest)
    jigsat.register(Areas)
    yield


def test_the_counts_depend_on_the_constraints() -> None:
    assert COUNTS == {"island": 16, "loop": 4, "forest": 33, "areas": 16}
    for name, puzzle in PUZZLES.items():
        formula = puzzle.encode()
        formula.groups = {
            rule: group for rule, group in formula.groups.items() if not group.constraints.graphs
        }
        assert len(list(models(formula))) > COUNTS[name]


@every_puzzle
@pytest.mark.parametrize("backend", [*CAPABILITIES, "auto"])
def test_every_backend_finds_all_solutions(backend: str, name: str) -> None:
    formula = PUZZLES[name].encode()
    try:
        found = list(models(formula, backend))
    except InputError as error:
        assert backend in ("cover", "scan", "gf2", "sqlite"), error
        return
    assert len(found) == len(set(found)) == COUNTS[name]


@every_puzzle
@pytest.mark.parametrize("counter", [spec.name for spec in specs() if spec.count])
def test_every_counter_counts_or_refuses(counter: str, name: str) -> None:
    count = find(counter).count
    assert count
    try:
        number = count(PUZZLES[name].encode())
    except (InputError, NotWorthwhile):
        assert counter in ("gf2", "counting")
    except ImportError:
        pytest.skip(f"{counter} is not installed")
    else:
        assert number == COUNTS[name]


@every_puzzle
def test_questions_about_solutions(name: str) -> None:
    puzzle = PUZZLES[name]
    assert jigsat.count(puzzle, up_to="nothing").solutions == COUNTS[name]
    assert len(list(jigsat.solutions(puzzle, up_to="nothing"))) == COUNTS[name]
    for drawn in jigsat.sample(puzzle, 2, seed=1):
        assert not any(puzzle.check(drawn.placements))
    if name == "areas":  # each cell has one number, so a random path can be followed
        assert jigsat.estimate(puzzle, seconds=0.2)
    else:
        with pytest.raises(InputError, match="only exact covers can be estimated"):
            jigsat.estimate(puzzle, seconds=0.2)


def test_cuts_take_the_place_of_a_tree() -> None:
    formula = ISLAND.encode()
    statistics: dict[str, int] = {}
    assert len(list(models(formula, "cadical195", statistics=statistics))) == COUNTS["island"]
    lowered = Lowered(formula)
    lowered.sizes()
    assert statistics["variables"] < lowered.top
    assert statistics["cuts"] > 0


@every_puzzle
def test_puzzles_that_share_a_solver(name: str) -> None:
    puzzle = PUZZLES[name]
    with closing(ClueSearch("cadical195")) as search:
        for _ in range(2):
            found = search.models(puzzle)
            assert found is not None
            assert len([model for model in found if model is not None]) == COUNTS[name]


def test_solutions_are_counted_up_to_turns() -> None:
    result = jigsat.count(ISLAND, up_to="rotation")
    assert (result.solutions, result.distinct) == (16, {"rotation": ISLAND.orbits()})


@every_puzzle
@pytest.mark.parametrize("seconds", [ATOMS, 10.0])
@pytest.mark.parametrize("backend", ["cadical195", "clingo", "ortools"])
def test_parts_of_a_search_add_up(backend: str, seconds: float, name: str) -> None:
    result = count_in_parts(PUZZLES[name].encode(), backend=backend, seconds=seconds)
    assert (result.solutions, result.complete) == (COUNTS[name], True)


def test_a_ledger_is_audited(registered: None, tmp_path: Path) -> None:
    source = tmp_path / "island.toml"
    source.write_text('family = "test-island"\nrows = 2\ncolumns = 4\nnumber = 3\n')
    store = tmp_path / "store"
    result = jigsat.count(source, up_to="rotation", store=store, backend="cadical195")
    assert (result.solutions, result.complete) == (16, True)
    audit = jigsat.audit(store, sample=None)
    assert (audit.complete, audit.faults) == (True, [])


@every_puzzle
@pytest.mark.parametrize("suffix", [".cnf", ".opb"])
def test_exports_have_the_same_solutions(suffix: str, name: str, tmp_path: Path) -> None:
    formula = PUZZLES[name].encode()
    path = tmp_path / f"formula{suffix}"
    text = write_formula(formula, suffix)
    shown = " ".join(map(str, formula.decisions()))
    assert f" p show {shown} 0\n" in text
    path.write_text(text)
    assert set(models(read_formula(path))) == set(models(formula))


@every_puzzle
def test_exports_in_dialects_have_the_same_clauses(name: str) -> None:
    formula = PUZZLES[name].encode()
    rows = [line for line in write_formula(formula, ".cnf").splitlines() if line[0] not in "cp"]
    for suffix in (".xnf", ".wcnf"):
        text = write_formula(formula, suffix).replace("h ", "")
        assert [line for line in text.splitlines() if line[0] not in "cp"] == rows


def write_formula(formula: Formula, suffix: str) -> str:
    return "".join(lines(formula, Path(f"formula{suffix}"), FormulaSubject(formula)))


@every_puzzle
def test_smt_lib_has_the_same_solutions(name: str) -> None:
    z3 = pytest.importorskip("z3")
    puzzle = PUZZLES[name]
    formula = puzzle.encode()
    text = write_formula(formula, ".smt2")
    solver = z3.Solver()
    solver.from_string(text)
    found = set()
    while solver.check() == z3.sat:
        model = solver.model()
        values = {
            str(each): (each(), model[each])
            for each in model
            if not each.arity() and not str(each).startswith("added")
        }
        found.add(frozenset((word, str(value)) for word, (_, value) in values.items()))
        solver.add(z3.Or([constant != value for constant, value in values.values()]))
    assert len(found) == COUNTS[name]


def test_an_answer_with_added_constants_is_read(tmp_path: Path) -> None:
    answer = "sat\n((define-fun |added 9| () Bool true)\n"
    for column in range(4):
        value = "true" if column < 3 else "false"
        answer += f"(define-fun |shaded cell=(0,{column})| () Bool {value})\n"
    (solution,) = jigsat.decode(ISLAND, answer + ")\n")
    assert {each.cell for each in solution.placements} == {(0, 0), (0, 1), (0, 2)}


ENTRIES = {
    "island": "rows = 2\ncolumns = 4\nnumber = 3",
    "loop": "rows = 3\ncolumns = 3\nlength = 8",
    "ends": "rows = 1\ncolumns = 5\nnumber = 3\ngiven = [[0, 0], [0, 4]]",
    "forest": "rows = 1\ncolumns = 2\nnumber = 4",
    "areas": "rows = 2\ncolumns = 3\nmost = 3",
}
FAMILIES = {"ends": "island"}  # the others are called as their families


@pytest.fixture
def certificate(registered: None, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The certificate of a puzzle with these entries."""
    name = request.param
    family = FAMILIES.get(name, name)
    source = tmp_path / f"{name}.toml"
    source.write_text(f'family = "test-{family}"\n{ENTRIES[name]}\n')
    list(prove(source, tmp_path / "proof"))
    return tmp_path / "proof"


every_certificate = pytest.mark.parametrize("certificate", ENTRIES, indirect=True)


@every_certificate
def test_certificates_are_verified(certificate: Path) -> None:
    record = json.loads((certificate / "solutions.json").read_text())
    said = list(check(certificate))
    assert (
        f"cuts        each follows from what is connected: {len(record['cuts'])} in total" in said
    )
    assert said[-1].startswith(f"verified: {record['instance']} has ")
    loop = Loop(rows=3, columns=3, length=8).encode()
    number = {**COUNTS, "loop": len(list(models(loop, "clingo"))), "ends": 0}
    assert record["solutions"] == number[record["instance"]]

    # the proof is about what the readme says
    rows = {}
    for name in ("formula", "blocked"):
        lines = (certificate / f"{name}.cnf").read_text().splitlines()
        rows[name] = [line for line in lines if line[0] not in "cp"]
    more = rows["blocked"][len(rows["formula"]) :]
    cuts = [" ".join(map(str, [*cut, 0])) for cut in record["cuts"]]
    assert rows["blocked"][: len(rows["formula"])] == rows["formula"]
    assert more[: len(cuts)] == cuts
    assert len(more) == len(cuts) + record["solutions"]


@every_certificate
def test_cuts_that_do_not_follow_are_refused(certificate: Path) -> None:
    file = certificate / "solutions.json"
    record = json.loads(file.read_text())
    assert record["cuts"]
    wrong: list[Any] = [[], [1], [-1], "1", None, [0], [99], [True]]
    for cut in record["cuts"][:3]:
        wrong += [[x for x in cut if x != left_out] for left_out in cut]
        wrong.append([abs(x) for x in cut])
    for clause in wrong:
        file.write_text(json.dumps(record | {"cuts": [*record["cuts"], clause]}))
        with pytest.raises(CheckError, match="does not follow from what is connected"):
            list(check(certificate))
    for cuts in (None, 1, {}):
        file.write_text(json.dumps(record | {"cuts": cuts}))
        with pytest.raises(CheckError, match="cuts are missing"):
            list(check(certificate))
    file.write_text(json.dumps(record | {"cuts": record["cuts"][1:]}))
    with pytest.raises(CheckError, match=r"blocked\.cnf"):
        list(check(certificate))


def test_a_certificate_has_only_cuts_that_its_proof_needs() -> None:
    """A search for the solutions of a Fillomino finds many cuts at once."""
    formula = jigsat.load("fillomino-5").encode()
    blocked = block_models(formula, models(formula))
    with closing(open_search("cadical195", formula)) as solver:
        assert isinstance(solver, Cutting)
        solver.load(blocked)
        assert not solver.solve()
        found = set(solver.cuts)
    needed = find_refuting_cuts(blocked)
    assert 0 < 2 * len(needed) < len(found)
    assert check_cuts(formula, [list(cut) for cut in needed]) == needed
    refuted = block_models(leave_graphs_out(formula), models(formula), needed)
    assert list(models(refuted)) == []


@pytest.mark.parametrize("seed", range(cases(100)))
def test_clauses_that_pass_as_cuts_follow(seed: int) -> None:
    rng = random.Random(seed)
    spec = truth.on_graph(rng, rng.choice(truth.ON_GRAPHS), 6)
    formula, table = truth.formula([spec], 6, 6), truth.table([spec], 6, 6)
    passed = 0
    for _ in range(100):
        of = rng.sample(spec[2], min(len(spec[2]), rng.randint(1, 4)))
        clause = [rng.choice((x, -x)) for x in of]
        with suppress(CheckError):
            check_cuts(formula, [clause])
            passed += 1
            assert all(holds(Clause(tuple(clause)), true) for true in table)
    if spec[0] == "connected" and not spec[1][0] and len(spec[2]) > 2:
        assert passed, "without edges, no two nodes are chosen together"


@pytest.mark.parametrize("kind", ["slitherlink", "hitori", "nurikabe"])
def test_generated_puzzles_have_one_solution_by_a_search_without_cuts(kind: str) -> None:
    (puzzle,) = jigsat.generate(kind, seed=1, rows=5, columns=5)
    assert len(list(jigsat.solutions(puzzle, up_to="nothing", backend="clingo"))) == 1


# -- symmetries


def random_graph_formula(seed: int) -> tuple[Formula, set[frozenset[int]]]:
    rng = random.Random(seed)
    specs = [truth.on_graph(rng, rng.choice(truth.ON_GRAPHS), 5) for _ in range(2)]
    name, bounds, literals = specs[0]
    specs[0] = name, bounds, [abs(x) for x in literals]
    return truth.formula(specs[: rng.randint(1, 2)], 5, 5), truth.table(specs, 5, 5)


@pytest.mark.parametrize("seed", range(cases(60)))
def test_automorphisms_map_solutions_to_solutions(seed: int) -> None:
    pytest.importorskip("igraph")
    formula, _ = random_graph_formula(seed)
    everything = set(models(formula))
    found = Automorphisms(formula, fixed_literals(formula) or ())
    for images in found.generators:
        moved = {frozenset(images.get(x, x) for x in model) for model in everything}
        assert moved == everything
        assert preserves(formula, {x: images.get(x, x) for x in formula.decisions()}) or (
            fixed_literals(formula) != frozenset()
        )


def test_all_symmetries_of_a_square_are_found() -> None:
    pytest.importorskip("igraph")
    for puzzle, order in ((Island(rows=3, columns=3, number=4), 8), (LOOP, 8)):
        formula = puzzle.encode()
        assert find_automorphisms(formula).order == order
    square = Island(rows=3, columns=3, number=4)
    result = jigsat.count(square, up_to="automorphism")
    solutions = square.solutions()
    orbits = {frozenset(list_images(cells)) for cells in solutions}
    assert (result.solutions, result.distinct["automorphism"]) == (len(solutions), len(orbits))


def list_images(cells: frozenset[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
    """The images of cells of a 3x3 board under its eight motions."""
    for _ in range(4):
        cells = frozenset((column, 2 - row) for row, column in cells)
        yield cells
        yield frozenset((column, row) for row, column in cells)


def test_a_permutation_that_breaks_the_graph_is_no_symmetry() -> None:
    formula = ISLAND.encode()
    x = {formula.key(v).cell: v for v in formula.decisions()}
    identity = {v: v for v in formula.decisions()}
    turn = {x[cell]: x[ISLAND.turn(cell)] for cell in ISLAND.board_cells()}
    exchange = identity | {x[0, 0]: x[0, 1], x[0, 1]: x[0, 0]}
    assert preserves(formula, identity, turn)
    assert not preserves(formula, exchange)


def test_a_root_is_fixed_by_symmetries() -> None:
    pytest.importorskip("igraph")
    orders = []
    for root in (None, 0, 1):
        formula = Formula()
        x = formula.variables("x", {"i": range(3)})
        path = networkx.path_graph(3)
        formula.connected(path, {i: x(i) for i in range(3)}, root)
        orders.append(Automorphisms(formula, ()).order)
    assert orders == [2, 1, 2]


# -- propagation, reasons, words


@pytest.mark.parametrize("seed", range(cases(60)))
def test_literals_that_are_fixed_hold_in_all_solutions(seed: int) -> None:
    rng = random.Random(seed)
    specs = [truth.on_graph(rng, rng.choice(truth.ON_GRAPHS), 6) for _ in range(2)]
    specs.append(("clause", (), [rng.choice([1, -1]), rng.choice([2, -2])]))
    formula, table = truth.formula(specs, 6, 6), truth.table(specs, 6, 6)
    fixed = fixed_literals(formula)
    waves = LayeredPropagation(formula.constraints())
    list(waves.propagate_in_waves())
    for true in table:
        literals = {x if x in true else -x for x in range(1, 7)}
        assert fixed is not None and fixed <= literals
        assert waves.consistent and waves.known <= literals
    if not table:
        assert fixed is None or len(fixed) < 6


@pytest.mark.parametrize("seed", range(cases(60)))
def test_propagation_decides_what_is_known_entirely(seed: int) -> None:
    rng = random.Random(seed)
    spec = truth.on_graph(rng, rng.choice(truth.ON_GRAPHS), 5)
    constraints = list(truth.formula([spec], 5, 5).constraints())
    for values in product((False, True), repeat=5):
        waves = LayeredPropagation(constraints)
        list(waves.propagate_in_waves(x if true else -x for x, true in enumerate(values, 1)))
        assert waves.consistent == truth.holds(spec, values)


@every_puzzle
def test_a_puzzle_is_rated(name: str) -> None:
    assert rating(PUZZLES[name]).solvable


def test_only_what_is_connected_can_be_deduced() -> None:
    puzzle = Island(rows=1, columns=5, number=3, given=((0, 0),), name="row")
    found = rating(puzzle)
    assert (found.solvable, found.method) == (True, "failed literals")
    unsolvable = Island(rows=1, columns=5, number=3, given=((0, 0), (0, 4)), name="ends")
    assert rating(unsolvable).solvable is False
    assert jigsat.count(unsolvable).solutions == 0
    reasons = jigsat.reasons(unsolvable)
    assert all(reason.text for reason in reasons)


def test_steps_prove_what_they_say() -> None:
    puzzle = Island(rows=2, columns=4, number=4, given=((0, 0), (0, 3)), name="steps")
    (solution,) = puzzle.solutions()
    prover = Prover(puzzle)
    placed = {*puzzle.given}
    for step in jigsat.steps(puzzle):
        assert prover.follows(step.fact.rules, step.fact.basis, step.fact.conclusion)
        placed.update(each.cell for each in step.fact.conclusion.placed)
    prover.close()
    assert placed == solution


def follow(puzzle: Any) -> dict[str, str]:
    """The first step for each reason, after all steps are proved by another solver."""
    prover = Prover(puzzle)
    said: dict[str, str] = {}
    for step in jigsat.steps(puzzle):
        fact = step.fact
        assert prover.follows(fact.rules, fact.basis, fact.conclusion)
        if isinstance(fact, OnGraph):
            said.setdefault(fact.reason, " ".join(step.text(puzzle).lines()))
            assert (
                Reader(map(prover.formula.key, prover.formula.decisions())).read(as_object(fact))
                == fact
            )
    prover.close()
    return said


def test_steps_say_why_a_cell_joins_or_is_cut_off() -> None:
    said = follow(Island(rows=1, columns=7, number=4, given=((0, 1), (0, 3)), name="row"))
    assert said == {
        "joins": "If shaded is not at r1c3, what is connected would fall apart. So shaded is at r1c3."
    }
    said = follow(Island(rows=1, columns=7, number=3, given=((0, 1),), empty=((0, 4),), name="row"))
    assert said["cut off"] == (
        "If one of r1c6 and r1c7 were otherwise, something would be cut off from the rest. So shaded "
        "cannot be at r1c6 or r1c7."
    )


def test_steps_say_that_a_line_would_close_the_loop_too_early() -> None:
    given = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)), ((0, 3), (1, 3)))
    said = follow(Loop(rows=1, columns=3, length=8, given=given, name="row"))
    assert said["closes early"] == (
        "If one of these were otherwise, the loop would be closed too early. So r1c2 r2c2 "
        "cannot be chosen and r1c3 r2c3 cannot be chosen."
    )
    assert said["meets"] == (
        "r1c4 r2c4 is chosen, and at one end of that, only one line is left to go on. So r1c3 r1c4 "
        "is chosen."
    )


def test_steps_say_that_a_path_would_be_closed() -> None:
    lines = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)))
    said = follow(Forest(rows=1, columns=2, number=4, given=lines, name="row"))
    assert said == {
        "closes": "If r1c2 r2c2 is chosen, lines would form a closed path. So r1c2 r2c2 cannot be "
        "chosen."
    }


def test_steps_say_that_a_region_would_be_too_large_or_too_small() -> None:
    given = (((0, 0), 2), ((0, 1), 2))
    said = follow(Areas(rows=1, columns=3, most=2, given=given, name="row"))
    assert said["too many"] == (
        "If 2 is at r1c3, a region would be too large. So 2 cannot be at r1c3."
    )
    said = follow(Areas(rows=1, columns=4, most=4, given=(((0, 1), 4),), name="row"))
    assert "a region would be too small" in said["too few"]


def test_playing_sees_what_is_broken() -> None:
    playing = Playing(ISLAND)
    assert not playing.broken_rules([Shaded((0, 0)), Shaded((0, 3))])
    whole = [Shaded((0, 0)), Shaded((0, 1)), Shaded((0, 2))]
    apart = [Shaded((0, 0)), Shaded((0, 1)), Shaded((1, 3))]
    assert playing.find_solution(whole) is not None
    assert playing.find_solution(apart) is None
    for placed in product(ISLAND.board_cells(), repeat=3):
        chosen = frozenset(placed)
        is_solved = playing.find_solution([*map(Shaded, chosen)]) is not None
        assert is_solved == (chosen in ISLAND.solutions())


class Colour(NamedTuple):
    """The cell has a colour."""

    cell: int
    colour: str


class Stripes(Puzzle[Colour]):
    """A row of cells of which the black ones are connected."""

    family = "test-stripes"
    cell_field = "cell"

    def encode(self) -> Formula:
        formula = Formula()
        colours = [Colour(cell, colour) for cell in range(6) for colour in ("black", "white")]
        has = formula.variables("has", Colour._fields, colours)
        for cell in range(6):
            formula.exactly_one(has[cell, :])
        with formula.rule("the black cells are connected"):
            row = networkx.path_graph(6)
            formula.connected(row, {cell: has(cell, "black") for cell in range(6)})
        return formula

    def check(self, placements: Sequence[Colour]) -> Iterator[str]:
        return iter(())


def test_playing_marks_only_what_is_cut_off() -> None:
    placed = [Colour(0, "black"), Colour(1, "white"), Colour(3, "black"), Colour(5, "black")]
    playing = Playing(Stripes(name="stripes"))
    assert not playing.broken_rules(placed[1:])
    (broken,) = playing.broken_rules(placed)
    assert broken.rule == "the black cells are connected"
    assert broken.placements == {Colour(0, "black"), Colour(1, "white"), Colour(3, "black")}


def test_constraints_in_words() -> None:
    formula = ISLAND.encode()
    (constraint,) = formula.groups["the shaded cells are connected"].constraints
    assert describe_constraint(formula, constraint).startswith(
        "those that are true are connected: shaded((0,0))"
    )
    assert "are connected; of 8" in describe_plainly(formula, constraint, "cell")
    formula = LOOP.encode()
    (constraint,) = formula.groups["the lines form one loop"].constraints
    assert "form one closed loop" in describe_constraint(formula, constraint)
    assert "form one closed loop; of 12" in describe_plainly(formula, constraint, None)
    (constraint,) = FOREST.encode().list_graphs()
    assert "form no closed path; of 7" in describe_plainly(FOREST.encode(), constraint, None)
    (constraint,) = AREAS.encode().list_graphs()
    assert "as the number says" in describe_constraint(AREAS.encode(), constraint)


@every_puzzle
def test_explain_lists_the_rule(name: str) -> None:
    kinds = {group.name: group.kinds for group in jigsat.explain(PUZZLES[name]).groups}
    rule, kind = {
        "island": ("the shaded cells are connected", "connected"),
        "loop": ("the lines form one loop", "single-loop"),
        "forest": ("the lines are trees", "acyclic"),
        "areas": ("areas are as large as they say", "regions"),
    }[name]
    assert kinds[rule] == {kind: 1}


def test_parts_of_solutions_need_not_be_connected() -> None:
    relaxed = relax_formula(ISLAND.encode()).formula
    assert len(list(models(relaxed))) > COUNTS["island"]


def test_the_least_objective() -> None:
    formula = ISLAND.encode()
    formula.minimize({x: formula.key(x).cell[1] ** 2 for x in formula.decisions()})
    assert least(formula) == min(
        sum(column**2 for _, column in cells) for cells in ISLAND.solutions()
    )


@every_puzzle
def test_families_with_constraints_on_graphs_pass_their_checks(registered: None, name: str) -> None:
    check_family(PUZZLES[name])


def test_lines_of_a_loop_are_placements() -> None:
    solution = next(iter(jigsat.solutions(LOOP)))
    assert isinstance(solution.placements[0], Line)
    assert solution.placements and not any(LOOP.check(solution.placements))


def test_some_hundred_models_are_listed_before_counters_are_asked() -> None:
    """For programs that count models, a rule about regions is many clauses, and takes a minute."""
    grid = networkx.grid_2d_graph(3, 3)
    formula = Formula()
    number = {cell: formula.choice("number", range(1, 10), cell=cell) for cell in grid}
    formula.regions(grid, number)
    result = jigsat.count(formula)
    assert (result.solutions, result.established_by) == (445, "refutation")


def test_the_digest_states_the_graph() -> None:
    formula: Any = ISLAND.encode()
    digests = {FormulaSubject(formula).digest()}
    formula = Formula()
    shaded = formula.variables("shaded", Shaded._fields, map(Shaded, ISLAND.board_cells()))
    with formula.rule("so many cells are shaded"):
        formula.exactly(3, shaded[:])
    grid = ISLAND.grid()
    grid.add_edge((0, 0), (1, 3))
    with formula.rule("the shaded cells are connected", "island", 1):
        formula.connected(grid, {cell: shaded(cell) for cell in grid})
    digests.add(FormulaSubject(formula).digest())
    assert len(digests) == 2
