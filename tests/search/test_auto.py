"""The backend `auto`: CaDiCaL first; its successor finds the remaining models without repeating
any."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.inside import jigsat
from support.installed import CAPABILITIES
from support.quick import cases
from support.stages import changed

from jigsat import Enumeration, Formula, load
from jigsat.backends import AUTO, DEFAULT
from jigsat.errors import EngineWarning
from jigsat.search import blocking, portfolio
from jigsat.search.portfolio import RANDOM, choose_exhaustive, explain_plan, models
from jigsat.symmetry import Group

compiled = pytest.mark.skipif(
    "cover" not in CAPABILITIES, reason="jigsat was installed without a C compiler"
)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default backend soon gives way to `cover`."""
    stages = changed({DEFAULT: {"models": 3}})
    monkeypatch.setattr(
        portfolio, "STAGES", tuple(stage for stage in stages if stage.backend != "scan")
    )


def exact_cover(specs: list[truth.Spec], decisions: int) -> list[truth.Spec]:
    """The constraints, and items that cover the decision variables."""
    half = decisions // 2
    items = [range(1, half + 1), range(half + 1, decisions + 1)]
    return [*specs, *(("exactly", (1,), list(item)) for item in items if item)]


def assert_each_is_found_once(case: tuple[list[truth.Spec], int, int], known: int) -> None:
    """Each model of an exact cover except some known ones."""
    specs, variables, decisions = case
    covered = exact_cover(specs, decisions)
    formula, table = (
        truth.formula(covered, variables, decisions),
        truth.table(covered, variables, decisions),
    )
    before = sorted(table, key=sorted)[:known]
    search = models(formula, AUTO, known=before)
    found = list(search)
    event(search.backend)
    assert len(found) == len(set(found))
    assert set(found) == table - set(before)


@compiled
@settings(max_examples=cases(200), derandomize=True, deadline=None)
@given(
    truth.instances(),
    st.integers(0, 3),
    st.sampled_from([0, 1, 600]),
    st.integers(0, 2),
    st.sampled_from([0, 1, 600]),
)
def test_each_model_is_found_once_whenever_another_engine_takes_over(
    case: tuple[list[truth.Spec], int, int], number: int, conflicts: int, known: int, nodes: int
) -> None:
    changes = {
        "cover": {"models": number, "effort": nodes},
        DEFAULT: {"models": number, "effort": conflicts},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portfolio, "STAGES", changed(changes))
        assert_each_is_found_once(case, known)


@compiled
@settings(max_examples=cases(200), derandomize=True, deadline=None)
@given(truth.instances(), st.sampled_from([0, 1, 600]), st.sampled_from([0, 16]), st.integers(0, 1))
def test_each_model_is_found_once_if_a_random_search_finds_the_first(
    case: tuple[list[truth.Spec], int, int], conflicts: int, short: int, known: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portfolio, "MAX_CONFLICT_MATRIX_BITS", -1)
        patch.setattr(
            portfolio,
            "STAGES",
            changed(
                {
                    RANDOM: {"effort": lambda formula: short * formula.top},
                    DEFAULT: {"effort": conflicts},
                }
            ),
        )
        assert_each_is_found_once(case, known)


@compiled
@pytest.mark.parametrize("short", [0, 1000])
def test_a_random_search_changes_no_count(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "MAX_CONFLICT_MATRIX_BITS", -1)
    monkeypatch.setattr(
        portfolio, "STAGES", changed({RANDOM: {"effort": lambda formula: short * formula.top}})
    )
    assert "a random search" in explain_plan(load("cube").encode())
    enumeration = Enumeration("cube", up_to="reflection")
    next(enumeration)
    assert enumeration.result.backend == ("random search" if short else "cadical195")
    assert len(list(enumeration)) == 1
    assert enumeration.result.backend == "cadical195"
    assert (enumeration.result.solutions, enumeration.result.complete) == (96, True)
    assert enumeration.result.distinct == {"rotation": 4, "reflection": 2}


@compiled
def test_a_large_formula_is_not_loaded_if_a_random_search_solves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    formula = Formula()
    queen = formula.variables("queen", {"row": range(40), "column": range(40)})
    for i in range(40):
        formula.exactly_one(queen[i, :])
        formula.exactly_one(queen[:, i])
    monkeypatch.setattr(portfolio, "MAX_CONFLICT_MATRIX_BITS", -1)
    monkeypatch.setattr(blocking, "open_search", None)
    search = models(formula, AUTO)
    assert len(next(search)) == 40
    assert search.backend == "random search"


@compiled
def test_orbits_are_carried_over(impatient: None) -> None:
    puzzle = load("cats-reuse")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    search = models(formula, AUTO, group=group, up_to="rotation")
    assert search.backend == "cadical195"
    found = list(search)
    assert (search.backend, search.complete) == ("cover", True)
    assert len({group.least_image(model, "rotation") for model in found}) == len(found) == 318


@compiled
def test_a_brief_search_ends_when_another_engine_takes_over(impatient: None) -> None:
    formula = load("cats-reuse").encode()
    search = models(formula, AUTO, brief=True)
    found = list(search)
    assert (search.backend, search.complete) == ("cover", False)
    assert 0 < len(set(found)) == len(found) < 1272
    short = models(load("black-and-white-rule").encode(), AUTO, brief=True)
    assert len(list(short)) == 1 and short.complete


