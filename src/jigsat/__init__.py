"""jigsat: puzzles as SAT formulas, all their solutions, counted up to symmetry, each one checked.

>>> import jigsat
>>> for solution in jigsat.solutions("cats"):
...     print([placement.tile for placement in solution.placements])
['2', '1', '6', '8', '9', '7', '5', '3', '4']
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jigsat.cli import main
    from jigsat.errors import CheckError, InputError, Stopped
    from jigsat.formula import ANY, Formula, Lowered, Lowering
    from jigsat.instance import load, register
    from jigsat.puzzle import Puzzle, Solution
    from jigsat.solving import Enumeration, Result
    from jigsat.symmetry import Group

__all__ = [
    "ANY", "CheckError", "Enumeration", "Formula", "Group", "InputError", "Lowered", "Lowering", "Puzzle", "Result",
    "Solution", "Stopped", "count", "load", "main", "minimum", "register", "solutions",
]  # fmt: skip

_HOMES = {
    "cli": ("main",),
    "solving": ("Enumeration", "Result"),
    "errors": ("CheckError", "InputError", "Stopped"),
    "formula": ("ANY", "Formula", "Lowered", "Lowering"),
    "instance": ("load", "register"),
    "puzzle": ("Puzzle", "Solution"),
    "symmetry": ("Group",),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: the command line must be able to answer Ctrl-C before it has imported anything big."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"jigsat.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def solutions(instance: str | Path | Puzzle, **options: Any) -> Enumeration:
    """The distinct solutions of an instance, lazily; `options` are those of `Enumeration`.

    >>> cubes = solutions("cube", up_to="reflection")
    >>> len(list(cubes)), cubes.result.solutions, cubes.result.complete
    (2, 96, True)
    """
    from jigsat.instance import load
    from jigsat.puzzle import Puzzle
    from jigsat.solving import Enumeration

    return Enumeration(instance if isinstance(instance, Puzzle) else load(instance), **options)


def minimum(instance: str | Path | Puzzle, **options: Any) -> Result:
    """The least number of what a puzzle would have few of, and how many solutions attain it.

    >>> fewest = minimum("lights-5x5")
    >>> fewest.minimum, fewest.solutions, fewest.distinct
    (15, 4, {'rotation': 1, 'reflection': 1})
    """
    return count(instance, minimize=True, **options)


def count(instance: str | Path | Puzzle, **options: Any) -> Result:
    """How many solutions an instance has, all in all and up to each of its symmetries.

    >>> count("cube").distinct
    {'rotation': 4, 'reflection': 2}
    """
    enumeration = solutions(instance, **{"up_to": "reflection", **options})
    for _ in enumeration:
        pass
    return enumeration.result
