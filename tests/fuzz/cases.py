"""The cases of the fuzzer: mutated files in a folder, and the commands to run on them."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import tomli_w
import typer
from fuzz import corpus
from fuzz.forgery import forged
from fuzz.mutations import VALUES, Draw, as_json, mutated_bytes, mutated_tree, toml
from hypothesis import strategies as st
from support import truth
from support.drawings import DRAWING, ORDINARY
from support.forked import OUTLETS, memory_beside_this_process, warm
from support.planted import GRIDS, crossword

import jigsat
from jigsat.cli.common import app
from jigsat.formats.export import lines
from jigsat.formula import Formula, holds
from jigsat.ledger.file import SolutionRow, Subproblem
from jigsat.subject import FormulaSubject

TIMEOUT, MEMORY = 1, 800
"""The limits of each command that has such options: seconds and megabytes."""

PATIENCE = 30
"""Seconds for commands that must be completed because their counts are compared."""


@dataclass(frozen=True)
class Case:
    """Files by their paths in an empty folder, commands to run there, and the expected results."""

    files: Mapping[str, bytes]
    commands: tuple[tuple[str, ...], ...]
    puzzle: str = ""
    """The shipped instance whose solutions are expected, whatever the files contain; '' for
    none."""
    count: int | None = None
    """The number that each command, a count, must find."""
    minimum: int | None = None
    """The least cost that each command, a `solve --minimize`, must find."""
    outlets: tuple[str, ...] = ()
    """The outputs of each command, as in `support.forked`; files if empty."""

    def __repr__(self) -> str:
        sizes = {path: f"{len(data)} bytes" for path, data in self.files.items()}
        return f"Case({sizes}, {self.commands})"


@cache
def options(command: str) -> frozenset[str]:
    """The options of a command."""
    warm()
    (found,) = (
        each for name, each in typer.main.get_command(app).commands.items() if name == command
    )  # type: ignore[attr-defined]
    return frozenset(option for parameter in found.params for option in parameter.opts)


def limited(command: str, *arguments: str, timeout: float = TIMEOUT) -> tuple[str, ...]:
    """A command with the limits that it supports."""
    limits = {"--timeout": timeout, "--memory": memory_beside_this_process(MEMORY)}
    given = [
        word
        for option, limit in limits.items()
        if option in options(command)
        for word in (option, str(limit))
    ]
    return (
        (command, *given, "--", *arguments)
        if any(a.startswith("-") for a in arguments[:1])
        else (command, *arguments, *given)
    )


# -- instances

NAMES = [
    "a b.toml", "é漢🐈.toml", "x\x1b[2J.toml", "x\nverified.toml", "\u202etxt.toml",
    "a" * 240 + ".toml", "x.txt",
    "[red]x.toml", "x;y.toml", "'.toml", "CON.toml", "..toml", "\udcff.toml", "<&>.toml", "cats",
    "cats.toml", "-x.toml",
]  # fmt: skip
"""File names that are misleading or unprintable."""


@st.composite
def instance_bytes(draw: Draw) -> Case:
    """An instance file whose text was mutated."""
    name = draw(st.sampled_from(sorted(corpus.instances())))
    return _instance(draw, name, draw(mutated_bytes(corpus.instances()[name])))


@st.composite
def instance_tree(draw: Draw) -> Case:
    """An instance whose data were mutated."""
    shipped = sorted(name for name in corpus.instances() if name.endswith(".toml"))
    name = draw(st.sampled_from(shipped))
    data = _known_left_out(draw, tomllib.loads(corpus.instances()[name].decode()))
    try:
        text = toml(draw(mutated_tree(data)))
    except RecursionError:
        text = b""
    return _instance(draw, name, text)


def _known_left_out(draw: Draw, data: dict[str, Any]) -> dict[str, Any]:
    """Usually without the known facts and titles, so that the rules are mutated."""
    told = ("known", "title", "source")
    return (
        {key: value for key, value in data.items() if key not in told}
        if draw(st.integers(0, 3))
        else data
    )


def _instance(draw: Draw, name: str, text: bytes) -> Case:
    file = draw(st.sampled_from(NAMES)) if draw(st.integers(0, 7)) == 0 else name
    path = f"./{file}" if file.startswith("-") else file
    commands = {
        "solve": limited("solve", path, "--limit", "3", "--svg", "out.svg"),
        "solve --json": limited("solve", path, "--json", "--limit", "50"),
        "counts": (
            limited("count", path, "--json"),
            limited("count", path, "--json", "--backend", "cadical195"),
        ),
        "count": limited("count", path),
        "unique": limited("unique", path),
        "rate": limited("rate", path),
        "explain": limited("explain", path),
        "explain --clues": limited("explain", path, "--clues"),
        "export": limited("export", path, "-o", f"out{draw(st.sampled_from(corpus.FORMATS))}"),
        "prove": limited("prove", path, "-o", "proved"),
    }
    chosen = commands[draw(st.sampled_from(sorted(commands)))]
    return Case({file: text}, chosen if isinstance(chosen[0], tuple) else (chosen,))


@st.composite
def settings(draw: Draw) -> Case:
    """A shipped instance with mutated entries."""
    name = draw(
        st.sampled_from(sorted(path for path in corpus.instances() if path.endswith(".toml")))
    )
    data = tomllib.loads(corpus.instances()[name].decode())
    key = draw(st.sampled_from(sorted(data)))
    said = (
        toml({"x": draw(mutated_tree(data[key]))})
        .decode("utf-8", errors="replace")
        .removeprefix("x = ")
    )
    text = draw(st.sampled_from([said.strip(), said[: len(said) // 2], "", f"{key}={said}"]))[
        :5000
    ].replace("\x00", "")
    command = draw(st.sampled_from(["solve", "count", "explain", "unique"]))
    return Case({}, (limited(command, name.removesuffix(".toml"), "--set", f"{key}={text}"),))


# -- files that commands wrote


@st.composite
def answer(draw: Draw) -> Case:
    """A solver's answer that was mutated."""
    name = draw(st.sampled_from(corpus.SOLVED))
    kinds = corpus.answers(name)
    mutated = draw(mutated_bytes(kinds[draw(st.sampled_from(sorted(kinds)))]))
    return Case(
        {"answer": mutated},
        (limited("decode", name, "answer", *_as_json(draw), timeout=PATIENCE),),
        name,
    )


