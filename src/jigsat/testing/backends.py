"""One call that tests a backend."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

from jigsat.backends import Backend, Capabilities, Spec, find
from jigsat.errors import CheckError, InputError
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Lowered, Xor
from jigsat.proofs.drat import verify

FORMULAS = 90
"""The number of random formulas."""

LARGEST = 6
"""The maximum number of variables of a random formula."""

ENOUGH = 10
"""The minimum number of satisfiable random formulas that a backend must accept."""


def check_backend(backend: str | Spec, *, seed: int = 0) -> None:
    """Test a backend, given by its name or specification, on small formulas whose truth tables are computed here.

    Raises AssertionError unless

    - it can be opened (or only counts), and `Spec.probe` confirms all of its stated capabilities;
    - it finds exactly the models of random formulas, with every kind of constraint that it accepts; a backend without the
      capability `clauses` may refuse formulas by raising InputError, but not all of them;
    - constraints that are added after `solve` hold, and an unsatisfiable formula remains unsatisfiable;
    - assumptions hold for a single call, and the results of `propagate` and `core` are correct;
    - it refuses unsupported constraints with a message and does not ignore them;
    - `statistics` returns integers by name, and two open solvers do not affect each other;
    - `count`, `rank` and `refute`, if the specification has them, are correct; proofs are verified.

    A different `seed` gives different formulas.

    >>> from jigsat.testing import check_backend
    >>> check_backend("minisat22")
    """
    spec = find(backend) if isinstance(backend, str) else backend
    tested = _Tested(spec)
    tested.capabilities_are_confirmed()
    tested.finds_all_models(random.Random(seed))
    if spec.open is None:
        return
    if tested.capabilities.clauses:
        tested.grows()
        if tested.capabilities.enumerates:
            tested.starts_over()
    tested.refuses()
    if tested.capabilities.assumptions:
        tested.forgets_assumptions()
    tested.reasons(random.Random(seed))
    if spec.refute:
        tested.refutes()


class _Tested:
    """A backend under test."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.capabilities = Capabilities(clauses=False)
        try:
            if spec.open:
                with closing(spec.open()) as backend:
                    self.capabilities = backend.capabilities
        except ImportError as error:
            raise AssertionError(f"{spec.name}: not installed ({error}); {spec.install}") from error

    def holds(self, truth: object, message: str) -> None:
        if not truth:
            raise AssertionError(f"{self.spec.name}: {message}")

    def opened(self, constraints: Iterable[Constraint] = (), variables: Sequence[int] = ()) -> Backend:
        assert self.spec.open
        backend = self.spec.open()
        backend.project(variables)
        for constraint in constraints:
            backend.add(constraint)
        return backend

    def capabilities_are_confirmed(self) -> None:
        probed = self.spec.probe()
        if probed is None:
            raise AssertionError(f"{self.spec.name}: finds wrong models even of three variables")
        lost = [name for name, stated in self.capabilities._asdict().items() if stated and not getattr(probed, name)]
        self.holds(not lost, f"states capabilities that a probe does not confirm: {', '.join(lost)}")

    def finds_all_models(self, rng: random.Random) -> None:
        taken = refused = 0
        for number in range(FORMULAS):
            formula = _random_formula(rng, _KINDS[number % len(_KINDS)])
            expected = _models(formula)
            try:
                found = self.models(formula) if self.spec.open else expected
                counted = self.spec.count(formula) if self.spec.count else len(expected)
                ranking = self.spec.rank(formula) if self.spec.rank else None
            except InputError as error:
                self.holds(not self.capabilities.clauses, f"refuses a formula although it accepts clauses: {error}")
                self.holds(str(error), "refuses a formula without a message")
                refused += 1
                continue
            taken += bool(expected)
            constraints = list(formula.constraints())
            wrong = f"{len(found)} models instead of {len(expected)}" if len(found) != len(expected) else "wrong models"
            self.holds(found == expected, f"finds {wrong} of {constraints} on the variables {formula.decisions()}")
            if ranking:
                numbered = {ranking.model(rank) for rank in range(ranking.total)}
                self.holds(ranking.total == len(expected), f"numbers {ranking.total} models of {constraints}")
                self.holds(numbered == expected, f"numbers wrong models of {constraints}")
            self.holds(counted == len(expected), f"counts {counted} models instead of {len(expected)} of {constraints}")
        self.holds(taken >= ENOUGH, f"accepts too few formulas for a test: {taken}; it refuses {refused}")

    def models(self, formula: Formula) -> set[frozenset[int]]:
        """All models on the decision variables, found as `jigsat.search` does."""
        decisions, found = formula.decisions(), set[frozenset[int]]()
        lowered = Lowered(formula, native=self.capabilities.native)
        with closing(self.opened(lowered, decisions)) as backend:
            for _ in range(2 ** (LARGEST + 4)):
                if not backend.solve():
                    self.holds(not backend.solve(), "finds a model after stating that there is none")
                    return found
                true = backend.model()
                self.holds(min(true, default=1) > 0, f"names the false variable {-min(true, default=0)} in a model")
                model = frozenset(decisions).intersection(true)
                if not self.capabilities.enumerates:
                    self.holds(model not in found, "finds a model again after a clause that excludes it was added")
                    for clause in lowered.lower(Clause(tuple(-x if x in model else x for x in decisions))):
                        backend.add(clause)
                found.add(model)
                self.has_statistics(backend)
        raise AssertionError(f"{self.spec.name}: does not stop finding models of a formula with {len(decisions)} variables")

    def has_statistics(self, backend: Backend) -> None:
        numbers = backend.statistics()
        right = all(isinstance(name, str) and isinstance(number, int) for name, number in numbers.items())
        self.holds(right, f"statistics() must return integers by name; it returns {numbers}")

    def grows(self) -> None:
        """Add constraints after `solve`, in one of two open solvers."""
        with closing(self.opened([Clause((1, 2))], [1, 2])) as one, closing(self.opened([Clause((-1,))], [1, 2])) as other:
            self.holds(one.solve() and other.solve(), "finds no model of a single clause")
            one.add(Clause((-1,)))
            self.holds(one.solve() and set(one.model()) == {2}, "a clause that is added after solve() does not hold")
            one.add(Clause((-2,)))
            self.holds(not one.solve(), "finds a model after the last one was excluded")
            one.add(Clause((3,)))
            self.holds(not one.solve(), "finds a model again, although clauses were only added")
            self.holds(other.solve(), "two open solvers affect each other")

    def starts_over(self) -> None:
        """Test that a backend that enumerates starts over after a constraint was added."""
        with closing(self.opened([Clause((1, 2))], [1, 2, 3])) as backend:
            before = [frozenset(backend.model()) for _ in range(3) if backend.solve()]
            self.holds(len(set(before)) == 3, "repeats a model, although it states that it enumerates")
            backend.add(Clause((-1,)))
            after = [set(backend.model()) for _ in range(4) if backend.solve()]
            self.holds(sorted(map(sorted, after)) == [[2], [2, 3]], f"after a clause was added, it gives the models {after}")

    def forgets_assumptions(self) -> None:
        """Test assumptions on the formula 'exactly one of 1 and 2', in a form that the backend accepts."""
        exactly_one: list[Constraint] = [Xor((1, 2), True)]
        if self.capabilities.clauses:
            exactly_one = [Clause((1, 2)), Clause((-1, -2))]
        elif self.capabilities.cardinality:
            exactly_one = [Cardinality((1, 2), 1, 1)]
        with closing(self.opened(exactly_one, [1, 2])) as backend:
            for assumed, expected in ([-1, -2], None), ([1], {1}), ([2], {2}), ([-2], {1}), ([1, 2], None):
                found = set(backend.model()) if backend.solve(assumed) else None
                self.holds(found == expected, f"with {assumed} assumed, it finds {found} instead of {expected}")
            self.holds(backend.solve(), "assumptions hold beyond their call")

    def reasons(self, rng: random.Random) -> None:
        """Test `propagate` and `core`, if the backend has them, with assumptions on all variables of random formulas."""
        for _ in range(FORMULAS if self.capabilities.propagation or self.capabilities.cores else 0):
            formula = _random_formula(rng, "everything")
            rows = _rows(formula)
            assumed = [rng.choice((x, -x)) for x in range(1, formula.top + 1)]
            where = f"of {list(formula.constraints())} with {assumed} assumed"
            with closing(self.opened(Lowered(formula, native=self.capabilities.native))) as backend:
                if self.capabilities.propagation:
                    possible, derived = backend.propagate(assumed[:1])
                    left = [row for row in rows if _literal(row, assumed[0])]
                    self.holds(possible or not left, f"propagate() finds a false contradiction {where}")
                    known = [x for x in derived if abs(x) <= formula.top]
                    right = all(_literal(row, x) for row in left for x in known)
                    self.holds(right, f"propagate() derives {known} from the first {where}, which is wrong")
                if self.capabilities.cores and not backend.solve(assumed):
                    core = backend.core()
                    self.holds(set(core) <= set(assumed), f"core() returns {core}, which were not all assumed, {where}")
                    refuted = not any(all(_literal(row, x) for x in core) for row in rows)
                    self.holds(refuted, f"core() returns {core}, which is satisfiable, {where}")

    def refuses(self) -> None:
        constraints: dict[str, Constraint] = {
            "xor": Xor((1, 2, 3), True),
            "cardinality": Cardinality((1, 2, 3), 2, 2),
            "linear": Linear((1, 2, 3), (3, 2, 2), 0, 4),
        }
        for constraint in (constraint for kind, constraint in constraints.items() if kind not in self.capabilities.native):
            with closing(self.opened()) as backend:
                try:
                    backend.add(constraint)
                    backend.solve()
                except (InputError, TypeError) as error:
                    self.holds(str(error), f"refuses a constraint ({constraint.kind}) without a message")
                else:
                    self.holds(False, f"accepts {constraint}, which is not among its capabilities; it should raise TypeError")

    def refutes(self) -> None:
        assert self.spec.refute
        self.holds(self.spec.refute([[1, 2], [-1, 2]]) is None, "refute() must return None for clauses that have a model")
        square = [[a, b, c] for a, b, c in product((1, -1), (2, -2), (3, -3))]
        lines = self.spec.refute(square)
        if lines is None:
            raise AssertionError(f"{self.spec.name}: refute() returns no proof for clauses that have no model")
        with tempfile.TemporaryDirectory() as folder:
            cnf, proof = Path(folder) / "refuted.cnf", Path(folder) / "refuted.drat"
            cnf.write_text("p cnf 3 8\n" + "".join(f"{a} {b} {c} 0\n" for a, b, c in square))
            proof.write_text("\n".join(lines) + "\n")
            try:
                verify(cnf, proof)
            except CheckError as error:
                raise AssertionError(f"{self.spec.name}: refute() returns a wrong proof: {error}") from error


