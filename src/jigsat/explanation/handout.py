"""A handout: the encoding of a puzzle on one page, for teaching."""

import textwrap
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.explanation.summary import MAX_SHOWN_LITERALS, describe_constraint
from jigsat.formats.dimacs import cnf_lines, xnf_lines
from jigsat.formula import Formula, Lowered, Lowering, Xor
from jigsat.pictures.pages import (
    GAP,
    LINE_SPACING,
    MARGIN,
    MONOSPACED,
    PAPERS,
    PaperPage,
    aspect_of,
    wrap_text,
)
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle, Solution
from jigsat.words import plural

TITLE, HEAD, TEXT, CODE = 6.0, 4.0, 3.1, 2.45  # text sizes in millimetres
NARROW_LETTER = 0.602  # width of a letter of the monospaced font, as a multiple of its size
MAX_WHOLE_LITERALS = 24  # maximum number of literals of an example that is shown whole
# number of constraints of a group among which the shortest is the example
SAMPLED_CONSTRAINTS = 1000
SHOWN_VARIABLES, SHOWN_GROUPS, SHOWN_CLAUSES, SHOWN_NAMES = 6, 9, 3, 2
# of the text below the pictures; the first that leaves enough room for them is used
SCALES = (
    1.8,
    1.5,
    1.2,
    1.1,
    1.0,
    0.9,
    0.8,
)
TALLEST, WANTED, LOWEST = 88.0, 70.0, 40.0
"""Heights of the pictures: the maximum, and the minimum above text of full size and above smaller
text."""

GREY, ACCENT = "#555", "#1a5fc4"


class _Line(NamedTuple):
    """A line of the handout: text on the left, and a number on the right."""

    text: str
    right: str = ""
    size: float = TEXT
    code: bool = False
    bold: bool = False
    colour: str = "#111"


def handout(puzzle: Puzzle, answer: Solution | str, lowering: Lowering | None = None) -> str:
    """The encoding of a puzzle on one page, as an SVG document, with its picture, a solution and
    the start of a DIMACS file."""
    formula = puzzle.encode()
    page = PaperPage(PAPERS["a4"])
    lowered = Lowered(formula, lowering)
    sizes = lowered.sizes()
    wide = page.right - page.left
    lines = [*_variables(formula), *_groups(formula, sizes), *_totals(formula, lowered, sizes)]
    lines += _dimacs(puzzle, formula, lowering)
    y = page.lines(
        wrap_text(puzzle.title or puzzle.name, TITLE, wide, most=2),
        MARGIN,
        MARGIN,
        TITLE,
        font_weight="bold",
    )
    y = (
        page.lines(wrap_text(puzzle.summary(), 3.6, wide, most=2), MARGIN, y, 3.6, fill=GREY)
        + 0.6 * GAP
    )
    free = page.paper.height - MARGIN - y - 2 * GAP - HEAD * LINE_SPACING
    pictures = opening(puzzle.parts()), answer if isinstance(answer, str) else answer.svg()
    tallest = min(
        TALLEST,
        max(wide / 2 * aspect_of(picture) for picture in pictures if picture.startswith("<")),
    )
    for scale in SCALES:
        scaled = [
            part for line in lines for part in _wrap(line._replace(size=scale * line.size), wide)
        ]
        left = free - sum(line.size * LINE_SPACING for line in scaled)
        if left >= min(tallest, WANTED if scale >= 1 else LOWEST):
            break
    y = _pictures(page, pictures, y, max(LOWEST, min(tallest, left))) + GAP
    for line in scaled:
        y = _write(page, line, y)
    return str(page)


def _pictures(page: PaperPage, pictures: tuple[str, str], y: float, height: float) -> float:
    """Draw the puzzle on the left and its solution, or a sentence, on the right; returns where they
    end."""
    width = (page.right - page.left - 2 * GAP) / 2
    low = y
    top = y + HEAD * LINE_SPACING + 1
    for x, title, content in zip(
        (page.left, page.left + width + 2 * GAP),
        ("The puzzle", "A solution"),
        pictures,
        strict=True,
    ):
        page.text(title, x, y + HEAD, HEAD, font_weight="bold", fill=ACCENT)
        if not content.startswith("<"):
            low = max(low, page.lines(wrap_text(content, TEXT, width), x, top, TEXT))
            continue
        wide = min(width, height / aspect_of(content))
        page.picture(ElementTree.fromstring(content), x, top, wide, wide * aspect_of(content))
        low = max(low, top + wide * aspect_of(content))
    return low


