"""What a solver program answers: its exit status and its output, believed only where they agree.

>>> read(10, ["c a comment", "s SATISFIABLE", "v 1 -2", "v 3 0"], top=3)
[1, -2, 3]
>>> read(20, ["s UNSATISFIABLE"], top=3)
>>> read(20, ["s SATISFIABLE", "v 1 0"], top=3)
Traceback (most recent call last):
ValueError: exit status 20 means UNSATISFIABLE, but it says SATISFIABLE
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

MEANING = {10: "SATISFIABLE", 20: "UNSATISFIABLE", 30: "SATISFIABLE"}
"""Of an exit status; with 30 clasp says that the model is the only one."""

MINISAT = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}


def result_file(path: Path) -> Iterator[str]:
    """The lines of MiniSat's result file as the competitions want them: SAT is s SATISFIABLE, 1 -2 0 is v 1 -2 0."""
    for i, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines()):
        yield f"v {line}" if i else f"s {MINISAT.get(line, line)}"


def read(status: int, lines: Iterable[str], top: int) -> list[int] | None:
    """The literals of the model over the variables 1 to `top`, or None if it is said that there is none.

    Raises ValueError for an answer that is none, contradicts itself or is cut off.
    """
    lines = list(lines)
    if status not in MEANING:
        raise ValueError(": ".join([f"it ended with exit status {status}", *[line for line in lines if line.strip()][-1:]]))
    said = [line[2:].strip() for line in lines if line.startswith("s ")]
    if said != [MEANING[status]]:
        raise ValueError(f"exit status {status} means {MEANING[status]}, but it says {' and '.join(said) or 'nothing'}")
    values = [word for line in lines if line[:2] in ("v", "v ") for word in line[2:].split()]
    if bool(values) != (said == ["SATISFIABLE"]):
        raise ValueError(f"it says {said[0]} and gives {'a' if values else 'no'} model")
    for word in values:
        if not word.removeprefix("-").isdecimal() or abs(int(word)) > top:
            raise ValueError(f"{word[:20]!r} in its model is no literal of the formula")
    if not values:
        return None
    *literals, end = map(int, values)
    if end != 0 or 0 in literals:
        raise ValueError("its model does not end with the 0 that ends a model")
    if len(set(map(abs, literals))) < len(set(literals)):
        raise ValueError("its model makes a variable both true and false")
    return literals
