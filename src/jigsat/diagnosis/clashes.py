"""Pieces that do not fit together: smallest sets of requirements, such as pieces to place and cells
to fill, that clash.

Requirements clash if they cannot all be met, even if everything else is left out
(`jigsat.formula.relax_formula`). So at least one of the pieces that clash must be changed; no
change of the other pieces can help.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, groupby
from typing import NamedTuple

from jigsat.backends import DEFAULT, Backend, open_backend
from jigsat.diagnosis.cores import Assumed, Core, Limit
from jigsat.errors import Stopped
from jigsat.formula import (
    Cardinality,
    Constraint,
    Formula,
    Linear,
    relax_formula,
    requirement_constraints,
)
from jigsat.puzzle import Puzzle
from jigsat.questions import Layout
from jigsat.symmetry import Placement
from jigsat.words import join_words

SEARCH_EFFORT = 20_000_000  # limit of the search, as in `cores.Limit`; about two seconds
MAX_SEARCH_S = 15.0  # time limit of the search on a machine that is slow or has much else to do
MAX_CONSTRAINTS = 300_000  # maximum number of constraints; reading more would take most of the time
# maximum size of a set of which something may be superfluous; a larger one tells little
MAX_UNPROVED_SIZE = 10


class Clash(NamedTuple):
    """Requirements that clash, in words and by name, with a picture; without a piece that is
    `alone`, all others fit."""

    words: str
    names: tuple[str, ...]
    layout: Layout
    alone: tuple[str, ...] = ()


class _Requirement(NamedTuple):
    """A requirement, the placements that meet it, and how many of them must be in a solution."""

    noun: str
    name: str
    done: str
    placements: frozenset[Placement]
    number: int

    @property
    def copies(self) -> str:
        """Several copies that are required, such as '2 pieces A'."""
        return f"{self.number} {self.noun}s {self.name.removesuffix(f' ×{self.number}')}"

    def lacking(self, placed: Sequence[Placement]) -> str:
        """What is not among some placements, such as 'piece A' or 'one of the 2 pieces A'."""
        if self.number == 1:
            return f"{self.noun} {self.name}"
        number = self.number - len(self.placements.intersection(placed))
        some = "" if number == self.number else "one of " if number == 1 else f"{number} of "
        return f"{some}the {self.copies}"


def clashes(puzzle: Puzzle, effort: float = SEARCH_EFFORT) -> Iterator[Clash | str]:
    """Yield a smallest set of requirements that clash, and a smallest set of pieces if that is
    another one.

    The puzzle has no solution, even without its clues. Nothing is yielded if the family states no
    requirements. The last item is a sentence if the search was stopped, so that sets may be missing
    or not be smallest ones.
    """
    plain = {"encoding": encodings[0]} if (encodings := puzzle.encodings()) else {}
    formula = puzzle.without_clues().model_copy(update=plain).encode()
    if not formula.requirements:
        return
    if formula.size > MAX_CONSTRAINTS:
        yield "the puzzle is too large for a search for what clashes"
        return
    with closing(open_backend(DEFAULT)) as solver:
        search = _ClashSearch(
            puzzle, formula, solver, Limit(effort, time.monotonic() + MAX_SEARCH_S)
        )
        pieces = search.smallest_of_pieces()
        core = search.smallest(pieces)
        if core and (not pieces or core.names != pieces.names):
            found = [core, *([pieces] if pieces and len(pieces.names) < len(search.pieces) else [])]
        else:
            found = [pieces] if pieces else []
        telling = [*filter(search.tells, found)]
        yield from map(search.clash, telling)
        if search.stopped or not all(each.smallest for each in found):
            yield (
                f"the search for what clashes was "
                f"stopped{'; there may be a smaller set' if telling else ''}"
            )


class _ClashSearch:
    """The search for requirements that clash, with an open solver. `stopped` tells whether the
    limit prevented a result."""

    def __init__(self, puzzle: Puzzle, formula: Formula, solver: Backend, limit: Limit) -> None:
        self._puzzle, self._formula, self._solver, self._limit, self.stopped = (
            puzzle,
            formula,
            solver,
            limit,
            False,
        )
        self._decisions = frozenset(formula.decisions())
        self._all: dict[str, _Requirement] = {}
        literals: dict[str, int] = {}
        parts = relax_formula(formula)
        pieces_first = sorted(
            requirement_constraints(formula).items(),
            key=lambda item: item[0].noun != puzzle.piece_field,
        )
        for requirement, constraints in pieces_first:
            name = f"{requirement.noun} {requirement.name}"
            variables = self._decisions.intersection(
                chain(*(getattr(each, "literals", ()) for each in constraints))
            )
            self._all[name] = _Requirement(
                *requirement, frozenset(map(formula.key, variables)), max(map(_number, constraints))
            )
            literals[name] = parts.literals[requirement]
        self.pieces = [name for name, each in self._all.items() if each.noun == puzzle.piece_field]
        solver.load(parts.formula)
        self._assumed = Assumed(solver, literals, limit)

    def smallest_of_pieces(self) -> Core | None:
        """A set of pieces that clash: a smallest one if it is found with half of the effort."""
        core = self._reduce_core(self.pieces)
        if core and core.irreducible and len(core.names) == len(self.pieces):
            return core._replace(smallest=True)
        return core and self._smallest(self.pieces, core, 0.5)

    def smallest(self, pieces: Core | None) -> Core | None:
        """A set of requirements that clash: these pieces unless a smaller one is found with what is
        left of the effort."""
        others = [name for name in self._all if name not in self.pieces]
        known = [core for core in (pieces, self._reduce_core(others)) if core]
        best = (
            min(known, key=lambda core: len(core.names))
            if known
            else self._reduce_core([*self._all])
        )
        if best is None or len(best.names) == 1:
            return best
        return self._smallest(
            [*self._all], best._replace(smallest=not others and best.smallest), 0.7
        )

    def _smallest(self, names: Sequence[str], best: Core, part: float) -> Core:
        """A smallest set, searched for with this part of what is left; the rest is for what
        follows, such as the picture."""
        limit = self._limit
        seconds, effort = limit.end - time.monotonic(), limit.effort - self._assumed.effort
        return self._assumed.smallest(names, best, part * seconds, part * effort)

    def _reduce_core(self, names: Sequence[str]) -> Core | None:
        """A part of these requirements that clashes; None if there is none, or if the solver gives
        up."""
        try:
            core = self._assumed.core(names)
        except Stopped:
            self.stopped = True
            return None
        found = core and self._assumed.reduce_core(core)
        return found if found and found.names else None

    def tells(self, core: Core) -> bool:
        """Whether a core tells more than that there is no solution."""
        total = sum(each.noun == self._all[core.names[0]].noun for each in self._all.values())
        return core.irreducible or len(core.names) < min(total, MAX_UNPROVED_SIZE + 1)

    def clash(self, core: Core) -> Clash:
        """The requirements in words, with a picture of what is possible without one of them."""
        of_pieces = {*core.names} <= {*self.pieces}
        fitting = self._fitting(core.names) if of_pieces else {}
        totals = Counter(each.noun for each in self._all.values())
        alone = tuple(self._all[name].name for name in fitting)
        words = _sentence(core, self._all, totals, alone)
        without = next(iter(fitting), core.names[-1])
        placed = fitting.get(without, ())
        with suppress(Stopped):
            placed = placed or (len(core.names) > 1 and self._part(core.names, without)) or ()
        marked: frozenset[Placement] = frozenset()
        if len(core.names) < totals[self._all[without].noun]:
            marked = (
                frozenset()
                .union(*(self._all[name].placements for name in core.names))
                .intersection(placed)
            )
        stars = "; stars mark what clashes with it" if marked else ""
        if without in self.pieces:
            layout = Layout(
                placed, marked, legend=f"without {self._all[without].lacking(placed)}{stars}"
            )
            return Clash(words, tuple(core.names), layout, alone)
        missing = sorted(self._all[without].placements, key=str)[
            : 1 if self._puzzle.cell_field else None
        ]
        layout = Layout(
            placed, marked, frozenset(missing), f"{without} is not {self._all[without].done}{stars}"
        )
        return Clash(words, tuple(core.names), layout)

    def _fitting(self, names: Sequence[str]) -> dict[str, tuple[Placement, ...]]:
        """The pieces without which all others fit, with the placements of the others; none if the
        solver gives up."""
        try:
            parts = {name: self._part(self.pieces, name) for name in names}
        except Stopped:
            return {}
        return {name: placed for name, placed in parts.items() if placed is not None}

    def _part(self, names: Sequence[str], without: str) -> tuple[Placement, ...] | None:
        """Placements that meet these requirements but one; None if there are none."""
        if self._assumed.core([name for name in names if name != without]) is not None:
            return None
        return tuple(
            map(self._formula.key, sorted(self._decisions.intersection(self._solver.model())))
        )


def _number(constraint: Constraint) -> int:
    """How many placements a constraint requires."""
    return max(1, constraint.at_least) if isinstance(constraint, Cardinality | Linear) else 1


def _sentence(
    core: Core, known: Mapping[str, _Requirement], totals: Mapping[str, int], fitting: Sequence[str]
) -> str:
    """The requirements of a core that clash, in words; without one of those that are `fitting`, all
    other pieces fit."""
    each = [known[name] for name in core.names]
    nouns = [list(alike) for _, alike in groupby(each, key=lambda requirement: requirement.noun)]
    first, number, total = each[0], len(each), totals[each[0].noun]
    several = any(requirement.number > 1 for requirement in each)
    precise = not several and (core.smallest or (core.irreducible and number == total))
    if len(nouns) > 1:
        (first, *_), *others = nouns
        ifs = " and ".join(
            f"{_list_requirements(some)} {'are' if some[1:] else 'is'} {some[0].done}"
            for some in others
        )
        extent = ", and none of these can be left out" if core.irreducible else ""
        if precise:
            extent = ", and no smaller set clashes"
        return f"{_list_requirements(nouns[0])} cannot be {first.done} if {ifs}{extent}"
    if number == 1:
        numbers = [
            other.number for other in known.values() if other.noun == first.noun and other != first
        ]
        rest = f"the other {first.noun}" if numbers == [1] else f"all the other {first.noun}s"
        cannot = f"{_list_requirements(each)} cannot"
        if several:
            cannot = f"the {first.copies} cannot {'both' if first.number == 2 else 'all'}"
        return f"{cannot} be {first.done}" + (f"; {rest} can" if fitting and total > 1 else "")
    if number == total and precise:
        some, all_ = ("each", "both") if number == 2 else (f"any {number - 1}", f"all {number}")
        return f"{some} of the {number} {first.noun}s can be {first.done}, but not {all_}"
    number_less = "each" if number == 2 else f"any {number - 1}"
    few = (
        f"{number_less} {first.noun}{'s' * (number > 2)}" if precise else f"{number_less} of these"
    )
    extent = f", but {few} can" if core.irreducible else ""
    either = f"{first.noun} {join_words(fitting, ' or ')}" if fitting else ""
    if len(fitting) == number:
        either = "either of these" if number == 2 else "any one of these"
    rest = f"; without {either}, all the others can" if either and number < total else ""
    return (
        f"{_list_requirements(each)} cannot "
        f"{'both' if number == 2 and not several else 'all'} be {first.done}{extent}{rest}"
    )


def _list_requirements(alike: Sequence[_Requirement]) -> str:
    """Requirements with the same noun in a sentence, such as 'pieces A, B and C'."""
    return f"{alike[0].noun}{'s' * (len(alike) > 1)} {join_words([each.name for each in alike])}"
