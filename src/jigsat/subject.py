"""What can be enumerated: the solutions of a puzzle or the models of a formula. Also how solutions
differ, and the form as JSON from which another process or machine makes the same formula.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from jigsat import instance
from jigsat.backends import DEFAULT, Backend, open_search
from jigsat.errors import CheckError, FamilyError, InputError
from jigsat.formula import (
    Acyclic,
    Assignment,
    Cardinality,
    Clause,
    Connected,
    Constraint,
    Formula,
    Linear,
    Regions,
    SingleLoop,
    Xor,
    holds,
    vector,
)
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.untrusted import canonical
from jigsat.symmetry import (
    DECLARED_LEVELS,
    Group,
    Level,
    Model,
    Permutation,
    Placement,
    generate_group,
    generators,
    preserves,
)

Instance: TypeAlias = str | Path | Mapping[str, Any] | Puzzle
"""A puzzle: the name of an instance, the path of a file, the text of one, its data, or the puzzle
itself. Where a formula is accepted, too, the path may be that of a DIMACS, WCNF or OPB file."""

Symmetries: TypeAlias = Group | Iterable[Mapping[int, int]]
"""A group of permutations of a formula's decision variables, or permutations that generate one."""

# a solution in the form that is sent between processes and written to a store
Stated: TypeAlias = tuple[Any, ...]
S = TypeVar("S")

# only this many solutions are compared with earlier ones, because the work grows quadratically
MAX_COMPARED_SOLUTIONS = 50

MAX_CHECKED_IMAGES = 1000
"""The number of images of solutions that are checked one by one. After that, the symmetries are
verified on the formula."""


class Source(NamedTuple):
    """The place in a file from which a solution was read, and what to do if it is wrong."""

    place: str
    remedy: str

    def error(self, what: str) -> InputError:
        """The error for a solution that is wrong."""
        return InputError(f"{self.place}: {what}; {self.remedy}")


class Subject(ABC, Generic[S]):
    """A puzzle or formula whose solutions are enumerated."""

    name: str
    breakable = True
    """Whether the symmetries are known to be correct before the search, so that they can be
    broken."""

    can_be_sent = False
    """Whether another process can encode it from JSON, so that parts of the search can be done
    there."""

    symmetric = False
    """Whether the symmetries preserve the formula, so that the images of a solution are
    solutions."""

    no_objective = "nothing is minimised; call `minimize` on the formula first"
    """The error message if there is nothing to minimise."""

    @property
    def maximizes(self) -> bool:
        """Whether the objective is the opposite of a sum to maximise."""
        return False

    @abstractmethod
    def encode(self) -> Formula:
        """A formula to which constraints can be added."""

    @abstractmethod
    def group(self, formula: Formula) -> Group:
        """The symmetries."""

    @abstractmethod
    def digest(self) -> str:
        """A hash of the puzzle or formula."""

    @abstractmethod
    def check_orbit(
        self,
        formula: Formula,
        orbit: Iterable[Sequence[int]],
        by: str,
        origin: Source | None = None,
    ) -> Stated:
        """The first of some members of an orbit. If one is no solution, raises CheckError, or
        InputError if it is from a file.

        The others are checked as well unless the symmetries are known to map solutions to
        solutions. `by` names the backend.
        """

    @abstractmethod
    def solution(self, stated: Stated, relation: str) -> S:
        """The object that the user gets."""

    @abstractmethod
    def variables(self, formula: Formula) -> dict[str, int]:
        """The decision variables by their representation in a store."""

    def find_reason(self) -> str:
        """A simple proof that there is no solution, in words; '' if there is none."""
        return ""


class Relation(NamedTuple):
    """A solution is solution number `earlier` after a symmetry of this `level` and then this
    `change`."""

    earlier: int
    level: Level
    change: str

    def __str__(self) -> str:
        moved = {
            "nothing": "",
            "rotation": "turned",
            "reflection": "mirrored",
            "all": "with labels exchanged",
        }[self.level]
        turned = " ".join(filter(None, [f"solution {self.earlier}", moved]))
        if not self.change:
            return turned
        comma = "," if moved else ""
        return f"{turned}{comma} with {self.change}"


def nearest(
    puzzle: Puzzle, formula: Formula, group: Group, earlier: Sequence[Model], model: Model
) -> Relation | None:
    """How a solution differs from the most similar earlier one; None for the first solution.

    The differences are the placements that differ after the best symmetry; ties are broken by the
    lowest level. A symmetry of the earlier solution and its inverse on the later one leave equally
    many differences, so only the latter are computed.
    """
    if not earlier:
        return None
    images: dict[int, tuple[Level, Permutation]] = {}
    for level in (Level.NOTHING, *group.orders):
        for permutation in group.levels[level]:
            images.setdefault(vector(map(permutation.__getitem__, model)), (level, permutation))
    others = list(enumerate(map(vector, earlier), 1))
    _, level, number, image = min(
        ((image ^ other).bit_count(), level, number, image)
        for image, (level, _) in images.items()
        for number, other in others
    )
    inverse = images[image][1]
    moved = (variable for variable, at in inverse.items() if at in earlier[number - 1])
    before, after = (
        [formula.key(variable) for variable in sorted(side)] for side in (moved, model)
    )
    return Relation(number, level, change(before, after, puzzle))