@st.composite
def formula(draw: Draw) -> Case:
    """An exported formula that was mutated, with a good answer to it."""
    name = draw(st.sampled_from(corpus.SOLVED))
    minimised = name in ("lights-5x5", "push-pull")
    suffix = draw(
        st.sampled_from([suffix for suffix in corpus.FORMATS if minimised or suffix != ".wcnf"])
    )
    file = f"formula{suffix}"
    files = {
        file: draw(mutated_bytes(corpus.exported(name, suffix))),
        "answer": corpus.answers(name)["competition"],
    }
    return Case(
        files, (limited("decode", name, "answer", "--formula", file, timeout=PATIENCE),), name
    )


@st.composite
def exported(draw: Draw) -> Case:
    """A formula that is exported in every format that can be read back; each file has as many
    models."""
    formula = draw(formulas())
    files = {f"formula{suffix}": _text_of(formula, suffix) for suffix in corpus.READABLE}
    command = "count", "--json", "--timeout", str(PATIENCE)
    shown = formula.decisions()
    models = {
        tuple(values[x - 1] for x in shown)
        for values in product((False, True), repeat=formula.top)
        if all(
            holds(constraint, {i for i, value in enumerate(values, 1) if value})
            for constraint in formula.constraints()
        )
    }
    contents = {path: text.encode() for path, text in files.items()}
    return Case(contents, tuple((*command, path) for path in files), count=len(models))


@st.composite
def graphs(draw: Draw) -> Case:
    """A formula with constraints on graphs that is exported in every format that can be read back;
    each file has as many models as brute force finds."""
    rng = draw(st.randoms(use_true_random=False))
    variables = draw(st.integers(3, 7))
    decisions = draw(st.integers(1, variables))
    specs = []
    for name in draw(
        st.lists(st.sampled_from(["connected", "single_loop"]), min_size=1, max_size=2)
    ):
        specs.append(truth.on_graph(rng, name, variables))
    for _ in range(draw(st.integers(0, 2))):
        specs.append(truth.constraint(rng, variables))

    formula = truth.formula(specs, variables, decisions)
    files = {f"formula{x}": _text_of(formula, x).encode() for x in corpus.READABLE}
    commands = [("count", "--json", "--timeout", str(PATIENCE), path) for path in files]
    return Case(files, tuple(commands), count=len(truth.table(specs, variables, decisions)))


# the characters of a drawing, and the number of its rows and columns
NUMBERS = {
    "nurikabe": ("......1234", 3),
    "hitori": ("123", 3),
    "slitherlink": ("....0123", 2),
}


