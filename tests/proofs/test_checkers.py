"""The checkers of DRAT proofs, and what happens without one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

import pytest
from support.certificates import check

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.proofs import drat


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str, str], tuple[Path, Path]]:
    def write(cnf: str, steps: str) -> tuple[Path, Path]:
        (tmp_path / "cnf").write_text(cnf)
        (tmp_path / "drat").write_text(steps)
        return tmp_path / "cnf", tmp_path / "drat"

    return write


Verify = Callable[[Path, Path], str]


@pytest.fixture(params=["compiled", "python", "drat-trim"])
def verify(request: pytest.FixtureRequest) -> Verify:
    """Each available checker."""
    if request.param == "drat-trim":
        if not (program := shutil.which("drat-trim")):
            pytest.skip(
                "drat-trim is absent; build it from https://github.com/marijnheule/drat-trim"
            )
        return lambda cnf, steps: drat._by_drat_trim(program, cnf, steps)
    if request.param == "compiled" and not drat._has_compiled_core():
        pytest.skip("dratify's compiled core is absent; pip install cdclkit-native")
    return lambda cnf, steps: drat._by_dratify(cnf, steps, compiled=request.param == "compiled")


def test_checkers_accept_valid_proofs(
    verify: Verify, files: Callable[[str, str], tuple[Path, Path]]
) -> None:
    verify(*files("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n", "1 0\nd 1 2 0\n0\n"))
    verify(*files("p cnf 1 2\n1 0\n-1 0\n", "0\n"))
    # 3 is new
    by_rat = (
        "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
        "3 -1 0\n3 0\n-3 1 0\n1 0\n0\n",
    )
    verify(*files(*by_rat))


@pytest.mark.parametrize(
    ("cnf", "steps"),
    [
        (
            "p cnf 2 2\n-2 0\n1 2 0\n",
            "d 1 2 0\n-1 0\n0\n",
        ),  # dratify accepts this if asked for DRAT
        ("p cnf 2 2\n-2 0\n1 2 0\n", "-1 0\n0\n"),
        ("p cnf 2 3\n1 2 0\n1 -2 0\n-1 2 0\n", "1 0\n0\n"),
        ("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n", "0\n"),
        ("p cnf 1 1\n1 0\n", ""),
    ],
)
def test_checkers_refuse_invalid_proofs(
    cnf: str, steps: str, verify: Verify, files: Callable[[str, str], tuple[Path, Path]]
) -> None:
    with pytest.raises(CheckError):
        verify(*files(cnf, steps))


def test_unexpected_output_of_drat_trim_is_not_accepted(
    tmp_path: Path, files: Callable[[str, str], tuple[Path, Path]]
) -> None:
    program = tmp_path / "drat-trim"
    for body, expected in {
        "echo 's VERIFIED'": None,
        "echo 's NOT VERIFIED'; exit 1": CheckError,
        "echo 's VERIFIED'; exit 1": Stopped,
        "echo 'c s VERIFIED'": Stopped,
        "kill -9 $$": Stopped,
    }.items():
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        if expected is None:
            assert drat._by_drat_trim(str(program), *files("", "")) == "drat-trim"
        else:
            with pytest.raises(expected):
                drat._by_drat_trim(str(program), *files("", ""))


def test_without_a_checker_nothing_is_verified(
    proved: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dratify", None)
    monkeypatch.setenv("PATH", "")
    verified = []
    with pytest.raises(InputError, match=r"not verified: .*pip install dratify"):
        verified.extend(check(proved("four")))
    assert not any(line.startswith("verified") for line in verified)


def test_a_checker_is_installed_with_jigsat() -> None:
    needed = [
        requirement for requirement in requires("jigsat") or [] if "extra ==" not in requirement
    ]
    assert any(requirement.startswith("dratify") for requirement in needed)
