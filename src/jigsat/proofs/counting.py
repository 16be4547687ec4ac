"""Certificates of counts: the number of solutions and of distinct ones, without a list.

The formula is an exact cover with bounds, without auxiliary variables. The certificate contains

- the instance file;
- `formula.opb`, as `jigsat export` writes it;
- `solutions.json`, which has only the counts;
- `symmetries.json` and `README.md`, as in other certificates;
- `graphs.txt.xz`: for each conjugacy class of the symmetries a graph that shows how many solutions they fix (Burnside's lemma);
  `jigsat.proofs.graph` describes it;
- `check_count.py`, a program of a single file that checks the graphs without jigsat.
"""

import lzma
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from jigsat.backends import counting, frontier
from jigsat.errors import unwritable
from jigsat.formula import Formula
from jigsat.proofs.graph import Cover, Fixed, Splits, constraints_of, write_graph
from jigsat.symmetry import LEVELS, Group, conjugacy_classes, generators, preserves

PROOF = "graphs.txt.xz"
CHECKER = "check_count.py"
DESCRIBED = {
    "formula.opb": "the puzzle as a formula; comments name each variable and each group of constraints",
    "solutions.json": "the counts",
    "symmetries.json": "the symmetries of the puzzle: the image of each of the variables",
    PROOF: "graphs that show the counts",
    CHECKER: "a program that checks them",
}
NOT_COUNTABLE = (
    "no certificate of the count can be made; it needs a formula of items and bounds on its decision variables alone, without "
    "labels, and symmetries that preserve it"
)
"""The message for a formula that `is_plain_cover` refuses."""

FILES = (*DESCRIBED, "README.md")  # files in a certificate of a count besides the instance file
COMPRESSION_LEVEL = 0  # level of compression: higher ones take more memory and time, for files that are not smaller


def steps() -> list[str]:
    """Instructions for checking it without jigsat."""
    return [
        f"""\
`{CHECKER}` is a program of 200 lines. It reads `formula.opb`, `symmetries.json` and `{PROOF}`, and prints the counts:

        python3 {CHECKER}
""",
        "Read the program, or write your own: docs/proofs.md of jigsat explains what the graphs prove.",
        """\
`symmetries.json` may have fewer symmetries than the puzzle, or others. The program verifies that they form a group and map the
   formula to itself; whether they are those up to which you want to count is for you to judge.""",
    ]


def fits(formula: Formula, group: Group) -> bool:
    """Whether a certificate of the count can be made."""
    return counting.is_plain_cover(formula) and preserves(formula, *generators(group.levels[LEVELS[-1]]))


def checker() -> list[str]:
    """The lines of the program that checks the graphs without jigsat."""
    return Path(__file__).with_name(CHECKER).read_text(encoding="utf-8").splitlines()


def write_graphs(
    path: Path, formula: Formula, group: Group, listed: Sequence[Sequence[int]], splits: Splits = MappingProxyType({})
) -> Fixed:
    """Write the graphs of all symmetries; returns how many solutions each symmetry fixes.

    `listed` are the images of the variables, in the order of `symmetries.json`. Items are decided in the order in which the
    counter decides them; without a symmetry, those of the splits come first.
    """
    constraints, largest = constraints_of(formula), group.levels[LEVELS[-1]]
    number = {tuple(images): at for at, images in enumerate(listed, 1)}
    fixed = Fixed()
    try:
        with lzma.open(path, "wt", preset=COMPRESSION_LEVEL, encoding="ascii") as file:
            for alike in conjugacy_classes(largest):
                cover = Cover(constraints, dict(zip(formula.decisions(), alike[0], strict=True)))
                items = list(cover.options)
                best = frontier.order(frontier.Items([list(frontier.bits(cover.options[item])) for item in items]))
                first = splits if [*alike[0]] == formula.decisions() else {}
                file.write(f"symmetry {number[alike[0]]}\n")
                fixed |= dict.fromkeys(alike, write_graph(file, cover, [items[at] for at in best], first))
    except OSError as error:
        raise unwritable(path, error) from error
    return fixed
