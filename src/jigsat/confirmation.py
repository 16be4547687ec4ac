"""Testing a backend on small formulas whose truth tables are computed here.

`confirm` tests briefly which of the capabilities that a backend states it has;
`jigsat.testing.check_backend` is the same with more formulas.
"""

import random
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

from jigsat.backends import Backend, Capabilities, NotInBuild, Spec
from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Lowered, Xor, holds
from jigsat.runtime.child import apart, drop_output

FORMULAS_PER_TEST = 12  # number of random formulas of each test of `confirm`

MAX_CONFIRM_S = 60.0
"""Seconds after which `confirm` considers that a backend hangs; most need a tenth of a second, some
a few for their import."""

MAX_RANDOM_VARIABLES = 6  # maximum number of variables of a random formula

ESSENTIAL = "clauses"
"""The capability without which a backend cannot be used; for one that accepts certain formulas
only, to solve these."""

KINDS = ("everything", "equations", "exact cover", "cells")
"""Kinds of random formulas; some backends accept only one of the later ones."""


class Confirmed(NamedTuple):
    """The capabilities that a test confirmed, and what is wrong; without capabilities, it is why
    the backend cannot be used."""

    capabilities: Capabilities | None
    faults: list[str]


def confirm(
    spec: Spec, *, formulas: int = FORMULAS_PER_TEST, seed: int = 0, patience: float = MAX_CONFIRM_S
) -> Confirmed:
    """Test in a child process what a backend can do; it may crash or hang, which takes `patience`
    seconds."""
    try:
        return apart(_confirm, spec, formulas, seed, timeout=patience)
    except Stopped as stopped:
        hangs = str(stopped) == "timeout"
        return Confirmed(
            None, [f"gives no answer within {patience:g} seconds" if hangs else str(stopped)]
        )


def describe_abilities(spec: Spec, can: Capabilities | None) -> dict[str, bool] | None:
    """All capabilities of a backend, by name; None if it is not installed."""
    if can is None:
        return None
    others = {
        "proofs": spec.refute is not None,
        "counting": spec.count is not None,
        "seeds": spec.open_seeded is not None,
    }
    return {**can._asdict(), **others}


def _confirm(spec: Spec, formulas: int, seed: int) -> Confirmed:
    drop_output()
    faults: dict[str, str] = {}
    tested = _Tested(spec, formulas, seed)
    try:
        for name, test in tested.tests():
            if fault := _find_fault(test):
                if name == ESSENTIAL:
                    return Confirmed(None, [fault])
                faults.setdefault(name, fault)
    except NotInBuild as error:
        return Confirmed(None, [f"absent; {error}"])
    except ImportError:
        return Confirmed(None, [f"absent; {spec.install}"])
    lost = {name: False for name in faults if name}
    complaints = [
        f"lacks the capability {name} that it states: it {fault}" if name else fault
        for name, fault in faults.items()
    ]
    return Confirmed(tested.capabilities._replace(**lost), complaints)


def _find_fault(test: Callable[[], None]) -> str:
    """What a test finds wrong, or ''."""
    try:
        test()
    except AssertionError as fault:
        return str(fault)
    except ImportError:
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        message = str(error).partition("\n")[0]
        return (
            f"raises {type(error).__name__}: {message} ({Path(at.filename).name}, line {at.lineno})"
        )
    return ""


def _require(truth: object, fault: str) -> None:
    if not truth:
        raise AssertionError(fault)


