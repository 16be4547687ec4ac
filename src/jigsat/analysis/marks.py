"""Marks of candidates on the places of a board, as text and in pictures, and tinted places."""

import json
import math
from collections.abc import Collection, Hashable, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.analysis.candidates import Candidates
from jigsat.analysis.playing import Candidate, Playing
from jigsat.boards import Point
from jigsat.pictures.pages import SVG
from jigsat.symmetry import Placement

MAX_NAMED = 9  # pieces that are named on a small place; of more, their number is shown
MAX_NAME = 3  # characters of a name that is shown there
HEAT, HATCH = "#ffb000", "#8a93a6"
COOLEST, HOTTEST = 0.08, 0.5  # opacity of the heat
HATCHING = {"id": "hatch", "width": "12", "height": "12", "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
TEXT = {"text-anchor": "middle", "dy": "0.35em", "fill": "#2b3a55"}


class Mark(NamedTuple):
    """What can be on a place: pieces, its heat from 0 to 1, whether a piece is certain, and whether one is not known.

    Where a place can only be empty or not, ● states that it is taken in all solutions, ○ in some, – in none, ? that this is not
    known.
    """

    texts: tuple[str, ...]
    heat: float
    certain: bool
    unknown: bool

    @property
    def short(self) -> tuple[str, ...]:
        """The names of the pieces, or their number if they are too many or too long for a small place."""
        small = len(self.texts) <= MAX_NAMED and all(len(text) <= MAX_NAME for text in self.texts)
        return self.texts if small else (str(len(self.texts)),)

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol, and no list of pieces."""
        return any(text in "●○–?" for text in self.texts)

    @property
    def sign(self) -> str:
        """! if a piece is certain and ? if one is not known; the symbols say it themselves."""
        return "" if self.is_symbol else "!" * self.certain + "?" * self.unknown


def uses_pencil(playing: Playing) -> bool:
    """Whether the marks are pencil marks: whatever is put on a place takes it alone, in one way."""
    ways = playing.candidates.values()
    return len({(each.piece, each.places) for each in ways if len(each.places) == 1}) == len(ways)


def mark_places(playing: Playing, found: Candidates) -> dict[Hashable, Mark]:
    """The mark of each place of the board."""
    ways = playing.candidates.values()
    at: dict[Hashable, list[Candidate]] = {}
    for each in ways:
        for place in each.places:
            at.setdefault(place, []).append(each)
    toggles = all(len(here) == 1 for here in at.values())
    pencil = uses_pencil(playing)
    possible = {
        place: tuple(dict.fromkeys(each.piece for each in here if each.placement in found.possible))
        for place, here in at.items()
    }
    most, marks = max(map(len, possible.values()), default=0), {}
    for place, here in at.items():
        statuses = {found.statuses.get(each.placement, "unknown") for each in here}
        certain, unknown, texts = "all" in statuses, "unknown" in statuses, possible[place]
        symbol = "●" if certain else "○" if texts else "?" if unknown else "–"
        heat = 0 if pencil or not most else len(texts) / most
        marks[place] = Mark((symbol,) if toggles else texts, heat, certain, unknown)
    return marks


def draw_candidates(
    playing: Playing, found: Candidates, given: Collection[Placement] = (), highlighted: Collection[Placement] = ()
) -> str:
    """An SVG document of the puzzle with the given placements and marks on the other places.

    A place is warmer for more pieces, and hatched if something is not known about it. Given placements may be highlighted.
    """
    taken = {place for placement in given for place in playing.puzzle.board_places(placement)}
    picture = ElementTree.fromstring(playing.puzzle.svg(list(given), highlighted))
    hatching = ElementTree.SubElement(picture, f"{{{SVG}}}pattern", HATCHING)
    ElementTree.SubElement(hatching, f"{{{SVG}}}rect", {"width": "3", "height": "12", "fill": HATCH})
    outlines = _read_places(picture)
    for place, mark in mark_places(playing, found).items():
        if place not in taken and (outline := outlines.get(json.dumps(place))):
            if mark.heat:
                _tint(picture, outline, HEAT, COOLEST + (HOTTEST - COOLEST) * mark.heat)
            if mark.unknown:
                _tint(picture, outline, "url(#hatch)", 0.6)
            _write(picture, outline, mark.short, certain=mark.certain)
    return _as_text(picture)


def shade_places(picture: str, areas: Mapping[str, Collection[Hashable]]) -> str:
    """An SVG document in which the places of each colour are tinted; places that it does not have are ignored."""
    element = ElementTree.fromstring(picture)
    outlines = _read_places(element)
    for colour, places in areas.items():
        for name in dict.fromkeys(map(json.dumps, places)):
            _tint(element, outlines.get(name, []), colour, 0.3)
    return _as_text(element)


def _read_places(picture: ElementTree.Element) -> dict[str, list[Point]]:
    """The outline of each place that a picture names, by the JSON of the place; the first counts."""
    return dict(reversed([(json.dumps(place), outline) for place, outline in json.loads(picture.get("data-places", "[]"))]))


def _tint(picture: ElementTree.Element, outline: list[Point], fill: str, opacity: float) -> None:
    points = " ".join(f"{x:g},{y:g}" for x, y in outline)
    ElementTree.SubElement(picture, f"{{{SVG}}}polygon", {"points": points, "fill": fill, "fill-opacity": f"{opacity:.2g}"})


def _as_text(picture: ElementTree.Element) -> str:
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(picture, encoding="unicode") + "\n"


def _write(picture: ElementTree.Element, outline: list[Point], texts: Collection[str], *, certain: bool) -> None:
    """Write texts on a place in rows, larger and bold if they are certain."""
    xs, ys = zip(*outline, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    longest = max(map(len, texts), default=1)
    columns = 1 if longest > 2 else max(1, math.ceil(math.sqrt(len(texts))))
    across, down = 0.82 * width / columns, 0.82 * height / max(1, math.ceil(len(texts) / columns))
    size = min(0.95 * down, 1.6 * across / longest, height * (0.6 if certain else 0.34))
    style = {**TEXT, "font-size": f"{size:.1f}", "font-weight": "bold" if certain else "normal"}
    left, top = sum(xs) / len(xs) - across * (columns - 1) / 2, sum(ys) / len(ys) - 0.82 * height / 2 + down / 2
    for number, text in enumerate(texts):
        x, y = left + across * (number % columns), top + down * (number // columns)
        ElementTree.SubElement(picture, f"{{{SVG}}}text", {"x": f"{x:.1f}", "y": f"{y:.1f}", **style}).text = text
