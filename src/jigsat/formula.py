"""A formula: named variables and the constraints on them, at the level at which they were meant.

A literal is a non-zero integer as in DIMACS: ``3`` says that variable 3 is true, ``-3`` that it is false. A formula keeps
at-most-one, cardinality and XOR constraints as such; what a solver cannot take is rewritten by `jigsat.lowering`, which
reads the formula and never changes it.

>>> formula = Formula()
>>> place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "ab" for c in (0, 1)])
>>> place("a", 1)
2
>>> place["a", :]
[1, 2]
>>> with formula.group("each tile lies somewhere"):
...     for tile in "ab":
...         formula.exactly_one(place[tile, :])
>>> with formula.group("no cell holds two"):
...     for cell in (0, 1):
...         formula.at_most_one(place[:, cell])
>>> str(formula.name(-3))
'not place tile=b cell=0'
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Key = tuple[Hashable, ...]
ANY = slice(None)
"""Stands for every value of an axis: ``place[tile, ANY, ANY]`` is ``place[tile, :, :]``."""


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals is true."""

    literals: tuple[int, ...]

    @property
    def kind(self) -> str:
        return "clause"


@dataclass(frozen=True, slots=True)
class Cardinality:
    """At least `at_least` and at most `at_most` of the literals, which are distinct, are true."""

    literals: tuple[int, ...]
    at_least: int
    at_most: int

    @property
    def kind(self) -> str:
        if self.at_least == self.at_most:
            return "exactly-one" if self.at_most == 1 else "exactly-k"
        if self.at_least <= 0:
            return "at-most-one" if self.at_most == 1 else "at-most-k"
        return "at-least-k" if self.at_most >= len(self.literals) else "between"


@dataclass(frozen=True, slots=True)
class Xor:
    """The number of true variables among `variables`, which are positive and distinct, is odd (or even if not `odd`)."""

    variables: tuple[int, ...]
    odd: bool

    @property
    def kind(self) -> str:
        return "xor"


Constraint = Clause | Cardinality | Xor


class Constraints:
    """A growing list of constraints.

    Kept as integers in one array and made into objects as they are asked for: a million clauses take ten times as much
    memory as objects.
    """

    def __init__(self) -> None:
        self._numbers = array("i")
        self._length = 0
        self._others = array("q")  # where constraints that are no clauses begin

    def append(self, constraint: Constraint) -> None:
        """Add a constraint at the end."""
        match constraint:
            case Clause(literals):
                self.append_clause(literals)
                return
            case Cardinality(literals, at_least, at_most):
                self._others.append(len(self._numbers))
                self._numbers.extend((-1, len(literals), at_least, at_most, *literals))
            case Xor(variables, odd):
                self._others.append(len(self._numbers))
                self._numbers.extend((-2, len(variables), odd, *variables))
        self._length += 1

    def append_clause(self, literals: tuple[int, ...]) -> None:
        """Add a clause at the end, which takes no object."""
        self._numbers.append(len(literals))
        self._numbers.extend(literals)
        self._length += 1

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Constraint]:
        numbers, i = self._numbers, 0
        while i < len(numbers):
            if (length := numbers[i]) >= 0:
                start = i + 1
                yield Clause(tuple(numbers[start : start + length]))
                i = start + length
            else:
                constraint, i = self._other(i)
                yield constraint

    def others(self) -> Iterator[Cardinality | Xor]:
        """The constraints that are no clauses; there are few, and this takes no look at the rest."""
        return (self._other(start)[0] for start in self._others)

    def _other(self, i: int) -> tuple[Cardinality | Xor, int]:
        """The constraint that begins here, and where it ends."""
        numbers = self._numbers
        if numbers[i] == -1:
            _, length, at_least, at_most = numbers[i : i + 4]
            end = i + 4 + length
            return Cardinality(tuple(numbers[i + 4 : end]), at_least, at_most), end
        _, length, odd = numbers[i : i + 3]
        end = i + 3 + length
        return Xor(tuple(numbers[i + 3 : end]), bool(odd)), end


