"""Seating guests at tables: see rules.py."""
