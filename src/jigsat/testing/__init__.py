"""Tests for the authors of families and backends; those that come with jigsat pass the same tests.

Each function raises AssertionError with a message that names the instance or the backend and what is wrong with it.
"""

from jigsat.testing.backends import check_backend
from jigsat.testing.families import check_family

__all__ = ["check_backend", "check_family"]
