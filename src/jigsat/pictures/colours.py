"""Colours for labels: the colour that the label names, or else one from a colour-blind-safe palette.

Names are CSS colour names. The palette begins with Okabe and Ito's ('Color Universal Design', 2008). A colour is used only if
its distance to the colours already in use is at least MIN_COLOUR_DISTANCE by CIEDE2000 (Sharma, Wu and Dalal, 2005), and at
least the SIMULATED part of it for people without red, green or blue cones, as simulated by Machado, Oliveira and Fernandes
('A physiologically-based model for simulation of color vision deficiency', 2009). If no such colour is left, two colours form a
pattern.
"""

from __future__ import annotations

import re
from cmath import phase
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import chain
from math import cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Annotated, NamedTuple

from pydantic import AfterValidator

# fmt: off
PALETTE = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#000000", "#5500aa", "#555500", "#aa0055",
    "#aaffd5", "#d5d5ff", "#2a5555", "#550000", "#2a002a", "#aa55ff", "#002a55", "#808080", "#00d555", "#ffaaaa",
)
# fmt: on
"""Eight colours, and others such that each is as far as possible from those before it."""

MIN_COLOUR_DISTANCE = 18.0
SIMULATED = 0.4  # the part of a distance that is enough without cones
WHITE, BLACK = "#ffffff", "#000000"

SIGHT = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
)
"""Perceived linear red, green and blue: with all cones, and without those for long, medium and short wavelengths."""

XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))  # matrix from linear sRGB to CIE XYZ


class Paint(NamedTuple):
    """A colour, `#rrggbb`; for a pattern also the colour of a band on it."""

    fill: str
    band: str = ""


def as_hex(colour: str) -> str:
    """`#rrggbb` for a CSS colour name or for `#rrggbb` itself. Raises ValueError.

    >>> as_hex("gold"), as_hex("#FFD700")
    ('#ffd700', '#ffd700')
    """
    if re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return colour.lower()
    import webcolors  # here and below, because most runs need no colours

    try:
        return str(webcolors.name_to_hex(colour))
    except ValueError:
        near = get_close_matches(colour.lower(), webcolors.names(), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"unknown colour {colour!r}: write a CSS colour name such as 'gold', or '#rrggbb'{hint}") from None


def _check_colour(colour: str) -> str:
    as_hex(colour)
    return colour


Colours = Annotated[dict[str, Annotated[str, AfterValidator(_check_colour)]], "colours by label"]
"""An entry that assigns colours to labels: for each label a CSS colour name or `#rrggbb`."""


def ink(colour: str) -> str:
    """The text colour with more contrast on a colour: black or white."""
    _, y, _ = (sum(map(float.__mul__, row, _linear(colour))) for row in XYZ)
    return "#111" if y > 0.179 else "white"


def paints(
    labels: Iterable[str], partners: Mapping[str, str] | None = None, given: Mapping[str, str] | None = None
) -> dict[str, Paint]:
    """A paint for each label. The paints are as distinguishable as possible; those in `given` are used as they are.

    A label that is or contains the name of a colour gets that colour, a second such label a lighter version. Partners get
    the same colour, unless their names tell different ones.

    >>> paints(["gold", "cat", "tail"], {"cat": "tail", "tail": "cat"})["gold"]
    Paint(fill='#ffd700', band='')
    """
    labels, partners = list(dict.fromkeys(labels)), partners or {}
    found = {label: Paint(as_hex(colour)) for label, colour in (given or {}).items() if label in labels}
    named = {label: name for label in labels if label not in found and (name := _name_in(label))}
    first = sorted(named, key=lambda label: len(_words(label)) > len(_words(named[label])))  # 'red' before 'red fox'
    for label in [*first, *(label for label in labels if label not in named)]:
        if label in found:
            continue
        partner = partners.get(label, label)
        if partner in found and named.get(label) in (None, named.get(partner)):
            found[label] = found[partner]
            continue
        if label in named:
            offered = chain([Paint(as_hex(named[label]))], _versions(as_hex(named[label])))
            if label == named[label]:
                found[label] = next(offered)
                continue
        else:
            offered = chain(_palette())
        taken = list(found.values())
        found[label] = next((paint for paint in offered if _apart(paint, taken)), Paint(PALETTE[len(found) % len(PALETTE)]))
    return {label: found[label] for label in labels}


