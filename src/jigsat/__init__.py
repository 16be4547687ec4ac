"""jigsat finds every solution of a puzzle, counts how many are really different, and proves that none is missing.

    load        read a puzzle by name, or from a file, a text or a dict
    solutions   iterate over the distinct solutions
    count       count the solutions, in total and up to symmetry
    sample      draw random solutions, all equally likely
    estimate    estimate the number of solutions without solving
    minimum     minimise the objective, such as the number of presses
    unique      find out whether there is exactly one solution
    rate        rate the difficulty
    explain     describe the encoding
    generate    generate new puzzles
    export      write the formula to a file for other programs
    decode      check the answer of such a program
    compare     run several backends side by side
    models      iterate over the models of a `Formula`, with or without a puzzle
    register    add a puzzle family of your own

>>> import jigsat
>>> for solution in jigsat.solutions("cats"):
...     print([placement.tile for placement in solution.placements])
['2', '1', '6', '8', '9', '7', '5', '3', '4']
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jigsat.api import *  # noqa: F403
    from jigsat.api import __all__, __version__  # noqa: F401


def __getattr__(name: str) -> Any:
    """Import names on demand, so that the command line can react to Ctrl-C before anything big is imported."""
    asked = not name.startswith("_") and find_spec(f"{__name__}.{name}") is None  # otherwise a submodule is being imported
    if asked or name in ("__all__", "__version__"):
        api = import_module("jigsat.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(import_module("jigsat.api").__all__)
