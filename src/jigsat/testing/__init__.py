"""Tests for authors of families and backends; the ones that come with jigsat pass the same tests.

Each function raises AssertionError with a message that names the instance or backend and its fault.
"""

from jigsat.testing.backends import check_backend
from jigsat.testing.families import check_family

__all__ = ["check_backend", "check_family"]
