"""A second encoding of edge matching, interlocking pieces, sudoku and tilings, from the instance
file and the rules of the family in docs/instances.md.

It imports nothing of jigsat, has no auxiliary variables, and knows only what the tests need. An
entry that it does not know is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, TypeAlias

from support.second_boards import Cell, Corner, find_meetings, read_board

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


# entries that say nothing about the solutions
WORDS = {"family", "title", "source", "known", "colours", "pictures", "letters"}

ENTRIES = {
    "edge-matching": {
        "board",
        "tiles",
        "turning",
        "reusable",
        "matching",
        "frame",
        "latin",
        "hints",
    },
    "interlocking": {"board", "pieces", "turning_over", "frame"},
    "sudoku": {"grid", "box", "regions", "diagonals"},
    "tiling": {"board", "pieces", "uses", "left_over", "turning", "turning_over"},
}


def encode(data: Data) -> tuple[Encoding, Names]:
    """The clauses of an instance, and a function that names the variable of a placement."""
    families = {
        "edge-matching": _edge_matching,
        "interlocking": _interlocking,
        "sudoku": _sudoku,
        "tiling": _tiling,
    }
    family = data["family"]
    assert data.keys() <= ENTRIES[family] | WORDS
    encoding = Encoding()
    return encoding, families[family](data, encoding)


def _cell_of(placement: Data) -> Cell:
    cell = placement["cell"]
    return tuple(cell) if isinstance(cell, list) else cell


# -- edge matching: a variable says which sides a cell shows

Sides: TypeAlias = tuple[str, ...]
Look: TypeAlias = tuple[Hashable, frozenset[Sides]]  # a face, and the sides in all turns


class _Board:
    """Tiles on a board, with a variable for each cell, face and the sides that the cell shows."""

    def __init__(self, data: Data, encoding: Encoding) -> None:
        self.data = data
        self.encoding = encoding
        corners = read_board(data["board"])
        self.cells = list(corners)
        self.sides = len(corners[self.cells[0]])  # number of sides of a cell
        self.meetings = find_meetings(corners)
        self.tiles: dict[str, Data] = {}
        for name, tile in data["tiles"].items():
            self.tiles[name] = tile if isinstance(tile, dict) else {"sides": tile}
        self.turns = range(self.sides if data.get("turning", True) else 1)
        self.looks: Counter[Look] = Counter()  # tiles that look alike, with their number
        for tile in self.tiles.values():
            shown = frozenset(self.turn(tile["sides"], turn) for turn in self.turns)
            self.looks[tile.get("face"), shown] += tile.get("count", 1)
        self.shown_at: dict[Cell, list[tuple[int, Sides]]] = {cell: [] for cell in self.cells}

    def turn(self, sides: Sequence[str], turn: int) -> Sides:
        return tuple(sides[(side - turn) % self.sides] for side in range(self.sides))

    def fill_cells(self) -> None:
        """Each cell shows the sides of one tile, with the frame on the rim."""
        for cell in self.cells:
            rim = [side for side in range(self.sides) if (cell, side) not in self.meetings]
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
        for (cell, side), (other, other_side) in self.meetings.items():
            for variable, sides in self.shown_at[cell]:
                needed = self.find_partner(sides[side])
                fitting = [x for x, shown in self.shown_at[other] if shown[other_side] == needed]
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
        return _cell_of(placement), tile.get("face"), sides


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


# -- interlocking pieces: a variable says which border a face shows

Place: TypeAlias = tuple[Corner, Corner, int]  # both ends of an edge, and the steps from the first


class _Surface:
    """Faces with pieces, with a variable for each face and the border that it shows.

    A border is a text that goes clockwise around a face, from the first corner on: "#" for each
    tooth, "." for each gap.
    """

    def __init__(self, data: Data, encoding: Encoding) -> None:
        self.data = data
        self.encoding = encoding
        self.corners = read_board(data["board"])
        self.meetings = find_meetings(self.corners)
        self.borders: dict[str, str] = {}
        self.looks: Counter[frozenset[str]] = Counter()  # pieces by the borders that they can show
        for name, piece in data["pieces"].items():
            shape = piece if isinstance(piece, str) else piece["shape"]
            sides = _read_sides(shape)
            self.steps = len(sides[0])  # along a side
            self.borders[name] = "".join(sides)
            count = 1 if isinstance(piece, str) else piece.get("count", 1)
            self.looks[self.list_borders(name)] += count
        self.places = {cell: list(self.list_places(cell)) for cell in self.corners}
        self.open = set(self.list_rim())  # places that may stay empty
        self.seams: set[Place] = set()  # places that one of two faces must fill
        self.shown_at: dict[Cell, list[tuple[int, str]]] = {cell: [] for cell in self.corners}

    def list_borders(self, name: str) -> frozenset[str]:
        """What a piece can show on a face."""
        ways = [False, True] if self.data.get("turning_over", True) else [False]
        turns = range(len(self.borders[name]) // self.steps)
        return frozenset(self.lay(name, turn, flipped) for turn in turns for flipped in ways)

    def lay(self, name: str, turn: int, flipped: bool) -> str:
        """The border of a piece that is perhaps turned over, so that its first side stays where it
        is, and then turned clockwise."""
        border = self.borders[name]
        if flipped:
            # Read backwards from the end of the first side.
            border = border[self.steps :: -1] + border[: self.steps : -1]
        start = -turn * self.steps % len(border)
        return border[start:] + border[:start]

    def list_places(self, cell: Cell) -> Iterator[Place]:
        """The places around a face, clockwise. Faces that meet have places in common."""
        points = self.corners[cell]
        for side, start in enumerate(points):
            end = points[(side + 1) % len(points)]
            yield start, start, 0
            for step in range(1, self.steps):
                if start < end:
                    yield start, end, step
                else:
                    yield end, start, self.steps - step

    def list_rim(self) -> Iterator[Place]:
        for cell, places in self.places.items():
            for side in range(len(self.corners[cell])):
                if (cell, side) not in self.meetings:
                    first = side * self.steps
                    for position in range(first, first + self.steps + 1):
                        yield places[position % len(places)]

    def close_rim(self) -> dict[Place, bool]:
        """Where the rim has a tooth of a frame. With a frame no place stays empty."""
        if "frame" not in self.data:
            return {}
        teeth = {}
        for y, line in enumerate(self.data["frame"].strip("\n").splitlines()):
            for x, character in enumerate(line):
                teeth[self.locate(y, x)] = character == "#"
        rim = self.open
        self.open = set()
        return {place: teeth[place] for place in rim}

    def locate(self, y: int, x: int) -> Place:
        """The place of a character in the drawing of a frame."""
        row, down = divmod(y, self.steps)
        column, right = divmod(x, self.steps)
        end = row + (down > 0), column + (right > 0)
        return (row, column), end, down + right

    def fill_faces(self, frame: Mapping[Place, bool]) -> None:
        """Each face shows the border of one piece, without a tooth where the frame has one."""
        for cell, places in self.places.items():
            closed = {position for position, x in enumerate(places) if frame.get(x)}
            for borders in self.looks:
                for border in sorted(borders):
                    fits = all(border[position] != "#" for position in closed)
                    if len(border) == len(places) and fits:
                        variable = self.encoding.variable((cell, border))
                        self.shown_at[cell].append((variable, border))
            self.encoding.between(1, 1, [variable for variable, _ in self.shown_at[cell]])

    def limit_uses(self) -> None:
        variables = self.encoding.variables
        for borders, count in self.looks.items():
            names = [(cell, border) for cell in self.corners for border in borders]
            self.encoding.between(0, count, [variables[x] for x in names if x in variables])

    def list_seams(self) -> Iterator[Place]:
        """The places that one of exactly two faces must fill."""
        faces = Counter(place for places in self.places.values() for place in places)
        for place, number in faces.items():
            if number == 2 and place not in self.open:
                yield place

    def fill_places(self, frame: Mapping[Place, bool]) -> None:
        """Each place has at least one tooth, unless it may stay empty."""
        fillers: dict[Place, list[int]] = {}
        for cell, places in self.places.items():
            for position, place in enumerate(places):
                teeth = [x for x, border in self.shown_at[cell] if border[position] == "#"]
                fillers.setdefault(place, []).extend(teeth)
        for place, variables in fillers.items():
            if place not in self.open and not frame.get(place):
                self.encoding.clauses.append(variables)

    def separate_teeth(self) -> None:
        """No place has teeth of two faces."""
        for cell, other in permutations(self.corners, 2):
            index = {place: position for position, place in enumerate(self.places[other])}
            common = []
            for position, place in enumerate(self.places[cell]):
                if place in index:
                    common.append((position, index[place]))
            if common:
                self.separate_faces(cell, other, common)

    def separate_faces(self, cell: Cell, other: Cell, common: Sequence[tuple[int, int]]) -> None:
        """A face shows nothing that collides with the other, and has a tooth where only the other
        could have one. `common` has the positions on both of each place that they share."""
        fitting: dict[Hashable, list[int]] = {}
        for variable, border in self.shown_at[cell]:
            needed = {}  # the characters that the other face must show
            for here, there in common:
                if border[here] == "#":
                    needed[there] = "."
                elif self.places[cell][here] in self.seams:
                    needed[there] = "#"
            key = frozenset(needed.items())
            if key not in fitting:
                fitting[key] = []
                for x, shown in self.shown_at[other]:
                    if all(shown[position] == character for position, character in key):
                        fitting[key].append(x)
            self.encoding.clauses.append([-variable, *fitting[key]])

    def name(self, placement: Data) -> Hashable:
        border = self.lay(placement["piece"], placement["turn"], placement["flipped"])
        return _cell_of(placement), border


def _read_sides(shape: str) -> list[str]:
    """The sides of a piece clockwise, each with the corner at its start and without that at its
    end."""
    rows = shape.strip("\n").splitlines()
    if len(rows) == 1:
        return rows[0].split()
    right = "".join(row[-1] for row in rows)
    left = "".join(row[0] for row in reversed(rows))
    return [rows[0][:-1], right[:-1], rows[-1][:0:-1], left[:-1]]


def _interlocking(data: Data, encoding: Encoding) -> Names:
    surface = _Surface(data, encoding)
    frame = surface.close_rim()
    surface.fill_faces(frame)
    surface.seams = set(surface.list_seams()) - frame.keys()
    surface.limit_uses()
    surface.fill_places(frame)
    surface.separate_teeth()
    return surface.name


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
    return lambda placement: (_cell_of(placement), placement["value"])


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

Part: TypeAlias = tuple[Point, str]  # the middle of a cell, and the colour or "#"
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


def _read_piece(text: str, kind: str) -> frozenset[Part]:
    middles = {
        _middle(place, character, kind): "#" if kind == "triangles" else character
        for place, character in _read_drawing(text, kind).items()
    }
    # the turns of hexagons and triangles are about a point where rows and columns are both even
    some = next(iter(middles))
    shift = (some[0] + some[1]) % 2 if kind in ("hexagons", "triangles") else 0
    return frozenset(((*p[:-1], p[-1] + shift), colour) for p, colour in middles.items())


def _list_orientations(piece: frozenset[Part], turns: Sequence[Turn]) -> list[frozenset[Part]]:
    orientations = [piece]
    for shape in orientations:  # grows during the loop
        for turn in turns:
            new = frozenset((turn(point), colour) for point, colour in shape)
            if new not in orientations:
                orientations.append(new)
    return orientations


def _look(orientations: list[frozenset[Part]]) -> Hashable:
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


def _list_places(shape: frozenset[Part], area: _Area) -> Iterator[frozenset[Part]]:
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
