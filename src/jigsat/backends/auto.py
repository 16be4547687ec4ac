"""The backend `auto`: it starts with CaDiCaL, unless another engine obviously fits, and later switches to a faster one.

Formulas that consist of XORs, or whose XORs have few solutions, are solved by elimination. All others start with the default
backend. After `CONFLICTS` conflicts or `MODELS` models another engine may take over; `jigsat.search.models` keeps the models
found so far. If the formula describes a board whose pieces have labels, that is the search in a fixed order (`scan`), unless it
seems to need too many nodes (`longest_scan`). Otherwise the exact-cover engine takes over if that pays (`Backend.pays`). If the
formula is too large for that engine, a random search (`engine/dive/dive.c`) takes turns with CaDiCaL until the first model.
"""

from __future__ import annotations

import sys
import warnings
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from jigsat.backends.base import DEFAULT, Spec
from jigsat.backends.engine import INSTALL, compiled, new_dive, numbers_of, only_sums
from jigsat.backends.gf2 import few
from jigsat.backends.registry import find, open_backend
from jigsat.errors import EngineWarning
from jigsat.formula import Formula, Xor, as_xor

if TYPE_CHECKING:
    from jigsat.backends.clued import CluedCovers
    from jigsat.backends.cover import Probe
    from jigsat.backends.engine import _engine

AUTO = "auto"
"""The name of the backend that this module chooses."""

DIVER = "random search"
"""What a result names as its backend if the random search found the solutions. It never proves that there are no others."""

CONFLICTS = 600
"""Conflicts after which another engine may take over: 0.2 s for 6×10 pentominoes. The cube takes 20, cats 41."""

MODELS = 100
"""Models after which another engine may take over; the empty 4×4 sudoku has 78 up to rotation."""

SCANS = (30_000_000, 60_000_000, 120_000_000, 240_000_000, 480_000_000)
"""Nodes of the search in a fixed order before its size is estimated, each time anew: the first ones take 0.1 to 0.2 s."""

SCANNED = 10_000
"""Models after which its size is not estimated again; until then, they are kept for another backend."""

SHORT_SCAN = 10**10
"""The maximum estimated size of a search in a fixed order if others suit, too: about half a minute."""

LONG_SCAN = 5 * 10**11
"""The maximum estimated size of a search in a fixed order that `cover` cannot replace: about an hour."""

SHORT_DIVE = 64
"""The literals that the first random search assigns, per variable: it takes less time than loading the default backend."""

DIVE = 20_000_000
"""The literals that a random search assigns for each `CONFLICTS` conflicts; both take about a second on a large formula."""

LARGEST = 2**29
"""The maximum size in bits (64 MiB) of the conflict matrix of the backend `cover`; reading a larger one takes too long."""


MOST_CONSTRAINTS = 1_000_000
"""The maximum number of constraints that `cover` may read; a million take several seconds."""


class Rule(NamedTuple):
    """A backend, a test of whether it suits a formula, and the reason to use it."""

    backend: str
    fits: Callable[[Formula], bool]
    reason: str


def _only_xors(formula: Formula) -> bool:
    return bool(formula.top) and all(map(as_xor, formula.constraints()))


def _exact_cover(formula: Formula) -> bool:
    from jigsat.backends.cover import fits

    return _may_be_cover(formula) and fits(formula)


def _may_be_cover(formula: Formula) -> bool:
    """Whether the items cover the decision variables and the formula is small enough to be read quickly."""
    if formula.size > MOST_CONSTRAINTS:
        return False
    if any(isinstance(constraint, Xor) for constraint in formula.others()):
        return False
    items = _covering(formula)
    return bool(items) and len(formula.decisions()) * sum(map(len, items)) <= LARGEST


def _covering(formula: Formula) -> list[tuple[int, ...]]:
    """The items, if each decision variable is in one of them; otherwise none."""
    items = list(formula.items())
    return items if set(formula.decisions()) == set().union(*items) else []


ELIMINATION = Rule("gf2", _only_xors, "the formula consists of XORs, which linear algebra solves without a search")
COVER = Rule("cover", _exact_cover, "this puzzle is an exact cover, for which that engine is usually much faster")
TESTING = Rule(
    "gf2",
    lambda formula: few(formula) is not None,
    "the XORs of the formula have so few solutions that each of them can be tested",
)


