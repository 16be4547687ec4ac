"""The Python interface: names, signatures, messages, and formulas without puzzles."""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil
import pydoc
import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from itertools import permutations
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.quick import cases
from typer.models import OptionInfo

import jigsat
from jigsat.symmetry import preserves

PROMISED = (
    "load", "load_all", "solutions", "count", "solutions_in_order", "sample", "estimate",
    "minimum", "unique", "unique_each", "candidates", "alternatives", "draw_candidates", "read_placements", "steps",
    "walkthrough", "hint", "reasons", "rate", "grade", "rate_each", "best", "explain", "handout",
    "judge_clues", "generate", "sheet", "prove", "check", "export", "decode", "import_file", "faults", "save",
    "save_pictures", "compare", "read_runs", "models", "ledger_report", "audit", "list_instances",
    "list_backends", "schema", "start_family", "register", "serve", "main",
)  # fmt: skip
TOY = "family = 'lights-out'\nboard = 'square 2x2'\nlit = 'all'\n"


def test_documented_names_are_public_and_begin_the_help() -> None:
    assert {*PROMISED, "__version__"} <= set(jigsat.__all__)
    assert not [
        name
        for name in jigsat.__all__
        if not re.search(rf"\b{name}\b", f"{jigsat.__doc__} __version__")
    ]
    shown = pydoc.plain(pydoc.render_doc(jigsat))
    index = shown[: shown.index("PACKAGE CONTENTS")]
    assert [
        line.split()[0]
        for line in index.splitlines()
        if line[:8] == "        " and line[8:9].islower()
    ] == list(PROMISED)


def test_every_function_shows_its_options() -> None:
    open_ended = {
        "generate",
        "load",
        "load_all",
    }  # the options of a family, the entries of an instance
    for name in set(PROMISED) - open_ended:
        kinds = {
            parameter.kind
            for parameter in inspect.signature(getattr(jigsat, name)).parameters.values()
        }
        assert inspect.Parameter.VAR_KEYWORD not in kinds, name
        assert inspect.getdoc(getattr(jigsat, name)), name


