"""Kinds and instances by the names that others use."""

from __future__ import annotations

import json

import pytest
from support.inside import jigsat

from jigsat import InputError, instance
from jigsat.instance.registry import find_kind, squeeze


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("hanjie",), "nonogram"),
        (("Japanese", "crossword"), "nonogram"),
        (("KenKen",), "calcudoku"),
        (("sumdoku",), "killer-sudoku"),
        (("loop-the-loop",), "slitherlink"),
        (("lightup",), "akari"),
        (("str8ts",), "straights"),
        (("star battle",), "star-battle"),
    ],
)
def test_an_instance_by_another_name_of_its_kind(
    words: tuple[str, ...], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(jigsat(capsys, "list", *words, "--json").out)
    listed = rows["instances"] if isinstance(rows, dict) else rows
    assert {row["family"] for row in listed} == {kind}


def test_words_that_nothing_has(capsys: pytest.CaptureFixture[str]) -> None:
    listed = jigsat(capsys, "list", "hanjie", "cube")
    assert (listed.status, listed.out) == (2, "")
    assert "nothing has the words hanjie and cube; `jigsat list` without words" in listed.err


def test_a_kind_by_another_name() -> None:
    with pytest.raises(InputError, match="the family 'hanjie' is called 'nonogram' here"):
        instance.family("hanjie")
    with pytest.raises(InputError, match="hanjie: these puzzles are called nonogram here"):
        instance.load("hanjie")


def test_a_name_belongs_to_one_kind_and_is_not_that_of_another() -> None:
    names = [name for kind in instance.every_family() for name in kind.other_names]
    squeezed = [squeeze(name) for name in (*names, *instance.families())]
    assert sorted(squeezed) == sorted(set(squeezed))
    assert all(instance.family(find_kind(name)) for name in names)
