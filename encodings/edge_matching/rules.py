"""Edge matching: tiles with a label on each side cover a board so that sides that meet match.

Variables and rules, on a board of n cells and m inner edges, with t kinds of tiles, w
placements per cell and l labels:

- `place(cell, tile, turn)`: the tile lies on the cell, turned clockwise by `turn` sides; n·w
  decision variables.
- `label(cell, side, value)`: the edge at this side shows the label, as read from the cell; a choice
  for each inner edge, m·l auxiliary variables.

- "every cell holds one tile": n exactly-one.
- "every tile is used once": t exactly-count, or at-most-count if tiles are left over; none if tiles
  are reusable.
- "a tile shows its labels": placement → label; one clause for each inner side of each placement.
- "a label is shown by a tile": label → one of the placements that show it; one clause for each
  label and inner side.
- "the frame shows …": one clause for each placement that shows something else on the rim.
- "the frame's label is only on the frame": one clause for each placement that shows it elsewhere,
  if the rim needs every copy of that label.
- "each face once per row and column": for each face and line, exactly-one, or at-most-one if there
  are more faces than cells in the line; only if the instance has `latin`.
- "hints": one clause for each hint.
- "the required number of pieces of each group": one exactly-k or between per group, if the instance
  has groups.

This is the encoding `labels`. match.py has two others, `supports` and `conflicts`, which replace
the labels by clauses of the rule "sides that meet match". An encoding whose name ends in `-lean`
omits the redundant constraints: that a tile is used at most as often as it exists if all tiles are
used, that a label is shown by a tile, and that the frame's label is only on the frame. heule.py has
four published encodings of framed boards.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Self

from jigsat.encodings.edge_matching.check import broken_rules
from jigsat.encodings.edge_matching.data import EdgeMatchingData
from jigsat.encodings.edge_matching.heule import encode_tiles, find_obstacle
from jigsat.encodings.edge_matching.match import match
from pydantic import model_validator

from jigsat.boards import Cell, Incidence
from jigsat.errors import InputError, lookalikes
from jigsat.formula import Formula, Variables
from jigsat.pieces.groups import require_numbers
from jigsat.pieces.rims import board_symmetries
from jigsat.symmetry import ColouredGraph, Symmetry
from jigsat.words import name_place


class EdgeMatching(EdgeMatchingData):
    """An edge-matching puzzle."""

    check = broken_rules
    breakable = "an edge has one label"

    @model_validator(mode="after")
    def _check_encoding(self) -> Self:
        obstacle = find_obstacle(self)
        if obstacle:
            raise ValueError(obstacle)
        return self

    def encode(self) -> Formula:
        if self.encoding.startswith("heule-"):
            return self.encode_as_heule()

        formula = Formula()
        place = self.place_tiles(formula)

        for seam in self.surface.seams:
            if len(seam) > 1:
                match(self, formula, place, seam)

        if self.frame is not None:
            for seam in self.surface.seams:
                self.keep_frame(formula, place, seam)

        self.keep_faces_and_hints(formula, place)
        return formula

    def encode_as_heule(self) -> Formula:
        """One of the published encodings. Raises InputError if the puzzle has other rules."""
        obstacle = find_obstacle(self)
        if obstacle:  # `compare` tries encodings without reading the file again
            raise InputError(obstacle)
        formula = Formula()
        place = encode_tiles(self, formula)
        placed = [(kind.groups, place[:, kind.name, :]) for kind in self.kinds]
        require_numbers(formula, self.groups, placed)
        self.keep_hints(formula, place)
        return formula

    def place_tiles(self, formula: Formula) -> Variables:
        """Every cell holds a tile, and every tile is used as often as it exists."""
        # Cells and tiles without candidates can be asked for as well.
        axes = {"cell": self.surface.cells, "tile": [kind.name for kind in self.kinds], "turn": ()}
        place = formula.variables("place", axes, self.candidates)

        for cell in self.surface.cells:
            with formula.rule("every cell holds one tile", "cell", cell, must_be="filled"):
                formula.exactly_one(place[cell, :, :])

        if not self.reusable:
            for kind in self.kinds:
                with formula.rule("every tile is used once", "tile", kind.words, must_be="placed"):
                    self.use_tile(formula, kind.count, place[:, kind.name, :])

        placed = [(kind.groups, place[:, kind.name, :]) for kind in self.kinds]
        require_numbers(formula, self.groups, placed)
        return place

    def keep_faces_and_hints(self, formula: Formula, place: Variables) -> None:
        if self.latin:
            for thing, line in self.lines.items():
                with formula.rule("each face once per row and column", *thing):
                    self.show_each_face_once(formula, place, line)

        self.keep_hints(formula, place)

    def keep_hints(self, formula: Formula, place: Variables) -> None:
        with formula.rule("hints"):
            for placements in self.clues().values():
                literals = []
                for cell, tile, turn in placements:
                    literals += place[cell, tile, turn]
                formula.clause(sorted(literals))

    def use_tile(self, formula: Formula, count: int, placements: Sequence[int]) -> None:
        """A tile is used as often as it exists, or at most so often if tiles are left over."""
        if self.left_over:
            formula.at_most(count, placements)
        elif self.is_lean:
            formula.at_least(count, placements)
        else:
            formula.exactly(count, placements)

    def keep_frame(self, formula: Formula, place: Variables, seam: Sequence[Incidence]) -> None:
        """The rim shows the frame's label; if it needs every copy of it, no inner edge does."""
        if len(seam) == 1:
            where = f"at {name_place(seam[0].cell)}"
            with formula.rule(f"the frame shows {self.frame}", "frame", where):
                for placement, label in self.showing(*seam):
                    if label != self.frame:
                        formula.clause([-place(*placement)])
        elif self.rim_uses_frame_label_up and not self.is_lean:
            with formula.rule("the frame's label is only on the frame", redundant=True):
                for placement, label in self.showing(*seam):
                    if label == self.frame:
                        formula.clause([-place(*placement)])

    def show_each_face_once(self, formula: Formula, place: Variables, line: Sequence[Cell]) -> None:
        """In a line, which is a row or a column, no two tiles show the same face, such as a
        colour. If the line has a cell for every face, it shows each of them once."""
        for tiles in self.faces.values():
            placements = []
            for cell, tile in product(line, tiles):
                placements += place[cell, tile, :]
            if len(self.faces) <= len(line):
                formula.exactly_one(placements)
            else:
                formula.at_most_one(placements)

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board that keep the hints, also combined with permutations of the
        labels."""
        return board_symmetries(
            self.surface,
            self.encoded,
            keep=[clue.intersection(self.encoded) for clue in self.clues().values()],
            relabel=self.label_permutations(),
        )

    def graph(self) -> ColouredGraph | None:
        """Tiles are joined to their sides, these clockwise to each other and to their labels, and
        labels to partners."""
        if self.groups or self.hints:
            return None

        colours = ["frame" if label == self.frame else "label" for label in self.partners]
        vertex = {label: i for i, label in enumerate(self.partners)}
        edges = []
        for label, partner in self.partners.items():
            if vertex[label] < vertex[partner]:
                edges.append((vertex[label], vertex[partner]))

        for kind in self.kinds:
            labels = [str(label) for label in next(iter(kind.ways))[1::2]]
            tile = len(colours)
            colours.append(f"{kind.count} {kind.attribute}")
            # Each side has two more vertices, which give the edge to the next side a direction.
            sides = [tile + 1 + 3 * i for i in range(len(labels))]
            for i, label in enumerate(labels):
                colours += ["side" if self.turning else f"side {i}", "from", "to"]
                side = sides[i]
                following = sides[(i + 1) % len(sides)]
                edges += [(tile, side), (side, vertex[label])]
                edges += [(side, side + 1), (side + 1, side + 2), (side + 2, following)]

        rest = self.entries_without("tiles", "matching", "frame")
        return ColouredGraph([*colours, rest], edges)

    def warnings(self) -> Iterator[str]:
        """Labels and faces that occur once and resemble one that occurs more often."""
        if self.matching == "equal":  # otherwise the file lists the labels
            labels = [label for tile in self.tiles.values() for label in tile.sides]
            yield from lookalikes("label", labels)
        if self.latin:
            yield from lookalikes("face", [tile.face or "" for tile in self.tiles.values()])
