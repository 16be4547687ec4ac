"""Why a puzzle has no solution: counting, clues that conflict, pieces that clash, wrong entries."""
