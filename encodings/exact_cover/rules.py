"""Exact cover with colours (Knuth, The Art of Computer Programming 7.2.2.1): options are chosen so
that they cover the items.

Variables and rules, for n primary items and m options:

- `choose(option, items)`: the option is chosen; m decision variables.
- `colour(item, colour)`: a chosen option has the secondary item with this colour; auxiliary, only
  for items with colours.

- "each item is covered once": n exactly-one.
- "a secondary item is covered at most once, or with one colour": one at-most-one per secondary
  item.
- "an option shows its colours": what the colour variables mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import gcd

from jigsat.encodings.exact_cover.check import broken_rules
from jigsat.encodings.exact_cover.data import Chosen, ExactCoverData

from jigsat.errors import printable
from jigsat.formula import Formula
from jigsat.pieces.counting import list_words
from jigsat.puzzle import Reason

COLOUR = "A chosen option has the secondary item with this colour."


class ExactCover(ExactCoverData):
    """An exact-cover problem."""

    check = broken_rules

    def encode(self) -> Formula:
        formula = Formula()
        choose = formula.variables("choose", Chosen._fields, self.choices)

        # For each item and colour, or '' without a colour, the options that have it.
        having: dict[str, dict[str, list[int]]] = {}
        for name in (*self.items, *self.secondary):
            having[name] = {}
        for choice in self.choices:
            for word in choice.items.split():
                name, _, colour = word.partition(":")
                having[name].setdefault(colour, []).append(choose(*choice))

        for name in self.items:
            with formula.rule("each item is covered once", "item", name, must_be="covered"):
                formula.exactly_one(having[name].get("", []))

        for name in self.secondary:
            self.limit_secondary_item(formula, name, having[name])
        return formula

    def limit_secondary_item(
        self, formula: Formula, name: str, having: Mapping[str, Sequence[int]]
    ) -> None:
        """A secondary item is covered at most once, or by any number of options with the same
        colour."""
        without_colour = having.get("", [])
        names = [colour for colour in having if colour]
        keys = [(name, colour) for colour in names]
        colours = formula.variables(
            "colour", ("item", "colour"), keys, decision=False, meaning=COLOUR
        )
        with formula.rule("an option shows its colours", "item", name):
            for colour in names:
                formula.clause([-colours(name, colour), *having[colour]])
                for literal in having[colour]:
                    formula.implies(literal, colours(name, colour))

        with formula.rule(
            "a secondary item is covered at most once, or with one colour", "item", name
        ):
            shown = [colours(name, colour) for colour in names]
            formula.at_most_one([*without_colour, *shown])

    def reasons(self) -> Iterator[Reason]:
        """Items without an option, and a number of items that the options cannot add up to."""
        items = set(self.items)
        primary = [[name for name in option.split() if name in items] for option in self.options]
        covered = {name for names in primary for name in names}
        bare = [f"'{printable(name)}'" for name in self.items if name not in covered]
        if bare:
            yield Reason(f"no option has {list_words(bare)}")
            return
        factor = gcd(*[len(names) for names in primary])
        if len(self.items) % factor != 0:
            yield Reason(
                f"the number of items of every option is divisible by {factor}, but there are "
                f"{len(self.items):,} items"
            )
