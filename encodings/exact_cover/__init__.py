"""Exact cover with colours: see rules.py."""
