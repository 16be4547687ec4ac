"""A solver that tries all assignments of a DIMACS file, for programs that tests make up."""

import sys
from itertools import product
from pathlib import Path


def main() -> int:
    rows = []
    top = 0
    for line in Path(sys.argv[1]).read_text().splitlines():
        words = line.split()
        if words[:1] == ["p"]:
            top = int(words[2])
        elif words and words[0] != "c":
            rows.append([int(word) for word in words[:-1]])
    for values in product((False, True), repeat=top):
        if all(any(values[abs(x) - 1] == (x > 0) for x in row) for row in rows):
            literals = [i if value else -i for i, value in enumerate(values, 1)]
            print("s SATISFIABLE")
            print("v", *literals, 0)
            return 10
    print("s UNSATISFIABLE")
    return 20


if __name__ == "__main__":
    sys.exit(main())
