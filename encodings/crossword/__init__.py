"""Crosswords: see rules.py."""