def swatches() -> tuple[str, ...]:
    """The colours of the palette for shapes with a dark outline, so without black."""
    return tuple(colour for colour in PALETTE if colour != BLACK)


def _words(label: str) -> list[str]:
    return re.findall("[^\\W\\d_]+", label.lower())


def _name_in(label: str) -> str:
    """The first colour name in a label, as long as possible: 'dark blue' before 'blue'."""
    import webcolors

    words, names = _words(label), set(webcolors.names())
    ends = ((i, j) for i in range(len(words)) for j in range(len(words), i, -1))
    return next((name for i, j in ends if (name := "".join(words[i:j])) in names), "")


def _palette() -> Iterator[Paint]:
    """The palette, then patterns."""
    yield from map(Paint, PALETTE)
    yield from (Paint(colour, band) for band in (WHITE, *PALETTE[::-1]) for colour in PALETTE if colour != band)


def _versions(colour: str) -> Iterator[Paint]:
    """Lighter and darker versions of the colour, then patterns with it."""
    yield Paint(_mix_colours(colour))
    yield Paint(_mix_colours(colour, BLACK, 0.45))
    yield from (Paint(colour, band) for band in (WHITE, *PALETTE[::-1]) if colour != band)


def _mix_colours(colour: str, other: str = WHITE, fraction: float = 0.55) -> str:
    return "#" + "".join(
        f"{round(int(colour[i : i + 2], 16) * (1 - fraction) + int(other[i : i + 2], 16) * fraction):02x}" for i in (1, 3, 5)
    )


def fade_colour(colour: str) -> str:
    """A colour given as #rrggbb, mixed with twice as much white.

    >>> fade_colour("#300060")
    '#baaaca'
    """
    return _mix_colours(colour, fraction=2 / 3)


def _apart(paint: Paint, others: Iterable[Paint]) -> bool:
    """Whether a paint is distinguishable from each of the others."""
    return all(
        max(distance(paint.fill, other.fill), distance(paint.band or paint.fill, other.band or other.fill))
        >= MIN_COLOUR_DISTANCE
        for other in others
    )


@cache
def distance(a: str, b: str) -> float:
    """The distance of two colours by CIEDE2000, or 1/SIMULATED of it for the kind of sight for which it is least.

    >>> round(distance("#ffd700", "#e69f00"), 1)
    16.2
    """
    normal, *simulated = map(_ciede2000, _perceived_colours(a), _perceived_colours(b))
    return min(normal, min(simulated) / SIMULATED)


def _ciede2000(one: Sequence[float], other: Sequence[float]) -> float:
    """The distance of two colours in CIELAB, in the terms of the paper."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * sqrt(mean / (mean + 25**7))
    first, second = complex(stretch * a1, b1), complex(stretch * a2, b2)
    c1, c2 = abs(first), abs(second)
    between = phase(second * first.conjugate())  # the angle from the first hue to the second
    hue = degrees(phase(first) + between / 2 if c1 * c2 else phase(first + second)) % 360
    lightness, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    terms = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    t = 1 + sum(factor * cos(radians(times * hue + shift)) for factor, times, shift in terms)
    x = (l2 - l1) / (1 + 0.015 * lightness**2 / sqrt(20 + lightness**2))
    y = (c2 - c1) / (1 + 0.045 * chroma)
    z = 2 * sqrt(c1 * c2) * sin(between / 2) / (1 + 0.015 * chroma * t)
    blue = 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(x * x + y * y + z * z - blue * y * z)


@cache
def _perceived_colours(colour: str) -> tuple[tuple[float, ...], ...]:
    """CIELAB coordinates of a colour as perceived by each kind of sight."""
    linear, seen = _linear(colour), []
    for cones in SIGHT:
        shown = [min(max(sum(map(float.__mul__, row, linear)), 0.0), 1.0) for row in cones]
        x, y, z = (_cube_root(sum(map(float.__mul__, row, shown)) / sum(row)) for row in XYZ)
        seen.append((116 * y - 16, 500 * (x - y), 200 * (y - z)))
    return tuple(seen)


def _linear(colour: str) -> list[float]:
    """Linear red, green and blue, from 0 to 1."""
    values = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def _cube_root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116
