"""Reading SVG files from strangers: a small set of elements and attributes is accepted.

A file becomes a tree that is built here, so nothing that is not accepted reaches a browser or
Typst. What editors add, such as layers and metadata, is left out. Style sheets are applied to the
elements and left out as well. Anything else that a picture could lose is refused by name. Files
that are slow to draw are refused, too: elements are counted as often as they are drawn.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring
from xml.parsers import expat

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XHTML = "http://www.w3.org/1999/xhtml"

MAX_ELEMENTS = 20_000  # maximum number of elements in a file
MAX_DRAWN = 100_000  # maximum number of elements drawn, counted each time they are drawn
MAX_LEVELS = 64  # maximum number of elements that lie in one another or refer to one another
LEVELS_PER_REFERENCE = 4  # an element that refers to others counts as this number of levels
MAX_ATTRIBUTES = 200  # maximum number of attributes of an element, and of prefixes known in it
MAX_SELECTORS = 5_000  # maximum number of selectors in the style sheets of a file
MAX_APPLIED = 2_000_000  # maximum number of declarations that style sheets apply to elements
MAX_NUMBER = 1e6  # maximum of numbers; Typst can crash or run for ever with greater ones
MAX_QUOTED = 60  # maximum number of characters of a value in a message
CHARACTERS_PER_ELEMENT = 200  # an outline of this length counts as one element more
ELEMENTS_PER_LAYER = 40  # something that is first drawn on its own counts as this number more
PIXELS_PER_ELEMENT = 10_000  # an embedded picture of this size counts as one element more

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image"}
GROUPS = {"svg", "g", "defs", "symbol", "use"}
PAINTS = {"linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker"}
ELEMENTS = SHAPES | GROUPS | PAINTS

DESCRIPTIONS = {"metadata", "title", "desc"}
"""Elements that are left out because they draw nothing."""

TEXTS = {"text", "tspan", "textPath", "tref", "font", "foreignObject", "flowRoot"}
"""Elements with text: fonts differ, and Typst 0.15 loses text in pictures within pictures."""

LAYERED = {"opacity": "1", "clip-path": "none", "mask": "none", "style": ""}
"""Attributes of something that is first drawn on its own, and then put on the rest, unless they
have these values."""

PER_SHAPE = {"fill", "stroke", "marker-start", "marker-end"}
PER_VERTEX = {"marker", "marker-mid"}
REFERRING = PER_SHAPE | PER_VERTEX | {"clip-path", "mask"}
"""Properties that may refer to an element, which is drawn once for each shape, for each vertex, or
once."""

STYLE_ONLY = {"mix-blend-mode": "normal", "isolation": "auto"}
"""Properties that are not also attributes, with the values that change nothing."""

PLAIN_PROPERTIES = {
    "clip-rule", "color", "color-interpolation", "color-rendering", "display", "fill-opacity",
    "fill-rule", "height", "image-rendering", "mask-type", "opacity", "overflow", "paint-order",
    "shape-rendering", "stop-color", "stop-opacity", "stroke-dasharray", "stroke-dashoffset",
    "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
    "vector-effect", "visibility", "width",
}  # fmt: skip
PROPERTIES = REFERRING | STYLE_ONLY.keys() | PLAIN_PROPERTIES

ATTRIBUTES = {
    "clipPathUnits", "cx", "cy", "d", "fr", "fx", "fy", "gradientTransform", "gradientUnits",
    "height", "href", "id", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
    "maskUnits", "offset", "orient", "pathLength", "patternContentUnits", "patternTransform",
    "patternUnits", "points", "preserveAspectRatio", "r", "refX", "refY", "rx", "ry",
    "spreadMethod", "transform", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
}  # fmt: skip
NUMERIC = ATTRIBUTES - {"href", "id"} | {
    "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "stroke-width",
}  # fmt: skip

IGNORED = re.compile(
    """(aria|data|font|text|letter|word|line|-inkscape|shape-(inside|padding|margin|subtract)|glyph
    |solid|color-(profile|interpolation-filters)|filter-|pointer|user|unicode)(-.*)?
    |baseProfile|base-?line.*|block-progression|contentS(cript|tyle)Type|cursor|direction
    |dominant-baseline|enable-background|externalResourcesRequired|focusable|inline-size|kerning
    |lang|name|p-id|role|t|tabindex|title|version|vertical-align|white-space|writing-mode|zoomAndPan""",
    re.VERBOSE,
)
"""Attributes and properties that are left out because they change nothing that is drawn."""

FUNCTIONS = {
    "rgb", "rgba", "hsl", "hsla", "matrix", "translate", "scale", "rotate", "skewX", "skewY",
}  # fmt: skip
NAME = r"""#([^"'()\s%\\]+)"""
NUMBER = re.compile(r"\d*\.?\d+(?:[eE][-+]?\d+)?")
REFERENCE = re.compile(rf"""url\(\s*(["']?){NAME}\1\s*\)(?:\s[^()]*)?""")
SELECTOR = re.compile(r"(?=.)(\*|[A-Za-z][\w-]*)?((?:[.#][A-Za-z_-][\w-]*)*)")
WIDE_GAMUT = "color("
"""The function of colours outside sRGB, before which editors write a similar colour in sRGB."""

