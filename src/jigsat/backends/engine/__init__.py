"""The compiled searches: plain C (`cover.c` and its headers), and the module `_engine` that makes them available in Python.

They are missing if jigsat was installed without a C compiler.
"""

from __future__ import annotations

from importlib.util import find_spec

INSTALL = "install a C compiler, then: pip install --force-reinstall --no-deps --no-cache-dir jigsat"


def compiled() -> bool:
    """Whether the searches were built."""
    return find_spec(f"{__name__}._engine") is not None
