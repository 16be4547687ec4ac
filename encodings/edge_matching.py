"""Edge matching: tiles with a label on each side are laid on a board so that sides that meet match.

Rules, variables and constraint groups, on a board with n cells, m edges, t kinds of tiles that lie in w ways in all, and
l labels:

- `place(cell, tile, turn)`: the tile lies on the cell, turned clockwise by so many sides; n·w decision variables.
- `label(edge, value)`: the edge shows the label, as read from its first cell; a choice for each of the m edges.

- "every cell holds one tile": n exactly-one.
- "every tile is used once": t exactly-count; at-most-count where tiles are left over; none if tiles are reusable.
- "a tile shows its labels": placement → label, for each side of each placement; one clause a side.
- "a label is shown by a tile": label → one of the placements that show it, for each edge, label and cell that meets it.
- "the frame shows …": one clause for each placement that shows something else there.
- "the frame's label is only on the frame": one clause for each placement that shows it elsewhere, where the tiles have
  it no more often than the frame needs it.
- "each face once a row and column": exactly-one (at-most-one if there are more faces than cells in a line) for each
  face of each line, if the rule `latin` is there.
- "hints": one clause for each hint.

This is the encoding `labels`, which has Heule's diamond variables ('Solving edge-matching problems with satisfiability
solvers', 2009). Two others have no labels but say "sides that meet match" of the placements themselves: `supports` by a clause
from each placement to those that match it on each neighbouring cell, `conflicts` by a clause for each two that do not match.
With `-lean` behind its name an encoding goes without what follows from the rest: that a tile is used at most so often, that
a label is shown by a tile, and that the frame's label is not elsewhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations, permutations, product
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveInt,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from jigsat.boards import Board, BoardName, Cell, Incidence, Orientation, Point, middle, named
from jigsat.errors import printable
from jigsat.formula import Formula
from jigsat.pictures import (
    ARROWS,
    Colours,
    Page,
    Paint,
    Part,
    Picture,
    between,
    heading,
    ink,
    on_board,
    paints,
    short_names,
    squared,
)
from jigsat.pieces.rims import CandidatePlacement, RimmedKind, RimmedPiece, board_symmetries, candidate_placements, rimmed_kinds
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Symmetry

from . import edge_matching_sheet

MOST_EXCHANGES = 5040
"""Of labels that stand alike on the tiles, 7 are tried in every order."""


def _turns(sides: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """A tile's sides as they are read from each of them on."""
    return [sides[i:] + sides[:i] for i in range(len(sides))]


def _cell_name(data: Any) -> Any:
    """A cell's name as it stands in a file: a word, or a list of numbers and words, which become a tuple."""
    parts = data if isinstance(data, (list, tuple)) else [data]
    if not all(type(part) in (str, int) for part in parts):
        raise ValueError("a cell is called by its name or its numbers, such as 'front' or [0, 2]")
    return tuple(data) if isinstance(data, list) else data


CellName = Annotated[Any, BeforeValidator(_cell_name)]


class Placement(NamedTuple):
    """The tile lies on the cell, turned clockwise by `turn` sides."""

    cell: Cell
    tile: str
    turn: int


class Tile(BaseModel):
    """A tile: the labels of its sides, clockwise from the top, the picture on its face, and how many there are of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sides: tuple[str, ...]
    face: str | None = None
    count: PositiveInt = 1

    @model_validator(mode="before")
    @classmethod
    def _list_of_sides(cls, data: Any) -> Any:
        if not isinstance(data, (list, tuple, dict, Tile)):
            raise ValueError("a tile is the list of the labels of its sides, or a table with `sides`")
        return {"sides": data} if isinstance(data, (list, tuple)) else data

    @model_serializer(mode="wrap")
    def _only_sides(self, serialize: SerializerFunctionWrapHandler) -> Any:
        data = serialize(self)
        return data["sides"] if data.keys() == {"sides"} else data


class Hint(BaseModel):
    """What is known to lie on a cell: a tile, or a tile as it is turned."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cell: CellName
    tile: str
    turn: int | None = None


