"""Layers of answers: what is to be found.

A layer has a type for its variables and one for its finished answer, so that `formula[self.line]`
and `answer[self.line]` are typed. It says which marks there are, how a motion moves them, how they
are said in sentences, and how they are drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from jigsat.formula import Choice, Formula
from jigsat.kit.clues import CellNumbers
from jigsat.kit.grid import Cell, Edge, Grid, Motion, edge
from jigsat.kit.picture import GridPicture, Point, centre, outline_cell, outline_line
from jigsat.puzzle import GO_IN, Verb
from jigsat.words import join_words, name_place, plural

if TYPE_CHECKING:
    import networkx

NUMBERED = {1: "single", 2: "double", 3: "triple"}  # what parallel lines are called

Variables = TypeVar("Variables", covariant=True)
Finished = TypeVar("Finished", covariant=True)


class Mark(NamedTuple):
    """The answer has this at a place: a value in a cell, or what the layer puts there."""

    layer: str
    at: Any
    value: int | str


class Layer(ABC, Generic[Variables, Finished]):
    """One layer of the answer. `noun` is what a mark is called; every layer of a puzzle has another
    one. `meaning` is what a mark means, in a sentence."""

    def __init__(self, noun: str, meaning: str) -> None:
        self.noun = noun
        self.meaning = meaning

    @abstractmethod
    def marks(self) -> list[Mark]:
        """All marks that an answer may have."""

    def places(self) -> list[Any]:
        """The places of all marks, each once."""
        return list(dict.fromkeys(mark.at for mark in self.marks()))

    @abstractmethod
    def variables(self, formula: Formula) -> Variables:
        """Make the variables, with what holds whatever the rules are."""

    @abstractmethod
    def collect_answer(self, marks: Iterable[Mark]) -> Finished:
        """The answer as plain data."""

    def find_faults(self, marks: Sequence[Mark]) -> Iterator[str]:
        """What is wrong with marks whatever the rules are."""
        yield from ()

    # -- motions

    @abstractmethod
    def move(self, place: Any, motion: Motion) -> Any:
        """The image of the place of a mark."""

    # -- sentences

    verb: ClassVar[Verb] = GO_IN
    """What marks do at their places."""

    def name_thing(self, mark: Mark) -> str:
        """Such as '5' or 'a star'."""
        return f"a {self.noun}"

    def name_place(self, mark: Mark) -> str:
        """Such as 'r1c2'."""
        return name_place(mark.at)

    def join_places(self, marks: Sequence[Mark], last: str = " and ") -> str:
        """The places of some marks, each once, with `last` before the last one."""
        return join_words(list(dict.fromkeys(map(self.name_place, marks))), last)

    def state(self, marks: Sequence[Mark]) -> str:
        """That some marks, which are called the same, are in the answer."""
        return f"{self.name_thing(marks[0])} {self.verb.now} {self.join_places(marks)}"

    def report(self, marks: Sequence[Mark]) -> str:
        """That some marks, which are called the same, are on the board of a player."""
        if self.verb is GO_IN:
            return f"{self.name_thing(marks[0])} is in {self.join_places(marks)}"
        return self.state(marks)

    def deny(self, marks: Sequence[Mark]) -> str:
        """That none of some marks, which are called the same, can be in the answer."""
        places = self.join_places(marks, " or ")
        return f"{self.name_thing(marks[0])} cannot {self.verb.bare} {places}"

    def limit(self, marks: Sequence[Mark]) -> str:
        """That no other places are left for what some marks are called."""
        places = self.join_places(marks, " or ")
        return f"{self.name_thing(marks[0])} can only {self.verb.bare} {places}"

    def require(self, marks: Sequence[Mark]) -> str:
        """That one of some marks, which are called the same, is needed."""
        places = self.join_places(marks, " or ")
        return f"{self.name_thing(marks[0])} must {self.verb.bare} {places}"

    def oppose(self, mark: Mark) -> str:
        """That a mark is not in the answer."""
        return f"{self.name_thing(mark)} does not {self.verb.bare} {self.name_place(mark)}"

    def describe_change(self, places: int) -> str:
        """That two answers differ at some places."""
        return f"{plural(places, self.noun)} changed"

    # -- pictures

    @abstractmethod
    def point(self, place: Any) -> Point:
        """Where marks at a place are drawn and highlighted."""

    @abstractmethod
    def outline(self, place: Any) -> list[Point]:
        """The part of the picture that is the place, for the page and for highlights."""

    @abstractmethod
    def draw(self, picture: GridPicture, marks: Iterable[Mark]) -> None:
        """Draw the marks of an answer."""


class CellLayer(Layer[Variables, Finished]):
    """A layer whose marks are in cells."""

    def move(self, place: Cell, motion: Motion) -> Cell:
        return motion.cell(place)

    def point(self, place: Cell) -> Point:
        return centre(place)

    def outline(self, place: Cell) -> list[Point]:
        return outline_cell(place)


class Values(CellLayer[dict[Cell, Choice[int]], dict[Cell, int]]):
    """A number in each cell. `givens` are clues that are such numbers, if the puzzle has some."""

    def __init__(
        self,
        cells: Iterable[Cell],
        values: Iterable[int],
        noun: str,
        meaning: str,
        *,
        givens: CellNumbers | None = None,
    ) -> None:
        super().__init__(noun, meaning)
        self.cells = list(cells)
        self.values = list(values)
        self.givens = givens

    def mark(self, cell: Cell, value: int) -> Mark:
        return Mark(self.noun, cell, value)

    def marks(self) -> list[Mark]:
        return [self.mark(cell, value) for cell in self.cells for value in self.values]

    def variables(self, formula: Formula) -> dict[Cell, Choice[int]]:
        choices = {}
        for cell in self.cells:
            with formula.rule(f"each cell has one {self.noun}", "cell", cell):
                choices[cell] = formula.choice(
                    self.noun, self.values, key=Mark, meaning=self.meaning, layer=self.noun, at=cell
                )
        return choices

    def collect_answer(self, marks: Iterable[Mark]) -> dict[Cell, int]:
        return {mark.at: int(mark.value) for mark in marks}

    def find_faults(self, marks: Sequence[Mark]) -> Iterator[str]:
        if sorted(mark.at for mark in marks) != sorted(self.cells):
            yield f"not every cell has one {self.noun}"

    def name_thing(self, mark: Mark) -> str:
        return str(mark.value)

    def deny(self, marks: Sequence[Mark]) -> str:
        """The marks may have several numbers, all in the same cells."""
        numbers = join_words(list(dict.fromkeys(map(self.name_thing, marks))))
        places = join_words(list(dict.fromkeys(map(self.name_place, marks))), " or ")
        return f"{numbers} cannot {self.verb.bare} {places}"

    def draw(self, picture: GridPicture, marks: Iterable[Mark]) -> None:
        for mark in marks:
            if self.givens is None or mark.at not in self.givens:
                picture.word(centre(mark.at), str(mark.value), given=False)


class Shading(CellLayer[dict[Cell, int], set[Cell]]):
    """Some cells are shaded, or have a sign.

    `noun` is what a cell is then, such as 'shaded', or what is in it if there is a sign, such as
    'star'.
    """

    def __init__(self, cells: Iterable[Cell], noun: str, meaning: str, *, sign: str = "") -> None:
        super().__init__(noun, meaning)
        self.cells = list(cells)
        self.sign = sign

    def marks(self) -> list[Mark]:
        return [Mark(self.noun, cell, self.noun) for cell in self.cells]

    def variables(self, formula: Formula) -> dict[Cell, int]:
        marks = self.marks()
        made = formula.variables(self.noun, Mark._fields, marks, meaning=self.meaning)
        return {mark.at: made(*mark) for mark in marks}

    def collect_answer(self, marks: Iterable[Mark]) -> set[Cell]:
        return {mark.at for mark in marks}

    def name_thing(self, mark: Mark) -> str:
        return f"a {self.noun}" if self.sign else f"a {self.noun} cell"

    def state(self, marks: Sequence[Mark]) -> str:
        if self.sign:
            return super().state(marks)
        return f"{self.join_places(marks)} {'is' if len(marks) == 1 else 'are'} {self.noun}"

    def report(self, marks: Sequence[Mark]) -> str:
        return super().report(marks) if self.sign else self.state(marks)

    def deny(self, marks: Sequence[Mark]) -> str:
        if self.sign:
            return super().deny(marks)
        places = [self.name_place(mark) for mark in marks]
        if len(places) == 1:
            return f"{places[0]} cannot be {self.noun}"
        return f"none of {join_words(places)} can be {self.noun}"

    def limit(self, marks: Sequence[Mark]) -> str:
        if self.sign:
            return super().limit(marks)
        return f"only {self.join_places(marks, ' or ')} can be {self.noun}"

    def require(self, marks: Sequence[Mark]) -> str:
        if self.sign:
            return super().require(marks)
        return f"{self.join_places(marks, ' or ')} must be {self.noun}"

    def oppose(self, mark: Mark) -> str:
        if self.sign:
            return super().oppose(mark)
        return f"{self.name_place(mark)} is not {self.noun}"

    def describe_change(self, places: int) -> str:
        return f"{plural(places, self.noun if self.sign else 'cell')} changed"

    def draw(self, picture: GridPicture, marks: Iterable[Mark]) -> None:
        for mark in marks:
            if self.sign:
                picture.word(centre(mark.at), self.sign, given=False)
            else:
                picture.shade(mark.at)


class LineVariables(Mapping[Edge, int]):
    """For each edge the literal 'there is a line'.

    `graph` has all edges, and `at_least[edge]` the literals for one line, two lines, and so on.
    """

    def __init__(self, graph: networkx.Graph[Cell], at_least: dict[Edge, list[int]]) -> None:
        self.graph = graph
        self.at_least = at_least

    def __getitem__(self, place: Edge) -> int:
        return self.at_least[place][0]

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.at_least)

    def __len__(self) -> int:
        return len(self.at_least)

    def at(self, node: Cell) -> list[int]:
        """The literals of the lines that end at a node; as many are true as there are lines."""
        literals = []
        for other in self.graph[node]:
            literals += self.at_least[edge(node, other)]
        return literals


class Lines(Layer[LineVariables, dict[Edge, int]]):
    """Lines along the edges of a graph of cells or of corners.

    There are up to `most` lines on an edge. With `nodes="corners"` the lines run along the sides of
    cells. Lines that are `walls` are drawn as walls.
    """

    def __init__(
        self,
        graph: networkx.Graph[Cell],
        noun: str,
        meaning: str,
        *,
        nodes: Literal["cells", "corners"] = "cells",
        most: int = 1,
        walls: bool = False,
    ) -> None:
        super().__init__(noun, meaning)
        self.graph = graph
        self.edges: list[Edge] = sorted(edge(one, other) for one, other in graph.edges)
        self.nodes = nodes
        self.most = most
        self.walls = walls

    @classmethod
    def between_cells(cls, grid: Grid) -> Lines:
        """The walls between the cells of a grid."""
        return cls(
            grid.walls, "wall", "There is a wall between two cells.", nodes="corners", walls=True
        )

    def mark(self, place: Edge, number: int) -> Mark:
        """The mark of this number of lines on an edge."""
        return Mark(self.noun, place, self.noun if self.most == 1 else number)

    def marks(self) -> list[Mark]:
        numbers = range(1, self.most + 1)
        return [self.mark(place, number) for place in self.edges for number in numbers]

    def variables(self, formula: Formula) -> LineVariables:
        made = formula.variables(self.noun, Mark._fields, self.marks(), meaning=self.meaning)
        exactly = {}
        for place in self.edges:
            exactly[place] = [made(*self.mark(place, number)) for number in range(1, self.most + 1)]
        if self.most == 1:
            return LineVariables(self.graph, exactly)

        fewer = range(1, self.most)
        keys = [(place, number) for place in self.edges for number in fewer]
        more = formula.variables(f"{self.noun}s or more", ("at", "number"), keys, decision=False)
        at_least = {}
        for place, literals in exactly.items():
            at_least[place] = [*(more(place, number) for number in fewer), literals[-1]]
            with formula.rule(f"at most {self.most} {self.noun}s", "place", self._name_edge(place)):
                formula.at_most_one(literals)
                for number in fewer:
                    formula.clause([-more(place, number), *literals[number - 1 :]])
                    for literal in literals[number - 1 :]:
                        formula.implies(literal, more(place, number))
        return LineVariables(self.graph, at_least)

    def collect_answer(self, marks: Iterable[Mark]) -> dict[Edge, int]:
        return {mark.at: 1 if self.most == 1 else int(mark.value) for mark in marks}

    def find_faults(self, marks: Sequence[Mark]) -> Iterator[str]:
        numbers = Counter(mark.at for mark in set(marks))
        for place, number in numbers.items():
            if number > 1:
                yield f"there are two numbers of {self.noun}s along {self._name_edge(place)}"

    def move(self, place: Edge, motion: Motion) -> Edge:
        move = motion.corner if self.nodes == "corners" else motion.cell
        return edge(*map(move, place))

    verb = Verb("runs along", "run along")

    def describe_change(self, places: int) -> str:
        """A loop is a single thing, so what changes are parts of it."""
        if self.noun != "loop":
            return super().describe_change(places)
        part = "side" if self.nodes == "corners" else "line"
        return f"{plural(places, part)} changed"

    def name_thing(self, mark: Mark) -> str:
        if self.most == 1:
            return f"the {self.noun}"
        number = int(mark.value)
        return f"a {NUMBERED.get(number, f'{number}-fold')} {self.noun}"

    def name_place(self, mark: Mark) -> str:
        return self._name_edge(mark.at)

    def _name_edge(self, place: Edge) -> str:
        one, other = place
        if self.nodes == "cells":
            return f"{name_place(one)}–{name_place(other)}"
        return _name_side(one, other)

    def point(self, place: Edge) -> Point:
        (r, c), (below, right) = map(self._find_point, place)
        return (r + below) / 2, (c + right) / 2

    def outline(self, place: Edge) -> list[Point]:
        return outline_line(*map(self._find_point, place))

    def _find_point(self, node: Cell) -> Point:
        return node if self.nodes == "corners" else centre(node)

    def draw(self, picture: GridPicture, marks: Iterable[Mark]) -> None:
        picture.framed = True
        if self.walls:
            picture.frame()
        elif self.nodes == "corners":
            for node in self.graph:
                picture.dot(node)
        for place, number in self.collect_answer(marks).items():
            if self.walls:
                picture.wall(place, given=False)
            else:
                one, other = place
                picture.line(self._find_point(one), self._find_point(other), number)


def _name_side(one: Cell, other: Cell) -> str:
    """A line from corner to corner, by the cell that it is a side of, or that it crosses."""
    (r, c), (below, right) = one, other
    if r == below:
        return (
            f"the top of {name_place((r, c))}"
            if r == 0
            else f"the bottom of {name_place((r - 1, c))}"
        )
    if c == right:
        return (
            f"the left of {name_place((r, c))}"
            if c == 0
            else f"the right of {name_place((r, c - 1))}"
        )
    raise ValueError(f"no line along a side joins {one} and {other}")


class Diagonals(Lines):
    """Diagonals of cells, which are lines from corner to corner: a cell has one that falls to the
    right, and one that rises."""

    verb = GO_IN

    def __init__(self, grid: Grid, noun: str, meaning: str) -> None:
        super().__init__(grid.diagonals, noun, meaning, nodes="corners")

    def name_thing(self, mark: Mark) -> str:
        (_, left), (_, right) = mark.at
        return f"the {'falling' if left < right else 'rising'} {self.noun}"

    def name_place(self, mark: Mark) -> str:
        (row, left), (_, right) = mark.at
        return name_place((row, min(left, right)))
