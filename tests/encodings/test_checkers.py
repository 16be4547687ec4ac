"""The families' checkers compared with the twins, on corrupted solutions and random placements."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import event, given, reject, settings
from hypothesis import strategies as st
from support.agreement import parsed
from support.cutting import mostly, pieces, rarely, switch, tiles
from support.quick import cases
from support.tables import faces, rectangle
from support.twins import Twin, edge_matching, faced_look, interlocking, piece_look

import jigsat
from jigsat.puzzle import Puzzle

Lie = Callable[[Any, random.Random], Any]


def tampered(
    placements: list[Any], rng: random.Random, names: list[str], turned: Lie
) -> tuple[str, list[Any]]:
    """The placements with one change, usually an error."""
    first, second = rng.choice(placements), rng.choice(placements)
    others = [placement for placement in placements if placement is not first]
    piece = first._fields[1]
    match rng.choice(["swap", "turn", "replace", "drop", "lay double", "use twice", "shuffle"]):
        case "swap":
            rest = [placement for placement in others if placement is not second]
            swapped = [first._replace(cell=second.cell), second._replace(cell=first.cell)]
            return "swap", rest + (swapped if first is not second else [first])
        case "turn":
            return "turn", [*others, turned(first, rng)]
        case "replace":
            return "replace", [*others, first._replace(**{piece: rng.choice(names)})]
        case "drop":
            return "drop", others
        case "lay double":
            return "lay double", [*placements, first]
        case "use twice":
            return "use twice", [*others, second._replace(cell=first.cell)]
    cells = rng.sample([placement.cell for placement in placements], len(placements))
    return "shuffle", [
        placement._replace(cell=cell) for placement, cell in zip(placements, cells, strict=True)
    ]


def assert_verdicts(
    puzzle: Puzzle,
    twin: Twin,
    rng: random.Random,
    names: list[str],
    look: Callable[[Any], Any],
    turned: Lie,
    lawful: Any,
) -> None:
    found = next(jigsat.solutions(puzzle, up_to="nothing"), None)
    if found is None:
        reject()
    assert not list(puzzle.check(found.placements))
    for _ in range(12):
        how, placements = tampered(list(found.placements), rng, names, turned)
        if rng.random() < 0.3:
            also, placements = (
                tampered(placements, rng, names, turned) if placements else ("", placements)
            )
            how = f"{how}, {also}"
        rng.shuffle(placements)
        once = Counter(placement.cell for placement in placements) == Counter([*twin.table.cells])
        shown = {placement.cell: look(placement) for placement in placements}
        right = (
            once
            and all(map(lawful, placements))
            and twin.accepts(tuple(shown[cell] for cell in twin.table.cells))
        )
        complaints = list(puzzle.check(placements))
        event(f"{how.split(',')[0]}: {'right' if right else 'wrong'}")
        assert bool(complaints) != right, (how, placements, complaints)


@settings(max_examples=cases(90), derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(1, 1), (1, 2), (2, 2), (2, 2), (3, 2), None]),
    paired=switch,
    framed=rarely,
    hinted=switch,
    reusable=rarely,
    left_over=switch,
    turning=mostly,
    faced=switch,
)
def test_edge_matching(seed: int, size: tuple[int, int] | None, **options: bool) -> None:
    rng = random.Random(seed)
    board, table = ("square {}x{}".format(*size), rectangle(*size)) if size else ("cube", faces())
    if not size:
        options |= {"framed": False, "faced": False}
    data = tiles(rng, board, table, rng.randint(1, 3), **options)
    assert_verdicts(
        parsed(data),
        edge_matching(data, table),
        rng,
        [*data["tiles"]],
        look=lambda lies: faced_look(data["tiles"][lies.tile], lies.turn),
        turned=lambda lies, rng: lies._replace(turn=rng.randrange(4)),
        lawful=lambda lies: options["turning"] or lies.turn == 0,
    )


@settings(max_examples=cases(60), derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([2, 3, 3, 4]),
    turning_over=switch,
    holes=switch,
    spoilt=st.just(False),
    left_over=switch,
    alike=switch,
)
def test_interlocking(seed: int, size: int, **options: bool) -> None:
    rng = random.Random(seed)
    data = pieces(rng, size, **options)
    rows = {name: drawing.split() for name, drawing in data["pieces"].items()}
    assert_verdicts(
        parsed(data),
        interlocking(data),
        rng,
        [*rows],
        look=lambda lies: piece_look(rows[lies.piece], lies.turn, lies.flipped),
        turned=lambda lies, rng: lies._replace(turn=rng.randrange(4), flipped=rng.random() < 0.5),
        lawful=lambda lies: options["turning_over"] or not lies.flipped,
    )
