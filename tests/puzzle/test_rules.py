"""Rules as objects: what they are about comes from the formula, never from their names."""

from __future__ import annotations

import pytest

from jigsat import instance
from jigsat.formula import Formula, Thing
from jigsat.puzzle import list_rules


def test_rules_have_the_noun_of_what_they_are_about() -> None:
    formula = Formula()
    x = formula.variables("x", {"row": range(2), "column": range(2)})
    with formula.rule("each digit once", "extra region", 3):
        formula.exactly_one(x[0, :])
    with formula.rule("one of them", "cell", (0, 1)):
        formula.clause([x(0, 1), x(1, 1)])
    with formula.rule("not both"):
        formula.at_most_one(x[:, 1])

    region, cell, other = list_rules(formula).values()
    assert (region.name, region.kind, region.about) == ("extra region 3", "extra region", "3")
    assert (cell.name, cell.kind, cell.about) == ("cell r1c2", "cell", "r1c2")
    assert cell.states == ("one of them",)
    assert other.kind == "" and other.name.startswith("not both")
    assert formula.things["cell r1c2"] == Thing("cell", (0, 1))


@pytest.mark.parametrize("name", ["hashi-5", "galaxies-5", "heyawake-5", "tents-4", "futoshiki-4"])
def test_the_noun_of_a_thing_is_one_word(name: str) -> None:
    nouns = {rule.kind for rule in list_rules(instance.load(name).encode()).values()}
    assert all(" " not in noun for noun in nouns)


def test_rules_of_a_host_have_no_kind() -> None:
    """The name of a guest is no noun, even if it is a word that some rules have."""
    puzzle = instance.load("dinner")
    rules = list_rules(puzzle.encode())
    assert {rule.kind for rule in rules.values()} == {"guest", "seat", ""}
    said = [puzzle.way().rule(rule) for rule in rules.values() if not rule.kind]
    assert said and all(words.startswith("“") for words in said)


def test_each_piece_that_may_be_left_over_has_a_rule_of_its_own() -> None:
    puzzle = instance.load_all("black-and-white-batch")[0]
    rules = list_rules(puzzle.encode()).values()
    pieces = [rule.about for rule in rules if rule.kind == "piece"]
    assert {"wwb", "w"} <= set(pieces) and len(pieces) == len(set(pieces))
