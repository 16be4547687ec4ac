"""The models of a formula: blocking clauses, subproblems, the optimum and random samples."""

from jigsat.search.blocking import Blocking, Models, models
from jigsat.search.optimum import least
from jigsat.search.sampling import DRAWN, SOLVER, Sampler

__all__ = [
    "DRAWN",
    "SOLVER",
    "Blocking",
    "Models",
    "Sampler",
    "least",
    "models",
]
