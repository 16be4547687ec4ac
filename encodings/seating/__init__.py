"""Seating guests at tables: see rules.py."""

from jigsat.encodings.seating.data import Kept, Seated
from jigsat.encodings.seating.rules import Seating

__all__ = ["Kept", "Seated", "Seating"]
