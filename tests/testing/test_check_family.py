"""check_family detects the faults of a family: each test breaks one aspect of a correct family."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

import pytest

import jigsat
from jigsat import Formula, InputError, Puzzle
from jigsat.diagnosis.cores import judge_clues
from jigsat.errors import FamilyError
from jigsat.instance import registry
from jigsat.puzzle import Known
from jigsat.symmetry import Symmetry
from jigsat.testing import TESTED_SOLUTIONS, check_family


class Rook(NamedTuple):
    cell: tuple[int, int]


class Rooks(Puzzle[Rook]):
    """A rook in each row and column of a chessboard, none of them on a corner cell that is
    `barred`."""

    family = "rooks"
    cell_field = "cell"

    size: int
    barred: tuple[tuple[int, int], ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        lines = range(self.size)
        rook = formula.variables("rook", Rook._fields, [Rook((r, c)) for r in lines for c in lines])
        for line in lines:
            formula.exactly_one(rook((line, c)) for c in lines)
            formula.exactly_one(rook((r, line)) for r in lines)
        for cell in self.barred:
            formula.clause([-rook(cell)])
        return formula

    def check(self, placements: Sequence[Rook]) -> Iterator[str]:
        for axis, name in enumerate(("row", "column")):
            if sorted(rook.cell[axis] for rook in placements) != list(range(self.size)):
                yield f"there is not one rook in each {name}"
        for rook in placements:
            if rook.cell in self.barred:
                yield f"the cell {rook.cell} is barred"

    def symmetries(self) -> Iterator[Symmetry]:
        last = self.size - 1
        for level, move in (
            ("reflection", lambda r, c: (c, r)),
            ("rotation", lambda r, c: (last - r, last - c)),
            ("reflection", lambda r, c: (last - c, last - r)),
        ):
            cells = {cell: move(*cell) for cell in self.board_cells()}
            if {cells[cell] for cell in self.barred} == {*self.barred}:
                yield Symmetry(level, {Rook(cell): Rook(image) for cell, image in cells.items()})  # type: ignore[arg-type]

    def board_cells(self) -> Collection[tuple[int, int]]:
        return [(r, c) for r in range(self.size) for c in range(self.size)]


def images(move: Callable[[int, int], tuple[int, int]]) -> dict[Rook, Rook]:
    return {Rook((r, c)): Rook(move(r, c)) for r in range(4) for c in range(4)}


class Box:
    """State for some of the faults."""

    times = 0
    seen: ClassVar[list[set[Rook]]] = []


def other_each_time(puzzle: Rooks) -> Formula:
    Box.times += 1
    formula = Rooks.encode(puzzle)
    if Box.times % 2:
        formula.clause(range(1, 5))
    return formula


def plain_tuples(puzzle: Rooks) -> Formula:
    formula = Formula()
    formula.variables("rook", ("row", "column"), puzzle.board_cells())
    return formula


def nothing(*_: object) -> Iterator[str]:
    return iter(())


def only_sets(puzzle: Rooks, placements: Sequence[Rook]) -> Iterator[str]:
    return Rooks.check(puzzle, sorted(set(placements)))


def only_in_order(puzzle: Rooks, placements: Sequence[Rook]) -> Iterator[str]:
    yield from Rooks.check(puzzle, placements)
    if list(placements) != sorted(placements):
        yield "the rooks stand in disorder"


def anything(puzzle: Rooks) -> Formula:
    formula = Formula()
    formula.variables("rook", Rook._fields, map(Rook, puzzle.board_cells()))
    return formula


def few(puzzle: Rooks, placements: Sequence[Rook]) -> Iterator[str]:
    """A check that accepts the sets that CaDiCaL finds first."""
    if len(set(placements)) < len(placements) or (
        set(placements) not in Box.seen and len(Box.seen) == TESTED_SOLUTIONS
    ):
        yield "one of many"
    elif set(placements) not in Box.seen:
        Box.seen.append(set(placements))


def rows_alone(puzzle: Rooks, placements: Sequence[Rook]) -> Iterator[str]:
    return (said for said in Rooks.check(puzzle, placements) if "row" in said)


def too_little(puzzle: Rooks) -> Formula:
    formula = Formula()
    rook = formula.variables("rook", Rook._fields, map(Rook, puzzle.board_cells()))
    formula.exactly(4, rook[:])
    return formula


SPOILT: dict[str, tuple[dict[str, Any], str]] = {
    "encode varies": (
        {"encode": other_each_time},
        "encode() returns a different formula each time",
    ),
    "encode gives nothing": (
        {"encode": lambda _: None},
        "Spoilt.encode returns None instead of a Formula",
    ),
    "encode fails": ({"encode": lambda _: 1 // 0}, "ZeroDivisionError"),
    "keys are plain tuples": (
        {"encode": plain_tuples},
        "the key (0, 0) of a decision variable is not a NamedTuple",
    ),
    "an unknown field": (
        {"piece_field": "piece"},
        "Spoilt.piece_field: Rook has no field 'piece'; it has cell",
    ),
    "a choice is expected": (
        {"encode": lambda puzzle: Rooks.encode(puzzle).all_different([1, 2])},  # type: ignore[list-item, func-returns-value]
        "Spoilt.encode: TypeError: all_different takes choices, which `formula.choice` makes; "
        "got 1 (test_check_family.py",
    ),
    "check returns text": (
        {"check": lambda *_: "two rooks in a row"},
        "Spoilt.check returns the str 'two rooks in a row' instead of sentences; yield one for "
        "each broken rule",
    ),
    "check returns nothing": (
        {"check": lambda *_: None},
        "Spoilt.check returns None instead of sentences; yield one",
    ),
    "check raises": (
        {"check": lambda *_: [][0]},
        "Spoilt.check: IndexError: list index out of range (test_check_family.py",
    ),
    "check accepts everything": (
        {"check": nothing},
        "check() accepts what encode() forbids: a solution without Rook",
    ),
    "check forgets a rule": (
        {"check": rows_alone},
        "check() accepts what encode() forbids: a solution with Rook",
    ),
    "check looks at sets": ({"check": only_sets}, "twice"),
    "check refuses too much": (
        {"encode": anything, "check": few, "symmetries": nothing},
        "check() refuses what encode() allows: a solution with Rook",
    ),
    "check wants an order": (
        {"check": only_in_order},
        "check() refuses a solution in another order",
    ),
    "the encoding allows too much": (
        {"encode": too_little},
        "gave an assignment that is not a solution: there is not one rook",
    ),
    "no permutation": (
        {"symmetries": lambda _: [Symmetry("rotation", images(lambda r, c: (r, 0)))]},
        "symmetry 0 (rotation) is not a permutation",
    ),
    "no such level": (
        {"symmetries": lambda _: [Symmetry("turn", images(lambda r, c: (c, r)))]},  # type: ignore[arg-type]
        "symmetry 0 (turn): the level must be one of rotation, reflection, all",
    ),
    "no group": (
        {"symmetries": lambda _: [Symmetry("rotation", images(lambda r, c: (r, (c + 1) % 4)))]},
        "the symmetries up to rotation are not a group",
    ),
    "no symmetry": (
        {
            "symmetries": lambda _: [
                Symmetry("all", images(lambda r, c: (r, {0: 1, 1: 0}.get(c, c) if r == 0 else c)))
            ]
        },
        "a symmetry (all) does not map a solution to a solution: there is not one rook in each "
        "column",
    ),
    "an empty picture": ({"text": lambda *_: ""}, "text() is empty"),
    "bells": ({"text": lambda *_: "\a"}, "text() has unprintable characters"),
    "no marks in text": (
        {"text": lambda *_: "rooks"},
        "text() is the same with and without a mark",
    ),
    "no marks in SVG": ({"svg": lambda *_: "<svg/>"}, "svg() is the same with and without a mark"),
    "no XML": ({"svg": lambda *_: "<svg>"}, "one of parts() is not well-formed XML"),
    "no SVG": ({"svg": lambda *_: "<html/>"}, "one of parts() is not an SVG document"),
    "takes TOML for its own": (
        {"from_text": classmethod(lambda cls, text: {"size": 4})},
        "from_text() mistakes a TOML file",
    ),
    "an entry that is not written": (
        {"model_dump": lambda self, **_: {"size": self.size, "barred": []}},
        "the entry 'barred' changes when the instance is written",
    ),
    "a clue that is none": (
        {"clues": lambda _: {"hints.0": frozenset({Rook((0, 0))})}},
        "no placement of the clue hints.0 is in a solution",
    ),
}

GIVEN = {"grid.0": frozenset({Rook((1, 1))})}


def with_given(puzzle: Rooks) -> Formula:
    formula = Rooks.encode(puzzle)
    formula.clause([6])
    return formula


CLUES: dict[str, tuple[dict[str, Any], str]] = {
    "clues stay": (
        {
            "encode": with_given,
            "clues": lambda _: GIVEN,
            "symmetries": nothing,
            "with_clues": lambda self, _: self,
        },
        "Spoilt.without_clues: clues() of the puzzle returned has 1 entries; expected none",
    ),
    "without_clues returns the puzzle": (
        {
            "encode": with_given,
            "clues": lambda _: GIVEN,
            "symmetries": nothing,
            "without_clues": lambda self: self,
        },
        "Spoilt.without_clues: clues() of the puzzle returned has 1 entries; expected none",
    ),
    "with_clues returns the puzzle": (
        {"with_clues": lambda self, _: self},
        "Spoilt.with_clues: clues() of the puzzle returned has 0 entries; expected 4",
    ),
    "without_clues removes more": (
        {
            "encode": lambda self: Rooks.encode(self) if not self.barred else with_given(self),
            "clues": lambda self: GIVEN if self.barred else {},
            "symmetries": nothing,
            "without_clues": lambda self: self.model_copy(update={"barred": ()}),
        },
        "without_clues() changes more or less than the clues",
    ),
    "other variables": (
        {
            "clues": lambda self: (
                {} if self.size > 4 else {"a": frozenset(map(Rook, self.board_cells()))}
            ),
            "without_clues": lambda self: self.model_copy(update={"size": 5}),
        },
        "without_clues() changes the decision variables",
    ),
    "a bare placement": (
        {"clues": lambda _: {"a": Rook((0, 1))}},
        "Spoilt.clues: a: expected a set of placements, got Rook(",
    ),
    "an unknown placement": (
        {
            "clues": lambda self: (
                {"a": frozenset([Rook((0, c)) for c in range(9)])} if self.barred else {}
            ),
            "encode": lambda self: Rooks.encode(self.model_copy(update={"barred": ((0, 0),)})),
            "without_clues": lambda self: self.model_copy(update={"barred": ()}),
        },
        "the clue a has a placement that is no decision variable",
    ),
}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(Box, "seen", [])


def puzzle(kind: type[Rooks] = Rooks, **entries: Any) -> Rooks:
    return kind.model_validate({"size": 4, "barred": [(0, 0)], "name": "four", **entries})


def spoilt(changes: Mapping[str, Any]) -> type[Rooks]:
    """The family with a fault."""
    bare = {name: change for name, change in changes.items() if not name.endswith("_field")}
    kind = type("Spoilt", (Rooks,), {**bare, "__module__": __name__})
    for name in changes.keys() - bare.keys():
        setattr(kind, name, changes[name])
    return jigsat.register(kind)


def test_a_correct_family_passes() -> None:
    jigsat.register(Rooks)
    check_family(puzzle(), puzzle(barred=(), known=Known(solutions=24, rotation=16, reflection=13)))


@pytest.mark.parametrize(
    ("changes", "says"), (SPOILT | CLUES).values(), ids=(SPOILT | CLUES).keys()
)
def test_faults_of_a_family_are_named(changes: Mapping[str, Any], says: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_family(puzzle(spoilt(changes)))
    assert str(caught.value).startswith("four: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({"solutions": 17}, "known.solutions is 17, but 18 found"),
        ({"rotation": 18}, "known.rotation is 18, but"),
        ({"minimum": 4}, "nothing to minimise"),
    ],
)
def test_known_numbers_must_be_correct(known: dict[str, int], says: str) -> None:
    jigsat.register(Rooks)
    with pytest.raises(AssertionError) as caught:
        check_family(
            puzzle(
                barred=[(0, 0), (3, 3)][: 1 if "solutions" in known else 2],
                known={"solutions": 14} | known,
            )
        )
    assert says in str(caught.value)


def test_an_unregistered_family() -> None:
    with pytest.raises(
        AssertionError,
        match=r"four: jigsat does not know the family 'rooks' as .*Rooks; use @jigsat.register",
    ):
        check_family(puzzle())


def test_instances_without_a_solution_are_not_enough() -> None:
    jigsat.register(Rooks)
    barred = puzzle(size=1)
    with pytest.raises(AssertionError, match="none of four has a solution"):
        check_family(barred)
    check_family(barred, puzzle())


def test_instances_can_be_given_in_any_form(tmp_path: Path) -> None:
    jigsat.register(Rooks)
    path = tmp_path / "rooks.toml"
    path.write_text('family = "rooks"\nsize = 3\nknown = {solutions = 7}\n')
    with pytest.raises(AssertionError, match=r"rooks: known.solutions is 7, but 6 found"):
        check_family(path)
    with pytest.raises(AssertionError, match="nothing of this name: unknown instance"):
        check_family("nothing of this name")
    with pytest.raises(AssertionError, match="Rooks has no instances of its own"):
        check_family(Rooks)
    with pytest.raises(AssertionError, match="name at least one instance"):
        check_family()


def test_groups_are_recognised() -> None:
    from jigsat.proofs.check_count import is_group

    def with_identity(elements: set[tuple[int, ...]]) -> bool:
        return is_group(elements | {(0, 1, 2, 3)}, {i: i for i in range(4)})

    everything = set(permutations(range(4)))
    even = {
        p for p in everything if sum(p[i] > p[j] for i in range(4) for j in range(i, 4)) % 2 == 0
    }
    assert all(map(with_identity, (set(), everything, even, {(0, 1, 2, 3)}, {(1, 0, 3, 2)})))
    assert not any(
        map(with_identity, (everything - {(3, 2, 1, 0)}, even | {(1, 0, 2, 3)}, {(1, 2, 0, 3)}))
    )


def test_clues_of_unknown_placements_are_not_called_contradictory() -> None:
    unknown = {"a": frozenset(Rook((1, 1)))}  # the fields of a placement instead of the placement
    kind = spoilt(
        {
            "clues": lambda self: unknown if self.barred else {},
            "without_clues": lambda self: puzzle(barred=()),
        }
    )
    with pytest.raises(
        InputError, match="there is a solution, but none with a placement of each clue"
    ):
        judge_clues(puzzle(kind))


RULES = """\
from typing import NamedTuple

