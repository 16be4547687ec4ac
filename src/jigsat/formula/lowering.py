"""Rewriting a formula for solvers: constraints that a solver does not accept become clauses with
auxiliary variables.

Cardinality encodings are PySAT's (`pysat.card`); they give the same solutions but differ in speed.
An XOR over more than `xor_cut` variables is cut into a chain of short ones linked by auxiliary
variables, because n variables would take 2^(n-1) clauses without auxiliaries. Linear constraints
become decision diagrams (`jigsat.formula.diagram`), constraints on graphs become trees
(`jigsat.formula.elimination`, `jigsat.formula.regions`). Auxiliary variables may have several
values in the same solution, so solutions are always distinguished by the decision variables.

>>> formula = Formula()
>>> x = formula.variables("x", ("i",), [(i,) for i in range(3)])
>>> formula.exactly_one(x[:])
>>> formula.xor(x[:], odd=False)
>>> [clause.literals for clause in Lowered(formula)]
[(1, 2, 3), (-1, -2), (-1, -3), (-2, -3), (1, 2, -3), (1, -2, 3), (-1, 2, 3), (-1, -2, -3)]
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product

from jigsat.errors import unknown
from jigsat.formula import diagram
from jigsat.formula.constraints import (
    Cardinality,
    Clause,
    Constraint,
    ConstraintGroup,
    Linear,
    Rows,
    Xor,
    unpack_batches,
)
from jigsat.formula.cuts import list_local_constraints
from jigsat.formula.elimination import acyclic_pattern, connected_pattern, loop_pattern
from jigsat.formula.formula import Formula
from jigsat.formula.graphs import Acyclic, Connected, GraphConstraint, Regions, SingleLoop
from jigsat.formula.regions import regions_pattern

AT_MOST_ONE = ("pairwise", "seqcounter", "ladder", "bitwise", "totalizer", "cardnetwrk")
CARDINALITY = ("seqcounter", "totalizer", "mtotalizer", "kmtotalizer", "cardnetwrk", "sortnetwrk")

MAX_PAIRWISE_LITERALS = 40
"""`auto` uses pairwise at-most-one constraints up to this number of literals, and the sequential
counter beyond.

