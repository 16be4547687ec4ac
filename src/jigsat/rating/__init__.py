"""How hard a puzzle is: the work for a program, and the techniques that people need."""
