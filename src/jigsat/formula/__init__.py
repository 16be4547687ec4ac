"""Formulas: named variables, constraints, lowering to clauses, and linear algebra over GF(2). No
solver, no puzzle."""

from jigsat.formula.assignment import Assignment, holds
from jigsat.formula.constraints import (
    Cardinality,
    Clause,
    Constraint,
    ConstraintGroup,
    Constraints,
    Linear,
    Requirement,
    Rows,
    Thing,
    Xor,
    as_sum,
    is_sum_of,
)
from jigsat.formula.cuts import Cut, find_cuts, find_first_cuts, list_local_constraints
from jigsat.formula.formula import Formula
from jigsat.formula.gf2 import LinearModels, System, as_xor, bits, count_models, vector
from jigsat.formula.graphs import (
    Acyclic,
    Connected,
    GraphConstraint,
    Reason,
    Regions,
    SingleLoop,
)
from jigsat.formula.linear import literal_of
from jigsat.formula.lowering import (
    AT_MOST_ONE,
    EAGER,
    GRAPH_RULES,
    GRAPHS,
    LAZY,
    MAX_PAIRWISE_LITERALS,
    Lowered,
    Lowering,
)
from jigsat.formula.relaxation import relax_formula, requirement_constraints
from jigsat.formula.variables import ANY, Choice, Name, Variables, compact

__all__ = [
    "ANY",
    "AT_MOST_ONE",
    "EAGER",
    "GRAPHS",
    "GRAPH_RULES",
    "LAZY",
    "MAX_PAIRWISE_LITERALS",
    "Acyclic",
    "Assignment",
    "Cardinality",
    "Choice",
    "Clause",
    "Connected",
    "Constraint",
    "ConstraintGroup",
    "Constraints",
    "Cut",
    "Formula",
    "GraphConstraint",
    "Linear",
    "LinearModels",
    "Lowered",
    "Lowering",
    "Name",
    "Reason",
    "Regions",
    "Requirement",
    "Rows",
    "SingleLoop",
    "System",
    "Thing",
    "Variables",
    "Xor",
    "as_sum",
    "as_xor",
    "bits",
    "compact",
    "count_models",
    "find_cuts",
    "find_first_cuts",
    "holds",
    "is_sum_of",
    "list_local_constraints",
    "literal_of",
    "relax_formula",
    "requirement_constraints",
    "vector",
]
