"""How a puzzle is solved by logic: steps, hints, and pictures of both."""
