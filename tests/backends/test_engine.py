"""The Python interface of the compiled searches: odd arguments, threads, interrupts. `make
sanitize` tests the C code."""

from __future__ import annotations

import _thread
import gc
import random
import signal
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, product
from typing import Any

import pytest
from support.inside import jigsat
from support.quick import cases
from support.stages import changed

from jigsat import backends
from jigsat.backends import DEFAULT, cover
from jigsat.backends.engine import numbers_of
from jigsat.errors import EngineWarning, InputError
from jigsat.instance import load
from jigsat.runtime.child import apart
from jigsat.search import portfolio
from jigsat.search.portfolio import explain_plan

engine: Any = pytest.importorskip(
    "jigsat.backends.engine._engine", reason="jigsat was installed without a C compiler"
)


@pytest.mark.parametrize(
    ("items", "implied", "limits", "error", "message"),
    [
        ([[1]], [[1]], [], ValueError, "1 in row 0 is not within 0 .. 0"),
        ([[-1]], [[1]], [], ValueError, "-1 in row 0"),
        ([[0]], [[2**40]], [], ValueError, "in row 0 is not within"),
        ([[0]], [[-(2**200)]], [], ValueError, "in row 0 is not within"),
        ([[0]], [[0]], [], ValueError, "0 is not a literal"),
        ([[0], [0]], [[1]], [[1]], ValueError, "pair"),
        ([[0], [0]], [[1]], [[0, 2**31]], ValueError, "in row 0 is not within"),
        ([], [[1]], [[0, 1]], ValueError, "one of the last items"),
        ([[0, 0]], [[1]], [], ValueError, "ascending"),
        (5, [], [], TypeError, "int"),
        ("none", [], [], TypeError, "str"),
        ([], [], None, TypeError, "NoneType"),
        ([[0]], [["1"]], [], TypeError, "str"),
        ([[0.5]], [[1]], [], TypeError, "float"),
    ],
)
def test_the_search_refuses_invalid_arguments(
    items: Any, implied: Any, limits: Any, error: Any, message: str
) -> None:
    with pytest.raises(error, match=message):
        engine.Cover(items, implied, limits)


def test_a_list_may_change_while_its_numbers_are_read() -> None:
    class Growing:
        """An option that makes the lists that contain it grow and shrink."""

        def __index__(self) -> int:
            row.extend(range(1000))
            items.extend([] for _ in range(1000))
            implied.clear()
            return 1

    row: list[Any] = [0, Growing()]
    items: list[Any] = [row]
    implied = [[1], [2]]
    assert set(engine.Cover(items, implied, [])) == {(0,), (1,)}
    assert len(row) > 1000


def test_a_number_may_raise_while_it_is_read() -> None:
    class Failing:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.Cover([[Failing()]], [[1]], [])


def _changing(kind: str) -> None:
    """Make searches from numbers that another thread changes all the time."""
    formula = load("cats").encode()
    right = numbers_of(formula), array("i", formula.decisions())
    changing, over = [array("i", numbers) for numbers in right], threading.Event()

    def change() -> None:
        rng = random.Random(1)
        while not over.is_set():
            for mine, numbers in zip(changing, right, strict=True):
                at = rng.randrange(len(mine))
                mine[at] = rng.choice([0, -1, 2**31 - 1, -(2**31), 5])
                mine[at] = numbers[at]

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(cases(3000)):
        with suppress(ValueError, OverflowError, MemoryError):
            getattr(engine, kind)(formula.top, *changing).step(1000)
    over.set()
    thread.join()


@pytest.mark.parametrize("kind", ["Scan", "Dive"])
def test_numbers_may_be_changed_by_another_thread_while_they_are_read(kind: str) -> None:
    apart(_changing, kind)


def test_a_rank_is_a_number() -> None:
    class Odd:
        def to_bytes(self, *_: object) -> bytes:
            return b""

    search = engine.Count([[0, 1]], [[], []], [], 2**20)
    assert search.step(1000)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        search.solution(Odd())
    assert {search.solution(rank) for rank in (0, True)} == {(0,), (1,)}


def _without_end() -> Any:
    """21 pigeons in 20 holes: a search that takes practically forever."""
    pigeons, holes = range(21), range(20)
    items = [[pigeon * 20 + hole for hole in holes] for pigeon in pigeons]
    limits = [[0, 1] for _ in holes]
    bounds = [[pigeon * 20 + hole for pigeon in pigeons] for hole in holes]
    return engine.Cover([*items, *bounds], [[] for _ in range(420)], limits)