class Group:
    """Constraints that say one rule of the puzzle, under the rule's name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.constraints = Constraints()

    def kinds(self) -> Counter[str]:
        """How many constraints of each kind the group holds."""
        return Counter(constraint.kind for constraint in self.constraints)


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


class Formula:
    """Named variables, and constraints in named groups.

    Decision variables are what a solution is about: enumeration tells two solutions apart by them alone. Auxiliary
    variables only help to say something. Both are numbered 1, 2, 3, … by this one allocator.
    """

    def __init__(self) -> None:
        self.families: dict[str, Variables] = {}
        self.choices: list[Choice] = []
        self.groups: dict[str, Group] = {}
        self.objective: tuple[int, ...] = ()
        self._keys: list[tuple[Variables, Key]] = []
        self._group = "other"

    # -- variables

    @property
    def top(self) -> int:
        """The highest variable in use; ids above it are free."""
        return len(self._keys)

    def variables(self, name: str, axes: Sequence[str], keys: Iterable[Key], *, decision: bool = True) -> Variables:
        """Make a variable for each key, or add to the family of this name if there is one with the same axes."""
        family = self.families.setdefault(name, Variables(name, axes, decision=decision))
        if family.axes != tuple(axes) or family.decision != decision:
            raise ValueError(f"{name} exists with other axes ({', '.join(family.axes)}) or another role")
        for key in keys:
            family._add(key, self.top + 1)
            self._keys.append((family, key))
        return family

    def choice(
        self,
        name: str,
        domain: Iterable[Hashable],
        *,
        decision: bool = True,
        key: Callable[..., Key] = lambda *parts: parts,
        **index: Hashable,
    ) -> Choice:
        """A finite-domain variable, one-hot inside; `index` tells it from others of its name.

        `key` makes the key of one of its variables from the index and the value: a placement, where that is one.

        >>> formula = Formula()
        >>> label = formula.choice("label", ["red", "blue"], edge=7)
        >>> str(formula.name(label("blue")))
        'label edge=7 value=blue'
        """
        domain = list(domain)
        at = tuple(index.values())
        family = self.variables(name, (*index, "value"), [key(*at, value) for value in domain], decision=decision)
        choice = Choice(Name(name, tuple(index), at), {value: family(*at, value) for value in domain})
        self.choices.append(choice)
        self.exactly_one(choice.literals.values())
        return choice

    def name(self, literal: int) -> Name:
        """What a literal says. Raises KeyError if its variable is not one of this formula's."""
        if not 0 < abs(literal) <= self.top:
            raise KeyError(f"no variable {abs(literal)}; this formula has 1 to {self.top}")
        family, key = self._keys[abs(literal) - 1]
        return Name(family.name, family.axes, key, literal < 0)

    def key(self, variable: int) -> Key:
        """The key under which a variable was made."""
        return self._keys[variable - 1][1]

    def decisions(self) -> list[int]:
        """The decision variables, in ascending order."""
        return [i for i, (family, _) in enumerate(self._keys, 1) if family.decision]

    def extended(self) -> Formula:
        """A formula with the same variables and constraints, to which constraints in new groups can be added.

        The groups there are shared, not copied; a group of the same name would change both.
        """
        formula = Formula()
        formula.families, formula.choices = dict(self.families), list(self.choices)
        formula.groups, formula.objective = dict(self.groups), self.objective
        formula._keys = list(self._keys)
        return formula

    # -- constraints

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Constraints made inside the `with` belong to the group of this name; without one they go to 'other'."""
        outer, self._group = self._group, name
        try:
            yield
        finally:
            self._group = outer

    def _constraints(self) -> Constraints:
        """Those of the group that is open."""
        if self._group not in self.groups:
            self.groups[self._group] = Group(self._group)
        return self.groups[self._group].constraints

    def _checked(self, literals: Iterable[int]) -> tuple[int, ...]:
        result, top = tuple(literals), self.top
        if result and (min(result) < -top or max(result) > top or 0 in result):
            wrong = next(literal for literal in result if not 0 < abs(literal) <= top)
            raise ValueError(f"literal {wrong} is none of this formula's; it has the variables 1 to {top}")
        return result

    def _distinct(self, literals: Iterable[int]) -> tuple[int, ...]:
        result = self._checked(literals)
        if len(set(result)) < len(result):
            raise ValueError(f"a literal stands twice in {result}")
        return result

    def clause(self, literals: Iterable[int]) -> None:
        """At least one literal is true."""
        self._constraints().append_clause(self._checked(literals))

    def minimize(self, literals: Iterable[int]) -> None:
        """Of all solutions those with the fewest of these literals true are wanted, where minimising is asked for.

        Raises ValueError for a literal given twice or of an auxiliary variable.
        """
        self.objective = self._distinct(literals)
        if not set(self.decisions()).issuperset(map(abs, self.objective)):
            raise ValueError("only decision variables can be minimised")

    def implies(self, condition: int, *literals: int) -> None:
        """If the condition holds, at least one of the literals is true."""
        self.clause((-condition, *literals))

    def at_most(self, k: int, literals: Iterable[int]) -> None:
        """At most k of the literals are true."""
        self.between(0, k, literals)

    def at_least(self, k: int, literals: Iterable[int]) -> None:
        """At least k of the literals are true."""
        literals = tuple(literals)
        self.between(k, len(literals), literals)

    def exactly(self, k: int, literals: Iterable[int]) -> None:
        """Exactly k of the literals are true."""
        self.between(k, k, literals)

    def at_most_one(self, literals: Iterable[int]) -> None:
        """At most one literal is true."""
        self.at_most(1, literals)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Exactly one literal is true."""
        self.exactly(1, literals)

    def between(self, at_least: int, at_most: int, literals: Iterable[int]) -> None:
        """At least `at_least` and at most `at_most` of the literals are true. Raises ValueError for a literal given twice."""
        distinct = self._distinct(literals)
        beyond = len(distinct) + 1  # all greater numbers say the same
        bounds = (max(-1, min(bound, beyond)) for bound in (at_least, at_most))
        self._constraints().append(Cardinality(distinct, *bounds))

    def xor(self, literals: Iterable[int], *, odd: bool = True) -> None:
        """An odd number of the literals is true (even if not `odd`).

        A negative literal flips the parity, a variable given twice drops out, so what is kept has positive distinct variables.
        """
        variables: set[int] = set()
        for literal in self._checked(literals):
            variables ^= {abs(literal)}
            odd ^= literal < 0
        self._constraints().append(Xor(tuple(sorted(variables)), odd))

    def constraints(self) -> Iterator[Constraint]:
        """Every constraint, group by group."""
        for group in self.groups.values():
            yield from group.constraints

    def others(self) -> Iterator[Cardinality | Xor]:
        """Every constraint that is no clause, group by group."""
        for group in self.groups.values():
            yield from group.constraints.others()

    def items(self) -> Iterator[tuple[int, ...]]:
        """The decision variables of each exactly-one constraint that has nothing else: the items of an exact cover."""
        decisions = set(self.decisions())
        for constraint in self.others():
            match constraint:
                case Cardinality(literals, 1, 1) if decisions.issuperset(literals):
                    yield literals
