"""What can be wished for in new puzzles, one file a family: what its clues are, or its data as variables of a formula."""
