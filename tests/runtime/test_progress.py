"""The fraction of a search that is done, measured while a solver is busy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from jigsat.answering.enumeration import Enumeration
from jigsat.backends.engine import is_compiled
from jigsat.cli.solve import progress_line
from jigsat.runtime import child
from jigsat.runtime.child import Child, Progress


def test_a_child_shares_its_fraction_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MEASURING_INTERVAL_S", 0.001)
    shared = Progress()
    assert shared.fraction is None

    def work() -> Iterator[str]:
        yield "begun"
        while shared.fraction is None:
            pass
        yield "measured"

    assert list(Child(lambda: shared.during(work(), lambda: 0.5))) == ["begun", "measured"]
    assert shared.fraction == 0.5


@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
def test_the_fraction_of_a_search_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured at each solution, however long that takes."""

    def measure_often(
        shared: Progress, items: Iterable[object], measure: Callable[[], float]
    ) -> Iterator[object]:
        for item in items:
            shared.set(measure())
            yield item

    monkeypatch.setattr(Progress, "during", measure_often)
    search = Enumeration("soma", backend="cover", isolated=True)
    fractions = [search.progress or 0.0 for _ in search]
    assert search.result.solutions == 11520
    assert fractions == sorted(fractions)
    assert 0 < fractions[-1] <= 1


@pytest.mark.parametrize(
    "options", [{"isolated": True, "backend": "cadical195"}, {"backend": "cover"}], ids=str
)
def test_an_unknown_fraction(options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MEASURING_INTERVAL_S", 0.001)
    search = Enumeration("cats", **options)  # type: ignore[call-overload]
    assert [search.progress for _ in search] == [None]


def test_the_line_never_says_that_all_is_done() -> None:
    assert progress_line(0, 3.0, None) == "0 distinct found, 0 per second, 3 s"
    assert progress_line(9, 10.0, 1.0).endswith("; 99 % done, about 0 s left")
    assert progress_line(9, 10.0, 0.0004).endswith("; less than 1 % done, about 6.9 h left")
    assert progress_line(9, 10.0, 1e-12).endswith("; less than 1 % done, about 316,881 years left")
