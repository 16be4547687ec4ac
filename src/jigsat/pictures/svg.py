"""SVG: a canvas in the units of a board."""

import cmath
import hashlib
import json
import math
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from jigsat.boards import Point, middle, minus
from jigsat.errors import markup_text

FONTS = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
"""The fonts of all pictures. Typst, unlike a browser, has no substitutes for the first two."""


MARK = "#e3001b"
"""The colour of outlines that mark something."""

CUT_LINE_MM, CUT_DASH_MM = (
    0.17,
    2.0,
)  # width of the line to cut along, which may be printed larger, and length of its dashes

# colours of the thin lines between cells, which are as wide in small pictures
THIN = (
    "#666",
    "#999",
)

NOTE = "note"  # class of a picture's small print, which pages print in their own text size
NAME = "name"  # class of the name of a piece, after which pages can print the number of its puzzle
PALE = "pale"  # class of a polygon whose colour is mixed with white, which is darker on a dark page

RIM = 0.25
"""The part of the margin that a line on the rim of a board needs."""


TURNED = str.maketrans("0689bdpqunmwMWHINOSXZilosxz|+-=.:", "0986qpdbnuwmWMHINOSXZilosxz|+-=.:")
"""The characters that can also be read upside down."""


def ambiguous(texts: Iterable[str]) -> frozenset[str]:
    """The texts that look like another of these texts when they are upside down, as 6 and 9 do. On
    pieces they are underlined.

    >>> sorted(ambiguous(["6", "9", "8", "66", "un", "69"]))
    ['6', '9']
    """
    read = {text for text in texts if all(ord(character) in TURNED for character in text)}
    upside_down = {text: text[::-1].translate(TURNED) for text in read}
    return frozenset(text for text, other in upside_down.items() if other != text and other in read)


class Image(NamedTuple):
    """A picture as a data URL, with its width divided by its height."""

    url: str
    aspect: float


