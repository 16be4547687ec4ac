"""Checking DRAT proofs of unsatisfiability with an independent program: dratify or drat-trim."""

import shutil
import subprocess
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.runtime import untrusted

# maximum size in bytes of a proof for dratify, which holds it in memory. drat-trim reads larger
# ones.
MAX_PROOF_BYTES = 2**30

NO_CHECKER = (
    "not verified: all other checks passed, but no proof checker was found; "
    "install dratify (pip install dratify), or put drat-trim on your PATH"
)


def verify(cnf: Path, proof: Path) -> str:
    """Check that the proof refutes the formula; return the name of the checker.

    Raises CheckError if it does not, InputError if no checker is installed. The compiled core of
    dratify is preferred, then drat-trim, then dratify's core in Python, which is about fifteen
    times slower.
    """
    compiled = _has_compiled_core()
    if not compiled and (program := shutil.which("drat-trim")):
        return _by_drat_trim(program, cnf, proof)
    if compiled is None:
        raise InputError(NO_CHECKER)
    return _by_dratify(cnf, proof, compiled)


def _has_compiled_core() -> bool | None:
    """Whether dratify has its compiled core; None if dratify is not installed."""
    try:
        import dratify
    except ImportError:
        return None
    with suppress(ImportError):
        import cdclkit_native

        dratify.register_native(cdclkit_native)
    return dratify.native_available()


def _by_dratify(cnf: Path, proof: Path, compiled: bool) -> str:
    """Check with dratify in two ways, each of which is sound: RUP steps with deletions, then RAT
    steps without.

    Combining deletions with RAT steps is unsound in dratify 0.1.10: after deletion of a clause that
    made a literal true, it keeps the literal but ignores the clause when it collects the resolution
    candidates of a RAT step. So it accepts `d 1 2 0`, `-1 0`, `0` as a refutation of {¬2, 1 ∨ 2}.
    RUP steps are sound whatever was deleted, and RAT steps are sound if nothing was.
    """
    import dratify

    try:
        # labels in comments may be in any script
        formula = dratify.parse_dimacs(cnf.read_text(encoding="utf-8"))
        steps = dratify.parse_proof(untrusted.content(proof, MAX_PROOF_BYTES).decode("ascii"))
        for rat in (False, True):
            result = dratify.check_proof(
                formula,
                steps,
                check_rat=rat,
                apply_deletions=not rat,
                engine="native" if compiled else "python",
            )
            if result.ok:
                return f"dratify {version('dratify')}" + (", compiled" if compiled else "")
    except UnicodeDecodeError as error:
        complaint = (
            f"byte {error.start + 1} is not text; proofs in the binary format are not supported"
        )
        raise CheckError(f"{proof.name}: {complaint}") from None
    except ValueError as error:
        raise CheckError(f"{proof.name}: {error}") from error
    clause = result.failed_clause
    where = (
        ""
        if clause is None
        else f"step {result.failed_step}, '{' '.join(str(dratify.to_dimacs(x)) for x in clause)} "
        f"0': "
    )
    raise CheckError(f"{proof.name}: {where}{result.reason}")


def _by_drat_trim(program: str, cnf: Path, proof: Path) -> str:
    forever = "1000000000"
    run = subprocess.run(
        [program, cnf, proof, "-t", forever],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    verdict = [line.strip() for line in run.stdout.splitlines() if line.startswith("s ")]
    if verdict == ["s VERIFIED"] and run.returncode == 0:
        return "drat-trim"
    if verdict == ["s NOT VERIFIED"]:
        raise CheckError(f"{proof.name}: drat-trim does not verify it")
    raise Stopped(
        f"drat-trim ended with exit status {run.returncode}: {' '.join(verdict) or 'no verdict'}"
    )
