"""Steps with pictures: a page to click through, or sections to print.

In a picture, what the rules of the step are about is yellow, the placements on which it rests are blue, what is placed is
outlined, and places where something is excluded are pink. Pencil marks show what was left before the step.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from html import escape
from itertools import chain, repeat
from typing import NamedTuple

from jigsat.analysis.candidates import Candidates, Status
from jigsat.analysis.marks import draw_candidates, shade_places, uses_pencil
from jigsat.analysis.playing import Playing
from jigsat.analysis.steps import Step, find_legends, list_left
from jigsat.errors import name_place
from jigsat.formula import Constraint
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement

RULES, FACTS, EXCLUDED = "#ffd23f", "#2f7de1", "#e3001b"  # colours of places
COLOURS = (
    "Red frame: what follows. Blue: the placements from which it follows. Yellow: what the rules are about. "
    "Pink: where something is excluded. Small marks: what was left before."
)

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
    rules, areas = playing.formula.list_rules(), dict[str, set[Hashable]]()
    pencil = uses_pencil(playing) and len(playing.copies) > 1
    placed = [*puzzle.given_placements(), *given]
    left = list_left(puzzle, steps, given) if pencil else repeat(None)
    for step, possible in zip(steps, left, strict=False):
        placed += step.placed
        for rule in (told := {rule for line in step.lines or [step] for rule in line.rules}) - areas.keys():
            areas[rule] = find_area(playing, rule, rules[rule]).places
        about = set[Hashable]().union(*(areas[rule] for rule in told))
        facts, excluded = (set(chain.from_iterable(map(puzzle.board_places, those))) for those in (step.facts, step.excluded))
        shades = {RULES: about - facts - excluded, FACTS: facts - excluded, EXCLUDED: excluded}
        if possible is None:
            picture = puzzle.svg(placed, step.placed)
        else:
            statuses: dict[Placement, Status] = dict.fromkeys((each.placement for each in playing.candidates.values()), "none")
            before = Candidates(statuses, possible=frozenset(possible))
            picture = draw_candidates(playing, before, placed, step.placed)
        yield step.describe(puzzle.cell_field), shade_places(picture, shades)


def write_walkthrough(puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = (), end: str = "") -> Iterator[str]:
    """The lines of an HTML page with the steps, as `illustrate_steps` draws them, and a sentence at the end."""
    title = escape(puzzle.title or puzzle.name)
    yield f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    yield f"<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    drawn = list(illustrate_steps(puzzle, steps, given))
    for number, (step, (words, picture)) in enumerate(zip(steps, drawn, strict=True), 1):
        where = "; ".join(step.rules) or words.partition(":")[0]
        yield f'<details name="step"{" open" * (number == 1)}><summary>{number}. {escape(where)}</summary>\n'
        legend = " ".join([COLOURS, *find_legends([words])])
        yield f"<p>{escape(words)}</p>\n{picture}<p><small>{escape(legend)}</small></p></details>\n"
    yield f"<p>{escape(end[:1].upper() + end[1:])}</p>\n</html>\n"
