"""Generating edge-matching puzzles: tiles are cut from a board with labelled edges, and fit
together in only one way.

The labels of the edges are the data. In the solution every tile lies where it was cut, so the data
imply the solution. If labels have halves, such as a head and a tail, one side of an edge shows one
half and the other side shows the other half.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import ceil, exp, gcd, lgamma, log
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from jigsat.encodings.edge_matching.check import shown_sides
from jigsat.encodings.edge_matching.data import Placement, Tile
from jigsat.encodings.edge_matching.rules import EdgeMatching
from pydantic import AfterValidator, BeforeValidator, Field, PositiveInt, model_validator

from jigsat.boards import BoardName, Cell, board_named, title_board
from jigsat.errors import InputError
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation.counterexamples import (
    CounterexampleGuidedGenerator,
    PuzzleSpace,
    RandomDataGenerator,
)
from jigsat.generation.generator import Generator, GeneratorOptions
from jigsat.pictures import Pictures, read_folder
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model
from jigsat.words import plural

RIM = "rim"
T = TypeVar("T", bool, str)
LABELS = (  # the names of labels if only their number is given
    "sun",
    "moon",
    "star",
    "leaf",
    "fish",
    "bird",
    "tree",
    "wave",
    "cloud",
    "stone",
    "shell",
    "bell",
    "crown",
    "key",
    "ring",
)


def default_labels(number: int) -> tuple[str, ...]:
    """The given number of names.

    >>> default_labels(17)[-3:]
    ('ring', 'label 16', 'label 17')
    """
    return LABELS[:number] + tuple(f"label {i}" for i in range(len(LABELS) + 1, number + 1))


def _split_names(data: Any) -> Any:
    return [name.strip() for name in data.split(",")] if isinstance(data, str) else data


def _distinct(names: int | tuple[str, ...]) -> int | tuple[str, ...]:
    if isinstance(names, int):
        return names
    if not all(names):
        raise ValueError("a name is empty; write the names with one comma between them")
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"the name {name!r} occurs {times} times; names must differ")
    return names


_Names = Annotated[tuple[str, ...], Field(min_length=1)]

NameList = Annotated[
    _Names,
    AfterValidator(_distinct),
    BeforeValidator(_split_names, json_schema_input_type=str | list[str]),
]
"""Different names: a list, or text with commas between the names."""

Labels = Annotated[
    PositiveInt | _Names,
    AfterValidator(_distinct),
    BeforeValidator(_split_names, json_schema_input_type=PositiveInt | str | list[str]),
]
"""The number of labels, or their names."""


class Options(GeneratorOptions):
    """Options for generating tiles: the board and the labels, their number or their names, not
    counting the label of the rim.

    With `halves`, two names such as head and tail, every label has two halves, which match each
    other. `tiles` are the names of the tiles, which are all `different` up to turning. `pictures`
    are those of labels, or a folder of them, after whose files the labels are named, unless their
    names are given. With `hints`, or a number of hints in `clues`, the tiles may fit in several
    ways and hints single out one solution. `solutions` is the number of distinct ones up to
    rotation and reflection.
    """

    single = ""
    board: BoardName = "square 4x4"
    labels: Labels | None = None
    halves: NameList | None = None
    tiles: NameList | None = None
    frame: bool = False
    turning: bool = True
    different: bool = True
    pictures: Pictures = Field(default_factory=dict)
    hints: bool = False
    clues: PositiveInt | None = None

    @classmethod
    def include_files(cls, requested: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        """The requested options; if `pictures` names a folder, with the pictures in it."""
        name = requested.get("pictures")
        if not isinstance(name, str):
            return requested
        try:
            pictures = read_folder(folder / name)
        except ValueError as error:
            raise InputError(f"pictures: {error}") from error
        return {**requested, "pictures": pictures}

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        board = board_named(self.board)
        if self.frame and all(len(edge) > 1 for edge in board.edges):
            raise ValueError(f"frame: {self.board} has no rim")
        if self.halves is not None and len(self.halves) != 2:
            raise ValueError("halves: expected two names, such as head,tail")
        if self.solutions > 1 and (self.hints or self.clues):
            raise ValueError("solutions: hints leave one solution; remove `hints` and `clues`")
        if self.tiles is not None and len(self.tiles) != len(board.cells):
            raise ValueError(
                f"tiles: expected a name for each of the {plural(len(board.cells), 'tile')}; got "
                f"{len(self.tiles)}"
            )
        if self.frame and isinstance(self.labels, tuple) and RIM in self.labels:
            raise ValueError(f"labels: {RIM!r} is the label of the frame; rename the other label")
        return self

    def build_generator(self) -> Generator:
        labelled = LabelledEdges(self)
        if self.hints or self.clues:
            return RandomDataGenerator(labelled, self.clues)
        return CounterexampleGuidedGenerator(labelled, self.solutions)


class Side(NamedTuple):
    """One of the two sides of an edge. The edge has the label of its first side; the second side
    shows what matches it."""

    edge: int
    second: bool


class LabelledEdges(PuzzleSpace):
    """The labels of the edges of a board, from which tiles are cut."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.board = board = board_named(options.board)
        free = []  # the edges that can have any label
        self.side = {}
        for i, edge in enumerate(board.edges):
            if len(edge) > 1 or not options.frame:
                free.append(i)
            for incidence in edge:
                self.side[incidence.cell, incidence.side] = Side(i, incidence != edge[0])

        self.names = self._label_names(len(free))
        enough = self._enough_labels()
        if len(self.names) < enough:
            self.advice = (
                f"about {enough} labels single out one solution, and there are {len(self.names)}"
            )
        self.partners = {label: label for label in self.names}
        self.pairs: list[tuple[str, str]] = []
        if options.halves:
            head, tail = options.halves
            self.pairs = [(f"{name} {head}", f"{name} {tail}") for name in self.names]
            self.partners = dict(self.pairs) | {other: one for one, other in self.pairs}

        formula = self.proposals = Formula()
        with formula.rule("an edge has one label"):
            self.label = {}
            for i in free:
                self.label[i] = formula.choice("label", list(self.partners), decision=False, edge=i)
        self.data = range(1, formula.top + 1)
        with formula.rule("each label is on the board"):
            for labels in self.pairs or zip(self.names):
                choices = product(self.label.values(), labels)
                formula.clause(choice(label) for choice, label in choices)
        self._broken: dict[tuple[Side, Side], int] = {}
        self._unlike: dict[tuple[Side, Side], int] = {}
        if options.different:
            self._require_enough_labels()

    def _label_names(self, most: int) -> tuple[str, ...]:
        requested = self.options.labels
        if isinstance(requested, tuple):
            if len(requested) > most:
                raise InputError(
                    f"labels: {plural(len(requested), 'name')}, but {self.board.name} has room "
                    f"for only {most}"
                )
            return requested
        enough = self._enough_labels()
        if self.options.halves:
            enough = max(2, ceil(enough / 2))
        number = requested or min(enough, most)
        if number > most:
            raise InputError(f"labels: {number}, but {self.board.name} has room for only {most}")
        pictures = tuple(self.options.pictures)
        if requested and pictures and len(pictures) < number:
            raise InputError(
                f"labels: {number}, but the folder has only {plural(len(pictures), 'picture')}"
            )
        return pictures[:number] or default_labels(number)

    def _require_enough_labels(self) -> None:
        """Raises InputError if the labels make fewer different tiles than the board has cells of
        one kind."""
        for rim, cells in self._rim_patterns().items():
            # Burnside's lemma: the mean number of labellings that a turn keeps.
            turns = [i for i, turned in enumerate(self._turns(rim)) if turned == rim]
            free = rim.count(False)
            sides = len(rim)
            fixed = 0
            for i in turns:
                fixed += len(self.partners) ** (free * gcd(i, sides) // sides)
            tiles = fixed // len(turns)
            if tiles < cells:
                few = (
                    f"{plural(len(self.names), 'label')} for {cells} tiles of one kind, of "
                    f"which only {tiles} differ"
                )
                raise InputError(f"labels: {few}; use more labels, or different=false")

    def _rim_patterns(self) -> Counter[tuple[bool, ...]]:
        """Which sides of a cell are on the rim of a frame, up to turning, and for how many
        cells."""
        framed = set()
        if self.options.frame:
            for edge in self.board.edges:
                if len(edge) == 1:
                    framed.add((edge[0].cell, edge[0].side))
        patterns: Counter[tuple[bool, ...]] = Counter()
        for cell in self.board.cells:
            rim = tuple((cell, i) in framed for i in range(self.board.sides(cell)))
            patterns[max(self._turns(rim))] += 1
        return patterns

    def _turns(self, shown: tuple[T, ...]) -> list[tuple[T, ...]]:
        """What a tile shows after each turn that is allowed, the first by 0."""
        turns = len(shown) if self.options.turning else 1
        return [shown[i:] + shown[:i] for i in range(turns)]

    def repair(self, model: Model, new: Callable[[], int]) -> Iterator[Constraint]:
        """Two tiles that are equal up to turning differ on some side."""
        if not self.options.different:
            return
        alike: dict[tuple[str, ...], list[tuple[Cell, int]]] = {}
        for cell in self.board.cells:
            shown = self._shown_labels(cell, model)
            key, turn = max((turned, i) for i, turned in enumerate(self._turns(shown)))
            alike.setdefault(key, []).append((cell, turn))
        for key, cells in alike.items():
            for one, other in combinations(cells, 2):
                yield from self._require_difference(len(key), one, other, new)

    def _require_difference(
        self, sides: int, one: tuple[Cell, int], other: tuple[Cell, int], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        """Two tiles differ on some side; each is given as its cell and its turn."""
        differences = []
        for i in range(sides):
            a, b = (self.side[cell, (i + turn) % sides] for cell, turn in (one, other))
            if a.edge not in self.label:
                continue  # both are on the rim
            if (a, b) not in self._unlike:
                self._unlike[a, b] = new()
                for label in self.partners:
                    yield Clause(
                        (-self._unlike[a, b], -self._shows(a, label), -self._shows(b, label))
                    )
            differences.append(self._unlike[a, b])
        yield Clause(tuple(differences))

    def _enough_labels(self) -> int:
        """The smallest number of labels for which less than one other arrangement of random tiles
        is expected."""
        # the logarithm of the number of arrangements of all tiles, matching or not
        ways = 0.0
        for rim, cells in self._rim_patterns().items():
            ways += cells * log(self._turns(rim).count(rim)) + lgamma(cells + 1)
        inner_edges = sum(1 for edge in self.board.edges if len(edge) > 1)
        return max(2, ceil(exp(ways / max(1, inner_edges))))

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        """In the other solution, two sides meet whose labels do not match."""
        assert isinstance(puzzle, EdgeMatching)
        broken = []
        for a, b in self._meeting(model, puzzle, other):
            if (a, b) not in self._broken:
                self._broken[a, b] = new()
                for label, partner in self.partners.items():
                    yield Clause(
                        (-self._broken[a, b], -self._shows(a, label), -self._shows(b, partner))
                    )
            broken.append(self._broken[a, b])
        yield Clause(tuple(broken))

    def _shows(self, side: Side, label: str) -> int:
        """The literal that the side shows the label."""
        return self.label[side.edge](self.partners[label] if side.second else label)

    def _meeting(
        self, model: Model, puzzle: EdgeMatching, other: Sequence[Placement]
    ) -> list[tuple[Side, Side]]:
        """The pairs of sides of different edges that meet, in order. Without halves, an edge has
        two equal sides."""
        cut = {cell: self._shown_labels(cell, model) for cell in self.board.cells}
        meeting: dict[int, list[Side]] = {}
        for cell, name, turn in other:
            shown = shown_sides(puzzle.tiles[name], turn)
            home, offset = self._find_home(shown, cut)
            del cut[home]
            for i in range(len(shown)):
                edge, second = self.side[home, (i + offset) % len(shown)]
                meeting.setdefault(self.side[cell, i].edge, []).append(
                    Side(edge, second and bool(self.pairs))
                )
        pairs = {(min(pair), max(pair)) for pair in meeting.values() if len(pair) == 2}
        return sorted((a, b) for a, b in pairs if a.edge != b.edge)

    def _find_home(
        self, shown: tuple[str, ...], cut: Mapping[Cell, tuple[str, ...]]
    ) -> tuple[Cell, int]:
        """A cell from which a tile with these labels may be cut, and how it is turned."""
        for cell, sides in cut.items():
            for offset, turned in enumerate(self._turns(sides)):
                if turned == shown:
                    return cell, offset
        raise AssertionError("every tile is cut from a cell")

    def _shown_labels(self, cell: Cell, model: Model) -> tuple[str, ...]:
        """The labels of the sides of the tile that is cut from a cell."""
        sides = [self.side[cell, i] for i in range(self.board.sides(cell))]
        return tuple(self._shown_label(side, model) for side in sides)

    def _shown_label(self, side: Side, model: Model) -> str:
        if side.edge not in self.label:
            return RIM
        return next(label for label in self.partners if self._shows(side, label) in model)

    def puzzle(self, model: Model, rng: random.Random) -> tuple[EdgeMatching, list[Placement]]:
        cells = list(self.board.cells)
        shown = {cell: self._shown_labels(cell, model) for cell in cells}
        names = self.options.tiles or [str(number) for number in range(1, len(cells) + 1)]
        tiles = {}
        for name, cell in zip(names, rng.sample(cells, len(cells)), strict=True):
            tiles[name] = Tile(sides=rng.choice(self._turns(shown[cell])))
        noun = "picture" if self.options.pictures else "label"
        used = self.options.pictures.keys() & self.partners.keys()
        pictures = {label: url for label, url in self.options.pictures.items() if label in used}
        title = f"{plural(len(cells), 'tile')} with {plural(len(self.names), noun)}"
        if self.pairs:
            title += " of two halves"
        if self.options.frame:
            title += " and a rim"
        matching: Literal["equal"] | tuple[tuple[str, str], ...] = "equal"
        if self.pairs:
            rim = [(RIM, RIM)] if self.options.frame else []
            matching = (*self.pairs, *rim)
        puzzle = EdgeMatching(
            title=f"{title}, {title_board(self.board.name)}",
            board=self.options.board,
            tiles=tiles,
            turning=self.options.turning,
            matching=matching,
            frame=RIM if self.options.frame else None,
            pictures=pictures,
        )
        placement_of = {}
        for placement, candidate in puzzle.candidates.items():
            placement_of[candidate.cell, candidate.rim[1::2]] = placement
        return puzzle, [placement_of[cell, shown[cell]] for cell in cells]
