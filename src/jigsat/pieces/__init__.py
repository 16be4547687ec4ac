"""What puzzles place: pieces with rims or made of cells, symbols in lines and boxes; and proofs
that they do not fit."""
