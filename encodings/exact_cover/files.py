"""Knuth's text format: first the items, secondary ones after `|`, then one option per line; `|`
begins a comment line."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

from jigsat.errors import InputError
from jigsat.puzzle import Writer, single


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a text in Knuth's format: two items or more, and options that consist of items
    only; else None."""
    numbered = {
        number: line
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("|")
    }
    lines = list(numbered.values())
    if len(lines) < 2:
        return None
    _refuse_other_formats(lines)
    _require_no_faulty_line(numbered)
    primary, _, secondary = (f" {lines[0]} ").partition(" | ")
    items, others = primary.split(), secondary.split()
    known = {*items, *others}
    right = (
        len(known) == len(items) + len(others) > 1
        and items
        and not any(set(name) & set(":|") for name in known)
    )
    if not right or not all(
        word.partition(":")[0] in known for line in lines[1:] for word in line.split()
    ):
        return None
    options = "\n".join(lines[1:])
    return {
        "family": "exact-cover",
        "items": " ".join(items),
        "secondary": " ".join(others),
        "options": options,
    }


def _refuse_other_formats(lines: list[str]) -> None:
    """Raise InputError for exact covers in formats that are not read."""
    cells = [line.split() for line in lines]
    _refuse_matrix(cells)
    names = [word for word in cells[0] if word != "|"]
    _refuse_multiplicities(names)
    _refuse_costs({*names}, [word for row in cells[1:] for word in row])


def _refuse_matrix(cells: Sequence[Sequence[str]]) -> None:
    if all(re.fullmatch("[01]+", "".join(row)) for row in cells):
        sizes = {len("".join(row)) for row in cells}
        if len(sizes) == 1 and min(sizes) > 1:
            raise InputError(
                "a matrix of 0 and 1, which is not read; for an exact cover, name the items in "
                "the first line, and write the items of an option in each other line"
            )


def _refuse_multiplicities(names: Sequence[str]) -> None:
    bounded = [word for word in names if re.fullmatch(r"\d+:\d+\|\S+|\d+\|[a-zA-Z]\S*", word)]
    if bounded:
        raise InputError(
            f"{bounded[0]!r}: Knuth's format with multiplicities, which is not read; every item "
            f"is covered once"
        )


def _refuse_costs(known: Set[str], words: Sequence[str]) -> None:
    costs = [word for word in words if re.fullmatch(r"\S*\|\$?\d+|\$\d+", word)]
    if costs and all(word in costs or word.partition(":")[0] in known for word in words):
        raise InputError(
            f"{costs[0]!r}: Knuth's format with costs, which is not read; leave the costs out"
        )


def _require_no_faulty_line(lines: Mapping[int, str]) -> None:
    """Raise InputError for a text that would be an exact cover without its faulty lines: items
    with letters in the first line, which most words of the other lines are."""
    (first, header), *options = lines.items()
    items = [word for word in header.split() if word != "|"]
    known = {*items}
    items_of = {number: _list_items(option) for number, option in options}
    if not _is_header(items) or not _are_mostly_known(items_of.values(), known):
        return
    if header.split().count("|") > 1:
        raise InputError(f"line {first}: several '|'; one stands before the secondary items")
    _require_different(first, items)
    for number, listed in items_of.items():
        for item in listed:
            if item not in known:
                raise InputError(
                    f"line {number}: unknown item {item[:60]!r}; the items are in line {first}"
                )
        _require_different(number, listed)


def _list_items(option: str) -> list[str]:
    """The items of an option, without their colours."""
    return [word.partition(":")[0] for word in option.split()]


def _is_header(items: Sequence[str]) -> bool:
    """Whether these can be all items: several, some of them with letters."""
    has_letters = any(re.search(r"[^\W\d]", item) for item in items)
    return len({*items}) > 1 and has_letters and not set(":|") & set("".join(items))


def _are_mostly_known(options: Iterable[Sequence[str]], known: Collection[str]) -> bool:
    """Whether two of three items in the options are known."""
    words = [word for option in options for word in option]
    right = sum(word in known for word in words)
    return 3 * right >= 2 * len(words)


def _require_different(line: int, items: Sequence[str]) -> None:
    """Raise InputError for a line with an item that is given twice."""
    item, times = Counter(items).most_common(1)[0]
    if times > 1:
        raise InputError(f"line {line}: the item {item[:60]!r} is given twice")


def _write_text(puzzle: Any) -> str:
    title = [f"| {' '.join(puzzle.title.split())}"] if puzzle.title.strip() else []
    bar = f" | {' '.join(puzzle.secondary)}" if puzzle.secondary else ""
    return "\n".join([*title, " ".join(puzzle.items) + bar, *puzzle.options, ""])


WRITERS: Mapping[str, Writer] = {"dlx": single("dlx", _write_text)}
