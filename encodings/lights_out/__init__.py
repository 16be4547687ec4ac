"""Lights Out: see rules.py."""

from jigsat.encodings.lights_out.data import Press
from jigsat.encodings.lights_out.rules import LightsOut

__all__ = ["LightsOut", "Press"]
