"""Instances: the families of puzzles that there are, and files that are found, read, validated and written."""

from jigsat.instance.files import changed, complaint, find, instances, load, load_all, parse, read, shipped, written
from jigsat.instance.registry import every_family, families, family, register

__all__ = [
    "changed",
    "complaint",
    "every_family",
    "families",
    "family",
    "find",
    "instances",
    "load",
    "load_all",
    "parse",
    "read",
    "register",
    "shipped",
    "written",
]