def change(before: Sequence[Placement], after: Sequence[Placement], puzzle: Puzzle) -> str:
    """The difference in words; '' if there is none."""
    gone, come = set(before) - set(after), set(after) - set(before)
    return puzzle.describe_change(gone, come) if gone or come else ""


class Earlier:
    """The first solutions of a search, with which later ones are compared."""

    def __init__(self, subject: Subject[Any], formula: Formula, group: Group) -> None:
        self._subject, self._formula, self._group = subject, formula, group
        self._models: list[Model] = []

    def relation(self, model: Model) -> str:
        """How a solution of a puzzle differs from an earlier one, in words; '' if there are many
        earlier ones."""
        if (
            not isinstance(self._subject, PuzzleSubject)
            or len(self._models) >= MAX_COMPARED_SOLUTIONS
        ):
            return ""
        relation = nearest(self._subject.puzzle, self._formula, self._group, self._models, model)
        self._models.append(model)
        return str(relation or "")


class PuzzleSubject(Subject[Solution]):
    """A puzzle; solutions are verified by its own check."""

    can_be_sent = True

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.name = puzzle, puzzle.name
        self.no_objective = f"the family {puzzle.family!r} has nothing to minimise"
        self._images = 0

    @cached_property
    def _formula(self) -> Formula:
        return self.puzzle.encode()

    def encode(self) -> Formula:
        return self._formula.extended()

    @cached_property
    def _group(self) -> Group:
        return Group.of(self._formula, self.puzzle.symmetries())

    def group(self, formula: Formula) -> Group:
        return self._group

    def digest(self) -> str:
        return self.puzzle.digest()

    def check_orbit(
        self,
        formula: Formula,
        orbit: Iterable[Sequence[int]],
        by: str,
        origin: Source | None = None,
    ) -> Stated:
        first, *images = orbit
        if self._images < MAX_CHECKED_IMAGES or not self.symmetric:
            for image in images:
                check_model(self.puzzle, formula, image, by, origin)
            self._images += len(images)
        return check_model(self.puzzle, formula, first, by, origin)

    @cached_property
    def symmetric(self) -> bool:  # type: ignore[override]
        return preserves(self._formula, *generators(self._group.levels[Level.ALL]))

    def solution(self, stated: Stated, relation: str) -> Solution:
        return Solution(self.puzzle, stated, relation)

    def variables(self, formula: Formula) -> dict[str, int]:
        return {canonical(formula.key(variable)): variable for variable in formula.decisions()}

    def find_reason(self) -> str:
        try:
            return next((reason.words for reason in self.puzzle.reasons()), "")
        except FamilyError:  # the search finds out whether there is a solution
            return ""


def lines_digest(lines: Iterable[object]) -> str:
    """A hash of lines of text."""
    digest = hashlib.sha256()
    for number, line in enumerate(lines):
        digest.update(f"\n{line}".encode() if number else f"{line}".encode())
    return digest.hexdigest()


def formula_digest(formula: Formula) -> str:
    """A hash of the variables, the constraints and the objective."""
    names = map(formula.name, range(1, formula.top + 1))
    return lines_digest(chain(names, formula.constraints(), [dict(formula.objective)]))


