"""Backends: thin wrappers around solver libraries, found by name. They know no puzzle."""

from jigsat.backends.auto import choose, counting
from jigsat.backends.base import DEFAULT, Backend, Capabilities, Spec
from jigsat.backends.registry import find, open_backend, specs

__all__ = [
    "DEFAULT",
    "Backend",
    "Capabilities",
    "Spec",
    "choose",
    "counting",
    "find",
    "open_backend",
    "specs",
]
