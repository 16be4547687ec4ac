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


def _edge_matching(data: Data, encoding: Encoding) -> Names:
    cells, steps = _cells_and_steps(data["board"])
    number = len(steps)
    matching = data.get("matching", "equal")
    partner: dict[str, str] = {}
    if matching != "equal":
        partner = {**dict(matching), **{second: first for first, second in matching}}

    def turned(sides: Sequence[str], turn: int) -> tuple[str, ...]:
        return tuple(sides[(side - turn) % number] for side in range(number))

    tiles = {
        name: tile if isinstance(tile, dict) else {"sides": tile}
        for name, tile in data["tiles"].items()
    }
    turns = range(number if data.get("turning", True) else 1)
    looks: Counter[tuple[Hashable, frozenset[tuple[str, ...]]]] = Counter()
    for tile in tiles.values():
        shown = frozenset(turned(tile["sides"], turn) for turn in turns)
        looks[tile.get("face"), shown] += tile.get("count", 1)

    shown_at: dict[Point, list[tuple[int, tuple[str, ...]]]] = {cell: [] for cell in cells}
    for cell in cells:
        rim = [
            side
            for side, step in enumerate(steps)
            if (cell[0] + step[0], cell[1] + step[1]) not in shown_at
        ]
        for face, all_sides in looks:
            for sides in sorted(all_sides):
                if "frame" not in data or all(sides[side] == data["frame"] for side in rim):
                    variable = encoding.variable((cell, face, sides))
                    shown_at[cell].append((variable, sides))
        encoding.between(1, 1, [variable for variable, _ in shown_at[cell]])

    for cell in cells:
        for side, step in enumerate(steps):
            other = cell[0] + step[0], cell[1] + step[1]
            for variable, sides in shown_at[cell] if other in shown_at else ():
                label = sides[side]
                needed = label if matching == "equal" else partner.get(label)
                opposite = (side + number // 2) % number
                fitting = [x for x, there in shown_at[other] if there[opposite] == needed]
                encoding.clauses.append([-variable, *fitting])

    for (face, all_sides), count in looks.items():
        if not data.get("reusable"):
            named = [(cell, face, sides) for cell in cells for sides in all_sides]
            encoding.between(
                0, count, [encoding.variables[x] for x in named if x in encoding.variables]
            )
    if data.get("latin"):
        for axis in (0, 1):
            for line in {cell[axis] for cell in cells}:
                for face in {face for face, _ in looks}:
                    encoding.between(
                        0,
                        1,
                        [
                            variable
                            for (cell, its, _), variable in encoding.variables.items()  # type: ignore[misc]
                            if cell[axis] == line and its == face
                        ],
                    )

    def name(placement: Data) -> Hashable:
        tile = tiles[placement["tile"]]
        return tuple(placement["cell"]), tile.get("face"), turned(tile["sides"], placement["turn"])

    for hint in data.get("hints", []):
        options = [hint["turn"]] if "turn" in hint else turns
        names = {name({**hint, "turn": turn}) for turn in options}
        encoding.clauses.append([encoding.variables[x] for x in names if x in encoding.variables])
    return name


# -- sudoku: a variable says which digit a cell has


def _sudoku(data: Data, encoding: Encoding) -> Names:
    rows = [line.replace("|", "") for line in data["grid"].split() if "-" not in line]
    size = len(rows)
    digits = "123456789ABCDEFG"[:size]
    height = next(n for n in range(int(size**0.5), 0, -1) if size % n == 0)
    if "box" in data:
        height = int(data["box"].split("x")[0])
    width = size // height
    regions = data["regions"].split() if "regions" in data else None

    houses: dict[Hashable, list[Point]] = {}
    for row in range(size):
        for column in range(size):
            cell = (row, column)
            encoding.between(1, 1, [encoding.variable((cell, digit)) for digit in digits])
            if rows[row][column] in digits:
                encoding.clauses.append([encoding.variable((cell, rows[row][column]))])
            box = regions[row][column] if regions else (row // height, column // width)
            for house in [("row", row), ("column", column), ("box", box)]:
                houses.setdefault(house, []).append(cell)
            if data.get("diagonals"):
                if row == column:
                    houses.setdefault("falling", []).append(cell)
                if row + column == size - 1:
                    houses.setdefault("rising", []).append(cell)
    for house_cells in houses.values():
        for digit in digits:
            encoding.between(1, 1, [encoding.variable((cell, digit)) for cell in house_cells])
    return lambda placement: (tuple(placement["cell"]), placement["value"])


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


def _tiling(data: Data, encoding: Encoding) -> Names:
    kind, drawing, size = "squares", data["board"].strip("\n"), None
    head, _, rest = drawing.partition("\n")
    if head in TURNS:
        kind, drawing = head, rest
    elif head.startswith("torus "):
        size = tuple(map(int, head.split()[1].split("x")))
        drawing = "\n".join(["#" * size[1]] * size[0])
    elif "\n\n" in drawing:
        kind = "cubes"
    places = _read_drawing(drawing, kind)
    middles = {place: _middle(place, character, kind) for place, character in places.items()}
    colours = {
        middles[place]: "#" if kind == "triangles" else character
        for place, character in places.items()
    }

    turns = TURNS[kind] if data.get("turning", True) else []
    if kind != "cubes" and data.get("turning_over", True):
        turns = [*turns, lambda p: (p[0], -p[1])]
    looks: dict[str, Hashable] = {}
    drawn_colours: dict[str, list[str]] = {}  # in the order in which a placement lists its cells
    limits: dict[Hashable, list[int]] = {}
    covering: dict[Point, list[int]] = {middle: [] for middle in colours}
    using: dict[Hashable, set[int]] = {}
    area = 0
    for name, piece in data["pieces"].items():
        shape = piece if isinstance(piece, str) else piece["shape"]
        uses = data.get("uses", 1) if isinstance(piece, str) else piece.get("uses", 1)
        least, most = _read_limits(uses)
        drawn = _read_drawing(shape, kind)
        drawn_colours[name] = ["#"] * len(drawn) if kind == "triangles" else list(drawn.values())
        orientations = _list_orientations(_read_piece(shape, kind), turns)
        looks[name] = look = _look(orientations)
        limits[look] = [x + y for x, y in zip(limits.get(look, [0, 0]), [least, most], strict=True)]
        area += least * len(orientations[0])
        for orientation in orientations:
            for covered in _list_places(orientation, colours, kind, size):
                variable = encoding.variable((look, covered))
                if variable not in using.setdefault(look, set()):
                    using[look].add(variable)
                    for middle, _ in covered:
                        covering[middle].append(variable)

    left_over = data.get("left_over", 0)
    assert not left_over or area == len(colours) - left_over, "no rule says how many are left over"
    for variables in covering.values():
        encoding.between(0 if left_over else 1, 1, variables)
    for look, (least, most) in limits.items():
        encoding.between(least, most, using.get(look, set()))

    def name_of(placement: Data) -> Hashable:
        piece = placement["piece"]
        cells = [middles[tuple(cell)] for cell in placement["cells"]]
        return looks[piece], frozenset(zip(cells, drawn_colours[piece], strict=True))

    return name_of


def _list_places(
    shape: frozenset[Cell], colours: Mapping[Point, str], kind: str, size: Point | None
) -> Iterator[frozenset[Cell]]:
    """The cells that a shape covers, each with the colour there, if it is moved about the board."""
    first = min(shape)[0]
    for target in colours:
        move = _subtract(target, first)
        if kind == "triangles" and move[0] % 3:
            continue  # one that points up would come to point down
        moved = {}
        for point, colour in shape:
            there = tuple(x + y for x, y in zip(point, move, strict=True))
            if size:
                there = tuple(x % length for x, length in zip(there, size, strict=True))
            moved[there] = colour
        if len(moved) == len(shape) and all(
            middle in colours and _covers(colour, colours[middle])
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
