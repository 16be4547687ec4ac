"""Exact cover with colours (Knuth, The Art of Computer Programming 7.2.2.1): options are chosen so
that they cover the items.

Variables and constraint groups, for n primary items and m options:

- `choose(option, items)`: the option is chosen; m decision variables.
- `colour(item, colour)`: a chosen option has the secondary item with this colour; auxiliary, only
  for items with colours.

- "each item is covered once": n exactly-one.
- "a secondary item is covered at most once, or with one colour": one at-most-one per secondary
  item.
- "an option shows its colours": what the colour variables mean.
"""

from collections import Counter
from collections.abc import Iterator
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
        covering: dict[str, dict[str, list[int]]] = {
            name: {} for name in (*self.items, *self.secondary)
        }
        for choice in self.choices:
            for word in choice.items.split():
                name, _, colour = word.partition(":")
                covering[name].setdefault(colour, []).append(choose(*choice))

        with formula.group("each item is covered once"):
            for name in self.items:
                with formula.requirement("item", name, "covered"):
                    formula.exactly_one(covering[name].get("", []))

        for name in self.secondary:
            plain = covering[name].pop("", [])
            known = ((name, each) for each in covering[name])
            colours = formula.variables(
                "colour", ("item", "colour"), known, decision=False, meaning=COLOUR
            )
            with formula.rule(f"item {name}"), formula.group("an option shows its colours"):
                for each, showing in covering[name].items():
                    formula.clause([-colours(name, each), *showing])
                    for literal in showing:
                        formula.implies(literal, colours(name, each))
            at_most = "a secondary item is covered at most once, or with one colour"
            with formula.rule(f"item {name}"), formula.group(at_most):
                formula.at_most_one([*plain, *(colours(name, each) for each in covering[name])])
        return formula

    def reasons(self) -> Iterator[Reason]:
        """Items without an option, and a number of items that the options cannot add up to."""
        items = {*self.items}
        primary = [[name for name in option.split() if name in items] for option in self.options]
        covered = Counter(name for names in primary for name in names)
        if bare := [f"'{printable(name)}'" for name in self.items if not covered[name]]:
            yield Reason(f"no option has {list_words(bare)}")
        elif len(self.items) % (factor := gcd(*map(len, primary))):
            yield Reason(
                f"the number of items of every option is divisible by {factor}, but there are "
                f"{len(self.items):,} items"
            )
