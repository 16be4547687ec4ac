"""Entries of instances: replaced by anything, set on the command line, strictly typed, and written
to a file."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BeforeValidator, ValidationError
from support.quick import cases

import jigsat
from jigsat import Formula, InputError, Puzzle, instance
from jigsat.cli.options import changes
from jigsat.instance import instance_text, load, parse

# -- arbitrary replacements

junk: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats()
    | st.text(max_size=3)
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)

SOUND: dict[str, dict[str, Any]] = {
    "crossword": {
        "grid": ["#..", "...", "..#"],
        "words": ["at;60", "ha", "hat", "tea"],
        "banned": "tea",
        "least_score": 10,
        "repeats": True,
        "questions": {"1 across": "in"},
    },
    "edge-matching": {
        "board": "square 1x2",
        "tiles": {
            "a": {"sides": ["x", "y", "x", "y"], "count": 1},
            "b": {"sides": ["x"] * 4, "face": "cat"},
        },
        "matching": [["x", "y"]],
        "frame": "x",
        "hints": [{"cell": [0, 1], "tile": "b", "turn": 0}],
        "known": {"solutions": 1},
    },
    "exact-cover": {"items": "a b", "secondary": "x", "options": ["a x:1", "b x:1", "a b"]},
    "interlocking": {
        "board": "cube",
        "pieces": {name: ["#.", ".#"] for name in "ABCDEF"},
        "holes": "allowed",
    },
    "latin": {"grid": ["1..", "...", "..."], "mates": [["...", "B..", "..."]], "diagonals": False},
    "lights-out": {"board": "square 2x2", "lit": "#.\n.#"},
    "seating": {
        "tables": ["round 2", "long 2"],
        "guests": {"A": ["x"], "B": []},
        "must": [{"guest": "A", "beside_one_of": ["B"]}],
        "wishes": [{"apart": ["x", "B"], "weight": 2}],
        "enforced": True,
    },
    "sudoku": {
        "grid": ["12..", "...1", "....", "...."],
        "regions": ["1122", "1122", "3344", "3344"],
        "diagonals": False,
    },
    "tiling": {
        "board": "bw\nwb",
        "letters": "ab\ncd",
        "optional": "+#\n#+",
        "pieces": {"domino": "##", "other": {"shape": "#", "uses": [0, 2]}},
        "uses": 1,
        "left_over": 0,
        "turning": True,
    },
}


def replaced(data: Any, rng: random.Random, value: Any, chance: float = 1) -> Any:
    """The data with some part or key replaced by the value."""
    if isinstance(data, (dict, list)) and data and rng.random() < chance:
        key = rng.choice(list(data) if isinstance(data, dict) else range(len(data)))
        if isinstance(data, dict):
            if isinstance(value, str) and rng.random() < 0.3:
                return {(value if other == key else other): entry for other, entry in data.items()}
            return {**data, key: replaced(data[key], rng, value, 0.8)}
        return [
            replaced(entry, rng, value, 0.8) if i == key else entry for i, entry in enumerate(data)
        ]
    return value


@settings(max_examples=cases(400), derandomize=True, deadline=None)
@given(st.sampled_from(sorted(SOUND)), st.randoms(use_true_random=False), junk)
def test_junk_is_refused_or_makes_a_puzzle(family: str, rng: random.Random, value: Any) -> None:
    try:
        puzzle = parse(
            {"family": family, **replaced(SOUND[family], rng, value)},
            name="junk",
            origin="junk.toml",
        )
    except InputError as error:
        assert str(error).startswith("junk.toml: ")
        assert str(error).isprintable()
    else:
        assert jigsat.count(puzzle, limit=1).instance == "junk"


# -- entries from the command line


@pytest.mark.parametrize(
    "entry",
    [
        "name",
        "instance",
        "data",
        "self",
        "family",
        "known",
        "title",
        "board",
        "tiles",
        "a.b",
        "colour",
    ],
)
@pytest.mark.parametrize(
    "value", ["x", "3", "[1, 2]", "{a = 1}", "nan", "2020-01-01", "x\ny = 1", "'" + "[" * 200 + "'"]
)
def test_any_entry_can_be_set_to_anything(entry: str, value: str) -> None:
    try:
        puzzle = load("cats", **changes([f"{entry}={value}"]))
    except InputError as error:
        assert re.match(
            rf"cats with {re.escape(entry)}=", str(error)
        )  # no path: it is the name of an instance
    else:
        assert (entry, puzzle.title) in (("title", value), ("title", puzzle.title))


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("board=" + "1" * 5000, "--set board: a number of more than 4300 digits"),
        ("board=" + "[" * 5000, "--set board: nested too deeply"),
        ("board={" + "a." * 5000 + "a=1}", "--set board: a key of more than 100 dotted parts"),
        ("=3", "--set =3: write ENTRY=VALUE"),
        ("board", "--set board: write ENTRY=VALUE"),
    ],
)
def test_values_that_cannot_be_read(setting: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        changes([setting])
    assert str(caught.value) == says


@pytest.mark.parametrize(
    ("name", "settings", "says"),
    [
        ("catz", {}, "catz: unknown instance; did you mean 'cats'?"),
        ("sudok", {}, "sudok: unknown instance; did you mean 'sudoku-6x6'?"),
        ("sudoku", {}, "sudoku: a family, not an instance; `jigsat list` shows"),
        ("cats", {"board": "3x3"}, "board: unknown board '3x3'; did you mean 'square 3x3'?"),
        ("cats", {"board": "Square 3 x 3"}, "did you mean 'square 3x3'?"),
        (
            "cats",
            {"board": "hexagon 9999"},
            "board: the board 'hexagon 9999' is too large; the numbers in a name go up to 999",
        ),
        (
            "cats",
            {"board": "hexagon 999"},
            "board: this board is too large; a board has at most 1,000,000 cells",
        ),
        (
            "cats",
            {"board": "squares\n" + "\n".join(["#" * 1001] * 1000)},
            "squares: 1,001,000 cells are too many",
        ),
        (
            "soma",
            {"board": "\n".join(["#" * 1001] * 1000)},
            "1,001,000 cells are too many; the limit is 1,000,000",
        ),
        ("cats", {"tilez": 3}, "unknown entry 'tilez'; did you mean 'tiles'?"),
        (
            "cats",
            {"family": "edgematching"},
            "unknown family 'edgematching'; did you mean 'edge-matching'?",
        ),
        ("cats", {"encoding": "suports"}, "did you mean 'supports'?"),
        ("cats", {"name": "x"}, "unknown entry 'name'; the file name is the instance's name"),
        ("black-and-white-batch", {"boards": "##"}, "boards: write a list of boards"),
    ],
)
def test_the_nearest_known_name_is_suggested(
    name: str, settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(name, **settings)
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        (
            "black-and-white",
            {"left_over": True},
            "left_over: expected a whole number, [minimum, maximum]",
        ),
        (
            "black-and-white",
            {"left_over": 1.0},
            "left_over: expected a whole number, [minimum, maximum]",
        ),
        (
            "black-and-white",
            {"left_over": "1"},
            "left_over: expected a whole number, [minimum, maximum]",
        ),
        (
            "black-and-white",
            {"uses": [True, 2]},
            "uses: expected a whole number, [minimum, maximum]",
        ),
        ("black-and-white", {"uses": 1.0}, "uses: expected a whole number, [minimum, maximum]"),
        ("black-and-white", {"turning": 1}, "turning: expected true or false; got 1"),
        ("cats", {"turning": "yes"}, 'turning: expected true or false; got "yes"'),
        (
            "cats",
            {"tiles": {"a": {"sides": ["x"] * 4, "count": 9.0}}},
            "tiles.a.count: expected a whole number; got 9.0",
        ),
        (
            "cats",
            {"hints": [{"cell": [0, 0], "tile": "1", "turn": True}]},
            "hints.0.turn: expected a whole number; got true",
        ),
        (
            "cats",
            {"hints": [{"cell": [0.0, 0], "tile": "1"}]},
            "hints.0.cell: expected the name or the numbers of a cell",
        ),
        (
            "cats",
            {"known": {"solutions": 4.0}},
            "known.solutions: expected a whole number; got 4.0",
        ),
        ("cube", {"title": 3}, "title: expected text in quotes; got 3"),
    ],
)
def test_nothing_is_converted(name: str, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        load(name, **changes)
    assert says in str(caught.value)


class Place(NamedTuple):
    cell: tuple[int, int]
    value: int


def test_only_scalars_are_strict() -> None:
    class Ruler(Puzzle[Any]):
        family = "ruler"
        marks: tuple[int, ...] = ()
        lengths: dict[int, float] = {}  # noqa: RUF012
        joined: Annotated[str, BeforeValidator("".join)] = ""
        places: tuple[Place, ...] = ()

        def encode(self) -> Formula:
            return Formula()

        def check(self, placements: Any) -> Iterator[str]:
            yield from ()

    data = {"marks": [1, 2], "lengths": {"3": 4}, "joined": ["a", "b"], "places": [[[0, 1], 2]]}
    ruler = Ruler.model_validate(data)
    assert (ruler.marks, ruler.lengths, ruler.joined) == ((1, 2), {3: 4.0}, "ab")
    assert ruler.places == (Place((0, 1), 2),)
    for wrong in (
        {"marks": [1, 2.0]},
        {"lengths": {"3": True}},
        {"marks": ["1"]},
        {"places": [[[0, "1"], 2]]},
        {"places": [[[0, 1], 2.0]]},
    ):
        with pytest.raises(ValidationError):
            Ruler.model_validate(wrong)


def test_what_is_written_is_read_back() -> None:
    for path in instance.instances():
        for puzzle in instance.load_all(path):
            again = load(instance_text(puzzle))
            assert again.digest() == puzzle.digest() and again.known == puzzle.known


def test_a_source_that_is_no_utf_8_is_written_so_that_it_is_read_back() -> None:
    cats = load("cats").model_copy(
        update={"source": "jigsat generate a\udcff.toml", "title": "\ufffe\x7f"}
    )
    again = load(instance_text(cats))
    assert (again.source, again.title) == ("jigsat generate a\ufffd.toml", "\ufffe\x7f")
