"""Pieces that do not fit together: smallest sets of requirements, such as pieces to place and cells
to fill, that clash.

Requirements clash if they cannot all be met, even if everything else is left out
(`jigsat.formula.relax_formula`). So at least one of the pieces that clash must be changed; no
change of the other pieces can help.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from jigsat.backends import DEFAULT, Backend, open_backend
from jigsat.diagnosis.clash_words import describe_clash
from jigsat.diagnosis.cores import Assumed, Core, Limit
from jigsat.diagnosis.demands import list_demands
from jigsat.errors import Stopped
from jigsat.formula import Formula, Requirement, relax_formula
from jigsat.puzzle import Puzzle
from jigsat.questions import Layout
from jigsat.symmetry import Placement

SEARCH_EFFORT = 20_000_000
"""Limit of the search, as in `cores.Limit`; about two seconds."""

MAX_SEARCH_S = 15.0
"""Time limit of the search on a machine that is slow or has much else to do."""

MAX_CONSTRAINTS = 300_000
"""Maximum number of constraints; reading more would take most of the time."""

MAX_UNPROVED_SIZE = 10
"""Maximum size of a set of which something may be superfluous; a larger one tells little."""

PIECES_SHARE = 0.5
"""Share of the effort for a smallest set of pieces."""

MIXED_SHARE = 0.7
"""Share of the effort that is then left for a smallest set of all requirements. The rest is for the
picture."""


class Clash(NamedTuple):
    """Requirements that clash, in words and by name, with a picture; without a piece that is
    `alone`, all others fit."""

    words: str
    names: tuple[str, ...]
    layout: Layout
    alone: tuple[str, ...] = ()


def clashes(puzzle: Puzzle, effort: float = SEARCH_EFFORT) -> Iterator[Clash | str]:
    """Yield a smallest set of requirements that clash, and a smallest set of pieces if that is
    another one.

    The puzzle has no solution, even without its clues. Nothing is yielded if the family states no
    requirements. The last item is a sentence if the search was stopped, so that sets may be missing
    or not be smallest ones.
    """
    formula = _encode_without_clues(puzzle)
    if not formula.requirements:
        return
    if formula.size > MAX_CONSTRAINTS:
        yield "the puzzle is too large for a search for what clashes"
        return
    with closing(open_backend(DEFAULT)) as solver:
        limit = Limit(effort, time.monotonic() + MAX_SEARCH_S)
        search = _ClashSearch(puzzle, formula, solver, limit)
        cores = search.find_cores()
        shown = [core for core in cores if search.is_worth_telling(core)]
        for core in shown:
            yield search.describe(core)
        if search.stopped or not all(core.smallest for core in cores):
            words = "the search for what clashes was stopped"
            yield f"{words}; there may be a smaller set" if shown else words


def _encode_without_clues(puzzle: Puzzle) -> Formula:
    """The formula of the puzzle without its clues, in the family's default encoding."""
    encodings = puzzle.encodings()
    changes = {"encoding": encodings[0]} if encodings else {}
    return puzzle.without_clues().model_copy(update=changes).encode()


