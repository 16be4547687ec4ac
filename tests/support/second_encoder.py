"""A second encoding of edge matching, sudoku and tilings, from the instance file and the rules of
the family in docs/instances.md.

It imports nothing of jigsat, has no auxiliary variables, and knows only what the tests need: boards
of squares, of hexagons, of triangles (tilings) and of cubes (tilings), and no groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

Data: TypeAlias = Mapping[str, Any]  # the content of an instance file, or of a placement
Point: TypeAlias = tuple[int, ...]
Names: TypeAlias = Callable[[Data], Hashable]  # the name of the variable of a placement

ALL = 10**9


class Encoding:
    """Clauses over named variables."""

    def __init__(self) -> None:
        self.variables: dict[Hashable, int] = {}
        self.clauses: list[list[int]] = []

    def variable(self, name: Hashable) -> int:
        return self.variables.setdefault(name, len(self.variables) + 1)

    def between(self, least: int, most: int, variables: Iterable[int]) -> None:
        """At least and at most this many are true."""
        distinct = sorted(set(variables))
        if most < len(distinct):
            self.clauses += [[-x for x in some] for some in combinations(distinct, most + 1)]
        if least > 0:
            size = max(0, len(distinct) - least + 1)
            self.clauses += [list(some) for some in combinations(distinct, size)]


def encode(data: Data) -> tuple[Encoding, Names]:
    """The clauses of an instance, and a function that names the variable of a placement."""
    families = {"edge-matching": _edge_matching, "sudoku": _sudoku, "tiling": _tiling}
    encoding = Encoding()
    return encoding, families[data["family"]](data, encoding)


# -- edge matching: a variable says which sides a cell shows

SQUARE = [(-1, 0), (0, 1), (1, 0), (0, -1)]
HEXAGON = [(-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1)]  # clockwise from the upper right


def _cells_and_steps(name: str) -> tuple[list[Point], Sequence[Point]]:
    kind, size = name.split()
    if kind == "square":
        rows, columns = map(int, size.split("x"))
        return [(row, column) for row in range(rows) for column in range(columns)], SQUARE
    assert kind == "hexagon"
    middle = int(size) - 1
    cells = []
    for row in range(2 * middle + 1):
        indent = abs(row - middle)
        cells += [(row, indent + 2 * i) for i in range(2 * middle + 1 - indent)]
    return cells, HEXAGON


Sides: TypeAlias = tuple[str, ...]
Look: TypeAlias = tuple[Hashable, frozenset[Sides]]  # a face, and the sides in all turns


class _Board:
    """Tiles on a board, with a variable for each cell, face and the sides that the cell shows."""

    def __init__(self, data: Data, encoding: Encoding) -> None:
        self.data = data
        self.encoding = encoding
        self.cells, self.steps = _cells_and_steps(data["board"])
        self.tiles: dict[str, Data] = {}
        for name, tile in data["tiles"].items():
            self.tiles[name] = tile if isinstance(tile, dict) else {"sides": tile}
        self.turns = range(len(self.steps) if data.get("turning", True) else 1)
        self.looks: Counter[Look] = Counter()  # tiles that look alike, with their number
        for tile in self.tiles.values():
            shown = frozenset(self.turn(tile["sides"], turn) for turn in self.turns)
            self.looks[tile.get("face"), shown] += tile.get("count", 1)
        self.shown_at: dict[Point, list[tuple[int, Sides]]] = {cell: [] for cell in self.cells}

    def turn(self, sides: Sequence[str], turn: int) -> Sides:
        number = len(self.steps)
        return tuple(sides[(side - turn) % number] for side in range(number))

    def fill_cells(self) -> None:
        """Each cell shows the sides of one tile, with the frame on the rim."""
        for cell in self.cells:
            rim = [
                side
                for side, (down, right) in enumerate(self.steps)
                if (cell[0] + down, cell[1] + right) not in self.shown_at
            ]
            for face, all_sides in self.looks:
                for sides in sorted(all_sides):
                    if self.fits_rim(sides, rim):
                        variable = self.encoding.variable((cell, face, sides))
                        self.shown_at[cell].append((variable, sides))
            self.encoding.between(1, 1, [variable for variable, _ in self.shown_at[cell]])

    def fits_rim(self, sides: Sides, rim: Iterable[int]) -> bool:
        return "frame" not in self.data or all(sides[x] == self.data["frame"] for x in rim)

    def match_edges(self) -> None:
        """What a cell shows on a side, the cell beyond it matches."""
        number = len(self.steps)
        for cell in self.cells:
            for side, (down, right) in enumerate(self.steps):
                other = cell[0] + down, cell[1] + right
                if other not in self.shown_at:
                    continue
                opposite = (side + number // 2) % number
                for variable, sides in self.shown_at[cell]:
                    needed = self.find_partner(sides[side])
                    fitting = [x for x, shown in self.shown_at[other] if shown[opposite] == needed]
                    self.encoding.clauses.append([-variable, *fitting])

    def find_partner(self, label: str) -> str | None:
        """The label that matches a label."""
        matching = self.data.get("matching", "equal")
        if matching == "equal":
            return label
        partner: dict[str, str] = dict(matching)
        partner.update({second: first for first, second in matching})
        return partner.get(label)

    def limit_uses(self) -> None:
        """Each tile is used once, or as often as it occurs."""
        for (face, all_sides), count in self.looks.items():
            names = [(cell, face, sides) for cell in self.cells for sides in all_sides]
            self.encoding.between(0, count, self.list_variables(names))

    def list_variables(self, names: Iterable[Hashable]) -> list[int]:
        return [self.encoding.variables[x] for x in names if x in self.encoding.variables]

    def separate_faces(self) -> None:
        """Each face occurs at most once in a row or column."""
        by_line: dict[Hashable, list[int]] = {}
        for (cell, face, _), variable in self.encoding.variables.items():  # type: ignore[misc]
            for axis in (0, 1):
                by_line.setdefault((axis, cell[axis], face), []).append(variable)
        for variables in by_line.values():
            self.encoding.between(0, 1, variables)

    def give_hints(self) -> None:
        for hint in self.data.get("hints", []):
            turns = [hint["turn"]] if "turn" in hint else self.turns
            names = {self.name({**hint, "turn": turn}) for turn in turns}
            self.encoding.clauses.append(self.list_variables(names))

    def name(self, placement: Data) -> Hashable:
        tile = self.tiles[placement["tile"]]
        sides = self.turn(tile["sides"], placement["turn"])
        return tuple(placement["cell"]), tile.get("face"), sides


def _edge_matching(data: Data, encoding: Encoding) -> Names:
    board = _Board(data, encoding)
    board.fill_cells()
    board.match_edges()
    if not data.get("reusable"):
        board.limit_uses()
    if data.get("latin"):
        board.separate_faces()
    board.give_hints()
    return board.name


# -- sudoku: a variable says which digit a cell has


def _sudoku(data: Data, encoding: Encoding) -> Names:
    rows = [line.replace("|", "") for line in data["grid"].split() if "-" not in line]
    digits = "123456789ABCDEFG"[: len(rows)]
    for row, line in enumerate(rows):
        for column, word in enumerate(line):
            cell = (row, column)
            encoding.between(1, 1, [encoding.variable((cell, digit)) for digit in digits])
            if word in digits:
                encoding.clauses.append([encoding.variable((cell, word))])
    for house in _list_houses(data, len(rows)):
        for digit in digits:
            encoding.between(1, 1, [encoding.variable((cell, digit)) for cell in house])
    return lambda placement: (tuple(placement["cell"]), placement["value"])


def _list_houses(data: Data, size: int) -> Iterable[list[Point]]:
    """The cells of each row, column, box or region, and diagonal."""
    height = next(n for n in range(int(size**0.5), 0, -1) if size % n == 0)
    if "box" in data:
        height = int(data["box"].split("x")[0])
    width = size // height
    regions = data["regions"].split() if "regions" in data else None

    houses: dict[Hashable, list[Point]] = {}
    for row in range(size):
        for column in range(size):
            box = regions[row][column] if regions else (row // height, column // width)
            names: list[Hashable] = [("row", row), ("column", column), ("box", box)]
            if data.get("diagonals") and row == column:
                names.append("falling")
            if data.get("diagonals") and row + column == size - 1:
                names.append("rising")
            for name in names:
                houses.setdefault(name, []).append((row, column))
    return houses.values()


# -- tilings: a variable says that a piece covers some cells, and with which colours

Cell: TypeAlias = tuple[Point, str]  # the middle, and the colour or "#"
Turn: TypeAlias = Callable[[Point], Point]

# A middle is (row, column) in the drawing, in space with the layer first. Rows of triangles are
# three units high, so the middle of one that points up is at 2, and of one that points down at 1.
TURNS: Mapping[str, list[Turn]] = {
    "squares": [lambda p: (p[1], -p[0])],
    "hexagons": [lambda p: ((p[0] + p[1]) // 2, (p[1] - 3 * p[0]) // 2)],
    "triangles": [lambda p: ((3 * p[1] + p[0]) // 2, (p[1] - p[0]) // 2)],
    "cubes": [lambda p: (p[0], p[2], -p[1]), lambda p: (p[1], -p[0], p[2])],
}


def _middle(drawn: Point, character: str, kind: str) -> Point:
    if kind != "triangles":
        return drawn
    return (3 * drawn[0] + (2 if character == "^" else 1), drawn[1])


def _read_drawing(text: str, kind: str) -> dict[Point, str]:
    """The character at each place of a drawing."""
    characters: dict[Point, str] = {}
    for layer, drawing in enumerate(text.strip("\n").split("\n\n")):
        for row, line in enumerate(drawing.splitlines()):
            for column, character in enumerate(line):
                if character not in " .":
                    place = (layer, row, column) if kind == "cubes" else (row, column)
                    characters[place] = character
    return characters


def _read_piece(text: str, kind: str) -> frozenset[Cell]:
    middles = {
        _middle(place, character, kind): "#" if kind == "triangles" else character
        for place, character in _read_drawing(text, kind).items()
    }
    # the turns of hexagons and triangles are about a point where rows and columns are both even
    some = next(iter(middles))
    shift = (some[0] + some[1]) % 2 if kind in ("hexagons", "triangles") else 0
    return frozenset(((*p[:-1], p[-1] + shift), colour) for p, colour in middles.items())


def _list_orientations(piece: frozenset[Cell], turns: Sequence[Turn]) -> list[frozenset[Cell]]:
    orientations = [piece]
    for shape in orientations:  # grows during the loop
        for turn in turns:
            new = frozenset((turn(point), colour) for point, colour in shape)
            if new not in orientations:
                orientations.append(new)
    return orientations


def _look(orientations: list[frozenset[Cell]]) -> Hashable:
    """Equal for pieces that look alike."""
    forms = []
    for shape in orientations:
        first = min(shape)[0]
        corner = (first[0] - first[0] % 3, *first[1:])  # triangles are moved by whole rows
        forms.append(sorted((_subtract(point, corner), colour) for point, colour in shape))
    return tuple(min(forms))


def _subtract(point: Point, other: Point) -> Point:
    return tuple(x - y for x, y in zip(point, other, strict=True))


class _Area:
    """The cells that are covered: `kind` is what they are, `size` that of a torus or None."""

    def __init__(self, board: str) -> None:
        self.kind = "squares"
        self.size: Point | None = None
        drawing = board.strip("\n")
        head, _, rest = drawing.partition("\n")
        if head in TURNS:
            self.kind, drawing = head, rest
        elif head.startswith("torus "):
            self.size = tuple(map(int, head.split()[1].split("x")))
            drawing = "\n".join(["#" * self.size[1]] * self.size[0])
        elif "\n\n" in drawing:
            self.kind = "cubes"
        self.middles: dict[Point, Point] = {}  # by the place in the drawing
        self.colours: dict[Point, str] = {}  # by the middle
        for place, character in _read_drawing(drawing, self.kind).items():
            middle = _middle(place, character, self.kind)
            self.middles[place] = middle
            self.colours[middle] = "#" if self.kind == "triangles" else character

    def list_turns(self, data: Data) -> list[Turn]:
        """What generates the ways in which a piece may lie."""
        turns = TURNS[self.kind] if data.get("turning", True) else []
        if self.kind != "cubes" and data.get("turning_over", True):
            return [*turns, lambda p: (p[0], -p[1])]
        return turns


def _tiling(data: Data, encoding: Encoding) -> Names:
    area = _Area(data["board"])
    turns = area.list_turns(data)
    looks: dict[str, Hashable] = {}
    drawn_colours: dict[str, list[str]] = {}  # in the order in which a placement lists its cells
    limits: dict[Hashable, Counter[str]] = {}
    covering: dict[Point, list[int]] = {middle: [] for middle in area.colours}
    using: dict[Hashable, set[int]] = {}
    required = 0  # number of cells that are certainly covered
    for name, piece in data["pieces"].items():
        shape = piece if isinstance(piece, str) else piece["shape"]
        uses = data.get("uses", 1) if isinstance(piece, str) else piece.get("uses", 1)
        least, most = _read_limits(uses)
        drawn = _read_drawing(shape, area.kind)
        colourless = area.kind == "triangles"
        drawn_colours[name] = ["#"] * len(drawn) if colourless else list(drawn.values())
        orientations = _list_orientations(_read_piece(shape, area.kind), turns)
        looks[name] = look = _look(orientations)
        limits.setdefault(look, Counter()).update(least=least, most=most)
        required += least * len(orientations[0])
        for orientation in orientations:
            for covered in _list_places(orientation, area):
                variable = encoding.variable((look, covered))
                if variable not in using.setdefault(look, set()):
                    using[look].add(variable)
                    for middle, _ in covered:
                        covering[middle].append(variable)

    left_over = data.get("left_over", 0)
    known = required == len(area.colours) - left_over
    assert not left_over or known, "no rule says how many are left over"
    for variables in covering.values():
        encoding.between(0 if left_over else 1, 1, variables)
    for look, limit in limits.items():
        encoding.between(limit["least"], limit["most"], using.get(look, set()))

    def name_of(placement: Data) -> Hashable:
        piece = placement["piece"]
        cells = [area.middles[tuple(cell)] for cell in placement["cells"]]
        return looks[piece], frozenset(zip(cells, drawn_colours[piece], strict=True))

    return name_of


def _list_places(shape: frozenset[Cell], area: _Area) -> Iterator[frozenset[Cell]]:
    """The cells that a shape covers, each with the colour there, if it is moved about the board."""
    first = min(shape)[0]
    for target in area.colours:
        move = _subtract(target, first)
        if area.kind == "triangles" and move[0] % 3:
            continue  # one that points up would come to point down
        moved = {}
        for point, colour in shape:
            there = tuple(x + y for x, y in zip(point, move, strict=True))
            if area.size:
                there = tuple(x % length for x, length in zip(there, area.size, strict=True))
            moved[there] = colour
        if len(moved) == len(shape) and all(
            middle in area.colours and _covers(colour, area.colours[middle])
            for middle, colour in moved.items()
        ):
            yield frozenset(moved.items())


def _read_limits(uses: Any) -> tuple[int, int]:
    if uses == "any":
        return 0, ALL
    least, most = uses if isinstance(uses, list) else (uses, uses)
    return least, most


def _covers(colour: str, cell: str) -> bool:
    return "#" in (colour, cell) or colour == cell
