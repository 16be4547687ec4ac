"""jigsat finds every solution of a puzzle, counts how many are really different, and proves that
none is missing.

    load         read a puzzle by name, or from a file, a text or a dict
    load_all     read every puzzle of a file
    solutions    iterate over the distinct solutions
    count        count the solutions, in total and up to symmetry
    solutions_in_order  list the solutions in sorted order, from the n-th on
    sample       draw random solutions, all equally likely
    estimate     estimate the number of solutions without solving
    minimum      minimise the objective, such as the number of presses
    unique       find out whether there is exactly one solution
    unique_each  the same for many puzzles, in several processes
    candidates   find out what can be placed where
    alternatives  list what can be at a place, such as the words of a slot
    draw_candidates  draw what can be placed where
    read_placements  read placements from a file
    steps        explain how it is solved by logic
    walkthrough  write a page to click through the steps
    hint         find out where to look next, or what is wrong
    reasons      find simple reasons why there is no solution
    rate         rate the difficulty
    grade        grade a sudoku by the techniques that it needs
    rate_each    the same for many puzzles, in several processes
    best         find boards on which as many edges as possible match
    explain      describe the encoding
    handout      write a page that describes the encoding
    judge_clues  find out which clues are needed
    generate     generate new puzzles
    sheet        write pages to print
    prove        write a proof that no solution is missing
    check        check such a proof
    export       write the formula to a file for other programs
    decode       check the answer of such a program
    import_file  write another program's puzzles as an instance
    faults       list what is wrong in files of puzzles
    save         write a puzzle as an instance
    save_pictures  write pictures of solutions to a file
    compare      run several backends side by side
    read_runs    read the runs of an earlier comparison, and draw them again
    models       iterate over the models of a `Formula`, with or without a puzzle
    ledger_report  show the state of a long search that is kept in a file
    audit        verify such a file
    list_instances  the names of the instances that come with jigsat
    list_backends  the solvers, and what each can do
    schema       the JSON Schema of instance files
    start_family  start a puzzle family of your own
    register     add a puzzle family of your own
    serve        serve the page
    main         run the command line

    Puzzle       what `load` returns, and the base class of families
    Solution     what `solutions` yields: the placements, with a picture
    Enumeration  the iterator that `solutions` and `models` return; `result` is its `Result`
    Result       what `count` and `minimum` return; `Answer`, `Best`, `Candidates`, `Estimate`,
                 `Explanation`, `Fault`, `Hint`, `Rating`, `RatingAnswer`, `Reason`, `Step` and
                 `Verdict` are others
    Formula      variables and constraints without a puzzle
    Variables    a family of variables, which `Formula.variables` makes; `ANY` is every value of
                 an axis, like `:`
    Choice       a variable with several values, which `Formula.choice` makes
    Assignment   what `models` yields: the values of the variables
    Lowering     how constraints become clauses; `Lowered` is a formula as clauses
    Measures     the lengths of pieces as objects, for `export` to a laser cutter or a 3-D printer
    Group        symmetries of a formula; `Symmetry` is one of a puzzle
    InputError   the input is wrong; `Stopped` and `CheckError` are the other exceptions

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
    """Import names on demand, so that the command line can react to Ctrl-C before anything big is
    imported."""
    # otherwise a submodule is being imported
    asked = not name.startswith("_") and find_spec(f"{__name__}.{name}") is None
    if asked or name in ("__all__", "__version__"):
        api = import_module("jigsat.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}{_hint(name) if asked else ''}"
    )


def _hint(name: str) -> str:
    """The public name that is probably meant; that of a command may differ from the function's."""
    from jigsat.errors import nearest  # seldom needed

    public = {"solve": "solutions"}.get(name) or nearest(name, __dir__())
    return f"; did you mean `{public}`?" if public else ""


def __dir__() -> list[str]:
    return list(import_module("jigsat.api").__all__)
