"""The command `serve` without its optional packages."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_links_lead_only_to_a_page_on_the_web() -> None:
    script = "from jigsat.cli import main; main()"
    command = [sys.executable, "-c", script, "serve", "--published", "ada.example"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert (
        ended.stderr
        == "jigsat: --published: 'ada.example' is no address of a page; it begins with https:// "
        "or http://\n"
    )


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_without_the_extra_one_line_says_what_to_install(package: str) -> None:
    script = f"import sys; sys.modules['{package}'] = None; from jigsat.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", script, "serve"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert (
        ended.stderr == f"jigsat: the page's server needs {package}; install it with: pip install "
        f"'jigsat[web]'\n"
    )
