"""The compiled searches: plain C, one folder per search, and the modules that make them available in Python.

That is the extension module `_engine`, which is missing if jigsat was installed without a C compiler, and in a browser `wasm`.
"""

from __future__ import annotations

import sys
from array import array
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jigsat.formula import Cardinality, Formula

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine

INSTALL = "install a C compiler, then: pip install --force-reinstall --no-deps --no-cache-dir jigsat"


def is_compiled() -> bool:
    """Whether the searches were built."""
    if sys.platform == "emscripten":
        from jigsat.backends.engine.wasm import FILE

        return FILE.exists()
    return find_spec(f"{__name__}._engine") is not None


def new_cover(*arguments: Any) -> _engine.Cover:
    """A search for exact covers; the arguments are those of `_engine.Cover`."""
    cover: _engine.Cover = _module().Cover(*arguments)
    return cover


def new_count(*arguments: Any) -> _engine.Count:
    """A search that counts exact covers; the arguments are those of `_engine.Count`."""
    count: _engine.Count = _module().Count(*arguments)
    return count


def new_dive(*arguments: Any) -> _engine.Dive:
    """A random search for one model; the arguments are those of `_engine.Dive`. Not in a browser."""
    dive: _engine.Dive = _module().Dive(*arguments)
    return dive


def new_scan(*arguments: Any) -> _engine.Scan:
    """A search in a fixed order; the arguments are those of `_engine.Scan`. Not in a browser."""
    scan: _engine.Scan = _module().Scan(*arguments)
    return scan


def only_sums(formula: Formula) -> bool:
    """Whether all constraints of a formula are clauses and cardinality constraints, as `numbers_of` requires."""
    return all(isinstance(constraint, Cardinality) for constraint in formula.others())


def numbers_of(formula: Formula) -> array[int]:
    """The constraints of a formula as `new_dive` and `new_scan` read them; see `Constraints.numbers`."""
    numbers = array("i")
    for group in formula.groups.values():
        numbers.extend(group.constraints.numbers())
    return numbers


def _module() -> Any:
    return import_module(f"{__name__}.{'wasm' if sys.platform == 'emscripten' else '_engine'}")
