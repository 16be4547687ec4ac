"""What counts as one solution: the equivalence of solutions, tallies, and shares of orbits in parts of a search."""
