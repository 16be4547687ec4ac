"""Latin squares: see rules.py."""