def first(formula: Formula) -> str:
    """The backend with which `auto` starts."""
    return rule.backend if (rule := _at_once(formula)) else DEFAULT


def _at_once(formula: Formula) -> Rule | None:
    """The rule that makes `auto` start with a backend other than the default."""
    return next((rule for rule in (ELIMINATION, TESTING) if rule.fits(formula)), None)


def successor(formula: Formula) -> str | None:
    """The backend that takes over from the default one if that pays (`Backend.pays`); None if there is none.

    Warns if the compiled engine would take over but was not built.
    """
    if not _may_be_cover(formula):
        return None
    if compiled():
        return COVER.backend
    if COVER.fits(formula):
        message = f"the compiled engine fits this puzzle but was not built, so {DEFAULT} takes its place; {INSTALL}"
        warnings.warn(message, EngineWarning, stacklevel=2)
    return None


def scans(formula: Formula) -> bool:
    """Whether the search in a fixed order may suit a formula, and was built. `Scan.pays` states whether it does."""
    if formula.top == len(formula.decisions()) or not compiled() or sys.platform == "emscripten":
        return False
    return formula.size <= MOST_CONSTRAINTS and only_sums(formula) and bool(_covering(formula))


def longest_scan(formula: Formula, *, brief: bool) -> int:
    """The number of nodes up to which a search in a fixed order is better than other searches of the formula."""
    return SHORT_SCAN if brief or _may_be_cover(formula) else LONG_SCAN


def exhaustive(formula: Formula) -> str:
    """The backend that suits a complete search: the successor if the formula is an exact cover, else the default backend.

    Warns if the compiled engine would suit but was not built.
    """
    return COVER.backend if successor(formula) and COVER.fits(formula) else DEFAULT


def diver(formula: Formula) -> _engine.Dive | None:
    """A random search for a first model, if it suits the formula and was built."""
    if not compiled() or not _may_be_dived(formula):
        return None
    return new_dive(formula.top, numbers_of(formula), array("i", formula.decisions()))


def _may_be_dived(formula: Formula) -> bool:
    """Whether a formula is an exact cover, too large for `cover`, of clauses and cardinality constraints."""
    return only_sums(formula) and not _may_be_cover(formula) and bool(_covering(formula))


def plan(formula: Formula) -> str:
    """What `auto` does with a formula, in words. Warns if the compiled engine would take over but was not built."""
    if rule := _at_once(formula):
        return f"{rule.backend}, because {rule.reason}"
    words = DEFAULT
    if compiled() and _may_be_dived(formula):
        words += "; a random search takes turns with it until the first solution, because this puzzle is large"
    elif exhaustive(formula) != DEFAULT:
        words += f"; after {CONFLICTS} conflicts or {MODELS} solutions {COVER.backend} takes over, because {COVER.reason}"
    if _scanned(formula):
        words += (
            f"; after {CONFLICTS} conflicts scan takes over if it promises to end soon, because what fits on the board depends "
            "only on the labels beside it"
        )
    return words


def _scanned(formula: Formula) -> bool:
    if not scans(formula):
        return False
    with closing(open_backend("scan")) as scan:
        scan.project(formula.decisions())
        scan.load(formula)
        return scan.pays()


def counter(formula: Formula, memory: int | None = None) -> Spec | None:
    """The backend that counts the solutions of a formula without listing them, if one fits. It may raise NotWorthwhile.

    `memory` is the limit in bytes for numbering the solutions; without it, the default of the backend holds.
    """
    if _only_xors(formula):
        return find("gf2")
    if compiled():
        from jigsat.backends import counting

        if counting.fits(formula):
            rank = partial(counting.quick_ranking, memory=memory or counting.MEMORY)
            return replace(find("counting"), count=counting.quick, rank=rank)
    return None


def clued_covers(formula: Formula) -> CluedCovers | None:
    """Searches for the models of a formula that satisfy some clues; None unless it is an exact cover and fast to read.

    None as well if the compiled engine was not built.
    """
    if not compiled() or not _may_be_cover(formula):
        return None
    from jigsat.backends.clued import CluedCovers

    return CluedCovers.of(formula)


def probes(formula: Formula, seed: int) -> Iterator[Probe]:
    """Random paths in the search tree of the engine for exact covers. Raises InputError for any other formula."""
    from jigsat.backends.cover import probes

    return probes(formula, seed)
