"""The models of a formula: blocking clauses, subproblems, the optimum, random samples, and what propagation decides."""

from jigsat.search.blocking import Blocking, within_one
from jigsat.search.optimum import least
from jigsat.search.portfolio import Models, choose_exhaustive, clued_covers, counter, explain_plan, models
from jigsat.search.propagation import failed_literals, fixed_literals, units
from jigsat.search.sampling import DRAWN_VARIABLES, SOLVER, Sampler
from jigsat.search.waves import LayeredPropagation

__all__ = [
    "DRAWN_VARIABLES",
    "SOLVER",
    "Blocking",
    "LayeredPropagation",
    "Models",
    "Sampler",
    "choose_exhaustive",
    "clued_covers",
    "counter",
    "explain_plan",
    "failed_literals",
    "fixed_literals",
    "least",
    "models",
    "units",
    "within_one",
]
