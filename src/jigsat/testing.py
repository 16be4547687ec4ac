"""Tests for authors of families and backends. They raise AssertionError and name the instance or
backend and its fault."""

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jigsat.answering.enumeration import Enumeration
from jigsat.answering.ways import try_counting_first
from jigsat.backends import AUTO, DEFAULT, Spec, find, open_backend
from jigsat.confirmation import confirm
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Xor, as_sum
from jigsat.generation.grids import GridGenerator, has_blank
from jigsat.instance import families, family, instance_text, instances, load, load_all, read_data
from jigsat.kit import GridPuzzle
from jigsat.proofs.check_count import is_group
from jigsat.proofs.drat import verify
from jigsat.puzzle import MODULES, Puzzle, optional_modules
from jigsat.symmetry import DECLARED_LEVELS, Level, Placement, Symmetry, add_levels

TESTED_SOLUTIONS = 3  # number of solutions that are corrupted, mapped by the symmetries and drawn
CORRUPTIONS_PER_KIND = 12  # number of corruptions of each kind per solution
CHECKED_SYMMETRIES = 60  # number of symmetries under which a solution is checked
BROKEN_CONSTRAINTS = 4  # number of constraints of each rule that are broken, one after the other
MAX_BROKEN = 30_000  # size of a formula above which no rule is broken
MAX_CONFLICTS = 2_000  # of the search for an answer that breaks one constraint
FORMULAS_PER_TEST = 90  # number of random formulas of each test
# seconds after which a backend hangs; those that start a program for each call need half a minute
HANGING_AFTER_S = 600.0


def check_family(
    *subjects: type[Puzzle] | Puzzle | str | Path,
    backend: str = AUTO,
    limit: int = 1000,
    seed: int = 0,
) -> None:
    """Test a family on instances: puzzles, names or files of instances, or the family itself for
    all of its own instances.

    Raises AssertionError unless, for each instance,

    - the family is registered or installed, and `encode` gives the same formula each time;
    - `check` accepts every solution found, in any order, and at least one of the instances has a
      solution;
    - `check` and `encode` agree on corrupted solutions, with a placement removed, added, replaced
      or repeated, or with two cells exchanged: `check` must refuse whatever the formula excludes,
      and vice versa;
    - `check` refuses answers that break one rule and meet all others; they are found by a solver,
      for some constraints of each rule;
    - the declared symmetries are permutations of the placements, form a group, and map solutions to
      solutions;
    - every solution has a placement of each clue; without its clues, the puzzle has the same
      placements, and with its clues
      added again the same solutions; a puzzle with other clues has these clues and no others;
    - `reasons` gives no reason if there is a solution;
    - what `blank` of a family of the kit returns is a puzzle;
    - the instance does not change when it is written to a file and read again;
    - text pictures are not empty, SVG pictures are well-formed XML, and a marked placement changes
      both;
    - the facts under `[known]` are true. Solutions are listed if at most `limit` are known.

    `backend` is the solver to use; a different `seed` gives different corruptions.

    >>> from jigsat.testing import check_family
    >>> check_family("cube", "push-pull")
    """
    try:
        puzzles = [puzzle for subject in subjects for puzzle in _puzzles(subject)]
    except InputError as error:
        raise AssertionError(str(error)) from error
    assert puzzles, "name at least one instance"
    solved = [_check(puzzle, backend, limit, random.Random(seed)) for puzzle in puzzles]
    assert any(solved), (
        f"none of {', '.join(puzzle.name for puzzle in puzzles)} has a solution; add an instance "
        f"that has one"
    )


def _puzzles(subject: type[Puzzle] | Puzzle | str | Path) -> list[Puzzle]:
    if isinstance(subject, Puzzle):
        return [subject]
    if not isinstance(subject, type):
        return load_all(subject)
    own = [path for path in instances() if read_data(path).get("family") == subject.family]
    assert own, (
        f"{subject.__name__} has no instances of its own; set its class variable `instances`, or "
        f"name instances"
    )
    return [puzzle for path in own for puzzle in load_all(path)]


def _check(puzzle: Puzzle, backend: str, limit: int, rng: random.Random) -> bool:
    """Test one instance; returns whether it has a solution."""
    name = puzzle.name or puzzle.family
    tested = _Instance(puzzle, name, backend, rng)
    for aspect in (
        tested.is_known,
        tested.is_encoded,
        tested.rules_are_named,
        tested.symmetries_are_groups,
        tested.is_solved,
        tested.corruptions_are_caught,
        tested.broken_rules_are_caught,
        tested.symmetries_map_solutions,
        tested.clues_hold,
        tested.blank_is_read,
        tested.survives_a_file,
        tested.is_drawn,
        partial(tested.known_counts_hold, limit),
    ):
        try:
            aspect()
        except AssertionError:
            raise
        except (CheckError, InputError) as error:
            raise AssertionError(f"{name}: {str(error).removeprefix(f'{name}: ')}") from error
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    return bool(tested.solutions)


