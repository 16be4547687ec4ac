"""Four published encodings of framed boards.

M. J. H. Heule, 'Solving edge-matching problems with satisfiability solvers', in: Proceedings of the
Second International Workshop on Logic and Search (LaSh 2008), Leuven, 69-82. A variable says that a
tile lies on a cell, without its turn, and another one that an edge shows a label. A tile on the rim
lies in the one turn that shows the frame; the turn of any other tile follows from the labels of its
edges.

- `heule-compact`: each cell has a tile, each tile has a cell, each edge has one label, and a tile
  on a cell implies labels around it: clauses of two literals at the rim, elsewhere of two to five
  literals that depend on how the labels of the tile repeat.
- `heule-explicit`: also, no tile is on two cells.
- `heule-forbidden`: also, a tile on a cell excludes the labels that it does not have.
- `heule-all`: all of these.

Tiles that are alike are one kind here: it has as many cells as there are tiles of it. With tiles
that are all different, this is the clause of the paper. The paper has no variables for turns.
Solutions have turns, so `place` is defined by the variables of the paper, with clauses of the rule
"the turn of a tile is seen from its labels".
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from jigsat.encodings.edge_matching.data import EdgeMatchingData, Placement
from jigsat.encodings.edge_matching.match import add_edge_label

from jigsat.boards import Cell
from jigsat.formula import Choice, Formula, Variables

Show = Callable[[int, str], int]
"""The literal that a side of a cell shows a label; sides are numbered clockwise from the top."""
Clauses = Iterator[list[int]]

ON = "The tile lies on the cell, turned in any way."


Turns = dict[Placement, tuple[str, ...]]
"""Placements of a tile on a cell, each with the labels of its sides."""


@dataclass(frozen=True)
class TileOnCell:
    """A tile that fits a cell: its turns, each with the labels that it shows there, and the
    variable that says that it lies there in one of them."""

    cell: Cell
    tile: str
    turns: Turns
    variable: int


def encode_tiles(puzzle: EdgeMatchingData, formula: Formula) -> Variables:
    """The rules of the board without hints and groups, in the encoding of the instance."""
    parts = puzzle.encoding.removeprefix("heule-")
    axes = {
        "cell": puzzle.surface.cells,
        "tile": [kind.name for kind in puzzle.kinds],
        "turn": {placement.turn for placement in puzzle.candidates},
    }
    place = formula.variables("place", axes, puzzle.fitting)
    tiles = _add_tiles(puzzle, formula, place)
    _use_cells_and_tiles(puzzle, formula, tiles, once=parts in ("explicit", "all"))

    labels = _label_edges(puzzle, formula, tiles)
    for tile in tiles:
        _show_labels(puzzle, formula, labels, tile, forbid=parts in ("forbidden", "all"))
    _define_turns(formula, labels, tiles, place)
    return place


def _add_tiles(puzzle: EdgeMatchingData, formula: Formula, place: Variables) -> list[TileOnCell]:
    """A tile that fits in one turn lies on the cell if it lies there in this turn."""
    fitting: dict[tuple[Cell, str], Turns] = defaultdict(dict)
    for placement, candidate in puzzle.fitting.items():
        labels = tuple(str(label) for label in candidate.rim[1::2])
        fitting[placement.cell, placement.tile][placement] = labels

    several = [key for key, turns in fitting.items() if len(turns) > 1]
    on = formula.variables("on", ("cell", "tile"), several, decision=False, meaning=ON)
    tiles = []
    for (cell, tile), turns in fitting.items():
        only = next(iter(turns))
        variable = place(*only) if len(turns) == 1 else on(cell, tile)
        tiles.append(TileOnCell(cell, tile, turns, variable))
    return tiles


def _use_cells_and_tiles(
    puzzle: EdgeMatchingData, formula: Formula, tiles: Sequence[TileOnCell], *, once: bool
) -> None:
    """The labels allow one kind on each cell, and there are as many tiles as cells, so each kind
    has as many cells as tiles."""
    by_cell: dict[Cell, list[int]] = {cell: [] for cell in puzzle.surface.cells}
    by_tile: dict[str, list[int]] = {kind.name: [] for kind in puzzle.kinds}
    for tile in tiles:
        by_cell[tile.cell].append(tile.variable)
        by_tile[tile.tile].append(tile.variable)

    for cell, variables in by_cell.items():
        with formula.rule("every cell holds one tile", "cell", cell, must_be="filled"):
            formula.clause(variables)

    for kind in puzzle.kinds:
        with formula.rule("every tile is used once", "tile", kind.words, must_be="placed"):
            formula.at_least(kind.count, by_tile[kind.name])
        if once:
            with formula.rule("no tile is on two cells", "tile", kind.words, redundant=True):
                formula.at_most(kind.count, by_tile[kind.name])


def _label_edges(
    puzzle: EdgeMatchingData, formula: Formula, tiles: Sequence[TileOnCell]
) -> dict[tuple[Cell, int], Choice[str]]:
    """For each inner side of a cell its label, one that a fitting tile shows there."""
    shown: dict[tuple[Cell, int], set[str]] = defaultdict(set)
    for tile in tiles:
        for turned in tile.turns.values():
            for side, label in enumerate(turned):
                shown[tile.cell, side].add(label)

    labels = {}
    for seam in puzzle.surface.seams:
        if len(seam) > 1:
            possible: set[str] = set()
            for incidence in seam:
                possible |= shown[incidence.cell, incidence.side]
            domain = [label for label in puzzle.partners if label in possible]
            choice = add_edge_label(formula, seam, domain)
            for incidence in seam:
                labels[incidence.cell, incidence.side] = choice
    return labels


def _show_labels(
    puzzle: EdgeMatchingData,
    formula: Formula,
    labels: dict[tuple[Cell, int], Choice[str]],
    tile: TileOnCell,
    *,
    forbid: bool,
) -> None:
    """A tile on a cell implies labels around it, and excludes those that it does not have."""
    shown = next(iter(tile.turns.values()))
    sides = [side for side, label in enumerate(shown) if label != puzzle.frame]

    def show(side: int, label: str) -> int:
        return labels[tile.cell, side % len(shown)](label)

    with formula.rule("a tile shows its labels", "cell", tile.cell):
        if len(tile.turns) == 1:
            for side in sides:
                formula.implies(tile.variable, show(side, shown[side]))
        else:
            for clause in _turn_freely(show, shown):
                formula.implies(tile.variable, *clause)

    if forbid and len(tile.turns) > 1:
        with formula.rule("a tile has no other labels", "cell", tile.cell, redundant=True):
            for side in sides:
                for label, literal in labels[tile.cell, side].literals.items():
                    if label not in shown:
                        formula.clause([-tile.variable, -literal])


def _turn_freely(show: Show, labels: Sequence[str]) -> Clauses:
    """Clauses that hold if the sides of a cell show these labels clockwise, from any side."""
    patterns = {}
    for turn in range(len(labels)):
        turned = (*labels[turn:], *labels[:turn])
        patterns[_write_pattern(turned)] = turned
    pattern = min(patterns)
    return PATTERNS[pattern](show, *patterns[pattern])


def _write_pattern(labels: Sequence[str]) -> str:
    """Which labels are alike.

    >>> _write_pattern(["red", "blue", "red", "green"])
    'ABAC'
    """
    order = list(dict.fromkeys(labels))
    return "".join("ABCD"[order.index(label)] for label in labels)


def _turn_aaab(show: Show, a: str, _a: str, _b: str, b: str) -> Clauses:
    """The single label is somewhere, and no two sides lack the other one."""
    yield [show(side, b) for side in range(4)]
    for one, other in combinations(range(4), 2):
        yield [show(one, a), show(other, a)]


def _turn_aabb(show: Show, a: str, _a: str, b: str, _b: str) -> Clauses:
    """Opposite sides show both labels."""
    for side in (0, 1):
        for label in (a, b):
            yield [show(side, label), show(side + 2, label)]


def _turn_abab(show: Show, a: str, b: str, _a: str, _b: str) -> Clauses:
    """Sides next to each other show both labels."""
    for side in range(4):
        for label in (a, b):
            yield [show(side, label), show(side + 1, label)]


def _turn_aabc(show: Show, a: str, _a: str, b: str, c: str) -> Clauses:
    """Both single labels are somewhere, one after the other; after two equal ones comes the
    first."""
    for label in (b, c):
        yield [show(side, label) for side in range(4)]
    for side in (0, 1):
        yield [show(side, a), show(side + 2, a)]
    for side in range(4):
        yield [-show(side, b), show(side + 1, c)]
        yield [-show(side, c), show(side + 3, b)]
        yield [-show(side, a), -show(side + 1, a), show(side + 2, b)]


def _turn_abac(show: Show, a: str, b: str, _a: str, c: str) -> Clauses:
    """Both single labels are somewhere, opposite each other."""
    for label in (b, c):
        yield [show(side, label) for side in range(4)]
    for side in range(4):
        yield [show(side, a), show(side + 1, a)]
        yield [-show(side, b), show(side + 2, c)]
        yield [-show(side, c), show(side + 2, b)]


def _turn_abcd(show: Show, *labels: str) -> Clauses:
    """Each label is somewhere, and the next one follows it."""
    for label in labels:
        yield [show(side, label) for side in range(4)]
    for i, label in enumerate(labels):
        following = labels[(i + 1) % 4]
        for side in range(4):
            yield [-show(side, label), show(side + 1, following)]


PATTERNS: dict[str, Callable[..., Clauses]] = {
    "AAAB": _turn_aaab,
    "AABB": _turn_aabb,
    "ABAB": _turn_abab,
    "AABC": _turn_aabc,
    "ABAC": _turn_abac,
    "ABCD": _turn_abcd,
}
"""The clauses for the labels of a tile, by which of them are alike; AAAA has only one turn."""


def _define_turns(
    formula: Formula,
    labels: dict[tuple[Cell, int], Choice[str]],
    tiles: Sequence[TileOnCell],
    place: Variables,
) -> None:
    """A placement is a tile on a cell with the labels that only this turn shows there."""
    for tile in tiles:
        if len(tile.turns) == 1:
            continue
        with formula.rule("the turn of a tile is seen from its labels", "cell", tile.cell):
            for placement, shown in tile.turns.items():
                others = [other for other in tile.turns.values() if other != shown]
                sides = _choose_sides(shown, others)
                needed = [tile.variable]
                needed += [labels[tile.cell, side](shown[side]) for side in sides]
                for literal in needed:
                    formula.implies(place(*placement), literal)
                formula.clause([place(*placement), *(-literal for literal in needed)])


def _choose_sides(shown: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The fewest sides on which none of the others shows the same labels."""
    for number in range(1, len(shown)):
        for sides in combinations(range(len(shown)), number):
            if all(any(other[i] != shown[i] for i in sides) for other in others):
                return sides
    return tuple(range(len(shown)))