def _wrap(line: _Line, wide: float) -> Iterator[_Line]:
    """A line in parts that fit the page, with the number on the right of the first one."""
    room = wide - len(line.right) * line.size * 0.5 - 2
    parts: list[str] = []
    if line.code:
        letters = int(room / (NARROW_LETTER * line.size))
        parts = textwrap.wrap(line.text, letters)
    first, *others = parts or wrap_text(line.text, line.size, room) or [""]
    yield line._replace(text=first)
    indent = "  " if line.code else ""
    for text in others:
        yield line._replace(text=f"{indent}{text}", right="")


def _write(page: PaperPage, line: _Line, y: float) -> float:
    """Write a line below y; returns where it ends."""
    weight = {"font_weight": "bold"} if line.bold else {}
    font = {"font_family": MONOSPACED, "style": "white-space: pre"} if line.code else {}
    page.text(line.text, page.left, y + line.size, line.size, fill=line.colour, **weight, **font)
    if line.right:
        page.text(
            line.right, page.right, y + line.size, line.size, fill=line.colour, text_anchor="end"
        )
    return y + line.size * LINE_SPACING


def _heading(text: str) -> Iterator[_Line]:
    yield _Line("", size=0.5 * TEXT)
    yield _Line(text, size=HEAD, bold=True, colour=ACCENT)


def _more(number: int, shown: int, what: str) -> Iterator[_Line]:
    if number > shown:
        yield _Line(f"and {plural(number - shown, what)} more", colour=GREY)


def _variables(formula: Formula) -> Iterator[_Line]:
    """Each family of variables and what it means."""
    yield from _heading("Variables")
    for family in islice(formula.families.values(), SHOWN_VARIABLES):
        kind = "" if family.decision else "auxiliary "
        yield _Line(
            f"{family.name}({', '.join(family.axes)})",
            plural(len(family), f"{kind}variable"),
            bold=True,
        )
        if family.meaning:
            yield _Line(family.meaning.replace("`", ""))
    yield from _more(len(formula.families), SHOWN_VARIABLES, "kind of variable")


def _groups(formula: Formula, sizes: dict[str, int]) -> Iterator[_Line]:
    """Each group of constraints in words, with an example."""
    yield from _heading("Rules, each with a constraint as an example")
    yield _Line(
        "¬ means not, ∨ means or; in a sum, true counts as 1", size=CODE, code=True, colour=GREY
    )
    filled = [group for group in formula.groups.values() if len(group.constraints)]
    for group in filled[:SHOWN_GROUPS]:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in group.kinds().items())
        clauses = f"{kinds}: " * ([*group.kinds()] != ["clause"]) + plural(
            sizes[group.name], "clause"
        )
        yield _Line(group.name[:1].upper() + group.name[1:], clauses, bold=True)
        i, example = min(
            enumerate(islice(group.constraints, SAMPLED_CONSTRAINTS)),
            key=lambda numbered: len(numbered[1][0]),
        )
        rule = formula.rules_of(group.name).get(i)
        most = MAX_WHOLE_LITERALS if len(example[0]) <= MAX_WHOLE_LITERALS else MAX_SHOWN_LITERALS
        words = f"{rule}: " * bool(rule) + describe_constraint(formula, example, most)
        yield _Line(words, size=CODE, code=True, colour=GREY)
    yield from _more(len(filled), SHOWN_GROUPS, "rule")


def _totals(formula: Formula, lowered: Lowered, sizes: dict[str, int]) -> Iterator[_Line]:
    decisions = len(formula.decisions())
    added = lowered.top - formula.top
    parts = [f"{decisions:,} that describe a solution", f"{formula.top - decisions:,} auxiliary"]
    parts.append(f"{added:,} added by the conversion to clauses")
    present = [part for part in parts if not part.startswith("0 ")]
    yield from _heading(
        f"In total: {plural(lowered.top, 'variable')}, {plural(sum(sizes.values()), 'clause')}"
    )
    yield _Line(f"Variables: {', '.join(present)}.")


def _dimacs(puzzle: Puzzle, formula: Formula, lowering: Lowering | None) -> Iterator[_Line]:
    """The beginning of the file for a solver."""
    with_xors = any(isinstance(constraint, Xor) for constraint in formula.others())
    yield from _heading(f"For the solver (DIMACS{' with XOR lines' * with_xors})")
    shown: list[str] = []
    lines = (xnf_lines if with_xors else cnf_lines)(formula, puzzle, lowering)
    for line in lines:
        if line.startswith("p cnf"):
            shown.append(line)
            break
        if line.startswith("c var"):
            number = int(line.split()[2])
            if number <= SHOWN_NAMES:
                shown.append(line)
            elif number == SHOWN_NAMES + 1:
                shown.append(f"c … {formula.top - SHOWN_NAMES:,} more names")
    clauses = (line for line in lines if not line.startswith("c"))
    shown += islice(clauses, SHOWN_CLAUSES)
    yield from (_Line(line, size=CODE, code=True) for line in shown)
    if next(clauses, ""):
        yield _Line("…", size=CODE, code=True)