COMMANDS: dict[str, dict[str, str]] = {
    "solve": {
        **{name: f"solutions.{name}" for name in ("backend", "up_to", "limit", "timeout")},
        **{name: f"solutions.{name}" for name in ("memory", "jobs", "minimize", "store")},
        "cluster": "solutions.cluster",
        "amo": "solutions.lowering",
        "best": "best.puzzle",
        "ordered": "solutions_in_order.problem",
        "skip": "solutions_in_order.skip",
    },
    "count": {
        **{name: f"count.{name}" for name in ("backend", "up_to", "timeout", "memory", "jobs")},
        "store": "count.store",
        "cluster": "count.cluster",
        "amo": "count.lowering",
        "certify": "prove.count",
    },
    "unique": {
        **{name: f"unique_each.{name}" for name in ("backend", "up_to", "timeout", "jobs")},
        "store": "unique_each.store",
        "cluster": "unique_each.cluster",
        "only": "save.puzzle",
        "output": "save.path",
    },
    "candidates": {
        "given": "read_placements.source",
        "slot": "alternatives.place",
        "counts": "candidates.count",
        "timeout": "candidates.timeout",
        "picture": "draw_candidates.candidates",
    },
    "steps": {
        "given": "read_placements.source",
        "timeout": "steps.timeout",
        "page": "walkthrough.path",
    },
    "hint": {"given": "read_placements.source", "timeout": "hint.timeout"},
    "estimate": {
        name: f"estimate.{name}" for name in ("seconds", "seed", "probes", "workers", "timeout")
    },
    "sample": {
        "count": "sample.number",
        "seed": "sample.seed",
        "timeout": "sample.timeout",
        "memory": "sample.memory",
    },
    "list": {},
    "serve": {name: f"serve.{name}" for name in ("port", "host", "published", "open_browser")},
    "generate": {
        **{name: f"generate.{name}" for name in ("seed", "difficulty", "output", "force", "jobs")},
        **dict.fromkeys(("settings", "clues", "symmetric", "complete"), "generate.options"),
        "every": "generate.every",
        "count": "generate.number",
        "sheet": "sheet.puzzles",
        "title": "sheet.title",
        "timeout": "generate.timeout",
    },
    "rate": {
        **{name: f"rate_each.{name}" for name in ("timeout", "jobs", "store", "cluster")},
        "only": "save.puzzle",
        "output": "save.path",
    },
    "sheet": {
        **{
            name: f"sheet.{name}"
            for name in (
                "paper",
                "per_page",
                "in_order",
                "title",
                "author",
                "bleed",
                "backs",
                "chapters",
            )
        },
        "output": "sheet.path",
        "no_solutions": "sheet.solutions",
        "with_steps": "sheet.steps",
        "timeout": "sheet.timeout",
    },
    "explain": {
        "amo": "explain.lowering",
        "clues": "judge_clues.puzzle",
        "page": "handout.path",
        "timeout": "explain.timeout",
    },
    "compare": {
        **{
            name: f"compare.{name}"
            for name in ("encodings", "graph_rules", "timeout", "memory", "jobs")
        },
        **{name: f"compare.{name}" for name in ("task", "seeds", "warmup", "shuffle")},
        "from_file": "read_runs.path",
        "chosen": "compare.backends",
        "amo": "compare.at_most_one",
        "repeat": "compare.repeat",
        "resume": "compare.store",
        "csv_file": "compare.table",
        "plots": "compare.plots",
    },
    "backends": {},
    "prove": {
        **{name: f"prove.{name}" for name in ("backend", "count", "store", "lrat", "limit")},
        "output": "prove.directory",
        "timeout": "prove.timeout",
    },
    "check": {"timeout": "check.timeout"},
    "import": {
        "output": "import_file.output",
        "family": "import_file.family",
        "distinct": "import_file.distinct",
        "force": "import_file.force",
        "timeout": "import_file.timeout",
    },
    "faults": {"settings": "faults.changes", "timeout": "faults.timeout"},
    "export": {
        "output": "export.path",
        "written_as": "export.format",
        "amo": "export.lowering",
        "level": "export.breaking",
        "block": "export.known",
        "cell": "export.measures",
        "thickness": "export.measures",
        "clearance": "export.measures",
        "kerf": "export.measures",
        "material": "export.measures",
        "timeout": "export.timeout",
    },
    "decode": {"exported": "decode.formula", "timeout": "decode.timeout"},
    "ledger": {
        "audit": "audit.store",
        "backend": "audit.backend",
        "seed": "audit.seed",
        "timeout": "audit.timeout",
    },
    "schema": {},
    "new": {},
    "help": {},
}
"""The parameter of a function for each option of each command."""

EVERYWHERE = {"settings": "load.changes", "picture": "save_pictures.path"}

PRINTING = {"as_json", "show", "watch", "verbose", "chains", "more", "in_order"}
"""Options about what is printed. In Python, they are methods and attributes of what is returned."""


def test_there_is_a_function_for_each_option_of_each_command() -> None:
    from jigsat.cli import COMMANDS as HEADINGS

    modules = {name: module for commands in HEADINGS.values() for name, module in commands.items()}
    assert modules.keys() == COMMANDS.keys()
    for name, module in modules.items():
        commands = importlib.import_module(f"jigsat.cli.{module}").app.registered_commands
        (callback,) = [
            each.callback
            for each in commands
            if name == (each.name or each.callback.__name__.replace("_", "-"))
        ]
        hints = get_type_hints(callback, include_extras=True)
        given = {
            option
            for option, hint in hints.items()
            if isinstance(getattr(hint, "__metadata__", [None])[0], OptionInfo)
        }
        known = EVERYWHERE | COMMANDS[name]
        assert given - PRINTING <= known.keys(), name
        assert COMMANDS[name].keys() <= given, name
        for option in given & known.keys():
            function, parameter = known[option].split(".")
            assert parameter in inspect.signature(getattr(jigsat, function)).parameters, option