class _Tested:
    """A backend under test. A test raises ImportError if the backend is not installed."""

    def __init__(self, spec: Spec, formulas: int, seed: int) -> None:
        self.spec, self.formulas, self.seed = spec, formulas, seed
        self.capabilities = Capabilities(clauses=False)

    def tests(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """The tests, each with the capability that a backend lacks if it fails; '' for one that
        concerns none of them."""
        if self.spec.open:
            yield ESSENTIAL, self.opens
        if self.spec.count or self.spec.rank:
            yield ESSENTIAL, self.counts
        if self.spec.open is None:
            return
        can = self.capabilities
        kinds = sorted(self.capabilities.native)
        if can.clauses:
            yield ESSENTIAL, self.finds_all_models
            yield ESSENTIAL, self.grows
            for kind in kinds:
                yield kind, partial(self.finds_all_models, kind)
        if not can.clauses or len(kinds) > 1:
            yield "" if can.clauses else ESSENTIAL, partial(self.finds_all_models, *kinds)
        yield "", self.refuses
        if self.spec.open_seeded:
            yield "", self.takes_seeds
        for name, test in (
            ("enumerates", self.starts_over),
            ("assumptions", self.forgets_assumptions),
            ("propagation", self.propagates),
            ("cores", self.has_cores),
            ("conflict_limit", self.gives_up),
        ):
            if getattr(can, name):
                yield name, test

    @contextmanager
    def open_backend(
        self, constraints: Iterable[Constraint] = (), variables: Sequence[int] = ()
    ) -> Iterator[Backend]:
        assert self.spec.open
        with closing(self.spec.open()) as backend:
            backend.project(variables)
            for constraint in constraints:
                backend.add(constraint)
            yield backend

    def opens(self) -> None:
        with self.open_backend() as backend:
            self.capabilities = backend.capabilities
            _require(isinstance(self.capabilities, Capabilities), "has no Capabilities")

    def lower_formula(self, formula: Formula) -> Lowered:
        return Lowered(formula, native=self.capabilities.native)

    def compare_models(
        self, find: Callable[[Formula, set[frozenset[int]]], None], *native: str
    ) -> None:
        """Call `find` for random formulas, with their models. Only a backend without `clauses` may
        refuse some of them."""
        rng = random.Random(self.seed)
        accepted = 0
        refused = 0
        for number in range(self.formulas):
            formula = _random_formula(rng, KINDS[number % len(KINDS)], native)
            decisions = set(formula.decisions())
            expected = {row & decisions for row in _rows(formula)}
            try:
                find(formula, expected)
            except InputError as error:
                _require(
                    not self.capabilities.clauses,
                    f"refuses a formula although it accepts clauses: {error}",
                )
                _require(str(error), "refuses a formula without a message")
                refused += 1
            else:
                accepted += bool(expected)
        _require(
            accepted * 9 >= self.formulas,
            f"accepts too few formulas for a test: {accepted}; it refuses {refused}",
        )

    def finds_all_models(self, *native: str) -> None:
        """Find all models as `jigsat.search` does; constraints of other kinds are lowered."""

        def find(formula: Formula, expected: set[frozenset[int]]) -> None:
            models = self.models(formula, native)
            wrong = "wrong models"
            if len(models) != len(expected):
                wrong = f"{len(models)} models instead of {len(expected)}"
            _require(
                models == expected,
                f"finds {wrong} of {list(formula.constraints())} on variables "
                f"{formula.decisions()}",
            )

        self.compare_models(find, *native)

    def models(self, formula: Formula, native: Iterable[str]) -> set[frozenset[int]]:
        decisions = formula.decisions()
        models: set[frozenset[int]] = set()
        lowered = Lowered(formula, native=frozenset(native))
        with self.open_backend(lowered, decisions) as backend:
            for _ in range(2 ** (MAX_RANDOM_VARIABLES + 4)):
                if not backend.solve():
                    _require(not backend.solve(), "finds a model after stating that there is none")
                    return models
                true = backend.model()
                _require(
                    min(true, default=1) > 0,
                    f"names the false variable {-min(true, default=0)} in a model",
                )
                model = frozenset(decisions).intersection(true)
                if not self.capabilities.enumerates:
                    _require(
                        model not in models,
                        "finds a model again after a clause that excludes it was added",
                    )
                    for clause in lowered.lower(
                        Clause(tuple(-x if x in model else x for x in decisions))
                    ):
                        backend.add(clause)
                models.add(model)
                numbers = backend.statistics()
                right = all(
                    isinstance(name, str) and isinstance(number, int)
                    for name, number in numbers.items()
                )
                _require(right, f"statistics() must return integers by name; it returns {numbers}")
        raise AssertionError(
            f"does not stop finding models of a formula with {len(decisions)} variables"
        )

    def counts(self) -> None:
        def find(formula: Formula, expected: set[frozenset[int]]) -> None:
            number = len(expected)
            of = f"of {list(formula.constraints())}"
            if self.spec.count:
                count = self.spec.count(formula)
                _require(count == number, f"counts {count} models instead of {number} {of}")
            if self.spec.rank:
                ranking = self.spec.rank(formula)
                _require(
                    ranking.total == number,
                    f"numbers {ranking.total} models instead of {number} {of}",
                )
                _require(
                    {ranking.model(rank) for rank in range(number)} == expected,
                    f"numbers wrong models {of}",
                )
                true = {x: sum(x in model for model in expected) for x in formula.decisions()}
                _require(
                    ranking.occurrences() == true,
                    f"counts wrong numbers of models with each variable {of}",
                )

        self.compare_models(find)

    def grows(self) -> None:
        """Add constraints after `solve`, in one of two open solvers."""
        with (
            self.open_backend([Clause((1, 2))], [1, 2]) as one,
            self.open_backend([Clause((-1,))], [1, 2]) as other,
        ):
            _require(one.solve() and other.solve(), "finds no model of a single clause")
            one.add(Clause((-1,)))
            _require(
                one.solve() and set(one.model()) == {2},
                "forgets a clause that is added after solve()",
            )
            one.add(Clause((-2,)))
            _require(not one.solve(), "finds a model after the last one was excluded")
            one.add(Clause((3,)))
            _require(not one.solve(), "finds a model again, although clauses were only added")
            _require(other.solve(), "has open solvers that affect each other")

    def takes_seeds(self) -> None:
        """Test that a backend opens with a seed, and finds the only model then."""
        assert self.spec.open_seeded
        for seed in (0, 1, 12345):
            with closing(self.spec.open_seeded(seed)) as backend:
                backend.project([1, 2])
                for clause in (Clause((1, 2)), Clause((-1,))):
                    backend.add(clause)
                model = set(backend.model()) if backend.solve() else None
                _require(model == {2}, f"finds {model} instead of {{2}} with the seed {seed}")

    def starts_over(self) -> None:
        """Test that a backend that enumerates starts over after a constraint was added, if it
        accepts clauses."""
        if not self.capabilities.clauses:
            return
        with self.open_backend([Clause((1, 2))], [1, 2, 3]) as backend:
            before = [frozenset(backend.model()) for _ in range(3) if backend.solve()]
            _require(len(set(before)) == 3, "repeats a model")
            backend.add(Clause((-1,)))
            after = [set(backend.model()) for _ in range(4) if backend.solve()]
            _require(
                sorted(map(sorted, after)) == [[2], [2, 3]],
                f"gives the models {after} after a clause was added",
            )

    def forgets_assumptions(self) -> None:
        """Test assumptions on the formula 'exactly one of 1 and 2', in a form that the backend
        accepts."""
        exactly_one: list[Constraint] = [Xor((1, 2), True)]
        if self.capabilities.clauses:
            exactly_one = [Clause((1, 2)), Clause((-1, -2))]
        elif self.capabilities.cardinality:
            exactly_one = [Cardinality((1, 2), 1, 1)]
        with self.open_backend(exactly_one, [1, 2]) as backend:
            for assumed, expected in (
                ([-1, -2], None),
                ([1], {1}),
                ([2], {2}),
                ([-2], {1}),
                ([1, 2], None),
            ):
                model = set(backend.model()) if backend.solve(assumed) else None
                _require(
                    model == expected, f"finds {model} instead of {expected} with {assumed} assumed"
                )
            _require(backend.solve(), "keeps assumptions beyond their call")

    def assumed_formulas(self) -> Iterator[tuple[Formula, list[frozenset[int]], list[int], str]]:
        """Random formulas, their rows, assumptions on all variables, and words for both."""
        rng = random.Random(self.seed)
        for _ in range(self.formulas):
            formula = _random_formula(rng, "everything")
            assumed = [rng.choice((x, -x)) for x in range(1, formula.top + 1)]
            yield (
                formula,
                _rows(formula),
                assumed,
                f"of {list(formula.constraints())} with {assumed} assumed",
            )

    def propagates(self) -> None:
        with self.open_backend([Clause((-1, 2)), Clause((-2, 3))]) as backend:
            possible, derived = backend.propagate([1])
            _require(
                possible and {2, 3} <= set(derived),
                f"derives {derived} from 1 by the clauses -1 2 and -2 3",
            )
            _require(
                not backend.propagate([1, -3])[0],
                "finds no contradiction of 1 and -3 by the clauses -1 2 and -2 3",
            )
        for formula, rows, assumed, where in self.assumed_formulas():
            with self.open_backend(self.lower_formula(formula)) as backend:
                possible, derived = backend.propagate(assumed[:1])
            left = [row for row in rows if _literal(row, assumed[0])]
            _require(possible or not left, f"propagates to a false contradiction {where}")
            known = [x for x in derived if abs(x) <= formula.top]
            right = all(_literal(row, x) for row in left for x in known)
            _require(right, f"derives {known} from the first {where}, which is wrong")

    def has_cores(self) -> None:
        for formula, rows, assumed, where in self.assumed_formulas():
            with self.open_backend(self.lower_formula(formula)) as backend:
                satisfied = any(all(_literal(row, x) for x in assumed) for row in rows)
                _require(
                    backend.solve(assumed) == satisfied,
                    f"is wrong about the existence of models {where}",
                )
                if not satisfied:
                    core = backend.core()
                    _require(
                        set(core) <= set(assumed),
                        f"has the core {core}, which was not all assumed, {where}",
                    )
                    refuted = not any(all(_literal(row, x) for x in core) for row in rows)
                    _require(refuted, f"has the core {core}, which is satisfiable, {where}")

    def gives_up(self) -> None:
        """Test the limit on a search without models: the 9 dominoes of an odd and an even number up
        to 5 form no chain."""
        formula = Formula()
        turned = [(one, other) for one, other in permutations(range(6), 2) if (one + other) % 2]
        place = formula.variables(
            "place",
            ("cell", "one", "other"),
            [(cell, *pair) for cell in range(9) for pair in turned],
        )
        for cell in range(9):
            formula.exactly_one(place[cell, :, :])
        for one, other in product((1, 3, 5), (0, 2, 4)):
            formula.at_most_one([*place[:, one, other], *place[:, other, one]])
        for cell in range(8):
            number = formula.choice("number", range(6), decision=False, cell=cell)
            for one, other in turned:
                formula.implies(place(cell, one, other), number(other))
                formula.implies(place(cell + 1, one, other), number(one))
        with self.open_backend(self.lower_formula(formula), formula.decisions()) as backend:
            backend.limit(10)
            try:
                backend.solve()
            except Stopped:
                backend.limit(None)
                _require(not backend.solve(), "finds a model that does not exist")
            else:
                raise AssertionError("does not stop at a limit of 10 conflicts")

    def refuses(self) -> None:
        constraints: dict[str, Constraint] = {
            "xor": Xor((1, 2, 3), True),
            "cardinality": Cardinality((1, 2, 3), 2, 2),
            "linear": Linear((1, 2, 3), (3, 2, 2), 0, 4),
        }
        for constraint in (
            constraint
            for kind, constraint in constraints.items()
            if kind not in self.capabilities.native
        ):
            with self.open_backend() as backend:
                try:
                    backend.add(constraint)
                    backend.solve()
                except (InputError, TypeError) as error:
                    _require(
                        str(error), f"refuses a constraint ({constraint.kind}) without a message"
                    )
                else:
                    raise AssertionError(
                        f"accepts {constraint}, which is not among its capabilities; it should "
                        f"raise TypeError"
                    )


def _random_formula(rng: random.Random, kind: str, first: Sequence[str] = ()) -> Formula:
    """A formula with up to `MAX_RANDOM_VARIABLES` variables; the last ones may be auxiliary.

    Among 'everything', the first constraint is of one of the kinds `first`, if there are any.
    """
    formula = Formula()
    number = rng.randint(1, MAX_RANDOM_VARIABLES)
    match kind:
        case "exact cover":
            decisions = number
        case "cells":
            decisions = (number + 1) // 2
        case _:
            decisions = rng.randint(1, number)
    names = [(i,) for i in range(number)]
    formula.variables("decision", ("number",), names[:decisions])
    formula.variables("auxiliary", ("number",), names[decisions:], decision=False)
    match kind:
        case "exact cover":
            _add_items(formula, rng)
        case "cells":
            _add_cells(formula, rng, decisions)
        case "equations":
            _add_constraints(formula, rng, ["xor"], ())
        case _:
            _add_constraints(formula, rng, ["clause", "cardinality", "linear", "xor"], first)
    return formula


def _add_items(formula: Formula, rng: random.Random) -> None:
    """Items of an exact cover; each option covers at least one."""
    options = range(1, formula.top + 1)
    items = []
    for _ in range(rng.randint(1, 3)):
        items.append(rng.sample(options, rng.randint(1, len(options))))
    for option in set(options).difference(*items):
        items.append([option])
    for item in items:
        formula.exactly_one(item)


def _add_cells(formula: Formula, rng: random.Random, decisions: int) -> None:
    """Two cells with one option each; the options determine all auxiliary variables."""
    middle = rng.randint(0, decisions - 1)
    for cell in range(1, middle + 1), range(middle + 1, decisions + 1):
        if cell:
            formula.exactly_one(cell)
    for option in range(1, decisions + 1):
        for auxiliary in range(decisions + 1, formula.top + 1):
            formula.implies(option, rng.choice((auxiliary, -auxiliary)))


def _add_constraints(
    formula: Formula, rng: random.Random, kinds: Sequence[str], first: Sequence[str]
) -> None:
    """Up to three constraints of these kinds; the first of all is of the kinds `first`."""
    for i in range(rng.randint(1, 3)):
        size = rng.randint(1, formula.top)
        literals = [rng.choice((x, -x)) for x in rng.sample(range(1, formula.top + 1), size)]
        is_first = i == 0 and first
        match rng.choice(first if is_first else kinds):
            case "clause":
                formula.clause(literals)
            case "cardinality":
                low = rng.randint(0, len(literals))
                high = rng.choice((low, rng.randint(low, len(literals))))
                formula.between(low, high, literals)
            case "linear":
                low = rng.randint(-5, 5)
                terms = [(x, rng.randint(-3, 3)) for x in literals]
                formula.linear(terms, at_least=low, at_most=low + rng.randint(0, 5))
            case _:
                formula.xor(literals, odd=rng.random() < 0.5)


def _rows(formula: Formula) -> list[frozenset[int]]:
    """The true variables of each satisfying row of the truth table."""
    constraints = list(formula.constraints())
    rows = (
        frozenset(x for x, true in enumerate(row, 1) if true)
        for row in product((False, True), repeat=formula.top)
    )
    return [row for row in rows if all(holds(constraint, row) for constraint in constraints)]


def _literal(true: frozenset[int], literal: int) -> bool:
    return (abs(literal) in true) == (literal > 0)
