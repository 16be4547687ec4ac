"""The interface between a puzzle family and the pipeline.

A family is a subclass of `Puzzle`: a validated instance file that knows how it is encoded, how a finished solution is
checked without the encoding, which symmetries it has, and how a solution is drawn. Its solutions are sets of
*placements*s of the family's own that are also the keys of the formula's decision variables; decoding a model
is therefore the same for all: the placements whose variables are true.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.pictures import Part
from jigsat.symmetry import LEVELS, Placement, Symmetry


class Known(BaseModel):
    """What is known about an instance, and where from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    solutions: NonNegativeInt | None = None
    rotation: NonNegativeInt | None = None
    reflection: NonNegativeInt | None = None
    all: NonNegativeInt | None = None
    minimum: NonNegativeInt | None = None
    source: str = ""

    def distinct(self) -> dict[str, int]:
        """The known number of distinct solutions by level."""
        return {level: count for level in LEVELS[1:] if (count := getattr(self, level)) is not None}


class Puzzle(BaseModel):
    """One instance of a family, validated. Subclasses raise ValueError in their validators, naming the place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    family: str
    name: str = Field(default="", exclude=True)
    title: str = ""
    source: str = ""
    known: Known = Known()

    @abstractmethod
    def encode(self) -> Formula:
        """The puzzle as a formula whose decision variables have the placements as their keys."""

    @abstractmethod
    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Every rule that the placements break, in words; nothing for a solution. Shares nothing with `encode`."""

    def symmetries(self) -> Iterable[Symmetry]:
        """The puzzle's symmetries, a group; without the identity it is understood to be in it."""
        return ()

    def digest(self) -> str:
        """A hash of the puzzle itself: without name, title, source, colours, what is known and how it is encoded."""
        said = self.model_dump_json(exclude={"title", "source", "known", "encoding", "colours"}, exclude_defaults=True)
        return hashlib.sha256(said.encode()).hexdigest()

    @classmethod
    def encodings(cls) -> tuple[str, ...]:
        """The encodings to choose from, where the family has an entry `encoding` that names them."""
        entry = cls.model_fields.get("encoding")
        return get_args(entry.annotation) if entry else ()

    def clues(self) -> Mapping[str, frozenset[Placement]]:
        """The clues by where they stand in the file, such as 'hints.0': one placement of each must be in the solution."""
        return {}

    def with_clues(self, placements: Collection[Placement]) -> Puzzle:
        """The same puzzle with these placements as its only clues. Raises InputError where the family has no clues."""
        raise InputError(f"{self.name or self.family}: the family {self.family} has no clues")

    def without_clues(self) -> Puzzle:
        """The same puzzle with its clues taken away; `encode` of the two differs by one clause a clue."""
        return self

    def remarks(self) -> Iterable[str]:
        """What the family has to say about this instance besides its solutions, such as the rank of its equations."""
        return ()

    @classmethod
    def split(cls, data: dict[str, Any]) -> list[dict[str, Any]]:
        """The data of each puzzle in the data of a file that holds several; most hold one."""
        return [data]

    @classmethod
    def from_text(cls, text: str) -> dict[str, Any] | None:
        """The data of a file in a customary text format of the family, or None if the text is in no such format."""
        return None

    def answer(self, placements: Sequence[Placement]) -> str:
        """What is asked for where that is not the solution itself but is read off it, such as a letter."""
        return ""

    @abstractmethod
    def text(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        """A solution drawn with characters, a star beside each placement that is marked.

        A marked placement need not be one of the solution's; that it is missing is worth a mark where a picture can show it.
        """

    def parts(self) -> list[Part]:
        """What is printed to be solved: pieces to cut out, or the puzzle itself with its clues."""
        return [Part(self.svg([placement for clue in self.clues().values() for placement in clue]), 180.0)]

    @abstractmethod
    def svg(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        """A solution drawn as an SVG document, with a line in `drawing.MARK` around each placement that is marked."""


@dataclass(frozen=True)
class Solution:
    """A checked solution: the placements that make it, in a fixed order. It shows its picture in a notebook.

    `relation` says, of one of the first solutions found, how it comes about from an earlier one.
    """

    puzzle: Puzzle
    placements: tuple[Placement, ...]
    relation: str = ""

    def text(self, marked: Collection[Placement] = ()) -> str:
        """The solution drawn with characters."""
        return self.puzzle.text(self.placements, marked)

    def svg(self, marked: Collection[Placement] = ()) -> str:
        """The solution drawn as an SVG document."""
        return self.puzzle.svg(self.placements, marked)

    def differing(self, other: Solution) -> frozenset[Placement]:
        """The placements that are in only one of the two."""
        return frozenset(self.placements) ^ frozenset(other.placements)

    def _repr_svg_(self) -> str:
        return self.svg()

    def objects(self) -> list[dict[str, Any]]:
        """The placements as plain objects, for JSON."""
        return [placement._asdict() for placement in self.placements]
