"""LRAT proofs: checkers other than jigsat's, and damaged proofs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from jigsat.proofs import check_refutation

CAKE_LPR = shutil.which("cake_lpr")


def run_checker(directory: Path) -> subprocess.CompletedProcess[str]:
    """Run `check_refutation.py` as a reader of a certificate does."""
    return subprocess.run(
        [sys.executable, "-I", check_refutation.__file__, "blocked.cnf", "proof.lrat"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )


def accepts(directory: Path) -> bool:
    """The verdict of `check_refutation.py`, without a process of its own."""
    try:
        check_refutation.check_refutation(directory / "blocked.cnf", directory / "proof.lrat")
    except ValueError:
        return False
    return True


def cake_accepts(directory: Path) -> bool:
    """The verdict of cake_lpr, whose exit status is 0 in any case."""
    assert CAKE_LPR
    done = subprocess.run(
        [CAKE_LPR, "blocked.cnf", "proof.lrat"], cwd=directory, capture_output=True, check=False
    )
    return b"s VERIFIED UNSAT" in done.stdout.splitlines()


def is_true_proof(formula: str, proof: str) -> bool:
    """Whether each clause of a proof follows by unit propagation from those that are present, and
    one of them is empty. Hints are ignored."""
    present = {}
    for line in formula.splitlines():
        if line[0] not in "cp":
            present[len(present) + 1] = [int(word) for word in line.split()[:-1]]
    for line in proof.splitlines():
        number, *words = line.split()
        if words[0] == "d":
            for word in words[1:-1]:
                del present[int(word)]
        else:
            clause = [int(word) for word in words[: words.index("0")]]
            if not _leads_to_conflict({-literal for literal in clause}, list(present.values())):
                return False
            if not clause:
                return True
            present[int(number)] = clause
    return False


def _leads_to_conflict(true: set[int], clauses: list[list[int]]) -> bool:
    while True:
        size = len(true)
        for clause in clauses:
            if true.isdisjoint(clause):
                possible = {literal for literal in clause if -literal not in true}
                if not possible:
                    return True
                if len(possible) == 1:
                    true |= possible
        if len(true) == size:
            return any(-literal in true for literal in true)


# -- damage

Damage = Callable[[list[str]], None]
"""Changes the lines of a file."""


def _steps(lines: list[str]) -> list[int]:
    """The places of the lines that add a clause."""
    return [place for place, line in enumerate(lines) if " d " not in line]


def _long_step(lines: list[str]) -> int:
    """The place of a step with hints and literals, in the second half of the proof."""
    steps = [place for place in _steps(lines) if lines[place].split()[1] != "0"]
    return steps[len(steps) // 2]


def drop_step(lines: list[str]) -> None:
    """Drop the last step before the empty clause, which needs it."""
    del lines[_steps(lines)[-2]]


def drop_hint(lines: list[str]) -> None:
    """Drop the last hint of a step: the contradiction."""
    place = _long_step(lines)
    words = lines[place].split()
    lines[place] = " ".join([*words[:-2], "0"])


def replace_hint(lines: list[str]) -> None:
    """Replace the first hint of a step by the last one, which is no unit clause yet."""
    place = _long_step(lines)
    words = lines[place].split()
    first = words.index("0") + 1
    words[first] = words[-2]
    lines[place] = " ".join(words)


def flip_literal(lines: list[str]) -> None:
    place = _long_step(lines)
    words = lines[place].split()
    words[1] = str(-int(words[1]))
    lines[place] = " ".join(words)


def cut_file(lines: list[str]) -> None:
    del lines[2 * len(lines) // 3 :]
    lines[-1] = lines[-1][: len(lines[-1]) // 2]


def delete_early(lines: list[str]) -> None:
    """Delete a hint of the empty clause before it is used."""
    words = lines[-1].split()
    lines.insert(-1, f"{int(words[0]) - 1} d {words[-2]} 0")


def swap_steps(lines: list[str]) -> None:
    """Exchange the last two steps."""
    last, other = _steps(lines)[-1], _steps(lines)[-2]
    lines[last], lines[other] = lines[other], lines[last]


DAMAGE: Mapping[str, Damage] = {
    "a dropped step": drop_step,
    "a dropped hint": drop_hint,
    "a wrong hint": replace_hint,
    "a flipped literal": flip_literal,
    "a cut file": cut_file,
    "a deleted clause that is used later": delete_early,
    "the wrong order": swap_steps,
}


def damage(directory: Path, change: Damage) -> None:
    """Change the proof in a directory."""
    path = directory / "proof.lrat"
    lines = path.read_text().splitlines()
    change(lines)
    path.write_text("".join(f"{line}\n" for line in lines))


def drop_blocking_clause(directory: Path) -> None:
    """Drop the last clause of the formula, which rules out a solution, and count it no more."""
    path = directory / "blocked.cnf"
    lines = path.read_text().splitlines()
    del lines[-1]
    header = next(i for i, line in enumerate(lines) if line.startswith("p cnf"))
    lines[header] = re.sub(r"\d+$", lambda match: str(int(match[0]) - 1), lines[header])
    path.write_text("".join(f"{line}\n" for line in lines))
