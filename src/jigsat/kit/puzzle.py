"""The base class of puzzles on a grid: clue layers are its entries, answer layers are methods with
`@layer`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import isfunction
from random import Random
from typing import Any, ClassVar, Self, TypeVar, cast

from pydantic import ConfigDict, model_validator

from jigsat.formula import Formula
from jigsat.kit.around import Shape
from jigsat.kit.clues import Clues, SizedClues
from jigsat.kit.grid import Grid
from jigsat.kit.layers import Layer, Mark, Shading, Values
from jigsat.kit.picture import GridPicture
from jigsat.kit.reading import Size
from jigsat.kit.regions import Rooms
from jigsat.kit.rim import Rim
from jigsat.kit.rules import ClueName, Rules, require_layer
from jigsat.kit.sentences import GridWay
from jigsat.kit.typed import TypedText
from jigsat.puzzle import Correction, Puzzle, Reason, ReturnType, guard_method
from jigsat.symmetry import Placement, Symmetry
from jigsat.words import name_place

L = TypeVar("L", bound=Layer[Any, Any])
Finished = TypeVar("Finished")
ClueValues = Mapping[str, Mapping[Any, Any]]
"""For each entry with clues, their values by their places."""

_RETURNED = {
    "constrain": ReturnType(type(None), None, "nothing; add the rules to the formula"),
    "find_faults": ReturnType(Iterable, str, "sentences; yield one for each broken rule"),
    "full_clues": ReturnType(Mapping, None, "a dict of the clues of each entry"),
    **dict.fromkeys(
        ("blank", "draw_clues", "propose", "improve"),
        ReturnType((Mapping, type(None)), None, "a dict by the names of entries, or None"),
    ),
}
"""The return types of the methods of a family on a grid; a fault names the line of its file."""


PLAIN_VALUES = {"true": True, "false": False}  # of entries that are no clues, in a typed text


class layer(cached_property[L]):
    """A method that makes an answer layer; the layer is made once for each puzzle."""


class Answer:
    """A finished answer; `answer[self.shaded]` is that of one layer, as plain data."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self.marks = list(marks)

    def __getitem__(self, layer: Layer[Any, Finished]) -> Finished:
        require_layer(layer)
        return layer.collect_answer(self.list_marks(layer))

    def list_marks(self, layer: Layer[Any, Any]) -> list[Mark]:
        """The marks of a layer."""
        return [mark for mark in self.marks if mark.layer == layer.noun]