class _ClashSearch:
    """The search for requirements that clash, with an open solver. `stopped` tells whether the
    limit prevented a result."""

    def __init__(self, puzzle: Puzzle, formula: Formula, solver: Backend, limit: Limit) -> None:
        self._puzzle = puzzle
        self._formula = formula
        self._solver = solver
        self._limit = limit
        self.stopped = False
        self._decisions = frozenset(formula.decisions())

        # pieces first, because they are easier to understand than cells
        demands = list_demands(formula)
        demands.sort(key=lambda demand: demand.noun != puzzle.piece_field)
        self._demands = {f"{demand.noun} {demand.name}": demand for demand in demands}
        self._pieces = [
            name for name, demand in self._demands.items() if demand.noun == puzzle.piece_field
        ]

        parts = relax_formula(formula)
        literals = {}
        for name, demand in self._demands.items():
            requirement = Requirement(demand.noun, demand.name, demand.done)
            literals[name] = parts.literals[requirement]
        solver.load(parts.formula)
        self._assumed = Assumed(solver, literals, limit)

    def find_cores(self) -> list[Core]:
        """Smallest sets of requirements that clash: one of all, and one of pieces if that is
        another one."""
        pieces = self._find_core_of_pieces()
        core = self._find_core_of_all(pieces)
        if pieces is None:
            return [core] if core else []
        if core is None or core.names == pieces.names:
            return [pieces]
        if len(pieces.names) == len(self._pieces):
            return [core]  # that the pieces do not fit is known
        return [core, pieces]

    def _find_core_of_pieces(self) -> Core | None:
        """Pieces that clash: a smallest set if it is found with half of the effort."""
        core = self._reduce_core(self._pieces)
        if core is None:
            return None
        if core.irreducible and len(core.names) == len(self._pieces):
            return core._replace(smallest=True)
        return self._find_smallest(self._pieces, core, PIECES_SHARE)

    def _find_core_of_all(self, pieces: Core | None) -> Core | None:
        """Requirements that clash: these pieces unless a smaller set is found with what is left of
        the effort."""
        others = [name for name in self._demands if name not in self._pieces]
        cores = [core for core in (pieces, self._reduce_core(others)) if core]
        if cores:
            best = min(cores, key=lambda core: len(core.names))
        else:
            mixed = self._reduce_core(list(self._demands))
            if mixed is None:
                return None
            best = mixed
        if len(best.names) == 1:
            return best
        if others:  # a set may have pieces and others, so this one need not be a smallest one
            best = best._replace(smallest=False)
        return self._find_smallest(list(self._demands), best, MIXED_SHARE)

    def _find_smallest(self, names: Sequence[str], best: Core, share: float) -> Core:
        """A smallest set, searched for with this share of what is left."""
        seconds = self._limit.end - time.monotonic()
        effort = self._limit.effort - self._assumed.effort
        return self._assumed.smallest(names, best, share * seconds, share * effort)

    def _reduce_core(self, names: Sequence[str]) -> Core | None:
        """A part of these requirements that clashes; None if there is none, or if the solver gives
        up."""
        try:
            clashing = self._assumed.core(names)
        except Stopped:
            self.stopped = True
            return None
        if not clashing:
            return None
        core = self._assumed.reduce_core(clashing)
        return core if core.names else None

    def is_worth_telling(self, core: Core) -> bool:
        """Whether a core tells more than that there is no solution."""
        if core.irreducible:
            return True
        total = self._count_alike(core.names[0])
        return len(core.names) < min(total, MAX_UNPROVED_SIZE + 1)

    def _count_alike(self, name: str) -> int:
        """The number of demands of the same kind as this one, such as of all pieces."""
        noun = self._demands[name].noun
        return sum(demand.noun == noun for demand in self._demands.values())

    def describe(self, core: Core) -> Clash:
        """The requirements in words, with a picture of what is possible without one of them."""
        only_pieces = set(core.names) <= set(self._pieces)
        fitting = self._place_others(core.names) if only_pieces else {}
        alone = tuple(self._demands[name].name for name in fitting)
        words = describe_clash(core, self._demands, alone)
        return Clash(words, tuple(core.names), self._draw(core, fitting), alone)

    def _place_others(self, names: Sequence[str]) -> dict[str, tuple[Placement, ...]]:
        """The pieces of `names` without which all other pieces of the puzzle fit, with placements
        of these others. Empty if the solver gives up: a part of the pieces would read as if the
        rest could not be left out."""
        placements = {}
        try:
            for name in names:
                placed = self._place_without(self._pieces, name)
                if placed is not None:
                    placements[name] = placed
        except Stopped:
            return {}
        return placements

    def _draw(self, core: Core, fitting: Mapping[str, tuple[Placement, ...]]) -> Layout:
        """A picture of what is possible without one of the requirements."""
        without = next(iter(fitting), core.names[-1])
        placed = fitting.get(without, ())
        if not placed and len(core.names) > 1:
            with suppress(Stopped):
                placed = self._place_without(core.names, without) or ()

        marked: set[Placement] = set()
        if len(core.names) < self._count_alike(without):
            for name in core.names:
                marked |= self._demands[name].placements
            marked.intersection_update(placed)
        stars = "; asterisks mark what clashes with it" if marked else ""

        demand = self._demands[without]
        if without in self._pieces:
            legend = f"without {demand.name_missing(placed)}{stars}"
            return Layout(placed, frozenset(marked), legend=legend)
        missing = sorted(demand.placements, key=str)
        if self._puzzle.cell_field:
            missing = missing[:1]  # any placement shows the cell
        legend = f"{without} is not {demand.done}{stars}"
        return Layout(placed, frozenset(marked), frozenset(missing), legend)

    def _place_without(self, names: Sequence[str], without: str) -> tuple[Placement, ...] | None:
        """Placements that meet these requirements but one; None if there are none."""
        if self._assumed.core([name for name in names if name != without]) is not None:
            return None
        chosen = sorted(self._decisions.intersection(self._solver.model()))
        return tuple(self._formula.key(variable) for variable in chosen)
