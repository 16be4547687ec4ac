"""The order in which a memoised count processes the items of an exact cover: along a frontier that
stays small.

After the first items of the order have been closed, a state records which of the other items are
closed, too. These are in the frontier, the items that share an option with an earlier one. Of two
orders, the one with the smaller estimated number of states is used.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

Order = list[int]

MIN_HUB_FRACTION = 0.8
"""An item that shares options with at least this fraction of the others is a hub, such as a piece
that fits anywhere."""


@dataclass(frozen=True)
class Items:
    """The items of an exact cover with their options, numbered from 0. Sets of items are the bits
    of an integer."""

    options: Sequence[Sequence[int]]

    @cached_property
    def of_option(self) -> dict[int, list[int]]:
        """The items that contain each option; options in no item are left out."""
        items_of = defaultdict(list)
        for item, options in enumerate(self.options):
            for option in options:
                items_of[option].append(item)
        return items_of

    @cached_property
    def neighbours(self) -> list[int]:
        """For each item the other items that share an option with it."""
        as_bits = {
            option: sum(1 << item for item in items) for option, items in self.of_option.items()
        }
        neighbours = []
        for item, options in enumerate(self.options):
            near = 0
            for option in options:
                near |= as_bits[option]
            neighbours.append(near & ~(1 << item))
        return neighbours

    @cached_property
    def hubs(self) -> int:
        """The hubs; none if more than half of the items would be hubs."""
        by_degree = sorted(
            range(len(self.options)), key=lambda item: -self.neighbours[item].bit_count()
        )
        rest = (1 << len(by_degree)) - 1
        for number, item in enumerate(by_degree):
            if 2 * number > len(by_degree):
                break
            rest &= ~(1 << item)
            if (self.neighbours[item] & rest).bit_count() < MIN_HUB_FRACTION * rest.bit_count():
                return ~rest & ((1 << len(by_degree)) - 1) & ~(1 << item)
        return 0

    @cached_property
    def skeleton(self) -> list[int]:
        """A sparse graph on the items that are not hubs, in which the items of each option are
        connected.

        Each option adds a spanning tree of its items, whose edges join items that share the largest
        part of their options. On a board of cells these are the pairs of cells with a common side.
        """
        local = []  # the items of each option that are not hubs
        for items in self.of_option.values():
            local.append([item for item in items if not self.hubs >> item & 1])
        shared = Counter(pair for items in local for pair in combinations(items, 2))
        distance = {}
        for (a, b), number in shared.items():
            distance[a, b] = -number / min(len(self.options[a]), len(self.options[b]))

        near = [0] * len(self.options)
        for items in local:
            pairs = sorted((distance[pair], pair) for pair in combinations(items, 2))
            for a, b in _span(items, (pair for _, pair in pairs)):
                near[a] |= 1 << b
                near[b] |= 1 << a
        return near


def bits(vector: int) -> Iterator[int]:
    """The positions of the set bits."""
    while vector:
        low = vector & -vector
        yield low.bit_length() - 1
        vector ^= low


def _span(items: Iterable[int], pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The first of these pairs that join the items to a tree."""
    part_of = {item: item for item in items}
    for a, b in pairs:
        gone, stay = part_of[a], part_of[b]
        if gone != stay:
            part_of = {item: stay if part == gone else part for item, part in part_of.items()}
            yield a, b


def order(items: Items) -> Order:
    """The order of the items as they are, or a better one."""
    as_listed = list(range(len(items.options)))
    return min(
        [as_listed, _greedy(items)] if as_listed else [as_listed],
        key=lambda candidate: _states(items, candidate),
    )


def neighbours(items: Items, order: Order) -> list[list[int]]:
    """The skeleton for items in this order: for each item its neighbours, by their new numbers."""
    place = {item: at for at, item in enumerate(order)}
    return [[place[other] for other in bits(items.skeleton[item])] for item in order]


def _greedy(items: Items) -> Order:
    """An order that always continues with the item of the frontier that leaves the smallest
    frontier, or with any item where the frontier is empty.

    Of several such items it takes one with the fewest neighbours, then the one that has been in the
    frontier for longest. There must be an item.
    """
    count = len(items.options)
    rest = set(range(count))
    taken = 0  # the items of the order, as bits
    frontier = 0
    entered: dict[int, int] = {}  # when an item has come into the frontier
    chosen = min(rest, key=lambda item: items.neighbours[item].bit_count())
    order: Order = []
    while True:
        order.append(chosen)
        rest.remove(chosen)
        if not rest:
            return order
        taken |= 1 << chosen
        frontier = (frontier | items.neighbours[chosen]) & ~taken
        for item in bits(frontier):
            entered.setdefault(item, len(order))
        costs = []
        for item in bits(frontier) if frontier else rest:
            after = (frontier | items.neighbours[item]) & ~taken & ~(1 << item)
            neighbour_count = items.neighbours[item].bit_count()
            costs.append((after.bit_count(), neighbour_count, entered.get(item, 0), item))
        chosen = min(costs)[-1]


def _states(items: Items, candidate: Iterable[int]) -> float:
    """An estimate of the number of states, good enough to compare orders.

    After each item of the order, a later item is assumed to be closed with a probability equal to
    the fraction of its options that are gone, independently of the others. In experiments, half of
    the entropy ranked orders by their number of states.
    """
    gone = [0] * len(items.options)  # how many options of each item
    entropies = [0.0] * len(items.options)
    closed = 0  # the items of the order so far, as bits
    done: set[int] = set()
    total = 0.0
    estimate = 0.0
    for item in candidate:
        closed |= 1 << item
        total -= entropies[item]
        for option in items.options[item]:
            if option in done:
                continue
            done.add(option)
            for other in items.of_option[option]:
                gone[other] += 1
                if not closed >> other & 1:
                    total -= entropies[other]
                    entropies[other] = _entropy(gone[other] / len(items.options[other]))
                    total += entropies[other]
        estimate += 2 ** (total / 2)
    return estimate


def _entropy(p: float) -> float:
    """The entropy, in bits, of an event with this probability above 0."""
    if p == 1:
        return 0.0
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)