class EdgeMatching(Puzzle):
    """An edge-matching puzzle. `matching` is 'equal', or the pairs of labels that match each other and nothing else."""

    family = "edge-matching"
    cell_field = "cell"
    piece_field = "tile"

    board: BoardName
    tiles: dict[str, Tile] = Field(min_length=1)
    turning: bool = True
    reusable: bool = False
    matching: Literal["equal"] | tuple[tuple[str, str], ...] = "equal"
    frame: str | None = None
    latin: bool = False
    hints: tuple[Hint, ...] = ()
    colours: Colours = Field(default_factory=dict)
    encoding: Literal["labels", "labels-lean", "supports", "supports-lean", "conflicts", "conflicts-lean"] = "labels"

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> EdgeMatching:
        surface = self.surface
        shapes = sorted({surface.sides(cell) for cell in surface.cells})
        for name, tile in self.tiles.items():
            if len(tile.sides) not in shapes:
                wanted = " or ".join(map(str, shapes))
                raise ValueError(f"tiles.{name}: {len(tile.sides)} sides, where the cells of {surface.name} have {wanted}")
            for side, label in enumerate(tile.sides):
                if label not in self.partners:
                    raise ValueError(
                        f"tiles.{name}: side {side}: label {label!r} is in no pair of 'matching'; mend its spelling or "
                        f"add its pair (labels there: {', '.join(self.partners)})"
                    )
        if self.frame is not None:
            if all(len(seam) > 1 for seam in surface.seams):
                raise ValueError(f"frame: {surface.name} has no rim")
            if not any(self.frame in tile.sides for tile in self.tiles.values()):
                raise ValueError(f"frame: no tile has the label {self.frame!r}")
        if self.latin:
            if not self.surface.name.startswith("square"):
                raise ValueError(f"latin: {surface.name} has no rows and columns")
            for name, tile in self.tiles.items():
                if tile.face is None:
                    raise ValueError(f"tiles.{name}: no face, where `latin` wants each face once a row and column")
        supply = sum(tile.count for tile in self.tiles.values())
        if supply < len(surface.cells) and not self.reusable:
            raise ValueError(f"tiles: {supply} tiles cannot cover the {len(surface.cells)} cells of {surface.name}")
        self._check_hints()
        for label in self.colours.keys() - self.partners.keys():
            raise ValueError(f"colours: no tile has the label {label!r} (labels there: {', '.join(self.partners)})")
        return self

    def _check_hints(self) -> None:
        hinted: set[Cell] = set()
        for i, hint in enumerate(self.hints):
            if hint.cell not in self.surface.polygons:
                raise ValueError(f"hints.{i}: {self.surface.name} has no cell {hint.cell}")
            if hint.cell in hinted:
                raise ValueError(f"hints.{i}: cell {hint.cell} has a hint already; keep one of the two")
            if hint.tile not in self.tiles:
                raise ValueError(f"hints.{i}: no tile {hint.tile!r}")
            if hint.turn is not None and not 0 <= hint.turn < (self.surface.sides(hint.cell) if self.turning else 1):
                raise ValueError(f"hints.{i}: tile {hint.tile!r} cannot be turned by {hint.turn}")
            hinted.add(hint.cell)

    @cached_property
    def surface(self) -> Board:
        """The board itself."""
        return named(self.board)

    @cached_property
    def partners(self) -> dict[str, str]:
        """For each label the one that matches it."""
        if self.matching == "equal":
            return {label: label for tile in self.tiles.values() for label in tile.sides}
        partners: dict[str, str] = {}
        for a, b in self.matching:
            for label in {a, b}:
                if label in partners:
                    raise ValueError(f"matching: {label!r} is in two pairs")
            partners |= {a: b, b: a}
        return partners

    @cached_property
    def painted(self) -> dict[str, Paint]:
        """How the labels are painted."""
        return paints(self.partners, self.partners if self.matching != "equal" else None, self.colours)

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The tiles, those that are alike taken as one kind; a reusable tile counts as 0, however many are listed."""
        pieces = {}
        for name, tile in self.tiles.items():
            rim = tuple(spot for label in tile.sides for spot in (None, label))
            pieces[name] = RimmedPiece(len(tile.sides), rim, tile.face, 0 if self.reusable else tile.count)
        return rimmed_kinds(pieces, turning=self.turning, flipping=False)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement with how the tile then lies."""
        placements = candidate_placements(self.surface, self.kinds)
        return {
            Placement(candidate.cell, candidate.kind.name, candidate.orientation.turn): candidate for candidate in placements
        }

    @cached_property
    def _on(self) -> dict[Cell, list[tuple[Placement, CandidatePlacement]]]:
        """The same cell by cell."""
        on: dict[Cell, list[tuple[Placement, CandidatePlacement]]] = {cell: [] for cell in self.surface.cells}
        for placement, candidate in self.candidates.items():
            on[candidate.cell].append((placement, candidate))
        return on

    def _fitting(self, hint: Hint) -> frozenset[Placement]:
        """The placements that a hint leaves for its cell."""
        name = next(kind.name for kind in self.kinds if hint.tile in kind.names)
        sides = self.tiles[hint.tile].sides
        return frozenset(
            placement
            for placement, candidate in self.candidates.items()
            if (placement.cell, placement.tile) == (hint.cell, name)
            and (hint.turn is None or candidate.rim[1::2] == Orientation(hint.turn).apply(sides, len(sides)))
        )

    def clues(self) -> dict[str, frozenset[Placement]]:
        return {f"hints.{i}": self._fitting(hint) for i, hint in enumerate(self.hints)}

    def with_clues(self, placements: Collection[Placement]) -> EdgeMatching:
        hints = tuple(Hint(cell=cell, tile=tile, turn=turn) for cell, tile, turn in placements)
        return self.model_copy(update={"hints": hints})

    def without_clues(self) -> EdgeMatching:
        return self.with_clues(())

    @classmethod
    def generator(cls) -> type[BaseModel]:
        from jigsat.encodings.generators.edge_matching import Wishes

        return Wishes

    # -- the encoding

    def encode(self) -> Formula:
        formula, lean = Formula(), self.encoding.endswith("-lean")
        known = {"cell": self.surface.cells, "tile": [kind.name for kind in self.kinds], "turn": ()}
        place = formula.variables(
            "place", known, self.candidates
        )  # a cell that nothing fits and a tile that fits nowhere have none

        with formula.group("every cell holds one tile"):
            for cell in self.surface.cells:
                formula.exactly_one(place[cell, :, :])

        left_over = self.reusable or sum(kind.count for kind in self.kinds) > len(self.surface.cells)
        if not self.reusable:
            use = formula.at_most if left_over else formula.at_least if lean else formula.exactly
            with formula.group("every tile is used once"):
                for kind in self.kinds:
                    use(kind.count, place[:, kind.name, :])

        match = {"labels": self._by_label, "supports": self._by_support, "conflicts": self._by_conflict}
        for seam in self.surface.seams:
            if len(seam) > 1:
                match[self.encoding.removesuffix("-lean")](formula, seam)

        if self.frame is not None:
            shown = sum(tile.sides.count(self.frame) * tile.count for tile in self.tiles.values())
            nowhere_else = shown == sum(len(seam) == 1 for seam in self.surface.seams) and not left_over and not lean
            for seam in self.surface.seams:
                rim = len(seam) == 1
                with formula.group(f"the frame shows {self.frame}" if rim else "the frame's label is only on the frame"):
                    for incidence in seam if rim or nowhere_else else ():
                        for literal, label in self._labels(formula, incidence):
                            if (label == self.frame) != rim:
                                formula.clause([-literal])

        if self.latin:
            with formula.group("each face once a row and column"):
                faces = {tile.face for tile in self.tiles.values()}
                for line in self._lines():
                    once = formula.exactly_one if len(faces) <= len(line) else formula.at_most_one
                    for face in sorted(faces, key=str):
                        names = [kind.name for kind in self.kinds if kind.attribute == face]
                        once(literal for cell in line for name in names for literal in place[cell, name, :])

        with formula.group("hints"):
            for fitting in self.clues().values():
                formula.clause(place(*placement) for placement in fitting)
        return formula

    def _lines(self) -> list[list[tuple[int, int]]]:
        """The rows and columns of a rectangular board."""
        cells: list[tuple[int, int]] = [cell for cell in self.surface.cells if isinstance(cell, tuple)]
        return [[cell for cell in cells if cell[axis] == i] for axis in (0, 1) for i in sorted({cell[axis] for cell in cells})]

    def _by_label(self, formula: Formula, seam: Sequence[Incidence]) -> None:
        """The sides at a seam show the same label, each cell but the first reading it as its partner."""
        with formula.group("an edge has one label"):
            value = formula.choice("label", self.partners, decision=False, cell=seam[0].cell, side=seam[0].side)
        for incidence in seam:
            showing: dict[str, list[int]] = {label: [] for label in self.partners}
            with formula.group("a tile shows its labels"):
                for literal, label in self._labels(formula, incidence):
                    read = label if incidence is seam[0] else self.partners[label]
                    formula.implies(literal, value(read))
                    showing[read].append(literal)
            if not self.encoding.endswith("-lean"):
                with formula.group("a label is shown by a tile"):
                    for label, literals in showing.items():
                        formula.implies(value(label), *literals)

    def _by_support(self, formula: Formula, seam: Sequence[Incidence]) -> None:
        """A placement has one that matches it on each cell that it meets."""
        with formula.group("sides that meet match"):
            for here, there in permutations(seam, 2):
                showing: dict[str, list[int]] = {label: [] for label in self.partners}
                for literal, label in self._labels(formula, there):
                    showing[label].append(literal)
                for literal, label in self._labels(formula, here):
                    formula.implies(literal, *showing[self.partners[label]])

    def _by_conflict(self, formula: Formula, seam: Sequence[Incidence]) -> None:
        """Two placements that meet and do not match exclude each other."""
        with formula.group("sides that meet match"):
            for here, there in combinations(seam, 2):
                for literal, label in self._labels(formula, here):
                    for other, its_label in self._labels(formula, there):
                        if its_label != self.partners[label]:
                            formula.clause([-literal, -other])

    def _labels(self, formula: Formula, at: Incidence) -> Iterator[tuple[int, str]]:
        """Each placement on a cell, as a literal, with the label it shows at a side."""
        place, position = formula.families["place"], 2 * at.side + 1
        for placement, candidate in self._on[at.cell]:
            yield place(*placement), str(candidate.rim[position])

    def symmetries(self) -> Iterator[Symmetry]:
        return board_symmetries(self.surface, self.candidates, self.clues().values(), self._exchanges())

    def _exchanges(self) -> Sequence[dict[Hashable, Hashable]]:
        """What labels might be exchanged for what: those that stand alike on the tiles, partners for partners, not the frame's.

        None are looked for where more than MOST_EXCHANGES come into question.
        """
        alike: dict[Any, list[str]] = {}
        for label in self.partners:
            stands = Counter(
                (kind.attribute, kind.count, min(_turns(there) + _turns(there[::-1])))
                for kind in self.kinds
                for there in [tuple(side == label for side in next(iter(kind.ways))[1::2])]
            )
            alike.setdefault((label == self.frame, frozenset(stands.items())), []).append(label)
        if math.prod(math.factorial(len(labels)) for labels in alike.values()) > MOST_EXCHANGES:
            return []
        found: list[dict[Hashable, Hashable]] = []
        for images in product(*(permutations(labels) for labels in alike.values())):
            exchange = dict(zip(chain(*alike.values()), chain(*images), strict=True))
            kept = all(exchange[self.partners[a]] == self.partners[b] for a, b in exchange.items())
            if kept and any(a != b for a, b in exchange.items()):
                found.append(dict(exchange.items()))
        return found

    # -- the check, from the corners of the cells and the tiles as they are listed

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        covered = Counter(placement.cell for placement in placements)
        for cell in self.surface.polygons.keys() | covered.keys():
            if covered[cell] != 1:
                yield f"cell {cell} holds {covered[cell]} tiles"
        shown: dict[tuple[Cell, int], list[str]] = {}
        for cell, name, turn in placements:
            for i, label in enumerate(self.shown_sides(name, turn)):
                shown.setdefault((cell, i), []).append(label)
            if turn and not self.turning:
                yield f"tile {name} is turned"
        for (at, *_), sides in self.surface.meetings.items():
            meeting = [label for side in sides for label in shown.get(side, ())]
            if len(sides) == 1 and self.frame and meeting != [self.frame]:
                yield f"{' and '.join(meeting) or 'nothing'} at the frame, at {at}"
            for a, b in combinations(meeting, 2):
                if not (a == b if self.matching == "equal" else (a, b) in self.matching or (b, a) in self.matching):
                    yield f"{a} meets {b} at {at}"
        if not self.reusable:
            yield from self._overused(placements)
        if self.latin:
            for axis, line in ((1, "row"), (0, "column")):
                faces = Counter((self.surface.polygons[p.cell][0][axis], self.tiles[p.tile].face) for p in placements)
                yield from (f"{face} is {n} times in {line} {i}" for (i, face), n in faces.items() if n > 1)
        for hint in self.hints:
            if not any(self._obeys(placement, hint) for placement in placements):
                yield f"the hint for cell {hint.cell} is not kept"

    def _overused(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Tiles used more often than they are there; tiles that look alike stand in for each other."""
        used = Counter(self._look(placement.tile) for placement in placements)
        there: Counter[tuple[str | None, tuple[str, ...]]] = Counter()
        for name, tile in self.tiles.items():
            there[self._look(name)] += tile.count
        for look, times in used.items():
            if times > there[look]:
                name = next(placement.tile for placement in placements if self._look(placement.tile) == look)
                yield f"tile {name} is used {times} times and is there {there[look]} times"

    def _look(self, name: str) -> tuple[str | None, tuple[str, ...]]:
        """What tells a tile from others: its face and its sides, as the first of its looks where tiles may be turned."""
        sides, face = self.tiles[name].sides, self.tiles[name].face
        return face, min(_turns(sides)) if self.turning else sides

    def _obeys(self, placement: Placement, hint: Hint) -> bool:
        if placement.cell != hint.cell or self._look(placement.tile) != self._look(hint.tile):
            return False
        shown = self.shown_sides
        return hint.turn is None or shown(placement.tile, placement.turn) == shown(hint.tile, hint.turn)

    # -- pictures

    def text(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        squares = squared(self.surface)
        short = short_names(self.partners)
        if squares is None:
            return "\n".join(
                f"{printable(str(cell))}: tile {printable(name)}, turned {turn} of {len(self.tiles[name].sides)} clockwise"
                + (" *" if (cell, name, turn) in marked else "")
                for cell, name, turn in placements
            )
        widest = max(map(len, short.values()))
        named = max(len(printable(name)) for name in self.tiles)
        width, page = 2 * widest + named + 6, Page()
        for cell, name, turn in placements:
            column, row, lies = squares[cell]
            x, y = column * (width + 1), row * 4
            top, right, bottom, left = (short[label] for label in self.shown_sides(name, turn + lies))
            for line in (0, 4):
                page.write(x, y + line, "+" + "-" * width + "+")
            for line in (1, 2, 3):
                page.write(x, y + line, "|" + " " * width + "|")
            page.write(x + 1, y + 1, top, width=width)
            star = "*" if (cell, name, turn) in marked else ""
            page.write(x + 1, y + 2, star + (f"{name} {ARROWS[(turn + lies) % 4]}" if self.turning else name), width=width)
            page.write(x + 2, y + 2, left)
            page.write(x + width - len(right), y + 2, right)
            page.write(x + 1, y + 3, bottom, width=width)
        legend = ", ".join(f"{name} {printable(str(label))}" for label, name in short.items() if name != label)
        return "\n".join(filter(None, [str(page), legend, self._arrows]))

    @property
    def _arrows(self) -> str:
        return "the arrow shows where the printed top of a tile points" if self.turning else ""

    def shown_sides(self, name: str, turn: int) -> tuple[str, ...]:
        """The labels of a tile that is turned, as they then lie around its cell."""
        sides = self.tiles[name].sides
        return tuple(sides[(i - turn) % len(sides)] for i in range(len(sides)))

    def svg(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        picture, on = Picture(scale=150), {placement.cell: placement for placement in placements}

        def draw(cell: Cell, corners: Sequence[Point]) -> None:
            self.draw_tile(picture, corners, on[cell].tile, on[cell].turn, arrow=self.turning)
            if on[cell] in marked:
                picture.mark(corners)

        on_board(picture, self.surface, draw)
        outside = "" if self.surface.flat else "seen from outside; red numbers: sides that meet"
        if note := "; ".join(filter(None, [outside, self._arrows])):
            picture.note(note)
        return str(picture)

    def draw_tile(self, picture: Picture, corners: Sequence[Point], name: str, turn: int, *, arrow: bool) -> None:
        """Draw a tile with its name in the middle, on an arrow to its printed top if one is wanted."""
        centre = middle(corners)
        for i, label in enumerate(self.shown_sides(name, turn)):
            start, end = corners[i], corners[(i + 1) % len(corners)]
            fill, band = self.painted[label]
            picture.polygon([start, end, centre], fill)
            if band:
                picture.polygon([between(start, centre, 0.3), between(end, centre, 0.3), centre], band)
            for j, word in enumerate(label.split()):
                at, on = between(middle([start, end]), centre, 0.17 + 0.2 * j), (j and band) or fill
                picture.text(at, word, 0.085, turn=heading(start, end), fill=ink(on))
        picture.polygon(corners, "none", width=0.025)
        printed_top = heading(corners[0], corners[1]) + 360 * turn / len(corners)
        radius = min(0.15, 0.42 * math.dist(centre, middle(corners[:2])))
        picture.badge(centre, radius, name, self.tiles[name].face or "", turn=printed_top, arrow=arrow)

    def rules(self) -> Iterator[str]:
        return edge_matching_sheet.rules(self)

    def parts(self) -> list[Part]:
        """The board and the tiles, 40 mm along a side."""
        return edge_matching_sheet.parts(self)
