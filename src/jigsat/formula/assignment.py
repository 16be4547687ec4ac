"""A model of a formula in readable form: by the names of the variables, by families and by
choices."""

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import overload

from jigsat.formula.constraints import Clause, Constraint, Xor, as_sum
from jigsat.formula.formula import Formula
from jigsat.formula.graphs import Acyclic, Connected, Regions, SingleLoop
from jigsat.formula.linear import literal_of
from jigsat.formula.variables import Choice, Key, Name, Variables

MAX_SHOWN_VARIABLES = 4  # maximum number of true variables in a `repr`


@dataclass(frozen=True, repr=False)
class Assignment:
    """A model of a formula: which of its decision variables are true.

    Index it with a choice to get its value, or with a family of variables or its name to get the
    keys of the true ones. `literal in assignment` tests whether a literal is true. `print` shows
    one line per true variable. Auxiliary variables have no values in a model; asking for one raises
    KeyError.

    >>> formula = Formula()
    >>> colour = formula.choice("colour", ["red", "blue"], node=7)
    >>> lit = formula.variables("lit", {"row": range(2), "column": range(2)})
    >>> assignment = Assignment(formula, frozenset([colour("blue"), lit(0, 1), lit(1, 0)]))
    >>> assignment[colour], assignment["lit"], lit(1, 1) in assignment
    ('blue', [(0, 1), (1, 0)], False)
    >>> print(assignment)
    colour node=7 value=blue
    lit row=0 column=1
    lit row=1 column=0
    """

    formula: Formula
    variables: frozenset[int]
    """The true decision variables."""

    @overload
    def __getitem__(self, of: Choice) -> Hashable: ...
    @overload
    def __getitem__(self, of: Variables | str) -> list[Key]: ...
    def __getitem__(self, of: Choice | Variables | str) -> Hashable | list[Key]:
        if isinstance(of, Choice):
            values: dict[Hashable, int] = of.literals
            for value, literal in values.items():
                if literal in self.variables:
                    return value
            raise KeyError(
                f"a model has no value of {of.name}; the choice is auxiliary or of another formula"
            )
        if isinstance(of, str):
            if of not in self.formula.families:
                raise KeyError(
                    f"no variables {of!r}; this formula has {', '.join(self.formula.families)}"
                )
            of = self.formula.families[of]
        if not isinstance(of, Variables):
            raise TypeError(
                f"{of!r} is neither a choice nor a family of variables; for a literal write "
                f"`literal in model`"
            )
        _check_decision(of)
        return [key for key, literal in of.items() if literal in self.variables]

    def __contains__(self, literal: object) -> bool:
        number = literal_of(literal, "model[choice] is the value of a choice")
        _check_decision(self.formula.families[self.formula.name(number).family])
        return (abs(number) in self.variables) == (number > 0)

    def __iter__(self) -> Iterator[Name]:
        return map(self.formula.name, sorted(self.variables))

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def text(self) -> str:
        """The values of the decision variables as solvers print them."""
        return f"v {' '.join(map(str, self.objects()))} 0"

    def objects(self) -> list[int]:
        """The literals of the decision variables that are true, except those of variables that are
        not listed."""
        unlisted: set[int] = set()
        for family in self.formula.families.values():
            if not family.listed:
                unlisted.update(literal for _, literal in family.items())
        variables = [x for x in self.formula.decisions() if x not in unlisted]
        return [x if x in self.variables else -x for x in variables]

    def __repr__(self) -> str:
        names = [str(name) for name, _ in zip(self, range(MAX_SHOWN_VARIABLES), strict=False)]
        more = len(self.variables) - MAX_SHOWN_VARIABLES
        if more > 0:
            names.append(f"… {more} more")
        return f"Assignment({', '.join(names)})"


def _check_decision(family: Variables) -> None:
    """Raise KeyError for auxiliary variables, whose values are not in a model."""
    if not family.decision:
        raise KeyError(
            f"a model has no values of {family.name!r}; they are auxiliary variables "
            f"(decision=False)"
        )


def holds(constraint: Constraint, true: Collection[int]) -> bool:
    """Whether a constraint holds if exactly these variables are true.

    >>> holds(Xor((1, 2), True), {1})
    True
    """
    match constraint:
        case Clause(literals):
            return any((abs(x) in true) == (x > 0) for x in literals)
        case Xor(variables, odd):
            return (sum(x in true for x in variables) % 2 == 1) == odd
        case Connected() | SingleLoop() | Acyclic() | Regions():
            return constraint.is_met(true)
    literals, weights, at_least, at_most = as_sum(constraint)
    return (
        at_least
        <= sum(compress(weights, ((abs(x) in true) == (x > 0) for x in literals)))
        <= at_most
    )
