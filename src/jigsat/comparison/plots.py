"""Plots of a comparison, drawn by matplotlib (`pip install 'jigsat[plots]'`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from jigsat.comparison.circumstances import find_circumstances
from jigsat.comparison.log import Conditions, Results
from jigsat.comparison.matrix import Run, count_sessions, label_choice
from jigsat.comparison.scores import (
    VIRTUAL_BEST,
    collect_scores,
    describe_missing,
    find_best,
    find_best_choice,
    group_by_encoding,
    par2,
)
from jigsat.errors import unwritable
from jigsat.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = "seaborn-v0_8-colorblind"  # six colours; each comes with each of the markers
MARKERS = "osD^vPX"
MIN_SHOWN_S = 1e-3  # times shorter than this, in seconds, are drawn as this time
MAX_NAMED_INSTANCES = 8  # maximum number of instances that the scatter plots name
AXIS = "seconds of processor time"
TITLE_SIZE = 9  # in points
TITLE_CHARACTERS = 50  # in a line of the title of the cactus plot, which has the legend beside it
NAME_SIZE = 7  # in points, of the names of instances
NAME_HEIGHT = 0.05  # of a name, as a fraction of a scatter plot
CHARACTER_WIDTH = 0.022  # of a character of it, likewise
POINT_SIZE = 0.04  # the diameter of a point, likewise
MARGIN = 1.1  # between the times and the edges of a scatter plot, as a factor
MAX_COLUMNS = 3  # maximum number of scatter plots side by side

Times: TypeAlias = dict[str, float]  # by instance; the limit where there is no answer


class Panel(NamedTuple):
    """One choice against another, with the names of both."""

    across: str
    xs: Times
    up: str
    ys: Times


def draw(folder: Path, results: Results) -> None:
    """Write the cactus plot and the scatter plots, as SVG and as PNG, with the conditions and the
    versions of the solvers as their description. If several encodings were run, one of the scatter
    plots compares them. Raises InputError or Stopped if they cannot be written."""
    from matplotlib import style

    done, conditions = results.runs, results.conditions
    timeout = conditions.timeout
    by_choice: dict[tuple[str, ...], Times] = {}
    for choice, scores in collect_scores(done, timeout).items():
        own = by_choice[choice] = {}
        for instance, seconds in scores.items():
            own[instance] = min(max(seconds, MIN_SHOWN_S), timeout)
    if not by_choice:
        return
    times = {label_choice(choice): own for choice, own in by_choice.items()}
    # The choices come in the order of the scores; without one, the best choice is the first.
    ranked = [label_choice(row.choice) for row in par2(done, timeout)]
    best = label_choice(find_best_choice(done, timeout))
    times = {name: times[name] for name in [best, *ranked] if name in times}
    with style.context(STYLE):
        title = describe_missing(done, results.planned)
        figures = {
            "cactus": cactus(times, timeout, title),
            "scatter": scatter(_pair_with_best(times), timeout, title),
        }
        if panels := _pair_encodings(by_choice):
            figures["encodings"] = scatter(panels, timeout, title)
    description = describe_runs(done, conditions)
    for name, figure in figures.items():
        for suffix in ("svg", "png"):
            path = folder / f"{name}.{suffix}"
            metadata = {"Title": f"jigsat compare: {name}", "Description": description}
            try:
                folder.mkdir(parents=True, exist_ok=True)
                figure.savefig(path, dpi=160, metadata=metadata)
            except OSError as error:
                raise unwritable(path, error) from error


def describe_runs(done: Sequence[Run], conditions: Conditions) -> str:
    """What the runs depend on, as JSON."""
    solvers = {}
    for run in done:
        if run.solver:
            solvers[run.combination.backend] = f"{run.solver} {run.options}".strip()
    formulas = {}
    for run in done:
        combination = run.combination
        name = [combination.instance, combination.encoding, combination.amo]
        formulas[" ".join(filter(None, name))] = run.formula
    circumstances = find_circumstances(done)
    about = {
        "conditions": conditions.json(),
        "circumstances": circumstances and circumstances.json(),
        "tasks": sorted({run.task for run in done}),
        "seeds": sorted({run.seed for run in done if run.seed is not None}),
        "sessions": count_sessions(done),
        "repeats": max((run.repeat for run in done), default=0),
        "date": max((run.date for run in done), default=""),
        "solvers": solvers,
        "formulas": formulas,
    }
    return json.dumps(about, ensure_ascii=False)


def cactus(times: dict[str, Times], timeout: float, title: str) -> Figure:
    """The sorted times of each choice: point n is its n-th fastest instance. Further right and
    further down is better. If the choices were run on different instances, only those that all have
    are drawn, because curves over different ones cannot be compared."""
    from matplotlib.figure import Figure

    times, note = _keep_common(times)
    title = ". ".join(filter(None, [title, note]))
    figure = Figure(figsize=(7.2, 4.8), layout="constrained")
    axes = figure.add_subplot(xlabel="instances, fastest first", ylabel=AXIS, yscale="log")
    for index, (label, own) in enumerate(times.items()):
        completed = sorted(seconds for seconds in own.values() if seconds < timeout)
        legend = f"{label}: {len(completed)} of {len(own)}"
        axes.plot(
            range(1, len(completed) + 1),
            completed,
            label=legend,
            marker=MARKERS[index % len(MARKERS)],
        )
    if len(times) > 1 and (best := find_best(times)):
        completed = sorted(seconds for seconds in best.values() if seconds < timeout)
        legend = f"{VIRTUAL_BEST}: {len(completed)} of {len(best)}"
        numbers = range(1, len(completed) + 1)
        axes.plot(numbers, completed, label=legend, color="black", linestyle="--")
    axes.locator_params(axis="x", integer=True)
    axes.set_title(fill(title, TITLE_CHARACTERS), fontsize=TITLE_SIZE)
    axes.yaxis.set_major_formatter("{x:g}")
    if any(timeout in own.values() for own in times.values()):
        axes.axhline(timeout, color="grey", linestyle=":")
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def _keep_common(times: dict[str, Times]) -> tuple[dict[str, Times], str]:
    """The times on the instances that all choices were run on, and a sentence if others are left
    out."""
    common = frozenset.intersection(*(frozenset(own) for own in times.values()))
    every = frozenset().union(*times.values())
    if common == every:
        return times, ""
    if not common:
        return times, "The choices were run on different instances, so the curves tell nothing"
    kept = {
        label: {name: seconds for name, seconds in own.items() if name in common}
        for label, own in times.items()
    }
    others = plural(len(every) - len(common), "instance")
    return kept, f"{others} left out that some choices lack"


def _pair_with_best(times: dict[str, Times]) -> list[Panel]:
    """Each choice against the first, which is the best, if they have a common instance."""
    (best, xs), *others = times.items()
    return [Panel(best, xs, label, ys) for label, ys in others if xs.keys() & ys.keys()]


def _pair_encodings(by_choice: dict[tuple[str, ...], Times]) -> list[Panel]:
    """For each backend, the other encodings against the first one."""
    panels = []
    for group, by_encoding in group_by_encoding(by_choice).items():
        (first, xs), *others = by_encoding.items()
        solver = label_choice(group)
        panels += [Panel(f"{solver} {first}", xs, f"{solver} {up}", ys) for up, ys in others]
    return panels


def scatter(panels: Sequence[Panel], timeout: float, title: str) -> Figure:
    """A panel for each pair of choices: below the diagonal the one on the vertical axis is faster,
    on a dotted line there is no answer."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    limits = _find_limits(panels, timeout)
    columns = min(MAX_COLUMNS, max(1, len(panels)))
    rows = -(-len(panels) // columns) or 1
    figure = Figure(figsize=(0.6 + 3.4 * columns, 0.6 + 3.4 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    parts = list(grid.flat)
    for axes in parts[len(panels) :]:
        axes.set_visible(False)
    for axes, (across, xs, up, own) in zip(parts, panels, strict=False):
        axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up, box_aspect=1)
        axes.set(xlim=limits, ylim=limits)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())  # the limits are powers of ten
        axes.tick_params(labelbottom=True, labelleft=True)  # also where no panel is below
        axes.scatter(
            [xs[name] for name in own if name in xs],
            [seconds for name, seconds in own.items() if name in xs],
        )
        axes.axline((timeout, timeout), (timeout / 2, timeout / 2), color="grey", zorder=0)
        if any(timeout in side.values() for panel in panels for side in (panel.xs, panel.ys)):
            axes.axhline(timeout, color="grey", linestyle=":")
            axes.axvline(timeout, color="grey", linestyle=":")
    for axes, panel in zip(parts, panels, strict=False):
        _name_points(axes, panel)
    figure.suptitle(title, fontsize=TITLE_SIZE)
    figure.supxlabel(AXIS)
    figure.supylabel(AXIS)
    return figure


def _find_limits(panels: Sequence[Panel], timeout: float) -> tuple[float, float]:
    """The powers of ten around all times: the same for both axes of all panels, so that these are
    squares and the diagonal goes from corner to corner."""
    times = [
        seconds for panel in panels for side in (panel.xs, panel.ys) for seconds in side.values()
    ] or [timeout]
    low, high = floor(log10(min(times) / MARGIN)), ceil(log10(max(times) * MARGIN))
    return 10.0**low, 10.0**high


class Box(NamedTuple):
    """A rectangle in a panel whose sides are 1."""

    left: float
    low: float
    right: float
    high: float

    def overlaps(self, other: Box) -> bool:
        is_beside = self.right <= other.left or other.right <= self.left
        return not (is_beside or self.high <= other.low or other.high <= self.low)

    @property
    def is_inside(self) -> bool:
        return min(self.left, self.low) >= 0 and max(self.right, self.high) <= 1


def _name_points(axes: Axes, panel: Panel) -> None:
    """Write the names of a few instances beside their points, above or below. A name that would
    cover another one or a point, or leave the panel, is left out."""
    names = [name for name in panel.ys if name in panel.xs]
    if len(names) > MAX_NAMED_INSTANCES:
        return
    points = {
        name: axes.transAxes.inverted().transform(
            axes.transData.transform((panel.xs[name], panel.ys[name]))
        )
        for name in names
    }
    half = POINT_SIZE / 2
    taken = {name: Box(x - half, y - half, x + half, y + half) for name, (x, y) in points.items()}
    boxes = [*taken.values()]
    for name in sorted(names, key=lambda name: panel.xs[name], reverse=True):
        x, y = points[name]
        for box in _list_places(x, y, CHARACTER_WIDTH * len(name)):
            if box.is_inside and not any(box.overlaps(other) for other in boxes):
                boxes.append(box)
                place = box.left, (box.low + box.high) / 2
                axes.text(*place, name, transform=axes.transAxes, va="center", fontsize=NAME_SIZE)
                break


def _list_places(x: float, y: float, width: float) -> Iterator[Box]:
    """Where the name of a point may be: on the right, on the left, above and below."""
    half = NAME_HEIGHT / 2
    gap = 3 / 4 * POINT_SIZE
    yield Box(x + gap, y - half, x + gap + width, y + half)
    yield Box(x - gap - width, y - half, x - gap, y + half)
    for low in (y + gap, y - gap - NAME_HEIGHT):
        for left in (x - width / 2, x, x - width):
            yield Box(left, low, left + width, low + NAME_HEIGHT)
