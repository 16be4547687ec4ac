"""Facts about a puzzle: its encoding, difficulty and clues, and whether the answers of other
programs are right."""
