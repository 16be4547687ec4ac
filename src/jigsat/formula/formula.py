"""A formula: named variables and high-level constraints on them.

A literal is a non-zero integer as in DIMACS: ``3`` means that variable 3 is true, ``-3`` that it is
false. At-most-one, cardinality, linear and XOR constraints and constraints on graphs are kept as
such; `jigsat.formula.lowering` rewrites those that a solver refuses.

>>> formula = Formula()
>>> place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "ab" for c in (0, 1)])
>>> place("a", 1)
2
>>> place["a", :]
[1, 2]
>>> with formula.rule("each tile lies somewhere"):
...     for tile in "ab":
...         formula.exactly_one(place[tile, :])
>>> with formula.rule("no cell holds two"):
...     for cell in (0, 1):
...         formula.at_most_one(place[:, cell])
>>> str(formula.name(-3))
'not place tile=b cell=0'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain, product, repeat
from typing import TYPE_CHECKING, Any

from jigsat.formula.constraints import (
    Cardinality,
    Clause,
    Constraint,
    ConstraintGroup,
    Constraints,
    Other,
    Requirement,
    Thing,
    Xor,
    is_sum_of,
)
from jigsat.formula.graphs import Acyclic, Connected, GraphConstraint, Regions, SingleLoop
from jigsat.formula.linear import (
    Terms,
    bound_of,
    integer_of,
    literal_of,
    normalize_sum,
    pairs,
    several,
)
from jigsat.formula.networks import (
    draw_lines,
    draw_nodes,
    make_acyclic,
    make_connected,
    make_regions,
    make_single_loop,
)
from jigsat.formula.variables import Choice, Key, Name, Value, Variables, list_values
from jigsat.words import name_place

if TYPE_CHECKING:
    import networkx

_INTEGERS = {int}


@dataclass
class _Block:
    """A `with formula.rule(…)`: the rule, what it is about, and the number of its first constraint
    that is not recorded yet."""

    rule: str
    about: str = ""
    start: int = 0


class Formula:
    """Named variables, and constraints that state named rules.

    Decision variables distinguish solutions; auxiliary variables only help to express constraints.
    Both are numbered 1, 2, 3, … in the order in which they are made.
    """

    def __init__(self) -> None:
        self.families: dict[str, Variables] = {}
        self.choices: list[Choice] = []
        self.groups: dict[str, ConstraintGroup] = {}
        """The constraints of each rule, such as "each digit once per row"."""
        self._shared: set[str] = set()  # the groups that another formula has as well
        self.rules: dict[str, dict[str, list[range]]] = {}
        """For each thing that rules are about, such as "row 1": the rules, and which of their
        constraints are about it."""
        self.things: dict[str, Thing] = {}
        """The things that rules are about, by their names, such as "row 1"."""
        self.requirements: dict[Requirement, tuple[str, range]] = {}
        """For each requirement its rule, and which constraints of the rule state it."""
        self.redundant: set[str] = set()
        """The rules whose constraints follow from the others."""
        self.objective: Mapping[int, int] = {}
        self.maximizes = False  # whether the objective is the opposite of a sum to maximise
        self._keys: list[tuple[Variables, Key]] = []
        self._block = _Block("other")
        self._not_entered: str | None = None

    def __repr__(self) -> str:
        return f"<Formula of {self.top:,} variables and {self.size:,} constraints>"

    @property
    def size(self) -> int:
        """The number of constraints."""
        return sum(len(group.constraints) for group in self.groups.values())

    # -- variables

    @property
    def top(self) -> int:
        """The highest variable in use; ids above it are free."""
        return len(self._keys)

    def variables(
        self,
        name: str,
        axes: Sequence[str] | Mapping[str, Iterable[Hashable]],
        keys: Iterable[Key] | None = None,
        *,
        decision: bool = True,
        listed: bool = True,
        meaning: str = "",
    ) -> Variables:
        """Make a variable for each key; if there is a family with this name and the same axes, add
        them to it.

        With `listed=False` a solver's line of values leaves them out, because the others determine
        them. `meaning` states what a variable means, for handouts; by default the docstring of the
        class of the keys does. Axes may be given with values. These may be used in patterns even if
        no key has them; then the pattern gives no literals. Without keys there is a variable for
        each combination of the values.

        >>> formula = Formula()
        >>> queen = formula.variables("queen", {"row": range(8), "column": range(8)})
        >>> len(queen), queen[7, :]
        (64, [57, 58, 59, 60, 61, 62, 63, 64])
        >>> queen[8, :]
        Traceback (most recent call last):
        KeyError: 'queen: the axis row has no value 8; nearest are 7, 6, 5, 4, 3, 2'
        """
        named = axes.items() if isinstance(axes, Mapping) else ()
        values = [
            list_values(values, f"{name}: the values of the axis {axis}") for axis, values in named
        ]
        if keys is None:
            if not isinstance(axes, Mapping):
                raise ValueError(f"{name}: give the keys, or each axis with its values")
            keys = product(*values)
        names, keys = (
            tuple(list_values(axes, f"{name}: the axes")),
            list_values(keys, f"{name}: the keys"),
        )
        if len(set(names)) < len(names):
            raise ValueError(f"{name}: two axes have the same name in {', '.join(names)}")
        family = self.families.get(name)
        if family is None:
            family = Variables(name, names, decision=decision, listed=listed, meaning=meaning)
        if family.axes != names or family.decision != decision:
            raise ValueError(
                f"{name} exists with other axes ({', '.join(family.axes)}) or another role"
            )
        family._add(keys, self.top + 1, values)
        self.families[name] = family
        self._keys.extend(zip(repeat(family), keys))
        return family

    def choice(
        self,
        name: str,
        domain: Iterable[Value],
        *,
        decision: bool = True,
        meaning: str = "",
        key: Callable[..., Key] | None = None,
        **index: Hashable,
    ) -> Choice[Value]:
        """A finite-domain variable with one-hot encoding; `index` distinguishes it from others with
        the same name.

        `key` makes the key of a variable from the index and the value, such as a placement; by
        default it is a tuple of them. The domain may be empty, because the data of a puzzle may
        leave no value; then the formula has no model. The constraint that the choice has exactly
        one value states the rule in which the choice is made.

        >>> formula = Formula()
        >>> label = formula.choice("label", ["red", "blue"], edge=7)
        >>> str(formula.name(label("blue")))
        'label edge=7 value=blue'
        """
        if "value" in index:
            raise ValueError(
                f"{name}: `value` is the axis of the values of the choice; give the index "
                f"another name"
            )
        if key is not None and not callable(key):
            raise TypeError(
                f"{name}: `key` is a function that makes the keys; an axis of the index needs "
                f"another name"
            )
        domain, at = list_values(domain, f"{name}: the values of a choice"), tuple(index.values())
        keys = [key(*at, value) if key else (*at, value) for value in domain]
        family = self.variables(name, (*index, "value"), keys, decision=decision, meaning=meaning)
        choice = Choice(
            Name(name, tuple(index), at), {value: family(*at, value) for value in domain}
        )
        self.choices.append(choice)
        self.exactly_one(choice.literals.values())
        return choice

    def name(self, literal: int) -> Name:
        """The name of a literal. Raises KeyError if the formula does not have its variable."""
        if not 0 < abs(literal_of(literal)) <= self.top:
            raise KeyError(f"no variable {abs(literal)}; this formula has 1 to {self.top}")
        family, key = self._keys[abs(literal) - 1]
        return Name(family.name, family.axes, key, literal < 0)

    def key(self, variable: int) -> Key:
        """The key under which a variable was made."""
        return self._keys[variable - 1][1]

    def decisions(self) -> list[int]:
        """The decision variables, in ascending order."""
        return [i for i, (family, _) in enumerate(self._keys, 1) if family.decision]

    def decisions_by_key(self) -> dict[Hashable, int]:
        """The decision variables by the keys under which they were made."""
        return {self.key(variable): variable for variable in self.decisions()}

    def extended(self) -> Formula:
        """A formula with the same variables and constraints, to which others can be added.

        The constraints of a rule are shared until one of the formulas adds to it.
        """
        self._shared.update(self.groups)
        formula = Formula()
        formula._shared = set(self.groups)
        formula.families = dict(self.families)
        formula.choices = list(self.choices)
        formula.groups = dict(self.groups)
        for about, spans in self.rules.items():
            formula.rules[about] = {rule: list(ranges) for rule, ranges in spans.items()}
        formula.things = dict(self.things)
        formula.requirements = dict(self.requirements)
        formula.redundant = set(self.redundant)
        formula.objective = self.objective
        formula.maximizes = self.maximizes
        formula._keys = list(self._keys)
        return formula

    # -- constraints

    def rule(
        self,
        name: str,
        noun: str = "",
        which: Hashable = "",
        *,
        must_be: str = "",
        redundant: bool = False,
    ) -> AbstractContextManager[None]:
        """The constraints added inside `with formula.rule(name):` state this rule, such as "each
        digit once per row". Constraints outside any `with` are named 'other'.

        `noun` and `which` are the one thing that a person sees and that they are about, such as
        "row" and 1, or "cell" and a cell of the board. Steps, exported files and the page use
        these words. Several rules may be about the same thing, also at several places. A rule
        inside another `with` is about the same thing as the outer one, if it does not name its
        own.

        `must_be` is what the thing is in every solution, such as "filled" or "placed", because the
        constraints demand it. If there is no solution, a smallest set of such requirements that
        clash can be found; see `relax_formula`.

        A rule is redundant if its constraints follow from those of the other rules. Without
        `with`, the next call of `rule` or of a constraint raises ValueError.

        >>> formula = Formula()
        >>> x = formula.variables("x", {"row": range(2), "value": "ab"})
        >>> for row in range(2):
        ...     with formula.rule("a row has one value", "row", row + 1, must_be="filled"):
        ...         formula.exactly_one(x[row, :])
        >>> [(about, len(constraints)) for about, constraints in formula.list_rules().items()]
        [('row 1', 1), ('row 2', 1)]
        """
        thing = Thing(noun, which)
        if must_be and not noun:
            raise ValueError(f"the rule {name!r}: must_be={must_be!r} needs what it is about")
        self._require_entered()
        self._not_entered = name
        return self._within(name, thing, must_be, redundant)

    @contextmanager
    def _within(self, name: str, thing: Thing, must_be: str, redundant: bool) -> Iterator[None]:
        self._not_entered = None
        if redundant:
            self.redundant.add(name)

        # What was added to the outer block so far comes first.
        outer = self._block
        self._record_span(outer)
        first = self._count(name)
        about = str(thing)
        if about:
            self.things[about] = thing
        self._block = _Block(name, about or outer.about, first)
        try:
            yield
        finally:
            self._record_span(self._block)
            if must_be:
                requirement = Requirement(thing.noun, name_place(thing.which), must_be)
                self.requirements[requirement] = (name, range(first, self._count(name)))
            self._block = outer
            outer.start = self._count(outer.rule)

    def _count(self, rule: str) -> int:
        """The number of constraints that state a rule so far."""
        return len(self.groups[rule].constraints) if rule in self.groups else 0

    def _record_span(self, block: _Block) -> None:
        """Note that the constraints added since the start of the block are about its thing."""
        end = self._count(block.rule)
        if not block.about or end == block.start:
            return
        spans = self.rules.setdefault(block.about, {}).setdefault(block.rule, [])
        if spans and spans[-1].stop == block.start:
            spans[-1] = range(spans[-1].start, end)
        else:
            spans.append(range(block.start, end))

    def list_rules(self) -> dict[str, list[Constraint]]:
        """The constraints about each thing, such as "row 1". Those that are about no named thing
        are named by their rule and what all of their variables share.

        >>> formula = Formula()
        >>> x = formula.variables("x", {"row": range(2), "column": range(2)})
        >>> with formula.rule("a row has one"):
        ...     for row in range(2):
        ...         formula.exactly_one(x[row, :])
        >>> list(formula.list_rules())
        ['a row has one: row 0', 'a row has one: row 1']
        """
        rules: dict[str, list[Constraint]] = {about: [] for about in self.rules}
        for rule, group in self.groups.items():
            about = self.rules_of(rule)
            for i, constraint in enumerate(group.constraints):
                name = about.get(i)
                if name is None:
                    number = f", {i + 1}" if len(group.constraints) > 1 else ""
                    name = f"{rule}{self._name_shared(constraint) or number}"
                rules.setdefault(name, []).append(constraint)
        return rules

    def rules_of(self, rule: str) -> dict[int, str]:
        """What the constraints of a rule are about, by their numbers in it, from 0."""
        things = {}
        for about, spans in self.rules.items():
            for span in spans.get(rule, ()):
                things.update(dict.fromkeys(span, about))
        return things

    def _name_shared(self, constraint: Constraint) -> str:
        """What all variables of a constraint have in common."""
        if not constraint[0]:
            return ""
        families, keys = zip(*(self._keys[abs(x) - 1] for x in constraint[0]), strict=True)
        if len(set(families)) > 1:
            return ""
        shared = [
            axis
            for axis, values in zip(families[0].axes, zip(*keys, strict=True), strict=True)
            if len(set(values)) == 1 and families[0].varies(axis)
        ]
        words = (f"{axis} {name_place(keys[0][families[0].axes.index(axis)])}" for axis in shared)
        return ": " + ", ".join(words) if shared else ""

    def _require_entered(self) -> None:
        name, self._not_entered = self._not_entered, None
        if name is not None:
            raise ValueError(
                f"`formula.rule({name!r})` has no effect without `with`: write `with "
                f"formula.rule({name!r}):`"
            )

    def _constraints(self) -> Constraints:
        """The constraints of the rule that is being stated."""
        self._require_entered()
        rule = self._block.rule
        if rule not in self.groups:
            self.groups[rule] = ConstraintGroup(rule)
        elif rule in self._shared:
            self._shared.remove(rule)
            self.groups[rule] = self.groups[rule].copy()
        return self.groups[rule].constraints

    def _check_literals(self, literals: Iterable[int]) -> tuple[int, ...]:
        if not isinstance(
            literals, tuple | list
        ):  # these are recognised much faster than other iterables
            literals = several(literals, "a list of literals")
        result = tuple(literals)
        top = self.top
        if not _INTEGERS.issuperset(map(type, result)):
            result = tuple(map(literal_of, result))
        if result and (min(result) < -top or max(result) > top or 0 in result):
            wrong = next(literal for literal in result if not 0 < abs(literal) <= top)
            raise ValueError(
                f"{wrong} is not a literal of this formula, which has the variables 1 to {top}"
            )
        return result

    def _distinct(self, literals: Iterable[int]) -> tuple[int, ...]:
        result = self._check_literals(literals)
        if len(set(result)) < len(result):
            raise ValueError(f"a literal is repeated in {result}")
        return result

    def clause(self, literals: Iterable[int]) -> None:
        """At least one literal is true.

        This and all other constraints raise TypeError for anything that is not a literal, and
        ValueError for a literal that the formula does not have.
        """
        checked = self._check_literals(literals)
        self._constraints().append_clauses(checked, len(checked), 1)

    def clauses(self, rows: Iterable[Iterable[int]]) -> None:
        """Each of the rows is a clause. Many clauses of the same length are added several times
        faster than one by one.

        >>> formula = Formula()
        >>> x = formula.variables("x", {"i": range(4)})
        >>> formula.clauses((-x(i), x(i + 1)) for i in range(3))
        >>> [clause.literals for clause in formula.constraints()]
        [(-1, 2), (-2, 3), (-3, 4)]
        """
        rows = list(several(rows, "rows of literals"))
        try:
            every = list(map(tuple, rows))
        except TypeError:
            for row in rows:
                several(row, "each row to be a list of literals")
            raise
        if every and every[0] and len(set(map(len, every))) == 1:
            self._constraints().append_clauses(
                self._check_literals(chain.from_iterable(every)), len(every[0]), len(every)
            )
        else:
            for row in every:
                self.clause(row)

    def minimize(self, terms: Terms) -> None:
        """Set the objective, so that solutions of least cost can be requested.

        The cost of a solution is the sum of the weights of the literals that are true in it: 1
        each, unless a mapping or pairs give other weights, which may be negative. Raises ValueError
        for a literal given twice or of an auxiliary variable.

        >>> formula = Formula()
        >>> coin = formula.variables("coin", {"value": (1, 2, 5)})
        >>> formula.linear({literal: value for (value,), literal in coin.items()}, at_least=4)
        >>> formula.minimize({coin(1): 1, coin(2): 1, coin(5): 3})
        >>> formula.cost({coin(5)})
        3
        """
        weighted = pairs(terms)
        self._distinct(literal for literal, _ in weighted)
        if not set(self.decisions()).issuperset(abs(literal) for literal, _ in weighted):
            raise ValueError("only decision variables can be minimised")
        self.objective = {literal: weight for literal, weight in weighted if weight}
        self.maximizes = False

    def maximize(self, terms: Terms) -> None:
        """Set the objective, so that solutions of the greatest value can be requested.

        The value is the sum of the weights of the literals that are true, as in `minimize`. The
        objective is its opposite, and answers state the maximum.
        """
        self.minimize([(literal, -weight) for literal, weight in pairs(terms)])
        self.maximizes = True

    def cost(self, true: Collection[int]) -> int:
        """The cost of a solution by its true decision variables; 0 if nothing is minimised."""
        return sum(
            weight
            for literal, weight in self.objective.items()
            if (abs(literal) in true) == (literal > 0)
        )

    def implies(self, condition: int, *literals: int) -> None:
        """If the condition holds, at least one of the literals is true."""
        self.clause((-literal_of(condition), *literals))

    def at_most(self, k: int, literals: Iterable[int]) -> None:
        """At most k of the literals are true."""
        self.between(0, k, literals)

    def at_least(self, k: int, literals: Iterable[int]) -> None:
        """At least k of the literals are true."""
        k, distinct = bound_of(k), self._distinct(literals)
        self.between(k, len(distinct), distinct)

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
        """At least `at_least` and at most `at_most` of the literals are true. Raises ValueError for
        a literal given twice.

        Bounds that cannot be met, such as at least 5 of 4 literals, are allowed, because they may
        follow from the data of a puzzle; then the formula has no model.
        """
        at_least, at_most = bound_of(at_least), bound_of(at_most)
        distinct = self._distinct(literals)
        beyond = len(distinct) + 1  # greater bounds are equivalent
        bounds = (max(-1, min(bound, beyond)) for bound in (at_least, at_most))
        self._constraints().append(Cardinality(distinct, *bounds))

    def linear(
        self, terms: Terms, *, at_least: int | None = None, at_most: int | None = None
    ) -> None:
        """The weights of the true literals add up to at least `at_least` and at most `at_most`.

        `terms` is a mapping from literals to weights, or a list of pairs; a literal without a
        weight has weight 1. Weights are integers of any size and sign. The weights of a repeated
        literal are added. Raises ValueError without any bound.

        >>> formula = Formula()
        >>> x = formula.variables("x", {"i": range(3)})
        >>> formula.linear({x(0): 3, x(1): 2, x(2): -1}, at_least=2, at_most=4)
        """
        if at_least is None and at_most is None:
            raise ValueError("a bound is missing; give at_least, at_most, or both")
        weighted = pairs(terms)
        self._check_literals(literal for literal, _ in weighted)
        low, high = (
            None if bound is None else integer_of(bound, "a bound") for bound in (at_least, at_most)
        )
        self._constraints().append(normalize_sum(weighted, low, high))

    def all_different(self, choices: Iterable[Choice]) -> None:
        """No two of the choices have the same value; their domains may differ.

        If there are as many values as choices, each value is taken once. If there are fewer, there
        is no solution.
        """
        choices = list_values(choices, "the choices")
        taking: dict[Hashable, list[int]] = {}
        for choice in choices:
            if not isinstance(choice, Choice):
                raise TypeError(
                    f"all_different takes choices, which `formula.choice` makes; got {choice!r}"
                )
            for value, literal in choice.literals.items():
                taking.setdefault(value, []).append(literal)
        if len(taking) < len(choices):
            self.clause(())
        for literals in taking.values():
            if len(taking) == len(choices):
                self.exactly_one(literals)
            elif len(literals) > 1:
                self.at_most_one(literals)

    def xor(self, literals: Iterable[int], *, odd: bool = True) -> None:
        """The number of true literals is odd; even with `odd=False`.

        The constraint is stored with distinct positive variables: a negative literal flips the
        parity, and a repeated variable cancels out.
        """
        variables: set[int] = set()
        for literal in self._check_literals(literals):
            variables ^= {abs(literal)}
            odd ^= literal < 0
        self._constraints().append(Xor(tuple(sorted(variables)), odd))

    def connected(
        self,
        graph: networkx.Graph[Any],
        chosen: Mapping[Any, int],
        root: Hashable | None = None,
    ) -> None:
        """The chosen nodes of a graph are connected: a path through chosen nodes leads from each of
        them to each other.

        `chosen` has a literal for each node, which is true if the node is chosen. No two of them
        belong to the same variable. The empty set is connected. If a root is given, this node is
        chosen, so that all others are connected to it. For lines along the edges of a graph, give
        its line graph (`networkx.line_graph`), whose nodes are the edges.

        Raises TypeError for a directed graph, ValueError for a node without a literal and for a
        literal without a node.

        >>> import networkx
        >>> grid, formula = networkx.grid_2d_graph(2, 2), Formula()
        >>> shaded = formula.variables("shaded", {"row": range(2), "column": range(2)})
        >>> with formula.rule("the shaded cells are connected"):
        ...     formula.connected(grid, {cell: shaded(*cell) for cell in grid})
        >>> formula.groups["the shaded cells are connected"].kinds()
        Counter({'connected': 1})
        """
        self._add_on_graph(make_connected(graph, chosen, root))

    def single_loop(self, graph: networkx.Graph[Any], lines: Mapping[Any, int]) -> None:
        """The lines along edges of a graph form one closed loop, which meets no node twice.

        `lines` has a literal for each edge, as the graph names it or with its nodes the other way
        round, or as a frozenset of the two; it is true if the line is drawn. No two of them belong
        to the same variable. There is at least one line.

        Raises TypeError for a directed graph, ValueError for an edge without a literal, for a
        literal without an edge, and for an edge that joins a node with itself.

        >>> import networkx
        >>> grid, formula = networkx.grid_2d_graph(3, 3), Formula()
        >>> line = formula.variables("line", ("from", "to"), grid.edges)
        >>> with formula.rule("the lines are one loop"):
        ...     formula.single_loop(grid, dict(line.items()))
        >>> formula.groups["the lines are one loop"].kinds()
        Counter({'single-loop': 1})
        """
        self._add_on_graph(make_single_loop(graph, lines))

    def acyclic(self, graph: networkx.Graph[Any], lines: Mapping[Any, int]) -> None:
        """The lines along edges of a graph form no closed path.

        `lines` has a literal for each edge, as for `single_loop`. There may be no lines, and the
        lines need not be connected; together with `connected` on the line graph they are a tree.

        Raises TypeError for a directed graph, ValueError for an edge without a literal, for a
        literal without an edge, and for an edge that joins a node with itself.

        >>> import networkx
        >>> grid, formula = networkx.grid_2d_graph(2, 2), Formula()
        >>> line = formula.variables("line", ("from", "to"), grid.edges)
        >>> with formula.rule("no closed path"):
        ...     formula.acyclic(grid, dict(line.items()))
        >>> formula.groups["no closed path"].kinds()
        Counter({'acyclic': 1})
        """
        self._add_on_graph(make_acyclic(graph, lines))

    def regions(
        self, graph: networkx.Graph[Any], numbers: Mapping[Any, Choice[int] | Mapping[int, int]]
    ) -> None:
        """Each node of a graph has one number, and the connected nodes with equal numbers are as
        many as the number says.

        `numbers` has a choice for each node, or a dict with a literal for each of its numbers,
        which are at least 1. No two literals belong to the same variable. Regions that grow from
        known nodes need no such rule: state each of them with `connected` and its root, and its
        size with `exactly` or `between`.

        Raises TypeError for a directed graph, ValueError for a node without a choice, for a choice
        without a node, and for a number below 1.

        >>> import networkx
        >>> row, formula = networkx.path_graph(3), Formula()
        >>> number = {node: formula.choice("number", [1, 2, 3], node=node) for node in row}
        >>> with formula.rule("regions are as large as their numbers say"):
        ...     formula.regions(row, number)
        >>> formula.groups["regions are as large as their numbers say"].kinds()
        Counter({'regions': 1})
        """
        self._add_on_graph(make_regions(graph, numbers))

    def _add_on_graph(self, constraint: GraphConstraint) -> None:
        self._check_literals(constraint.literals)
        self._constraints().append(constraint)

    def on_graph(self, constraint: GraphConstraint) -> None:
        """Add a constraint on a graph that another formula has with the same literals. Raises
        ValueError if it is malformed."""
        match constraint:
            case Connected(literals, _, root):
                self.connected(draw_nodes(constraint), dict(enumerate(literals)), root)
            case SingleLoop():
                self.single_loop(*draw_lines(constraint))
            case Acyclic():
                self.acyclic(*draw_lines(constraint))
            case Regions(literals, nodes, sizes):
                numbers: dict[int, dict[int, int]] = {}
                for x, node, size in zip(literals, nodes, sizes, strict=True):
                    numbers.setdefault(node, {})[size] = x
                self.regions(draw_nodes(constraint), numbers)

    def constraints(self) -> Iterator[Constraint]:
        """Every constraint, rule by rule."""
        for group in self.groups.values():
            yield from group.constraints

    def others(self) -> Iterator[Other]:
        """Every constraint other than clauses, rule by rule."""
        for group in self.groups.values():
            yield from group.constraints.others()

    def list_graphs(self) -> list[GraphConstraint]:
        """The constraints on graphs, rule by rule."""
        return [graph for group in self.groups.values() for graph in group.constraints.graphs]

    def slacks(self) -> list[int]:
        """The auxiliary variables that only say that none of some decision variables is true, such
        as 'this cell is left over', in ascending order.

        Each is in one exactly-one constraint, where all others are decision variables, and
        otherwise only in sums, and in clauses that are sums of slacks: at least one is true, or not
        all. So it follows from the decision variables.
        """
        if len(self._keys) == len(self.decisions()):
            return []
        slacks = self._find_possible_slacks()
        if not slacks:
            return []

        # Drop those in other clauses, which may make further clauses no sums of slacks.
        clauses = [x.literals for x in self.constraints() if isinstance(x, Clause)]
        while True:
            used: set[int] = set()
            for literals in clauses:
                if not is_sum_of(literals, slacks):
                    used.update(map(abs, literals))
            if slacks.isdisjoint(used):
                return sorted(slacks)
            slacks -= used

    def _find_possible_slacks(self) -> set[int]:
        """The auxiliary variables that are the only one of exactly one exactly-one constraint."""
        decisions = set(self.decisions())
        uses: Counter[int] = Counter()
        for constraint in self.others():
            match constraint:
                case Cardinality(literals, 1, 1):
                    unnamed = [x for x in literals if x not in decisions]
                    if len(unnamed) == 1:
                        uses[unnamed[0]] += 1
        return {x for x, number in uses.items() if number == 1 and x > 0}

    def options(self) -> list[int]:
        """The decision variables and the slacks, in ascending order: the options of an exact
        cover."""
        return sorted([*self.decisions(), *self.slacks()])

    def items(self) -> Iterator[tuple[int, ...]]:
        """The literals of each exactly-one constraint over decision variables and slacks: the items
        of an exact cover."""
        options = set(self.options())
        for constraint in self.others():
            match constraint:
                case Cardinality(literals, 1, 1) if options.issuperset(literals):
                    yield literals
