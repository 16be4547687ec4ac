"""Reading the answer of a solver program; its exit status and its output must agree.

>>> read_verdict(10, ["c a comment", "s SATISFIABLE", "v 1 -2", "v 3 0"], top=3)
[1, -2, 3]
>>> read_verdict(20, ["s UNSATISFIABLE"], top=3)
>>> read_verdict(20, ["s SATISFIABLE", "v 1 0"], top=3)
Traceback (most recent call last):
ValueError: exit status 20 means UNSATISFIABLE, but it says SATISFIABLE
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

MEANING = {10: "SATISFIABLE", 20: "UNSATISFIABLE", 30: "SATISFIABLE"}
"""The meaning of exit statuses; 30 is clasp's, for a model that is the only one."""

MINISAT = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}


def result_file(path: Path) -> Iterator[str]:
    """The lines of MiniSat's result file in the format of SAT competitions: 's SATISFIABLE' for SAT, 'v 1 0' for '1 0'."""
    for i, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines()):
        yield f"v {line}" if i else f"s {MINISAT.get(line, line)}"


def read_verdict(status: int, lines: Iterable[str], top: int) -> list[int] | None:
    """The literals of the model over the variables 1 to `top`, or None if the answer is UNSATISFIABLE.

    Raises ValueError for an answer that is malformed, contradictory or truncated.
    """
    lines = list(lines)
    if status not in MEANING:
        raise ValueError(": ".join([f"it ended with exit status {status}", *[line for line in lines if line.strip()][-1:]]))
    verdicts = [line[2:].strip() for line in lines if line.startswith("s ")]
    if verdicts != [MEANING[status]]:
        raise ValueError(f"exit status {status} means {MEANING[status]}, but it says {' and '.join(verdicts) or 'nothing'}")
    values = [word for line in lines if line[:2] in ("v", "v ") for word in line[2:].split()]
    if bool(values) != (verdicts == ["SATISFIABLE"]):
        raise ValueError(f"it says {verdicts[0]} and gives {'a' if values else 'no'} model")
    for word in values:
        if not word.removeprefix("-").isdecimal() or abs(int(word)) > top:
            raise ValueError(f"{word[:20]!r} in its model is not a literal of the formula")
    if not values:
        return None
    *literals, end = map(int, values)
    if end != 0 or 0 in literals:
        raise ValueError("its model does not end with a single 0")
    if len(set(map(abs, literals))) < len(set(literals)):
        raise ValueError("a variable is both true and false in its model")
    return literals
