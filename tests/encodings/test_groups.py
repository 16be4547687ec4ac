"""Groups of pieces, and frames with teeth, compared with brute force on small rectangles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from support.agreement import assert_counted, parsed

import jigsat
from jigsat.errors import InputError
from jigsat.symmetry.group import Group

Cell = tuple[int, int]
Picture = frozenset[Any]
"""What lies on the board: for each cell or set of cells what is shown there, with the groups of the
piece."""
SIZES = [(1, 2), (1, 3), (2, 2)]


def groups_of(groups: dict[str, Any], name: str) -> frozenset[str]:
    return frozenset(group for group, entry in groups.items() if name in entry["pieces"])


def kept(groups: dict[str, Any], used: list[str]) -> bool:
    """Whether the numbers of the groups are as required."""
    return all(
        (low if isinstance(entry["number"], list) else entry["number"])
        <= sum(name in entry["pieces"] for name in used)
        <= (high if isinstance(entry["number"], list) else entry["number"])
        for entry in groups.values()
        for low, high in [entry["number"] if isinstance(entry["number"], list) else (0, 0)]
    )


def random_groups(rng: random.Random, names: list[str], cells: int) -> dict[str, Any]:
    """One to three groups, which may overlap; most hold about half of the pieces."""
    found = {}
    for name in "rgb"[: rng.randint(1, 3)]:
        pieces = [piece for piece in names if rng.random() < 0.5] or [rng.choice(names)]
        low = rng.randint(0, min(cells, len(pieces)))
        found[name] = {
            "pieces": pieces,
            "number": rng.choice([low, [low, low + rng.randint(0, 2)]]),
        }
    return found


def turned(cell: Cell, rows: int, columns: int, times: int) -> Cell:
    for _ in range(times):
        cell, rows, columns = (cell[1], rows - 1 - cell[0]), columns, rows
    return cell


def rotations(rows: int, columns: int) -> range:
    return range(0, 4, 1 if rows == columns else 2)


def searched(
    cells: list[Cell],
    counts: dict[str, int],
    looks: dict[str, list[Any]],
    fits: Callable[[dict[Cell, Any]], bool],
) -> Iterator[tuple[dict[Cell, Any], list[str]]]:
    """Every way to lay pieces on the cells, piece by piece and look by look."""

    def search(on: dict[Cell, Any], used: list[str]) -> Iterator[tuple[dict[Cell, Any], list[str]]]:
        if not fits(on):
            return
        if len(on) == len(cells):
            yield on, used
            return
        for name, count in counts.items():
            if used.count(name) < count:
                for look in looks[name]:
                    yield from search({**on, cells[len(on)]: look}, [*used, name])

    yield from search({}, [])


def rotated(rim: tuple[Any, ...], step: int, times: int) -> tuple[Any, ...]:
    start = (-times * step) % len(rim)
    return rim[start:] + rim[:start]


# -- edge matching: a look is the labels clockwise from the top


def random_tiles(rng: random.Random) -> dict[str, Any]:
    (rows, columns), labels = rng.choice(SIZES), rng.choice(["a", "ab"])
    tiles = {}
    for i in range(rows * columns + rng.randint(0, 2)):
        sides = [rng.choice(labels) for _ in range(4)]
        tiles[f"t{i}"] = rng.choice([sides, {"sides": sides, "count": 2}])
    groups = random_groups(rng, list(tiles), rows * columns)
    return {
        "family": "edge-matching",
        "board": f"square {rows}x{columns}",
        "tiles": tiles,
        "groups": groups,
    }


def tile_pictures(data: dict[str, Any]) -> tuple[set[Picture], int]:
    rows, columns = map(int, data["board"].split()[1].split("x"))
    cells = list(product(range(rows), range(columns)))
    sides = {
        name: tuple(tile["sides"] if isinstance(tile, dict) else tile)
        for name, tile in data["tiles"].items()
    }
    counts = {
        name: tile["count"] if isinstance(tile, dict) else 1 for name, tile in data["tiles"].items()
    }
    looks = {name: sorted({rotated(its, 1, i) for i in range(4)}) for name, its in sides.items()}

    def fits(on: dict[Cell, Any]) -> bool:
        return all(
            ((r, c + 1) not in on or on[r, c + 1][3] == look[1])
            and ((r + 1, c) not in on or on[r + 1, c][0] == look[2])
            for (r, c), look in on.items()
        )

    found = set()
    for on, used in searched(cells, counts, looks, fits):
        if kept(data["groups"], used):
            found.add(
                frozenset(
                    (cell, look, groups_of(data["groups"], n))
                    for (cell, look), n in zip(on.items(), used, strict=True)
                )
            )
    return found, orbits(found, rows, columns, lambda look, times: rotated(look, 1, times))


def orbits(
    found: set[Picture],
    rows: int,
    columns: int,
    turn: Callable[[Any, int], Any],
    turns: Iterable[int] | None = None,
) -> int:
    rest, number = set(found), 0
    while rest:
        one = next(iter(rest))
        number += 1
        for times in rotations(rows, columns) if turns is None else turns:
            rest.discard(
                frozenset(
                    (turned(cell, rows, columns, times), turn(look, times), its)
                    for cell, look, its in one
                )
            )
    return number


def tile_seen(data: dict[str, Any], placement: Any) -> Any:
    tile = data["tiles"][placement.tile]
    sides = tuple(tile["sides"] if isinstance(tile, dict) else tile)
    return (
        placement.cell,
        rotated(sides, 1, placement.turn),
        groups_of(data["groups"], placement.tile),
    )


# -- interlocking: a look is the teeth clockwise from the upper left corner, with three small squares along a side


def random_foam(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.choice(SIZES[:2])
    rims = ["".join(rng.choice(".#") for _ in range(8)) for _ in range(rng.randint(1, 3))]
    pieces = {f"p{i}": rng.choice(rims) for i in range(rows * columns + rng.randint(0, 2))}
    drawn = {name: " ".join(rim[i : i + 2] for i in range(0, 8, 2)) for name, rim in pieces.items()}
    groups = random_groups(rng, list(pieces), rows * columns)
    entries = {
        "holes": rng.choice(["allowed", "allowed", "forbidden"]),
        "turning_over": rng.random() < 0.5,
    }
    return {
        "family": "interlocking",
        "board": f"square {rows}x{columns}",
        "pieces": drawn,
        "groups": groups,
        **entries,
    }


def random_framed_foam(rng: random.Random) -> dict[str, Any]:
    """Pieces for a frame: mostly cut from the frame's own board, so that they fit."""
    data = random_foam(rng)
    rows, columns = map(int, data["board"].split()[1].split("x"))
    height, width = 2 * rows + 1, 2 * columns + 1
    owner = {}
    for y, x in product(range(height), range(width)):
        near = [
            (r, c)
            for r, c in product(range(rows), range(columns))
            if (y - 2 * r, x - 2 * c) in AROUND
        ]
        rim = y in (0, height - 1) or x in (0, width - 1)
        owner[y, x] = rng.choice(near + [None] * rim) if near else None
    if rng.random() < 0.8:
        for (r, c), name in zip(product(range(rows), range(columns)), data["pieces"], strict=False):
            rim = "".join("#" if owner[2 * r + y, 2 * c + x] == (r, c) else "." for y, x in AROUND)
            data["pieces"][name] = " ".join(rim[i : i + 2] for i in range(0, 8, 2))
    if rng.random() < 0.2:
        owner = dict.fromkeys(owner)
    frame = "\n".join(
        "".join("#" if owner[y, x] is None else "." for x in range(width)) for y in range(height)
    )
    return {**data, "frame": frame, "groups": {} if rng.random() < 0.7 else data["groups"]}