def test_the_docs_name_the_function_that_does_the_same_as_each_command() -> None:
    from jigsat.cli import COMMANDS as HEADINGS

    guide = Path(__file__).parents[1] / "docs" / "python.md"
    functions: dict[str, set[str]] = {}
    for line in guide.read_text(encoding="utf-8").splitlines():
        columns = line.split("|")
        if len(columns) == 5:
            names = set(re.findall(r"`(\w+)\(", columns[1]))
            for command in re.findall(r"`([a-z][a-z-]*)", columns[3]):
                functions.setdefault(command, set()).update(names)
    commands = {name for heading in HEADINGS.values() for name in heading}
    commands.remove("help")  # `help(jigsat)` is that of Python
    assert commands <= functions.keys()
    for command in commands:
        assert functions[command], command
        assert functions[command] <= set(jigsat.__all__), command


def test_solutions_and_count_have_the_same_defaults() -> None:
    listed, counted = (
        inspect.signature(function).parameters for function in (jigsat.solutions, jigsat.count)
    )
    for name in listed.keys() & counted.keys() - {"puzzle"}:
        assert listed[name].default == counted[name].default, name
    assert (listed["backend"].default, listed["up_to"].default) == ("auto", "rotation")


def test_no_public_function_has_the_name_of_a_package_or_module() -> None:
    modules = {module.name.rpartition(".")[2] for module in pkgutil.iter_modules(jigsat.__path__)}
    assert not modules & set(jigsat.__all__)
    for package in (
        module for module in pkgutil.iter_modules(jigsat.__path__, "jigsat.") if module.ispkg
    ):
        found = importlib.import_module(package.name)
        own = {module.name for module in pkgutil.iter_modules(found.__path__)}
        functions = {
            name
            for name in getattr(found, "__all__", ())
            if inspect.isfunction(getattr(found, name))
        }
        assert not own & functions, package.name


