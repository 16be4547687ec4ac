"""Pieces: with labelled rims or made of cells; the ways they lie, and which are alike."""

__all__ = []
