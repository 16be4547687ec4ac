"""Tilings compared with a search that shares no code with jigsat: solutions, counts up to symmetry, and the checker."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from math import cos, pi, prod
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from jigsat.encodings.tiling import Tiling
from support.agreement import assert_counted, few_and_many, parsed
from support.quick import cases

import jigsat
from jigsat.errors import InputError
from jigsat.formula.constraints import Cardinality
from jigsat.formula.formula import Formula
from jigsat.instance import load, load_all
from jigsat.search.blocking import models
from jigsat.symmetry.burnside import burnside
from jigsat.symmetry.group import Group

Vector = tuple[int, ...]
Coloured = dict[Vector, str]
Look = frozenset[tuple[Vector, str]]
"""The appearance of a placed piece: its cells with their colours."""
Picture = frozenset[Look]
"""The appearance of a solution; pieces that look alike are not distinguished."""


def frames(dimension: int, mirrored: bool) -> Iterator[list[Vector]]:
    """The images of the axes under rotations and reflections. In space the third is the vector product of the others."""
    units = [tuple(sign * (i == axis) for i in range(dimension)) for axis in range(dimension) for sign in (1, -1)]
    if dimension == 2:
        for x, y in units:
            yield [(x, y), (-y, x)]
            if mirrored:
                yield [(x, y), (y, -x)]
        return
    for a, b in product(units, repeat=2):
        if all(x * y == 0 for x, y in zip(a, b, strict=True)):
            c = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
            yield [a, b, c]
            if mirrored:
                yield [a, b, (-c[0], -c[1], -c[2])]


def moved(frame: Sequence[Vector], cell: Vector) -> Vector:
    return tuple(sum(x * axis[i] for x, axis in zip(cell, frame, strict=True)) for i in range(len(cell)))


def home(coloured: Iterable[tuple[Vector, str]]) -> Look:
    """The same piece or board, shifted so that the minimum of each coordinate is 0."""
    coloured = list(coloured)
    corner = [min(cell[i] for cell, _ in coloured) for i in range(len(coloured[0][0]))]
    return frozenset((tuple(x - low for x, low in zip(cell, corner, strict=True)), shade) for cell, shade in coloured)


@dataclass(frozen=True)
class Twin:
    """A tiling puzzle as plain data; each piece has the minimum and maximum number of its uses."""

    board: Coloured
    pieces: tuple[tuple[Coloured, int, int], ...]
    left_over: tuple[int, int] = (0, 0)
    turning: bool = True
    turning_over: bool = True
    optional: frozenset[Vector] | None = None

    @property
    def dimension(self) -> int:
        return len(next(iter(self.board)))

    @property
    def ways(self) -> list[list[Vector]]:
        if self.turning:
            return list(frames(self.dimension, mirrored=self.dimension == 2 and self.turning_over))
        if self.dimension == 3:
            return [[(1, 0, 0), (0, 1, 0), (0, 0, 1)]]
        return [[(1, 0), (0, 1)], [(1, 0), (0, -1)]][: 1 + self.turning_over]

    def looks(self, piece: Coloured) -> frozenset[Look]:
        return frozenset(home((moved(way, cell), shade) for cell, shade in piece.items()) for way in self.ways)

    @cached_property
    def classes(self) -> dict[frozenset[Look], tuple[int, int]]:
        """How often pieces that can look the same are used together."""
        found: dict[frozenset[Look], tuple[int, int]] = {}
        for piece, least, most in self.pieces:
            low, high = found.get(self.looks(piece), (0, 0))
            found[self.looks(piece)] = low + least, high + most
        return found

    def lies(self, look: Look) -> bool:
        return all(
            cell in self.board and (shade == self.board[cell] or "#" in (shade, self.board[cell])) for cell, shade in look
        )

    def solutions(self) -> Iterator[Picture]:
        """Cover the first free cell or leave it over, and so on; sets of cells are bits of an integer."""
        least, at_most = self.left_over
        order = sorted(self.board, key=lambda cell: cell[::-1])  # column by column: boards are wider than high
        fitting: list[list[tuple[int, int, Look]]] = [[] for _ in order]
        for number, looks in enumerate(self.classes):
            for there in filter(self.lies, self._everywhere(looks)):
                cells = [order.index(cell) for cell, _ in there]
                fitting[min(cells)].append((sum(1 << i for i in cells), number, there))
        fewest, most = zip(*self.classes.values(), strict=True)
        used = [0] * len(most)

        def search(free: int, left: int, done: tuple[Look, ...]) -> Iterator[Picture]:
            if not free:
                if least <= left and all(times >= least for times, least in zip(used, fewest, strict=True)):
                    yield frozenset(done)
                return
            first = free & -free
            if left < at_most and (self.optional is None or order[first.bit_length() - 1] in self.optional):
                yield from search(free - first, left + 1, done)
            for cells, number, there in fitting[first.bit_length() - 1]:
                if cells & free == cells and used[number] < most[number]:
                    used[number] += 1
                    yield from search(free - cells, left, (*done, there))
                    used[number] -= 1

        yield from search((1 << len(order)) - 1, 0, ())

    def orbits(self, solutions: set[Picture], level: str) -> int:
        """The number of solutions up to the motions of the board."""
        seen = {cell: shade + "+" * (cell in (self.optional or ())) for cell, shade in self.board.items()}
        board = home(seen.items())
        fitting = {looks for looks in self.classes if any(self.lies(look) for look in self._everywhere(looks))}
        movers = []
        for frame in frames(self.dimension, mirrored=level == "reflection"):
            if home((moved(frame, cell), shade) for cell, shade in seen.items()) != board:
                continue
            images = [
                frozenset(home((moved(frame, cell), shade) for cell, shade in look) for look in looks) for looks in fitting
            ]
            if all(self.classes.get(image) == self.classes[looks] for looks, image in zip(fitting, images, strict=True)):
                corner = [min(moved(frame, cell)[i] for cell in self.board) for i in range(self.dimension)]
                movers.append((frame, corner))

        def image(picture: Picture, frame: Sequence[Vector], corner: Sequence[int]) -> Picture:
            def to(cell: Vector) -> Vector:
                return tuple(x - low for x, low in zip(moved(frame, cell), corner, strict=True))

            return frozenset(frozenset((to(cell), shade) for cell, shade in look) for look in picture)

        rest, orbits = set(solutions), 0
        while rest:
            picture = next(iter(rest))
            rest -= {image(picture, *mover) for mover in movers}
            orbits += 1
        return orbits

    def _everywhere(self, looks: frozenset[Look]) -> Iterator[Look]:
        for look, cell in product(looks, self.board):
            first = min(at for at, _ in look)
            yield frozenset((tuple(x + y - z for x, y, z in zip(at, cell, first, strict=True)), shade) for at, shade in look)

    def data(self) -> dict[str, Any]:
        """The same as the data of an instance file."""
        pieces = {
            f"p{i}": {"shape": drawing(piece), "uses": least if least == most else [least, most]}
            for i, (piece, least, most) in enumerate(self.pieces)
        }
        flat = {"turning_over": self.turning_over} if self.dimension == 2 else {}
        least, most = self.left_over
        left: dict[str, Any] = {"left_over": least if least == most else [least, most]}
        if self.optional is not None:
            left = {"optional": drawing({cell: "+" if cell in self.optional else "#" for cell in self.board})} | (
                {} if self.left_over == (0, len(self.optional)) else left
            )
        said = {"family": "tiling", **left, "turning": self.turning, **flat}
        return {**said, "board": drawing(self.board), "pieces": pieces}


def drawing(coloured: Coloured) -> str:
    """Rows of characters, layers separated by a blank line."""
    *depth, height, width = (range(max(values) + 1) for values in zip(*coloured, strict=True))
    layers = ["\n".join("".join(coloured.get((*layer, y, x), ".") for x in width) for y in height) for layer in product(*depth)]
    return "\n\n".join(layers)


def as_seen(puzzle: Any, twin: Twin, placements: Sequence[Any]) -> list[Look]:
    """The appearance of the placements; the cells of a piece are in the order of its drawing."""
    drawn = {f"p{i}": [shade for _, shade in sorted(piece.items())] for i, (piece, _, _) in enumerate(twin.pieces)}
    return [frozenset(zip(cells, drawn[name], strict=True)) for name, cells in placements]


def random_twin(rng: random.Random) -> Twin:
    """A small puzzle with pieces cut from the board; then some pieces are changed, added or removed."""
    dimension = rng.choice([2, 2, 2, 3])
    flat, solid = [(2, 3), (3, 3), (2, 4), (3, 4), (1, 5)], [(2, 2, 2), (2, 2, 2), (2, 1, 3), (2, 2, 3)]
    cells = list(product(*map(range, rng.choice(flat if dimension == 2 else solid))))
    shades, regular = rng.choice(["#", "#", "#w", "bw", "bw"]), rng.random() < 0.5
    if not regular:
        cells = [cell for cell in cells if rng.random() < 0.9 or max(cell) == 0]
    board = {cell: shades[sum(cell) % len(shades)] if regular else rng.choice(shades) for cell in cells}
    board = dict(sorted(home(board.items())))
    left_over, free = rng.choice([0, 0, 0, 1, 2]), set(board)
    pieces: list[tuple[Coloured, int, int]] = []
    while len(free) > left_over:
        piece = [rng.choice(sorted(free))]
        for _ in range(min(rng.choice([0, 1, 1, 2, 2, 3]), len(free) - left_over - 1)):
            near = [cell for cell in free - set(piece) if any(sum(map(abs, _between(cell, other))) == 1 for other in piece)]
            piece += [rng.choice(sorted(near or free - set(piece)))]  # sometimes in two parts
        free -= set(piece)
        frame = rng.choice(list(frames(dimension, mirrored=rng.random() < 0.2)))
        seen = home((moved(frame, cell), rng.choice([board[cell], board[cell], "#"])) for cell in piece)
        low, high = rng.choice([(1, 1), (1, 1), (0, 1), (0, 2), (1, 2)])
        pieces.append((dict(sorted(seen)), low, high))
    if rng.random() < 0.5:
        pieces.append((rng.choice(pieces)[0], *rng.choice([(0, 1), (1, 1), (0, 3)])))
    left, optional = (left_over, left_over), None
    if rng.random() < 0.4:
        optional = frozenset(free | {cell for cell in board if rng.random() < 0.4})
        left = (0, len(optional))
    if rng.random() < 0.3:
        left = (rng.randint(0, left_over), rng.randint(left_over, left[1]))
    return Twin(board, tuple(pieces), left, rng.random() < 0.8, rng.random() < 0.7, optional)


def _between(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


twins = st.integers(0, 2**32).map(lambda seed: random_twin(random.Random(seed)))


def puzzle_of(twin: Twin) -> Any:
    """The puzzle, unless it obviously has too few or too many pieces."""
    at_least, at_most = (len(twin.board) - number for number in reversed(twin.left_over))
    least, most = (sum(len(piece) * (low, high)[i] for piece, low, high in twin.pieces) for i in (0, 1))
    assume(least <= at_most and at_least <= most)
    return parsed(twin.data())


@settings(deadline=None, max_examples=cases(90))
@given(twins)
def test_the_solutions_agree_with_a_simple_search(twin: Twin) -> None:
    puzzle = puzzle_of(twin)
    expected = set(islice(twin.solutions(), 200))
    assume(len(expected) < 200)
    event("solutions" if len(expected) > 1 else "one solution" if expected else "no solution")
    found = [frozenset(as_seen(puzzle, twin, solution.placements)) for solution in jigsat.solutions(puzzle, up_to="nothing")]
    assert len(found) == len(set(found))
    assert set(found) == expected
    result = jigsat.count(puzzle)
    rotation, reflection = twin.orbits(expected, "rotation"), twin.orbits(expected, "reflection")
    event(f"group of {len(result.symmetries)} levels")
    assert result.solutions == len(expected)
    assert result.distinct.get("rotation", len(expected)) == rotation
    assert result.distinct.get("reflection", rotation) == reflection


@few_and_many
def test_counts_without_a_list_agree_with_a_simple_search(number: int) -> None:
    @settings(deadline=None, derandomize=True, max_examples=number)
    @given(twins)
    def compare_counts(twin: Twin) -> None:
        puzzle = puzzle_of(twin)
        expected = set(islice(twin.solutions(), 200))
        assume(len(expected) < 200)
        levels = Group.of(puzzle.encode(), puzzle.symmetries()).orders
        assert_counted(puzzle, len(expected), {level: twin.orbits(expected, level) for level in levels})

    compare_counts()


@settings(deadline=None, max_examples=cases(20))
@given(twins)
def test_other_engines_agree_and_burnside_counts_the_same(twin: Twin) -> None:
    puzzle = puzzle_of(twin)
    formula = puzzle.encode()
    expected = set(islice(models(formula), 100))
    assume(0 < len(expected) < 100)
    assert set(models(formula, "z3")) == expected
    event("exact cover" if set(exact_covers(formula)) == expected else "no exact cover")
    group = Group.of(formula, puzzle.symmetries())
    result = jigsat.count(puzzle)
    for level, distinct in result.distinct.items():
        event(f"symmetric up to {level}")
        assert burnside(formula, group.levels[level], lambda fixed: sum(1 for _ in models(fixed))) == distinct


def exact_covers(formula: Formula) -> set[frozenset[int]]:
    """The solutions that xcover finds; it may only refuse formulas with bounds of two or more."""
    pytest.importorskip("xcover")
    try:
        return set(models(formula, "xcover"))
    except InputError:
        bounds = [bound for c in formula.constraints() if isinstance(c, Cardinality) for bound in (c.at_least, c.at_most)]
        assert max(bounds) > 1
        return set(models(formula))


def tampered(rng: random.Random, twin: Twin, placements: list[Any]) -> list[Any]:
    """The placements with one change."""
    some = rng.randrange(len(placements))
    one = placements[some]
    rest = placements[:some] + placements[some + 1 :]
    match rng.choice(["drop", "again", "shift", "rename", "reorder", "move a cell", "mirror", "elsewhere"]):
        case "drop":
            return rest
        case "again":
            return [*placements, one]
        case "shift":
            by = [rng.choice([-1, 0, 1]) for _ in range(twin.dimension)]
            return [*rest, one._replace(cells=tuple(tuple(map(sum, zip(cell, by, strict=True))) for cell in one.cells))]
        case "rename":
            return [*rest, one._replace(piece=f"p{rng.randrange(len(twin.pieces))}")]
        case "reorder":
            return [*rest, one._replace(cells=tuple(rng.sample(one.cells, len(one.cells))))]
        case "move a cell":
            return [*rest, one._replace(cells=(*one.cells[1:], rng.choice(sorted(twin.board))))]
        case "mirror":
            last = max(cell[-1] for cell in one.cells) + min(cell[-1] for cell in one.cells)
            return [*rest, one._replace(cells=tuple((*cell[:-1], last - cell[-1]) for cell in one.cells))]
    name = rng.randrange(len(twin.pieces))
    cells = sorted(cell for cell, _ in rng.choice(sorted(twin.looks(twin.pieces[name][0]), key=sorted)))
    return [*rest, one._replace(piece=f"p{name}", cells=tuple(cells))]


@settings(deadline=None, max_examples=cases(40))
@given(twins, st.randoms(use_true_random=False))
def test_the_checker_refuses_everything_that_the_search_does_not_find(twin: Twin, rng: random.Random) -> None:
    puzzle = puzzle_of(twin)
    solutions = set(islice(twin.solutions(), 200))
    assume(0 < len(solutions) < 200)
    right = next(jigsat.solutions(puzzle, up_to="nothing")).placements
    assert not list(puzzle.check(right))
    for _ in range(25):
        placements = tampered(rng, twin, list(right))
        if placements and rng.random() < 0.2:
            placements = tampered(rng, twin, placements)
        pieces = [twin.pieces[int(name[1:])][0] for name, _ in placements]
        sizes_fit = all(len(cells) == len(piece) for (_, cells), piece in zip(placements, pieces, strict=True))
        seen = as_seen(puzzle, twin, placements) if sizes_fit else []
        lawful = (
            sizes_fit
            and all(
                home(look) in twin.looks(twin.pieces[int(name[1:])][0])
                for (name, _), look in zip(placements, seen, strict=True)
            )
            and len(set(seen)) == len(seen)
            and frozenset(seen) in solutions
        )
        event("lawful" if lawful else "unlawful")
        assert bool(list(puzzle.check(placements))) != lawful, placements


@settings(deadline=None, max_examples=cases(30))
@given(twins)
def test_the_checker_counts_pieces_and_cells_that_are_left_over(twin: Twin) -> None:
    puzzle = puzzle_of(twin)
    right, lax = set(islice(twin.solutions(), 200)), [(piece, 0, high + 1) for piece, _, high in twin.pieces]
    assume(len(right) < 200)
    for number in range(min(twin.left_over[1] + 2, 4)):
        other = replace(twin, pieces=tuple(lax), left_over=(number, number), optional=None)
        for picture in islice(other.solutions(), 30):
            event("lawful" if picture in right else "unlawful")
            assert (not list(puzzle.check(placed(puzzle, twin, picture)))) == (picture in right)


def placed(puzzle: Any, twin: Twin, picture: Picture) -> list[Any]:
    """The placements that make a picture, the cells of each piece in the order in which it is drawn."""
    placement = type(next(iter(puzzle.candidates)))
    found = []
    for look in picture:
        lies = [min(values) for values in zip(*(cell for cell, _ in look), strict=True)]
        number, order = next(
            (i, [moved(way, cell) for cell in sorted(piece)])
            for i, (piece, _, _) in enumerate(twin.pieces)
            for way in twin.ways
            if home((moved(way, cell), shade) for cell, shade in piece.items()) == home(look)
        )
        low = [min(values) for values in zip(*order, strict=True)]
        cells = tuple(tuple(x - a + b for x, a, b in zip(cell, low, lies, strict=True)) for cell in order)
        found.append(placement(f"p{number}", cells))
    return found


def test_reflection_is_not_a_symmetry_if_mirrored_pieces_differ_in_number() -> None:
    hands = {"L": "#.\n#.\n##", "J": {"shape": ".#\n.#\n##", "uses": 2}}
    puzzle = parsed({"family": "tiling", "board": "####\n####\n####", "pieces": hands, "turning_over": False})
    assert [symmetry.level for symmetry in puzzle.symmetries()] == ["rotation", "rotation"]
    equal = parsed({"family": "tiling", "board": "####\n####", "pieces": {**hands, "J": ".#\n.#\n##"}, "turning_over": False})
    assert sorted(symmetry.level for symmetry in equal.symmetries()) == ["reflection"] * 2 + ["rotation"] * 2


# -- the shipped instances


def test_the_strips_agree_with_the_article() -> None:
    printed = """
        4b 2w 1w 9b 9b
        4b 2w 1w 6b 7w
        4w 2b 1w 6b 7w
        5b 5w 5b 6b 8b
        .b 3w 3b 3w 8w
    """
    rows = [line.split() for line in printed.split("\n") if line.strip()]
    numbers = {(y, x): entry[0] for y, row in enumerate(rows) for x, entry in enumerate(row)}
    strips = ["www", "wwb", "wbw", "wbb", "bwb", "bbb", "ww", "wb", "bb"]
    (solution,) = jigsat.solutions("black-and-white")
    found = {cell: str(strips.index(name) + 1) for name, cells in solution.placements for cell in cells}
    assert {cell: found.get(cell, ".") for cell in numbers} == numbers
    (by_the_rule,) = jigsat.solutions("black-and-white-rule")
    assert set(by_the_rule.placements) - set(solution.placements) == {type(solution.placements[0])("b", ((4, 0),))}


def test_the_remaining_letter_is_named() -> None:
    data = {"family": "tiling", "board": "bw\nwb", "letters": "AB\nCD", "pieces": {"bw": "bw", "b": "b"}, "left_over": 1}
    answers = {puzzle.answer(s.placements) for puzzle in [parsed(data)] for s in jigsat.solutions(puzzle, up_to="nothing")}
    assert answers == {"BD", "CD", "AB", "AC"}
    (solution, *_) = jigsat.solutions(parsed(data))
    assert solution.text().endswith(f"the remaining letters: {solution.puzzle.answer(solution.placements)}")  # type: ignore[attr-defined]
    assert "the remaining letters" in solution.svg()


def test_one_file_holds_many_boards() -> None:
    puzzles = load_all("black-and-white-batch")
    assert len(puzzles) == 25
    assert [puzzle.name for puzzle in puzzles[:2]] == ["black-and-white-batch-1", "black-and-white-batch-2"]
    answers = ""
    for puzzle in puzzles:
        board = {(y, x): shade for y, row in enumerate(puzzle.board.split()) for x, shade in enumerate(row)}  # type: ignore[attr-defined]
        pieces = tuple(({(0, x): shade for x, shade in enumerate(name)}, 0, 1) for name in puzzle.pieces)  # type: ignore[attr-defined]
        assert len(list(Twin(board, pieces).solutions())) == 1
        (solution,) = jigsat.solutions(puzzle)
        answers += puzzle.answer(solution.placements)  # type: ignore[attr-defined]
    assert answers == "EVERYCELLISCOVEREDEXACTLY"
    with pytest.raises(InputError, match="expected one puzzle, found 25"):
        load("black-and-white-batch")


def test_a_board_in_a_list_may_have_its_own_entries() -> None:
    data = {"family": "tiling", "pieces": {"I": "##"}, "boards": ["##", {"board": "###", "left_over": 1}]}
    first, second = [parsed(one) for one in Tiling.split(data)]
    assert jigsat.count(first).solutions == 1
    assert jigsat.count(second).solutions == 2


def dominoes(rows: int, columns: int) -> Twin:
    return Twin({(y, x): "#" for y in range(rows) for x in range(columns)}, (({(0, 0): "#", (0, 1): "#"}, 0, 99),))


def kasteleyn(rows: int, columns: int) -> int:
    """The number of domino tilings by the product formula."""
    pairs = product(range(1, (rows + 1) // 2 + 1), range(1, (columns + 1) // 2 + 1))
    return round(prod(4 * cos(pi * j / (rows + 1)) ** 2 + 4 * cos(pi * k / (columns + 1)) ** 2 for j, k in pairs))


def test_dominoes_by_the_product_formula() -> None:
    assert kasteleyn(6, 8) == load("dominoes-6x8").known.solutions
    assert jigsat.count(parsed(dominoes(4, 5).data())).solutions == kasteleyn(4, 5) == 95


PENTOMINO_BOARDS = ["3x20", "4x15", "5x12", "6x10", "8x8-hole"]


def twin_of(name: str) -> Twin:
    """The twin of an instance whose pieces are all used once, or any number of times."""
    puzzle: Any = load(name)

    def cells(drawing: str) -> Coloured:
        layers = [layer.split() for layer in drawing.strip().split("\n\n")]
        solid = "\n\n" in puzzle.board.strip()
        return {
            ((z, y, x) if solid else (y, x)): shade
            for z, layer in enumerate(layers)
            for y, row in enumerate(layer)
            for x, shade in enumerate(row)
            if shade != "."
        }

    return Twin(cells(puzzle.board), tuple((cells(piece.shape), *puzzle.used(key)) for key, piece in puzzle.pieces.items()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "soma",
        "pentominoes-3x20",
        "pentominoes-4x15",
        "pentominoes-5x12",
        "pentominoes-8x8-hole",
        "pentominoes-6x10",
        "dominoes-6x8",
    ],
)
def test_the_search_finds_the_known_counts(name: str) -> None:
    twin, known = twin_of(name), load(name).known
    solutions = set(twin.solutions())
    assert len(solutions) == known.solutions
    assert twin.orbits(solutions, "rotation") == known.rotation
    assert twin.orbits(solutions, "reflection") == known.reflection


def test_the_mirror_images_of_the_soma_cube_are_two_kinds() -> None:
    puzzle: Any = load("soma")
    assert [len(kind.ways) for kind in puzzle.kinds] == [12, 24, 12, 12, 12, 12, 8]
    mirrored = next(symmetry for symmetry in puzzle.symmetries() if symmetry.level == "reflection")
    assert {(a.piece, b.piece) for a, b in mirrored.images.items() if a.piece != b.piece} == {("A", "B"), ("B", "A")}


# -- files and pictures

PLAIN = {"family": "tiling", "board": "###\n###", "pieces": {"I": "###", "V": "##\n#."}}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"board": "###\n# #"}, "board: row 2 contains a blank; draw . where there is no cell"),
        ({"board": "...\n"}, "board: this drawing has no cells"),
        ({"pieces": {}}, "pieces: "),
        ({"pieces": {"I": "###", "V": {"shape": "##\n#"}, "O": ""}}, "pieces.O: this drawing has no cells"),
        ({"pieces": {"I": {"shape": "###", "uses": "often"}}}, "pieces.I.uses: expected a whole number"),
        ({"uses": [2, 1]}, 'uses: expected a whole number, [minimum, maximum] or "any"'),
        ({"uses": -1}, "uses: expected a whole number"),
        ({"left_over": "some"}, 'left_over: expected a whole number, [minimum, maximum] or "any"'),
        ({"left_over": 7}, "left_over: at most 6 cells may stay empty"),
        ({"optional": "+##\n###", "left_over": [2, 3]}, "left_over: at most 1 cells may stay empty"),
        ({"optional": "+##"}, "optional: the cells differ from those of the board; draw + or # for each cell of it"),
        ({"optional": "x##\n###"}, "optional: unknown character 'x'; + is a cell that may stay empty"),
        (
            {"optional": "+#+\n###", "pieces": {"I": "###"}},
            "pieces: they have 3 cells, but 4 to 6 must be covered; see 'left_over'",
        ),
        ({"left_over": 1}, "pieces: they have 6 cells, but 5 must be covered; see 'left_over', the number of uncovered cells"),
        ({"uses": [0, 3], "board": "#" * 30}, "pieces: they have 0 to 18 cells, but 30 must be covered"),
        ({"board": "www\nbbb", "pieces": {"I": "wwr", "J": "###"}}, "pieces.I: no cell of the board has the colour 'r'"),
        ({"letters": "ABC"}, "letters: the cells differ from those of the board"),
        (
            {"board": "##\n#\n\n##\n#", "turning_over": False},
            "turning_over: in space this is an ordinary turn; remove the entry",
        ),
        ({"turn": True}, "unknown entry 'turn'; did you mean 'turning'"),
    ],
)
def test_errors_name_the_place(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as raised:
        parsed(PLAIN | change)
    assert str(raised.value).startswith(f"random.toml: {complaint}")


def test_layers_are_drawn_side_by_side() -> None:
    square = {"shape": "##\n##", "uses": 2}
    (solution,) = jigsat.solutions(parsed({**PLAIN, "board": "##\n##\n\n##\n##", "pieces": {"I": square}, "turning": False}))
    assert solution.text().splitlines() == [
        "┌───────┐   ┌───────┐",
        "│ I   I │   │ I   I │",
        "│       │   │       │",
        "│ I   I │   │ I   I │",
        "└───────┘   └───────┘",
    ]


def test_cells_that_may_stay_empty_are_marked() -> None:
    puzzle = parsed({"family": "tiling", "board": "###", "optional": "+#+", "pieces": {"I": "##"}})
    solutions = list(jigsat.solutions(puzzle, up_to="nothing"))
    assert sorted(solution.text().splitlines()[1] for solution in solutions) == ["│ () │ I   I  │", "│ I   I  │ () │"]
    for solution in solutions:
        assert (solution.svg().count("<circle"), solution.svg().count(">+</text>")) == (1, 2)
    assert puzzle.svg([]).count("<circle") == 0
    assert list(puzzle.check([])) == ["3 cells are left over, not 0 to 2", "(0, 1) is not covered", "piece I is used 0 times"]


def test_nothing_is_a_solution_if_every_cell_may_stay_empty() -> None:
    data = {"family": "tiling", "board": "##", "optional": "++", "pieces": {"I": "#"}, "uses": "any"}
    assert {len(solution.placements) for solution in jigsat.solutions(parsed(data), up_to="nothing")} == {0, 1, 2}
    assert jigsat.count(parsed(data)).solutions == 4


def test_cells_that_are_left_over_are_marked() -> None:
    data = {
        "family": "tiling",
        "board": "wbw",
        "pieces": {"strip": "wb"},
        "left_over": 1,
        "turning_over": False,
        "turning": False,
    }
    (solution,) = jigsat.solutions(parsed(data))
    assert solution.text().splitlines()[1] == "│  w    b  │ (w) │"
    assert solution.svg().count("<circle") == 1


@pytest.mark.parametrize("name", ["black-and-white", "black-and-white-rule", "soma"])
def test_every_piece_is_named_in_the_picture(name: str) -> None:
    solution = next(jigsat.solutions(name))
    drawn = ElementTree.fromstring(solution.svg())
    texts = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {placement.piece for placement in solution.placements}
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polygon"))) >= len(solution.puzzle.cells)  # type: ignore[attr-defined]