def test_importing_jigsat_imports_nothing_big() -> None:
    script = (
        "import sys, jigsat; print([name for name in ('pydantic', 'typer', 'pysat', "
        "'networkx') if name in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )


def test_an_instance_is_a_name_a_path_a_text_data_or_a_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(TOY)
    data = {"family": "lights-out", "board": "square 2x2", "lit": "all"}
    for instance in (path, str(path), TOY, data, jigsat.load(data)):
        assert jigsat.count(instance).solutions == 1
    assert jigsat.load(TOY, board="square 3x3").name == "lights-out[board=square 3x3]"


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: jigsat.solutions("cube", up_to="rotations"),
        ValueError,
        "`up_to` must be one of nothing, rotation, reflection",
    ),
    (
        lambda: jigsat.solutions("cub"),
        jigsat.InputError,
        "cub: unknown instance; did you mean 'cube'?",
    ),
    (
        lambda: jigsat.solutions("cube", backend="cadicel195"),
        jigsat.InputError,
        "did you mean 'cadical195'?",
    ),
    (
        lambda: jigsat.count("cube", timeout="3"),
        TypeError,
        "`timeout` must be a number of seconds of at least 0; got '3'",
    ),
    (
        lambda: jigsat.count("cube", timeout=float("nan")),
        ValueError,
        "`timeout` must be a number of seconds",
    ),
    (
        lambda: jigsat.solutions("cube", limit=0),
        ValueError,
        "`limit` must be a whole number of at least 1; got 0",
    ),
    (
        lambda: jigsat.solutions("cube", jobs=True),
        TypeError,
        "`jobs` must be a whole number of at least 1; got True",
    ),
    (lambda: jigsat.solutions("cube", limits=3), TypeError, "limits"),
    (
        lambda: jigsat.sample("cube", 0),
        ValueError,
        "`number` must be a whole number of at least 1; got 0",
    ),
    (
        lambda: jigsat.compare("cube", backends="z3"),
        TypeError,
        "backends: expected a list of names, such as ['z3']",
    ),
    (
        lambda: jigsat.count(jigsat.Formula(), group={1: 2}),
        TypeError,
        "`group` is a list of permutations: write group=[{…}]",
    ),
    (
        lambda: jigsat.solutions("cube", backend="CaDiCaL-195"),
        jigsat.InputError,
        "did you mean 'cadical195'?",
    ),
    (
        lambda: jigsat.solve("cats"),
        AttributeError,
        "module 'jigsat' has no attribute 'solve'; did you mean `solutions`?",
    ),
    (
        lambda: jigsat.modles("cats"),
        AttributeError,
        "no attribute 'modles'; did you mean `models`?",
    ),
    (lambda: jigsat.compare(), jigsat.InputError, "name at least one puzzle"),
    (
        lambda: jigsat.estimate("soma", probes=-1),
        ValueError,
        "`probes` must be a whole number of at least 1; got -1",
    ),
    (
        lambda: jigsat.estimate("soma", seed="a"),
        TypeError,
        "`seed` must be a whole number of at least 0; got 'a'",
    ),
    (
        lambda: jigsat.sample("soma", seed=[1]),
        TypeError,
        "`seed` must be a whole number of at least 0; got [1]",
    ),
    (
        lambda: jigsat.estimate("soma", seconds=-1),
        ValueError,
        "`seconds` must be a number of seconds of at least 0; got -1",
    ),
    (
        lambda: jigsat.unique(jigsat.Formula()),
        TypeError,
        "got Formula; for a formula use `jigsat.models` or `jigsat.count`",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.count(5),
        TypeError,
        "an instance is a name, a path, a text, a dict or a puzzle; got int",
    ),
    (
        lambda: jigsat.load({"family": "tilings"}),
        jigsat.InputError,
        "unknown family 'tilings'; did you mean 'tiling'",
    ),
    (lambda: jigsat.load("family = \n"), jigsat.InputError, "the text: not valid TOML"),
    (lambda: jigsat.count("cube", group=[{}]), ValueError, "`group` is for a formula"),
    (
        lambda: jigsat.models(jigsat.Formula(), group=[{1: 2}]),
        jigsat.InputError,
        "1 is not a decision variable",
    ),
    (lambda: jigsat.minimum(jigsat.Formula()), jigsat.InputError, "formula: nothing is minimised"),
    (
        lambda: jigsat.generate("sudoku-6x6", number=0),
        ValueError,
        "`number` must be a whole number of at least 1; got 0",
    ),
    (
        lambda: jigsat.generate("sudoku-6x6", number=2.5),
        TypeError,
        "`number` must be a whole number of at least 1; got 2.5",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.generate("sudoku-6x6", seed=-1),
        ValueError,
        "`seed` must be a whole number of at least 0; got -1",
    ),
    (
        lambda: jigsat.generate("sudoku-6x6", timeout=-1),
        ValueError,
        "`timeout` must be a number of seconds",
    ),
    (
        lambda: jigsat.generate("lights-out", pressed=3),
        jigsat.InputError,
        "lights-out: unknown entry 'pressed'",
    ),
    (
        lambda: jigsat.generate("sudok", clues=3),
        jigsat.InputError,
        "sudok: unknown family or instance; did you mean",
    ),
    (
        lambda: jigsat.generate("sudoku-6x6", difficulty="evil"),
        ValueError,
        "`difficulty` must be one of easy, medium, hard",
    ),
    (
        lambda: jigsat.export("cube", "cube.txt"),
        jigsat.InputError,
        "cube.txt: unknown suffix; use one of .cnf",
    ),
    (
        lambda: jigsat.export("cube", "cube.cnf", breaking="turn"),
        ValueError,
        "`breaking` must be one of nothing, rotation",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.export("cube", "cube.cnf", lowering="totalizer"),
        TypeError,
        "`lowering` must be a Lowering",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.count("cube", lowering="totalizer"),
        TypeError,
        "`lowering` must be a Lowering",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.explain("cube", lowering="totalizer"),
        TypeError,
        "`lowering` must be a Lowering",
    ),  # type: ignore[arg-type]
    (
        lambda: jigsat.compare("cube", at_most_one="ladder"),
        TypeError,
        "at_most_one: expected a list of names",
    ),
    (
        lambda: jigsat.decode("cube", 5),
        TypeError,
        "`answer` must be the text of an answer, or a Path; got 5",
    ),  # type: ignore[call-overload]
    (
        lambda: jigsat.decode("cube", "I am no solver"),
        jigsat.InputError,
        "contains no solver's answer",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG, ids=[message for *_, message in WRONG])
