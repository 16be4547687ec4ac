"""Frames and marks in the pictures of steps cover neither labels nor numbers."""

from __future__ import annotations

import re
from itertools import islice
from xml.etree import ElementTree

import pytest

from jigsat import instance
from jigsat.facts import Choice, Fills
from jigsat.phrases import DRAWN, MAX_DRAWN, choose_phrasebook
from jigsat.puzzle import Rule
from jigsat.study.pictures import EXCLUDED, PLACED, RULES, USED, Illustrator
from jigsat.study.steps import find_steps

SVG = "{http://www.w3.org/2000/svg}"


def list_numbers_and_marks(
    picture: ElementTree.Element,
) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
    """The position and the size of each number that belongs to the puzzle, and of each mark."""
    numbers, marks = [], []
    for text in picture.iter(f"{SVG}text"):
        match = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", text.get("transform", ""))
        size = float(text.get("font-size", "0"))
        if match and str(text.text).isdigit():
            numbers.append((float(match[1]), float(match[2]), size))
        elif text.get("x") and len(str(text.text)) == 1:
            marks.append((float(text.get("x", "0")), float(text.get("y", "0")), size))
    return numbers, marks


def test_marks_do_not_lie_on_the_number_of_a_slot() -> None:
    puzzle = instance.load("crossword-5x5")
    step = next(find_steps(puzzle))
    picture = ElementTree.fromstring(Illustrator(puzzle).illustrate(step).svg)
    numbers, marks = list_numbers_and_marks(picture)
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
                assert "what drops out" in illustrated.svg


def test_what_is_needed_in_places_lies_nowhere_else() -> None:
    puzzle = instance.load("cube")
    step = next(step for step in find_steps(puzzle) if isinstance(step.fact, Fills))
    assert step.text(puzzle).lines()[-2:] == [
        "So piece C and piece F are needed there.",
        "So piece C and piece F can lie nowhere else.",
    ]
    assert {placement.piece for placement in step.excluded} == {"C", "F"}
    assert not {placement.cell for placement in step.excluded} & {"right", "back"}


def test_the_board_is_drawn_before_the_step_with_frames_that_the_sentences_name() -> None:
    puzzle = instance.load("cats")
    illustrator = Illustrator(puzzle)
    for step in islice(find_steps(puzzle), 4, 7):
        illustrated = illustrator.illustrate(step)
        matched = [line for line in illustrated.text.lines() if ", to match tile" in line]
        assert illustrated.svg.count(USED) == len(matched)
        assert "red frame: what follows." in illustrated.svg


def test_a_class_of_equal_tiles_is_named_by_what_they_share() -> None:
    puzzle = instance.load("fish")
    way, formula = puzzle.way(), puzzle.encode()
    placements = [formula.key(x) for x in formula.decisions()]
    rainbows = [x for x in placements if x.cell[0] == 1 and x.tile.startswith("rainbow")]
    choice = Choice(Rule("row 2", "row", "2"), tuple(rainbows), tuple(rainbows[:2]))
    phrasebook = choose_phrasebook(puzzle)
    assert way.any_of(rainbows) == "a rainbow"
    assert phrasebook.name_choice(choice) == "a rainbow in row 2"
    assert phrasebook.say_choice(choice).startswith("row 2 needs a rainbow, and only rainbow-")


def test_one_piece_has_the_tooth_at_a_corner() -> None:
    puzzle = instance.load("cube")
    step = next(step for step in find_steps(puzzle) if "corner" in " ".join(step.rules))
    assert step.text(puzzle).lines()[0] == (
        "At the corner of top, left and back, piece B on the top has a tooth, and only one piece "
        "may have one."
    )


@pytest.mark.parametrize("name", ["heyawake-5", "hitori-4", "nurikabe-5"])
def test_pencil_marks_do_not_lie_on_numbers(name: str) -> None:
    puzzle = instance.load(name)
    step = next(find_steps(puzzle))
    picture = ElementTree.fromstring(Illustrator(puzzle).illustrate(step).svg)
    numbers, marks = list_numbers_and_marks(picture)
    assert numbers and marks
    for x, y, size in numbers:
        for mark_x, mark_y, mark_size in marks:
            apart = (size + mark_size) * 0.3
            assert abs(x - mark_x) > apart or abs(y - mark_y) > apart, (x, y, mark_x, mark_y)


def test_marks_show_where_an_excluded_piece_collides() -> None:
    """What is excluded by the pieces beside it collides with them, and what is left does not."""
    cube, excluded = instance.load("cube"), 0
    way = cube.way()
    for step in islice(find_steps(cube), 8):
        fact = step.fact
        seams = [rule for rule in fact.rules if rule.kind in ("edge", "corner")]
        if [rule.kind for rule in seams] != ["edge"] or not fact.basis.placed:
            continue
        (rule,) = seams
        for placement in step.excluded:
            assert way.find_collisions(rule, placement, fact.basis.placed)
            excluded += 1
        place = step.excluded[0].cell
        for placement in step.left:
            if placement.cell == place and placement not in step.excluded:
                assert not way.find_collisions(rule, placement, fact.basis.placed)
    assert excluded


def test_small_pictures_show_what_is_left_if_that_is_less() -> None:
    puzzle = instance.load("cube")
    _, step = islice(find_steps(puzzle), 2)
    assert len(step.excluded) == 30
    picture = Illustrator(puzzle).illustrate(step).svg
    caption = " ".join(" ".join(ElementTree.fromstring(picture).itertext()).split())
    assert "Small pictures with a green frame: all that fits." in caption
    assert "drops out" not in caption
    assert picture.count(f'stroke="{EXCLUDED}"') == 0
