"""jigsat finds every solution of a puzzle, counts how many are really different, and proves that none is missing.

    load        a puzzle by its name, or from a file, a text or a dict
    solutions   its distinct solutions, one by one
    count       how many there are, all in all and up to symmetry
    minimum     the least objective, such as the fewest presses
    unique      whether there is exactly one solution
    rate        how hard the puzzle is
    explain     how it is encoded
    generate    new puzzles
    export      the formula as a file for other programs
    decode      the answer of such a program, checked
    compare     backends side by side
    models      the models of a formula without a puzzle (`Formula`)
    register    a family of puzzles of one's own

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
    """Import what is asked for: the command line must be able to answer Ctrl-C before it has imported anything big."""
    asked = not name.startswith("_") and find_spec(f"{__name__}.{name}") is None  # else a submodule is being imported
    if asked or name in ("__all__", "__version__"):
        api = import_module("jigsat.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(import_module("jigsat.api").__all__)
