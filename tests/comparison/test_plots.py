"""Cactus and scatter plots."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pytest
from support.comparing import LIMIT, make_run

from jigsat.comparison.log import Conditions, Results
from jigsat.comparison.matrix import Combination, Run


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_plots_are_drawn(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    done = [
        Run(Combination(instance, backend, ""), status, seconds=seconds)
        for backend, status in (("a", "complete"), ("b", "complete"), ("c", "timeout"))
        for instance, seconds in (("x", 0.5), ("y", 2.0))
    ]
    conditions = Conditions(timeout=10.0, memory=1, machine="a machine")
    draw(tmp_path / "plots", Results(done, conditions))
    written = [*(tmp_path / "plots").iterdir()]
    assert sorted(path.name for path in written) == [
        "cactus.png",
        "cactus.svg",
        "scatter.png",
        "scatter.svg",
    ]
    for path in written:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
        assert b"a machine" in path.read_bytes()


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_the_legend_has_the_order_of_the_scores(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    times = {"slow": 3.0, "fast": 1.0, "middle": 2.0}
    runs = [make_run(x, name, times[name]) for name in times for x in "xy"]
    draw(tmp_path, Results(runs, LIMIT))
    legend = re.findall("<!-- (.*): 2 of 2 -->", (tmp_path / "cactus.svg").read_text())
    assert legend == ["fast", "middle", "slow", "virtual best"]


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_encodings_are_drawn_against_each_other(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    choices = [("a", "", "old"), ("a", "", "new"), ("b", "", "old"), ("b", "", "new"), ("c",)]
    done = [
        Run(Combination(instance, *choice), "complete", seconds=seconds)
        for seconds, choice in enumerate(choices, 1)
        for instance in "xy"
    ]
    draw(tmp_path, Results(done, LIMIT))
    words = re.findall("<!-- (.*) -->", (tmp_path / "encodings.svg").read_text())
    assert [word for word in words if word[:1] in "abc"] == ["a old", "a new", "b old", "b new"]
    one = [run for run in done if run.combination.encoding != "new"]
    draw(tmp_path / "one", Results(one, LIMIT))
    names = {path.stem for path in (tmp_path / "one").iterdir()}
    assert names == {"cactus", "scatter"}


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_names_of_points_do_not_cover_each_other() -> None:
    from jigsat.comparison.plots import Panel, scatter

    times = {"first": 0.100, "second": 0.101, "third": 0.099, "fourth": 0.1, "far": 5.0}
    slower = {name: 2 * seconds for name, seconds in times.items()}
    figure = scatter([Panel("a", times, "b", slower)], 10, "")
    figure.draw_without_rendering()
    (axes,) = figure.axes
    names = {text.get_text() for text in axes.texts}
    assert {"far", "second"} <= names
    boxes = [text.get_window_extent() for text in axes.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_curves_are_over_the_same_instances(tmp_path: Path) -> None:
    """The slow instance is missing from one choice, whose curve would look better."""
    from jigsat.comparison.plots import draw

    runs = [make_run(name, "a", 1.0) for name in "xyz"] + [
        make_run(name, "b", 2.0) for name in "xy"
    ]
    draw(tmp_path, Results(runs, LIMIT))
    words = re.findall("<!-- (.*) -->", (tmp_path / "cactus.svg").read_text())
    assert {"a: 2 of 2", "b: 2 of 2", "virtual best: 2 of 2"} <= {*words}
    assert "1 instance left out that some choices lack" in words
    apart = [make_run("x", "a", 1.0), make_run("y", "b", 2.0)]
    draw(tmp_path, Results(apart, LIMIT))
    words = re.findall("<!-- (.*) -->", (tmp_path / "cactus.svg").read_text())
    assert "The choices were run on different instances, so" in words


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_scatter_plots_are_squares_and_their_names_are_inside() -> None:
    """One choice is much slower than the other, and the names are long."""
    from jigsat.comparison.plots import Panel, scatter

    name = "framed-9-10-1-of-a-long-name"
    fast, slow = {name: 0.21, "b": 0.3}, {name: 0.8, "b": 0.85}
    figure = scatter([Panel("fast", fast, "slow", slow), Panel("slow", slow, "fast", fast)], 9, "")
    figure.draw_without_rendering()
    for axes in figure.axes:
        box = axes.get_window_extent()
        assert box.width == pytest.approx(box.height, rel=0.01)
        assert axes.get_xlim() == axes.get_ylim() == (0.1, 1)
        texts = [text for text in axes.texts if text.get_text()]
        assert len(texts) == 2
        assert all(box.contains(*text.get_window_extent().min) for text in texts)
        assert all(box.contains(*text.get_window_extent().max) for text in texts)
        labels = {
            label.get_position()[0]: label.get_text()
            for label in axes.get_xticklabels(which="both")
        }
        shown = [text for place, text in labels.items() if 0.1 <= place <= 1]
        assert sorted(filter(None, shown)) == ["0.1", "1"]
