"""Lights Out: see rules.py."""
