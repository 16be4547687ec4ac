"""Steps with pictures: a page to click through, or sections to print.

In a picture, what the rules of the step are about is green, the placements on which it rests are blue, what is placed is
outlined, and places where something is excluded are pink. Pencil marks show what was left before the step. Loose pieces that it
mentions are drawn beside the board, and what the colours mean is written below it.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from html import escape
from itertools import chain, repeat
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.analysis.candidates import Candidates, Status
from jigsat.analysis.marks import MAX_NAME, draw_candidates, shade_places, uses_pencil
from jigsat.analysis.playing import Playing
from jigsat.analysis.steps import Step, find_legends, list_left
from jigsat.errors import name_place
from jigsat.formula import Constraint
from jigsat.pictures.pages import add_caption, size_of
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement

RULES, FACTS, EXCLUDED = "#2fa84f", "#2f7de1", "#e3001b"  # colours of places
COLOURS = {
    RULES: "Green: what the rules are about.",
    FACTS: "Blue: placed before, used in this step.",
    EXCLUDED: "Pink: something cannot be here.",
}
MAX_LOOSE = 12  # number of loose pieces that are drawn
LETTERS_PER_LINE = 45  # width of a picture in text sizes of its caption

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
details { border-bottom: 1px solid #ccc; padding: 0.3rem 0; }
summary { cursor: pointer; padding: 0.4rem 0; }
svg { max-width: 100%; max-height: 70vh; height: auto; }
"""


class Area(NamedTuple):
    """What a rule is about: places of the board and pieces; no places if it is about few pieces or everything."""

    places: set[Hashable]
    pieces: set[str]


def find_area(playing: Playing, name: str, constraints: Iterable[Constraint]) -> Area:
    """The place that the name of a rule has, or those that all of its placements take, or any of them; and the pieces."""
    variables = {abs(literal) for constraint in constraints for literal in constraint[0]}
    own = [playing.candidates[x] for x in variables if x in playing.candidates]
    pieces = {each.piece for each in own}
    few = pieces if 2 * len(pieces) <= len(playing.copies) else set[str]()
    every = set(chain.from_iterable(each.places for each in playing.candidates.values()))
    common = {place for place in every if name_place(place) == name.partition(" ")[2]}
    common = common or (set(own[0].places).intersection(*(each.places for each in own)) if own else set())
    about = common or set(chain.from_iterable(each.places for each in own))
    for each in map(playing.formula.name, () if common else variables):
        about.update(value for axis, value in zip(each.axes, each.key, strict=True) if axis == playing.puzzle.cell_field)
    return Area(set() if about >= every or (few and not common) else about, few)


def illustrate_steps(puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = ()) -> Iterator[tuple[str, str]]:
    """The sentence and the picture of each step; `given` are the placements that they begin with, besides the clues."""
    playing = Playing(puzzle, puzzle.encode())
    rules, areas = playing.formula.list_rules(), dict[str, Area]()
    pieces = {each.placement: each.piece for each in playing.candidates.values()}
    pencil = uses_pencil(playing) and len(playing.copies) > 1
    placed = [*(clues := puzzle.given_placements()), *given]
    counts = any(len(piece) > MAX_NAME for piece in playing.copies)
    marks = ["Numbers: how many were possible before."] if counts else ["Small marks: what was possible before."]
    marks += ["Bold: given."] * (bool(clues) and not counts)
    left = list_left(puzzle, steps, given) if pencil else repeat(None)
    for step, possible in zip(steps, left, strict=False):
        placed += step.placed
        for rule in (told := {rule for line in step.lines or [step] for rule in line.rules}) - areas.keys():
            areas[rule] = find_area(playing, rule, rules[rule])
        about = set[Hashable]().union(*(areas[rule].places for rule in told))
        facts, excluded = (set(chain.from_iterable(map(puzzle.board_places, those))) for those in (step.facts, step.excluded))
        shades = {RULES: about - facts - excluded, FACTS: facts - excluded, EXCLUDED: excluded}
        if possible is None:
            picture = puzzle.svg(placed, step.placed)
        else:
            statuses: dict[Placement, Status] = dict.fromkeys((each.placement for each in playing.candidates.values()), "none")
            before = Candidates(statuses, possible=frozenset(possible))
            picture = draw_candidates(playing, before, placed, step.placed)
        about_pieces = set[str]().union(*(areas[rule].pieces for rule in told))
        loose = about_pieces.union(map(pieces.get, _list_told(step))) - {pieces.get(each) for each in placed}
        drawn = _add_pieces(puzzle, shade_places(picture, shades), loose)
        words, said = step.describe(puzzle.cell_field), [COLOURS[colour] for colour, places in shades.items() if places]
        said += ["Red frame: follows now."] * bool(step.placed) + (marks if possible else [])
        size = size_of(ElementTree.fromstring(drawn))[0] / LETTERS_PER_LINE
        yield words, add_caption(drawn, [" ".join([*said, *find_legends([words]).values()])], size=size)


def _list_told(step: Step) -> list[Placement]:
    """The placements that a step mentions."""
    lines = (step, *step.lines)
    return [each for line in lines for each in chain(line.placed, line.excluded, *(left.placements for left in line.left))]


def _add_pieces(puzzle: Puzzle, picture: str, names: Collection[str | None]) -> str:
    """A picture of the board with these pieces beside it, if they can be drawn and are few."""
    board, *parts = puzzle.parts()
    loose = list({part.name: part for part in parts if part.name in names}.values())
    board = board if board.kind == "board" else board._replace(width=2 * board.width)  # a solid is printed small
    return opening([board._replace(svg=picture), *loose]) if len(loose) <= MAX_LOOSE else picture


def write_walkthrough(puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = (), end: str = "") -> Iterator[str]:
    """The lines of an HTML page with the steps, as `illustrate_steps` draws them, and a sentence at the end."""
    title = escape(puzzle.title or puzzle.name)
    yield f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    yield f"<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{escape(' '.join(puzzle.rules()))}</p>\n"
    drawn = list(illustrate_steps(puzzle, steps, given))
    for number, (step, (words, picture)) in enumerate(zip(steps, drawn, strict=True), 1):
        where = "; ".join(step.rules) or words.partition(":")[0]
        yield f'<details name="step"{" open" * (number == 1)}><summary>{number}. {escape(where)}</summary>\n'
        yield f"<p>{escape(words)}</p>\n{picture}</details>\n"
    yield f"<p>{escape(end[:1].upper() + end[1:])}</p>\n</html>\n"
