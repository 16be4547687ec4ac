"""What can be asked about: the solutions of a puzzle or the models of a formula."""