@st.composite
def proved(draw: Draw) -> Case:
    """A small puzzle with connected cells or one loop; the certificate says how many solutions its
    checker accepts among all boards."""
    family = draw(st.sampled_from(list(NUMBERS)))
    numbers, size = NUMBERS[family]
    row = st.text(numbers, min_size=size, max_size=size)
    drawn = draw(st.lists(row, min_size=size, max_size=size))
    data = {"family": family, "numbers": "\n".join(drawn)}

    puzzle = jigsat.load(data)
    formula = puzzle.encode()
    marks = [formula.key(variable) for variable in formula.decisions()]
    solutions = 0
    for chosen in product((False, True), repeat=len(marks)):
        board = [mark for mark, is_chosen in zip(marks, chosen, strict=True) if is_chosen]
        solutions += next(iter(puzzle.check(board)), None) is None
    commands = [
        limited("prove", "a.toml", "-o", "certificate", timeout=PATIENCE),
        limited("check", "certificate", timeout=PATIENCE),
    ]
    text = tomli_w.dumps(data).encode()
    return Case({"a.toml": text}, tuple(commands), count=solutions)


@st.composite
def objective(draw: Draw) -> Case:
    """A formula with an objective in the formats that have one; each file has the same minimum, and
    one of them is mutated as well."""
    formula = draw(formulas())
    decisions = formula.decisions()
    weights = st.integers(0, 9)
    costs = {
        draw(st.sampled_from([x, -x])): draw(weights) for x in decisions if draw(st.booleans())
    }
    formula.minimize(costs)
    possible: list[int] = []
    for values in product((False, True), repeat=formula.top):
        true = {i for i, value in enumerate(values, 1) if value}
        if all(holds(constraint, true) for constraint in formula.constraints()):
            possible.append(formula.cost(true))
    mutate = draw(st.booleans())
    files, commands = dict[str, bytes](), list[tuple[str, ...]]()
    for suffix in (".opb", ".wcnf"):
        text = _text_of(formula, suffix).encode()
        files[f"formula{suffix}"] = draw(mutated_bytes(text)) if mutate else text
        commands.append(limited("solve", f"formula{suffix}", "--minimize", "--json",
                                timeout=TIMEOUT if mutate else PATIENCE))  # fmt: skip
    known = not mutate and bool(formula.objective) and bool(possible)
    return Case(files, tuple(commands), minimum=min(possible) if known else None)


@st.composite
def ipuz(draw: Draw) -> Case:
    """A crossword of another program in which values or bytes were mutated."""
    data = crossword(draw(st.sampled_from(GRIDS)), answers=draw(st.booleans()))
    text = as_json(draw(mutated_tree(data))) if draw(st.booleans()) else as_json(data)
    if draw(st.integers(0, 2)) == 0:
        text = draw(mutated_bytes(text))
    commands = [
        limited("import", "a.ipuz", "-o", "a.toml"),
        limited("count", "a.ipuz", "--json"),
        limited("export", "a.ipuz", "--format", "ipuz", "-o", "b.ipuz"),
    ]
    return Case({"a.ipuz": text}, (draw(st.sampled_from(commands)),))


def _text_of(formula: Formula, suffix: str) -> str:
    return "".join(lines(formula, Path(f"formula{suffix}"), FormulaSubject(formula)))


@st.composite
def formulas(draw: Draw) -> Formula:
    """Constraints of every kind on a few variables, of which any may be auxiliary; most of them
    repeated or trivial."""
    formula = Formula()
    for i in range(draw(st.integers(1, 6))):
        formula.variables(f"x{i}\n0 {i}", {"i": [i]}, decision=draw(st.booleans()))
    literals = st.integers(1, formula.top).flatmap(lambda x: st.sampled_from([x, -x]))
    bounds, parts = st.integers(-1, 4), st.lists(literals, max_size=6)
    apart, large = (
        st.lists(literals, max_size=6, unique=True),
        st.sampled_from([0, 1, -1, 2, 3, -5, 2**31, -(2**70)]),
    )
    for _ in range(draw(st.integers(0, 5))):
        match draw(st.sampled_from(["clause", "between", "linear", "xor"])):
            case "clause":
                formula.clause(draw(parts))
            case "between":
                formula.between(draw(bounds), draw(bounds), draw(apart))
            case "linear":
                terms = draw(st.lists(st.tuples(literals, large), max_size=5))
                formula.linear(terms, at_least=draw(bounds), at_most=draw(st.none() | large))
            case "xor":
                formula.xor(draw(parts), odd=draw(st.booleans()))
    return formula


