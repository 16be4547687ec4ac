"""Families of variables with named axes, and finite-domain choices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Key = tuple[Hashable, ...]
ANY = slice(None)
"""Stands for every value of an axis: ``place[tile, ANY, ANY]`` is ``place[tile, :, :]``."""


@dataclass(frozen=True)
class Name:
    """What a literal says: the variable's family, the axes' names, the key, and whether it is negated."""

    family: str
    axes: tuple[str, ...]
    key: Key
    negated: bool = False

    def __str__(self) -> str:
        parts = [self.family, *(f"{axis}={compact(value)}" for axis, value in zip(self.axes, self.key, strict=True))]
        return " ".join(["not", *parts] if self.negated else parts)


def compact(value: object) -> str:
    """A value as one word: tuples as (0,1), blanks within a string as underscores."""
    if isinstance(value, tuple):
        return "(" + ",".join(compact(part) for part in value) + ")"
    return "_".join(str(value).split())


class Variables:
    """A family of variables with named axes: call it with a full key for the literal, index it with slices for a list."""

    def __init__(self, name: str, axes: Sequence[str], *, decision: bool) -> None:
        self.name = name
        self.axes = tuple(axes)
        self.decision = decision
        self._literals: dict[Key, int] = {}
        self._by_pattern: dict[tuple[int, ...], dict[Key, list[int]]] = {}

    def _add(self, key: Key, variable: int) -> None:
        if len(key) != len(self.axes):
            raise ValueError(f"{self.name} has the axes {', '.join(self.axes)}; {key!r} has {len(key)} values")
        if key in self._literals:
            raise ValueError(f"{Name(self.name, self.axes, key)} is already a variable")
        self._literals[key] = variable
        self._by_pattern.clear()

    def __call__(self, *key: Hashable) -> int:
        """The literal of one key. Raises KeyError where there is no such variable."""
        try:
            return self._literals[key]
        except KeyError:
            raise KeyError(f"no variable {self.name}{key!r}; its axes are {', '.join(self.axes)}") from None

    def __getitem__(self, pattern: Any) -> list[int]:
        """The literals that fit a pattern of values and full slices, in the order in which they were made."""
        pattern = pattern if isinstance(pattern, tuple) else (pattern,)
        if len(pattern) != len(self.axes):
            raise KeyError(f"{self.name} has {len(self.axes)} axes ({', '.join(self.axes)}), not {len(pattern)}")
        if any(isinstance(part, slice) and part != ANY for part in pattern):
            raise KeyError(f"{self.name}: an axis takes a value or a full slice ':'")
        fixed = tuple(i for i, part in enumerate(pattern) if not isinstance(part, slice))
        if fixed not in self._by_pattern:
            index: dict[Key, list[int]] = {}
            for key, literal in self._literals.items():
                index.setdefault(tuple([key[i] for i in fixed]), []).append(literal)
            self._by_pattern[fixed] = index
        return list(self._by_pattern[fixed].get(tuple(pattern[i] for i in fixed), ()))

    def __contains__(self, key: object) -> bool:
        return key in self._literals

    def __len__(self) -> int:
        return len(self._literals)

    def items(self) -> Iterable[tuple[Key, int]]:
        """Every key with its literal."""
        return self._literals.items()


@dataclass(frozen=True)
class Choice:
    """A finite-domain variable: it has exactly one of its values, `choice(value)` being the literal that says which."""

    name: Name
    literals: dict[Hashable, int]

    def __call__(self, value: Hashable) -> int:
        """The literal that says 'the choice has this value'. Raises KeyError for a value outside the domain."""
        try:
            return self.literals[value]
        except KeyError:
            raise KeyError(f"{self.name} cannot be {value!r}; it is one of {list(self.literals)}") from None