AROUND = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]


def foam_pictures(data: dict[str, Any]) -> tuple[set[Picture], int]:
    rows, columns = map(int, data["board"].split()[1].split("x"))
    cells = list(product(range(rows), range(columns)))
    looks = {}
    for name, shape in data["pieces"].items():
        rim = tuple(shape.replace(" ", ""))
        ways = [rim, rim[:1] + rim[:0:-1]][: 1 + data["turning_over"]]
        looks[name] = sorted({rotated(way, 2, i) for way in ways for i in range(4)})

    height, width = 2 * rows, 2 * columns
    frame = {
        (y, x): c for y, row in enumerate(data.get("frame", "").split()) for x, c in enumerate(row)
    }
    frame = {(y, x): c for (y, x), c in frame.items() if y in (0, height) or x in (0, width)}

    def fits(on: dict[Cell, Any]) -> bool:
        teeth, touching = {at: int(c == "#") for at, c in frame.items()}, dict[Cell, int]()
        for (r, c), look in on.items():
            for (y, x), tooth in zip(AROUND, look, strict=True):
                at = 2 * r + y, 2 * c + x
                teeth[at] = teeth.get(at, 0) + (tooth == "#")
                touching[at] = touching.get(at, 0) + 1
        if max(teeth.values(), default=0) > 1:
            return False
        inside = [
            at for at, number in touching.items() if number == 2 and at[0] % 2 + at[1] % 2 == 1
        ]
        if len(on) == len(cells) and any(teeth[at] != 1 for at in frame if sum(at) % 2 == 0):
            return False
        inside += [at for at in frame if sum(at) % 2 == 1]
        return (
            len(on) < len(cells)
            or data["holes"] == "allowed"
            or all(teeth[at] == 1 for at in inside)
        )

    found = set()
    for on, used in searched(cells, dict.fromkeys(looks, 1), looks, fits):
        if kept(data["groups"], used):
            found.add(
                frozenset(
                    (cell, look, groups_of(data["groups"], n))
                    for (cell, look), n in zip(on.items(), used, strict=True)
                )
            )
    kept_by = [
        times
        for times in rotations(rows, columns)
        if {turned(at, height + 1, width + 1, times): c for at, c in frame.items()} == frame
    ]
    return found, orbits(found, rows, columns, lambda look, times: rotated(look, 2, times), kept_by)