class GridPuzzle(Puzzle[Mark]):
    """A puzzle on a grid of cells. A family has entries, layers, and the methods `constrain`,
    `find_faults` and `full_clues`.

    The latter two pass plain data on to functions of the module, which share nothing with
    `constrain`: they import the standard library and `jigsat.kit.walks` only.
    """

    model_config = ConfigDict(ignored_types=(layer,))
    cell_field, piece_field = "at", "value"
    stated_in = "`constrain`, in `find_faults` or in `full_clues`"

    card: ClassVar[str] = ""
    """What the page says about the kind below its name, in a short sentence; by default the first
    sentence of the docstring."""

    sizes: ClassVar[Sequence[Size]] = ((8, 8), (10, 10))
    """Heights and widths in which these puzzles are usually published. New ones have the first of
    them by default."""

    keeps_colours: ClassVar[bool] = False
    """Whether black and white mean something, so that a dark page must not swap them."""

    fixed_clues: ClassVar[Collection[str]] = ()
    """The entries from which no clue can be taken away alone, so that generated puzzles have all of
    their clues."""

    moving_rooms: ClassVar[str] = ""
    """The entry with the rooms, if they are the only clues, and if each room has the same number of
    marks in all answers. A proposed puzzle gets one answer by moving cells to other rooms."""

    drawing_fault: ClassVar[str] = ""
    """The reason to state if there is no answer, whatever the clues are."""

    misplaced: ClassVar[str] = ""
    """What may be wrong where no clue is, such as 'an island may be in the wrong place'."""

    @abstractmethod
    def constrain(self, formula: Rules) -> None:
        """Add the rules. What a clue says stands in `with formula.clue(entry, place):`."""

    def find_faults(self, answer: Answer) -> Iterable[str]:
        """What is wrong with an answer, apart from the clues."""
        return ()

    @abstractmethod
    def full_clues(self, answer: Answer) -> ClueValues:
        """All clues that follow from an answer without faults; a given clue that is another one is
        wrong. Numbers that are given as a part of the answer are compared without it."""

    square: ClassVar[bool] = False
    """Whether the grid must have as many rows as columns."""

    # -- new puzzles; a kind needs `blank` or `propose`

    @classmethod
    def draft(cls, height: int, width: int) -> dict[str, Any]:
        """The data of an empty puzzle, to be completed by hand."""
        entries: dict[str, Any] = {"family": cls.family}
        for name, field in cls.model_fields.items():
            kind = field.annotation
            if field.is_required() and isinstance(kind, type) and issubclass(kind, SizedClues):
                entries[name] = kind.draft(height, width)
        return entries

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> Mapping[str, Any] | None:
        """The entries of a puzzle without clues: a random answer will give its clues. None: there
        is no puzzle of this size."""
        return None

    def draw_clues(self, rng: Random) -> ClueValues | None:
        """All clues of a random answer of this puzzle without clues. By default a solver draws the
        answer."""
        return None

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> Mapping[str, Any] | None:
        """The entries of a whole random puzzle that has an answer, for kinds in which the clues do
        not follow from the answer. None: none was found."""
        return None

    def improve(self, answer: Answer, other: Answer, rng: Random) -> Mapping[str, Any] | None:
        """The entries of a similar puzzle that has fewer answers, probably, if this one has two.
        None: if the kind has `blank`, the answer is drawn anew where the two differ; otherwise
        another puzzle is drawn."""
        return None

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        for name, returned in _RETURNED.items():
            method = vars(cls).get(name)
            if isfunction(method):
                setattr(cls, name, guard_method(method, name, returned))
            elif isinstance(method, classmethod):
                setattr(cls, name, classmethod(guard_method(method.__func__, name, returned)))

    # -- texts

    @classmethod
    def from_drawing(cls, text: str, size: Size | None = None) -> dict[str, Any] | None:
        """The data of a typed puzzle, from which every layer of clues takes its part."""
        layers: dict[str, type[Clues[Any, Any]]] = {}
        for name, field in cls.model_fields.items():
            kind = field.annotation
            if not isinstance(kind, type) or not issubclass(kind, Clues):
                continue
            if field.is_required() or kind.headings:
                layers[name] = kind
        headings = [heading for kind in layers.values() for heading in kind.headings]
        drawings = [name for name, kind in layers.items() if kind.drawn and not kind.between]
        has_signs = any(kind.between for kind in layers.values())
        optional = [name for name in drawings if layers[name].optional]
        shape = Shape(size, cls.square)
        typed = TypedText(text, headings, drawings, has_signs, optional, shape)

        # What stands between cells is taken out of their drawing before they are read. What stands
        # beside the grid comes last, because it has a number for each row or column.
        entries: dict[str, Any] = {"family": cls.family}
        by_reading = sorted(
            layers.items(), key=lambda layer: (not layer[1].between, not layer[1].drawn)
        )
        for name, kind in by_reading:
            clues = kind.read_typed(typed)
            if isinstance(clues, SizedClues):
                clues.require_drawing()
                typed.size = clues.size
                clues.require_size(size)
            entries[name] = clues.write()
        for name, value in typed.take_values(cls.model_fields.keys() - layers.keys()).items():
            entries[name] = PLAIN_VALUES.get(str(value), value)
        typed.require_end()
        return entries

    # -- the grid and its layers

    @cached_property
    def clue_layers(self) -> dict[str, Clues[Any, Any]]:
        """The entries with clues."""
        return {name: entry for name, entry in self if isinstance(entry, Clues)}

    @cached_property
    def grid(self) -> Grid:
        """The cells; an entry shows how many they are."""
        for clues in self.clue_layers.values():
            if clues.size is not None:
                return Grid(*clues.size)
        raise ValueError("no entry shows the size of the grid")

    @property
    def rows_and_columns(self) -> tuple[int, int]:
        return self.grid.height, self.grid.width

    @cached_property
    def layers(self) -> list[Layer[Any, Any]]:
        """The layers of the answer, in the order of their methods."""
        names: dict[str, None] = {}
        for base in reversed(type(self).__mro__):
            for name, value in vars(base).items():
                if isinstance(value, layer):
                    names[name] = None
        return [cast("Layer[Any, Any]", getattr(self, name)) for name in names]

    @cached_property
    def _layer_by_noun(self) -> dict[str, Layer[Any, Any]]:
        return {answer_layer.noun: answer_layer for answer_layer in self.layers}

    def layer_of(self, mark: Mark) -> Layer[Any, Any]:
        """The layer of a mark."""
        return self._layer_by_noun[mark.layer]

    @cached_property
    def _marks(self) -> frozenset[Mark]:
        """All marks that an answer may have."""
        return frozenset(self._ordered_marks())

    @model_validator(mode="after")
    def _fits(self) -> Self:
        size = (self.grid.height, self.grid.width)
        for name, clues in self.clue_layers.items():
            if self.square and clues.size == size and size[0] != size[1]:
                raise ValueError(f"{name}: {size[0]}×{size[1]} cells; the grid must be a square")
            if clues.size not in (None, size):
                raise ValueError(f"{name}: another size than {size[0]}×{size[1]} cells")
            if isinstance(clues, Rim):
                try:
                    fitted = clues.fit(size)
                except ValueError as error:
                    raise ValueError(f"{name}.{error}") from None
                # With its lengths, a side is written as a whole.
                self.__dict__[name] = self.clue_layers[name] = fitted
        return self

    @model_validator(mode="after")
    def _givens_fit(self) -> Self:
        for entry, numbers in self._given_layers.items():
            cells, values = set(numbers.cells), set(numbers.values)
            for cell, value in self.clue_layers[entry].items():
                where = f"{entry}: {name_place(cell)}"
                if cell not in cells:
                    raise ValueError(f"{where} has no {numbers.noun}, but {value} is given")
                if value not in values:
                    raise ValueError(f"{where} is {value}; write {_name_range(numbers.values)}")
        return self

    @cached_property
    def _given_layers(self) -> dict[str, Values]:
        """The layers with numbers of which some may be given, by the entries that give them."""
        layers = {}
        for numbers in self.layers:
            if isinstance(numbers, Values):
                for entry, clues in self.clue_layers.items():
                    if clues is numbers.givens:
                        layers[entry] = numbers
        return layers

    # -- the formula and the check

    def rules_and_clues(self) -> Rules:
        """The formula, which knows what each clue says. Raises ValueError for a clue that
        `constrain` leaves out."""
        formula = Rules(self.layers, self.clue_layers)
        self.constrain(formula)
        for entry, clues in self.clue_layers.items():
            for place in clues:
                if clues.clue_by_clue and ClueName(entry, place) not in formula.clue_spans:
                    raise ValueError(
                        f"constrain says nothing about the clue {clues.thing(place)}; add what it "
                        f"says inside `with formula.clue(self.{entry}, place):`"
                    )
        return formula

    def encode(self) -> Formula:
        return self.rules_and_clues()

    def check(self, placements: Sequence[Mark]) -> Iterator[str]:
        marks = list(placements)
        answer = Answer(marks)
        faults = []
        if len(set(marks)) < len(marks) or not self._marks.issuperset(marks):
            faults.append("a mark is repeated, or not on the grid")
        for answer_layer in self.layers:
            faults += answer_layer.find_faults(answer.list_marks(answer_layer))
        # Each of these may rely on the ones before.
        if not faults:
            faults += self.find_faults(answer)
        if not faults:
            faults += self._list_wrong_clues(answer)
        yield from faults

    def _list_wrong_clues(self, answer: Answer) -> Iterator[str]:
        for entry, numbers in self._given_layers.items():
            values = answer[numbers]
            for cell, value in self.clue_layers[entry].items():
                if values[cell] != value:
                    yield f"{name_place(cell)} is not the given {value}"
        for entry, following in self.full_clues(answer).items():
            if entry not in self.clue_layers:
                raise ValueError(
                    f"full_clues returns clues of {entry!r}; the entries with clues are "
                    f"{', '.join(self.clue_layers)}"
                )
            clues = self.clue_layers[entry]
            for place, value in clues.items():
                if place not in following:
                    given = clues.describe_value(value)
                    yield f"{clues.thing(place)}: {given} is given, but the answer has none there"
                elif following[place] != value:
                    given = clues.describe_value(value)
                    follows = clues.describe_value(following[place])
                    yield f"{clues.thing(place)}: {given} is given, but {follows} follows"

    # -- clues

    def clues(self) -> Mapping[str, frozenset[Placement]]:
        """The given numbers, which are marks of the answer; other clues are no placements."""
        clues = {}
        for entry, numbers in self._given_layers.items():
            for cell, value in self.clue_layers[entry].items():
                clues[f"{entry} {name_place(cell)}"] = frozenset([numbers.mark(cell, value)])
        return clues

    def reasons(self) -> Iterator[Reason]:
        """Clues of one entry that cannot all be right."""
        for clues in self.clue_layers.values():
            words = clues.find_contradiction((self.grid.height, self.grid.width))
            if words:
                yield Reason(words)

    def name_as_typed(self, words: str) -> str:
        """Words in which rooms and cages have the names that the file gives them, besides their
        first cells: pictures do not show these names, but a person who typed them knows them."""
        names = {}
        for entry, clues in self.clue_layers.items():
            if isinstance(clues, Rooms) and entry in self.model_fields_set:
                for name in clues.cells:
                    noun, cell = clues.thing(name)
                    names[f"{noun} {name_place(cell)}"] = f"{noun} {name} (at {name_place(cell)})"
        return re.sub(r"\w+ r\d+c\d+", lambda match: names.get(match[0], match[0]), words)

    def corrections(self) -> Iterator[Correction]:
        for entry, clues in self.clue_layers.items():
            for words, changed in clues.list_changes():
                yield Correction(entry, words, {entry: changed})

    def list_givens(self, answer: Answer) -> ClueValues:
        """All numbers of an answer that could be given."""
        return {entry: answer[numbers] for entry, numbers in self._given_layers.items()}

    def without_clues(self) -> Puzzle:
        return self.replace_clues({entry: {} for entry in self._given_layers})

    def replace_clues(self, values: ClueValues) -> Self:
        """The same puzzle with these clues only in these entries."""
        entries = {}
        for entry, clues in values.items():
            entries[entry] = self.clue_layers[entry].with_values(clues)
        return self.replace_entries(entries)

    def replace_entries(self, entries: Mapping[str, Clues[Any, Any]]) -> Self:
        """The same puzzle with other entries, which must fit it."""
        kind = type(self)
        others = {name: getattr(self, name) for name in kind.model_fields}
        # a copy would have the layers of this puzzle
        return kind.model_construct(self.model_fields_set | set(entries), **{**others, **entries})

    def describe_change(self, gone: Collection[Mark], come: Collection[Mark]) -> str:
        """The number of places that change, layer by layer."""
        changes = []
        for answer_layer in self.layers:
            places = {mark.at for mark in (*gone, *come) if mark.layer == answer_layer.noun}
            if places:
                changes.append(answer_layer.describe_change(len(places)))
        return ", ".join(changes)

    # -- symmetries

    def symmetries(self) -> Iterator[Symmetry]:
        identity, *motions = self.grid.motions()
        entries = list(self.clue_layers.values())
        meanings = [clues.meaning(identity) for clues in entries]
        for motion in motions:
            if [clues.meaning(motion) for clues in entries] != meanings:
                continue
            images = {mark: self.move_mark(mark, motion) for mark in self._ordered_marks()}
            if set(images) == set(images.values()):
                yield Symmetry(motion.level, images)

    def move_mark(self, mark: Mark, motion: Any) -> Mark:
        """The image of a mark."""
        return mark._replace(at=self.layer_of(mark).move(mark.at, motion))

    def _ordered_marks(self) -> list[Mark]:
        return [mark for answer_layer in self.layers for mark in answer_layer.marks()]

    # -- pictures and sentences

    def draw(self, placements: Sequence[Mark], marked: Collection[Mark]) -> GridPicture:
        """The picture of the clues and of some marks."""
        picture = GridPicture(self.grid)
        answer = Answer(placements)
        for clues in self.clue_layers.values():
            clues.draw(picture)
        for answer_layer in self.layers:
            answer_layer.draw(picture, answer.list_marks(answer_layer))
            for place in answer_layer.places():
                picture.place(place, answer_layer.outline(place))
        for mark in marked:
            answer_layer = self.layer_of(mark)
            picture.mark(answer_layer.point(mark.at), answer_layer.outline(mark.at))
        return picture

    def text(self, placements: Sequence[Mark], marked: Collection[Mark] = ()) -> str:
        return self.draw(placements, marked).text()

    def svg(self, placements: Sequence[Mark], marked: Collection[Mark] = ()) -> str:
        return self.draw(placements, marked).svg()

    def board_places(self, placement: Mark) -> Collection[Hashable]:
        return [placement.at]

    def name_piece(self, placement: Mark) -> str:
        """If there are several signs, they are written like digits."""
        answer_layer = self.layer_of(placement)
        if len(self.layers) > 1 and isinstance(answer_layer, Shading) and answer_layer.sign:
            return answer_layer.sign
        return super().name_piece(placement)

    def board_cells(self) -> Collection[Hashable]:
        return self.grid.cells

    def rules(self) -> Iterable[str]:
        """The sentences of the docstring."""
        return self._split_docstring()

    @classmethod
    def summary(cls) -> str:
        """The first sentence of the docstring."""
        return cls.rule or cls._split_docstring()[0]

    @classmethod
    def _split_docstring(cls) -> list[str]:
        text = " ".join((cls.__doc__ or "").split())
        return re.split(r"(?<=[.!?]) ", text)

    def way(self) -> GridWay:
        return GridWay(self)


def _name_range(values: Sequence[int]) -> str:
    """Numbers that may be given."""
    if list(values) == list(range(values[0], values[-1] + 1)):
        return f"a number from {values[0]} to {values[-1]}"
    return f"one of {', '.join(map(str, values))}"
