"""Families of other authors: registered by a script, or installed by packages, some of them
broken."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat import Formula, InputError, Puzzle, Stopped, instance
from jigsat.errors import FamilyWarning
from jigsat.instance import registry

COINS = """
from typing import NamedTuple
import jigsat

class Heads(NamedTuple):
    coin: int

class Coins(jigsat.Puzzle):
    family = "coins"
    instances = "coins.examples"
    number: int

    def encode(self):
        formula = jigsat.Formula()
        formula.variables("heads", Heads._fields, [Heads(coin) for coin in range(self.number)])
        return formula

    def check(self, placements):
        if len(set(placements)) < len(placements):
            yield "a coin shows heads twice"
"""
BROKEN = {
    "an import fails": (
        "import nothing_of_this_name",
        "ModuleNotFoundError: No module named 'nothing_of_this_name'",
    ),
    "a syntax error": ("def", "SyntaxError: invalid syntax"),
    "it exits": ("raise SystemExit(5)", "SystemExit: 5"),
    "no such class": ("Coin = 1", "AttributeError: module 'coins' has no attribute 'Coins'"),
    "no class": ("Coins = 1", "1 is not a subclass of jigsat.Puzzle"),
    "another class": ("class Coins: pass", "Coins is not a subclass of jigsat.Puzzle"),
    "no check": (COINS.replace("def check", "def verify"), "Coins has no method `check`"),
    "no name": (
        COINS.replace("family =", "#"),
        "Coins has no class variable `family` with its name",
    ),
    "another name": (
        COINS.replace('"coins"', '"coin"'),
        "Coins.family is 'coin', but its entry point is named 'coins'",
    ),
}


class Heads(NamedTuple):
    coin: int


class Coins(Puzzle[Heads]):
    family = "coins"

    number: int

    def encode(self) -> Formula:
        formula = Formula()
        formula.variables("heads", Heads._fields, [Heads(coin) for coin in range(self.number)])
        return formula

    def check(self, placements: object) -> Iterator[str]:
        yield from ()


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which `installed` packages are found."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    before = set(sys.modules)
    yield tmp_path
    for module in sys.modules.keys() - before:
        if module.startswith("coins"):
            del sys.modules[module]


def installed(
    folder: Path, code: str, *, package: str = "coin-puzzles", module: str = "coins"
) -> None:
    """Install a package that declares the family coins."""
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(code)
    about = folder / f"{package}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[jigsat.encodings]\ncoins = {module}:Coins\n")


def examples(folder: Path, *names: str) -> None:
    (folder / "coins" / "examples").mkdir()
    (folder / "coins" / "examples" / "__init__.py").touch()
    for name in names:
        (folder / "coins" / "examples" / f"{name}.toml").write_text(
            'family = "coins"\nnumber = 3\nknown.solutions = 8\n'
        )


def test_a_registered_family_is_used(plugins: Path) -> None:
    path = plugins / "three.toml"
    path.write_text('family = "coins"\nnumber = 3\n')
    with pytest.raises(InputError, match="'coins'"):
        jigsat.load(path)
    assert jigsat.register(Coins) is Coins
    assert "coins" in instance.families()
    assert jigsat.count(path).solutions == 8
    assert jigsat.register(Coins) is Coins, "a cell of a notebook is run again"


def test_a_registered_family_takes_precedence_over_an_installed_one(plugins: Path) -> None:
    installed(plugins, COINS)
    assert instance.family("coins") is not Coins
    jigsat.register(Coins)
    assert instance.family("coins") is Coins


def test_missing_parts_of_a_family_are_listed() -> None:
    class NoCheck(Puzzle):
        family = "no-check"

        def encode(self) -> Formula:
            return Formula()

    class Nothing(Puzzle):
        pass

    class Words(NoCheck):
        family = "Two Words"

    for wrong, lack in (
        (NoCheck, "NoCheck has no method `check`"),
        (
            Nothing,
            "Nothing has no class variable `family` with its name and no method `check` and no "
            "method `encode`",
        ),
        (
            Words,
            "Words.family is 'Two Words'; use small letters, digits, and hyphens between words, "
            "such as star-battle",
        ),
        (Formula, "Formula is not a subclass of jigsat.Puzzle"),
        (NoCheck.encode, "encode is not a subclass of jigsat.Puzzle"),
    ):
        with pytest.raises(TypeError) as caught:
            jigsat.register(wrong)  # type: ignore[type-var]
        assert str(caught.value) == lack
    for made in (lambda: NoCheck(), lambda: NoCheck.model_validate({})):  # type: ignore[abstract]
        with pytest.raises(TypeError, match="check"):
            made()
    assert "no-check" not in instance.families()


@pytest.mark.parametrize(("code", "wrong"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_package_is_skipped_and_its_family_refused(
    code: str, wrong: str, plugins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(plugins, code)
    message = f"family 'coins' of the package coin-puzzles cannot be used: {wrong}"
    with pytest.warns(FamilyWarning) as warned:
        assert {family.family for family in instance.every_family()} == {*instance.families()} - {
            "coins"
        }
    assert [str(each.message).startswith(message) for each in warned] == [True]
    listing = command(capsys, "list")
    assert not any(line.endswith(" ") for line in listing.out.splitlines())
    assert listing.status == 0 and "cube" in listing.out
    assert (
        listing.err.startswith(f"jigsat: {message}")
        and listing.err.endswith("; skipped\n")
        and listing.err.count("\n") == 1
    )
    path = plugins / "three.toml"
    path.write_text('family = "coins"\nnumber = 3\n')
    refused = command(capsys, "count", path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"jigsat: {path}: {message}") and refused.err.count("\n") == 1


def test_families_without_a_module_for_files_read_no_text() -> None:
    asked = set(registry.families_with_files())
    for kind in set(instance.every_family()) - asked:
        own = kind.__mro__[: kind.__mro__.index(Puzzle)]
        assert not any("from_text" in vars(each) for each in own), kind.family
    assert "sudoku" in {kind.family for kind in asked}


def test_for_our_families_no_other_package_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise AssertionError("the metadata of all packages are read")

    monkeypatch.setattr(registry, "entry_points", refused)
    assert (
        jigsat.load({"family": "lights-out", "board": "square 2x2", "lit": "all"}).family
        == "lights-out"
    )


def test_two_packages_with_one_family(plugins: Path) -> None:
    installed(plugins, COINS)
    installed(plugins, COINS, package="more-coins", module="coins2")
    with pytest.raises(
        InputError,
        match="'coins' is in the packages coin-puzzles and more-coins; uninstall all but one",
    ):
        instance.family("coins")


def test_families_of_jigsat_cannot_be_replaced_by_packages(plugins: Path) -> None:
    ours = instance.family("sudoku")
    installed(plugins, COINS.replace('"coins"', '"sudoku"'))
    entries = plugins / "coin-puzzles-1.dist-info" / "entry_points.txt"
    entries.write_text(entries.read_text().replace("coins =", "sudoku ="))
    assert instance.family("sudoku") is ours


def test_instances_of_a_package(plugins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(plugins, COINS)
    examples(plugins, "cube", "three-coins")
    assert jigsat.load("cube").family == "interlocking", "our instance takes precedence"
    assert "coins" not in sys.modules, "for an instance of ours no other package is imported"
    found = [path.stem for path in instance.instances()]
    assert found == [*instance.shipped_files(), "three-coins"]
    listed = command(capsys, "list", "--json")
    assert '"three-coins"' in listed.out and listed.err == ""
    counted = command(capsys, "count", "three-coins")
    assert counted.status == 0 and "8 solutions" in counted.out + counted.err


def test_a_package_without_its_instances(plugins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(plugins, COINS)
    listed = command(capsys, "list")
    assert listed.status == 0
    assert (
        listed.err
        == "jigsat: instances of the family 'coins': No module named 'coins.examples'; skipped\n"
    )


def test_our_families_load_no_foreign_ones(plugins: Path) -> None:
    installed(plugins, "raise SystemExit('imported')")
    code = "import jigsat; print(jigsat.load('cube').name)"
    environment = {"PYTHONPATH": str(plugins)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.stderr) == ("cube\n", "")


def test_a_limit_exceeded_during_the_import_of_a_family_is_not_its_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow(EntryPoint):
        def load(self) -> None:
            raise Stopped("timeout")

    monkeypatch.setattr(
        registry,
        "_installed_entry_points",
        lambda: {"slow": [Slow("slow", "slow", registry.GROUP)]},
    )
    with pytest.raises(Stopped, match="timeout"):
        registry.family("slow")


def test_a_package_that_is_installed_or_removed_meanwhile_is_noticed(plugins: Path) -> None:
    assert "coins" not in instance.families()
    installed(plugins, COINS)
    assert "coins" in instance.families()
    (about,) = plugins.glob("*.dist-info")
    shutil.rmtree(about)
    assert "coins" not in instance.families()
