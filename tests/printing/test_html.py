"""Web pages that a browser prints: the solutions are legible."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from support.typeset import compose, draw

from jigsat import instance
from jigsat.answering.enumeration import first_solution
from jigsat.pictures.pages import PAPERS
from jigsat.printing.html import MARGIN_MM, SOLUTION_GAP_MM, write_html
from jigsat.printing.parts import Document, PrintedPuzzle, Style, draw_solution


def separate(*puzzles: PrintedPuzzle, style: Style) -> Document:
    """Each puzzle in a chapter of its own."""
    chapters = [compose(puzzle).chapters[0] for puzzle in puzzles]
    return replace(compose(*puzzles, style=style), chapters=chapters)


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_solutions_are_as_wide_as_their_letters_need(paper: str) -> None:
    names = ("sudoku-hard", "cats", "cube", "dinner", "latin-4")
    puzzles = []
    needed = []
    for name, puzzle in zip(names, draw(*names), strict=True):
        solved = instance.load(name)
        solution = draw_solution(solved, first_solution(solved))
        needed.append(solution.pictures[0].width)
        puzzles.append(replace(puzzle, solution=solution))
    html = write_html(separate(*puzzles, style=Style(paper)))
    widths = re.findall(r'id="solution-\d+" style="width: ([\d.]+)mm"', html)
    room = PAPERS[paper].width - 2 * MARGIN_MM
    for name, width, least in zip(names, map(float, widths), needed, strict=True):
        assert least - 0.1 <= width <= room, name
    assert len(set(widths)) > 1, "small ones stand in more columns"
    columns = round(room / float(widths[0]))
    assert columns * float(widths[0]) + (columns - 1) * SOLUTION_GAP_MM <= room


def test_solutions_of_one_group_are_equally_wide() -> None:
    puzzles = []
    for name, puzzle in zip(("latin-4", "dinner"), draw("latin-4", "dinner"), strict=True):
        solved = instance.load(name)
        puzzles.append(replace(puzzle, solution=draw_solution(solved, first_solution(solved))))
    html = write_html(compose(*puzzles, book=True))
    widths = re.findall(r'id="solution-\d+" style="width: ([\d.]+)mm"', html)
    assert len(widths) == 2 and len(set(widths)) == 1


def test_the_layers_of_a_box_are_as_wide_as_their_letters_need() -> None:
    (puzzle,) = draw("soma")
    solved = instance.load("soma")
    solution = draw_solution(solved, first_solution(solved))
    html = write_html(compose(replace(puzzle, solution=solution)))
    width = re.search(r'class="wide">.*?<svg[^>]* width="([\d.]+)mm"', html, re.DOTALL)
    assert width
    assert float(width[1]) >= solution.pictures[0].width - 0.1
