"""Answers to questions about puzzles: enumeration, counts, batches of puzzles and random
solutions."""