@st.composite
def blocked(draw: Draw) -> Case:
    """Known solutions that were mutated, to be ruled out in an exported formula."""
    name = draw(st.sampled_from(corpus.SOLVED))
    known = corpus.solved(name)
    data = (
        as_json(draw(mutated_tree(json.loads(known))))
        if draw(st.booleans())
        else draw(mutated_bytes(known))
    )
    return Case({"known": data}, (limited("export", name, "-o", "out.cnf", "--block", "known"),))


STORES = {
    "cats": [(), ("--up-to", "nothing"), ("--limit", "1")],
    "cube": [("--up-to", "reflection"), ("--up-to", "nothing"), ("--limit", "2")],
    "lights-5x5": [("--minimize",), ("--up-to", "nothing"), ()],
    "sudoku-hard": [()],
    "black-and-white": [()],
}


@st.composite
def store(draw: Draw) -> Case:
    """A store of solutions whose bytes were mutated; the search goes on from it."""
    name = draw(st.sampled_from(sorted(STORES)))
    given = draw(st.sampled_from(STORES[name]))
    data = draw(mutated_bytes(corpus.store(name, *given)))
    again = [word for word in given if word not in ("--limit", "1", "2")]
    engine = draw(st.sampled_from(["auto", "cadical195"]))
    command = limited(
        "solve", name, "--store", "store", *again, "--json", "--backend", engine, timeout=PATIENCE
    )
    return Case({"store": data}, (command, command), name)


SCHEMAS = [
    "CREATE VIEW more AS SELECT * FROM subproblem",
    "CREATE TRIGGER more AFTER UPDATE ON subproblem BEGIN DELETE FROM solution; END",
    "CREATE INDEX more ON subproblem (abs(weight))",
    "CREATE TABLE more (x)",
    "DROP INDEX by_state",
    "DROP TABLE solution",
    "ALTER TABLE subproblem ADD COLUMN more AS (hex(zeroblob(1000)))",
    "ALTER TABLE subproblem RENAME TO more",
    "ANALYZE",
    "PRAGMA user_version = 2",
    "UPDATE sqlite_schema SET rootpage = 2",
    "UPDATE sqlite_schema SET sql = sql || ' '",
    "DELETE FROM sqlite_schema WHERE type = 'index'",
]


@st.composite
def ledger(draw: Draw) -> Case:
    """The ledger of a count or a list in which values, the header or the schema were changed."""
    name, listed = draw(st.sampled_from(["cats", "cube"])), draw(st.booleans())
    data = corpus.store(name) if listed else corpus.ledger(name)
    for _ in range(draw(st.integers(1, 2))):
        match draw(st.sampled_from(["value", "value", "value", "header", "header", "schema"])):
            case "value":
                data = _with_value(draw, data)
            case "header":
                data = changed(data, lambda rows: _change_header(draw, rows))
            case "schema":
                statement = draw(st.sampled_from(SCHEMAS))
                data = changed(data, lambda rows, statement=statement: rows.execute(statement))  # type: ignore[misc]
    store = ("--store", "store", "--json")
    again = limited("solve" if listed else "count", name, *store, timeout=PATIENCE)
    audit = limited("ledger", "store", "all", "--audit", timeout=PATIENCE)
    return Case({"store": data}, (limited("ledger", "store", timeout=PATIENCE), audit, again))


def as_text(value: Any) -> str:
    return as_json(value).decode()


def changed(data: bytes, change: Callable[[sqlite3.Connection], object]) -> bytes:
    """The file of a database after a change, or as it was if SQLite refuses the change."""
    with closing(sqlite3.connect(":memory:")) as rows:
        rows.deserialize(data)
        with suppress(sqlite3.Error):
            rows.execute("PRAGMA writable_schema = ON")
            change(rows)
            rows.commit()
        return rows.serialize()


COLUMNS = [
    *(("subproblem", name) for name in Subproblem.model_fields),
    *(("solution", name) for name in SolutionRow.model_fields),
    ("header", "text"),
]


