"""Pieces as objects: outlines for a laser cutter, meshes for a 3-D printer.

Both need the libraries of `jigsat[objects]`, which are imported when they are used.
"""

from jigsat.objects.measures import Measures, read_material

__all__ = ["Measures", "read_material"]
