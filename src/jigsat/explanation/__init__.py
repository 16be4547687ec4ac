"""The encoding of a puzzle, for people: a summary, and a handout for teaching."""