def _with_value(draw: Draw, data: bytes) -> bytes:
    """The ledger with another value in one column of one row or of all rows."""
    table, column = draw(st.sampled_from(COLUMNS))
    odd = st.sampled_from(
        [
            None,
            -1,
            0,
            2**63 - 1,
            0.5,
            1e300,
            float("inf"),
            "",
            "x\ncomplete",
            "[" * 100_000,
            "[99999999]",
            b"\xff",
        ]
    )
    value = draw(odd | st.sampled_from(VALUES).map(as_text))
    where = draw(st.sampled_from(["", "WHERE rowid = 1", "WHERE rowid > 1"]))
    return changed(
        data, lambda rows: rows.execute(f"UPDATE {table} SET {column} = ? {where}", (value,))
    )


def _change_header(draw: Draw, rows: sqlite3.Connection) -> None:
    row = rows.execute("SELECT text FROM header").fetchone()
    # it was replaced by a change before this one, perhaps by too many brackets
    with suppress(ValueError, TypeError, RecursionError):
        rows.execute(
            "UPDATE header SET text = ?", (as_text(draw(mutated_tree(json.loads(row[0])))),)
        )


@st.composite
def runs(draw: Draw) -> Case:
    """The finished runs of a comparison that were mutated."""
    data = corpus.runs("cats")
    lines = data.splitlines(keepends=True)
    if draw(st.booleans()):
        at = draw(st.integers(0, len(lines) - 1))
        lines[at] = as_json(draw(mutated_tree(json.loads(lines[at])))) + b"\n"
        data = b"".join(lines)
    else:
        data = draw(mutated_bytes(data))
    return Case(
        {"runs": data},
        (("compare", "cats", "--backends", "cadical195", "--resume", "runs", *_as_json(draw)),),
    )


@st.composite
def certificate(draw: Draw) -> Case:
    """A certificate in which one or two files were mutated, exchanged or removed."""
    name = draw(st.sampled_from(corpus.PROVED))
    files = {f"proved/{path}": data for path, data in corpus.certificate(name).items()}
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(sorted(files)))
        match draw(
            st.sampled_from(
                ["bytes", "bytes", "bytes", "tree", "tree", "tree", "missing", "other", "extra"]
            )
        ):
            case "bytes":
                files[path] = draw(mutated_bytes(files[path]))
            case "tree":
                path = draw(
                    st.sampled_from(
                        [path for path in sorted(files) if path.endswith((".json", ".toml"))]
                        or [path]
                    )
                )
                files[path] = _tree_of(draw, path, files[path])
            case "missing" if len(files) > 1:
                del files[path]
            case "other":
                files[path] = files[draw(st.sampled_from(sorted(files)))]
            case "extra":
                files[f"proved/{draw(st.sampled_from(['x', 'x.toml', 'cats.toml', 'sub/x']))}"] = (
                    files[path]
                )
    check = limited("check", "proved", timeout=PATIENCE)
    return Case(
        files, (check, limited("count", f"proved/{name}.toml", "--json", timeout=PATIENCE)), name
    )


@st.composite
def forgery(draw: Draw) -> Case:
    """A certificate whose files agree with each other but are wrong."""
    name = draw(st.sampled_from(["cats", "lights-5x5", "push-pull", "black-and-white"]))
    files = draw(forged(corpus.certificate(name, "cadical195")))
    check = limited("check", "proved", timeout=PATIENCE)
    count = limited("count", f"proved/{name}.toml", "--json", timeout=PATIENCE)
    return Case({f"proved/{path}": data for path, data in files.items()}, (check, count), name)


def _tree_of(draw: Draw, path: str, data: bytes) -> bytes:
    """The file with its data mutated, if it still has any."""
    try:
        tree = json.loads(data) if path.endswith(".json") else tomllib.loads(data.decode())
        mutated = draw(mutated_tree(tree))
        return as_json(mutated, indent=1) if path.endswith(".json") else toml(mutated)
    except (ValueError, RecursionError):
        return data


@st.composite
def output(draw: Draw) -> Case:
    """The same run repeatedly, with a stdout or stderr that cannot be written to."""
    name = draw(st.sampled_from(corpus.SOLVED))
    text = corpus.instances()[f"{name}.toml"]
    text = draw(mutated_bytes(text)) if draw(st.booleans()) else text
    file = ("x.toml", *_as_json(draw))
    commands = [
        limited("solve", *file, timeout=PATIENCE),
        limited("unique", *file, timeout=PATIENCE),
        ("explain", "x.toml"),
    ]
    files = {
        "x.toml": text,
        **{f"proved/{path}": data for path, data in corpus.certificate("cats").items()},
    }
    command = draw(
        st.sampled_from(
            [*commands, ("check", "proved"), ("list",), ("--help",), ("solve", "--help"), ("x",)]
        )
    )
    return Case(files, (command,) * len(OUTLETS), outlets=tuple(OUTLETS))


