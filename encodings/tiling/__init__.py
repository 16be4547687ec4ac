"""Tiling: see rules.py."""
