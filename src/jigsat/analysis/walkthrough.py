"""Steps with pictures: a page to click through, or sections to print.

In a picture, the places that the sentence of the step names have a green frame, or those that its
rules are about; the placements that it uses have a violet one, places where something is excluded
have a pink one, and what is placed has a red one. Pencil marks show what was left before the step.
Loose pieces are drawn beside the board. Below it is written what the frames mean, and what was left
for the pieces, the places and the words, as far as marks do not show it.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.analysis.candidates import Candidates, Status
from jigsat.analysis.marks import (
    draw_candidates,
    frame_places,
    list_legible,
    read_places,
    uses_pencil,
)
from jigsat.analysis.playing import Playing
from jigsat.analysis.steps import list_left
from jigsat.analysis.wording import (
    MAX_WAYS,
    Step,
    describe_open,
    find_cell,
    find_legends,
    name_area,
)
from jigsat.errors import markup_text
from jigsat.formula import Constraint
from jigsat.pictures.pages import add_caption, size_of
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement
from jigsat.words import name_place

RULES, FACTS, EXCLUDED, PLACED = "#2fa84f", "#8a2be2", "#f277a5", "#e3001b"  # colours of frames
COLOURS = {
    RULES: "Green frames: what the sentence is about.",
    FACTS: "Violet frames: placed before, used in this step.",
    EXCLUDED: "Pink frames: something cannot be here.",
    PLACED: "Red frame: follows now.",
}
# number of placements that are left for a piece or on a place, up to which they are listed
MAX_LISTED = 24
# number of loose pieces up to which all are drawn; of more, those that may lie on the places of a
# step
MAX_LOOSE = 16
MAX_WAYS_LISTED = 120  # number of ways, such as words for a slot, up to which they are listed
LETTERS_PER_LINE = 45  # width of a picture in text sizes of its caption

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
details { border-bottom: 1px solid #ccc; padding: 0.3rem 0; }
summary { cursor: pointer; padding: 0.4rem 0; }
svg { max-width: 100%; max-height: 70vh; height: auto; }
"""


class Area(NamedTuple):
    """What a rule is about: places of the board and pieces; no places if it is about few pieces or
    everything."""

    places: set[Hashable]
    pieces: set[str]


def find_area(playing: Playing, name: str, constraints: Iterable[Constraint]) -> Area:
    """The place that the name of a rule has, or those that all of its placements take, or any of
    them; and the pieces."""
    variables = {abs(literal) for constraint in constraints for literal in constraint[0]}
    own = [playing.candidates[x] for x in variables if x in playing.candidates]
    pieces = {each.piece for each in own}
    few = pieces if 2 * len(pieces) <= len(playing.copies) else set[str]()
    common = {place for place in playing.places if name_place(place) == name.partition(" ")[2]}
    common = common or (
        set(own[0].places).intersection(*(each.places for each in own)) if own else set()
    )
    about = common or set(chain.from_iterable(each.places for each in own))
    for each in map(playing.formula.name, () if common else variables):
        about.update(
            value
            for axis, value in zip(each.axes, each.key, strict=True)
            if axis == playing.puzzle.cell_field
        )
    return Area(set() if about >= playing.places.keys() or (few and not common) else about, few)


def illustrate_steps(
    puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = ()
) -> Iterator[tuple[str, str]]:
    """The sentence and the picture of each step; `given` are the placements that they begin with,
    besides the clues."""
    playing = Playing(puzzle)
    rules, areas, outlines = (
        playing.rules,
        dict[str, Area](),
        read_places(ElementTree.fromstring(puzzle.svg([]))),
    )
    pieces = {each.placement: each.piece for each in playing.candidates.values()}
    statuses: dict[Placement, Status] = dict.fromkeys(pieces, "none")
    placed, pencil = [*puzzle.given_placements(), *given], uses_pencil(playing)
    symbols = "○: not decided yet, –: excluded before."
    marks = [symbols if len(playing.copies) == 1 else "Small marks: what was possible before."]
    marks += ["Bold: given."] if placed and max(map(len, playing.copies)) == 1 else []
    for step, possible in zip(steps, list_left(puzzle, steps, given), strict=False):
        lines = step.lines or [step]
        told = {rule for line in lines for rule in line.rules}
        causes = rules.keys() & {each.cause for line in lines for each in line.gone}
        for rule in (told | causes) - areas.keys():
            areas[rule] = find_area(playing, rule, rules[rule])
        # the lights are drawn as these presses leave them
        named = set(
            chain.from_iterable(_list_named(line, areas, puzzle, possible) for line in lines)
        )
        facts, excluded, new = (
            set(chain.from_iterable(map(puzzle.board_places, those)))
            for those in (step.facts, step.excluded, step.placed)
        )
        facts = facts if step.kind != "sum" else set()
        frames = {
            RULES: named - facts - excluded - new,
            FACTS: facts - excluded,
            EXCLUDED: excluded - new,
            PLACED: new,
        }
        open_: dict[Hashable, list[Placement]] = {}
        for each in possible:
            for place in puzzle.board_places(each):
                open_.setdefault(place, []).append(each)
        legible = set[Hashable]()
        if pencil:
            legible = list_legible(
                playing, Candidates(statuses, possible=frozenset(possible)), outlines
            )
            before = Candidates(
                statuses,
                possible=frozenset(each for place in legible for each in open_.get(place, ())),
            )
            picture = draw_candidates(playing, before, placed, step.excluded)
        else:
            picture = puzzle.svg([*placed, *step.placed], step.placed)
        placed += step.placed
        unplaced = playing.copies.keys() - {pieces.get(each) for each in placed} | {
            pieces.get(each) for each in step.placed
        }
        relevant = set[str | None]().union(*(areas[rule].pieces for rule in told))
        relevant |= {
            pieces.get(each) for place in frames[RULES] or excluded for each in open_.get(place, ())
        }
        relevant |= {pieces.get(each) for each in (*step.placed, *step.excluded, *step.rest)}
        loose = unplaced if len(unplaced) <= MAX_LOOSE else relevant & unplaced
        drawn = _add_pieces(puzzle, frame_places(picture, frames), loose)
        words, said = (
            step.describe(puzzle.cell_field),
            [COLOURS[colour] for colour, places in frames.items() if places],
        )
        needed = causes & {each.cause for line in step.lines if line.needs for each in line.gone}
        edges = [places for rule in needed if len(places := areas[rule].places) == 2]
        shown = dict.fromkeys(chain(frames[RULES], excluded, *edges))
        lists = list(
            _list_open(
                step, puzzle, possible, {x: open_.get(x, []) for x in shown if x not in legible}
            )
        )
        size = size_of(ElementTree.fromstring(drawn))[0] / LETTERS_PER_LINE
        legends = ["A red line strikes out what is not possible now."] if legible & excluded else []
        legends += find_legends([words]).values()
        for rule in sorted(
            rule for rule in told | causes if rule.count(" ") == 1
        ):  # such as a box; not an edge or a diagonal
            area = name_area([place for place in playing.places if place in areas[rule].places])
            legends += [f"{rule[:1].upper()}{rule[1:]}: {area}."] if " " in area else []
        yield (
            words,
            add_caption(
                drawn, [*lists, " ".join([*said, *(marks if legible else []), *legends])], size=size
            ),
        )