def test_wrong_arguments_are_refused_immediately(
    call: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)


def test_repr_is_one_line_and_print_shows_more() -> None:
    solution = next(jigsat.solutions("cube"))
    result = jigsat.count("cats")
    formula = jigsat.load("cats").encode()
    model = next(jigsat.models("cats"))
    for thing in (solution, solution.puzzle, result, formula, model, jigsat.solutions("cube")):
        assert "\n" not in repr(thing) and len(repr(thing)) < 250
    with redirect_stdout(io.StringIO()) as printed:
        print(solution)
        print(model)
    assert printed.getvalue() == f"{solution.text()}\n" + "".join(f"{name}\n" for name in model)
    assert solution._repr_svg_().startswith("<svg")


def test_the_other_functions_answer(tmp_path: Path) -> None:
    assert jigsat.unique("sudoku-hard").unique
    assert len(jigsat.unique("cube", timeout=60).solutions) == 2
    assert jigsat.rate("sudoku-6x6", timeout=60).level == "medium"
    assert jigsat.minimum("lights-5x5").minimum == 15
    assert jigsat.explain("lights-5x5").backend.startswith("gf2")
    (made,) = jigsat.generate("lights-out", seed=3, board="square 3x3")
    assert jigsat.count(made).solutions == 1
    runs = jigsat.compare("cats", backends=["cadical195", "minisat22"])
    assert [(run.combination.backend, run.solutions) for run in runs] == [
        ("cadical195", 4),
        ("minisat22", 4),
    ]
    puzzle = jigsat.load("cats")
    solution = next(jigsat.solutions(puzzle))
    true = {puzzle.encode().key(x) for x in next(jigsat.models(puzzle, up_to="nothing")).variables}
    assert set(solution.placements) == true or len(true) == len(solution.placements)
    formula = puzzle.encode()
    literals = " ".join(
        str(x) for x in formula.decisions() if formula.key(x) in solution.placements
    )
    assert [
        found.placements for found in jigsat.decode(puzzle, f"s SATISFIABLE\nv {literals} 0\n")
    ] == [solution.placements]
    assert jigsat.decode(puzzle, "s UNSATISFIABLE\n") == []
    with pytest.raises(jigsat.Stopped, match="gave up"):
        jigsat.decode(puzzle, "s UNKNOWN\n")
    jigsat.export(puzzle, tmp_path / "cats.cnf", breaking="rotation")
    assert "symmetry breaking" in (tmp_path / "cats.cnf").read_text()


# -- formulas


def colouring() -> tuple[jigsat.Formula, list[dict[int, int]]]:
    """A cycle of five nodes in three colours: 30 colourings, 5 up to the colours."""
    formula = jigsat.Formula()
    nodes = [formula.choice("colour", "rgb", node=node) for node in range(5)]
    for i in range(5):
        formula.all_different([nodes[i], nodes[i - 1]])
    return formula, [
        {x(a): x(b) for x in nodes for a, b in (pair, pair[::-1])} for pair in ("rg", "gb")
    ]


