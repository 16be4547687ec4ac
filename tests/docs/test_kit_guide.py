"""The family of the kit in the guide: it is the one that comes with jigsat, and works as printed."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
from docs.test_docs import ROOT, saved
from support.inside import jigsat as command

from jigsat.instance import registry
from jigsat.testing import check_family

PAGE = ROOT / "docs" / "writing-a-family.md"


def test_the_family_is_the_shipped_one() -> None:
    printed = saved(PAGE)["slitherlink.py"]
    printed = printed.replace("import jigsat\n", "").replace("@jigsat.register\n", "")
    printed = printed.partition("\n\nif __name__")[0]
    shipped = (ROOT / "encodings" / "slitherlink.py").read_text(encoding="utf-8")
    assert shipped.partition("\n\n")[2].rstrip() == printed.rstrip()


def test_the_family_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in saved(PAGE).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.syspath_prepend(tmp_path)
    import_module("slitherlink")
    try:
        check_family("threes.toml")
        assert "2 solutions" in command(capsys, "solve", "threes.toml").out
    finally:
        del sys.modules["slitherlink"]
