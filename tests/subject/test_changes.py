"""Instances with overridden entries."""

import pytest

import jigsat
from jigsat.errors import InputError


def test_an_option_overrides_the_entry_of_the_file() -> None:
    puzzle = jigsat.load("lights-5x5", board="square 3x3")
    assert puzzle.name == "lights-5x5[board=square 3x3]"
    assert jigsat.count(puzzle).solutions == 1
    assert puzzle.digest() != jigsat.load("lights-5x5").digest()
    assert puzzle.digest() == jigsat.load("push-pull", lit="all").digest()


def test_known_numbers_are_dropped_when_an_entry_is_overridden() -> None:
    assert jigsat.load("lights-5x5").known.solutions == 4
    changed = jigsat.load("lights-5x5", board="square 3x3").known
    assert changed.solutions is changed.minimum is None
    assert not changed.distinct()
    assert (
        jigsat.load("lights-5x5", board="square 3x3", known={"solutions": 1}).known.solutions == 1
    )


def test_a_wrong_override_is_reported_like_a_wrong_file() -> None:
    with pytest.raises(
        InputError, match=r"lights-5x5 with board=ring 3: board: unknown board 'ring 3'"
    ):
        jigsat.load("lights-5x5", board="ring 3")
    with pytest.raises(
        InputError, match=r"lights-5x5 with bord=.*: unknown entry 'bord'; did you mean 'board'"
    ):
        jigsat.load("lights-5x5", bord="square 3x3")


def test_entries_of_every_family_can_be_overridden() -> None:
    assert (
        jigsat.count(jigsat.load("cats", reusable=True)).solutions
        == jigsat.load("cats-reuse").known.solutions
    )