import jigsat


class Stone(NamedTuple):
    cell: int


@jigsat.register
class Stones(jigsat.Puzzle[Stone]):
    family = "stones"
    cell_field = "cell"

    size: int

    def encode(self):
        formula = jigsat.Formula()
        stone = formula.variables("stone", ["cell"], map(Stone, range(self.size)))
        formula.exactly_one(stone[:])
        return formula

    def check(self, placements):
        if len(placements) != 1:
            yield "not one stone"

    def parts(self):
        return []
"""

MODULES = {
    "picture": (
        "def draw_text(puzzle, placements, marked=()):\n    return f'{puzzle.size} "
        "{len(placements)} {len(marked)}'\n"
        "def write_rules(puzzle):\n    return ['found in picture']\n"
    ),
    "sheet": "def draw_parts(puzzle):\n    raise AssertionError('the class has the method')\n",
    "files": "WRITERS = {'plain': len}\ndef read_text(text):\n    return {'size': len(text)} if "
    "text == 'ooo' else None\n",
    "reasons": "def find_reasons(puzzle):\n    return 7\n",
}


@pytest.fixture
def stones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., type[jigsat.Puzzle]]]:
    """Makes the family as a package with the given modules."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(**modules: str) -> type[jigsat.Puzzle]:
        (tmp_path / "stones").mkdir()
        for name, text in {"__init__": "", "rules": RULES, **modules}.items():
            (tmp_path / "stones" / f"{name}.py").write_text(text)
        return cast("type[jigsat.Puzzle]", importlib.import_module("stones.rules").Stones)

    yield make
    for name in [name for name in sys.modules if name.partition(".")[0] == "stones"]:
        del sys.modules[name]


