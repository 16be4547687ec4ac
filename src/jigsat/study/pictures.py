"""Steps with pictures.

In a picture, the places that the sentences are about have a green frame; the placements that the
step uses have a violet one, places where something is excluded have a pink one, and what is placed
has a red one. Pencil marks show what was left before the step. Where marks cannot be read, each
placement that drops out is drawn in a small picture of its own. Loose pieces are drawn beside the
board. Below it is written what the frames mean.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree

from jigsat.facts import Excludes, Fact
from jigsat.phrases import DRAWN, MAX_DRAWN, Text, join_or, unique
from jigsat.phrases.legends import find_legends
from jigsat.pictures import MARK, Part, between
from jigsat.pictures.pages import Drawing, Sheet, add_caption, size_of
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle
from jigsat.questions import Candidates, Status
from jigsat.study.highlights import Highlighter, Highlights
from jigsat.study.marks import (
    draw_candidates,
    frame_places,
    list_legible,
    read_places,
    uses_pencil,
)
from jigsat.study.playing import Playing
from jigsat.study.steps import Step
from jigsat.symmetry import Placement

RULES, USED, EXCLUDED, PLACED = "#2fa84f", "#8a2be2", "#f277a5", "#e3001b"  # colours of frames
COLOURS = {
    RULES: "Green frames: what the sentences are about.",
    USED: "Violet frames: placed before, used in this step.",
    EXCLUDED: "Pink frames: {} cannot be here.",
    PLACED: "Red frame: here something follows now.",
}
COLLIDING = "#ff8c00"
# number of loose pieces up to which all are drawn; of more, those of the step
MAX_LOOSE = 16
MAX_FITTING = 4  # number of placements left up to which small pictures show these
MAX_NAMED = 4  # number of things that drop out, up to which the legend names them
SMALL = 0.45  # width of a small picture, as a part of the board's
CROPPED = 0.45  # the same of a small picture of one face of a solid
AROUND = 0.24  # what a picture of a face shows around it, as a part of its size
MIN_WIDTH_PX = 800.0  # width of a picture, so that small marks can be read
LETTERS_PER_LINE = 60  # width of a picture in text sizes of its caption


@dataclass(frozen=True)
class Illustrated:
    """A step in words and in a picture, an SVG document, with sentences to be written below it.

    `legend` has the sentences that say what is in the picture and in the words, by what they
    explain; what explains the same in several steps has the same key.
    """

    text: Text
    picture: str
    legend: Mapping[str, str]

    @property
    def svg(self) -> str:
        """The picture with the sentences below it."""
        width, _ = size_of(ElementTree.fromstring(self.picture))
        sentences = (*self.text.beside, " ".join(self.legend.values()))
        return add_caption(self.picture, sentences, size=width / LETTERS_PER_LINE)


class Illustrator:
    """Draws the steps of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._playing = Playing(puzzle)
        self._highlighter = Highlighter(self._playing)
        self._outlines = read_places(ElementTree.fromstring(puzzle.svg([])))
        self._pieces = {x.placement: x.piece for x in self._playing.candidates.values()}
        self._pencil = uses_pencil(self._playing)

    def illustrate(self, step: Step, *, with_marks: bool = True) -> Illustrated:
        """A step with its picture; pencil marks can be left out."""
        highlights = self._highlighter.highlight(step.fact)
        text = step.text(self._puzzle)
        picture, legible = self._draw_board(step, with_marks=with_marks)
        is_drawn = any(DRAWN in words for words in text.lines())
        fitting = () if is_drawn or legible else list_fitting(step.fact)
        small = self._draw_small(step, fitting, RULES)
        if not fitting and (is_drawn or not legible):
            # All, if sentences point to them.
            most = len(step.excluded) if is_drawn else MAX_DRAWN
            small = self._draw_small(step, step.excluded[:most], EXCLUDED)
        if (fitting or len(small) == len(step.excluded)) and not self._pencil:
            # Frames on the board would not tell pieces that overlap.
            highlights = replace(highlights, excluded=())
        frames = self._list_frames(highlights)
        picture = frame_places(picture, frames)
        after = [] if self._pencil else self._draw_small(step, step.placed, PLACED)
        picture = self._add_parts(picture, self._list_loose(step, frames), [*small, *after])
        picture = _enlarge(picture)

        legend = [*self._write_legend(step, frames, legible)]
        legend += _explain_small(step, len(fitting), len(small), len(after))
        if any(COLLIDING in part.svg for part in small):
            legend.append(
                "Orange: here two teeth or two gaps meet, with what lies or may lie beside."
            )
        sentences = {sentence: sentence for sentence in legend}
        legends = find_legends(text.lines(), self._puzzle.way().uncounted)
        return Illustrated(text, picture, {**sentences, **legends})

    def _list_frames(self, highlights: Highlights) -> dict[str, set[Hashable]]:
        """The places of each colour; a place has one frame."""
        placed = self._list_places(highlights.placed)
        excluded = self._list_places(highlights.excluded) - placed
        used = self._list_places(highlights.used) - excluded - placed
        about = set(highlights.about) - used - excluded - placed
        return {RULES: about, USED: used, EXCLUDED: excluded, PLACED: placed}

    def _list_places(self, placements: Iterable[Placement]) -> set[Hashable]:
        board_places = self._puzzle.board_places
        return {place for placement in placements for place in board_places(placement)}

    def _draw_board(self, step: Step, *, with_marks: bool) -> tuple[str, set[Hashable]]:
        """The board before the step, with marks of what was left, and the places on which they can
        be read.
        """
        if not self._pencil or not with_marks:
            return self._puzzle.svg(step.board), set()
        statuses: dict[Placement, Status] = dict.fromkeys(self._pieces, "none")
        left = [x for x in step.left if x in self._pieces]
        every = Candidates(statuses, possible=frozenset(left))
        legible = list_legible(self._playing, every, self._outlines)
        readable = [x for x in left if legible.issuperset(self._puzzle.board_places(x))]
        before = Candidates(statuses, possible=frozenset(readable))
        board = [x for x in step.board if x in self._pieces]
        return draw_candidates(self._playing, before, board, step.excluded), legible

    def _draw_small(self, step: Step, placements: Iterable[Placement], colour: str) -> list[Part]:
        """A small picture of the board with each of these placements, framed in a colour."""
        shown = [x for x in placements if self._puzzle.board_places(x)]
        board = self._puzzle.parts()[0]
        parts = []
        for placement in shown:
            svg = self._puzzle.svg([*step.board, placement], [placement])
            if colour == EXCLUDED:
                svg = self._mark_collisions(svg, step, placement)
            width = SMALL * board.width
            if board.kind != "board":
                svg = self._crop(svg, placement)
                width = CROPPED * board.width
            parts.append(Part(svg.replace(MARK, colour), width, name=str(placement)))
        return parts

    def _mark_collisions(self, picture: str, step: Step, placement: Placement) -> str:
        """The picture with marks where the placement collides with what lies beside it, or may."""
        beside = list(step.fact.basis.placed)
        for choice in getattr(step.fact, "choices", ()):
            beside += choice.left
        way = self._puzzle.way()
        drawing = Drawing(ElementTree.fromstring(picture))
        for rule in step.fact.rules:
            for side, first, last in way.find_collisions(rule, placement, beside):
                (place,) = map(json.dumps, self._puzzle.board_places(placement))
                outline = self._outlines[place]
                start, end = outline[side], outline[(side + 1) % len(outline)]
                (x1, y1), (x2, y2) = between(start, end, first), between(start, end, last)
                ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
                drawing.shape(
                    "line",
                    **{name: f"{value:.1f}" for name, value in ends.items()},
                    stroke=COLLIDING,
                    stroke_width=f"{0.08 * math.dist(start, end):.1f}",
                )
        return str(drawing)

    def _crop(self, picture: str, placement: Placement) -> str:
        """The part of a picture of a solid around the places of a placement."""
        places = map(json.dumps, self._puzzle.board_places(placement))
        points = [point for place in places for point in self._outlines.get(place, ())]
        if not points:
            return picture
        xs, ys = zip(*points, strict=True)
        width = max(xs) - min(xs)
        height = max(ys) - min(ys)
        left = min(xs) - AROUND * width
        top = min(ys) - AROUND * height
        width *= 1 + 2 * AROUND
        height *= 1 + 2 * AROUND
        drawing = ElementTree.fromstring(picture)
        drawing.set("viewBox", f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}")
        drawing.set("width", f"{width:.1f}")
        drawing.set("height", f"{height:.1f}")
        drawing.attrib.pop("data-inner", None)
        return ElementTree.tostring(drawing, encoding="unicode")

    def _list_loose(self, step: Step, frames: dict[str, set[Hashable]]) -> set[str]:
        """The pieces that are not on the board; of many, those of the step."""
        lying = {self._pieces.get(x) for x in step.board}
        loose = set(self._playing.copies) - lying
        if len(loose) <= MAX_LOOSE:
            return loose
        relevant = {self._pieces.get(x) for x in (*step.placed, *step.excluded)}
        for rule in step.rules:
            relevant |= self._highlighter.find_area(rule).pieces
        places = frames[RULES] or self._list_places(step.excluded)
        for placement in step.left:
            if not places.isdisjoint(self._puzzle.board_places(placement)):
                relevant.add(self._pieces.get(placement))
        return loose & relevant

    def _add_parts(self, picture: str, names: Collection[str], small: list[Part]) -> str:
        """A picture of the board with these pieces and small pictures beside it, if they can be
        drawn.
        """
        board, *parts = self._puzzle.parts()
        loose = list({part.name: part for part in parts if part.name in names}.values())
        if board.kind != "board":
            board = board._replace(width=2 * board.width)  # a solid is printed small
        return opening([board._replace(svg=picture), *loose, *small])

    def _write_legend(
        self, step: Step, frames: dict[str, set[Hashable]], legible: set[Hashable]
    ) -> Iterator[str]:
        """What the frames and marks in a picture mean."""
        for colour, places in frames.items():
            if places:
                yield COLOURS[colour].format(self._name_excluded(step))
        if legible:
            if len(self._playing.copies) == 1:
                yield "○: not decided yet."
                if legible - self._list_places([*step.left, *step.board]):
                    yield "–: excluded before."
            else:
                yield "Small marks: what was possible before."
                if not legible >= self._list_places(step.left):
                    yield "No marks: too much was possible there to write it."
            if step.board:
                yield "Large: given or found."
        if legible & self._list_places(step.excluded):
            yield "A red line strikes out what is not possible now."

    def _name_excluded(self, step: Step) -> str:
        """What drops out, if that is little."""
        named = unique(map(self._puzzle.way().thing, step.excluded))
        few = len(named) <= MAX_NAMED and len(self._playing.copies) > 1
        return join_or(named) if few else "something"