PLAIN = "save it as plain SVG"
AS_PNG = "remove it in the editor, or save the picture as PNG"


class RefusedError(ValueError):
    """The picture is not accepted. The message says why, and what to do."""


class _Rule(NamedTuple):
    """A rule of a style sheet: what an element must have, such as '.a', and its declarations."""

    needed: frozenset[str]
    specificity: tuple[int, int, int]
    declarations: Mapping[str, str]


class _Cost(NamedTuple):
    """What an element and those that it draws amount to."""

    drawn: int = 0
    shapes: int = 0
    vertices: int = 0
    levels: int = 0


def read_svg(data: bytes, count_pixels: Callable[[bytes], int]) -> Element:
    """The root of the picture in a file, as far as it is accepted.

    `count_pixels` checks an embedded picture and counts its pixels. Raises RefusedError.
    """
    reader = _Reader(count_pixels)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        raise RefusedError("not a PNG or JPEG file, nor an SVG file in UTF-8")
    try:
        reader.parse(data)
    except RefusedError:
        raise
    except (expat.ExpatError, ValueError, LookupError):  # the latter two for an unknown encoding
        reader.root = None
    if reader.root is None:
        raise RefusedError("not a picture; use a PNG, JPEG or SVG file")
    _apply_styles(reader.root, "".join(reader.styles))
    named = _name_elements(reader.root)
    _Measure(named, reader.pixels).check(reader.root)
    reader.root.set("xmlns", SVG)
    return reader.root


def svg_bytes(root: Element) -> bytes:
    """The file of a picture."""
    data: bytes = tostring(root)
    return data


