"""Tilings of named boards compared with a search that shares no code with jigsat: hexagons, triangles, tori and cylinders."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from support.agreement import assert_counted, parsed

import jigsat
from jigsat.errors import InputError
from jigsat.symmetry.group import Group

Point = tuple[int, int]
Tile = frozenset[Point]
"""A cell: the middle of a square or a hexagon, or the corners of a triangle."""
Move = Callable[[Point], Point]
Picture = frozenset[tuple[int, frozenset[Tile]]]


def quarter(point: Point) -> Point:
    return point[1], -point[0]


def sixth(point: Point) -> Point:
    """A turn by 60 degrees of points in rows, with the columns between them half as far apart."""
    y, x = point
    return (y + x) // 2, (x - 3 * y) // 2


def moves(kind: str, *, turning: bool = True, mirrored: bool = True) -> Iterator[tuple[Move, bool]]:
    turn, number = (quarter, 4) if kind == "squares" else (sixth, 6)
    for over, times in product((False, True)[: 1 + mirrored], range(number if turning else 1)):

        def move(point: Point, over: bool = over, times: int = times) -> Point:
            point = (point[0], -point[1]) if over else point
            for _ in range(times):
                point = turn(point)
            return point

        yield move, over


def tile(kind: str, row: int, column: int, up: bool = True) -> Tile:
    if kind != "triangles":
        return frozenset([(row, column)])
    return frozenset([(row + (not up), column), (row + up, column - 1), (row + up, column + 1)])


def drawing(kind: str, piece: frozenset[Tile]) -> str:
    """The piece in a drawing of its kind."""
    at = {}
    for one in piece:
        rows = sorted(y for y, _ in one)
        up = rows[-1] == rows[len(rows) // 2]
        at[rows[0], sorted(x for _, x in one)[len(one) // 2]] = "#" if kind != "triangles" else "^" if up else "v"
    (top, low), (left, right) = ((min(axis), max(axis) + 1) for axis in zip(*at, strict=True))
    empty = "." if kind == "squares" else " "
    return "\n".join("".join(at.get((y, x), empty) for x in range(left, right)).rstrip() for y in range(top, low))


@dataclass(frozen=True)
class Twin:
    """A puzzle as plain data: the cells of the board by name, and pieces with the minimum and maximum number of uses."""

    kind: str
    board: str
    cells: dict[Point, Tile]
    wrap: Point
    pieces: tuple[tuple[frozenset[Tile], int, int], ...]
    left_over: int = 0
    turning: bool = True
    turning_over: bool = True

    def on_board(self, one: Tile) -> Tile:
        rows, columns = self.wrap
        return frozenset((y % rows if rows else y, x % columns if columns else x) for y, x in one)

    def home(self, tiles: frozenset[Tile]) -> frozenset[Tile]:
        y, x = min(point for one in tiles for point in one)
        return frozenset(frozenset((b - y, a - x) for b, a in one) for one in tiles)

    def looks(self, piece: frozenset[Tile], *more: Move) -> frozenset[frozenset[Tile]]:
        ways = [move for move, _ in moves(self.kind, turning=self.turning, mirrored=self.turning_over)]
        found = set()
        for way in ways:
            tiles = frozenset(frozenset(map(way, one)) for one in piece)
            for move in more:
                tiles = frozenset(frozenset(map(move, one)) for one in tiles)
            found.add(self.home(tiles))
        return frozenset(found)

    @cached_property
    def classes(self) -> dict[frozenset[frozenset[Tile]], tuple[int, int]]:
        found: dict[frozenset[frozenset[Tile]], tuple[int, int]] = {}
        for piece, least, most in self.pieces:
            low, high = found.get(self.looks(piece), (0, 0))
            found[self.looks(piece)] = low + least, high + most
        return found

    def lying(self, looks: frozenset[frozenset[Tile]]) -> set[frozenset[Tile]]:
        """The sets of cells that a piece can cover."""
        board, points = set(self.cells.values()), {point for one in self.cells.values() for point in one}
        found = set()
        for look, (to_y, to_x) in product(looks, points):
            y, x = min(point for one in look for point in one)
            if self.kind == "squares" or (to_y - y + to_x - x) % 2 == 0:
                there = [self.on_board(frozenset((b - y + to_y, a - x + to_x) for b, a in one)) for one in look]
                if len(set(there)) == len(there) and board.issuperset(there):
                    found.add(frozenset(there))
        return found

    def solutions(self) -> Iterator[Picture]:
        order = list(self.cells.values())
        places = [self.lying(looks) for looks in self.classes]
        bounds = list(self.classes.values())

        def search(free: frozenset[Tile], left: int, done: tuple[tuple[int, frozenset[Tile]], ...]) -> Iterator[Picture]:
            first = next((one for one in order if one in free), None)
            used = [sum(number == i for i, _ in done) for number in range(len(bounds))]
            if first is None:
                if left == 0 and all(low <= times for times, (low, _) in zip(used, bounds, strict=True)):
                    yield frozenset(done)
                return
            if left:
                yield from search(free - {first}, left - 1, done)
            for number, there in enumerate(places):
                for one in there:
                    if first in one and one <= free and used[number] < bounds[number][1]:
                        yield from search(free - one, left, (*done, (number, one)))

        yield from search(frozenset(order), self.left_over, ())

    def orbits(self, solutions: set[Picture], level: str) -> int:
        """The number of solutions up to the motions of the board."""
        board, points = set(self.cells.values()), [point for one in self.cells.values() for point in one]
        classes, movers = list(self.classes), []
        for move, over in moves(self.kind):
            rows, columns = self.wrap
            if (over and level == "rotation") or any(
                any(self.on_board(frozenset([move(p)])) != {(0, 0)} for p in ps) for ps in [[(rows, 0), (0, columns)]]
            ):
                continue
            kinds = [
                frozenset(self.home(frozenset(frozenset(map(move, t)) for t in look)) for look in looks) for looks in classes
            ]
            used = [i for i, looks in enumerate(classes) if self.lying(looks)]
            if any(kinds[i] not in self.classes or self.classes[kinds[i]] != self.classes[classes[i]] for i in used):
                continue
            first = move(points[0])
            for y, x in points:

                def to(point: Point, dy: int = y - first[0], dx: int = x - first[1], move: Move = move) -> Point:
                    b, a = move(point)
                    return b + dy, a + dx

                if {self.on_board(frozenset(map(to, one))) for one in board} == board:
                    movers.append((to, {i: classes.index(kinds[i]) for i in used}))
        rest, number = set(solutions), 0
        while rest:
            picture = next(iter(rest))
            number += 1
            for to, kind in movers:
                rest.discard(
                    frozenset((kind[i], frozenset(self.on_board(frozenset(map(to, t))) for t in tiles)) for i, tiles in picture)
                )
        return number

    def data(self) -> dict[str, Any]:
        pieces = {
            f"p{i}": {"shape": drawing(self.kind, piece), "uses": [low, high]}
            for i, (piece, low, high) in enumerate(self.pieces)
        }
        flags = {"turning": self.turning, "turning_over": self.turning_over, "left_over": self.left_over}
        return {"family": "tiling", "board": self.board, "pieces": pieces, **flags}

    def seen(self, placements: Any) -> list[tuple[int, frozenset[Tile]]]:
        """The class and the cells of each placement."""
        classes = list(self.classes)
        return [
            (classes.index(self.looks(self.pieces[int(name[1:])][0])), frozenset(self.cells[cell] for cell in cells))
            for name, cells in placements
        ]


def board_of(rng: random.Random) -> tuple[str, str, dict[Point, Tile], Point]:
    """The kind, the description, the cells and the wrapping of a small board."""
    kind = rng.choice(["squares", "hexagons", "triangles"])
    if kind == "squares":
        name, rows, columns = rng.choice(["torus", "torus", "cylinder", "square"]), rng.randint(1, 3), rng.randint(1, 4)
        wrap = {"torus": (rows, columns), "cylinder": (0, columns), "square": (0, 0)}[name]
        cells = {(y, x): tile(kind, y, x) for y in range(rows) for x in range(columns)}
        return kind, f"{name} {rows}x{columns}", cells, wrap
    if rng.random() < 0.3:
        if kind == "hexagons":
            cells = {(y, x): tile(kind, y, x - 1) for y, x in [(0, 1), (0, 3), (1, 0), (1, 2), (1, 4), (2, 1), (2, 3)]}
            return kind, "hexagon 2", cells, (0, 0)
        cells = {(y, x): tile(kind, y, x, (x + y) % 2 == 0) for y in range(3) for x in range(2 - y, 3 + y)}
        return kind, "triangle 3", cells, (0, 0)
    start = rng.randrange(2)
    at = [(y, x) for y in range(3) for x in range(5 if kind == "hexagons" else 4) if kind != "hexagons" or (x + y + start) % 2]
    at = [one for one in at if rng.random() < 0.85] or at
    up = {(y, x): (x + y + start) % 2 == 0 for y, x in at}
    tiles = [tile(kind, y, x + start + (kind == "hexagons"), up[y, x]) for y, x in at]
    drawn = drawing(kind, frozenset(tiles))
    top, left = min(y for y, _ in at), min(x for _, x in at)
    return kind, f"{kind}\n{drawn}", {(y - top, x - left): one for (y, x), one in zip(at, tiles, strict=True)}, (0, 0)


def near(kind: str, one: Tile, other: Tile, wrap: Point) -> bool:
    if kind == "triangles":
        return len(one & other) == 2
    (y, x), (b, a) = next(iter(one)), next(iter(other))
    far = [min(d % w, -d % w) if w else abs(d) for d, w in ((y - b, wrap[0]), (x - a, wrap[1]))]
    return sum(far) == 1 if kind == "squares" else far in ([0, 2], [1, 1])


def random_twin(rng: random.Random) -> Twin:
    """A puzzle with pieces cut from the board and then moved; some are changed in number."""
    kind, board, cells, wrap = board_of(rng)
    free, left_over = set(cells.values()), min(rng.choice([0, 0, 1]), len(cells) - 1)
    pieces: list[tuple[frozenset[Tile], int, int]] = []
    while len(free) > left_over:
        piece = [rng.choice(sorted(free, key=sorted))]
        for _ in range(min(rng.choice([0, 1, 1, 2, 3]), len(free) - left_over - 1)):
            touching = [one for one in free - set(piece) if any(near(kind, one, its, (0, 0)) for its in piece)]
            piece += [rng.choice(sorted(touching, key=sorted))] if touching else []
        free -= set(piece)
        move, _ = rng.choice(list(moves(kind)))
        pieces.append((frozenset(frozenset(map(move, one)) for one in piece), *rng.choice([(1, 1), (1, 1), (0, 2)])))
    return Twin(kind, board, cells, wrap, tuple(pieces), left_over, rng.random() < 0.8, rng.random() < 0.7)


twins = st.integers(0, 2**32).map(lambda seed: random_twin(random.Random(seed)))


@settings(deadline=None, max_examples=30)
@given(twins)
def test_tilings_of_named_boards_agree_with_a_simple_search(twin: Twin) -> None:
    puzzle = parsed(twin.data())
    expected = set(islice(twin.solutions(), 300))
    assume(len(expected) < 300)
    event(twin.kind)
    event("several solutions" if len(expected) > 1 else "at most one solution")
    found = [frozenset(twin.seen(solution.placements)) for solution in jigsat.solutions(puzzle, up_to="nothing")]
    assert len(found) == len(set(found))
    assert set(found) == expected
    levels = Group.of(puzzle.encode(), puzzle.symmetries()).orders
    assert_counted(puzzle, len(expected), {level: twin.orbits(expected, level) for level in levels})
    by_listing = jigsat.count(puzzle, backend="cadical195")
    assert by_listing.distinct == {level: twin.orbits(expected, level) for level in by_listing.distinct}


@settings(deadline=None, max_examples=25)
@given(twins, st.randoms(use_true_random=False))
def test_the_check_refuses_what_the_simple_search_does_not_find(twin: Twin, rng: random.Random) -> None:
    puzzle = parsed(twin.data())
    expected = set(islice(twin.solutions(), 300))
    assume(0 < len(expected) < 300)
    right = list(next(jigsat.solutions(puzzle, up_to="nothing")).placements)
    for _ in range(12):
        wrong = list(right)
        i = rng.randrange(len(right))
        one, cells = right[i], sorted(twin.cells)
        match rng.choice(["drop", "again", "rename", "reorder", "move a cell", "move"]):
            case "drop":
                del wrong[i]
            case "again":
                wrong.append(one)
            case "rename":
                wrong[i] = one._replace(piece=f"p{rng.randrange(len(twin.pieces))}")
            case "reorder":
                wrong[i] = one._replace(cells=tuple(rng.sample(one.cells, len(one.cells))))
            case "move a cell":
                wrong[i] = one._replace(cells=(*one.cells[1:], rng.choice(cells)))
            case "move":
                wrong[i] = one._replace(cells=tuple(rng.sample(cells, len(one.cells))))
        seen = twin.seen(wrong)
        sizes_fit = all(len(where) == len(twin.pieces[int(name[1:])][0]) for name, where in wrong)
        lawful = sizes_fit and len(set(seen)) == len(seen) and frozenset(seen) in expected
        event("lawful" if lawful else "unlawful")
        assert bool(list(puzzle.check(wrong))) != lawful, wrong
    off = right[0]._replace(cells=tuple((y - 9, x) for y, x in right[0].cells))
    assert list(puzzle.check([off, *right[1:]]))


def tiling(board: str, pieces: dict[str, Any], **entries: Any) -> Any:
    return parsed({"family": "tiling", "board": board, "pieces": pieces, **entries})


def test_a_triangle_that_points_down_is_not_a_translate_of_one_that_points_up() -> None:
    for turning, expected in (False, 1), (True, 2):
        puzzle = tiling("triangles\n^v", {"up": "^", "down": {"shape": "v"}}, turning=turning, turning_over=False, uses=[0, 1])
        assert jigsat.count(puzzle).solutions == 1
        one = tiling("triangles\n^v", {"up": "^"}, turning=turning, turning_over=False, uses="any", left_over=1)
        assert jigsat.count(one).solutions == expected


def test_a_drawing_of_squares_and_the_named_board_are_the_same_formula() -> None:
    pieces = {"L": "#.\n#.\n##", "I": "####", "T": "###\n.#."}
    drawn, named, kind = (tiling(board, pieces) for board in ("####\n####\n####", "square 3x4", "squares\n####\n####\n####"))
    constraints = list(drawn.encode().constraints())
    assert list(named.encode().constraints()) == list(kind.encode().constraints()) == constraints
    assert set(named.candidates) == set(drawn.candidates)


@pytest.mark.parametrize(("size", "published"), [("4x4", 272), ("4x6", 3108), ("6x6", 90176)])
def test_dominoes_on_a_torus_agree_with_the_formula_of_kasteleyn(size: str, published: int) -> None:
    assert jigsat.count(tiling(f"torus {size}", {"domino": "##"}, uses="any")).solutions == published


def test_cells_covered_in_several_ways_around_a_torus_are_one_placement() -> None:
    assert jigsat.count(tiling("torus 2x2", {"domino": "##"}, uses="any")).solutions == 2
    assert jigsat.count(tiling("cylinder 2x3", {"bar": "###"}, uses="any")).solutions == 1


def test_colours_of_hexagons_match() -> None:
    board = "hexagons\n b w\nw b w\n w b"
    assert jigsat.count(tiling(board, {"bar": "w b w", "pair": {"shape": "b w", "uses": 2}})).solutions == 2
    with pytest.raises(InputError, match="no cell of the board has the colour 'r'"):
        tiling(board, {"bar": "r w", "pair": {"shape": "b w", "uses": "any"}})


@pytest.mark.parametrize(
    ("board", "piece", "said"),
    [
        ("cube", "#", "board: cube is a solid"),
        ("sqare 3x3", "#", "did you mean 'square 3x3'"),
        ("bw wb\nwbwbw", "#", "row 1 contains a blank"),
        ("hexagon 2", "##", r"pieces.p: hexagons: row 1, column 2 is misaligned"),
        ("triangle 2", "##", r"pieces.p: triangles: row 1, column 1 is '#'; draw \^"),
        ("torus 2x2", "#\n\n#", "blank line inside a drawing in the plane"),
        ("hexagons\n", "#", "this drawing has no cells"),
    ],
)
def test_errors_name_the_place(board: str, piece: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tiling(board, {"p": piece}, uses="any")


def test_pictures_show_the_pieces() -> None:
    row = tiling("triangles\n^v^v", {"a": "^v^", "b": "v"})
    (solution, *_) = jigsat.solutions(row, up_to="nothing")
    assert solution.text() == "\n".join(
        [
            "   ____________",
            "  /      \\    /",
            " /a  a  a \\b /",
            "/__________\\/",
        ]
    )
    assert solution.svg().count(">a</text>") == solution.svg().count(">b</text>") == 1
    flower = tiling("hexagon 2", {"a": "# #\n #", "b": "# #"}, uses=[1, 2])
    (solution, *_) = jigsat.solutions(flower)
    assert len(solution.text().splitlines()) == 7
    cylinder = tiling("cylinder 2x3", {"bar": "###"}, uses="any")
    (solution, *_) = jigsat.solutions(cylinder)
    assert "│" not in solution.text()
    assert solution.text().endswith("a piece continues on the opposite side")
    assert "same red number" in solution.svg()
    assert any("wraps around" in rule for rule in cylinder.rules())
    assert len(cylinder.parts()) == 2


def test_pentominoes_on_a_cylinder_agree_with_a_simple_search() -> None:
    shapes = {"F": ".##\n##.\n.#.", "P": "##\n##\n#.", "Y": "####\n.#.."}
    pieces = tuple(
        (frozenset(tile("squares", y, x) for y, row in enumerate(s.split()) for x, c in enumerate(row) if c == "#"), 1, 1)
        for s in shapes.values()
    )
    cells = {(y, x): tile("squares", y, x) for y in range(3) for x in range(5)}
    for board, wrap in ("cylinder 3x5", (0, 5)), ("torus 3x5", (3, 5)):
        twin = Twin("squares", board, cells, wrap, pieces)
        solutions = set(twin.solutions())
        found = jigsat.count(tiling(board, shapes))
        assert found.solutions == len(solutions)
        assert found.distinct == {level: twin.orbits(solutions, level) for level in ("rotation", "reflection")}


def test_letters_of_any_board_are_read() -> None:
    puzzle = tiling("triangle 2", {"a": "^v^"}, letters=" A\nBCD", left_over=1)
    assert {puzzle.answer(s.placements) for s in jigsat.solutions(puzzle, up_to="nothing")} == {"A", "B", "D"}
    with pytest.raises(InputError, match="letters: the cells differ"):
        tiling("triangle 2", {"a": "^v^"}, letters=" A\nBC", left_over=1)


def test_optional_cells_of_any_board_may_stay_empty() -> None:
    for board, optional in ("triangle 2", "  +\n ###"), ("triangles\n ^\n^v^", " +\n###"):
        puzzle = tiling(board, {"a": "^v^"}, optional=optional)
        (solution,) = jigsat.solutions(puzzle, up_to="nothing")
        assert set(solution.placements[0].cells) == {(1, 0), (1, 1), (1, 2)}
        assert ">+</text>" in solution.svg()
        assert ">+</text>" in puzzle.parts()[0].svg
    ring = tiling("hexagon 2", {"pair": "# #"}, uses=3, optional=" # #\n# + #\n # #")
    assert jigsat.count(ring).solutions == 2


def test_selections_of_pieces_are_generated_on_hexagons() -> None:
    pieces = {"bar": "# # #", "bent": "# #\n   #", "rhombus": " # #\n# #", "pair": "# #", "bee": "# #\n #", "one": "#"}
    (puzzle,) = jigsat.generate("tiling", board="hexagon 2", pieces=pieces)
    assert jigsat.count(puzzle).distinct["reflection"] >= 1
    with pytest.raises(InputError, match="pieces with colours need a drawn board"):
        jigsat.generate("tiling", board="hexagon 2")
