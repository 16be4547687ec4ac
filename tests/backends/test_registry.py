"""Finding backends: modules that cannot be imported harm no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat import InputError, backends
from jigsat.backends import find, open_backend
from jigsat.confirmation import confirm

BROKEN = {
    "an_import": "import a_library_that_nobody_has",
    "an_error": "1 / 0",
    "an_exit": "raise SystemExit(5)",
    "a_mistake": "def specs(:",
    "a_failure": "def specs():\n    yield 1 / 0",
}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules that cannot be imported, beside those of jigsat; of one there is only a link to a
    removed file."""
    for name, text in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "a_link.py").symlink_to(tmp_path / "removed.py")
    monkeypatch.setattr(backends, "__path__", [*backends.__path__, str(tmp_path)])
    yield


@pytest.mark.usefixtures("broken")
def test_modules_that_cannot_be_imported_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (*BROKEN, "a_link"):
        reason = confirm(find(name)).faults[0]
        assert reason.startswith(f"absent; {name}.py cannot be imported (")
        with pytest.raises(
            InputError,
            match=rf"the backend {name} cannot be used: {name}\.py cannot be imported \(",
        ):
            open_backend(name)
    assert "No module named 'a_library_that_nobody_has'" in confirm(find("an_import")).faults[0]


@pytest.mark.usefixtures("broken")
def test_modules_that_cannot_be_imported_harm_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"cadical195", "z3", "scan", *BROKEN} <= {spec.name for spec in backends.specs()}
    assert jigsat.count("cats", backend="z3").solutions == 4
    done = command(capsys, "count", "cats", "--backend", "z3", "--json")
    assert json.loads(done.out)["solutions"] == 4
    assert command(capsys, "count", "cats", "--backend", "an_import").status == 2


OTHER = """
from jigsat.backends import Spec
from jigsat.backends.pysat import PySat

def specs():
    yield Spec("other-solver", "python-sat", "pip install python-sat", lambda: PySat("minisat22"))
"""


def test_another_package_offers_backends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_solver.py").write_text(OTHER)
    about = tmp_path / "other_solver-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-solver\nVersion: 1\n")
    entries = (
        "other-solver = other_solver:specs\nbroken = other_solver:nothing\nwrong = "
        "builtins:list\nno = builtins:dir\n"
    )
    (about / "entry_points.txt").write_text(f"[jigsat.backends]\n{entries}")
    monkeypatch.syspath_prepend(tmp_path)
    assert jigsat.count("cats", backend="other-solver").solutions == 4
    assert confirm(find("other-solver")).faults == []
    for name, fault in (
        ("broken", "has no attribute 'nothing'"),
        ("no", "expected jigsat.backends.Spec, got"),
    ):
        reason = confirm(find(name)).faults[0]
        assert (
            reason.startswith("absent; the package other-solver offers no backends (")
            and fault in reason
        )


def test_a_backend_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.backends.registry._registered", {})
    backends.register(replace(find("minisat22"), name="mine"))
    assert jigsat.count("cats", backend="mine").solutions == 4
    backends.register(replace(find("glucose42"), name="mine"))
    with pytest.raises(ValueError, match="there is a backend z3 already"):
        backends.register(replace(find("minisat22"), name="z3"))