class Picture:
    """An SVG document drawn in the units of a board; one unit is `scale` pixels. Texts in
    `underlined` are underlined."""

    def __init__(
        self, scale: float = 100, margin: float = 0.15, underlined: Container[str] = ()
    ) -> None:
        self.scale = scale
        self.margin = margin
        self._underlined = underlined
        self._shapes: list[str] = []
        self._places: list[tuple[Hashable, list[list[float]]]] = []
        self._definitions: dict[str, str] = {}
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._noted = 0.0  # the height of the notes at the bottom
        self._map: Callable[[Point], Point] = lambda point: point

    @contextmanager
    def mapped(self, points: Sequence[Point], images: Sequence[Point]) -> Iterator[None]:
        """Apply the affine map that takes the first three points to their images to whatever is
        drawn inside the `with`."""
        (o, a, b), (to, to_a, to_b) = points[:3], images[:3]
        (ax, ay), (bx, by), (px, py), (qx, qy) = (
            minus(a, o),
            minus(b, o),
            minus(to_a, to),
            minus(to_b, to),
        )
        size = ax * by - ay * bx
        xx, xy = (px * by - qx * ay) / size, (qx * ax - px * bx) / size
        yx, yy = (py * by - qy * ay) / size, (qy * ax - py * bx) / size
        dx, dy = to[0] - xx * o[0] - xy * o[1], to[1] - yx * o[0] - yy * o[1]
        matrix = ",".join(
            f"{round(x, 4):g}" for x in (xx, yx, xy, yy, dx * self.scale, dy * self.scale)
        )
        self._shapes.append(f'<g transform="matrix({matrix})">')
        outer, self._map = (
            self._map,
            lambda p: (xx * p[0] + xy * p[1] + dx, yx * p[0] + yy * p[1] + dy),
        )
        try:
            yield
        finally:
            self._map = outer
            self._shapes.append("</g>")

    def reach(self, *points: Point) -> None:
        """Extend the picture so that it shows these points."""
        for point in points:
            x, y = self._map(point)
            self._xs.append(x)
            self._ys.append(y)

    def polygon(
        self,
        points: Iterable[Point],
        fill: str,
        *,
        line: str = "#333",
        width: float = 0.01,
        kind: str = "",
    ) -> None:
        """Draw a filled polygon with an outline `width` units thick; `kind` is `PALE`, if any."""
        points = list(points)
        self.reach(*points)
        its_kind = f'class="{kind}" ' if kind else ""
        look = (
            f'fill="{fill}" stroke="{line}" stroke-width="{self._px(width)}" '
            f'stroke-linejoin="round"'
        )
        look += ' vector-effect="non-scaling-stroke"' if line in THIN else ""
        self._shapes.append(f'<polygon {its_kind}points="{self._corners(points)}" {look}/>')

    def mark(self, points: Sequence[Point]) -> None:
        """Mark something: draw a thick line just inside its outline."""
        centre = middle(points)
        self.polygon(
            [between(point, centre, 0.05) for point in points], "none", line=MARK, width=0.045
        )

    def place(self, cell: Hashable, outline: Iterable[Point]) -> None:
        """Tell who reads the picture that something can be put on this cell. If it is drawn several
        times, the first counts."""
        self._places.append(
            (cell, [[round(x * self.scale, 2) for x in self._map(point)] for point in outline])
        )

    def cut(self, points: Iterable[Point], unit_mm: float) -> None:
        """Draw a thin line to cut along, for paper with units of this length: dark and white
        dashes, seen on any colour."""
        points, width = list(points), self._px(CUT_LINE_MM / unit_mm)
        self.reach(*points)
        outline = "M" + "L".join(f"{self._px(x)} {self._px(y)}" for x, y in points)
        outline += (
            "Z" if len(points) > 2 else ""
        )  # dashes of the way back would fill the gaps of a single line
        for colour, dashed in (
            ("#333", ""),
            ("white", f'stroke-dasharray="{self._px(CUT_DASH_MM / unit_mm)}"'),
        ):
            stroke = f'stroke="{colour}" stroke-width="{width}" {dashed}'
            self._shapes.append(f'<path d="{outline}" fill="none" {stroke}/>')

    def image(
        self,
        image: Image,
        corner: Point,
        height: float,
        *,
        turn: float = 0,
        within: Iterable[Sequence[Point]] = (),
        opacity: float = 1.0,
    ) -> None:
        """Draw a picture to the right of and below a corner, turned clockwise around the corner,
        and cut to these polygons."""
        sizes = f'width="{100 * image.aspect:g}" height="100"'
        name = self._define_element(
            f'<image {sizes} preserveAspectRatio="none" href="{image.url}"/>'
        )
        (x, y), cut = corner, ""
        if shapes := "".join(f'<polygon points="{self._corners(polygon)}"/>' for polygon in within):
            cut = f' clip-path="url(#{self._define_element(f"<clipPath>{shapes}</clipPath>")})"'
        if opacity < 1:
            cut += f' opacity="{opacity:g}"'
        place = (
            f"translate({self._px(x)},{self._px(y)}) rotate({turn:g}) "
            f"scale({height * self.scale / 100:.6g})"
        )
        self._shapes.append(f'<g{cut}><use href="#{name}" transform="{place}"/></g>')

    def cover(
        self,
        image: Image,
        polygons: Sequence[Sequence[Point]],
        *,
        within: Iterable[Sequence[Point]] = (),
        opacity: float = 1.0,
    ) -> None:
        """Cover polygons with one centred picture in its proportions, cut off at their sides or at
        those of `within`."""
        xs, ys = zip(*chain.from_iterable(polygons), strict=True)
        left, right = min(xs), max(xs)
        top, bottom = min(ys), max(ys)
        width = max(right - left, (bottom - top) * image.aspect)
        height = width / image.aspect
        corner = ((left + right - width) / 2, (top + bottom - height) / 2)
        self.image(image, corner, height, within=within or polygons, opacity=opacity)

    def _corners(self, points: Iterable[Point]) -> str:
        return " ".join(f"{self._px(x)},{self._px(y)}" for x, y in points)

    def _define_element(self, element: str) -> str:
        """The name of an element for reuse; equal elements of several pictures have the same
        name."""
        name = "d" + hashlib.sha256(element.encode()).hexdigest()[:16]
        self._definitions[name] = re.sub(
            "^<[a-zA-Z]+", lambda tag: f'{tag[0]} id="{name}"', element
        )
        return name

    def circle(
        self, centre: Point, radius: float, fill: str, *, line: str = "#333", width: float = 0.01
    ) -> None:
        """Draw a filled circle with an outline."""
        x, y = centre
        self.reach((x - radius, y - radius), (x + radius, y + radius))
        look = f'fill="{fill}" stroke="{line}" stroke-width="{self._px(width)}"'
        self._shapes.append(
            f'<circle cx="{self._px(x)}" cy="{self._px(y)}" r="{self._px(radius)}" {look}/>'
        )

    def line(self, start: Point, end: Point, colour: str, width: float, dash: float = 0) -> None:
        """Draw a line with round ends, `width` units thick. With `dash`, it has dashes of about
        this length, one at each end."""
        if start == end:  # PDF files lose a line without length
            end = (start[0] + 0.001, start[1])
        (x1, y1), (x2, y2) = start, end
        self.reach(start, end)
        dashes = ""
        if dash:
            length = math.dist(start, end)
            gaps = max(1, round((length - dash) / (2 * dash)))
            dashes = f' stroke-dasharray="{self._px(length / (2 * gaps + 1))}"'
        self._shapes.append(
            f'<line x1="{self._px(x1)}" y1="{self._px(y1)}" x2="{self._px(x2)}" '
            f'y2="{self._px(y2)}" stroke="{colour}" '
            f'stroke-width="{self._px(width)}" stroke-linecap="round"{dashes}/>'
        )

    def text(
        self,
        centre: Point,
        text: str,
        size: float,
        *,
        fill: str = "#111",
        turn: float = 0,
        mirrored: bool = False,
        bold: bool = False,
        kind: str = "",
    ) -> None:
        """Write text centred at a point, mirrored left to right, then turned clockwise; `kind` is
        `NOTE` or `NAME`, if any."""
        x, y = centre
        self.reach((x, y - size / 2), (x, y + size / 2))
        weight = ' font-weight="bold"' if bold else ""
        weight += ' text-decoration="underline"' if text in self._underlined else ""
        mirror = " scale(-1,1)" if mirrored else ""
        its_kind = f'class="{kind}" ' if kind else ""
        self._shapes.append(
            f'<text {its_kind}transform="translate({self._px(x)},{self._px(y)}) '
            f'rotate({turn:g}){mirror}" fill="{fill}" '
            f'font-size="{self._px(size)}"{weight} text-anchor="middle" '
            f'dy="0.35em">{markup_text(text)}</text>'
        )

    def badge(
        self,
        centre: Point,
        radius: float,
        name: str,
        below: str = "",
        *,
        turn: float = 0,
        arrow: bool = True,
    ) -> None:
        """Draw the name of a piece on a disc, turned with the piece; an arrow on the edge points to
        its printed top."""
        self.circle(centre, radius, "white")
        if arrow:
            direction = cmath.rect(1, math.radians(turn - 90))
            tip = complex(*centre) + direction * radius * 1.5
            base = complex(*centre) + direction * radius * 0.9
            across = direction * 1j * radius * 0.45
            self.polygon([(z.real, z.imag) for z in (tip, base + across, base - across)], "#111")
        size = min(1.1 * radius, 2.6 * radius / max(len(name), 1))
        self.text(centre, name, size, turn=turn, bold=True, kind=NAME)
        if below:
            foot = complex(*centre) + cmath.rect(radius * 0.55, math.radians(turn + 90))
            self.text(
                (foot.real, foot.imag),
                below,
                min(radius * 0.4, 2.2 * radius / len(below)),
                turn=turn,
            )

    def note(self, text: str, size: float = 0.09) -> None:
        """Write a line of small print below everything drawn so far."""
        width = max(self._xs) - min(self._xs)
        size = min(size, 1.9 * width / len(text))
        before = max(self._ys)
        below = before + max(0.15, 1.5 * size)
        self.text((min(self._xs) + width / 2, below), text, size, fill="#555", kind=NOTE)
        self._noted += max(self._ys) - before

    def _px(self, value: float) -> str:
        return f"{round(value * self.scale, 2):g}"

    def size(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the picture in pixels, including the margin."""
        left, top = min(self._xs, default=0) - self.margin, min(self._ys, default=0) - self.margin
        right, bottom = (
            max(self._xs, default=0) + self.margin,
            max(self._ys, default=0) + self.margin,
        )
        width, height = right - left, bottom - top
        return (
            round(left * self.scale, 2),
            round(top * self.scale, 2),
            round(width * self.scale, 2),
            round(height * self.scale, 2),
        )

    def inner(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what is drawn and of the places, without notes and most of
        the margin."""
        left, top, width, height = self.size()
        cut = (1 - RIM) * self.margin * self.scale
        upper_left = (left + cut, top + cut)
        lower_right = (left + width - cut, top + height - self._noted * self.scale - cut)
        points = [upper_left, lower_right]
        for _, outline in self._places:
            points += [(x, y) for x, y in outline]

        xs, ys = zip(*points, strict=True)
        inner_left = max(left, min(xs))
        inner_top = max(top, min(ys))
        inner_width = min(left + width, max(xs)) - inner_left
        inner_height = min(top + height, max(ys)) - inner_top
        return (
            round(inner_left, 2),
            round(inner_top, 2),
            round(inner_width, 2),
            round(inner_height, 2),
        )

    def __str__(self) -> str:
        left, top, width, height = self.size()
        inner = " ".join(f"{number:g}" for number in self.inner())
        places = (
            f' data-places="{markup_text(json.dumps(self._places, separators=(",", ":")))}"'
            if self._places
            else ""
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} '
                f'{height:g}" '
                f'width="{width:g}" height="{height:g}" data-inner="{inner}" '
                f'font-family="{FONTS}"{places}>',
                f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" '
                f'fill="white"/>',
                *(
                    [f"<defs>{''.join(self._definitions.values())}</defs>"]
                    if self._definitions
                    else []
                ),
                *self._shapes,
                "</svg>",
                "",
            ]
        )


def heading(start: Point, end: Point) -> float:
    """The direction from one point to another, in degrees clockwise on the screen; 0 points
    right."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def between(a: Point, b: Point, fraction: float) -> Point:
    """The point that lies `fraction` of the way from a to b."""
    return tuple(x + (y - x) * fraction for x, y in zip(a, b, strict=True))


def regular(sides: int) -> list[Point]:
    """The corners of a regular polygon around the origin, clockwise, with sides of length 1 and
    side 0 on top."""
    radius = 0.5 / math.sin(math.pi / sides)
    corners = [
        cmath.rect(radius, math.pi * (2 * i - 1) / sides - math.pi / 2) for i in range(sides)
    ]
    return [(corner.real, corner.imag) for corner in corners]
