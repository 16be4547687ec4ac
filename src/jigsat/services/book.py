"""Books that a file describes: the title, the chapters with their puzzles, and how they look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveInt, ValidationError

from jigsat.errors import InputError, markup_text
from jigsat.instance import toml
from jigsat.pictures.images import read_image
from jigsat.pictures.pages import SVG
from jigsat.printing.parts import Picture, Style
from jigsat.puzzle import Entries, Puzzle
from jigsat.services.sheet import SheetRequest, check_style, check_titles

COVER_WIDTH_MM = 100.0  # stated width of the picture of a cover, which is scaled
MAX_BLEED_MM = 20


class Fonts(Entries):
    """The fonts of texts and of headings, and a folder with their files."""

    text: str = ""
    headings: str = ""
    folder: str = ""


class BookChapter(Entries):
    """A chapter: its title, its puzzles as files, folders or names, and words before them."""

    title: str
    files: Annotated[tuple[str, ...], Field(min_length=1)]
    text: str = ""


class BookFile(Entries):
    """A book and everything that its author decides."""

    title: Annotated[str, Field(min_length=1)]
    chapters: Annotated[tuple[BookChapter, ...], Field(min_length=1)]
    author: str = ""
    cover: str | Literal[False] = ""
    paper: str = "a4"
    bleed: Annotated[float, Field(ge=0, le=MAX_BLEED_MM)] = 0.0
    backs: str = "numbers"
    per_page: PositiveInt | None = None
    sort: bool = False
    solutions: bool = True
    steps: bool = False
    fonts: Fonts = Fonts()

    def list_files(self, folder: Path) -> Iterator[tuple[str, str]]:
        """The number of each chapter, as a text, with the name of each of its files; paths are
        relative to the folder of the book."""
        for number, chapter in enumerate(self.chapters):
            for name in chapter.files:
                path = folder / name
                yield str(number), str(path) if path.exists() else name

    def make_request(
        self, folder: Path, puzzles: Sequence[Puzzle], keys: Sequence[str], timeout: float | None
    ) -> SheetRequest:
        """What to print; `keys` are the chapters of the puzzles."""
        fonts = self.fonts
        if fonts.folder and not (folder / fonts.folder).is_dir():
            raise InputError(f"fonts.folder: {folder / fonts.folder} is not a folder")
        style = Style(
            self.paper,
            self.bleed,
            self.backs,
            fonts.text,
            fonts.headings,
            str(folder / fonts.folder) if fonts.folder else "",
            self.per_page,
            cover=self.cover is not False,
        )
        check_style(style, option="")
        chapters = {f"chapters.{i}.title": x.title for i, x in enumerate(self.chapters)}
        check_titles({"title": self.title, "author": self.author, **chapters})
        return SheetRequest(
            puzzles,
            self.title,
            self.author,
            style,
            self.sort,
            self.solutions,
            self.steps,
            timeout,
            keys,
            {str(i): chapter.title for i, chapter in enumerate(self.chapters)},
            {str(i): chapter.text for i, chapter in enumerate(self.chapters)},
            [_draw_cover(folder / self.cover)] if self.cover else [],
        )


def read_book_file(name: str) -> BookFile | None:
    """The book that a file describes; None if it is not such a file. Raises InputError."""
    path = Path(name)
    if path.suffix.lower() != ".toml" or not path.is_file():
        return None
    try:
        data = toml(path.read_text("utf-8"))
    except (OSError, ValueError):  # what is wrong is said when it is read as a puzzle
        return None
    if "chapters" not in data or "family" in data:
        return None
    try:
        return BookFile.model_validate(data)
    except ValidationError as error:
        from jigsat.errors.validation import complaint  # only wrong files need it

        raise InputError(f"{name}: {complaint(error, data, BookFile)}") from error


def _draw_cover(path: Path) -> Picture:
    try:
        image = read_image(path)
    except ValueError as error:
        raise InputError(f"cover: {error}") from error
    height = round(COVER_WIDTH_MM / image.aspect, 3)
    size = f'width="{COVER_WIDTH_MM:g}" height="{height:g}"'
    svg = f'<svg xmlns="{SVG}" {size} viewBox="0 0 {COVER_WIDTH_MM:g} {height:g}">'
    svg += f'<image {size} href="{markup_text(image.url)}"/></svg>'
    return Picture(svg, COVER_WIDTH_MM, height)