class FormulaSubject(Subject[Assignment]):
    """A formula without a puzzle. Models are checked by evaluating the constraints on decision
    variables."""

    file: Path | None = None
    """The file that has this formula, if it was read from one."""

    def __init__(
        self,
        formula: Formula,
        symmetries: Symmetries = (),
        name: str = "formula",
        no_objective: str = "",
    ) -> None:
        if isinstance(symmetries, Mapping) or not isinstance(symmetries, Group | Iterable):
            raise TypeError("`group` is a list of permutations: write group=[{…}]")
        self.formula, self.name = formula, name
        if no_objective:
            self.no_objective = no_objective
        symmetries = symmetries if isinstance(symmetries, Group) else list(symmetries)
        self._group = (
            symmetries if isinstance(symmetries, Group) else generate_group(formula, symmetries)
        )
        self._generators = (
            symmetries.levels[Level.ALL] if isinstance(symmetries, Group) else symmetries
        )

    @property
    def can_be_sent(self) -> bool:  # type: ignore[override]
        return not self._group.orders

    @cached_property
    def breakable(self) -> bool:  # type: ignore[override]
        identity = {variable: variable for variable in self.formula.decisions()}
        return preserves(self.formula, *({**identity, **images} for images in self._generators))

    @property
    def maximizes(self) -> bool:
        return self.formula.maximizes

    def encode(self) -> Formula:
        return self.formula.extended()

    def group(self, formula: Formula) -> Group:
        return self._group

    def digest(self) -> str:
        whole = hashlib.sha256(formula_digest(self.formula).encode())
        for level in DECLARED_LEVELS:
            whole.update(
                str(sorted(sorted(images.items()) for images in self._group.levels[level])).encode()
            )
        return whole.hexdigest()

    def check_orbit(
        self,
        formula: Formula,
        orbit: Iterable[Sequence[int]],
        by: str,
        origin: Source | None = None,
    ) -> Stated:
        first, *_ = orbit
        every = (
            {frozenset(first)} if self.breakable else self._group.orbit(frozenset(first), Level.ALL)
        )
        right = list(map(self._is_model, every))
        if not any(right):
            if origin:
                raise InputError(f"{origin.place}: not a model of the formula; {origin.remedy}")
            raise CheckError(
                f"{by} gave an assignment that breaks a constraint of the formula. This is a bug"
            )
        if not all(right):
            raise InputError(
                f"{self.name}: `group` has a permutation that is not a symmetry: it maps a model "
                f"to a non-model"
            )
        return tuple(first)

    def _is_model(self, true: Collection[int]) -> bool:
        true = frozenset(true)
        if not all(holds(constraint, true) for constraint in self._plain):
            return False
        decisions = self.formula.decisions()
        # otherwise values of the auxiliary variables must exist that make it a model
        return len(decisions) == self.formula.top or self._solver.solve(
            [x if x in true else -x for x in decisions]
        )

    @cached_property
    def _plain(self) -> list[Constraint]:
        """The constraints on decision variables alone."""
        decisions = frozenset(self.formula.decisions())
        return [
            constraint
            for constraint in self.formula.constraints()
            if decisions.issuperset(map(abs, constraint[0]))
        ]

    @cached_property
    def _solver(self) -> Backend:
        solver = open_search(DEFAULT, self.formula)
        solver.load(self.formula)
        return solver

    def solution(self, stated: Stated, relation: str) -> Assignment:
        return Assignment(self.formula, frozenset(stated))

    def variables(self, formula: Formula) -> dict[str, int]:
        return {canonical(variable): variable for variable in formula.decisions()}


class EncodedSubject(FormulaSubject):
    """The formula of a puzzle, with the puzzle's symmetries and its check."""

    breakable = True
    can_be_sent = False

    def __init__(self, puzzle: Puzzle) -> None:
        formula = puzzle.encode()
        super().__init__(formula, Group.of(formula, puzzle.symmetries()), puzzle.name)
        self.puzzle = puzzle

    def check_orbit(
        self,
        formula: Formula,
        orbit: Iterable[Sequence[int]],
        by: str,
        origin: Source | None = None,
    ) -> Stated:
        members = list(map(tuple, orbit))
        for member in members:
            check_model(self.puzzle, formula, member, by, origin)
        return members[0]


Problem: TypeAlias = Instance | Formula | Subject[Any]


def subject_of(problem: Problem, symmetries: Symmetries = ()) -> Subject[Any]:
    """The subject for a puzzle or formula. Raises InputError for a wrong instance, TypeError for
    anything else."""
    if isinstance(problem, Subject):
        return problem
    if isinstance(problem, Formula):
        return FormulaSubject(problem, symmetries)
    if isinstance(problem, str | Path) and (formula := read_formula_file(problem, symmetries)):
        return formula
    if symmetries:
        raise ValueError("`group` is for a formula; a puzzle has its own symmetries")
    return PuzzleSubject(instance.load(problem))


def read_formula_file(name: str | Path, symmetries: Symmetries = ()) -> FormulaSubject | None:
    """The formula in a DIMACS, WCNF or OPB file; None if the name has another suffix. Raises
    InputError with the line."""
    path = Path(name)
    if not path.suffix:  # the name of an instance, which needs no reader of formulas
        return None
    from jigsat.formats.formulas import is_formula, read_with_objective

    if not is_formula(path):
        return None
    formula, no_objective = read_with_objective(path)
    subject = FormulaSubject(formula, symmetries, path.name, no_objective)
    subject.file = path
    return subject


def check_model(
    puzzle: Puzzle,
    formula: Formula,
    model: Iterable[int],
    backend: str,
    origin: Source | None = None,
) -> tuple[Placement, ...]:
    """The placements of a model. If they are not a solution, raises CheckError, or InputError if
    they are from a file."""
    placements = tuple(map(formula.key, model))
    for broken in puzzle.check(placements):
        if origin:
            raise InputError(f"{origin.place}: not a solution: {broken}; {origin.remedy}")
        raise CheckError(
            f"{backend} and the encoding of {puzzle.name} gave an assignment that is not a "
            f"solution: {broken}. This is a bug in the solver, in {puzzle.stated_in}"
        )
    return placements


