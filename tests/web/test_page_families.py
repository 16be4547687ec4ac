"""A family from outside on the page: in a script of its own, edited by its schema, played and
solved."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import stones
from support.browser import opened
from support.pages import TIMEOUT, solved, turn_to, until

STONES = Path(stones.__file__)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    pytest.importorskip("uvicorn")
    command = [sys.executable, STONES, "serve", "--port", "0"]
    with (
        opened() as browser,
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None
        (address,) = re.findall(r"http://\S+", server.stdout.readline())
        page = browser.new_page()
        page.set_default_timeout(TIMEOUT)
        page.goto(f"{address}#new")
        yield page
        server.terminate()


def test_a_family_from_outside_is_edited_by_its_schema(page: Any) -> None:
    page.click("[data-family=sun-moon]")
    page.wait_for_selector("[aria-label=size]")
    page.fill("[aria-label=size]", "4")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#toml').value.includes('size = 4')")
    page.click("text=+ Add a blocked")
    page.wait_for_selector("[aria-label='blocked 1, 2']")
    page.fill("[aria-label='blocked 1, 2']", "7")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#entry-problem')?.textContent.includes('no cell [0, 7]')")
    page.fill("[aria-label='blocked 1, 2']", "0")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#toml').value.includes('blocked = [[0, 0]]')")
    turn_to(page, "solve")
    assert solved(page).startswith("18 solutions")
    turn_to(page, "edit")
    page.click("[aria-label='Remove blocked 1']")
    until(page, "!document.querySelector('#toml').value.includes('blocked')")
    turn_to(page, "solve")
    assert solved(page).startswith("24 solutions")
    turn_to(page, "play")
    page.wait_for_selector("#panel-play:not([data-idle])")
    played = (
        "(new URLSearchParams(location.hash.slice(1)).get('played') ?? "
        "'').split('.').filter(Boolean).length"
    )
    for cell in range(4):
        page.click(f"#board [data-place='[{cell},{cell}]']")
        until(page, f"{played} === {cell + 1}")
    until(
        page,
        "document.querySelector('#said').textContent === 'Solved! This is one of 24 solutions.'",
    )
