"""Model counters of other packages, as a second opinion on counts.

They count the models of the clauses, projected on the decision variables. Each runs in another
process, so that it can be stopped at any time, and what it prints is dropped. Only counters that
agree with truth tables are here: tididi-cnf 0.1.2 counts 1 instead of 2 models if a variable that
is shown occurs in no clause.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from jigsat.backends.base import Spec
from jigsat.errors import NotWorthwhile, Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.runtime.child import apart, drop_output

Clauses: TypeAlias = Sequence[Sequence[int]]

INSTALL = "pip install 'jigsat[counters]'"

MAX_AGREEING_S = 60.0  # time limit of a counter in seconds, if `auto` asks two of them


def specs() -> Iterator[Spec]:
    for name, library, module, count in (
        ("d4", "d4solver", "py_d4", _d4),
        ("ganak", "pyganak", "pyganak", _ganak),
    ):
        counter = partial(_count, module, count)
        yield Spec(
            name, library, INSTALL, open=None, establishes=f"counting by {name}", count=counter
        )


def find_two_counters() -> Spec | None:
    """Two different counters that must agree, so that neither has to be believed; None unless both
    are installed."""
    one, other = specs()
    if not (find_spec("py_d4") and find_spec("pyganak")):
        return None
    names = f"{one.name} and {other.name}"
    return Spec(
        names,
        names,
        INSTALL,
        open=None,
        establishes=f"counting by {names}",
        count=partial(_count_twice, one, other),
    )


def _count_twice(one: Spec, other: Spec, formula: Formula) -> int:
    """The number of models according to both. Raises NotWorthwhile if they disagree or take longer
    than `MAX_AGREEING_S`."""
    try:
        first, second = (
            apart(spec.count, formula, timeout=MAX_AGREEING_S)
            for spec in (one, other)
            if spec.count
        )
    except Stopped as stopped:
        raise NotWorthwhile(f"a counter was stopped: {stopped}") from stopped
    if first != second:
        raise NotWorthwhile(
            f"{one.name} counts {first:,} models and {other.name} {second:,}, so neither is "
            f"believed"
        )
    return first


def _count(module: str, count: Callable[[Clauses, int, list[int]], int], formula: Formula) -> int:
    """The number of models that differ on the decision variables. Raises ImportError if the package
    is not installed."""
    if find_spec(module) is None:
        raise ImportError(f"{module} is not installed")
    lowered = Lowered(formula)
    clauses = [clause.literals for clause in lowered if isinstance(clause, Clause)]
    return apart(count, clauses, lowered.top, formula.decisions())


def _d4(clauses: Clauses, top: int, shown: list[int]) -> int:
    """D4 (Lagniez and Marquis 2017). Only its reader of files supports projection."""
    drop_output()
    from py_d4 import Solver

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "formula.cnf")
        lines = [f"p cnf {top} {len(clauses)}", f"c p show {' '.join(map(str, shown))} 0"]
        lines += [f"{' '.join(map(str, clause))} 0" for clause in clauses]
        file.write_text("\n".join(lines) + "\n")
        return int(Solver(str(file)).count().getResult())


def _ganak(clauses: Clauses, top: int, shown: list[int]) -> int:
    """Ganak (Sharma, Roy, Soos and Meel 2019)."""
    drop_output()
    from pyganak import Counter

    counter = Counter()
    counter.new_vars(top)
    counter.set_sampling_set(shown)
    counter.add_clauses(clauses)
    return int(counter.count())
