"""The levels of symmetry: their order, their names, and that they are strings."""

import json
import pickle

import pytest

from jigsat import solutions
from jigsat.symmetry import DECLARED_LEVELS, Level

NAMES = ["nothing", "rotation", "reflection", "all", "automorphism"]


def test_levels_are_in_order_and_not_in_that_of_their_letters() -> None:
    by_letters = [Level(name) for name in sorted(NAMES)]
    assert sorted(by_letters) == [Level(name) for name in NAMES]
    for place, level in enumerate(Level):
        for other_place, other in enumerate(Level):
            assert (level < other) == (place < other_place)
            assert (level <= other) == (place <= other_place)
            assert (level > other) == (place > other_place)
            assert (level >= other) == (place >= other_place)
    assert max("nothing", Level.REFLECTION, key=Level) == "reflection"


def test_a_level_is_the_string_of_its_name() -> None:
    for level, name in zip(Level, NAMES, strict=True):
        assert level == name and hash(level) == hash(name)
        assert (str(level), repr(level), f"{level}") == (name, repr(name), name)
        assert json.dumps({level: level}) == json.dumps({name: name})
        assert pickle.loads(pickle.dumps(level)) is level


def test_names_are_parsed_once() -> None:
    assert [Level.parse(name) for name in NAMES] == list(Level)
    assert [level.is_declared for level in Level] == [True, True, True, True, False]
    assert tuple(level for level in Level if level.is_declared) == DECLARED_LEVELS
    for wrong in ("rotations", "", "ROTATION", 3, None, ["all"]):
        with pytest.raises(ValueError, match="must be one of nothing, rotation"):
            Level.parse(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"reflection, all; got 'automorphism'"):
        Level.parse("automorphism", declared=True)


def test_functions_take_levels_as_well_as_their_names() -> None:
    assert len(list(solutions("cube", up_to=Level.REFLECTION))) == 2
    assert len(list(solutions("cube", up_to="reflection"))) == 2
