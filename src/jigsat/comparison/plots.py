"""Plots of a comparison, drawn by matplotlib (`pip install 'jigsat[plots]'`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jigsat.comparison.matrix import Run
from jigsat.errors import unwritable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = "seaborn-v0_8-colorblind"  # six colours; each comes with each of the markers
MARKERS = "osD^vPX"
MIN_SHOWN_S = 1e-3  # times shorter than this, in seconds, are drawn as this time
MAX_NAMED_INSTANCES = 8  # maximum number of instances that the scatter plots name
MAX_COLUMNS = 3  # maximum number of scatter plots side by side


def draw(folder: Path, done: Sequence[Run], timeout: float) -> None:
    """Write the cactus plot and the scatter plot, as SVG and as PNG. Raises InputError or Stopped
    if they cannot be written."""
    from matplotlib import style

    times: dict[
        str, dict[str, float]
    ] = {}  # by label and instance; `timeout` for a run that was not completed
    for run in filter(lambda run: run.installed, done):
        seconds = max(run.seconds, MIN_SHOWN_S) if run.complete else timeout
        times.setdefault(run.combination.label, {})[run.combination.instance] = seconds
    if not times:
        return
    with style.context(STYLE):
        figures = {"cactus": cactus(times, timeout), "scatter": scatter(times, timeout)}
    for name, figure in figures.items():
        for suffix in ("svg", "png"):
            path = folder / f"{name}.{suffix}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                figure.savefig(path, dpi=160)
            except OSError as error:
                raise unwritable(path, error) from error


def cactus(times: dict[str, dict[str, float]], timeout: float) -> Figure:
    """The sorted times of each choice: point n is its n-th fastest instance. Further right and
    further down is better."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.8), layout="constrained")
    axes = figure.add_subplot(
        xlabel="instances, fastest first", ylabel="seconds for all solutions", yscale="log"
    )
    for index, (label, own) in enumerate(times.items()):
        completed = sorted(seconds for seconds in own.values() if seconds < timeout)
        legend = f"{label}: {len(completed)} of {len(own)}"
        axes.plot(
            range(1, len(completed) + 1),
            completed,
            label=legend,
            marker=MARKERS[index % len(MARKERS)],
        )
    axes.locator_params(axis="x", integer=True)
    axes.yaxis.set_major_formatter("{x:g}")
    if any(timeout in own.values() for own in times.values()):
        axes.axhline(timeout, color="grey", linestyle=":")
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def scatter(times: dict[str, dict[str, float]], timeout: float) -> Figure:
    """A panel for each choice against the first: below the diagonal it is faster, on a dotted line
    there is no answer."""
    from matplotlib.figure import Figure

    (first, xs), *others = times.items()
    columns = min(MAX_COLUMNS, max(1, len(others)))
    rows = -(-len(others) // columns) or 1
    figure = Figure(figsize=(0.6 + 3.4 * columns, 0.6 + 3.4 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat
    for axes in panels[len(others) :]:
        axes.set_visible(False)
    for axes, (label, own) in zip(panels, others, strict=False):
        axes.set(xscale="log", yscale="log", aspect="equal", title=label)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.scatter(
            [xs[name] for name in own if name in xs],
            [seconds for name, seconds in own.items() if name in xs],
        )
        for name in own.keys() & xs.keys() if len(own) <= MAX_NAMED_INSTANCES else ():
            axes.annotate(
                name, (xs[name], own[name]), xytext=(5, -3), textcoords="offset points", fontsize=7
            )
        axes.axline((timeout, timeout), (timeout / 2, timeout / 2), color="grey", zorder=0)
        if any(timeout in choice.values() for choice in times.values()):
            axes.axhline(timeout, color="grey", linestyle=":")
            axes.axvline(timeout, color="grey", linestyle=":")
    figure.supxlabel(f"seconds for all solutions, {first}")
    figure.supylabel("seconds for all solutions")
    return figure