PICTURED = """family = "tiling"
board = "##"
[pieces]
bar = "##"
[pictures]
bar = "bar.svg"
"""

PARTS = [
    "svg", "g", "defs", "use", "symbol", "path", "rect", "image", "linearGradient", "stop",
    "pattern", "clipPath", "mask", "marker", "style", "title", "metadata", "text", "filter",
    "script", "animate", "a", "x:y", "xlink:g",
]  # fmt: skip
"""Elements of pictures, accepted or not."""

VALUES_OF_ATTRIBUTES = [
    "url(#a)", "url( '#b' ) red", "url(http://a.b/c)", "url(#c", "#a", "#b", "#c", "red", "none",
    "", "0", "1", "-1e38", "1e400", "nan", "100%", "5mm", "M0 0h9v9z", "M0 0L1e-9 1e9A1 1 0 0 0 2 2",
    "0 0 9 9", "0 0 0 1e-30", "scale(1e30)", "scale(0)", "rotate(45)", "fill:url(#a);opacity:.5",
    "filter:url(#a)", "mix-blend-mode:multiply", "javascript:alert(1)", "data:image/png;base64,AA",
    "\\75rl(a)", "a b",
]  # fmt: skip

ATTRIBUTES = [
    "id", "class", "style", "fill", "stroke", "opacity", "clip-path", "mask", "marker-mid",
    "stroke-dasharray", "stroke-width", "d", "points", "href", "xlink:href", "x", "y", "width",
    "height", "r", "viewBox", "transform", "gradientTransform", "patternUnits", "preserveAspectRatio",
    "offset", "onload", "filter", "x:y", "data-x",
]  # fmt: skip

SHEETS = ["", ".a{fill:red}", "#a,#b{mask:url(#c)}", "@import 'a';", "*{opacity:.5}", "}{", "/*"]


@st.composite
def pictures(draw: Draw) -> Case:
    """A puzzle with a picture that was made of random parts, or mutated."""
    if draw(st.booleans()):
        data = draw(mutated_bytes(draw(st.sampled_from(sorted(ORDINARY.values()))).encode()))
    else:
        data = DRAWING.format("".join(draw(st.lists(_element(3), max_size=4)))).encode()
    commands = {
        "svg": limited("solve", "own.toml", "--picture", "out.svg", timeout=PATIENCE),
        "pdf": limited("solve", "own.toml", "--picture", "out.pdf", timeout=PATIENCE),
        "html": limited("sheet", "own.toml", "-o", "out.html", timeout=PATIENCE),
    }
    files = {"own.toml": PICTURED.encode(), "bar.svg": data}
    return Case(files, (commands[draw(st.sampled_from(sorted(commands)))],))


@st.composite
def _element(draw: Draw, levels: int) -> str:
    """An element of a picture, with others in it."""
    part = draw(st.sampled_from(PARTS))
    names = draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=4, unique=True))
    values = [draw(st.sampled_from(VALUES_OF_ATTRIBUTES)) for _ in names]
    written = "".join(f' {name}="{value}"' for name, value in zip(names, values, strict=True))
    if part == "style":
        inside = draw(st.sampled_from(SHEETS))
    elif levels:
        inside = "".join(draw(st.lists(_element(levels - 1), max_size=3)))
    else:
        inside = ""
    times = draw(st.sampled_from([1, 1, 2])) if levels else draw(st.sampled_from([1, 1, 100]))
    return f"<{part}{written}>{inside}</{part}>" * times


def _as_json(draw: Draw) -> tuple[str, ...]:
    return ("--json",) if draw(st.booleans()) else ()


KINDS: dict[str, st.SearchStrategy[Case]] = {
    "instance-bytes": instance_bytes(),
    "instance-tree": instance_tree(),
    "settings": settings(),
    "answer": answer(),
    "formula": formula(),
    "exported": exported(),
    "objective": objective(),
    "graphs": graphs(),
    "proved": proved(),
    "ipuz": ipuz(),
    "blocked": blocked(),
    "store": store(),
    "ledger": ledger(),
    "runs": runs(),
    "certificate": certificate(),
    "forgery": forgery(),
    "output": output(),
    "pictures": pictures(),
}
