"""One call that tests a backend."""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path

from jigsat.backends import Spec, confirm, find
from jigsat.errors import CheckError
from jigsat.proofs.drat import verify

FORMULAS_PER_TEST = 90  # number of random formulas of each test
HANGING_AFTER_S = 600.0  # seconds after which a backend hangs; those that start a program for each call need half a minute


def check_backend(backend: str | Spec, *, seed: int = 0) -> None:
    """Test a backend, given by its name or specification, on small formulas whose truth tables are known.

    This is the test by which `jigsat backends` confirms capabilities, with more formulas, and proofs.

    Raises AssertionError unless

    - it can be opened, unless it only counts, and neither crashes nor hangs;
    - it finds exactly the models of random formulas, with every kind of constraint that it accepts; a backend without the
      capability `clauses` may refuse formulas by raising InputError, but not all of them;
    - constraints that are added after `solve` hold, and an unsatisfiable formula remains unsatisfiable;
    - assumptions hold for a single call, `limit` holds, and the results of `propagate` and `core` are correct;
    - it refuses unsupported constraints with a message and does not ignore them;
    - `statistics` returns integers by name, and two open solvers do not affect each other;
    - `count`, `rank` and `refute`, if the specification has them, are correct; proofs are verified.

    A different `seed` gives different formulas.

    >>> from jigsat.testing import check_backend
    >>> check_backend("minisat22")
    """
    spec = find(backend) if isinstance(backend, str) else backend
    faults = confirm(spec, formulas=FORMULAS_PER_TEST, seed=seed, patience=HANGING_AFTER_S).faults
    if faults:
        raise AssertionError(f"{spec.name}: {faults[0]}")
    if spec.refute:
        _check_proofs(spec.name, spec.refute)


def _check_proofs(name: str, refute: Callable[[Iterable[Sequence[int]]], list[str] | None]) -> None:
    if refute([[1, 2], [-1, 2]]) is not None:
        raise AssertionError(f"{name}: refute() must return None for clauses that have a model")
    square = [[a, b, c] for a, b, c in product((1, -1), (2, -2), (3, -3))]
    lines = refute(square)
    if lines is None:
        raise AssertionError(f"{name}: refute() returns no proof for clauses that have no model")
    with tempfile.TemporaryDirectory() as folder:
        cnf, proof = Path(folder) / "refuted.cnf", Path(folder) / "refuted.drat"
        cnf.write_text("p cnf 3 8\n" + "".join(f"{a} {b} {c} 0\n" for a, b, c in square))
        proof.write_text("\n".join(lines) + "\n")
        try:
            verify(cnf, proof)
        except CheckError as error:
            raise AssertionError(f"{name}: refute() returns a wrong proof: {error}") from error
