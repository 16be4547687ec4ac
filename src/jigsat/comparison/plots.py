"""Plots of a comparison, drawn by matplotlib (`pip install 'jigsat[plots]'`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from jigsat.comparison.log import Conditions
from jigsat.comparison.matrix import Run, count_sessions, label_choice
from jigsat.comparison.scores import (
    VIRTUAL_BEST,
    collect_scores,
    describe_missing,
    find_best,
    find_best_choice,
    par2,
)
from jigsat.errors import unwritable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = "seaborn-v0_8-colorblind"  # six colours; each comes with each of the markers
MARKERS = "osD^vPX"
MIN_SHOWN_S = 1e-3  # times shorter than this, in seconds, are drawn as this time
MAX_NAMED_INSTANCES = 8  # maximum number of instances that the scatter plots name
AXIS = "seconds of processor time"
TITLE_SIZE = 9  # in points
TITLE_CHARACTERS = 50  # in a line of the title of the cactus plot, which has the legend beside it
MAX_COLUMNS = 3  # maximum number of scatter plots side by side


def draw(folder: Path, done: Sequence[Run], conditions: Conditions) -> None:
    """Write the cactus plot and the scatter plot, as SVG and as PNG, with the conditions and the
    versions of the solvers as their description. Raises InputError or Stopped if they cannot be
    written."""
    from matplotlib import style

    timeout = conditions.timeout
    # by label and instance; `timeout` where there is no answer
    times: dict[str, dict[str, float]] = {}
    for choice, scores in collect_scores(done, timeout).items():
        own = times[label_choice(choice)] = {}
        for instance, seconds in scores.items():
            own[instance] = min(max(seconds, MIN_SHOWN_S), timeout)
    if not times:
        return
    # The choices come in the order of the scores; without one, the best choice is the first.
    ranked = [label_choice(row.choice) for row in par2(done, timeout)]
    best = label_choice(find_best_choice(done, timeout))
    times = {name: times[name] for name in [best, *ranked] if name in times}
    with style.context(STYLE):
        title = describe_missing(done)
        figures = {
            "cactus": cactus(times, timeout, title),
            "scatter": scatter(times, timeout, title),
        }
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
    about = {
        "conditions": conditions.json(),
        "tasks": sorted({run.task for run in done}),
        "seeds": sorted({run.seed for run in done if run.seed is not None}),
        "sessions": count_sessions(done),
        "repeats": max((run.repeat for run in done), default=0),
        "date": max((run.date for run in done), default=""),
        "solvers": solvers,
        "formulas": formulas,
    }
    return json.dumps(about, ensure_ascii=False)


def cactus(times: dict[str, dict[str, float]], timeout: float, title: str) -> Figure:
    """The sorted times of each choice: point n is its n-th fastest instance. Further right and
    further down is better."""
    from matplotlib.figure import Figure

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


def scatter(times: dict[str, dict[str, float]], timeout: float, title: str) -> Figure:
    """A panel for each choice against the first, which is the best: below the diagonal it is
    faster, on a dotted line there is no answer."""
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
        axes.tick_params(labelbottom=True, labelleft=True)  # also where no panel is below
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
    figure.suptitle(title, fontsize=TITLE_SIZE)
    figure.supxlabel(f"{AXIS}, {first}")
    figure.supylabel(AXIS)
    return figure
