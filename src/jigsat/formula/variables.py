"""Families of variables with named axes, and finite-domain choices."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, count
from typing import Any, Generic, NamedTuple, NoReturn

from typing_extensions import TypeVar

from jigsat.words import plural

T = TypeVar("T")
Value = TypeVar("Value", bound=Hashable, default=Any)

Key = tuple[Hashable, ...]
ANY = slice(None)  # every value of an axis: ``place[tile, ANY, ANY]`` is ``place[tile, :, :]``
MAX_NAMED_VALUES = 6  # maximum number of values of an axis in an error message


class Name(NamedTuple):
    """The name of a literal: the variable's family, the names of the axes, the key, and whether it
    is negated."""

    family: str
    axes: tuple[str, ...]
    key: Key
    negated: bool = False

    def __str__(self) -> str:
        parts = [
            self.family,
            *(f"{axis}={compact(value)}" for axis, value in zip(self.axes, self.key, strict=True)),
        ]
        return " ".join(["not", *parts] if self.negated else parts)


def compact(value: object) -> str:
    """A value as one word: tuples as (0,1), spaces as underscores."""
    if isinstance(value, tuple):
        return "(" + ",".join(compact(part) for part in value) + ")"
    return "_".join(str(value).split())


class Variables:
    """A family of variables with named axes: call it with a key to get one literal, index it with
    slices to get a list.

    The values of an axis are those in the keys and those declared for it. A pattern of such values
    that fits no variable gives an empty list; any other value is a KeyError, because it is probably
    a mistake.
    """

    def __init__(
        self,
        name: str,
        axes: Sequence[str],
        *,
        decision: bool,
        listed: bool = True,
        meaning: str = "",
    ) -> None:
        self.name = name
        self.axes = tuple(axes)
        self.decision = decision
        self.listed = listed
        self._meaning = meaning
        self._literals: dict[Key, int] = {}
        self._declared: list[dict[Hashable, None]] = [{} for _ in self.axes]
        self._by_pattern: dict[tuple[int, ...], dict[Key, list[int]]] = {}

    def __repr__(self) -> str:
        return f"<Variables {self.name} of {plural(len(self), 'key')} ({', '.join(self.axes)})>"

    def _add(
        self, keys: Sequence[Key], first: int, declared: Iterable[Iterable[Hashable]] = ()
    ) -> None:
        """Add a variable for each key, numbered from `first`, and declare values for each axis."""
        for key in keys:
            if not isinstance(key, tuple):
                raise TypeError(
                    f"{self.name}: a key is a tuple with one value per axis; got {key!r}"
                )
            if len(key) != len(self.axes):
                remedy = "give one value per axis"
                if len(self.axes) == 1:
                    remedy = f"for a single axis, write {{{self.axes[0]!r}: values}}"
                raise ValueError(
                    f"{self.name} has the axes {', '.join(self.axes)}; {key!r} has {len(key)} "
                    f"values; {remedy}"
                )
        try:
            more = [dict.fromkeys(values) for values in declared]
            added = dict(zip(keys, count(first), strict=False))
        except TypeError:
            wrong = next(filter(_is_unhashable, chain(*declared, *keys)))
            raise TypeError(
                f"{self.name}: {wrong!r} cannot be the value of an axis; use a tuple, text or "
                f"number"
            ) from None
        if len(added) < len(keys) or not added.keys().isdisjoint(self._literals.keys()):
            twice = next(
                key for i, key in enumerate(keys) if key in self._literals or key in keys[:i]
            )
            raise ValueError(f"{Name(self.name, self.axes, twice)} is already a variable")
        self._literals.update(added)
        for fixed, index in self._by_pattern.items():
            _enter(added, fixed, index)
        for known, values in zip(self._declared, more, strict=False):
            known.update(values)

    def varies(self, axis: str) -> bool:
        """Whether the keys differ in this axis, so that its value says something."""
        position = self.axes.index(axis)
        keys = iter(self._literals)
        first = next(keys, None)
        return first is None or any(key[position] != first[position] for key in keys)

    def __call__(self, *key: Hashable) -> int:
        """The literal of one key. Raises KeyError if there is no such variable."""
        try:
            return self._literals[key]
        except (KeyError, TypeError):  # TypeError for a value such as a list, which cannot be a key
            self._check_known(key)
            raise KeyError(
                f"no variable {self.name}{key!r}; its axes are {', '.join(self.axes)}"
            ) from None

    def __getitem__(self, pattern: Any) -> list[int]:
        """The literals that fit a pattern of values and full slices, in the order of their
        creation.

        Raises KeyError for a value that the axis does not have.
        """
        pattern = pattern if isinstance(pattern, tuple) else (pattern,)
        if len(pattern) != len(self.axes):
            axes = "axis" if len(self.axes) == 1 else "axes"
            raise KeyError(
                f"{self.name} has {len(self.axes)} {axes} ({', '.join(self.axes)}), not "
                f"{len(pattern)}"
            )
        if any(isinstance(part, slice) and part != ANY for part in pattern):
            raise KeyError(f"{self.name}: an axis takes a value or a full slice ':'")
        fixed = tuple(i for i, part in enumerate(pattern) if not isinstance(part, slice))
        try:
            return list(self._index(fixed)[tuple(pattern[i] for i in fixed)])
        except (KeyError, TypeError):
            self._check_known(pattern)
            return []

    def _index(self, fixed: tuple[int, ...]) -> dict[Key, list[int]]:
        """The literals by their values on some axes."""
        if fixed not in self._by_pattern:
            self._by_pattern[fixed] = _enter(self._literals, fixed, {})
        return self._by_pattern[fixed]

    def _check_known(self, pattern: Sequence[Any]) -> None:
        """Raises KeyError for the first value of a pattern that the axis does not have."""
        for i, (axis, value) in enumerate(zip(self.axes, pattern, strict=False)):
            if isinstance(value, slice):
                continue
            if _is_unhashable(value) or (
                value not in self._declared[i] and (value,) not in self._index((i,))
            ):
                values = dict.fromkeys(
                    [*(value for (value,) in self._index((i,))), *self._declared[i]]
                )
                raise KeyError(
                    f"{self.name}: the axis {axis} has no value {value!r}; "
                    f"{_like(value, list(values))}"
                )

    @property
    def meaning(self) -> str:
        """What a variable means, as stated or in the docstring of the class of its key; '' if it is
        not stated."""
        kind = type(next(iter(self._literals), ()))
        words = (kind.__doc__ or "").strip().partition("\n")[0]
        return self._meaning or (
            "" if kind is tuple or words.startswith(f"{kind.__name__}(") else words
        )

    def __contains__(self, key: object) -> bool:
        return key in self._literals

    def __iter__(self) -> Iterator[Key]:
        return iter(self._literals)

    def __len__(self) -> int:
        return len(self._literals)

    def items(self) -> Iterable[tuple[Key, int]]:
        """Every key with its literal."""
        return self._literals.items()


def _enter(
    literals: Mapping[Key, int], fixed: tuple[int, ...], index: dict[Key, list[int]]
) -> dict[Key, list[int]]:
    """Index literals by their values on some axes."""
    for key, literal in literals.items():
        index.setdefault(tuple([key[i] for i in fixed]), []).append(literal)
    return index


def list_values(values: Iterable[T], what: str) -> list[T]:
    """The values as a list. Raises TypeError if they are not iterable."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{what} must be a list or range; got {values!r}")
    return list(values)