class _Instance:
    """An instance under test; each method tests one aspect and may rely on the methods before
    it."""

    def __init__(self, puzzle: Puzzle, name: str, backend: str, rng: random.Random) -> None:
        self.puzzle, self.name, self.backend, self.rng = puzzle, name, backend, rng
        self.formula = Formula()
        self.candidates: list[Placement] = []
        self.solutions: list[tuple[Placement, ...]] = []
        self.symmetries: list[Symmetry] = []

    def holds(self, truth: object, message: str) -> None:
        if not truth:
            raise AssertionError(f"{self.name}: {message}")

    def first_complaint(self, placements: Iterable[Placement]) -> str:
        """The first complaint of `check`, or '' if it accepts the placements."""
        return next(iter(self.puzzle.check(tuple(placements))), "")

    def is_known(self) -> None:
        kind = type(self.puzzle)
        name = self.puzzle.family
        self.holds(
            name in families() and family(name) is kind,
            f"jigsat does not know the family {name!r} as {kind.__module__}.{kind.__qualname__}; "
            "use @jigsat.register, or install a package that declares it as an entry point",
        )
        for spec in optional_modules(kind):
            module = import_module(spec.name)
            names = MODULES[spec.name.rpartition(".")[2]].values()
            wanted = " or ".join(names)
            self.holds(
                any(hasattr(module, name) for name in names),
                f"{spec.name} must define {wanted}; rename it otherwise",
            )

    def is_encoded(self) -> None:
        self.formula = self.puzzle.encode()
        again = self.puzzle.encode()
        same = list(self.formula.constraints()) == list(again.constraints())
        self.candidates = [self.formula.key(variable) for variable in self.formula.decisions()]
        same = same and self.candidates == [again.key(variable) for variable in again.decisions()]
        self.holds(
            same,
            "encode() returns a different formula each time; use a fixed order, such as that of "
            "the file",
        )
        distinct = len(set(self.candidates)) == len(self.candidates)
        self.holds(distinct, "two decision variables of different names have the same key")

    def rules_are_named(self) -> None:
        for name in self.formula.list_rules():
            self.holds(
                name.strip() and name.isprintable(), f"the rule {name!r} needs a name on one line"
            )

    def is_solved(self) -> None:
        search: Enumeration[Any] = Enumeration(
            self.puzzle, backend=self.backend, up_to=Level.NOTHING, limit=TESTED_SOLUTIONS
        )
        self.solutions = [solution.placements for solution in search]
        for solution in self.solutions:
            shuffled = self.rng.sample(solution, len(solution))
            complaint = self.first_complaint(shuffled)
            self.holds(
                not complaint,
                f"check() refuses a solution in another order: {complaint}",
            )
        reasons = list(self.puzzle.reasons())
        self.holds(
            not (self.solutions and reasons),
            f"there is a solution, but reasons() yields {reasons[:1]}",
        )

    def corruptions_are_caught(self) -> None:
        with closing(_Encoding(self.formula)) as encoding:
            for solution in self.solutions:
                for corruption, placements in self.corruptions(solution):
                    complaint = self.first_complaint(placements)
                    twice = len(set(placements)) < len(placements)
                    if twice or not encoding.allows(placements):
                        self.holds(
                            complaint,
                            f"check() accepts what encode() forbids: a solution {corruption}",
                        )
                    else:
                        self.holds(
                            not complaint,
                            f"check() refuses what encode() allows: a solution {corruption}: "
                            f"{complaint}",
                        )

    def broken_rules_are_caught(self) -> None:
        """Corrupted solutions often break a rule that is easy to check, such as 'one loop'. So
        answers are looked for that break a single rule."""
        if self.formula.size > MAX_BROKEN:
            return
        with closing(_Encoding(self.formula)) as encoding:
            rules = [rule for rule in self.formula.groups if rule not in self.formula.redundant]
            for rule in rules:
                for placements in self.break_rule(rule):
                    # The rule may only define auxiliary variables, and the answer be a solution.
                    if not encoding.allows(placements):
                        self.holds(
                            self.first_complaint(placements),
                            f"check() accepts an answer that breaks the rule {rule!r}: "
                            f"{', '.join(map(str, placements))}",
                        )

    def break_rule(self, rule: str) -> Iterator[list[Placement]]:
        """Answers that break constraints of a rule and meet all other rules."""
        others = self.formula.extended()
        others.requirements = {}
        for name in {rule, *others.redundant}:
            del others.groups[name]
        constraints = list(self.formula.groups[rule].constraints)
        some = self.rng.sample(constraints, min(BROKEN_CONSTRAINTS, len(constraints)))
        ways = others.variables("broken", {"way": range(2 * len(some))}, decision=False)
        unused = iter(ways[:])
        broken = [literal for one in some for literal in _break(others, one, unused)]
        with closing(_Encoding(others, MAX_CONFLICTS)) as encoding:
            for literal in broken:
                with suppress(Stopped):
                    yield from encoding.some(1, [literal])
            if not broken:
                with suppress(Stopped):
                    yield from encoding.some(CORRUPTIONS_PER_KIND)

    def corruptions(self, solution: Sequence[Placement]) -> Iterator[tuple[str, list[Placement]]]:
        """Changed solutions, most of them wrong, each with a description of the change."""
        others = [candidate for candidate in self.candidates if candidate not in set(solution)]
        for placement in self.rng.sample(solution, min(CORRUPTIONS_PER_KIND, len(solution))):
            rest = [other for other in solution if other != placement]
            yield f"without {placement}", rest
            yield f"with {placement} twice", [*solution, placement]
            some = self.rng.sample(others, min(100, len(others)))
            alike = sorted(
                some, key=lambda other: -sum(a == b for a, b in zip(placement, other, strict=False))
            )
            for other in [*alike[:1], *alike[-1:]]:
                yield f"with {other} instead of {placement}", [*rest, other]
            yield from self.exchanges(solution, placement)
        for other in self.rng.sample(others, min(CORRUPTIONS_PER_KIND, len(others))):
            yield f"with {other} added", [*solution, other]

    def exchanges(
        self, solution: Sequence[Placement], one: Placement
    ) -> Iterator[tuple[str, list[Placement]]]:
        """A solution in which one placement and another have exchanged their cells."""
        if not (field := self.puzzle.cell_field):
            return
        other = self.rng.choice(solution)
        moved = [
            one._replace(**{field: getattr(other, field)}),
            other._replace(**{field: getattr(one, field)}),
        ]
        if one != other and set(self.candidates).issuperset(moved):
            yield (
                f"with {one} and {other} exchanged",
                [*(placement for placement in solution if placement not in (one, other)), *moved],
            )

    def symmetries_are_groups(self) -> None:
        self.symmetries = list(self.puzzle.symmetries())
        variables = {candidate: number for number, candidate in enumerate(self.candidates)}
        levels: dict[tuple[int, ...], Level] = {}
        for number, symmetry in enumerate(self.symmetries):
            what = f"symmetry {number} ({symmetry.level})"
            self.holds(
                symmetry.level in DECLARED_LEVELS[1:],
                f"{what}: the level must be one of {', '.join(DECLARED_LEVELS[1:])}",
            )
            one_to_one = symmetry.images.keys() == variables.keys() == set(symmetry.images.values())
            self.holds(
                one_to_one,
                f"{what} is not a permutation of the placements that are decision variables",
            )
            images = tuple(variables[symmetry.images[candidate]] for candidate in self.candidates)
            level = Level(symmetry.level)
            levels[images] = min(level, levels.get(images, level))
        for level in DECLARED_LEVELS[1:]:
            elements = {images for images, first in levels.items() if first <= level}
            place = {number: number for number in variables.values()}
            words = (
                f"the symmetries up to {level.in_words} are not a group: the product of two of "
                f"them is missing"
            )
            self.holds(is_group(elements | {tuple(place)}, place), words)

    def symmetries_map_solutions(self) -> None:
        for symmetry in self.rng.sample(
            self.symmetries, min(CHECKED_SYMMETRIES, len(self.symmetries))
        ):
            for solution in self.solutions:
                complaint = self.first_complaint(map(symmetry.images.__getitem__, solution))
                self.holds(
                    not complaint,
                    f"a symmetry ({symmetry.level}) does not map a solution to a solution: "
                    f"{complaint}",
                )

    def clues_hold(self) -> None:
        clues = self.puzzle.clues()
        for where, placements in clues.items():
            for solution in self.solutions:
                self.holds(
                    placements & set(solution), f"no placement of the clue {where} is in a solution"
                )
        self.states_clues(self.puzzle, clues, "without_clues()")
        if type(self.puzzle).with_clues is not Puzzle.with_clues and self.solutions:
            sample = self.rng.sample(
                self.solutions[0], min(CORRUPTIONS_PER_KIND, len(self.solutions[0]))
            )
            changed = self.puzzle.with_clues(sample)
            self.states_clues(
                changed,
                {str(placement): frozenset([placement]) for placement in sample},
                "with_clues()",
            )

    def states_clues(
        self, puzzle: Puzzle, clues: Mapping[str, frozenset[Placement]], method: str
    ) -> None:
        """The puzzle has the solutions of the puzzle without clues in which there is a placement of
        each of these clues."""
        formula, expected = puzzle.encode(), self.puzzle.without_clues().encode()
        variables = expected.decisions_by_key()
        same = {formula.key(variable) for variable in formula.decisions()} == variables.keys()
        self.holds(same, f"{method} changes the decision variables")
        for where, placements in clues.items():
            known = placements & variables.keys()
            exist = known == placements or not self.solutions
            self.holds(exist, f"the clue {where} has a placement that is no decision variable")
            expected.clause([variables[placement] for placement in known])
        for one, other in ((formula, expected), (expected, formula)):
            with closing(_Encoding(one)) as listed, closing(_Encoding(other)) as encoding:
                for solution in listed.some():
                    self.holds(
                        encoding.allows(solution), f"{method} changes more or less than the clues"
                    )

    def blank_is_read(self) -> None:
        kind = type(self.puzzle)
        if issubclass(kind, GridPuzzle) and has_blank(kind):
            GridGenerator(kind, *kind.sizes[0]).read_blank(self.rng)

    def survives_a_file(self) -> None:
        text = instance_text(self.puzzle)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "again.toml"
            path.write_text(text, encoding="utf-8")
            again = load(path)
        for entry in type(self.puzzle).model_fields.keys() - {"name"}:
            same = getattr(again, entry) == getattr(self.puzzle, entry)
            self.holds(
                same,
                f"the entry {entry!r} changes when the instance is written to a file and read "
                f"again",
            )
        self.holds(
            again.digest() == self.puzzle.digest(),
            "the digest changes when it is written to a file and read again",
        )
        self.holds(
            type(self.puzzle).from_text(text) is None,
            "from_text() mistakes a TOML file for its own text format",
        )

    def is_drawn(self) -> None:
        for part in self.puzzle.parts():
            self.is_svg(part.svg, "one of parts()")
        for solution in self.solutions:
            plain, marked = (self.puzzle.text(solution, marks) for marks in ((), solution[:1]))
            for text in (plain, marked):
                self.holds(text.strip() or not solution, "text() is empty")
                self.holds(
                    all(map(str.isprintable, text.splitlines())),
                    "text() has unprintable characters",
                )
            pictures = [self.puzzle.svg(solution, marks) for marks in ((), solution[:1])]
            for picture in pictures:
                self.is_svg(picture, "svg()")
            if solution:
                self.holds(plain != marked, "text() is the same with and without a mark")
                self.holds(pictures[0] != pictures[1], "svg() is the same with and without a mark")

    def is_svg(self, picture: str, what: str) -> None:
        try:
            root = ElementTree.fromstring(picture)
        except ElementTree.ParseError as error:
            raise AssertionError(f"{self.name}: {what} is not well-formed XML: {error}") from error
        self.holds(root.tag.rpartition("}")[2] == "svg", f"{what} is not an SVG document")

    def known_counts_hold(self, limit: int) -> None:
        known = self.puzzle.known
        if known.minimum is not None:
            least: Enumeration[Any] = Enumeration(
                self.puzzle, backend=DEFAULT, up_to=Level.NOTHING, minimize=True, limit=1
            )
            list(least)
            self.same(known.minimum, least.result.minimum, "minimum")
        result = try_counting_first(self.puzzle)
        if result is None and known.solutions is not None and known.solutions <= limit:
            enumeration: Enumeration[Any] = Enumeration(
                self.puzzle, backend=self.backend, up_to=Level.ALL, limit=limit + 1
            )
            list(enumeration)
            result = enumeration.result
        if result is None:
            return
        if known.solutions is not None:
            self.same(known.solutions, result.solutions, "solutions")
        counts = add_levels(result.solutions, result.distinct)
        for level, number in known.distinct().items():
            self.same(number, counts[level], level)

    def same(self, known: int, number: int | None, entry: str) -> None:
        self.holds(
            known == number,
            f"known.{entry} is {known:,}, but {number if number is None else format(number, ',')} "
            f"found",
        )