@compiled
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_result_names_the_engine_that_established_completeness(
    impatient: None, jobs: int
) -> None:
    enumeration = Enumeration(load("cats-reuse"), backend=AUTO, jobs=jobs)
    next(enumeration)
    assert enumeration.result.backend == "cadical195"
    assert len(list(enumeration)) == 317
    result = enumeration.result
    assert (result.backend, result.established_by, result.solutions) == (
        "cover",
        "exhaustion",
        1272,
    )
    assert {"conflicts", "nodes"} <= result.statistics.keys()


def test_short_searches_stay_with_the_first_engine(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("cube", "cats"):
        shown = jigsat(capfd, "solve", name, "--show", "0").out
        assert "; complete (by refutation, cadical195, " in shown


@compiled
def test_a_plain_cover_needs_no_sat_solver(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("black-and-white-rule", "sudoku-4x4-empty", "soma"):
        shown = jigsat(capfd, "solve", name, "--show", "0").out
        assert "; complete (by exhaustion, cover, " in shown


@compiled
@pytest.mark.parametrize("nodes", [0, 1])
def test_a_plain_cover_goes_to_the_sat_solver_if_it_takes_many_nodes(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "STAGES", changed({"cover": {"effort": nodes}}))
    assert len(set(models(load("sudoku-4x4-empty").encode(), AUTO))) == 288
    assert len(set(models(load("pentominoes-3x20").encode(), AUTO))) == 8
    search = models(load("black-and-white-rule").encode(), AUTO)
    assert next(search)
    assert search.backend == DEFAULT


def test_the_sat_solver_continues_if_nothing_else_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "STAGES", changed({DEFAULT: {"effort": 2}}))
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(9)])
    formula.between(3, 4, x[:])
    search = models(formula, AUTO)
    assert len(set(search)) == 84 + 126
    assert search.backend == "cadical195"


@compiled
def test_a_store_is_resumed(impatient: None, tmp_path: Path) -> None:
    for limit, backend in ((2, "cadical195"), (20, "cover"), (None, "cover")):
        enumeration = Enumeration(
            load("cats-reuse"), backend=AUTO, limit=limit, store=tmp_path / "store"
        )
        found = list(enumeration)
        assert len({solution.placements for solution in found}) == len(found) == (limit or 318)
        assert enumeration.result.backend == backend


@compiled
def test_explain_says_what_auto_will_do() -> None:
    assert explain_plan(load("push-pull").encode()).startswith(
        "gf2, because the formula consists of XORs"
    )
    fish = explain_plan(load("fish-plain").encode())
    assert fish.startswith(
        "cadical195; after 600 conflicts scan takes over if it promises to end soon"
    )
    assert (
        "; after 600 conflicts or 100 solutions cover takes over, because this puzzle is an "
        "exact cover" in explain_plan(load("pentominoes-6x10").encode())
    )
    assert explain_plan(load("cube-flat").encode()) == "cadical195"


@compiled
def test_a_formula_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = load("cats-reuse").encode()
    assert choose_exhaustive(formula) == "scan"
    assert choose_exhaustive(load("pentominoes-6x10").encode()) == "cover"
    monkeypatch.setattr(portfolio, "MAX_CONSTRAINTS", 100)
    assert choose_exhaustive(formula) == DEFAULT


def fitting(formula: Formula) -> list[str]:
    """The stages that fit before anything is searched, up to the first that goes on to the end."""
    with closing(models(formula, AUTO)) as search:
        return [
            f"{stage.backend} {'to the end' if stage.effort is None else stage.models}"
            for stage in search.stages()
        ]


@compiled
def test_which_stages_fit() -> None:
    first, cover, end = "cadical195 100", "cover to the end", "cadical195 to the end"
    turns = ["cadical195 1", "scan 10000"] * portfolio.TURNS
    scans = ["scan 10000"] * 3 + turns + ["scan to the end"]
    expected = {
        "cats": [first, *scans],
        "fish-plain": [first, *scans],
        "cube": [first, cover],
        "pentominoes-6x10": ["cover 100", first, cover],
        "cube-flat": [first, end],
        "lights-5x5": ["gf2 to the end"],
    }
    assert {name: fitting(load(name).encode()) for name in expected} == expected


@compiled
def test_which_stages_fit_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = load("cats").encode()
    monkeypatch.setattr(portfolio, "MAX_CONFLICT_MATRIX_BITS", 1)
    turns = ["random search 1", "cadical195 1"] * 40
    expected = ["random search 1", "cadical195 100", "scan 10000", *turns, "cadical195 to the end"]
    assert fitting(formula)[-1] == "scan to the end"
    monkeypatch.setattr(portfolio, "MAX_SCAN_NODES", 0)
    monkeypatch.setattr(portfolio, "MAX_SHORT_SCAN_NODES", 0)
    assert fitting(formula) == expected
    with closing(models(formula, AUTO, brief=True)) as brief:
        assert [stage.backend for stage in brief.stages()] == [RANDOM, DEFAULT, "scan", DEFAULT]
    monkeypatch.setattr(portfolio, "MAX_CONSTRAINTS", 1)
    assert fitting(formula) == [stage for stage in expected if stage != "scan 10000"]


@compiled
def test_xors_with_few_solutions_are_tested() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(9)])
    formula.xor(x[:], odd=True)
    formula.at_least(4, x[:])
    assert fitting(formula) == ["gf2 to the end"]


def test_stages_that_need_the_engine_do_not_fit_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "is_compiled", lambda: False)
    with pytest.warns(EngineWarning):
        assert fitting(load("cats").encode()) == ["cadical195 100", "cadical195 to the end"]
