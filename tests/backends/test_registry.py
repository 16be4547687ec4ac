"""Finding backends: modules that cannot be imported harm no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat import InputError, backends
from jigsat.backends import confirm, find, open_backend

BROKEN = {
    "an_import": "import a_library_that_nobody_has",
    "an_error": "1 / 0",
    "an_exit": "raise SystemExit(5)",
    "a_mistake": "def specs(:",
    "a_failure": "def specs():\n    yield 1 / 0",
}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules that cannot be imported, beside those of jigsat; of one there is only a link to a removed file."""
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
        with pytest.raises(InputError, match=rf"the backend {name} cannot be used: {name}\.py cannot be imported \("):
            open_backend(name)
    assert "No module named 'a_library_that_nobody_has'" in confirm(find("an_import")).faults[0]


@pytest.mark.usefixtures("broken")
def test_modules_that_cannot_be_imported_harm_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"cadical195", "z3", "scan", *BROKEN} <= {spec.name for spec in backends.specs()}
    assert jigsat.count("cats", backend="z3").solutions == 4
    done = command(capsys, "count", "cats", "--backend", "z3", "--json")
    assert json.loads(done.out)["solutions"] == 4
    assert command(capsys, "count", "cats", "--backend", "an_import").status == 2
