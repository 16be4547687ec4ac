"""The compiled searches: plain C, one folder per search, and the modules that make them available
in Python.

That is the extension module `_engine`, which is missing if jigsat was installed without a C
compiler, and in a browser `wasm`.
"""

from __future__ import annotations

import sys
from array import array
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from jigsat.formula import Cardinality, Formula

INSTALL = "install a C compiler such as gcc, then install jigsat again; in a clone: make -B list"
"""How to build the searches. jigsat is in no package index, so pip cannot fetch it by its name."""


def is_compiled() -> bool:
    """Whether the searches were built."""
    if sys.platform == "emscripten":
        from jigsat.backends.engine.wasm import FILE

        return FILE.exists()
    return find_spec(f"{__name__}._engine") is not None


def engine() -> Any:
    """The module with the types of `_engine`; in a browser without `Dive` and `Scan`."""
    return import_module(f"{__name__}.{'wasm' if sys.platform == 'emscripten' else '_engine'}")


def only_sums(formula: Formula) -> bool:
    """Whether all constraints of a formula are clauses and cardinality constraints, as `numbers_of`
    requires."""
    return all(isinstance(constraint, Cardinality) for constraint in formula.others())


def numbers_of(formula: Formula) -> array[int]:
    """The constraints of a formula as `Dive` and `Scan` read them; see `Constraints.numbers`."""
    numbers = array("i")
    for group in formula.groups.values():
        numbers.extend(group.constraints.numbers())
    return numbers
