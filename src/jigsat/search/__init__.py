"""The models of a formula: blocking clauses, subproblems, the optimum, random samples, and what
propagation decides."""