def _list_named(
    line: Step, areas: Mapping[str, Area], puzzle: Puzzle, possible: Collection[Placement]
) -> Iterator[Hashable]:
    """The places that a part of a sentence names; those that its rules are about if it names
    none."""
    placements = [
        *line.placed,
        *line.excluded,
        *line.needs,
        *chain.from_iterable(each.placements for each in line.left),
    ]
    if not placements:
        placements = [one for each in line.left for one in each.choices if one in possible] or [
            *line.facts
        ]
    places = [*chain.from_iterable(map(puzzle.board_places, placements))]
    yield from (
        places
        if places and line.kind != "sum"
        else chain.from_iterable(areas[rule].places for rule in line.rules)
    )


def _list_open(
    step: Step,
    puzzle: Puzzle,
    possible: Collection[Placement],
    open_: Mapping[Hashable, Sequence[Placement]],
) -> Iterator[str]:
    """What was left before a step: for pieces, for these places, and for words; and what it does
    not exclude."""
    field = puzzle.cell_field
    told = {each.choices: each for line in step.lines for each in line.left}
    lefts = [
        each._replace(placements=tuple(x for x in each.choices if x in possible))
        for each in told.values()
        if open_
    ]
    lefts += [each for each in step.ways if len(each.placements) > MAX_WAYS * (not step.inferences)]
    lists = [
        each.list_named(field)
        for each in lefts
        if 0 < len(each.placements) <= (MAX_WAYS_LISTED if each.noun else MAX_LISTED)
    ]
    for place, its in open_.items():
        here = [each for each in its if find_cell(each, field) == place]
        if 1 < len(here) <= MAX_LISTED and not any(
            each.rule.partition(" ")[2] == name_place(place) for each in lefts
        ):
            lists.append(describe_open(here, field, step.silent))
    if lists:
        yield f"Left before: {'; '.join(lists)}."
    for what, those in (("Excluded now", step.excluded), ("Not excluded there", step.rest)):
        if open_ and step.rest and len(those) <= MAX_LISTED:
            yield f"{what}: {describe_open(those, field, step.silent)}."


def _add_pieces(puzzle: Puzzle, picture: str, names: Collection[str | None]) -> str:
    """A picture of the board with these pieces beside it, if they can be drawn."""
    board, *parts = puzzle.parts()
    loose = list({part.name: part for part in parts if part.name in names}.values())
    # a solid is printed small
    board = board if board.kind == "board" else board._replace(width=2 * board.width)
    return opening([board._replace(svg=picture), *loose])


def write_walkthrough(
    puzzle: Puzzle, steps: Sequence[Step], given: Collection[Placement] = (), end: str = ""
) -> Iterator[str]:
    """The lines of an HTML page with the steps, as `illustrate_steps` draws them, and a sentence at
    the end."""
    title = markup_text(puzzle.title or puzzle.name)
    yield '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    yield (
        f'<meta name="viewport" content="width=device-width, '
        f'initial-scale=1">\n<title>{title}</title>\n'
    )
    rules = markup_text(" ".join(puzzle.rules()))
    yield f"<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{rules}</p>\n"
    drawn = list(illustrate_steps(puzzle, steps, given))
    for number, (step, (words, picture)) in enumerate(zip(steps, drawn, strict=True), 1):
        where = "; ".join(step.rules) or words.partition(":")[0]
        yield (
            f'<details name="step"{" open" * (number == 1)}><summary>{number}. '
            f"{markup_text(where)}</summary>\n"
        )
        yield f"<p>{markup_text(words)}</p>\n{picture}</details>\n"
    yield f"<p>{markup_text(end[:1].upper() + end[1:])}</p>\n</html>\n"
