"""Default pictures for families that define none: a grid if each cell has a row and a column,
otherwise a list."""

from collections.abc import Collection, Hashable, Mapping

from jigsat.pictures.svg import Picture
from jigsat.pictures.text import CharacterPlane

Contents = Mapping[Hashable, str]  # content of each cell in words; '' for an empty cell
EMPTY = "·"


def plain_text(contents: Contents, marked: Collection[Hashable] = ()) -> str:
    """The cells as rows of text, with a star before each marked cell.

    >>> print(plain_text({(0, 0): "1", (0, 1): "", (1, 0): "12", (1, 1): "3"}, marked=[(1, 1)]))
     1  ·
    12 *3
    >>> print(plain_text({"Ada": "seat 1", "Bob": "seat 2"}))
    Ada: seat 1
    Bob: seat 2
    """
    shown = {
        cell: ("*" if cell in marked else "") + (word or EMPTY) for cell, word in contents.items()
    }
    if (places := _places(contents)) is None:
        return "\n".join(f"{cell}: {word}" for cell, word in shown.items())
    width = max(map(len, shown.values()), default=0)
    page = CharacterPlane()
    for cell, (row, column) in places.items():
        page.write(column * (width + 1), row, shown[cell].rjust(width))
    return str(page)


def plain_svg(contents: Contents, marked: Collection[Hashable] = ()) -> str:
    """The same picture as an SVG document."""
    places = _places(contents)
    width = 1.0
    words = dict(contents)
    if places is None:
        places = {cell: (row, 0) for row, cell in enumerate(contents)}
        words = {cell: f"{cell}: {word}" for cell, word in contents.items()}
        width = 0.4 + 0.3 * max(map(len, words.values()), default=0)
    picture = Picture(scale=60)
    for cell, (row, column) in places.items():
        left = column * width
        right = (column + 1) * width
        corners = [(left, row), (right, row), (right, row + 1), (left, row + 1)]
        picture.place(cell, corners)
        picture.polygon(corners, "#e7effa" if words[cell] else "white", width=0.02)
        picture.text(
            ((left + right) / 2, row + 0.5),
            words[cell],
            min(0.6, 1.6 * width / max(1, len(words[cell]))),
        )
        if cell in marked:
            picture.mark(corners)
    return str(picture)


def _places(contents: Contents) -> dict[Hashable, tuple[int, int]] | None:
    """Row and column of each cell, if each is a pair of integers."""
    pairs = {
        cell: cell
        for cell in contents
        if isinstance(cell, tuple) and [*map(type, cell)] == [int, int]
    }
    return pairs if len(pairs) == len(contents) else None  # type: ignore[return-value]
