"""The commands for authors: `new` writes a working family, and `schema` describes the instance
files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft7Validator
from support.inside import jigsat as command
from support.inside import run

import jigsat
from jigsat import instance
from jigsat.instance import registry

ROOT = Path(__file__).parents[2]
SHIPPED = list(instance.shipped_files().values())


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})


# -- new


def test_a_new_family_works_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = command(capsys, "new", "sun-moon")
    assert (made.status, made.out) == (0, "")
    folder = tmp_path / "jigsat-sun-moon"
    files = {"sun_moon.py", "example.toml", "test_sun_moon.py", "pyproject.toml"}
    assert {path.name for path in folder.iterdir()} == files
    assert all(name in made.err for name in files)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
    done = subprocess.run(
        [sys.executable, "sun_moon.py", "count", "example.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and "5 solutions" in done.stdout, done.stderr


def test_a_new_family_is_well_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(capsys, "new", "sun-moon").status == 0
    folder, tools = tmp_path / "jigsat-sun-moon", Path(sys.executable).parent
    style = ["ruff", "check", "--isolated", "--line-length", "128", "--select", "E,F,I,B,UP"]
    # as `make lint` calls it, whose cache saves seconds
    types = [
        "mypy",
        "--strict",
        "--config-file",
        "pyproject.toml",
    ]
    for place, tool, names in (
        (folder, style, ["sun_moon.py", "test_sun_moon.py"]),
        (ROOT, types, ["sun_moon.py"]),
    ):
        done = subprocess.run(
            [tools / tool[0], *tool[1:], *(folder / name for name in names)],
            cwd=place,
            env={**os.environ, "MYPYPATH": "src"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout


def test_the_package_declares_the_family(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(capsys, "new", "sun-moon").status == 0
    project = tomllib.loads((tmp_path / "jigsat-sun-moon" / "pyproject.toml").read_text())
    module, _, kind = project["project"]["entry-points"]["jigsat.encodings"]["sun-moon"].partition(
        ":"
    )
    monkeypatch.syspath_prepend(tmp_path / "jigsat-sun-moon")
    monkeypatch.delitem(sys.modules, module, raising=False)
    assert getattr(import_module(module), kind) is instance.family("sun-moon")
    assert project["tool"]["setuptools"]["py-modules"] == [module]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("sudoku", "sudoku: a family with this name exists already"),
        ("Star", "Star: use small letters, digits, and hyphens"),
        ("../star", "../star: use small letters"),
        ("sun_moon", "sun_moon: use small letters"),
        ("random", "random: Python has a module or keyword with this name"),
        ("class", "class: Python has a module or keyword with this name"),
        ("jigsat", "jigsat: Python has a module"),
    ],
)
def test_impossible_names_are_refused(
    name: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = command(capsys, "new", name)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"jigsat: {says}") and refused.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda path: path.symlink_to("nowhere")])
def test_nothing_is_overwritten(
    make: Callable[[Path], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "jigsat-sun-moon")
    before = list(tmp_path.rglob("*"))
    refused = command(capsys, "new", "sun-moon")
    assert refused.status == 2
    assert (
        refused.err
        == "jigsat: jigsat-sun-moon: exists already; choose another name or move it away\n"
    )
    assert list(tmp_path.rglob("*")) == before


# -- schema


def open_schema(*families: str) -> Draft7Validator:
    """The schema that the command prints."""
    printed = run("schema", *families)
    assert (printed.returncode, printed.stderr) == (0, "")
    schema = json.loads(printed.stdout)
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


@cache
def open_shipped_schema(*families: str) -> Draft7Validator:
    """The schema of families that no test registers, printed once."""
    return open_schema(*families)


def test_every_instance_conforms_to_the_schema() -> None:
    by_family = {name: open_shipped_schema(name) for name in instance.families()}
    examples: dict[str, dict[str, Any]] = {}
    for path in SHIPPED:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        by_family[data["family"]].validate(data)
        examples[data["family"]] = data
    for family, data in examples.items():
        for name in by_family.keys() - {family}:
            assert not by_family[name].is_valid(data)
    for data in examples.values():
        assert open_shipped_schema().is_valid(data)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("cube", {"family": "cubes"}),
        ("cube", {"family": None}),
        ("cube", {"name": "cube"}),
        ("cube", {"holes": "perhaps"}),
        ("cube", {"board": None}),
        ("cats", {"tiles": {}}),
        ("cats", {"tiles": {"a": 3}}),
        ("cats", {"hints": [{"tile": "1"}]}),
        ("cats", {"known": {"solutions": -1}}),
        ("sudoku-hard", {"grid": 3}),
        ("sudoku-hard", {"grid": None}),
        ("sudoku-hard", {"grids": ["1..."]}),
        ("soma", {"uses": "some"}),
        ("soma", {"pieces": {"a": {"shape": "##", "often": 2}}}),
        ("black-and-white-batch", {"boards": "##"}),
        ("black-and-white-batch", {"boards": [{"boards": []}, {"left": 1}]}),
        ("lights-5x5", {"lit": True}),
    ],
)
def test_what_the_schema_refuses_is_refused(name: str, changes: dict[str, Any]) -> None:
    data = tomllib.loads(instance.shipped_files()[name].read_text(encoding="utf-8"))
    wrong = {key: value for key, value in {**data, **changes}.items() if value is not None}
    assert not open_shipped_schema(data["family"]).is_valid(wrong)
    path = Path("wrong.toml")
    path.write_text(toml(wrong))
    with pytest.raises(jigsat.InputError):
        instance.load_all(path)


def toml(data: dict[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(data)


@pytest.mark.parametrize(
    "name", sorted({tomllib.loads(path.read_text())["family"] for path in SHIPPED})
)
def test_every_entry_is_described(name: str) -> None:
    schema = open_shipped_schema(name).schema
    assert schema["description"]
    for described in [schema, *schema["definitions"].values()]:
        for entry, properties in described.get(
            "properties", {}
        ).items():  # a list such as [least, most] has none
            assert properties.get("description"), entry
    assert schema["properties"]["family"]["const"] == name
    assert "name" not in schema["properties"], "the file name is the instance's name"


def test_the_schema_has_no_null_because_toml_has_none() -> None:
    assert "null" not in json.dumps(open_shipped_schema().schema)


def test_registered_families_are_in_the_schema() -> None:
    class Dice(jigsat.Puzzle):
        """Dice in a row."""

        family = "dice"

        number: int
        """The number of dice."""

        def encode(self) -> jigsat.Formula:
            return jigsat.Formula()

        def check(self, placements: Any) -> Any:
            return ()

    jigsat.register(Dice)
    schema = open_schema("dice").schema
    assert schema["description"] == "Dice in a row."
    assert schema["properties"]["number"] == {
        "description": "The number of dice.",
        "type": "integer",
    }
    whole = json.loads(run("schema").stdout)
    assert Draft7Validator(whole).is_valid({"family": "dice", "number": 3})


class Post(NamedTuple):
    cell: tuple[int, int]
    height: int = 1


@pytest.mark.parametrize(
    ("posts", "wrong"),
    [
        ([[[0, 1], 2], [[0, 2]]], ""),
        ([{"cell": [0, 1], "height": 2}, {"cell": [0, 2]}], ""),
        (
            [{"cell": [0, 1], "heigth": 2}],
            "posts.0: unknown entry 'heigth'; did you mean 'height'?",
        ),
        ([{"height": 2}], "posts.0: missing entry 'cell'"),
        ([[[0, 1], 2, 3]], "posts.0: expected at most 2 entries; got a list of 3 entries"),
        ([{"cell": [0, "x"]}], 'posts.0.cell.1: expected a whole number; got "x"'),
        ([3], "posts.0: expected a list or a table; got 3"),
    ],
)
def test_named_tuples_are_lists_or_tables(posts: Any, wrong: str) -> None:
    class Posts(jigsat.Puzzle):
        """Posts on a board."""

        family = "posts"
        posts: list[Post]

        def encode(self) -> jigsat.Formula:
            return jigsat.Formula()

        def check(self, placements: Any) -> Any:
            return ()

    jigsat.register(Posts)
    schema = open_schema("posts")
    data = {"family": "posts", "posts": posts}
    if wrong:
        assert not schema.is_valid(data)
        with pytest.raises(jigsat.InputError, match=re.escape(wrong)):
            jigsat.load(data)
    else:
        schema.validate(data)
        assert {post.cell for post in jigsat.load(data).posts} <= {(0, 1), (0, 2)}  # type: ignore[attr-defined]


def test_an_unknown_family(capsys: pytest.CaptureFixture[str]) -> None:
    refused = command(capsys, "schema", "sudokku")
    assert (refused.status, refused.err) == (
        2,
        "jigsat: unknown family 'sudokku'; did you mean 'sudoku'?\n",
    )
