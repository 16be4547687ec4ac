"""Puzzles that differ only in their clues share a formula, the solvers that read it, and the
clauses these have learned.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a
variable that is assumed together with the clues and set to false afterwards. Hundreds of
assumptions slow a solver down, because it decides them again after each restart and cannot use them
to simplify the clauses. So the puzzles of a large formula share only its clauses; each has a solver
to which its clues are added.

If the formula is a plain exact cover, the compiled engine searches it briefly first: it needs a
sixth of CaDiCaL's time for a 9×9 sudoku, and what it finds does not depend on the puzzles before.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import closing
from functools import cached_property, partial
from typing import Any, TypeAlias

from jigsat.backends import (
    AUTO,
    DEFAULT,
    is_plain_cover,
    load_plain_search,
    open_backend,
    open_search,
)
from jigsat.backends.engine import is_compiled
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import IRRELEVANT, Puzzle
from jigsat.search.blocking import Blocking
from jigsat.symmetry import Model, Placement

# number of decision variables above which each puzzle has a solver of its own
MAX_SHARED_DECISIONS = 5_000

MAX_ADDED_VARIABLES = 1_000
"""The number of variables added for puzzles after which a new solver is opened: each model has a
value for each of them."""

BRIEF_NODES = 5_000
"""The number of nodes of a brief search, which takes some milliseconds; hard 9×9 sudokus take 130,
and at most 600."""

Clue: TypeAlias = frozenset[Placement]  # placements of which one must be in the solution

ModelSearch: TypeAlias = Generator[Model | None, None, None]
"""The models that a search finds, and None before each search that may take long."""


class ClueSearch:
    """Searches one puzzle after another. Those that differ only in their clues share a formula and
    the solver that has read it.

    `formula` is that of the last puzzle, and `found_by` the backend that searched for its
    solutions. `auto` searches only puzzles with clues in this way.
    """

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._kind: tuple[type[Puzzle], dict[str, Any]] | None = None
        self._covers: ClueCovers | None = None
        self._solver: ClueSolver | None = None
        self.formula = Formula()
        self.found_by = backend

    @cached_property
    def _takes_clues(self) -> bool:
        """Whether one solver of the backend can solve one puzzle after the other."""
        with closing(open_backend(self._backend)) as solver:
            can = solver.capabilities
            return can.assumptions and can.clauses and not can.enumerates

    def suits(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle is searched in this way; otherwise it needs a search of its own."""
        return bool(puzzle.clues()) if self._backend == AUTO else self._takes_clues

    def choose_backend(self, puzzle: Puzzle) -> str:
        """The backend that searches the puzzle if a brief search does not find everything; `auto`
        if it needs a search of its own."""
        return DEFAULT if self._backend == AUTO and self.suits(puzzle) else self._backend

    def models(self, puzzle: Puzzle, *, brief: bool = False) -> ModelSearch | None:
        """The models of a puzzle that this search suits. A `brief` one is None if it does not find
        them all."""
        kind = _find_kind(puzzle)
        if kind != self._kind:
            self.close()
            self._kind = kind
            self.formula = puzzle.without_clues().encode()
            self._covers = ClueCovers.of(self.formula) if self._backend == AUTO else None

        search = self._covers.search(puzzle.clues()) if self._covers else None
        self.found_by = "cover"
        if search is None:
            if brief:
                return None
            self.found_by = self.choose_backend(puzzle)
            if self._solver is None:
                self._solver = ClueSolver(self.formula, self.found_by)
            search = self._solver.search(puzzle)
        return search

    def close(self) -> None:
        """Close the solver."""
        if self._solver is not None:
            self._solver.close()
        self._kind, self._solver = None, None


def _find_kind(puzzle: Puzzle) -> tuple[type[Puzzle], dict[str, Any]]:
    """What is equal for puzzles that share a formula: the entries on which the solutions depend,
    without the clues."""
    plain = puzzle.without_clues()
    entries = {
        entry: getattr(plain, entry)
        for entry in type(plain).model_fields
        if entry not in IRRELEVANT
    }
    return type(plain), entries


class ClueCovers:
    """A plain exact cover that the compiled engine searches briefly with the clues of one puzzle
    after another."""

    def __init__(self, formula: Formula) -> None:
        read, self._search = load_plain_search(formula)
        self._options = list(read.implied)
        self._number = {formula.key(option): i for i, option in enumerate(self._options)}

    @classmethod
    def of(cls, formula: Formula) -> ClueCovers | None:
        """The covers of a formula, if it is plain and small and the engine can search it."""
        small = len(formula.decisions()) <= MAX_SHARED_DECISIONS
        suits = small and is_compiled() and sys.platform != "emscripten" and is_plain_cover(formula)
        return cls(formula) if suits else None

    def search(self, clues: Mapping[str, Clue]) -> ModelSearch | None:
        """The models that satisfy the clues; None if not all are found soon or a clue leaves
        several placements."""
        chosen = {self._number.get(placement, -1) for clue in clues.values() for placement in clue}
        if -1 in chosen or any(len(clue) != 1 for clue in clues.values()):
            return None
        self._search.restart(sorted(chosen))
        covers, more = self._search.part(BRIEF_NODES, BRIEF_NODES)
        return (
            None
            if more
            else (frozenset([self._options[i] for i in (*chosen, *cover)]) for cover in covers)
        )


class ClueSolver:
    """A formula without clues in a solver, which solves one puzzle after another by assuming its
    clues.

    If the formula is large, clues are added instead, and the next puzzle has another solver.
    Closing it closes the solver.
    """

    def __init__(self, formula: Formula, backend: str) -> None:
        self._backend = backend
        self._large = len(formula.decisions()) > MAX_SHARED_DECISIONS
        self._blocking = Blocking(formula)
        # lowering the formula again would take longer than many a puzzle
        self._variables: dict[Clue, int] = {
            frozenset([formula.key(x)]): x for x in formula.decisions()
        }
        self._open_solver = partial(open_search, backend, formula)
        self.solver = self._open_solver()
        lowered = Lowered(formula, native=self.solver.native)
        self._batches = list(lowered.batches())
        self._top = lowered.top
        self._load()

    def _load(self) -> None:
        self.solver.add_all(self._batches)
        self._added = 0
        self._literals = dict(self._variables)

    def search(self, puzzle: Puzzle) -> ModelSearch:
        """The models that satisfy the clues of the puzzle."""
        if self._added and (self._large or self._added > MAX_ADDED_VARIABLES):
            self.close()
            self.solver = self._open_solver()
            self._load()
        here = self.add_variable()
        literals = [self.literal(clue) for clue in puzzle.clues().values()]
        for literal in literals if self._large else ():
            self.solver.add(Clause((literal,)))
        assumptions = [here, *(() if self._large else literals)]
        try:
            while True:
                yield None
                if not self.solver.solve(assumptions):
                    return
                yield (model := self._blocking.model(self.solver.model()))
                self.solver.add(Clause((-here, *self._blocking.literals(model))))
        finally:
            self.solver.add(Clause((-here,)))

    def add_variable(self) -> int:
        self._added += 1
        return self._top + self._added

    def literal(self, clue: Clue) -> int:
        """The literal for a clue: its placement, or a variable that implies one of its
        placements."""
        if clue not in self._literals:
            fitting = [
                self._literals[one]
                for placement in clue
                if (one := frozenset([placement])) in self._literals
            ]
            literal = self._literals[clue] = self.add_variable()
            for clause in ((-literal, *fitting), *((literal, -x) for x in fitting)):
                self.solver.add(Clause(clause))
        return self._literals[clue]

    def close(self) -> None:
        self.solver.close()
