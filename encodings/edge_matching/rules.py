"""Edge matching: tiles with a label on each side cover a board so that sides that meet match.

Variables and constraint groups, on a board of n cells and m inner edges, with t kinds of tiles, w
placements per cell and l labels:

- `place(cell, tile, turn)`: the tile lies on the cell, turned clockwise by `turn` sides; n·w
  decision variables.
- `label(cell, side, value)`: the edge at this side shows the label, as read from the cell; a choice
  for each inner edge,
  m·l auxiliary variables.

- "every cell holds one tile": n exactly-one.
- "every tile is used once": t exactly-count, or at-most-count if tiles are left over; none if tiles
  are reusable.
- "a tile shows its labels": placement → label; one clause for each inner side of each placement.
- "a label is shown by a tile": label → one of the placements that show it; one clause for each
  label and inner side.
- "the frame shows …": one clause for each placement that shows something else on the rim.
- "the frame's label is only on the frame": one clause for each placement that shows it elsewhere,
  if the rim needs every copy
  of that label.
- "each face once per row and column": for each face and line, exactly-one, or at-most-one if there
  are more faces than cells in
  the line; only if the instance has `latin`.
- "hints": one clause for each hint.
- "the required number of pieces of each group": one exactly-k or between per group, if the instance
  has groups.

This is the encoding `labels`. match.py has two others, `supports` and `conflicts`, which replace
the labels by clauses in the group "sides that meet match". An encoding whose name ends in `-lean`
omits the redundant constraints: that a tile is used at most as often as it exists if all tiles are
used, that a label is shown by a tile, and that the frame's label is only on the frame.
"""

from collections.abc import Iterator
from itertools import product

from jigsat.encodings.edge_matching.check import broken_rules
from jigsat.encodings.edge_matching.data import EdgeMatchingData
from jigsat.encodings.edge_matching.match import match

from jigsat.errors import lookalikes
from jigsat.formula import Formula
from jigsat.pieces.groups import require_numbers
from jigsat.pieces.rims import board_symmetries
from jigsat.symmetry import ColouredGraph, Symmetry
from jigsat.words import name_place


class EdgeMatching(EdgeMatchingData):
    """An edge-matching puzzle."""

    check = broken_rules
    breakable = "an edge has one label"

    def encode(self) -> Formula:
        formula, lean = Formula(), self.encoding.endswith("-lean")
        known = {"cell": self.surface.cells, "tile": [kind.name for kind in self.kinds], "turn": ()}
        # include cells and tiles without candidates
        place = formula.variables("place", known, self.candidates)

        with formula.group("every cell holds one tile"):
            for cell in self.surface.cells:
                with formula.requirement("cell", name_place(cell), "filled"):
                    formula.exactly_one(place[cell, :, :])

        if not self.reusable:
            use = (
                formula.at_most if self.left_over else formula.at_least if lean else formula.exactly
            )
            with formula.group("every tile is used once"):
                for kind in self.kinds:
                    with formula.requirement("tile", kind.words, "placed"):
                        use(kind.count, place[:, kind.name, :])
        require_numbers(
            formula, self.groups, ((kind.groups, place[:, kind.name, :]) for kind in self.kinds)
        )

        for seam in self.surface.seams:
            if len(seam) > 1:
                with formula.rule(
                    f"edge between {' and '.join(name_place(side.cell) for side in seam)}"
                ):
                    match(self, formula, place, seam)

        for seam in self.surface.seams if self.frame is not None else ():
            if len(seam) == 1:
                with (
                    formula.group(f"the frame shows {self.frame}"),
                    formula.rule(f"frame at {name_place(seam[0].cell)}"),
                ):
                    for placement, label in self.showing(*seam):
                        if label != self.frame:
                            formula.clause([-place(*placement)])
            elif self.rim_uses_frame_label_up and not lean:
                with formula.group("the frame's label is only on the frame", redundant=True):
                    for placement, label in self.showing(*seam):
                        if label == self.frame:
                            formula.clause([-place(*placement)])

        if self.latin:
            with formula.group("each face once per row and column"):
                for (name, line), tiles in product(self.lines.items(), self.faces.values()):
                    once = (
                        formula.exactly_one if len(self.faces) <= len(line) else formula.at_most_one
                    )
                    with formula.rule(name):
                        once(
                            literal
                            for cell in line
                            for tile in tiles
                            for literal in place[cell, tile, :]
                        )

        with formula.group("hints"):
            for placements in self.clues().values():
                formula.clause(sorted(place(*placement) for placement in placements))
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board that keep the hints, also combined with permutations of the
        labels."""
        return board_symmetries(
            self.surface,
            self.candidates,
            keep=self.clues().values(),
            relabel=self.label_permutations(),
        )

    def graph(self) -> ColouredGraph | None:
        """Tiles are joined to their sides, these clockwise to each other and to their labels, and
        labels to partners."""
        if self.groups or self.hints:
            return None
        number = {label: i for i, label in enumerate(self.partners)}
        colours = ["frame" if label == self.frame else "label" for label in number]
        edges = [
            (number[one], number[other])
            for one, other in self.partners.items()
            if number[one] < number[other]
        ]
        for kind in self.kinds:
            labels, tile = [str(label) for label in next(iter(kind.ways))[1::2]], len(colours)
            colours.append(f"{kind.count} {kind.attribute}")
            for i, label in enumerate(labels):
                colours += ["side" if self.turning else f"side {i}", "from", "to"]
                side, following = tile + 1 + 3 * i, tile + 1 + 3 * ((i + 1) % len(labels))
                edges += [
                    (tile, side),
                    (side, number[label]),
                    (side, side + 1),
                    (side + 1, side + 2),
                    (side + 2, following),
                ]
        return ColouredGraph([*colours, self.entries_without("tiles", "matching", "frame")], edges)

    def warnings(self) -> Iterator[str]:
        """Labels and faces that occur once and resemble one that occurs more often."""
        if self.matching == "equal":  # otherwise the file lists the labels
            yield from lookalikes(
                "label", [label for tile in self.tiles.values() for label in tile.sides]
            )
        if self.latin:
            yield from lookalikes("face", [tile.face or "" for tile in self.tiles.values()])
