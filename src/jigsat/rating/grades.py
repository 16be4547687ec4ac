"""Grades of sudokus and Latin squares, by the hardest technique that a person needs.

The easiest technique that finds something is applied, again and again. The grade is that of the
hardest one that was needed; the last grade is for puzzles that need more than these techniques.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

from jigsat.backends import DEFAULT, open_backend
from jigsat.errors import Stopped
from jigsat.facts import Choice, Fills, Marks, name_technique
from jigsat.formula import Cardinality, Clause, Constraint, Formula
from jigsat.puzzle import Puzzle, list_rules
from jigsat.search.blocking import Blocking
from jigsat.study.fillings import Filling, FillingSearch
from jigsat.study.knowledge import Group

GRADES = (
    ("hidden single",),
    ("naked single",),
    ("pointing", "claiming"),
    ("naked pair", "hidden pair", "naked triple", "hidden triple"),
    ("X-wing", "swordfish"),
)
"""The techniques of each grade from 1 on; the next grade is for what needs more."""

BEYOND = "chains or trying"
MAX_CONFLICTS = 100_000  # limit of each of the two searches for solutions
LOCKED, SETS, FISH = 3, 4, 5  # grades
PLACING = "value in a cell"  # the kind of placing for which there are grades


@dataclass(frozen=True)
class Grade:
    """A grade from 1 to 6, and the hardest technique that is needed."""

    number: int
    technique: str

    def __str__(self) -> str:
        return f"grade {self.number} of {len(GRADES) + 1}: {self.technique}"


def find_grade(puzzle: Puzzle) -> Grade | None:
    """The grade of a puzzle whose cells hold values; None for other families, and unless there is
    exactly one solution.

    >>> from jigsat.instance import load
    >>> print(find_grade(load("sudoku-6x6")))
    grade 3 of 6: claiming
    """
    if not has_grades(puzzle):
        return None
    formula = puzzle.encode()
    grade = _Grid(puzzle, formula).solve()
    # If techniques solve the puzzle, no other solution is left.
    if grade.number > len(GRADES) and not _has_one_solution(formula):
        return None
    return grade


def has_grades(puzzle: Puzzle) -> bool:
    """Whether there are grades for the puzzles of this family."""
    return puzzle.way().placing == PLACING


def _has_one_solution(formula: Formula) -> bool:
    """Whether there is exactly one solution; also true if that is too hard to decide."""
    blocking = Blocking(formula)
    with closing(open_backend(DEFAULT)) as solver, suppress(Stopped):
        solver.limit(MAX_CONFLICTS)
        solver.load(formula)
        if not solver.solve():
            return False
        model = blocking.model(solver.model())
        solver.add(Clause(blocking.literals(model)))
        return not solver.solve()
    return True


class _Grid:
    """What is left in a grid while it is solved."""

    def __init__(self, puzzle: Puzzle, formula: Formula) -> None:
        self._keys = {x: formula.key(x) for x in formula.decisions()}
        self._rules = list_rules(formula)
        self._choices: list[tuple[str, tuple[int, ...]]] = []
        self._groups: list[tuple[str, tuple[int, ...]]] = []
        for name, constraints in formula.list_rules().items():
            for constraint in constraints:
                self._add(name, constraint)
        self._left = set(self._keys)
        self._placed: set[int] = set()
        givens = set(puzzle.given_placements())
        for x, key in self._keys.items():
            if key in givens:
                self._place(x)

    def _add(self, rule: str, constraint: Constraint) -> None:
        """Remember what a rule requires one of, and what it allows one of."""
        literals = tuple(constraint[0])
        if not self._keys.keys() >= set(literals):
            return
        if isinstance(constraint, Clause):
            self._choices.append((rule, literals))
        elif isinstance(constraint, Cardinality):
            if constraint.at_least == 1:
                self._choices.append((rule, literals))
            if constraint.at_most == 1:
                self._groups.append((rule, literals))

    def solve(self) -> Grade:
        """Apply techniques until all is placed, or none finds anything."""
        hardest = Grade(1, GRADES[0][0])
        while self._list_open():
            grade = self._step()
            if grade is None:
                return Grade(len(GRADES) + 1, BEYOND)
            if grade.number > hardest.number:
                hardest = grade
        return hardest

    def _list_open(self) -> list[Group]:
        """What is left of the choices that are not made."""
        groups = []
        for rule, options in self._choices:
            if self._placed.isdisjoint(options):
                left = tuple(x for x in options if x in self._left)
                groups.append(Group(rule, options, left))
        return groups

    def _step(self) -> Grade | None:
        """Apply the easiest technique that finds something."""
        choices = self._list_open()
        for number, kind in enumerate(("hidden single", "naked single"), 1):
            for choice in choices:
                is_cell = self._rules[choice.rule].kind == "cell"
                if len(choice.left) == 1 and is_cell == (kind == "naked single"):
                    self._place(choice.left[0])
                    return Grade(number, kind)
        easiest = min(
            self._list_fillings(choices), key=lambda graded: graded[0].number, default=None
        )
        if easiest is None:
            return None
        grade, filling = easiest
        self._left.difference_update(filling.excluded)
        return grade

    def _list_fillings(self, choices: Sequence[Group]) -> Iterator[tuple[Grade, Filling]]:
        """Fillings with their grades; easier ones end the search."""
        groups = []
        for rule, options in self._groups:
            left = tuple(x for x in options if x in self._left)
            if self._placed.isdisjoint(options) and len(left) > 1:
                groups.append(Group(rule, options, left))
        search = FillingSearch(choices, groups)
        for size in (1, 2, 3):
            for filling in search.list_fillings(size):
                grade = self._grade(filling)
                yield grade, filling
                if grade.number <= (LOCKED if size == 1 else SETS):
                    return

    def _grade(self, filling: Filling) -> Grade:
        """The grade of a filling; one without a name has that of similar ones."""
        chosen, covers = map(self._name, filling.choices), map(self._name, filling.covers)
        name = name_technique(Fills((), Marks(), Marks(), tuple(chosen), tuple(covers)))
        for number, names in enumerate(GRADES, 1):
            if name in names:
                return Grade(number, name)
        if len(filling.choices) == 1:
            return Grade(LOCKED, "one value in two houses")
        return Grade(FISH, "a value in several houses")

    def _name(self, group: Group) -> Choice:
        options = tuple(self._keys[x] for x in group.options)
        return Choice(self._rules[group.rule], options, tuple(self._keys[x] for x in group.left))

    def _place(self, x: int) -> None:
        """Place something, and exclude what the rules then exclude directly."""
        self._placed.add(x)
        for _, options in self._groups:
            if x in options:
                self._left.difference_update(y for y in options if y != x)
