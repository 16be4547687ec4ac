"""Interlocking pieces: see rules.py."""