@pytest.mark.parametrize(
    "options", [{}, {"backend": "z3"}, {"jobs": 2}, {"timeout": 60}, {"up_to": "nothing"}], ids=str
)
def test_models_of_a_formula_up_to_symmetry(options: dict[str, Any]) -> None:
    formula, group = colouring()
    result = jigsat.count(formula, group=group, **options)
    assert (result.solutions, result.distinct, result.complete) == (30, {"all": 5}, True)
    if "up_to" not in options:
        found = list(jigsat.models(formula, group=group, **options))
        assert len({tuple(model[choice] for choice in formula.choices) for model in found}) == 5


def test_a_store_of_models_is_of_one_formula_and_one_group(tmp_path: Path) -> None:
    formula, group = colouring()
    store = tmp_path / "store"
    assert len(list(jigsat.models(formula, group=group, limit=2, store=store))) == 2
    assert len(list(jigsat.models(formula, group=group, store=store))) == 5
    assert jigsat.count(formula, group=group, up_to="all", store=store).solutions == 30
    with pytest.raises(jigsat.InputError, match="another instance"):
        jigsat.models(formula, store=store)


def test_minimum_does_not_change_the_formula() -> None:
    formula, _ = colouring()
    formula.minimize({choice("b"): 1 for choice in formula.choices})
    before = list(formula.groups)
    assert (jigsat.minimum(formula).minimum, list(formula.groups)) == (1, before)
    assert jigsat.count(formula).solutions == 30


def test_a_permutation_that_is_not_a_symmetry_is_refused() -> None:
    formula, _ = colouring()
    x = formula.choices[0]
    for up_to in ("nothing", "rotation", "all"):
        with pytest.raises(
            jigsat.InputError, match="`group` has a permutation that is not a symmetry"
        ):
            jigsat.count(formula, group=[{x("r"): x("g"), x("g"): x("r")}], up_to=up_to)


@settings(max_examples=cases(150), derandomize=True, deadline=None)
@given(truth.instances(), st.integers(0, 2**32), st.sampled_from(["nothing", "all"]))
def test_any_formula_and_any_permutation(
    case: tuple[list[truth.Spec], int, int], seed: int, up_to: str
) -> None:
    """The orbits are those of the truth table, or the permutation is refused because it is not a
    symmetry."""
    _, _, decisions = case
    formula, table = truth.formula(*case), truth.table(*case)
    candidates = list(permutations(range(1, decisions + 1))) if decisions < 5 else []
    rng = random.Random(seed)
    some = list(range(1, decisions + 1))
    rng.shuffle(some)
    image = dict(
        zip(range(1, decisions + 1), rng.choice(candidates) if candidates else some, strict=True)
    )
    symmetric = {frozenset(image[x] for x in model) for model in table} == table
    assert symmetric or not preserves(formula, image)
    event(f"symmetric: {symmetric}, seen at once: {preserves(formula, image)}")
    if not symmetric:
        with pytest.raises(jigsat.InputError, match="not a symmetry"):
            jigsat.count(formula, group=[image], up_to=up_to)
        return
    result = jigsat.count(formula, group=[image], up_to=up_to)
    rest, orbits = set(table), 0
    while rest:
        orbits += 1
        model = member = rest.pop()
        while (member := frozenset(image[x] for x in member)) != model:
            rest.remove(member)
    assert result.solutions == len(table)
    assert result.distinct.get("all", result.solutions) == orbits


def test_a_formula_is_exported_and_an_answer_to_it_decoded(tmp_path: Path) -> None:
    formula, group = colouring()
    jigsat.export(formula, tmp_path / "x.cnf", group=group, breaking="all")
    assert (tmp_path / "x.cnf").read_text().splitlines()[1].startswith("c instance formula sha256 ")
    model = next(jigsat.models(formula))
    (found,) = jigsat.decode(
        formula, f"s SATISFIABLE\nv {' '.join(map(str, sorted(model.variables)))} 0\n"
    )
    assert found == model


@pytest.mark.parametrize("option", ["cluster", "store", "minimize"])
def test_options_of_a_wrong_type_are_named(option: str) -> None:
    with pytest.raises(TypeError, match=rf"`{option}` must be .*; got 5"):
        jigsat.solutions("cats", **{option: 5})
