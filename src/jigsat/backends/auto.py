"""Which backend fits a formula: what `auto` takes, and why."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

from jigsat.backends.base import DEFAULT
from jigsat.backends.engine import INSTALL, compiled
from jigsat.backends.registry import find
from jigsat.errors import EngineWarning
from jigsat.formula import Clause, Constraint, Formula, Xor

LARGEST = 2**29
"""Beyond this many bits (64 MiB) what the options exclude is no longer looked at quickly by the backend cover."""


class Rule(NamedTuple):
    """A backend, whether it fits a formula, and the measured reason to take it."""

    backend: str
    fits: Callable[[Formula], bool]
    reason: str


def _only_xors(formula: Formula) -> bool:
    def is_xor(constraint: Constraint) -> bool:
        return isinstance(constraint, Xor) or (isinstance(constraint, Clause) and len(constraint.literals) == 1)

    return bool(formula.top) and all(map(is_xor, formula.constraints()))


def _exact_cover(formula: Formula) -> bool:
    if any(isinstance(constraint, Xor) for constraint in formula.others()):
        return False
    decisions = frozenset(formula.decisions())
    items = list(formula.items())
    if not decisions or decisions != set().union(*items) or len(decisions) * sum(map(len, items)) > LARGEST:
        return False
    from jigsat.backends.cover import fits

    return fits(formula)


RULES = (
    Rule("gf2", _only_xors, "only XORs: elimination takes 0.4 s for 40×40 lights, CaDiCaL minutes for 18×18"),
    Rule(
        "cover",
        _exact_cover,
        "an exact cover of which pairs tell all: 6×10 pentominoes take 2 s, with CaDiCaL hours; of 122 boards and fish it "
        "finishes 65 within 5 s, CaDiCaL 54",
    ),
    Rule(DEFAULT, lambda formula: True, "the most even of the SAT solvers on what is left"),
)
"""The first that fits is taken."""


def choose(formula: Formula) -> Rule:
    """The rule by which `auto` takes a backend for a formula. Warns where the compiled engine would fit and is absent."""
    fitting = (rule for rule in RULES if rule.fits(formula))
    rule = next(fitting)
    if rule.backend == "cover" and not compiled():
        rule = next(fitting)
        message = f"the compiled engine fits this puzzle but was not built, so {rule.backend} takes its place; {INSTALL}"
        warnings.warn(message, EngineWarning, stacklevel=2)
    return rule


def counting(formula: Formula) -> str | None:
    """The backend that counts the solutions of a formula without listing them, if one fits."""
    able = (rule for rule in RULES if find(rule.backend).count)
    return next((rule.backend for rule in able if rule.fits(formula)), None)
