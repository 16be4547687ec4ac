"""What puzzles place: pieces with rims, pieces made of cells, symbols in rows, columns and boxes; and proofs that they do not
fit."""

__all__ = []
