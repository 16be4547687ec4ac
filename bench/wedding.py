"""A wedding of 120 guests at 15 round tables, with rules and weighted wishes: python
bench/wedding.py --seed 1 > wedding.toml

There are 60 rules that must be kept, which a hidden seating keeps, and 40 wishes, some of which
conflict. `jigsat solve wedding.toml --minimize` seats the guests with the least total weight of
wishes that are not granted.
"""

from __future__ import annotations

import argparse
import random

from jigsat.encodings.seating.data import Rule, Wish
from jigsat.encodings.seating.rules import Seating

from jigsat.instance import instance_text

TABLES, SEATS = 15, 8
RULES, WISHES = 60, 40


def wedding(seed: int) -> Seating:
    """The instance of a seed."""
    rng = random.Random(seed)
    guests = [f"guest {i:03}" for i in range(1, TABLES * SEATS + 1)]
    hidden = rng.sample(guests, len(guests))
    at = {guest: divmod(i, SEATS) for i, guest in enumerate(hidden)}

    def beside(one: str, other: str) -> bool:
        (table, a), (also, b) = at[one], at[other]
        return table == also and (a - b) % SEATS in (1, SEATS - 1)

    must: list[Rule] = []
    while len(must) < RULES:
        one, other, third = rng.sample(guests, 3)
        kind = rng.choice(("apart", "beside", "same_table", "not_same_table", "beside_one_of"))
        if kind in ("beside", "same_table", "beside_one_of"):  # neighbours by chance would be rare
            table, seat = at[one]
            other = hidden[table * SEATS + (seat + (1 if kind != "same_table" else 3)) % SEATS]
        if kind == "beside_one_of":
            must.append(Rule(guest=one, beside_one_of=(other, third)))
        elif kind == "not_same_table" and at[one][0] != at[other][0]:
            must.append(Rule(not_same_table=(one, other)))
        elif kind == "apart" and not beside(one, other):
            must.append(Rule(apart=(one, other)))
        elif kind in ("beside", "same_table"):
            must.append(Rule.model_validate({kind: (one, other)}))
    wishes = []
    for _ in range(WISHES):
        kind = rng.choice(("beside", "same_table", "not_same_table", "across"))
        wishes.append(
            Wish.model_validate(
                {kind: tuple(rng.sample(guests[:40], 2)), "weight": rng.randint(1, 10)}
            )
        )
    return Seating.model_validate(
        {
            "title": f"A wedding of {len(guests)} guests",
            "source": f"python bench/wedding.py --seed {seed}",
            "tables": f"{TABLES} round {SEATS}",
            "guests": guests,
            "must": must,
            "wishes": wishes,
        }
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print a wedding of 120 guests as an instance.")
    parser.add_argument("--seed", type=int, default=1)
    print(instance_text(wedding(parser.parse_args().seed)), end="")
