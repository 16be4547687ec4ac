"""How an exact cover is said: 'option 3 (a b c) is chosen'."""

from __future__ import annotations

from jigsat.encodings.exact_cover.data import Chosen, ExactCoverData

from jigsat.puzzle import Verb, Way


class Options(Way[ExactCoverData]):
    verb = Verb("covers", "cover")
    noun = "option"
    place_rules = ("item",)

    def thing(self, placement: Chosen) -> str:
        return f"option {placement.option} ({placement.items})"

    def place(self, placement: Chosen) -> str:
        return ""


def choose_way(puzzle: ExactCoverData) -> Options:
    return Options(puzzle)