MAX_VARIABLES = 5_000_000  # maximum number of variables of a formula that is restored


class DescribedPuzzle(BaseModel, extra="forbid"):
    """A puzzle: the entries of its file, and its name."""

    puzzle: dict[str, Any]
    name: str


class DescribedFormula(BaseModel, extra="forbid"):
    """A formula without symmetries."""

    top: Annotated[int, Field(ge=0, le=MAX_VARIABLES)]
    decisions: list[int]
    constraints: list[
        tuple[Literal["clause"], list[int]]
        | tuple[Literal["cardinality"], list[int], int, int]
        | tuple[Literal["xor"], list[int], bool]
        | tuple[Literal["linear"], list[int], list[int], int, int]
        | tuple[Literal["connected"], list[int], list[tuple[int, int]], int | None]
        | tuple[Literal["single-loop", "acyclic"], list[int], list[tuple[int, int]]]
        | tuple[Literal["regions"], list[int], list[int], list[int], list[tuple[int, int]]]
    ]
    name: str


Described: TypeAlias = DescribedPuzzle | DescribedFormula


def describe_entries(puzzle: Puzzle) -> dict[str, Any]:
    """The entries of a puzzle's file as data for JSON, without what is known about its
    solutions."""
    return {
        "family": puzzle.family,
        **puzzle.model_dump(mode="json", exclude_defaults=True, exclude={"known"}),
    }


def describe_subject(subject: Subject[Any]) -> Described:
    """A puzzle, or a formula without symmetries, as data for JSON. Raises InputError for anything
    else."""
    if isinstance(subject, PuzzleSubject):
        return DescribedPuzzle(puzzle=describe_entries(subject.puzzle), name=subject.name)
    if isinstance(subject, FormulaSubject) and subject.can_be_sent:
        formula = subject.formula
        constraints: Any = [
            _describe_constraint(constraint) for constraint in formula.constraints()
        ]
        return DescribedFormula(
            top=formula.top,
            decisions=formula.decisions(),
            constraints=constraints,
            name=subject.name,
        )
    raise InputError(
        f"{subject.name}: only puzzles, and formulas without `group`, can be counted with a ledger"
    )


def _describe_constraint(constraint: Constraint) -> tuple[Any, ...]:
    """The kind of a constraint and its fields, as `restore_subject` reads them."""
    match constraint:
        case Clause():
            return "clause", *constraint
        case Cardinality():
            return "cardinality", *constraint
        case Xor():
            return "xor", *constraint
        case Linear():
            return "linear", *constraint
        case Connected() | SingleLoop() | Acyclic() | Regions():
            return constraint.kind, *constraint


def restore_subject(data: Described) -> Subject[Any]:
    """The subject that was described. Raises InputError if this installation cannot read it."""
    if isinstance(data, DescribedPuzzle):
        return PuzzleSubject(instance.load(data.puzzle).model_copy(update={"name": data.name}))
    formula = Formula()
    decisions = set(data.decisions)
    for variable in range(1, data.top + 1):
        decision = variable in decisions
        formula.variables(
            "x" if decision else "auxiliary", ("number",), [(variable,)], decision=decision
        )
    try:
        for constraint in data.constraints:
            match constraint:
                case "clause", literals:
                    formula.clause(literals)
                case "cardinality", literals, at_least, at_most:
                    formula.between(at_least, at_most, literals)
                case "xor", variables, odd:
                    formula.xor(variables, odd=odd)
                case "linear", literals, weights, at_least, at_most:
                    formula.linear(
                        list(zip(literals, weights, strict=True)),
                        at_least=at_least,
                        at_most=at_most,
                    )
                case "connected", literals, edges, root:
                    formula.on_graph(Connected(tuple(literals), tuple(edges), root))
                case "single-loop", literals, ends:
                    formula.on_graph(SingleLoop(tuple(literals), tuple(ends)))
                case "acyclic", literals, ends:
                    formula.on_graph(Acyclic(tuple(literals), tuple(ends)))
                case "regions", literals, nodes, sizes, edges:
                    pairs = tuple(edges)
                    regions = Regions(tuple(literals), tuple(nodes), tuple(sizes), pairs)
                    formula.on_graph(regions)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{data.name}: a constraint of the formula is wrong: {error}") from error
    return FormulaSubject(formula, name=data.name)


def constraints_digest(formula: Formula) -> str:
    """A hash of the decision variables and of the constraints, without names."""
    return lines_digest(chain([f"{formula.top} {formula.decisions()}"], formula.constraints()))
