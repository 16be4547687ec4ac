"""The page in a real browser, opened with each of its two engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.browser import SITE, STATIC, hosted, opened
from support.pages import TIMEOUT, Open
from support.serving import served

ENGINES = ["server", pytest.param("worker", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with opened() as browser:
        yield browser


@pytest.fixture(scope="module", params=ENGINES)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "server":
        pytest.importorskip("starlette")
        pytest.importorskip("uvicorn")
        with served(STATIC) as server:
            yield f"http://{server.host}/secret/"
    else:
        if not (SITE / "python.zip").exists():
            pytest.skip("the static page is not built; build it with: make page")
        with hosted(SITE) as host:
            yield f"{host}/"


@pytest.fixture
def server_only(address: str) -> None:
    """Skip the test on a static page, whose requests cannot be held back or refused."""
    if "secret" not in address:
        pytest.skip("a static page has no server")


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Open]:
    contexts, errors = [], []

    def open_at(fragment: str = "", **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + fragment)
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert errors == []