class _Encoding:
    """Decides with a solver whether the formula allows exactly these placements. With a limit on
    the conflicts of a call, each method may raise Stopped."""

    def __init__(self, formula: Formula, conflicts: int | None = None) -> None:
        self._variables = formula.decisions_by_key()
        self._solver = open_backend(DEFAULT)
        self._solver.load(formula)
        if conflicts is not None:
            self._solver.limit(conflicts)

    def allows(self, placements: Iterable[Placement]) -> bool:
        true = {self._variables[placement] for placement in placements}
        return self._solver.solve([x if x in true else -x for x in self._variables.values()])

    def some(
        self, most: int = CORRUPTIONS_PER_KIND, assumptions: Sequence[int] = ()
    ) -> Iterator[list[Placement]]:
        """At most this number of sets of placements that the formula allows under the assumptions;
        afterwards it allows them no more."""
        for _ in range(most):
            if not self._solver.solve(assumptions):
                return
            true = set(self._solver.model())
            yield [placement for placement, x in self._variables.items() if x in true]
            self._solver.add(
                Clause(tuple(-x if x in true else x for x in self._variables.values()))
            )

    def close(self) -> None:
        self._solver.close()


def _break(formula: Formula, constraint: Constraint, unused: Iterator[int]) -> list[int]:
    """Some of the unused variables, of which each now says that this constraint is broken: its sum
    is too small or too large, or its parity is the other one. None for a constraint on a graph."""
    match constraint:
        case Clause() | Cardinality() | Linear():
            literals, weights, least, most = as_sum(constraint)
            terms = list(zip(literals, weights, strict=True))
            total = sum(weights)
            broken = []
            if least > 0:
                too_small = next(unused)
                formula.linear([*terms, (too_small, total)], at_most=total + least - 1)
                broken.append(too_small)
            if most < total:
                too_large = next(unused)
                formula.linear([*terms, (-too_large, most + 1)], at_least=most + 1)
                broken.append(too_large)
            return broken
        case Xor(variables, odd):
            other_parity = next(unused)
            formula.xor([*variables, other_parity], odd=odd)
            return [other_parity]
    return []