def test_modules_of_a_family_are_found_by_their_name(
    stones: Callable[..., type[jigsat.Puzzle]],
) -> None:
    kind = stones(**MODULES)
    assert not any(
        f"stones.{module}" in sys.modules for module in MODULES
    )  # they are imported when they are needed
    puzzle = kind.model_validate({"size": 3})
    assert puzzle.text([(1,)], marked=[(1,), (2,)]) == "3 1 2"
    assert puzzle.parts() == []
    assert (kind.from_text("ooo"), kind.from_text("o"), kind.writers()) == (
        {"size": 3},
        None,
        {"plain": len},
    )
    assert (
        list(puzzle.rules()) == []
    )  # those of the sheet, which has none, and this class has no docstring
    assert kind.generator() is None
    with pytest.raises(FamilyError, match=r"Stones\.reasons returns the int 7 instead of"):
        puzzle.reasons()


def test_rules_may_be_in_the_picture(stones: Callable[..., type[jigsat.Puzzle]]) -> None:
    kind = stones(picture=MODULES["picture"])
    assert list(kind.model_validate({"size": 3}).rules()) == ["found in picture"]
    check_family(kind.model_validate({"size": 3, "name": "three"}))


@pytest.mark.parametrize(
    ("module", "text", "says"),
    [
        (
            "reasons",
            "def reasons(puzzle):\n    return ()\n",
            "stones.reasons must define find_reasons or find_corrections",
        ),
        (
            "files",
            "def red_text(text):\n    pass\n",
            "stones.files must define read_text or WRITERS; rename it otherwise",
        ),
        (
            "picture",
            "def draw_text(puzzle, placements, marked=()):\n    return 1 / 0\n",
            "Stones.text: ZeroDivisionError: ",
        ),
        (
            "sheet",
            "import no_such_module\n",
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
    ],
)
def test_wrong_modules_are_named(
    module: str, text: str, says: str, stones: Callable[..., type[jigsat.Puzzle]]
) -> None:
    kind = stones(**{module: text})
    with pytest.raises(AssertionError) as caught:
        check_family(kind.model_validate({"size": 3, "name": "three"}))
    assert str(caught.value).startswith("three: ")
    assert says in str(caught.value)
