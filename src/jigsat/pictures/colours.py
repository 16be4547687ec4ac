"""Colours for labels: the colour that the label names, or else one from a colour-blind-safe
palette.

Names are CSS colour names. The palette begins with Okabe and Ito's ('Color Universal Design',
2008). A colour is used only if its distance to the colours already in use is at least
MIN_COLOUR_DISTANCE by CIEDE2000 (Sharma, Wu and Dalal, 2005), and at least the SIMULATED part of it
for people without red, green or blue cones, as simulated by Machado, Oliveira and Fernandes ('A
physiologically-based model for simulation of color vision deficiency', 2009). If no such colour is
left, two colours form a pattern.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, NamedTuple

from pydantic import AfterValidator

from jigsat.errors import suggest

# fmt: off
PALETTE = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#000000",
    "#5500aa", "#555500", "#aa0055", "#aaffd5", "#d5d5ff", "#2a5555", "#550000", "#2a002a",
    "#aa55ff", "#002a55", "#808080", "#00d555", "#ffaaaa",
)
# fmt: on
"""Eight colours, and others such that each is as far as possible from those before it."""

COMMON_NAMES = {
    "red": "#e03020", "orange": "#ff9900", "yellow": "#f5e040", "green": "#009060",
    "light green": "#90ee90", "blue": "#0060c0",
    "light blue": "#60b8f0", "violet": "#7020b0", "pink": "#e080b0", "brown": "#603010",
    "black": "#000000", "grey": "#808080",
    "white": "#ffffff",
}  # fmt: skip
MIN_COLOUR_DISTANCE = 18.0
SIMULATED = 0.4  # the part of a distance that is enough without cones
WHITE, BLACK = "#ffffff", "#000000"


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
    names = _colour_names()
    name = colour.lower()
    if name not in names:
        remedy = "write a CSS colour name such as 'gold', or '#rrggbb'"
        raise ValueError(f"unknown colour {colour!r}: {remedy}{suggest(name, names)}")
    from coloraide import Color  # here and below, because most runs need no colours

    return str(Color(name).to_string(hex=True))


@cache
def _colour_names() -> list[str]:
    from coloraide.css.color_names import name2val_map

    return [name for name in name2val_map if name != "transparent"]


def name_colour(colour: str) -> str:
    """The common name of the colour that is most like this one.

    >>> name_colour("#56b4e9"), name_colour("#d55e00")
    ('light blue', 'red')
    """
    return min(COMMON_NAMES, key=lambda name: distance(COMMON_NAMES[name], as_hex(colour)))


def _check_colour(colour: str) -> str:
    as_hex(colour)
    return colour


Colours = Annotated[dict[str, Annotated[str, AfterValidator(_check_colour)]], "colours by label"]
"""An entry that assigns colours to labels: for each label a CSS colour name or `#rrggbb`."""


NEUTRAL_FILLS = frozenset(
    (
        "white",
        "#fff",
        "#ffffff",
        "#e2e2e2",
        "#e8e8e8",
        "#f4f4f4",
        "#f3ecd2",
        "#dde2ea",
        "#f2e6cf",
        "#8f9aa8",
    )
)
"""The colours of papers and boards, which the page exchanges in the dark, as it does `#111`."""


def ink(colour: str) -> str:
    """The text colour with more contrast on a colour: black or white. Black is `#111` on a neutral
    colour only: on others it stays black in the dark."""
    from coloraide import Color

    if Color(colour).luminance() <= 0.179:
        return "white"
    return "#111" if colour in NEUTRAL_FILLS else "#000"


def paints(
    labels: Iterable[str],
    partners: Mapping[str, str] | None = None,
    given: Mapping[str, str] | None = None,
) -> dict[str, Paint]:
    """A paint for each label. The paints are as distinguishable as possible; those in `given` are
    used as they are.

    A label that is or contains the name of a colour gets that colour, a second such label a lighter
    version. Partners get the same colour, unless their names tell different ones.

    >>> paints(["gold", "cat", "tail"], {"cat": "tail", "tail": "cat"})["gold"]
    Paint(fill='#ffd700', band='')
    """
    labels = list(dict.fromkeys(labels))
    partners = partners or {}
    painted: dict[str, Paint] = {}
    for label, colour in (given or {}).items():
        if label in labels:
            painted[label] = Paint(as_hex(colour))
    named: dict[str, str] = {}  # the colours that labels name
    for label in labels:
        name = "" if label in painted else _name_in(label)
        if name:
            named[label] = name

    # 'red' before 'red fox', and both before labels that name no colour
    in_order = sorted(named, key=lambda label: len(_words(label)) > len(_words(named[label])))
    in_order += [label for label in labels if label not in named]
    for label in in_order:
        if label in painted:
            continue
        partner = partners.get(label, label)
        if partner in painted and named.get(label) in (None, named.get(partner)):
            painted[label] = painted[partner]
        else:
            painted[label] = _choose_paint(label, named.get(label), list(painted.values()))
    return {label: painted[label] for label in labels}


def _choose_paint(label: str, colour: str | None, taken: list[Paint]) -> Paint:
    """The first paint that is distinguishable from those that are taken. A label that is the name
    of a colour has just this one."""
    for paint in _offer_paints(as_hex(colour) if colour else ""):
        if label == colour or _is_apart(paint, taken):
            return paint
    return Paint(PALETTE[len(taken) % len(PALETTE)])


def swatches() -> tuple[str, ...]:
    """The colours of the palette for shapes with a dark outline, so without black."""
    return tuple(colour for colour in PALETTE if colour != BLACK)


def _words(label: str) -> list[str]:
    return re.findall("[^\\W\\d_]+", label.lower())


def _name_in(label: str) -> str:
    """The first colour name in a label, as long as possible: 'dark blue' before 'blue'."""
    words = _words(label)
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            name = "".join(words[start:end])
            if name in _colour_names():
                return name
    return ""


def _offer_paints(colour: str) -> Iterator[Paint]:
    """A colour, a lighter and a darker version of it, and patterns with it; without a colour, the
    palette and its patterns."""
    grounds = (colour,) if colour else PALETTE
    for ground in grounds:
        yield Paint(ground)
    if colour:
        yield Paint(_mix_colours(colour))
        yield Paint(_mix_colours(colour, BLACK, 0.45))
    for band in (WHITE, *PALETTE[::-1]):
        for ground in grounds:
            if ground != band:
                yield Paint(ground, band)


def _mix_colours(colour: str, other: str = WHITE, fraction: float = 0.55) -> str:
    """The mean of two colours given as #rrggbb, of which the other one has this weight.

    Loading a library for it would take longer than to solve a small puzzle.
    """
    channels = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return f"#{bytes(int(a + fraction * (b - a) + 0.5) for a, b in channels).hex()}"


def fade_colour(colour: str) -> str:
    """A colour given as #rrggbb, mixed with twice as much white.

    >>> fade_colour("#300060")
    '#baaaca'
    """
    return _mix_colours(colour, fraction=2 / 3)


def _is_apart(paint: Paint, others: Iterable[Paint]) -> bool:
    """Whether a paint is distinguishable from each of the others, by its ground or its band."""
    for other in others:
        grounds = distance(paint.fill, other.fill)
        bands = distance(paint.band or paint.fill, other.band or other.fill)
        if max(grounds, bands) < MIN_COLOUR_DISTANCE:
            return False
    return True


@cache
def distance(a: str, b: str) -> float:
    """The distance of two colours by CIEDE2000, or 1/SIMULATED of it for the kind of sight for
    which it is least.

    >>> round(distance("#ffd700", "#e69f00"), 1)
    16.2
    """
    from coloraide import Color

    one, other = Color(a), Color(b)
    distances = [one.delta_e(other, method="2000")]
    for cones in ("protan", "deutan", "tritan"):
        filtered = one.filter(cones, method="machado")
        other_filtered = other.filter(cones, method="machado")
        distances.append(filtered.delta_e(other_filtered, method="2000") / SIMULATED)
    return float(min(distances))
