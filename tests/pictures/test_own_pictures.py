"""Own pictures on toothed pieces, on pieces made of cells and on colours."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jigsat.encodings.interlocking.picture import draw_image, piece_outline
from jigsat.encodings.interlocking.rules import Interlocking
from jigsat.encodings.tiling.picture import cover_placement, drawn_board
from jigsat.encodings.tiling.rules import Tiling
from support.png import png

import jigsat
from jigsat.boards import Point, middle
from jigsat.errors import InputError
from jigsat.instance import instance_text
from jigsat.pictures import Image, Picture, regular

SVG = "{http://www.w3.org/2000/svg}"

FRAMED = """
family = "interlocking"
board = "square 1x2"
frame = "#.#.#\\n.---#\\n#.#.."
[pieces]
one = ".#.\\n#-#\\n.#."
two = ".#.\\n.-.\\n.##"
"""
STRIPS = """
family = "tiling"
board = "bww\\nwbb"
[pieces]
one = "wwb"
two = "bw"
three = "b"
"""
BENT = """
family = "tiling"
board = "{}"
uses = [1, 9]
left_over = "any"
{}
[pieces]
one = "{}"
"""
TORUS = BENT.format("torus 3x4", "", "###\\n#..")
TILINGS = [
    STRIPS,
    TORUS,
    BENT.format("square 2x3", "turning = false", "##\\n#."),
    BENT.format("square 2x4", "turning = false\nturning_over = false", "##"),
    BENT.format("hexagon 3", "", "# # #\\n     #"),
    BENT.format("triangle 3", "", "^v^v"),
    BENT.format("##\\n##\\n##", "turning_over = false", "##"),
]


def saved(folder: Path, text: str, *names: str) -> Path:
    (folder / "own.png").write_bytes(png(3, 2))
    pictures = "".join(f'{name} = "own.png"\n' for name in names)
    (folder / "own.toml").write_text(f"{text}\n[pictures]\n{pictures}", encoding="utf-8")
    return folder / "own.toml"


def test_a_picture_may_be_in_the_puzzle_itself(tmp_path: Path) -> None:
    file = jigsat.load(saved(tmp_path, STRIPS, "one"))
    url = f"data:image/png;base64,{b64encode(png(3, 2)).decode()}"
    text = f'{STRIPS}\n[pictures]\none = "{url}"\n'
    assert [part.svg for part in jigsat.load(text).parts()] == [part.svg for part in file.parts()]
    assert jigsat.load(instance_text(jigsat.load(text))).pictures == {"one": url}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "data, fault",
    [
        (b"\x89PNG", "not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "contains a script"),
    ],
)
def test_a_wrong_picture_in_the_puzzle_is_refused(data: bytes, fault: str) -> None:
    for url in (
        f"data:image/png;base64,{b64encode(data).decode()}",
        "data:image/png;base64,???",
        "data:,",
    ):
        with pytest.raises(
            InputError, match=rf"pictures\.one: the embedded picture: ({fault}|not a picture)"
        ):
            jigsat.load(f'{STRIPS}\n[pictures]\none = "{url}"\n')


def drawn(svg: str) -> tuple[int, set[str | None]]:
    """The number of pictures, and the words."""
    root = ElementTree.fromstring(svg)
    return len([*root.iter(f"{SVG}use")]), {text.text for text in root.iter(f"{SVG}text")} - {None}


@pytest.mark.parametrize("text", [FRAMED, *TILINGS], ids=range(8))
def test_a_piece_shows_its_picture_and_its_name(text: str, tmp_path: Path) -> None:
    puzzle = jigsat.load(saved(tmp_path, text, "one"))
    solution = next(
        each
        for each in jigsat.solutions(puzzle)
        if any(lie.piece == "one" for lie in each.placements)
    )
    for svg in (solution.svg(), puzzle.parts()[1].svg):
        number, words = drawn(svg)
        assert number
        assert ("one" in words) == (svg != solution.svg() or len(puzzle.pieces) > 1)
    assert [drawn(part.svg)[0] for part in puzzle.parts() if "two" in drawn(part.svg)[1]] == [0] * (
        "two" in text
    )


def test_a_colour_shows_its_picture_on_every_cell(tmp_path: Path) -> None:
    puzzle = jigsat.load(saved(tmp_path, STRIPS, "b"))
    assert [drawn(part.svg)[0] for part in puzzle.parts()] == [3, 1, 1, 1]
    number, words = drawn(next(jigsat.solutions(puzzle)).svg())
    assert (number, words) == (3, {"one", "two", "three"})


def test_letters_stay_readable(tmp_path: Path) -> None:
    lettered = STRIPS.replace("[pieces]", 'letters = "ABC\\nDEF"\n[pieces]')
    puzzle = jigsat.load(saved(tmp_path, lettered, "b"))
    for svg in (puzzle.parts()[0].svg, next(jigsat.solutions(puzzle)).svg()):
        root = ElementTree.fromstring(svg)
        assert {*"ABCDEF"} <= drawn(svg)[1]
        assert len([disc for disc in root.iter(f"{SVG}circle") if disc.get("fill") == "white"]) >= 3


def test_letters_and_walls_are_seen_on_black_cells_beside_pictures(tmp_path: Path) -> None:
    lettered = STRIPS.replace("[pieces]", 'letters = "ABC\\nDEF"\n[pieces]')
    puzzle = jigsat.load(saved(tmp_path, lettered, "w"))
    root = ElementTree.fromstring(next(jigsat.solutions(puzzle)).svg())
    assert len([disc for disc in root.iter(f"{SVG}circle") if disc.get("fill") == "white"]) == 6
    lines = [line.get("stroke") for line in root.iter(f"{SVG}line")]
    assert lines.count("white") == lines.count("#222") > 0


class Covered(Picture):
    """A picture that notes the middles and the polygons of the cells that are covered, where they
    are on the board."""

    def __init__(self) -> None:
        super().__init__()
        self.middles: list[Point] = []
        self.polygons: list[list[Point]] = []
        self.faded = False

    def cover(
        self,
        image: Image,
        polygons: Sequence[Sequence[Point]],
        *,
        within: Any = (),
        opacity: float = 1.0,
    ) -> None:
        within = [*(within or polygons)]
        self.middles += [self._map(middle(polygon)) for polygon in within]
        self.polygons += [[self._map(point) for point in polygon] for polygon in within]
        self.faded |= opacity < 1


def close(points: Sequence[Point]) -> list[Point]:
    return sorted(tuple(round(x + 1e-4, 2) + 0.0 for x in point) for point in points)


@pytest.mark.parametrize("text", TILINGS, ids=range(7))
def test_a_picture_covers_the_cells_of_its_piece(text: str, tmp_path: Path) -> None:
    puzzle = jigsat.load(saved(tmp_path, text, "one"))
    assert isinstance(puzzle, Tiling)
    found = []
    for placement in puzzle.candidates:
        picture = Covered()
        cover_placement(picture, puzzle, placement)
        if picture.middles:
            assert close(picture.middles) == close(
                [middle(drawn_board(puzzle).polygons[cell]) for cell in placement.cells]
            )
            found.append(picture.faded)
    assert found
    chiral = "#.." in text or "     #" in text or "^v^v" in text
    assert any(found) == (chiral or ("turning = false" in text and "#." in text)), (
        "only if it must be turned over"
    )


def test_a_picture_has_the_teeth_of_its_piece(tmp_path: Path) -> None:
    puzzle = jigsat.load(saved(tmp_path, FRAMED, "one", "two"))
    assert isinstance(puzzle, Interlocking)
    corners = regular(4)
    for placement, shape in puzzle.candidates.items():
        picture = Covered()
        at = [corners[(placement.turn + (1 - i if placement.flipped else i)) % 4] for i in range(4)]
        draw_image(picture, puzzle, placement.piece, Image("", 1), at)
        assert close(picture.polygons[0]) == close(
            piece_outline(puzzle.size, corners, [*map(bool, shape.rim)])
        )


def wrong() -> Iterator[tuple[str, str, str]]:
    yield FRAMED, "three", "pictures: no piece has the name 'three'"
    yield STRIPS, "r", "pictures: no piece and no colour has the name 'r'"
    yield (
        STRIPS,
        "onne",
        "pictures: no piece and no colour has the name 'onne'; did you mean 'one'?",
    )
    yield STRIPS.replace("three", "b"), "b", "pictures: both a piece and a colour have the name 'b'"
    yield (
        BENT.format("##\\n\\n##", "", "##"),
        "one",
        "pictures: pieces in space, such as 'one', have no picture",
    )


@pytest.mark.parametrize(("text", "name", "says"), [*wrong()])
def test_a_picture_of_nothing_is_refused(text: str, name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says.replace("?", r"\?")):
        jigsat.load(saved(tmp_path, text, name))


@pytest.mark.parametrize("text", [FRAMED, STRIPS])
def test_a_text_from_a_stranger_keeps_its_names(text: str) -> None:
    puzzle = jigsat.load(f'{text}[pictures]\none = "/etc/passwd"\n')
    for svg in (puzzle.parts()[1].svg, next(jigsat.solutions(puzzle)).svg()):
        assert (drawn(svg)[0], "one" in drawn(svg)[1]) == (0, True)
