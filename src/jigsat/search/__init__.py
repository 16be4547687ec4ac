"""The models of a formula: blocking clauses, subproblems, the optimum, random samples, and what propagation decides."""

from jigsat.search.blocking import Blocking, within_one
from jigsat.search.optimum import least
from jigsat.search.portfolio import Models, choose_exhaustive, clued_covers, counter, explain_plan, models
from jigsat.search.propagation import failed, fixed, units
from jigsat.search.sampling import DRAWN, SOLVER, Sampler
from jigsat.search.waves import Waves

__all__ = [
    "DRAWN",
    "SOLVER",
    "Blocking",
    "Models",
    "Sampler",
    "Waves",
    "choose_exhaustive",
    "clued_covers",
    "counter",
    "explain_plan",
    "failed",
    "fixed",
    "least",
    "models",
    "units",
    "within_one",
]
