"""All fills of small crosswords by a plain search, square by square, without jigsat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def runs(grid: Sequence[str]) -> list[tuple[str, list[tuple[int, int]]]]:
    """Every run of at least two squares, across and then down, with its name."""
    height, width = len(grid), len(grid[0])

    def block(r: int, c: int) -> bool:
        return not (0 <= r < height and 0 <= c < width) or grid[r][c] == "#"

    across, down, number = [], [], 0
    for r in range(height):
        for c in range(width):
            if block(r, c):
                continue
            begins_across = block(r, c - 1) and not block(r, c + 1)
            begins_down = block(r - 1, c) and not block(r + 1, c)
            number += begins_across or begins_down
            if begins_across:
                end = next(x for x in range(c, width + 1) if block(r, x))
                across.append((f"{number} across", [(r, x) for x in range(c, end)]))
            if begins_down:
                end = next(y for y in range(r, height + 1) if block(y, c))
                down.append((f"{number} down", [(y, c) for y in range(r, end)]))
    return across + down


def fills(
    grid: Sequence[str], words: Mapping[str, int], *, repeats: bool = False
) -> Iterator[tuple[tuple[str, ...], int]]:
    """The filled grids, and the sum of the scores of their words."""
    slots = [cells for _, cells in runs(grid)]
    following: dict[tuple[int, str], set[str]] = {}  # by the length of a word and its beginning
    for word in words:
        for n, letter in enumerate(word):
            following.setdefault((len(word), word[:n]), set()).add(letter)
    through = {
        cell: [cells for cells in slots if cell in cells] for cells in slots for cell in cells
    }
    before = {
        cell: [(len(cells), cells[: cells.index(cell)]) for cells in through[cell]]
        for cell in through
    }
    squares = sorted(through)
    filled: dict[tuple[int, int], str] = {}

    def search(i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i == len(squares):
            used = ["".join(filled[cell] for cell in cells) for cells in slots]
            if repeats or len(set(used)) == len(used):
                rows = tuple(
                    "".join(filled.get((r, c), "#") for c in range(len(row)))
                    for r, row in enumerate(grid)
                )
                yield rows, sum(words[word] for word in used)
            return
        r, c = cell = squares[i]
        possible = [
            following.get((n, "".join(map(filled.__getitem__, cells))), set())
            for n, cells in before[cell]
        ]
        for letter in sorted(set.intersection(*possible)):
            if grid[r][c] in (".", letter):
                filled[cell] = letter
                yield from search(i + 1)

    yield from search(0)