def _is_unhashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return True
    return False


def _like(value: object, values: Sequence[Hashable]) -> str:
    """The existing values in words; if there are many, those most similar to the requested one."""
    if len(values) <= MAX_NAMED_VALUES:
        return f"its values are {', '.join(map(repr, values))}" if values else "it has none"
    near: list[Hashable] = []
    numbers = [other for other in values if isinstance(other, (int, float))]
    if isinstance(value, (int, float)) and len(numbers) == len(values):
        distance = {other: abs(other - value) for other in numbers}
        closest = sorted(numbers, key=distance.__getitem__)
        near += closest
    else:
        words = {compact(other): other for other in values}
        near += [words[word] for word in get_close_matches(compact(value), words, MAX_NAMED_VALUES)]
    shown = ", ".join(map(repr, (near or values)[:MAX_NAMED_VALUES]))
    return f"nearest are {shown}" if near else f"its values are {shown}, …"


@dataclass(frozen=True, repr=False)
class Choice(Generic[Value]):
    """A finite-domain variable: it has exactly one of its values; the literal `choice(value)` means
    that it has this one."""

    name: Name
    literals: dict[Value, int] = field(hash=False)

    def __call__(self, value: Value) -> int:
        """The literal for 'the choice has this value'. Raises KeyError for a value outside the
        domain."""
        try:
            return self.literals[value]
        except (KeyError, TypeError):
            raise KeyError(
                f"{self.name} cannot be {value!r}; {_like(value, list(self.literals))}"
            ) from None

    def __repr__(self) -> str:
        return f"<Choice {self.name} of {plural(len(self.literals), 'value')}>"

    def __neg__(self) -> NoReturn:
        raise TypeError(
            f"the choice {self.name} cannot be negated; negate the literal of a value: "
            f"-choice(value)"
        )
