"""Plots of a comparison, drawn by matplotlib (`pip install 'jigsat[plots]'`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jigsat.analysis.comparison.matrix import Run
from jigsat.errors import unwritable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7500")
"""Eight colours that are safe for colour-blind readers (Okabe and Ito). Each comes with each of the seven markers."""
MARKERS = "osD^vPX"
MIN_SHOWN_S = 1e-3  # times shorter than this, in seconds, are drawn as this time
MAX_NAMED_INSTANCES = 8  # maximum number of instances that the scatter plots name
MAX_COLUMNS = 3  # maximum number of scatter plots side by side


def draw(folder: Path, done: Sequence[Run], timeout: float) -> None:
    """Write the cactus plot and the scatter plot, as SVG and as PNG. Raises InputError or Stopped if they cannot be written."""
    if not _times(done):
        return
    for name, figure in (("cactus", cactus(done, timeout)), ("scatter", scatter(done, timeout))):
        for suffix in ("svg", "png"):
            path = folder / f"{name}.{suffix}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                figure.savefig(path, dpi=160)
            except OSError as error:
                raise unwritable(path, error) from error


def cactus(done: Sequence[Run], timeout: float) -> Figure:
    """The sorted times of each choice: point n is its n-th fastest instance. Further right and further down is better."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7.2, 4.8), layout="constrained")
    axes = figure.add_subplot()
    _style_axes(axes)
    by_label = _times(done)
    for index, (label, times) in enumerate(by_label.items()):
        completed = sorted(seconds for seconds in times.values() if seconds is not None)
        legend = f"{label}: {len(completed)} of {len(times)}"
        axes.plot(range(1, len(completed) + 1), completed, label=legend, **_style(index), linewidth=1.2)
    axes.set_xlim(0.5, max(map(len, by_label.values())) + 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("instances, fastest first")
    axes.set_ylabel("seconds for all solutions")
    axes.set_yscale("log")
    _plain_numbers(axes.yaxis)
    if any(seconds is None for times in by_label.values() for seconds in times.values()):
        axes.axhline(timeout, color="grey", linestyle=":", linewidth=1)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return figure


def scatter(done: Sequence[Run], timeout: float) -> Figure:
    """A panel for each choice against the first: below the diagonal it is faster, on a dotted line there is no answer."""
    from matplotlib.figure import Figure

    (first, base), *others = _times(done).items()
    xs = {name: timeout if seconds is None else seconds for name, seconds in base.items()}
    columns = min(MAX_COLUMNS, max(1, len(others)))
    rows = -(-len(others) // columns) or 1
    figure = Figure(figsize=(0.6 + 3.4 * columns, 0.6 + 3.4 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat
    seconds = [timeout if each is None else each for times in (base, *dict(others).values()) for each in times.values()]
    low, high = min(seconds) / 1.5, max(seconds) * 1.5
    for index, axes in enumerate(panels):
        if index >= len(others):
            axes.set_visible(False)
            continue
        label, times = others[index]
        points = {name: timeout if seconds is None else seconds for name, seconds in times.items() if name in xs}
        _style_axes(axes)
        axes.plot([xs[name] for name in points], list(points.values()), **_style(index + 1) | {"linestyle": ""})
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal", title=label)
        _plain_numbers(axes.xaxis)
        _plain_numbers(axes.yaxis)
        axes.plot([low, high], [low, high], color="grey", linewidth=1, zorder=0)
        for line in (axes.axhline, axes.axvline) if timeout in seconds else ():
            line(timeout, color="grey", linestyle=":", linewidth=1)
        for name, y in points.items() if len(xs) <= MAX_NAMED_INSTANCES else ():
            axes.annotate(name, (xs[name], y), xytext=(5, -3), textcoords="offset points", fontsize=7)
    figure.supxlabel(f"seconds for all solutions, {first}", fontsize=10)
    figure.supylabel("seconds for all solutions", fontsize=10)
    return figure


def _plain_numbers(axis: Axis) -> None:
    """Label a logarithmic axis with 0.1, 1, 10, … and with 2 and 5 between them if it is short."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.axes.autoscale_view()
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _style_axes(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)


def _style(index: int) -> dict[str, Any]:
    return {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)], "markersize": 6}


def _times(done: Sequence[Run]) -> dict[str, dict[str, float | None]]:
    """The seconds of each run, by label and instance; None if it was not completed."""
    times: dict[str, dict[str, float | None]] = {}
    for run in filter(lambda run: run.installed, done):
        seconds = max(run.seconds, MIN_SHOWN_S) if run.complete else None
        times.setdefault(run.combination.label, {})[run.combination.instance] = seconds
    return times
