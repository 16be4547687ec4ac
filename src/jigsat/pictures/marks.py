"""Marks and tints on the places of a board in a finished picture."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.boards import Point
from jigsat.pictures.pages import SVG
from jigsat.pictures.svg import FONTS

HEAT, HATCH = "#ffb000", "#8a93a6"
COOLEST, HOTTEST = 0.08, 0.5  # opacity of the heat
SIZES = (0.6, 0.34)  # the largest text that is certain, and any other, as a fraction of the height of a place


class Mark(NamedTuple):
    """Texts on a place, its heat from 0 to 1, whether the texts are certain, and whether something is not known about it."""

    texts: tuple[str, ...]
    heat: float = 0.0
    certain: bool = False
    unknown: bool = False

    def __str__(self) -> str:
        """The texts, with ! if they are certain and ? if something is not known; symbols say it themselves."""
        symbols = {"●", "○", "–", "?"}.intersection(self.texts)
        return " ".join(self.texts) + ("" if symbols else "!" * self.certain + "?" * self.unknown)


def read_places(picture: ElementTree.Element) -> dict[str, list[Point]]:
    """The outline of each place that a picture names, by the JSON of the place; the first counts."""
    return dict(reversed([(json.dumps(place), outline) for place, outline in json.loads(picture.get("data-places", "[]"))]))


def shade_places(picture: str, areas: Mapping[str, Collection[Hashable]]) -> str:
    """An SVG document in which the places of each colour are tinted; places that it does not have are ignored."""
    element = ElementTree.fromstring(picture)
    outlines = read_places(element)
    for colour, places in areas.items():
        for name in dict.fromkeys(map(json.dumps, places)):
            _tint(element, outlines.get(name, ()), colour, "0.3")
    return _as_text(element)


def draw_marks(picture: str, marks: Mapping[Hashable, Mark]) -> str:
    """An SVG document with marks on its places: warmer for more heat, hatched if something is not known."""
    element, by_name = ElementTree.fromstring(picture), {json.dumps(place): mark for place, mark in marks.items()}
    pattern = {"id": "hatch", "width": "12", "height": "12", "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    stripe = ElementTree.SubElement(element, f"{{{SVG}}}pattern", pattern)
    ElementTree.SubElement(stripe, f"{{{SVG}}}rect", {"width": "3", "height": "12", "fill": HATCH})
    for name, outline in read_places(element).items():
        if mark := by_name.get(name):
            if mark.heat:
                _tint(element, outline, HEAT, f"{COOLEST + (HOTTEST - COOLEST) * mark.heat:.2f}")
            if mark.unknown:
                _tint(element, outline, "url(#hatch)", "0.6")
            _write(element, outline, mark)
    return _as_text(element)


def _tint(picture: ElementTree.Element, outline: Iterable[Point], fill: str, opacity: str) -> None:
    points = " ".join(f"{x:g},{y:g}" for x, y in outline)
    ElementTree.SubElement(picture, f"{{{SVG}}}polygon", {"points": points, "fill": fill, "fill-opacity": opacity})


def _as_text(picture: ElementTree.Element) -> str:
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(picture, encoding="unicode") + "\n"


def _write(picture: ElementTree.Element, outline: list[Point], mark: Mark) -> None:
    """Write the texts of a place in rows."""
    xs, ys = zip(*outline, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    middle = sum(xs) / len(xs), sum(ys) / len(ys)
    longest = max(map(len, mark.texts), default=1)
    columns = 1 if longest > 2 else math.ceil(math.sqrt(len(mark.texts)))
    rows = math.ceil(len(mark.texts) / max(1, columns))
    for at, text in enumerate(mark.texts):
        step = 0.82 * width / columns, 0.82 * height / rows
        size = min(0.95 * step[1], 1.6 * step[0] / longest, height * SIZES[not mark.certain])
        x = middle[0] + step[0] * (at % columns - (columns - 1) / 2)
        y = middle[1] + step[1] * (at // columns - (rows - 1) / 2)
        style = {"font-size": f"{size:.1f}", "text-anchor": "middle", "dy": "0.35em", "fill": "#2b3a55", "font-family": FONTS}
        weight = {"font-weight": "bold"} if mark.certain else {}
        ElementTree.SubElement(picture, f"{{{SVG}}}text", {"x": f"{x:.1f}", "y": f"{y:.1f}", **style, **weight}).text = text