class _Reader:
    """Builds the tree of the accepted elements while a file is read."""

    def __init__(self, count_pixels: Callable[[bytes], int]) -> None:
        self.root: Element | None = None
        self.styles: list[str] = []
        self.pixels: dict[Element, int] = {}  # of each embedded picture
        self._count_pixels = count_pixels
        self._number = 0
        self._open: list[Element | None] = []  # None for elements that are left out
        self._namespaces: list[dict[str, str]] = [{"": SVG, "xlink": XLINK}]

    def parse(self, data: bytes) -> None:
        # Without namespaces: the parser would copy a long name of a namespace for each element.
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._start_document_type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.ProcessingInstructionHandler = self._refuse_style_sheet
        parser.Parse(data, True)

    def _start_document_type(self, *declared: object) -> None:
        """Refuse declarations before they are read: reading them can take any time and memory."""
        *_, has_declarations = declared
        if has_declarations:
            raise RefusedError(f"has a document type with declarations or entities; {PLAIN}")

    def _refuse_style_sheet(self, target: str, _: str) -> None:
        if target == "xml-stylesheet":
            raise RefusedError(f"has a style sheet in another file; {PLAIN}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._number += 1
        if self._number > MAX_ELEMENTS:
            raise RefusedError(
                f"has more than {MAX_ELEMENTS:,} elements; simplify it, or save it as PNG"
            )
        if len(attributes) > MAX_ATTRIBUTES:
            raise RefusedError(f"has more than {MAX_ATTRIBUTES} attributes in an element; {PLAIN}")
        if len(self._open) >= MAX_LEVELS:
            raise RefusedError(_too_deep(name))
        self._namespaces.append(self._find_namespaces(attributes))
        self._open.append(self._read_element(name, attributes))

    def _end(self, _: str) -> None:
        self._open.pop()
        self._namespaces.pop()

    def _add_text(self, text: str) -> None:
        element = self._open[-1]
        if element is not None and element.tag == "style":
            self.styles.append(text)

    def _find_namespaces(self, attributes: Mapping[str, str]) -> dict[str, str]:
        """The namespaces by their prefixes, within an element with these attributes."""
        declared = {
            name.partition(":")[2]: value
            for name, value in attributes.items()
            if name == "xmlns" or name.startswith("xmlns:")
        }
        if not declared:
            return self._namespaces[-1]
        namespaces = {**self._namespaces[-1], **declared}
        if len(namespaces) > MAX_ATTRIBUTES:
            raise RefusedError(f"has more than {MAX_ATTRIBUTES} namespaces; {PLAIN}")
        return namespaces

    def _split_name(self, name: str) -> tuple[str, str]:
        """The namespace of an element or an attribute with a prefix, and its name in it."""
        prefix, _, local = name.rpartition(":")
        return self._namespaces[-1].get(prefix, prefix), local

    def _read_element(self, name: str, attributes: Mapping[str, str]) -> Element | None:
        """The element in the tree; None if it is left out."""
        namespace, kind = self._split_name(name)
        if self.root is None and (self._number > 1 or namespace != SVG or kind != "svg"):
            raise RefusedError("not a picture; use a PNG, JPEG or SVG file")
        parent = self._open[-1] if self._open else None
        if self._open and parent is None:
            return None
        if namespace == XHTML:
            raise RefusedError(f"contains HTML, <{kind}>; {PLAIN}")
        if namespace != SVG or kind in DESCRIPTIONS:
            return None
        if kind == "style":
            return Element("style")
        if kind not in ELEMENTS:
            raise RefusedError(_refuse_element(kind))
        accepted = dict(self._read_attributes(kind, attributes))
        element = Element(kind) if parent is None else SubElement(parent, kind)
        element.attrib.update(accepted)
        if parent is None:
            self.root = element
        if kind == "image":
            self._read_embedded(element)
        return element

    def _read_attributes(
        self, kind: str, attributes: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        """The accepted attributes of an element of this kind."""
        for name, value in attributes.items():
            if ":" in name:  # of other namespaces, only references are needed
                if self._split_name(name) == (XLINK, "href") and "href" not in attributes:
                    yield "href", _read_reference(kind, value)
            elif name.lower().startswith("on"):
                raise RefusedError(f"contains a script, {name} of <{kind}>; {PLAIN}")
            elif name == "href":
                yield "href", _read_reference(kind, value)
            elif name in ATTRIBUTES or name in PROPERTIES:
                yield name, _check_value(name, value)
            elif name in ("class", "style"):
                yield name, value
            elif name != "xmlns" and not IGNORED.fullmatch(name):
                raise RefusedError(
                    f"the attribute {name[:MAX_QUOTED]!r} of <{kind}> is not accepted; {AS_PNG}"
                )

    def _read_embedded(self, image: Element) -> None:
        """Check the picture in an <image>."""
        match = re.match(r"data:image/(?:png|jpe?g);base64,", image.get("href", "data:image/"))
        if not match:
            raise RefusedError(
                "contains a picture that is neither PNG nor JPEG; embed it as one of these"
            )
        encoded = "".join(image.get("href", "")[match.end() :].split())
        try:
            data = b64decode(encoded, validate=True)
        except ValueError:  # what is no base64 is no picture
            data = b""
        self.pixels[image] = self._count_pixels(data)
        image.set("href", match[0] + encoded)


def _refuse_element(kind: str) -> str:
    """Why an element is refused, and what to do."""
    if kind == "script":
        return f"contains a script; {PLAIN}"
    if kind in TEXTS:
        return (
            f"contains text, <{kind}>; convert it to paths, because not every program has its font"
        )
    return f"contains <{kind[:MAX_QUOTED]}>, which is not accepted; {AS_PNG}"


def _too_deep(kind: str) -> str:
    return (
        f"more than {MAX_LEVELS} elements lie in one another or refer to one another, such as "
        f"<{kind[:MAX_QUOTED]}>; simplify it, or save it as PNG"
    )


def _read_reference(kind: str, value: str) -> str:
    """The value of an href: an element of the same file, or an embedded picture in an <image>."""
    value = value.strip()
    if not (value.startswith("data:") if kind == "image" else re.fullmatch(NAME, value)):
        raise RefusedError(
            f"<{kind}> refers to {value[:MAX_QUOTED]!r}; only parts of the same file and embedded "
            f"pictures are accepted"
        )
    return value


def _check_value(name: str, value: str) -> str:
    """The value of an attribute or a property, if its functions are accepted."""
    value = value.strip()
    if name in REFERRING and REFERENCE.fullmatch(value):
        return value
    if name in NUMERIC and max(map(float, NUMBER.findall(value)), default=0.0) > MAX_NUMBER:
        raise RefusedError(
            f"{name} is {value[:MAX_QUOTED]!r}; numbers above {MAX_NUMBER:,.0f} are not accepted; "
            f"make the drawing smaller, or save it as PNG"
        )
    before_brackets = value.split("(")[:-1]
    functions = {text.rpartition(")")[2].strip(", \t\r\n") for text in before_brackets}
    if not functions <= FUNCTIONS or "\\" in value or "!" in value:
        raise RefusedError(f"{name} is {value[:MAX_QUOTED]!r}, which is not accepted; {AS_PNG}")
    return value


# -- styles


def _apply_styles(root: Element, sheet: str) -> None:
    """Replace the style sheet and the attributes `class` and `style` by attributes."""
    index: dict[str, list[tuple[tuple[int, int, int], int, _Rule]]] = {}
    for position, rule in enumerate(_read_rules(sheet)):
        key = max(rule.needed, key=_rank_part)
        index.setdefault(key, []).append((rule.specificity, position, rule))
    applied = 0
    for element in root.iter():
        names = {"*", element.tag, f"#{element.get('id', '')}"}
        names.update(f".{name}" for name in element.attrib.pop("class", "").split())
        rules = [entry for name in names for entry in index.get(name, ())]
        applied += sum(1 + len(rule.declarations) for *_, rule in rules)
        if applied > MAX_APPLIED:
            raise RefusedError(f"has too many styles; {PLAIN}")
        declared: dict[str, str] = {}
        for *_, rule in sorted(rules):
            if rule.needed <= names:
                declared.update(rule.declarations)
        declared.update(_read_declarations(element.attrib.pop("style", "")))
        only = {name: declared.pop(name, neutral) for name, neutral in STYLE_ONLY.items()}
        element.attrib.update(declared)
        if only != STYLE_ONLY:
            element.set("style", ";".join(f"{name}:{value}" for name, value in only.items()))


def _rank_part(part: str) -> int:
    """Parts of selectors that few elements have come last."""
    if part == "*":
        return 0
    return {"#": 3, ".": 2}.get(part[0], 1)


def _read_rules(sheet: str) -> Iterator[_Rule]:
    """The rules of a style sheet, each for one selector."""
    sheet = re.sub(r"/\*.*?(?:\*/|\Z)|<!--|-->", " ", sheet, flags=re.DOTALL)
    if sheet.count("{") + sheet.count(",") > MAX_SELECTORS:
        raise RefusedError(f"has more than {MAX_SELECTORS:,} styles; {PLAIN}")
    *blocks, rest = sheet.split("}")
    if rest.strip():
        raise RefusedError(_refuse_style(rest.strip(), PLAIN))
    for block in blocks:
        selectors, _, text = block.partition("{")
        parts = [_split_selector(selector.strip()) for selector in selectors.split(",")]
        declarations = dict(_read_declarations(text))
        for needed in parts:
            yield _Rule(frozenset(needed), _find_specificity(needed), declarations)


def _split_selector(selector: str) -> list[str]:
    """What an element must have: its kind or '*', and names, such as '.a' or '#a'."""
    match = SELECTOR.fullmatch(selector)
    if not match:
        raise RefusedError(_refuse_style(selector, PLAIN))
    return [match[1] or "*", *re.findall(r"[.#][\w-]+", match[2])]


def _find_specificity(needed: list[str]) -> tuple[int, int, int]:
    """Of two rules for an element, that with the greater specificity counts."""
    ranks = [_rank_part(part) for part in needed]
    return ranks.count(3), ranks.count(2), ranks.count(1)


def _refuse_style(style: str, remedy: str) -> str:
    return f"has the style {style[:MAX_QUOTED]!r}, which is not accepted; {remedy}"


def _read_declarations(text: str) -> Iterator[tuple[str, str]]:
    """The accepted properties in a style, with their values."""
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        name, value = name.strip(), value.strip()
        if name in PROPERTIES:
            if not value.startswith(WIDE_GAMUT):
                yield name, _check_value(name, value)
        elif name and not IGNORED.fullmatch(name):
            raise RefusedError(_refuse_style(declaration.strip(), AS_PNG))


# -- how much is drawn


def _name_elements(root: Element) -> dict[str, Element]:
    """The elements by their names. If a name is used twice, the first element keeps it."""
    named: dict[str, Element] = {}
    for element in root.iter():
        name = element.get("id")
        if name is not None and named.setdefault(name, element) is not element:
            del element.attrib["id"]
    return named


class _Measure:
    """Counts what a picture draws."""

    def __init__(self, named: Mapping[str, Element], pixels: Mapping[Element, int]) -> None:
        self._named = named
        self._pixels = pixels
        self._costs: dict[Element, _Cost] = {}

    def check(self, root: Element) -> None:
        """Raise RefusedError if drawing the picture would take long."""
        if self._measure(root, 1).drawn > MAX_DRAWN:
            raise RefusedError(
                f"draws more than {MAX_DRAWN:,} elements, because parts are used repeatedly; "
                f"simplify it, or save it as PNG"
            )

    def _measure(self, element: Element, level: int) -> _Cost:
        """The cost of an element that lies at this level."""
        if level > MAX_LEVELS:
            raise RefusedError(_too_deep(element.tag))
        cost = self._costs.get(element) or self._add_up(element, level)
        if level + cost.levels - 1 > MAX_LEVELS:
            raise RefusedError(_too_deep(element.tag))
        self._costs[element] = cost
        return cost

    def _add_up(self, element: Element, level: int) -> _Cost:
        targets = {
            name: target
            for name, value in element.attrib.items()
            if (target := self._find_target(name, value)) is not None
        }
        step = LEVELS_PER_REFERENCE if targets else 1
        once = [self._measure(child, level + step) for child in element]
        per_shape, per_vertex = list[_Cost](), list[_Cost]()
        for name, target in targets.items():
            cost = self._measure(target, level + step)
            if name in PER_SHAPE:
                per_shape.append(cost)
            elif name in PER_VERTEX:
                per_vertex.append(cost)
            else:
                once.append(cost)
        outline = len(element.get("d", "")) + len(element.get("points", ""))
        size = 1 + outline // CHARACTERS_PER_ELEMENT
        size += self._pixels.get(element, 0) // PIXELS_PER_ELEMENT
        if any(element.get(name, neutral) != neutral for name, neutral in LAYERED.items()):
            size += ELEMENTS_PER_LAYER
        shapes = sum(cost.shapes for cost in once) + (element.tag in SHAPES)
        # A command with its coordinates has at least two characters.
        vertices = sum(cost.vertices for cost in once) + outline // 2 + 2
        drawn = size + sum(cost.drawn for cost in once)
        drawn += shapes * sum(cost.drawn for cost in per_shape)
        drawn += vertices * sum(cost.drawn for cost in per_vertex)
        inner = [cost.levels for cost in (*once, *per_shape, *per_vertex)]
        return _Cost(drawn, shapes, vertices, step + max(inner, default=0))

    def _find_target(self, name: str, value: str) -> Element | None:
        """The element that an attribute refers to, if any."""
        if name == "href":
            return self._named.get(value.removeprefix("#"))
        if name in REFERRING and (match := REFERENCE.fullmatch(value)):
            return self._named.get(match[2])
        return None
