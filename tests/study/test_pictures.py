"""Frames and marks in the pictures of steps cover neither labels nor numbers."""

from __future__ import annotations

import re
from itertools import islice
from xml.etree import ElementTree

from jigsat import instance
from jigsat.facts import Fills
from jigsat.phrases import DRAWN, MAX_DRAWN
from jigsat.study.pictures import EXCLUDED, PLACED, RULES, USED, Illustrator
from jigsat.study.steps import find_steps

SVG = "{http://www.w3.org/2000/svg}"


def test_marks_do_not_lie_on_the_number_of_a_slot() -> None:
    puzzle = instance.load("crossword-5x5")
    step = next(find_steps(puzzle))
    picture = ElementTree.fromstring(Illustrator(puzzle).illustrate(step).svg)
    numbers, marks = [], []
    for text in picture.iter(f"{SVG}text"):
        match = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", text.get("transform", ""))
        size = float(text.get("font-size", "0"))
        if match and str(text.text).isdigit():
            numbers.append((float(match[1]), float(match[2]), size))
        elif text.get("x") and len(str(text.text)) == 1:
            marks.append((float(text.get("x", "0")), float(text.get("y", "0")), size))
    assert len(numbers) == 7 and len(marks) > 50
    for x, y, size in numbers:
        for mark_x, mark_y, mark_size in marks:
            apart = (size + mark_size) * 0.35
            assert abs(x - mark_x) > apart or abs(y - mark_y) > apart, (x, y, mark_x, mark_y)


def test_frames_are_at_the_border_of_a_tile() -> None:
    """The labels of a tile begin at 5 % of its width."""
    puzzle = instance.load("cats")
    steps = list(islice(find_steps(puzzle), 7))
    picture = ElementTree.fromstring(Illustrator(puzzle).illustrate(steps[-1]).svg)
    frames = 0
    for polygon in picture.iter(f"{SVG}polygon"):
        if polygon.get("stroke") not in (RULES, USED, EXCLUDED, PLACED):
            continue
        points = [
            tuple(map(float, point.split(","))) for point in polygon.get("points", "").split()
        ]
        width = max(x for x, _ in points) - min(x for x, _ in points)
        inner = width * (1 / 0.95 - 1) / 2 + float(polygon.get("stroke-width", "0")) / 2
        assert inner < 0.05 * width
        frames += 1
    assert frames > 2


def test_what_is_said_to_be_drawn_is_drawn() -> None:
    for name in ("cube", "fish", "cats"):
        puzzle = instance.load(name)
        illustrator = Illustrator(puzzle)
        for step in islice(find_steps(puzzle), 5):
            illustrated = illustrator.illustrate(step)
            if any(DRAWN in words for words in illustrated.text.lines()):
                assert len(step.excluded) <= MAX_DRAWN
                assert "Small pictures with a pink frame: " in illustrated.svg


def test_what_is_needed_in_places_lies_nowhere_else() -> None:
    puzzle = instance.load("cube")
    step = next(step for step in find_steps(puzzle) if isinstance(step.fact, Fills))
    assert step.text(puzzle).lines()[-2:] == [
        "So piece C and piece F are needed there.",
        "So piece C and piece F can lie nowhere else.",
    ]
    assert {placement.piece for placement in step.excluded} == {"C", "F"}
    assert not {placement.cell for placement in step.excluded} & {"right", "back"}
