"""Steps as a page to click through: a line for each step, and behind it the sentence and a picture.

In the picture, what the rules of the step are about is yellow, what is placed is outlined, and places where something is
excluded are red.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from html import escape

from jigsat.analysis.steps import Step
from jigsat.pictures.marks import shade_places
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement

RULES, EXCLUDED = "#ffd23f", "#e3001b"  # colours of places

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
details { border-bottom: 1px solid #ccc; padding: 0.3rem 0; }
summary { cursor: pointer; padding: 0.4rem 0; }
svg { max-width: 100%; max-height: 70vh; height: auto; }
"""


def write_walkthrough(puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = ()) -> Iterator[str]:
    """The lines of an HTML page with the steps; `given` are the placements that the steps begin with, besides the clues."""
    title = escape(puzzle.title or puzzle.name)
    yield f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    yield f"<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    areas = find_areas(puzzle)
    placed = [*puzzle.given_placements(), *given]
    for number, step in enumerate(steps, 1):
        placed += step.placed
        about = set[Hashable]().union(*(areas.get(rule, ()) for rule in step.rules))
        excluded = {place for each in step.excluded for place in puzzle.board_places(each)}
        picture = shade_places(puzzle.svg(placed, step.placed), {RULES: about - excluded, EXCLUDED: excluded})
        where = "; ".join(step.rules) or step.describe(puzzle.cell_field).partition(":")[0]
        yield f'<details name="step"{" open" * (number == 1)}><summary>{number}. {escape(where)}</summary>\n'
        yield f"<p>{escape(step.describe(puzzle.cell_field))}</p>\n{picture}</details>\n"
    yield "</html>\n"


def find_areas(puzzle: Puzzle) -> dict[str, set[Hashable]]:
    """The places of the board that each rule is about. A rule about most of them, such as that of a piece, has none."""
    formula = puzzle.encode()
    places = {x: set(puzzle.board_places(formula.key(x))) for x in formula.decisions()}
    every = set[Hashable]().union(*places.values())
    areas = {}
    for name, constraints in formula.list_rules().items():
        variables = {abs(literal) for constraint in constraints for literal in constraint[0]}
        area = set[Hashable]().union(*(places[x] for x in variables if x in places))
        areas[name] = area if 2 * len(area) <= len(every) else set()
    return areas
