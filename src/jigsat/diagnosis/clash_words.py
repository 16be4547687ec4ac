"""Sentences about pieces and cells that clash."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from jigsat.diagnosis.cores import Core
from jigsat.diagnosis.demands import Demand
from jigsat.words import join_words


def describe_clash(core: Core, demands: Mapping[str, Demand], fitting: Sequence[str]) -> str:
    """The demands of a core in a sentence.

    `demands` are all demands by name. Without one of the pieces that are `fitting`, all others fit.
    """
    clashing = [demands[name] for name in core.names]
    by_noun = [list(alike) for _, alike in groupby(clashing, key=lambda demand: demand.noun)]
    if len(by_noun) > 1:
        return _describe_nouns(core, by_noun)

    first = clashing[0]
    others = [d for d in demands.values() if d.noun == first.noun and d not in clashing]
    if len(clashing) == 1:
        return _describe_one(first, others, fitting)
    if not others and core.irreducible and not _has_copies(clashing):
        return _describe_all(clashing)
    return _describe_some(core, clashing, others, fitting)


def _describe_nouns(core: Core, by_noun: Sequence[Sequence[Demand]]) -> str:
    """Such as 'pieces A and B cannot be placed if cell r1c1 is filled'."""
    alike, *others = by_noun
    conditions = []
    for demands in others:
        verb = "is" if len(demands) == 1 else "are"
        conditions.append(f"{_list_demands(demands)} {verb} {demands[0].done}")
    words = f"{_list_demands(alike)} cannot be {alike[0].done} if {' and '.join(conditions)}"
    if core.smallest and not any(_has_copies(demands) for demands in by_noun):
        return f"{words}, and no smaller set clashes"
    if core.irreducible:
        return f"{words}, and none of these can be left out"
    return words


def _describe_one(demand: Demand, others: Sequence[Demand], fitting: Sequence[str]) -> str:
    """Such as 'piece A cannot be placed; all the other pieces can'."""
    words = f"{_list_demands([demand])} cannot be {demand.done}"
    if demand.number > 1:
        both = "both" if demand.number == 2 else "all"
        words = f"the {demand.copies} cannot {both} be {demand.done}"
    if not fitting or not others:
        return words
    if len(others) == 1 and others[0].number == 1:
        return f"{words}; the other {demand.noun} can"
    return f"{words}; all the other {demand.noun}s can"


def _describe_all(clashing: Sequence[Demand]) -> str:
    """Such as 'any 4 of the 5 pieces can be placed, but not all 5'."""
    number = len(clashing)
    noun, done = clashing[0].noun, clashing[0].done
    if number == 2:
        return f"each of the 2 {noun}s can be {done}, but not both"
    return f"any {number - 1} of the {number} {noun}s can be {done}, but not all {number}"


def _describe_some(
    core: Core, clashing: Sequence[Demand], others: Sequence[Demand], fitting: Sequence[str]
) -> str:
    """Such as 'pieces A, B and C cannot all be placed, but any 2 pieces can'."""
    number = len(clashing)
    noun, done = clashing[0].noun, clashing[0].done
    has_copies = _has_copies(clashing)

    both = "both" if number == 2 and not has_copies else "all"
    words = f"{_list_demands(clashing)} cannot {both} be {done}"
    if core.irreducible:
        if not core.smallest or has_copies:
            fewer = "each of these" if number == 2 else f"any {number - 1} of these"
        else:
            fewer = f"each {noun}" if number == 2 else f"any {number - 1} {noun}s"
        words += f", but {fewer} can"
    if others and fitting:
        if len(fitting) < number:
            one = f"{noun} {join_words(fitting, ' or ')}"
        else:
            one = "either of these" if number == 2 else "any one of these"
        words += f"; without {one}, all the others can"
    return words


def _has_copies(demands: Sequence[Demand]) -> bool:
    """Whether several copies of a piece are required. Part of them may clash, so that nothing is
    said about smaller sets."""
    return any(demand.number > 1 for demand in demands)


def _list_demands(alike: Sequence[Demand]) -> str:
    """Demands with the same noun in a sentence, such as 'pieces A, B and C'."""
    noun = alike[0].noun if len(alike) == 1 else f"{alike[0].noun}s"
    return f"{noun} {join_words([demand.name for demand in alike])}"
