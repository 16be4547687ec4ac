"""Generating puzzles with the requested number of solutions."""