def check_backend(backend: str | Spec, *, seed: int = 0) -> None:
    """Test a backend, given by its name or specification, on small formulas whose truth tables are
    known.

    This is the test by which `jigsat backends` confirms capabilities, with more formulas, and
    proofs.

    Raises AssertionError unless

    - it can be opened, unless it only counts, and neither crashes nor hangs;
    - it finds exactly the models of random formulas, with every kind of constraint that it accepts;
      a backend without the
      capability `clauses` may refuse formulas by raising InputError, but not all of them;
    - constraints that are added after `solve` hold, and an unsatisfiable formula remains
      unsatisfiable;
    - assumptions hold for a single call, `limit` holds, and the results of `propagate` and `core`
      are correct;
    - it refuses unsupported constraints with a message and does not ignore them;
    - `statistics` returns integers by name, and two open solvers do not affect each other;
    - `count`, `rank` and `refute`, if the specification has them, are correct; proofs are verified.

    A different `seed` gives different formulas.

    >>> from jigsat.testing import check_backend
    >>> check_backend("minisat22")
    """
    spec = find(backend) if isinstance(backend, str) else backend
    faults = confirm(spec, formulas=FORMULAS_PER_TEST, seed=seed, patience=HANGING_AFTER_S).faults
    if faults:
        raise AssertionError(f"{spec.name}: {faults[0]}")
    if spec.refute:
        _check_proofs(spec.name, spec.refute)


def _check_proofs(name: str, refute: Callable[[Iterable[Sequence[int]]], list[str] | None]) -> None:
    if refute([[1, 2], [-1, 2]]) is not None:
        raise AssertionError(f"{name}: refute() must return None for clauses that have a model")
    square = [[a, b, c] for a, b, c in product((1, -1), (2, -2), (3, -3))]
    lines = refute(square)
    if lines is None:
        raise AssertionError(f"{name}: refute() returns no proof for clauses that have no model")
    with tempfile.TemporaryDirectory() as folder:
        cnf, proof = Path(folder) / "refuted.cnf", Path(folder) / "refuted.drat"
        cnf.write_text("p cnf 3 8\n" + "".join(f"{a} {b} {c} 0\n" for a, b, c in square))
        proof.write_text("\n".join(lines) + "\n")
        try:
            verify(cnf, proof)
        except CheckError as error:
            raise AssertionError(f"{name}: refute() returns a wrong proof: {error}") from error