def foam_seen(data: dict[str, Any], placement: Any) -> Any:
    rim = tuple(data["pieces"][placement.piece].replace(" ", ""))
    # turning over keeps side 0 and mirrors it: its second corner becomes the first
    way = tuple(rim[(2 - i) % 8] for i in range(8)) if placement.flipped else rim
    return (
        placement.cell,
        rotated(way, 2, placement.turn),
        groups_of(data["groups"], placement.piece),
    )


# -- tilings: a look is a set of cells


def random_strips(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.choice([(1, 4), (2, 3), (2, 2)])
    shapes = [rng.choice(["#", "##", "###"]) for _ in range(rng.randint(2, 5))]
    pieces = {
        f"p{i}": {"shape": shape, "uses": rng.choice([1, [0, 2]])} for i, shape in enumerate(shapes)
    }
    groups = random_groups(rng, list(pieces), rows * columns)
    return {
        "family": "tiling",
        "board": "\n".join(["#" * columns] * rows),
        "pieces": pieces,
        "groups": groups,
        "left_over": rng.choice([0, 1]),
    }


def strip_pictures(data: dict[str, Any]) -> tuple[set[Picture], int]:
    rows, columns = len(data["board"].split()), len(data["board"].split()[0])
    found = set()

    def search(
        free: frozenset[Cell], left: int, done: tuple[tuple[frozenset[Cell], str], ...]
    ) -> None:
        if not free:
            used = [name for _, name in done]
            least = {name: 1 if piece["uses"] == 1 else 0 for name, piece in data["pieces"].items()}
            if (
                left == 0
                and all(used.count(name) >= low for name, low in least.items())
                and kept(data["groups"], used)
            ):
                found.add(
                    frozenset(
                        (where, "", (len(where), groups_of(data["groups"], name)))
                        for where, name in done
                    )
                )
            return
        r, c = min(free)
        if left:
            search(free - {(r, c)}, left - 1, done)
        for name, piece in data["pieces"].items():
            if [other for _, other in done].count(name) < (1 if piece["uses"] == 1 else 2):
                for down in (0, 1):
                    where = frozenset(
                        (r + down * i, c + (1 - down) * i) for i in range(len(piece["shape"]))
                    )
                    if where <= free:
                        search(free - where, left, (*done, (where, name)))

    search(frozenset(product(range(rows), range(columns))), data["left_over"], ())
    rest, number = set(found), 0
    while rest:
        one = next(iter(rest))
        number += 1
        for times in rotations(rows, columns):
            rest.discard(
                frozenset(
                    (frozenset(turned(x, rows, columns, times) for x in where), "", its)
                    for where, _, its in one
                )
            )
    return found, number


def strip_seen(data: dict[str, Any], placement: Any) -> Any:
    return (
        frozenset(placement.cells),
        "",
        (len(placement.cells), groups_of(data["groups"], placement.piece)),
    )


FAMILIES = {
    "edge-matching": (random_tiles, tile_pictures, tile_seen),
    "interlocking": (random_foam, foam_pictures, foam_seen),
    "tiling": (random_strips, strip_pictures, strip_seen),
    "frame": (random_framed_foam, foam_pictures, foam_seen),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_solutions_with_groups_and_frames_are_those_of_brute_force(family: str) -> None:
    made, pictured, seen = FAMILIES[family]

    @settings(deadline=None, max_examples=15)
    @given(st.integers(0, 2**32))
    def compare(seed: int) -> None:
        rng = random.Random(seed)
        data = made(rng)
        try:
            puzzle = parsed(data)
        except InputError:  # numbers that no selection of pieces has
            assume(False)
        expected, distinct = pictured(data)
        assume(len(expected) < 300)
        event("solutions" if expected else "no solution")
        solutions = [solution.placements for solution in jigsat.solutions(puzzle, up_to="nothing")]
        found = [
            frozenset(seen(data, placement) for placement in placements) for placements in solutions
        ]
        assert len(found) == len(set(found))
        assert set(found) == expected
        counts = jigsat.count(puzzle).distinct
        assert counts.get("rotation", len(expected)) == distinct
        assert_counted(
            puzzle,
            len(expected),
            {
                level: counts[level]
                for level in Group.of(puzzle.encode(), puzzle.symmetries()).orders
            },
        )
        pieces = list(data.get("tiles") or data["pieces"])
        for placements in solutions[:3]:
            for i, one in enumerate(placements):  # another piece in the same place
                for name in pieces:
                    changed = one._replace(**{puzzle.piece_field: name})
                    wrong = [*placements[:i], changed, *placements[i + 1 :]]
                    try:
                        lawful = frozenset(seen(data, placement) for placement in wrong) in expected
                    except IndexError:
                        lawful = False
                    lawful = lawful and (
                        family != "tiling" or len(data["pieces"][name]["shape"]) == len(one.cells)
                    )
                    if lawful == bool(list(puzzle.check(wrong))):
                        raise AssertionError(f"{wrong}: {lawful}")

    compare()


PIECES = {
    "family": "tiling",
    "board": "##",
    "pieces": {"a": "#", "b": "#", "c": {"shape": "#", "uses": 2}},
    "uses": [0, 1],
}


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"r": {"pieces": ["a", "d"], "number": 1}}, "groups.r: no piece 'd'"),
        ({"r": {"pieces": ["a", "a"], "number": 1}}, "groups.r: piece 'a' occurs twice"),
        ({"r": {"pieces": [], "number": 1}}, "groups.r.pieces: expected at least 1 entry"),
        ({"r": {"pieces": ["a"]}}, "groups.r: missing entry 'number'"),
        ({"r": {"pieces": ["a"], "number": True}}, "groups.r.number: expected a whole number"),
        ({"r": {"pieces": ["a"], "number": [2, 1]}}, "groups.r.number: expected a whole number"),
        (
            {"r": {"pieces": ["a"], "number": 2}},
            "groups.r: 2 pieces required, but only 1 can be used",
        ),
        (
            {"r": {"pieces": ["a", "b", "c"], "number": 3}},
            "groups.r: 3 pieces required, but the board has 2 cells",
        ),
        (
            {"r": {"pieces": ["c"], "number": 1}},
            "groups.r: at most 1 piece allowed, but 2 must be used",
        ),
    ],
)
def test_impossible_groups_are_refused(groups: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        parsed({**PIECES, "groups": groups})


def test_exchanged_pieces_of_different_groups_are_another_solution() -> None:
    bars = {"family": "tiling", "board": "###\n###", "pieces": {"x": "###", "y": "###"}}
    assert jigsat.count(parsed(bars)).solutions == 1
    assert (
        jigsat.count(
            parsed({**bars, "groups": {"red": {"pieces": ["x", "y"], "number": 2}}})
        ).solutions
        == 1
    )
    red_and_blue = {"red": {"pieces": ["x"], "number": 1}, "blue": {"pieces": ["y"], "number": 1}}
    result = jigsat.count(parsed({**bars, "groups": red_and_blue}))
    assert (result.solutions, result.distinct["rotation"]) == (2, 1)


def test_sheets_state_the_numbers() -> None:
    entries = {
        "red": {"pieces": ["a"], "number": 1},
        "both": {"pieces": ["a", "b"], "number": [1, 2]},
    }
    puzzle = parsed({**PIECES, "pieces": {"a": "#", "b": "#", "c": "#"}, "groups": entries})
    assert {
        "Use 1 piece of the group red: a.",
        "Use 1 to 2 pieces of the group both: a, b.",
    } <= set(puzzle.rules())