def find_obstacle(puzzle: EdgeMatchingData) -> str:
    """Why the encoding of the instance, if it is one of these, does not fit; '' if it does."""
    if not puzzle.encoding.startswith("heule-"):
        return ""
    for obstacle in _list_obstacles(puzzle):
        return (
            f"encoding: {puzzle.encoding} is for framed rectangular boards that use all tiles up; "
            f"{obstacle}"
        )
    return ""


def _list_obstacles(puzzle: EdgeMatchingData) -> Iterator[str]:
    lines = puzzle.lines if puzzle.surface.name.startswith("square ") else {}
    if len(lines) < 4 or min(len(line) for line in lines.values()) < 2:
        yield "the board is no rectangle of at least 2x2 cells"
    if puzzle.frame is None:
        yield "there is no frame"
    elif not puzzle.rim_uses_frame_label_up:
        yield "the frame's label is elsewhere than on the rim, or tiles are left over"
    if puzzle.matching != "equal" or not puzzle.turning or puzzle.latin:
        yield "no entry `matching`, `turning` or `latin` may change the rules"

    kinds: dict[Hashable, str] = {}
    for kind in puzzle.kinds:
        labels = frozenset(kind.ways)
        if labels in kinds:
            yield f"the tiles {kinds[labels]} and {kind.name} differ only in their faces"
        kinds[labels] = kind.name