_KINDS = ("everything", "equations", "exact cover")
"""Kinds of random formulas; some backends accept only the second or the third."""


def _random_formula(rng: random.Random, kind: str) -> Formula:
    """A formula with up to `LARGEST` variables; the last ones may be auxiliary."""
    formula = Formula()
    number = rng.randint(1, LARGEST)
    decisions = number if kind == "exact cover" else rng.randint(1, number)
    formula.variables("decision", ("number",), [(i,) for i in range(decisions)])
    formula.variables("auxiliary", ("number",), [(i,) for i in range(decisions, number)], decision=False)
    if kind == "exact cover":
        items = [rng.sample(range(1, number + 1), rng.randint(1, number)) for _ in range(rng.randint(1, 3))]
        for item in [*items, *([x] for x in set(range(1, number + 1)).difference(*items))]:
            formula.exactly_one(item)
        return formula
    for _ in range(rng.randint(1, 3)):
        literals = [rng.choice((x, -x)) for x in rng.sample(range(1, number + 1), rng.randint(1, number))]
        match rng.choice(["xor"] if kind == "equations" else ["clause", "between", "exactly", "linear", "xor"]):
            case "clause":
                formula.clause(literals)
            case "between":
                low = rng.randint(0, len(literals))
                formula.between(low, rng.randint(low, len(literals)), literals)
            case "exactly":
                formula.exactly(rng.randint(0, len(literals)), literals)
            case "linear":
                low = rng.randint(-5, 5)
                formula.linear(((x, rng.randint(-3, 3)) for x in literals), at_least=low, at_most=low + rng.randint(0, 5))
            case _:
                formula.xor(literals, odd=rng.random() < 0.5)
    return formula


def _models(formula: Formula) -> set[frozenset[int]]:
    """The models on the decision variables, by truth table."""
    decisions = set(formula.decisions())
    return {row & decisions for row in _rows(formula)}


def _rows(formula: Formula) -> list[frozenset[int]]:
    """The true variables of each satisfying row of the truth table."""
    constraints = list(formula.constraints())
    rows = (frozenset(x for x, true in enumerate(row, 1) if true) for row in product((False, True), repeat=formula.top))
    return [row for row in rows if all(_satisfies(row, constraint) for constraint in constraints)]


def _satisfies(true: frozenset[int], constraint: Constraint) -> bool:
    match constraint:
        case Clause(literals):
            return any(_literal(true, x) for x in literals)
        case Cardinality(literals, at_least, at_most):
            return at_least <= sum(_literal(true, x) for x in literals) <= at_most
        case Linear(literals, weights, at_least, at_most):
            return at_least <= sum(w for x, w in zip(literals, weights, strict=True) if _literal(true, x)) <= at_most
        case Xor(variables, odd):
            return sum(x in true for x in variables) % 2 == odd


def _literal(true: frozenset[int], literal: int) -> bool:
    return (abs(literal) in true) == (literal > 0)
