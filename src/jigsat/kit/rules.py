"""A formula that knows the layers and the clues of a puzzle on a grid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from jigsat.formula import Choice, Constraint, Formula
from jigsat.kit.clues import Clues
from jigsat.kit.layers import Layer, Values
from jigsat.words import pluralize

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Variables = TypeVar("Variables")


class ClueName(NamedTuple):
    """A clue: the entry, and the place in it."""

    entry: str
    place: Any


def require_layer(layer: object) -> None:
    """Raise TypeError for a method without @layer, or anything else that is no layer."""
    if not isinstance(layer, Layer):
        name = getattr(layer, "__name__", repr(layer))
        raise TypeError(f"{name} is no layer of answers; write @layer above its method")


class Rules(Formula):
    """The rules of a puzzle on a grid. `formula[self.shaded]` has the variables of a layer."""

    def __init__(
        self, layers: Iterable[Layer[Any, Any]], clues: Mapping[str, Clues[Any, Any]]
    ) -> None:
        super().__init__()
        self.clue_spans: dict[ClueName, list[tuple[str, range]]] = {}
        """What each clue says: the numbers of its constraints in the rules that they state."""
        self._clues = dict(clues)
        self._variables: dict[str, Any] = {}
        for layer in layers:
            if layer.noun in self._variables:
                raise ValueError(f"two layers are called {layer.noun!r}; give one another noun")
            self._variables[layer.noun] = layer.variables(self)
            if isinstance(layer, Values) and layer.givens is not None:
                self._add_givens(layer, layer.givens)

    def __getitem__(self, layer: Layer[Variables, Any]) -> Variables:
        require_layer(layer)
        return cast("Variables", self._variables[layer.noun])

    def _add_givens(self, layer: Values, givens: Clues[Any, int]) -> None:
        choices = self[layer]
        for cell, value in givens.items():
            with self.clue(givens, cell):
                self.clause([choices[cell](value)])

    @contextmanager
    def clue(self, clues: Clues[K, V], place: K) -> Iterator[None]:
        """The constraints added inside `with formula.clue(self.numbers, cell):` are what one clue
        says. Without them, the puzzle does not have this clue."""
        entries = [entry for entry, other in self._clues.items() if other is clues]
        if not entries or place not in clues:
            raise ValueError(f"formula.clue: {place!r} is no clue of an entry of the puzzle")
        before = {rule: len(group.constraints) for rule, group in self.groups.items()}
        with self.rule(pluralize(clues.noun), *clues.thing(place)):
            yield
        spans = self.clue_spans.setdefault(ClueName(entries[0], place), [])
        for rule, group in self.groups.items():
            added = range(before.get(rule, 0), len(group.constraints))
            if added:
                spans.append((rule, added))

    def list_by_clue(self) -> Iterator[tuple[ClueName | None, Constraint]]:
        """Every constraint with the clue that says it, or None for a rule of the puzzle."""
        clue_of: dict[tuple[str, int], ClueName] = {}
        for clue, spans in self.clue_spans.items():
            for rule, numbers in spans:
                for number in numbers:
                    clue_of[rule, number] = clue
        for rule, group in self.groups.items():
            for number, constraint in enumerate(group.constraints):
                yield clue_of.get((rule, number)), constraint

    def total(
        self, number: int, choices: Iterable[Choice[int]], *, different: bool = False
    ) -> None:
        """The values of the choices, which are numbers, add up to a number. `different`: a rule
        says that no two of them are equal."""
        choices = list(choices)
        terms = []
        for choice in choices:
            for value, literal in choice.literals.items():
                terms.append((literal, value))
        self.linear(terms, at_least=number, at_most=number)

        # What is in none or in all of the sets with this sum: this is redundant, but kakuros of
        # 14×14 cells are solved in a fifth of the time.
        if different and choices:
            values = frozenset[int]().union(*(choice.literals for choice in choices))
            for value in sorted(values):
                if number - value not in list_sums(values - {value}, len(choices) - 1):
                    for choice in choices:
                        if value in choice.literals:
                            self.clause([-choice(value)])
                elif number not in list_sums(values - {value}, len(choices)):
                    having = [choice for choice in choices if value in choice.literals]
                    self.clause([choice(value) for choice in having])


@lru_cache(maxsize=1000)
def list_sums(numbers: frozenset[int], size: int) -> frozenset[int]:
    """The sums of as many different ones of the numbers.

    >>> sorted(list_sums(frozenset({1, 2, 3, 9}), 2))
    [3, 4, 5, 10, 11, 12]
    """
    sums: list[set[int]] = [{0}, *(set() for _ in range(size))]
    for number in numbers:
        for smaller in reversed(range(size)):
            sums[smaller + 1] |= {total + number for total in sums[smaller]}
    return frozenset(sums[size])