Pairwise is cheap for few literals and has no auxiliary variables, but takes n(n-1)/2 clauses. On
the fish (36 literals per constraint), the reusable cats and the cube together, CaDiCaL took 0.97 s
with it, 0.94 s with the sequential counter, 0.84 s with bitwise, 1.04 s with ladder and 1.46 s with
the totalizer, one run each, so the choice matters little.
"""

MAX_WEIGHT_SUM = 2**31 - 2
"""The largest sum of weights of a native constraint: Z3 and clingo count in 32 bits, and Z3 does
not report overflow."""


GRAPHS = "graphs"
"""A native kind of `Lowered`: of constraints on graphs, only what they require of single nodes is
lowered: that the root is chosen, that two lines of a loop or none meet at a node, and that a node
has one number."""


LAZY = "lazy"
"""Constraints on graphs are cuts, which are added after models that break them."""
EAGER = "eager"
"""Constraints on graphs are clauses from the start."""
GRAPH_RULES = (LAZY, EAGER)


@dataclass(frozen=True)
class Lowering:
    """How constraints become clauses. Raises ValueError for an unknown encoding.

    `graph_rules` is `LAZY`, which is for solvers that can go on after a model only, or `EAGER`.
    """

    at_most_one: str = "auto"
    cardinality: str = "seqcounter"
    xor_cut: int = 5
    graph_rules: str = LAZY

    def __post_init__(self) -> None:
        if self.at_most_one not in ("auto", *AT_MOST_ONE):
            raise ValueError(
                unknown("at-most-one encoding", self.at_most_one, ("auto", *AT_MOST_ONE))
            )
        if self.cardinality not in CARDINALITY:
            raise ValueError(unknown("cardinality encoding", self.cardinality, CARDINALITY))
        if self.graph_rules not in GRAPH_RULES:
            raise ValueError(unknown("way of graph rules", self.graph_rules, GRAPH_RULES))
        if self.xor_cut < 3:
            raise ValueError("an XOR cannot be cut into pieces of fewer than 3 literals")


class Lowered:
    """A formula rewritten for a backend: iterate for the constraints; `top` is the highest variable
    so far.

    `native` lists the kinds that the backend accepts ('cardinality', 'linear', 'xor'; see also
    `GRAPHS`); all others become clauses, none of them empty. A native cardinality or linear
    constraint has one effective bound, or two that are equal, and the weights add up to at most
    `MAX_WEIGHT_SUM`. The constraints are generated again in each iteration and not kept in memory.
    """

    def __init__(
        self,
        formula: Formula,
        lowering: Lowering | None = None,
        native: frozenset[str] = frozenset(),
    ) -> None:
        self.formula = formula
        self.lowering = lowering or Lowering()
        self.native = native
        self.top = formula.top
        self.number = 0  # the number of constraints that `batches` has given so far

    def __iter__(self) -> Iterator[Constraint]:
        return unpack_batches(self.batches())

    def groups(self) -> Iterator[tuple[str, Iterator[Constraint]]]:
        """Each group's name with its constraints; consume them in order, because auxiliaries are
        numbered during iteration."""
        self.top = self.formula.top
        for group in self.formula.groups.values():
            yield group.name, unpack_batches(self._batches(group))

    def batches(self) -> Iterator[Rows | Constraint]:
        """The constraints in order: lists of clauses, given by their literals, and constraints of
        native kinds.

        This is several times faster than iterating over all clauses.
        """
        self.top = self.formula.top
        self.number = 0
        for group in self.formula.groups.values():
            for batch in self._batches(group):
                self.number += len(batch) if isinstance(batch, list) else 1
                yield batch

    def _batches(self, group: ConstraintGroup) -> Iterator[Rows | Constraint]:
        for batch in group.constraints.batches():
            if not isinstance(batch, list):
                yield from self._parts(batch)
            elif batch[0]:
                yield batch
            else:
                for row in batch:
                    yield self._clause(row)

    def sizes(self) -> dict[str, int]:
        """The number of constraints of each group after lowering; `top` is then the highest
        variable."""
        self.top = self.formula.top
        return {
            group.name: sum(
                len(batch) if isinstance(batch, list) else 1 for batch in self._batches(group)
            )
            for group in self.formula.groups.values()
        }

    def sizes_by_constraint(self) -> Iterator[tuple[str, Iterator[int]]]:
        """Each group's name with the number of constraints that each of its own becomes; consume
        them in order."""
        self.top = self.formula.top
        for group in self.formula.groups.values():
            yield (
                group.name,
                (sum(1 for _ in self.lower(constraint)) for constraint in group.constraints),
            )

    def list_auxiliaries(self) -> Iterator[tuple[Constraint, range]]:
        """The constraints that need auxiliary variables, each with these variables."""
        self.top = self.formula.top
        for group in self.formula.groups.values():
            for constraint in group.constraints:
                first = self.top + 1
                for _ in self._parts(constraint):
                    pass
                if self.top >= first:
                    yield constraint, range(first, self.top + 1)

    def lower(self, constraint: Constraint) -> Iterator[Constraint]:
        """Rewrite one constraint, with auxiliaries above `top`."""
        return unpack_batches(self._parts(constraint))

    def _parts(self, constraint: Constraint) -> Iterable[Rows | Constraint]:
        """One constraint as lists of clauses and constraints of native kinds."""
        match constraint:
            case Clause(literals):
                return (self._clause(literals),)
            case Cardinality(literals, at_least, at_most):
                if "cardinality" in self.native and 0 < at_least == at_most < len(literals):
                    return (constraint,)
                return chain(self._at_least(at_least, literals), self._at_most(at_most, literals))
            case Xor(variables, odd):
                if "xor" in self.native and variables:
                    return (constraint,)
                return self._xor(variables, odd)
            case Linear():
                return self._linear(constraint)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                return self._on_graph(constraint)

    def auxiliary(self) -> int:
        self.top += 1
        return self.top

    def _clause(self, literals: tuple[int, ...]) -> Rows:
        if literals:
            return [literals]
        contradiction = self.auxiliary()  # some solvers and DIMACS readers reject empty clauses
        return [(contradiction,), (-contradiction,)]

    def _at_least(self, k: int, literals: tuple[int, ...]) -> Iterator[Rows | Constraint]:
        if k == 1:
            yield self._clause(literals)
        elif "cardinality" in self.native and 1 < k < len(literals):
            yield Cardinality(literals, k, len(literals))
        elif k > 1:
            yield from self._at_most(len(literals) - k, tuple(-literal for literal in literals))

    def _at_most(self, k: int, literals: tuple[int, ...]) -> Iterator[Rows | Constraint]:
        if k < 0:
            yield self._clause(())
        elif k == 0:
            yield [(-literal,) for literal in literals]
        elif "cardinality" in self.native and k < len(literals):
            yield Cardinality(literals, 0, k)
        elif k < len(literals):
            yield from self._encode_cardinality(k, literals)

    def _encode_cardinality(self, k: int, literals: tuple[int, ...]) -> Iterator[Rows]:
        name = self.lowering.cardinality
        if k == 1:
            name = self.lowering.at_most_one
            if name == "auto":
                name = "pairwise" if len(literals) <= MAX_PAIRWISE_LITERALS else "seqcounter"
        if name == "pairwise":  # too many clauses to cache in `_pattern`
            negated = [-literal for literal in literals]
            for i in range(1, len(negated)):
                yield [(literal, negated[i]) for literal in negated[:i]]
        else:
            yield self._instance(*_pattern(name, k, len(literals)), literals)

    def _instance(
        self, clauses: list[list[int]], auxiliaries: int, literals: tuple[int, ...]
    ) -> Rows:
        """Translate clauses on the literals 1 to n and auxiliaries above n to these literals and
        new auxiliaries."""
        own = range(self.top + 1, self.top + 1 + auxiliaries)
        self.top += auxiliaries
        positive = [*literals, *own]
        # image[-i] is the negation of image[i]
        image = [
            0,
            *positive,
            *(-literal for literal in reversed(positive)),
        ]
        return [tuple([image[literal] for literal in clause]) for clause in clauses]

    def _linear(self, constraint: Linear) -> Iterator[Rows | Constraint]:
        literals, weights, at_least, at_most = (
            constraint.literals,
            constraint.weights,
            constraint.at_least,
            constraint.at_most,
        )
        total = sum(weights)
        if at_least > at_most:
            yield self._clause(())
        elif "linear" not in self.native or total > MAX_WEIGHT_SUM:
            if at_least > 0:
                negated = tuple(-literal for literal in literals)
                yield self._instance(*diagram.at_most(weights, total - at_least), negated)
            if at_most < total:
                yield self._instance(*diagram.at_most(weights, at_most), literals)
        elif at_least == at_most:
            yield constraint
        else:
            if at_least > 0:
                yield Linear(literals, weights, at_least, total)
            if at_most < total:
                yield Linear(literals, weights, 0, at_most)

    def _on_graph(self, constraint: GraphConstraint) -> Iterator[Rows | Constraint]:
        if GRAPHS in self.native:
            for local in list_local_constraints(constraint):
                yield from self._parts(local)
            yield constraint
            return
        match constraint:
            case Connected(literals, edges, root):
                yield self._instance(*connected_pattern(len(literals), edges, root), literals)
            case SingleLoop(literals, ends):
                for local in list_local_constraints(constraint):
                    yield from self._parts(local)
                yield self._instance(*loop_pattern(ends), literals)
            case Acyclic(literals, ends):
                yield self._instance(*acyclic_pattern(ends), literals)
            case Regions(literals):
                for local in list_local_constraints(constraint):
                    yield from self._parts(local)
                yield self._instance(*regions_pattern(constraint), literals)

    def _xor(self, variables: Sequence[int], odd: bool) -> Iterator[Rows]:
        cut = self.lowering.xor_cut
        while len(variables) > cut:
            joint = self.auxiliary()
            yield from self._xor((*variables[: cut - 1], joint), odd=False)
            variables = (joint, *variables[cut - 1 :])
        if not variables and odd:
            yield self._clause(())
        # forbid every assignment of the wrong parity
        yield [
            tuple(sign * variable for sign, variable in zip(signs, variables, strict=True))
            for signs in product((1, -1), repeat=len(variables))
            if variables and (signs.count(-1) % 2 == 1) != odd
        ]


@lru_cache(maxsize=32)
def _pattern(name: str, k: int, n: int) -> tuple[list[list[int]], int]:
    """The clauses that allow at most k of the variables 1 to n, and their number of auxiliaries
    above n."""
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.atmost(list(range(1, n + 1)), k, top_id=n, encoding=getattr(EncType, name))
    return encoded.clauses, max(0, encoded.nv - n)
