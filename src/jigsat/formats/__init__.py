"""Files for and from other programs: DIMACS, OPB, WCNF, SMT-LIB, solvers' answers. They work on
formulas, not puzzles."""
