"""Check that no assignment makes all clauses of a formula true:

    python3 check_refutation.py blocked.cnf proof.lrat

It needs nothing but Python 3.11. It prints `s VERIFIED UNSAT` and ends with exit status 0, or names
the line that is wrong and ends with 1, or is interrupted and ends with 130. docs/proofs.md of
jigsat explains the files.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

MAX_LINE_BYTES = 2**28  # a longer line is refused, as of a device that never ends

# numbers of at most ten digits, each followed by one space, and 0 at the end
NUMBERS = re.compile(rb"((0|-?[1-9][0-9]{0,9}) )*+0\n")


def refuse(place: str, reason: str) -> NoReturn:
    raise ValueError(f"{place}: {reason}")


def read_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            place = f"{path.name}: line {number}"
            if len(line) == MAX_LINE_BYTES:
                refuse(place, "too long")
            yield place, line


def read_numbers(place: str, line: bytes) -> list[int]:
    if not NUMBERS.fullmatch(line):
        refuse(place, "not a list of numbers that ends with 0")
    return [int(word) for word in line.split()[:-1]]


def read_formula(path: Path) -> dict[int, frozenset[int]]:
    """The clauses, numbered from 1."""
    clauses: dict[int, frozenset[int]] = {}
    variables, stated = 0, None
    for place, line in read_lines(path):
        if line.startswith(b"p cnf ") and stated is None:
            header = read_numbers(place, line[6:-1] + b" 0\n")
            if len(header) != 2:
                refuse(place, "not a header with two numbers")
            variables, stated = header
        elif not line.startswith(b"c"):
            literals = read_numbers(place, line)
            if not all(1 <= abs(literal) <= variables for literal in literals):
                refuse(place, f"not a clause of the variables 1 to {variables}")
            clauses[len(clauses) + 1] = frozenset(literals)
    if stated is None:
        refuse(path.name, "has no header")
    if len(clauses) != stated:
        refuse(path.name, f"has {len(clauses)} clauses, but its header states {stated}")
    return clauses


def follows(clause: frozenset[int], hints: list[int], clauses: dict[int, frozenset[int]]) -> bool:
    """Whether the clauses named by the hints, one after the other, lead to a contradiction if all
    literals of this clause are false."""
    false = set(clause)
    for hint in hints:
        if hint not in clauses:
            return False
        possible = clauses[hint] - false
        if len(possible) == 0:
            return True  # all literals of this clause are false
        if len(possible) > 1:
            return False
        (literal,) = possible  # the only one that can make this clause true
        false.add(-literal)
    return False


def check_refutation(formula: Path, proof: Path) -> None:
    """Raise ValueError unless the proof derives the empty clause from the formula."""
    clauses = read_formula(formula)
    newest = len(clauses)
    for place, line in read_lines(proof):
        step, _, rest = line.partition(b" ")
        if step.isdigit() and rest.startswith(b"d "):
            for number in read_numbers(place, rest.removeprefix(b"d ")):
                if number not in clauses:
                    refuse(place, f"there is no clause {number} to delete")
                del clauses[number]
        else:
            numbers = read_numbers(place, line)
            if numbers.count(0) != 1 or numbers[0] <= newest:
                refuse(place, f"not a number above {newest}, a clause, 0 and hints")
            newest = numbers[0]
            clause = frozenset(numbers[1 : numbers.index(0)])
            hints = numbers[numbers.index(0) + 1 :]
            if not follows(clause, hints, clauses):
                refuse(place, f"clause {newest} does not follow by its hints")
            clauses[newest] = clause
    if frozenset() not in clauses.values():
        refuse(proof.name, "the empty clause is missing at the end")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        check_refutation(Path(sys.argv[1]), Path(sys.argv[2]))
    except KeyboardInterrupt:
        print("stopped: nothing is verified", file=sys.stderr)
        sys.exit(130)
    except MemoryError:
        sys.exit("refused: there is not enough memory")
    except (OSError, ValueError) as error:
        sys.exit(f"refused: {error}")
    print("s VERIFIED UNSAT")


if __name__ == "__main__":
    main()
