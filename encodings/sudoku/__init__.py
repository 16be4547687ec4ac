"""Sudoku: see rules.py."""