def list_fitting(fact: Fact) -> tuple[Placement, ...]:
    """What is left on a place, if this is less than what drops out there."""
    if not isinstance(fact, Excludes) or len(fact.rest) != 1:
        return ()
    (choice,) = fact.rest
    few = len(choice.left) <= MAX_FITTING < len(fact.conclusion.excluded)
    return choice.left if few else ()


def _enlarge(picture: str) -> str:
    """A picture that is wide enough to read."""
    element = ElementTree.fromstring(picture)
    width, height = size_of(element)
    if width >= MIN_WIDTH_PX:
        return picture
    height *= MIN_WIDTH_PX / width
    sheet = Sheet(MIN_WIDTH_PX, height)
    sheet.picture(element, 0, 0, MIN_WIDTH_PX, height)
    return str(sheet)


def _explain_small(step: Step, fitting: int, excluded: int, placed: int) -> Iterator[str]:
    """What the small pictures show: their numbers."""
    if fitting:
        yield "Small pictures with a green frame: all that fits."
    elif excluded:
        hidden = len(step.excluded) - excluded
        more = f", and {hidden} more" if hidden > 0 else ""
        yield f"Small pictures with a pink frame: what drops out{more}."
    if placed:
        yield "Small picture with a red frame: what follows."


def illustrate_steps(puzzle: Puzzle, steps: Iterable[Step]) -> Iterator[Illustrated]:
    """The words and the picture of each step."""
    illustrator = Illustrator(puzzle)
    for step in steps:
        yield illustrator.illustrate(step)
