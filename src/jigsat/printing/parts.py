"""What is printed, as data: pictures with their true size, titles, rules, clues and solutions.

A template lays them out: `book.typ` for files, and `print.css` in a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import sha256
from xml.etree import ElementTree

from jigsat.errors import InputError
from jigsat.pictures import NAME, NOTE, Part, draw_steps, order_blocks
from jigsat.pictures.pages import SVG
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement

# longer captions, such as a list of guests, are printed with the rules, where they may break
MAX_CAPTION_LETTERS = 300
# what is legible in the picture of a solution: the height of its large and its small letters
LARGE_LETTER_MM, SMALL_LETTER_MM = 1.8, 1.77  # 5 points
MIN_SOLUTION_MM, MAX_SOLUTION_MM = 30.0, 110.0  # width of the picture of a solution
IN_ORDER = "put the pieces in one after another"
OWN_COLOURS = "in these pictures, each piece has a colour of its own"
LOCKED = (
    "the pieces lock: they cannot be put in one after another by straight moves; they are shown "
    "one by one"
)


@dataclass(frozen=True)
class Picture:
    """An SVG document with its true size in millimetres.

    `name_at` is where the name of a piece stands, as fractions of the width and the height.
    `least_scale` is how much smaller it may be printed.
    """

    svg: str
    width: float
    height: float
    caption: str = ""
    name_at: tuple[float, float] = (0.5, 0.5)
    least_scale: float = 1.0


@dataclass(frozen=True)
class Clues:
    """A list below a heading, such as the questions of a crossword."""

    heading: str
    lines: list[str]


@dataclass(frozen=True)
class Step:
    """How a puzzle is solved: a heading, sentences, and a picture if there is one."""

    heading: str
    lines: list[str]
    pictures: list[Picture]


@dataclass(frozen=True)
class PrintedSolution:
    """Remarks and pictures of a solution; `stages` shows how the pieces are put in.

    The pictures have the width that makes their letters legible.
    """

    remarks: list[str]
    pictures: list[Picture] = field(default_factory=list)
    stages: list[Picture] = field(default_factory=list)


@dataclass(frozen=True)
class PrintedPuzzle:
    """A puzzle: `boards` and `pieces` have one scale; `models` are pieces drawn in space. Without
    pieces, boards have the width that makes their letters legible.

    `shown` are the places of the pieces that a small picture of the set shows: each different one,
    in an order that tells nothing about a solution.
    `shares` is the number of the first of several puzzles with these pieces, which has them; 0 if
    no other puzzle has them. `solution` and `steps` are missing if they are not printed.
    """

    number: int
    title: str
    level: str
    rules: list[str]
    clues: list[Clues]
    boards: list[Picture]
    models: list[Picture]
    pieces: list[Picture]
    shown: list[int] = field(default_factory=list)
    shares: int = 0
    solution: PrintedSolution | None = None
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Group:
    """Puzzles with the same layout, which is its `kind`: cut, solid, beside or grid.

    `rules`, `boards` and `remarks` on solutions are what all of its puzzles have; `level` likewise.
    """

    kind: str
    subtitle: str
    rules: list[str]
    boards: list[Picture]
    level: str
    puzzles: list[PrintedPuzzle]
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """Groups of puzzles under a title."""

    title: str
    text: str
    groups: list[Group]


@dataclass(frozen=True)
class Style:
    """How a document looks: the paper, `bleed` in millimetres beyond its edges, what is on the
    backs of pieces (numbers, empty or none), fonts, at most `per_page` puzzles on a page,
    and whether a book has a cover."""

    paper: str = "a4"
    bleed: float = 0.0
    backs: str = "numbers"
    text_font: str = ""
    heading_font: str = ""
    font_folder: str = ""
    per_page: int | None = None
    cover: bool = True


@dataclass(frozen=True)
class Document:
    """Everything that is printed. A `book` has a cover, contents and chapters with titles."""

    title: str
    author: str
    book: bool
    chapters: list[Chapter]
    style: Style = Style()
    cover: list[Picture] = field(default_factory=list)

    def puzzles(self) -> list[PrintedPuzzle]:
        """All puzzles in their order."""
        return [
            puzzle
            for chapter in self.chapters
            for group in chapter.groups
            for puzzle in group.puzzles
        ]


def draw_picture(part: Part, number: int | None = None) -> Picture:
    """The picture of a part; a piece has the small number of its puzzle above its name."""
    root = ElementTree.fromstring(part.svg)
    root.attrib.pop("data-places", None)
    captions = [part.caption] if part.caption else []
    captions += _take_notes(root)
    if number is not None:
        _add_number(root, number)
    width = float(root.get("width", 1))
    height = float(root.get("height", 1))
    if not root.get("viewBox"):
        root.set("viewBox", f"0 0 {width:g} {height:g}")
    ElementTree.register_namespace("", SVG)
    svg = ElementTree.tostring(root, encoding="unicode")
    true_height = round(part.width * height / width, 3)
    return Picture(svg, part.width, true_height, "; ".join(captions), _find_name(root))


def _take_notes(root: ElementTree.Element) -> list[str]:
    """Take the small print and its room out of a picture, in which it would be too small to read if
    the picture is scaled down."""
    notes = [text for text in root.findall(f"{{{SVG}}}text") if text.get("class") == NOTE]
    for note in notes:
        root.remove(note)
    if notes and root.get("data-inner") and root.get("viewBox"):
        _cut_below(root)
    return ["".join(note.itertext()) for note in notes]


def _cut_below(root: ElementTree.Element) -> None:
    """Leave as little room below what is drawn as there is beside it."""
    left, top, width, height = map(float, root.get("viewBox", "").split())
    inner_left, inner_top, _, inner_height = map(float, root.get("data-inner", "").split())
    needed = inner_top + inner_height + (inner_left - left) - top
    if needed < height:
        root.set("viewBox", f"{left:g} {top:g} {width:g} {needed:g}")
        root.set("height", f"{needed:g}")


def _add_number(root: ElementTree.Element, number: int) -> None:
    """Print a small number above the name of a piece."""
    for name in root.findall(f".//{{{SVG}}}text[@class='{NAME}']"):
        size = float(name.get("font-size", 1))
        name.set("dy", "0.52em")
        decoration = name.attrib.pop("text-decoration", "")
        if decoration:  # it would cross the number
            attributes = {"text-decoration": decoration}
            underlined = ElementTree.SubElement(name, f"{{{SVG}}}tspan", attributes)
            underlined.text = name.text
            name.text = None
        small = {
            "x": "0",
            "dy": f"{-0.9 * size:g}",
            "font-size": f"{0.55 * size:g}",
            "font-weight": "normal",
        }
        ElementTree.SubElement(name, f"{{{SVG}}}tspan", small).text = str(number)


def _find_name(root: ElementTree.Element) -> tuple[float, float]:
    """Where the name of a piece stands, which is never outside of the piece."""
    name = root.find(f".//{{{SVG}}}text[@class='{NAME}']")
    if name is None:
        return 0.5, 0.5
    place = re.search(r"translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)", name.get("transform", ""))
    if place is None:
        return 0.5, 0.5
    left, top, width, height = map(float, root.get("viewBox", "").split())
    return (float(place[1]) - left) / width, (float(place[2]) - top) / height


def draw_puzzle(
    puzzle: Puzzle, number: int, title: str = "", level: str = "", *, numbered: bool = False
) -> PrintedPuzzle:
    """The parts of a puzzle; if it is `numbered`, each piece has its number."""
    parts = puzzle.parts()
    pieces = [part for part in parts if part.kind == "piece"]
    models = [] if pieces else [part for part in parts if part.name]
    boards = [part for part in parts if part.kind != "piece" and part not in models]
    rules, clues = [], []
    for rule in puzzle.rules():
        heading, *lines = rule.split("\n")
        if lines:
            clues.append(Clues(heading, lines))
        else:
            rules.append(rule)
    pictures = []
    for board in boards:
        picture = draw_picture(board)
        if len(picture.caption) > MAX_CAPTION_LETTERS:
            rules.append(picture.caption)
            picture = Picture(picture.svg, picture.width, picture.height)
        if not pieces:
            picture = replace(_make_legible(picture), caption=picture.caption)
        pictures.append(picture)
    return PrintedPuzzle(
        number,
        title,
        level,
        rules,
        clues,
        pictures,
        [_make_legible(draw_picture(part)) for part in models],
        _draw_pieces(puzzle, pieces, number if numbered else None),
        _shuffle_different([part.svg for part in pieces]),
    )


def _shuffle_different(pictures: Sequence[str]) -> list[int]:
    """The places of different pictures, in an order that depends on nothing but the pictures."""
    places = {picture: i for i, picture in enumerate(pictures)}
    return sorted(places.values(), key=lambda i: sha256(pictures[i].encode()).digest())


def _draw_pieces(puzzle: Puzzle, pieces: Sequence[Part], number: int | None) -> list[Picture]:
    """The pieces. Those as thick as their cells are wide have one size only, that of the foam."""
    is_thick = _is_thick(puzzle)
    pictures = []
    for part in pieces:
        picture = draw_picture(part, number)
        least = 1.0 if is_thick else _find_least_scale(picture)
        pictures.append(replace(picture, least_scale=least))
    return pictures


def _is_thick(puzzle: Puzzle) -> bool:
    try:
        return not all(block.any_thickness for block in puzzle.blocks())
    except InputError:  # pieces that are not made of squares or cubes, which may be of foam
        return True


def _find_least_scale(picture: Picture) -> float:
    """The scale at which the smallest letters of a picture can just be read."""
    sizes = _list_letter_sizes(picture)
    if not sizes:
        return 0.0
    needed = max(LARGE_LETTER_MM / max(sizes), SMALL_LETTER_MM / min(sizes))
    return min(1.0, needed / picture.width)


def draw_solution(
    puzzle: Puzzle, placements: Sequence[Placement] | None, remark: str = ""
) -> PrintedSolution:
    """A solution in pictures and words; only the remark if there are no placements."""
    remarks = [remark] if remark else []
    if placements is None:
        return PrintedSolution(remarks)
    answer = puzzle.answer(placements)
    if answer:
        remarks.append(f"answer: {answer}")
    picture = draw_picture(Part(puzzle.answer_svg(placements), MAX_SOLUTION_MM))
    if picture.caption:
        remarks.append(picture.caption)
    stages = []
    solid = puzzle.solid(placements)
    if solid and solid.blocks:
        order = order_blocks(solid.blocks)
        steps = order or [(block, "") for block in solid.blocks]
        directions = {direction for _, direction in steps}
        if len(directions) == 1:
            steps = [(block, "") for block, _ in steps]
        remarks.append(_describe_order(directions) if order else LOCKED)
        remarks.append(OWN_COLOURS)
        parts = draw_steps(steps)
        stages = [draw_picture(part) for part in parts]
    return PrintedSolution(remarks, [_make_legible(picture)], stages)


def _describe_order(directions: Set[str]) -> str:
    """How the pieces are put in; a direction that all of them have stands here, once."""
    return f"{IN_ORDER}, {min(directions)}" if len(directions) == 1 else IN_ORDER


def draw_legibly(part: Part) -> Picture:
    """The picture of a part as wide as its letters need to be read, with its caption."""
    picture = draw_picture(part)
    return replace(_make_legible(picture), caption=picture.caption)


def _make_legible(picture: Picture) -> Picture:
    """The picture without its caption, as wide as its letters need to be read."""
    scale = min(1.0, max(MIN_SOLUTION_MM / picture.width, _find_least_scale(picture)))
    return Picture(picture.svg, scale * picture.width, scale * picture.height)


def _list_letter_sizes(picture: Picture) -> list[float]:
    """The sizes of the letters in a picture, as parts of its width."""
    root = ElementTree.fromstring(picture.svg)
    width = float(root.get("viewBox", "").split()[2])
    root.set("width", f"{width}")
    root.attrib.pop("height", None)
    return [size / width for size in _find_letter_sizes(root, 1.0)]


def _find_letter_sizes(element: ElementTree.Element, scale: float) -> Iterator[float]:
    """The sizes of the letters in an element that is drawn at this scale, and in pictures in it."""
    if element.tag == f"{{{SVG}}}svg":
        width = float(element.get("viewBox", "").split()[2])
        scale *= float(element.get("width", width)) / width
    elif element.tag == f"{{{SVG}}}text":
        if not "".join(element.itertext()).isalnum():  # arrows
            return
        size = float(element.get("font-size", 1))
        for part in element.iter():
            yield scale * float(part.get("font-size", size))
    for child in element:
        yield from _find_letter_sizes(child, scale)