def test_batches_are_the_covers_in_their_order() -> None:
    squares = [[row * 4 + column for column in range(4)] for row in range(4)]
    items = [*squares, *map(list, zip(*squares, strict=True))]
    expected = list(engine.Cover(items, [[] for _ in range(16)], []))
    for most in (1, 5, 24, 100):
        search = engine.Cover(items, [[] for _ in range(16)], [])
        found = list(iter(lambda: search.batch(most), []))  # noqa: B023
        assert [cover for batch in found for cover in batch] == expected
        assert max(map(len, found)) == min(most, 24)
        assert search.batch(most) == []


@pytest.mark.parametrize(
    ("chosen", "error", "message"),
    [
        ([16], ValueError, "16 in row 0"),
        ([-1], ValueError, "-1 in row 0"),
        ([1, 0], ValueError, "ascending"),
        (0, TypeError, "int"),
    ],
)
def test_a_search_is_not_restarted_with_invalid_options(
    chosen: Any, error: Any, message: str
) -> None:
    search = engine.Cover(
        [[i * 4 + j for j in range(4)] for i in range(4)], [[] for _ in range(16)], []
    )
    first = next(search)
    with pytest.raises(error, match=message):
        search.restart(chosen)
    assert len({first, *search}) == 256, "the search goes on"


def test_other_threads_run_during_the_search_but_cannot_use_it() -> None:
    search = _without_end()
    errors: list[Exception] = []

    def disturb() -> None:
        while search.nodes < 10_000:
            time.sleep(0.001)
        try:
            next(search)
        except RuntimeError as error:
            errors.append(error)
        _thread.interrupt_main()

    thread = threading.Thread(target=disturb)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        next(search)
    thread.join()
    assert "already running" in str(errors)


def _queens(number: int) -> Any:
    squares = list(product(range(number), repeat=2))
    lines: list[Callable[[int, int], int]] = [
        lambda r, c: r,
        lambda r, c: c,
        lambda r, c: r + c,
        lambda r, c: r - c,
    ]
    rows, columns, *diagonals = (
        [[i for i, s in enumerate(squares) if line(*s) == at] for at in range(-number, 2 * number)]
        for line in lines
    )
    items = [item for item in rows + columns if item]
    bounds = [bound for bound in chain(*diagonals) if bound]
    return engine.Cover(items + bounds, [[] for _ in squares], [[0, 1]] * len(bounds))


def test_an_interrupted_search_can_be_continued() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    found: list[tuple[int, ...]] = []  # extending a list does not check for signals by itself
    before = signal.signal(signal.SIGALRM, interrupt)
    gc.disable()  # exceptions raised in a callback of the collector (hypothesis has one) are lost
    try:
        search = _queens(11)
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.005)
            found.extend(search)
    finally:
        gc.enable()
        signal.signal(signal.SIGALRM, before)
    found.extend(search)
    assert len(found) == len(set(found)) == 2680


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (portfolio, cover):
        monkeypatch.setattr(module, "is_compiled", lambda: False)


def test_a_run_that_would_use_the_engine_says_that_it_is_absent(
    without_engine: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "STAGES", changed({DEFAULT: {"models": 1}}))
    done = jigsat(capfd, "count", "black-and-white")
    assert (done.status, "1 solution" in done.out, "cadical195" in done.out) == (0, True, True)
    (line,) = done.err.splitlines()
    assert line.startswith(
        "jigsat: the compiled engine fits this puzzle but was not built, so cadical195 takes its "
        "place; install"
    )


def test_other_runs_do_not_mention_the_engine(
    without_engine: None, capfd: pytest.CaptureFixture[str]
) -> None:
    assert jigsat(capfd, "count", "lights-5x5").err == ""
    assert jigsat(capfd, "count", "cube").err == ""
    assert jigsat(capfd, "count", "cube", "--backend", "cadical195").err == ""


def test_an_absent_engine_cannot_be_opened(without_engine: None) -> None:
    with pytest.raises(InputError, match="install a C compiler"):
        backends.open_backend("cover")
    with pytest.warns(EngineWarning):
        assert explain_plan(load("cube").encode()) == "cadical195"
