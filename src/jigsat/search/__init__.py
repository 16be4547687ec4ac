"""The models of a formula: blocking clauses, subproblems, the optimum, random samples, and what propagation decides."""

from jigsat.search.blocking import Blocking, Models, models, within_one
from jigsat.search.optimum import least
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
    "failed",
    "fixed",
    "least",
    "models",
    "units",
    "within_one",
]
