"""Pieces with labelled rims and pieces made of cells: their placements, and the kinds of equal pieces."""

__all__ = []
