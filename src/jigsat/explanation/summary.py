"""A summary of the encoding of a puzzle or formula."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jigsat.errors import InputError
from jigsat.explanation.matrices import Matrix, read_matrix
from jigsat.formula import (
    Acyclic,
    Cardinality,
    Clause,
    Connected,
    Constraint,
    Formula,
    GraphConstraint,
    Linear,
    Lowered,
    Lowering,
    Regions,
    SingleLoop,
    Xor,
)
from jigsat.orbits import AutomorphismGroup, describe_group
from jigsat.phrases.notation import describe_placement
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import explain_plan
from jigsat.subject import PuzzleSubject, Subject
from jigsat.symmetry import Group, Level
from jigsat.words import name_place, plural

# number of decision variables up to which automorphisms are searched for; it takes long
MAX_AUTOMORPHISM_VARIABLES = 5_000
MAX_SHOWN_GENERATORS = 20  # number of generators that describe the automorphism group, at most
MAX_SHOWN_KINDS = 12  # number of kinds of rules that are counted
MAX_SHOWN_LITERALS = 3  # maximum number of literals that describe a constraint
MAX_SHOWN_PLAINLY = 10  # the same in plain words


@dataclass(frozen=True)
class VariablesOf:
    """A family of variables; `role` is 'decision' or 'auxiliary'."""

    name: str
    axes: tuple[str, ...]
    number: int
    role: str


@dataclass(frozen=True)
class ConstraintsOf:
    """A group of constraints: the number of each kind, of all, and of clauses after lowering."""

    name: str
    kinds: dict[str, int]
    number: int
    clauses: int


@dataclass(frozen=True)
class Explanation:
    """The encoding of a puzzle or formula. `print` shows it.

    `added` is the number of variables added by lowering, `symmetries` the order of the group at
    each level, `backend` what `auto` does with the formula, and `automorphisms` the automorphism
    group of the formula, or why it is unknown. `matrix` is that of a formula of XORs.
    `strategies` tell how `solve` and `count` work without options.
    """

    title: str
    variables: list[VariablesOf]
    groups: list[ConstraintsOf]
    added: int
    symmetries: Mapping[Level, int]
    automorphisms: AutomorphismGroup | str
    backend: str
    strategies: list[str]
    remarks: list[str]
    matrix: Matrix | None
    rules: list[
        str
    ]  # the kinds of rules with their numbers, such as 'box (9)'; a single rule by its name

    @property
    def clauses(self) -> int:
        """The number of clauses after lowering."""
        return sum(group.clauses for group in self.groups)

    def words(self) -> list[str]:
        """The lines below the tables."""
        orders = (
            ", ".join(f"{order} up to {level.in_words}" for level, order in self.symmetries.items())
            or "only the identity"
        )
        return [
            *([f"rules: {', '.join(self.rules)}"] if self.rules else []),
            f"symmetries: {orders}",
            *_automorphisms(self.automorphisms),
            f"backend: {self.backend}",
            *self.strategies,
            *self.remarks,
            *(self.matrix.words() if self.matrix else []),
        ]

    def __str__(self) -> str:
        lines = [self.title] if self.title else []
        lines += [
            f"{family.name} ({', '.join(family.axes)}): {family.number:,} {family.role} variables"
            for family in self.variables
        ]
        for group in self.groups:
            numbers = ", ".join(f"{number:,} {kind}" for kind, number in group.kinds.items())
            lines.append(f"{group.name}: {numbers}; {group.clauses:,} clauses")
        lines.append(f"all: {self.clauses:,} clauses, {self.added:,} variables added by lowering")
        return "\n".join([*lines, *self.words()])


def _automorphisms(group: AutomorphismGroup | str) -> list[str]:
    if isinstance(group, str):
        return [f"automorphisms: {group}"]
    if group.order == 1:
        return ["automorphisms: only the identity"]
    declared = f"{group.declared:,}"
    if group.order == group.declared:
        declared = "all"
    elif group.declared == 1:
        declared = "none"
    lines = [f"  {generator}" for generator in group.generators[:MAX_SHOWN_GENERATORS]]
    if (more := len(group.generators) - MAX_SHOWN_GENERATORS) > 0:
        lines.append(f"  and {plural(more, 'more generator')}")
    return [f"automorphisms: {group.order:,}, {declared} of them declared; generators:", *lines]


def _find_automorphisms(formula: Formula, group: Group) -> AutomorphismGroup | str:
    if (number := len(formula.decisions())) > MAX_AUTOMORPHISM_VARIABLES:
        return (
            f"not computed, because there are {number:,} decision variables; the maximum is "
            f"{MAX_AUTOMORPHISM_VARIABLES:,}"
        )
    try:
        return describe_group(formula, group)
    except InputError as error:
        return str(error)


def explain_encoding(
    subject: Subject[Any], lowering: Lowering | None = None, strategies: Sequence[str] = ()
) -> Explanation:
    """The encoding of a puzzle or formula, with what is known about how it is solved."""
    puzzle: Puzzle | None = subject.puzzle if isinstance(subject, PuzzleSubject) else None
    formula = subject.encode()
    symmetries = subject.group(formula)
    lowered = Lowered(formula, lowering)
    groups = [
        ConstraintsOf(
            group.name, dict(group.kinds()), len(group.constraints), sum(1 for _ in constraints)
        )
        for group, (_, constraints) in zip(formula.groups.values(), lowered.groups(), strict=True)
    ]
    return Explanation(
        puzzle.title if puzzle else "",
        [
            VariablesOf(
                family.name,
                family.axes,
                len(family),
                "decision" if family.decision else "auxiliary",
            )
            for family in formula.families.values()
        ],
        groups,
        lowered.top - formula.top,
        symmetries.orders,
        _find_automorphisms(formula, symmetries),
        explain_plan(formula),
        list(strategies),
        list(puzzle.remarks()) if puzzle else [],
        read_matrix(formula),
        _count_rules(formula),
    )


def _count_rules(formula: Formula) -> list[str]:
    kinds: dict[str, list[str]] = {}
    for name in formula.rules:
        kinds.setdefault(name.split(maxsplit=1)[0], []).append(name)
    shown = islice(kinds.items(), MAX_SHOWN_KINDS)
    return [names[0] if len(names) == 1 else f"{kind} ({len(names):,})" for kind, names in shown]


def describe_constraint(
    formula: Formula, constraint: Constraint, most: int = MAX_SHOWN_LITERALS
) -> str:
    """A constraint with the names of its variables, of which about `most` are shown.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(3)})
    >>> describe_constraint(formula, Clause((x(0), -x(2))))
    'x(0) ∨ ¬x(2)'
    >>> describe_constraint(formula, Cardinality((1, 2, 3), 0, 1))
    'at most 1 of x(0), x(1), x(2)'
    """
    match constraint:
        case Clause(literals):
            return _join_terms(_name_literals(formula, literals), " ∨ ", most)
        case Xor(variables, odd):
            return (
                f"an {'odd' if odd else 'even'} number of "
                f"{_join_terms(_name_literals(formula, variables), ', ', most)}"
            )
        case Cardinality(literals, low, high):
            return (
                f"{_amount(low, high, len(literals))} of "
                f"{_join_terms(_name_literals(formula, literals), ', ', most)}"
            )
        case Linear(literals, weights, low, high):
            terms = [
                f"{weight} {name}"
                for weight, name in zip(weights, _name_literals(formula, literals), strict=True)
            ]
            return f"{_amount(low, high, sum(weights))}: {_join_terms(terms, ' + ', most)}"
        case Connected() | SingleLoop() | Acyclic() | Regions():
            names = _name_literals(formula, constraint.literals)
            return f"{_name_shape(constraint)}: {_join_terms(names, ', ', most)}"


def describe_plainly(formula: Formula, constraint: Constraint, cell_field: str | None) -> str:
    """A constraint in plain words; `cell_field` is the field of the placements that names their
    cell.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(3)}, decision=False)
    >>> describe_plainly(formula, Clause((-x(0), x(2))), None)
    'if x 0, then x 2'
    >>> describe_plainly(formula, Cardinality((1, 2, 3), 0, 1), None)
    'at most 1 of 3: x 0; x 1; x 2'
    """

    def name(literal: int) -> str:
        key = formula.key(abs(literal))
        if formula.families[formula.name(literal).family].decision and hasattr(key, "_asdict"):
            return describe_placement(key, cell_field, holds=literal > 0)
        words = f"{formula.name(literal).family} {' '.join(map(name_place, key))}"
        return words if literal > 0 else f"not {words}"

    def list_literals(literals: Sequence[int], sign: str) -> str:
        if len(literals) > MAX_SHOWN_PLAINLY:
            return sign.join(
                [*map(name, literals[: MAX_SHOWN_PLAINLY - 2]), "…", name(literals[-1])]
            )
        return sign.join(map(name, literals))

    match constraint:
        case Clause(literals):
            return _describe_clause(literals, list_literals)
        case Xor(variables, odd):
            return f"an {'odd' if odd else 'even'} number of: {list_literals(variables, '; ')}"
        case Cardinality(literals, low, high):
            return (
                f"{_amount(low, high, len(literals))} of {len(literals):,}: "
                f"{list_literals(literals, '; ')}"
            )
        case Linear(literals, weights, low, high):
            return (
                f"{_amount(low, high, sum(weights))} by the weights of: "
                f"{list_literals(literals, '; ')}"
            )
        case Connected(literals, _, root):
            rooted = "" if root is None else f", and {name(literals[root])}"
            return (
                f"{_name_shape(constraint)}{rooted}; of {len(literals):,}: "
                f"{list_literals(literals, '; ')}"
            )
        case SingleLoop(literals) | Acyclic(literals) | Regions(literals):
            return (
                f"{_name_shape(constraint)}; of {len(literals):,}: {list_literals(literals, '; ')}"
            )


def _describe_clause(
    literals: Sequence[int], list_literals: Callable[[Sequence[int], str], str]
) -> str:
    conditions = [-literal for literal in literals if literal < 0]
    results = [literal for literal in literals if literal > 0]
    if conditions and results:
        return f"if {list_literals(conditions, ' and ')}, then {list_literals(results, ' or ')}"
    if len(results) > 1:
        return f"at least 1 of {len(results):,}: {list_literals(results, '; ')}"
    if results:
        return list_literals(results, "")
    return f"not {list_literals(conditions, ' together with ')}"


def _name_shape(constraint: GraphConstraint) -> str:
    """What is true of the chosen nodes or lines."""
    match constraint:
        case Connected():
            return "those that are true are connected"
        case SingleLoop():
            return "those that are true form one closed loop"
        case Acyclic():
            return "those that are true form no closed path"
        case Regions():
            return "connected places with equal numbers are as many as the number says"


def _amount(low: int, high: int, most: int) -> str:
    """The bounds of a sum that cannot exceed `most`. They precede it, because the end of a long
    line is cut off."""
    if low == high:
        return f"exactly {low}"
    if low <= 0:
        return f"at most {high}"
    return f"at least {low}" if high >= most else f"from {low} to {high}"


def _join_terms(terms: Sequence[str], sign: str, most: int) -> str:
    """The terms with a sign between them, only some of them if there are many."""
    if len(terms) <= most + 1:
        return sign.join(terms) or "nothing"
    return f"{sign.join([*terms[: most - 1], '…', terms[-1]])}   ({len(terms)} literals)"


def _name_literals(formula: Formula, literals: Sequence[int]) -> list[str]:
    named = zip(literals, map(formula.name, literals), strict=True)
    return [
        f"{'¬' if literal < 0 else ''}{name.family}({', '.join(map(_value, name.key))})"
        for literal, name in named
    ]


def _value(value: object) -> str:
    """A value of a key: tuples as (0,1), everything else as it is."""
    return f"({','.join(map(_value, value))})" if isinstance(value, tuple) else str(value)
