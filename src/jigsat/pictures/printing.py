"""Printable sheets: the rules and the parts of puzzles, page by page, in millimetres."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from operator import attrgetter
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.pictures.layout import Part
from jigsat.pictures.pages import (
    GAP,
    LINE_SPACING,
    MARGIN,
    NOTE_SIZE_MM,
    PAPERS,
    SVG,
    Paper,
    PaperPage,
    aspect_of,
    estimate_width,
    gallery,
    size_of,
    wrap_text,
)
from jigsat.pictures.svg import NAME, NOTE
from jigsat.words import plural

TITLE, RULE, CAPTION = 5.0, 3.6, 3.0  # text sizes
MIN_PIECE_SCALE = 0.4  # pieces are scaled like their board only down to this scale
ENLARGED = 1.75, 1.5, 1.25  # scales of a board and its pieces, if all of them fit on one page
REDUCED = 0.9, 0.8  # scales of a flat board and its pieces, if this saves a page
NARROW_PAGE_MM = 120.0  # below this width, titles and rules are smaller
# more rules, such as the questions of a crossword, are printed in two columns
MAX_RULES_PER_COLUMN = 12
LEVEL_MM = 21.0  # room for the mark of a level
LEVEL_NAMES = "easy", "medium", "hard"
MAX_COVER_PIECES = 9  # in the picture of a puzzle on the cover
BACK_SIZE, BACK_STEP, BACK_FILL = (
    3.0,
    7.0,
    "#bbb",
)  # of the numbers on the back of pieces: size, distance of lines, colour
MAX_ENLARGED_MM = 88.0  # boards up to this size stand side by side on every paper
# boards up to this size have their true size on every paper, so puzzles can share pieces
MAX_SHARED_MM = 170.0
NUMBER_MM, SOLVED_MM = (
    14.0,
    16.0,
)  # width of the columns of the contents with the page of a puzzle, and of its solution
AS_LARGE = 0.8  # pictures in one more column may be smaller by this factor
# most of the height of one of several puzzles side by side that its rules may take
MAX_HEAD = 0.6
MAX_TEXTS = 0.8  # that its rules and captions may take
# longer captions, such as a list of guests, are printed with the rules, on as many pages as needed
MAX_CAPTION_LINES = 8
MAX_TITLES = 3  # more titles of one kind are not named above its rules
SOLUTIONS_PER_PAGE = 6  # solutions are as large as if this number shared a page
MAX_SOLUTION_WIDTH_MM = 180.0  # maximum width of a solution
CUT = "Cut out the pieces along the middle of the dashed lines."

NEXT_PAGES = "The pages with the pieces to cut out come next. Keep this page."
NUMBERED = "The small number on a piece is the number of its puzzle."


class Section(NamedTuple):
    """A puzzle to print: its title, its rules in sentences, its board and the pieces to cut out.

    With a `number`, the name of each piece is followed by this number, so that the pieces of
    several puzzles can be told apart. In a book with a title, `family` is named above its rules,
    `level` is marked beside its title, and `told` are the rules that are printed at the front, on
    the page `told_on`; the solution is on the page `solved_on`. `shared` tells which puzzles have
    the same pieces; they are printed with the first of these.
    """

    title: str
    rules: Sequence[str]
    parts: Sequence[Part]
    number: int | None = None
    family: str = ""
    level: str = ""
    told: Collection[str] = ()
    told_on: int = 0
    solved_on: int = 0
    shared: str = ""

    @property
    def cut(self) -> bool:
        """Whether there are pieces to cut out."""
        return any(part.kind == "piece" for part in self.parts)

    @property
    def scalable(self) -> bool:
        """Whether the size of the picture does not matter, because nothing is laid on it."""
        return len(self.parts) < 2

    @property
    def kind(self) -> str:
        """What puzzles with the same rules have in common: the family, and whether there are pieces
        to cut out."""
        name = self.family.replace("-", " ").capitalize()
        return f"{name}, to cut out" if self.cut or self.shared else name

    @property
    def sentences(self) -> list[str]:
        """The lines below the title."""
        cut = [CUT if self.number is None else f"{CUT} {NUMBERED}"] * self.cut
        cut += [self.shared] * bool(self.shared)
        pages = [
            f"{what}: page {page}"
            for what, page in (("Rules", self.told_on), ("Solution", self.solved_on))
            if page
        ]
        there = [" · ".join(pages)] * bool(pages)
        return [*there, *(line for line in [*self.rules, *cut] if line not in self.told)]


def book(
    sections: Iterable[Section],
    note: str = "",
    paper: Paper = PAPERS["a4"],
    *,
    per_page: int | None = None,
    each: int | None = None,
) -> Iterator[str]:
    """SVG documents, one per page: each puzzle with its title, its rules, and its parts in order.

    A part has its stated width if it fits on a page. Otherwise it is scaled down, and its caption
    states the scale; the pieces are scaled like their board, unless they would become too small. A
    board and its pieces are enlarged if they still fit on one page. A puzzle to cut out has pages
    of its own. Boards without pieces have no true size and share a page, at most `per_page` of
    them, and as large as if there were at most `each`, by default four.
    """
    layout = _Layout(paper, f"{note}, page 999 of 999", per_page, each or per_page)
    layout.add([*sections])
    for number, page in enumerate(layout.pages, 1):
        numbers = f"page {number} of {len(layout.pages)}" if len(layout.pages) > 1 else ""
        yield page.svg(", ".join(filter(None, [note, numbers])))


def titled_book(
    title: str,
    author: str,
    sections: Sequence[Section],
    solutions: Sequence[Section],
    paper: Paper,
    per_page: int | None,
) -> list[str]:
    """SVG documents, one per page: a cover, the contents, the rules of each kind, the puzzles, and
    their solutions."""
    kinds: dict[str, list[Section]] = {}
    for section in sections:
        kinds.setdefault(section.kind, []).append(section)
    same = {
        kind
        for kind, its in kinds.items()
        if len(its) > 1 and len({section.level for section in its}) == 1
    }
    sections = [
        section._replace(level="" if section.kind in same else section.level)
        for section in sections
    ]
    shared = {
        kind: [
            line
            for line in its[0].sentences
            if len(its) > 1 and all(line in s.sentences for s in its)
        ]
        for kind, its in kinds.items()
    }
    told = {kind: rules for kind, rules in shared.items() if rules}
    note = f"{title}, page 999"

    def make_front(starts: Sequence[int], solved: Sequence[int]) -> tuple[_Layout, list[int]]:
        """The cover, the contents and the rules, and the page of the rules of each kind."""
        front = _Layout(paper, note)
        number = plural(len(sections), "puzzle")
        names = " · ".join(_name_kind(sections, kind) for kind in kinds)
        front.cover(
            title, [*[author] * bool(author), number, names], [its[0] for its in kinds.values()]
        )
        front.contents(sections, starts, solved)
        numbers = {kind: [i for i, s in enumerate(sections, 1) if s.kind == kind] for kind in told}
        headings = [
            f"{_name_kind(sections, kind)} ({_name_numbers(its)})" for kind, its in numbers.items()
        ]
        return front, front.rules([*zip(headings, told.values(), strict=True)])

    front, pages = make_front(
        [0] * len(sections), [0] * len(solutions)
    )  # as long as with the right numbers
    at, first = dict(zip(told, pages, strict=True)), len(front.pages)
    end = _Layout(paper, note, None, SOLUTIONS_PER_PAGE, "Solutions")
    end.add(solutions)
    solved = [999] * len(solutions)
    for _ in range(2):  # first as long as with the right numbers, then with them
        inside, pages_of_solutions = (
            _Layout(paper, note, per_page, per_page),
            solved or [0] * len(sections),
        )
        inside.add(
            [
                s._replace(told=told.get(s.kind, ()), told_on=at.get(s.kind, 0), solved_on=page)
                for s, page in zip(sections, pages_of_solutions, strict=True)
            ]
        )
        backed = [*_add_backs(inside, sections, first + 1, paper, note)]
        solved = [first + len(backed) + page for page in end.begins.values()]
    starts = [first + 1 + backed.index(inside.pages[page - 1]) for page in inside.begins.values()]
    front, _ = make_front(starts, solved)
    cover, *others = [*front.pages, *backed, *end.pages]
    return [str(cover), *(page.svg(f"{title}, page {i}") for i, page in enumerate(others, 2))]


def _name_kind(sections: Sequence[Section], kind: str) -> str:
    """The titles of the puzzles of a kind, without the numbers; its family if there are many
    titles."""
    titles = dict.fromkeys(
        s.title.partition(". ")[2] or s.title for s in sections if s.kind == kind
    )
    return " / ".join(titles) if len(titles) <= MAX_TITLES else kind.partition(",")[0]


def _name_numbers(numbers: Sequence[int]) -> str:
    """Ascending numbers, such as '1–20, 23'."""
    runs = [
        [i for i, _ in run]
        for _, run in groupby(zip(numbers, count()), lambda pair: pair[0] - pair[1])
    ]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _add_backs(
    inside: "_Layout", sections: Sequence[Section], number: int, paper: Paper, note: str
) -> Iterator[PaperPage]:
    """The pages from this page number on, each that is cut out with a back: on every piece is the
    number of its puzzle.

    If a page to cut out would be on the other side of the page before it, a page with pictures of
    what follows comes between.
    """
    for i, page in enumerate(inside.pages, 1):
        first = max(begun for begun, start in inside.begins.items() if start <= i)
        if page.cut and number % 2 == 0:
            kind, its = next(groupby(sections[first:], key=attrgetter("kind")))
            front = _Layout(paper, note)
            front.cover(
                _name_kind(sections, kind),
                [plural(len([*its]), "puzzle"), NEXT_PAGES],
                [sections[first]],
            )
            yield front.pages[0]
            number += 1
        yield page
        if page.cut:
            yield _draw_back(PaperPage(paper, note), f"no. {first + 1}")
        number += 1 + page.cut


def _draw_back(page: PaperPage, words: str) -> PaperPage:
    """Fill a page with these words: so densely that they are on every cell of a piece, and pale."""
    words += "\N{NO-BREAK SPACE}\N{EM SPACE}"
    times = int((page.right - page.left - 2 * BACK_SIZE) / (BACK_SIZE * estimate_width(words)))
    for row in range(int((page.bottom - page.top) / BACK_STEP)):
        x = page.left + row % 2 * 2 * BACK_SIZE
        page.text(words * times, x, page.top + (row + 1) * BACK_STEP - 1, BACK_SIZE, fill=BACK_FILL)
    return page


def share_pieces(sections: Sequence[Section]) -> list[Section]:
    """The puzzles, with equal sets of pieces only in the first that has them; the others are told
    whose pieces to use.

    They are enlarged alike as far as flat boards still stand side by side.
    """
    shared, users = [*sections], dict[tuple[Part, ...], list[int]]()
    sizes = [
        max(
            (p.width * max(1.0, aspect_of(p.svg)) for p in s.parts if p.kind != "piece"),
            default=0.0,
        )
        for s in sections
    ]
    for i, section in enumerate(sections):
        pieces = tuple(part for part in section.parts if part.kind == "piece")
        if pieces and sizes[i] <= MAX_SHARED_MM:
            users.setdefault(pieces, []).append(i)
    for its in users.values():
        told = [f"The pieces are for the puzzles {_name_numbers([i + 1 for i in its])}."]
        told += [f"Use the pieces of puzzle {its[0] + 1}."] * (len(its) - 1)
        flat = all(any(part.kind == "board" for part in sections[i].parts) for i in its)
        scale = next(
            (
                each
                for each in ENLARGED
                if flat and each * max(sizes[i] for i in its) <= MAX_ENLARGED_MM
            ),
            1.0,
        )
        for i, said in zip(its if len(its) > 1 else (), told, strict=False):
            parts = [part for part in sections[i].parts if i == its[0] or part.kind != "piece"]
            parts = [part._replace(width=scale * part.width) for part in parts]
            shared[i] = sections[i]._replace(parts=parts, shared=said)
    return shared


@dataclass
class _PrintedPart:
    """A part with its size on paper and its caption, and its place relative to the top left corner
    of its row."""

    element: ElementTree.Element
    width: float
    picture_height: float
    caption: list[str]
    cut: bool = False
    x: float = 0.0
    y: float = 0.0

    @property
    def height(self) -> float:
        return self.picture_height + len(self.caption) * CAPTION * LINE_SPACING

    def put(self, page: PaperPage, x: float, y: float) -> None:
        page.cut |= self.cut
        page.picture(self.element, x + self.x, y + self.y, self.width, self.picture_height)
        page.lines(self.caption, x + self.x, y + self.y + self.picture_height, CAPTION)


class _Strip(NamedTuple):
    """A puzzle, or several side by side by index, and the height needed on the page on which it
    begins.

    Puzzles side by side have columns of this width and at most this height.
    """

    sections: Mapping[int, Section]
    needed: float
    width: float = 0.0
    height: float = 0.0


class _Layout:
    """Pages that are filled from the top: at most `per_page` puzzles on each, as large as if there
    were at most `each`."""

    def __init__(
        self,
        paper: Paper,
        note: str,
        per_page: int | None = None,
        each: int | None = None,
        heading: str = "",
    ) -> None:
        self.pages: list[PaperPage] = []
        self._heading, self._top = (
            heading,
            MARGIN + (TITLE * LINE_SPACING + GAP if heading else 0.0),
        )
        self._paper, self._note, self._per_page, self._each = paper, note, per_page, each
        self._scratch = page = PaperPage(paper, note)  # for measuring
        self._room = page.right - page.left, page.bottom - self._top
        self._y, self._begun = math.inf, 0
        self.begins: dict[int, int] = {}  # the page on which each section begins, by its index

    def add(self, sections: Sequence[Section]) -> None:
        """Print puzzles in order."""
        sections = [_move_long_captions(section, self._room[0]) for section in sections]
        for strip in self._strips(sections):
            cut = any(section.cut for section in strip.sections.values())
            if not self._fits(strip) or (self._begun and (cut or self.pages[-1].cut)):
                self._new_page()
            self.begins |= dict.fromkeys(strip.sections, len(self.pages))
            self._begun += len(strip.sections)
            if strip.width:
                self._y = GAP + max(
                    self._put_row(
                        self.pages[-1], strip.sections, self._y, strip.width, strip.height
                    )
                )
            else:
                self._flow(*strip.sections.values())

    def _strips(self, sections: Sequence[Section]) -> Iterator[_Strip]:
        """The puzzles in order: one over the width of the page, or several side by side whose
        pictures can be scaled."""
        wide, high = self._room
        each = min(self._each or 4, 2 ** math.ceil(math.log2(max(1, len(sections)))))
        least = max(1, round(math.sqrt(each * wide / high)))
        height = (high + GAP) / math.ceil(each / least) - GAP
        for across, run in groupby(
            enumerate(sections), lambda pair: self._count_columns(pair[1], least, height)
        ):
            its = [*run]
            if not across:
                yield from (_Strip({i: section}, self._needed(section)) for i, section in its)
                continue
            width = (wide + 2 * GAP) / across - 2 * GAP
            for start in range(0, len(its), across):
                row = dict(its[start : start + across])
                yield _Strip(
                    row, max(self._put_row(self._scratch, row, 0, width, height)), width, height
                )

    def _count_columns(self, section: Section, least: int, height: float) -> int:
        """The puzzles side by side: one more than `least` if pictures stay as large, 0 if one needs
        all the width."""
        sizes = []
        for columns in (least, least + 1) if section.scalable else ():
            width = (self._room[0] + 2 * GAP) / columns - 2 * GAP
            below = _head(self._scratch, section, 0, 0, width)
            boxes = [_box(part, width, height - below, scalable=True) for part in section.parts]
            captions = sum(box.height - box.picture_height for box in boxes)
            if below <= MAX_HEAD * height and below + captions <= MAX_TEXTS * height:
                sizes += [box.width for box in boxes] or [0.0]
        if section.shared and sizes and sizes[0] < section.parts[0].width - 0.01:
            return 0  # the pieces are laid on the board
        # else the pieces or the rules need the width of the page
        more = (
            self._per_page is None
            and len(sizes) == 2
            and sizes[1] > AS_LARGE * sizes[0]
            and below < height / 3
        )
        return least + (more and not section.shared) if sizes else 0

    def _put_row(
        self, page: PaperPage, row: Mapping[int, Section], y: float, width: float, height: float
    ) -> Iterator[float]:
        """Draw puzzles side by side from y downward, each at most this wide and high; yields where
        each ends."""
        columns = [*zip(count(page.left, width + 2 * GAP), row.values())]
        below = max(_head(page, section, x, y, width) for x, section in columns)
        for x, section in columns:
            high = math.inf if section.shared else y + height - below
            boxes = [_box(part, width, high, scalable=True) for part in section.parts]
            for box in boxes:
                box.put(page, x, below)
            yield max([below, *(below + box.height for box in boxes)])

    def cover(self, title: str, lines: Sequence[str], sections: Iterable[Section]) -> None:
        """A page with a title, lines below it, and equally large pictures of puzzles: their pieces,
        or else their boards."""
        wide, _ = self._room
        page, middle, size = self._new_page(), self._paper.width / 2, 3.2 * TITLE
        named = wrap_text(title, size, 0.9 * wide)  # bold letters are wider
        y = (
            page.lines(named, middle, 2 * MARGIN, size, font_weight="bold", text_anchor="middle")
            + GAP
        )
        lines = [line.removesuffix(" ·") for line in _wrap_rules(lines, TITLE, wide)]
        y = page.lines(lines, middle, y, TITLE, text_anchor="middle") + 2 * GAP
        parts = [
            [part for part in section.parts if part.name] or section.parts
            for section in sections
            if section.parts
        ]
        high, number = page.bottom - y, len(parts)
        columns = max(
            range(1, number + 1),
            key=lambda each: min(wide / each, high / math.ceil(number / each)),
            default=1,
        )
        width, height = wide / columns, high / max(1, math.ceil(number / columns))
        for i, pieces in enumerate(parts):
            row, column = divmod(i, columns)
            drawn = gallery([part.svg for part in pieces[:MAX_COVER_PIECES]])
            box = _box(Part(drawn, width - GAP), width, height - GAP, scalable=True)
            for line in box.element.iterfind(".//*[@stroke-dasharray]"):  # nothing is cut out here
                line.set("stroke", "none")
            x = (
                MARGIN
                + (column + (columns - min(columns, number - row * columns)) / 2 + 0.5) * width
                - box.width / 2
            )
            page.picture(
                box.element,
                x,
                y + (row + 0.5) * height - box.picture_height / 2,
                box.width,
                box.picture_height,
            )

    def contents(
        self, sections: Sequence[Section], starts: Sequence[int], solved: Sequence[int]
    ) -> None:
        """The puzzles with their levels, their pages and those of their solutions, in two columns,
        and a legend.

        Puzzles in a row that have the same title and level share a line.
        """
        page, width, step = self._new_page(), self._room[0] / 2 - GAP, CAPTION * LINE_SPACING
        self._y = page.lines(["Contents"], MARGIN, self._y, TITLE, font_weight="bold") + GAP
        room = width - NUMBER_MM - SOLVED_MM * bool(solved) - LEVEL_MM / 2
        ends = NUMBER_MM + room + LEVEL_MM / 2, NUMBER_MM + SOLVED_MM + room + LEVEL_MM / 2
        lines = []
        for (name, _), group in groupby(
            enumerate(sections), lambda pair: (pair[1].title.partition(". ")[2], pair[1].level)
        ):
            run = [i for i, _ in group]
            said = (
                f"{_name_numbers([i + 1 for i in run])}. {name}" if name else sections[run[0]].title
            )
            lines += [(line, run, not j) for j, line in enumerate(wrap_text(said, CAPTION, room))]
        while lines:
            rows = min(int((self._bottom - self._y) / step) - 1, math.ceil(len(lines) / 2))
            for at, (line, run, first) in enumerate(lines[: 2 * rows]):
                column, row = divmod(at, rows)
                x, y = MARGIN + column * (width + 2 * GAP), self._y + (row + 1) * step
                page.lines([line], x, y, CAPTION)
                _draw_dots(
                    page,
                    sections[run[0]].level if first else "",
                    x + room + LEVEL_MM / 2,
                    y + CAPTION,
                )
                for name, its, end in zip(
                    ("page", "solution"), (starts, solved), ends, strict=True
                ):
                    heading = [name] * (row == 0 and bool(its))
                    page.lines(
                        heading, x + end, self._y, NOTE_SIZE_MM, text_anchor="end", fill="#444"
                    )
                    shown = (
                        "–".join(dict.fromkeys(f"{its[i]}" for i in (run[0], run[-1])))
                        if first and its
                        else ""
                    )
                    page.text(shown, x + end, y + CAPTION, CAPTION, text_anchor="end")
            self._y, lines = self._y + (rows + 1) * step, lines[2 * rows :]
            page = self._new_page() if lines else page
        for i, level in enumerate(
            LEVEL_NAMES if any(section.level for section in sections) else (), 1
        ):
            _mark_level(page, level, MARGIN + i * 1.4 * LEVEL_MM, self._y + GAP)
        self._y += GAP + step

    def rules(self, kinds: Sequence[tuple[str, Sequence[str]]]) -> list[int]:
        """The rules of each kind below their heading; returns the page of each."""
        wide, _ = self._room
        pages = []
        for number, (heading, rules) in enumerate(kinds):
            headings = [(line, TITLE) for line in wrap_text(heading, TITLE, wide)]
            headings = [("Rules", 1.2 * TITLE)] * (number == 0) + headings
            lines = _wrap_rules(rules, RULE, wide)
            self._y += GAP
            self._line(sum(size for _, size in headings) + len(lines) * RULE)
            pages.append(len(self.pages))
            for line, size in headings:
                weight = "bold" if size > TITLE else "normal"
                self._y = self._line(size).lines([line], MARGIN, self._y, size, font_weight=weight)
            for line in lines:
                self._y = self._line(RULE).lines([line], MARGIN, self._y, RULE)
        return pages

    def _line(self, size: float) -> PaperPage:
        """The page with room for a line of text, a new one if the last is full."""
        return self._new_page() if self._y + size * LINE_SPACING > self._bottom else self.pages[-1]

    def _measure(
        self, section: Section
    ) -> tuple[float, float, list[tuple[float, list[_PrintedPart]]]]:
        """The height of a puzzle, that of its title and rules, and the rows of its parts."""
        wide, high = self._room
        head, title = (write(self._scratch, section, 0, 0, wide) for write in (_head, _title))
        room = high - (head if head <= high / 2 else title)
        scale = _scale(section, wide, room)
        smaller = REDUCED if any(part.kind == "board" for part in section.parts) else ()
        scales = [
            each
            for each in ((1.0,) if section.shared else (*ENLARGED, 1.0, *smaller))
            if each <= scale
        ]
        scales = scales or [
            scale,
            0.95 * scale,
            0.9 * scale,
            0.85 * scale,
        ]  # no last page for a single tile
        rows = min(
            (_rows(section, wide, room, each) for each in scales),
            key=lambda rows: _count_pages(rows, high - room, title, high),
        )
        return head + sum(height + GAP for height, _ in rows) - GAP, head, rows

    def _needed(self, section: Section) -> float:
        """The height that a puzzle needs on the page on which it begins: all of it, if it fits on
        one page."""
        _, high = self._room
        whole, head, rows = self._measure(section)
        if head > high / 2:
            return high
        return whole if whole <= high else head + (rows[0][0] if rows else 0)

    def _flow(self, section: Section) -> None:
        """A puzzle whose parts have a true size, in rows over the width of the pages."""
        wide, high = self._room
        _, head, rows = self._measure(section)
        continued = section._replace(title=f"{section.title} (continued)")

        def begin_page() -> None:
            self._y = _title(self._new_page(), continued, MARGIN, self._top, wide)

        if head <= high / 2:
            self._y = _head(self.pages[-1], section, MARGIN, self._y, wide)
        else:  # many rules, on as many pages as needed
            self._y = _title(self.pages[-1], section, MARGIN, self._top, wide)
            for line in _wrap_rules(section.sentences, RULE, wide):
                if self._y + RULE * LINE_SPACING > self._bottom:
                    begin_page()
                self._y = _write_rules(self.pages[-1], section, [line], MARGIN, self._y, RULE)
            self._y += GAP / 2
        for height, boxes in rows:
            if self._y + height > self._bottom + 0.01:
                begin_page()
            for box in boxes:
                box.put(self.pages[-1], MARGIN, self._y)
            self._y += height + GAP
        self._y += 2 * GAP

    def _fits(self, strip: _Strip) -> bool:
        """Whether there is room for more puzzles on the last page."""
        full = self._per_page is not None and self._begun + len(strip.sections) > self._per_page
        return not full and self._y + strip.needed <= self._bottom + 0.01

    @property
    def _bottom(self) -> float:
        return self.pages[-1].bottom if self.pages else -math.inf

    def _new_page(self) -> PaperPage:
        self.pages.append(PaperPage(self._paper, self._note))
        self._y, self._begun = self._top, 0
        if self._heading:
            self.pages[-1].text(self._heading, MARGIN, MARGIN + TITLE, TITLE, font_weight="bold")
        return self.pages[-1]


def _sizes(width: float) -> tuple[float, float]:
    """The text sizes of a title and of rules in a column of this width."""
    return (TITLE, RULE) if width >= NARROW_PAGE_MM else (0.76 * TITLE, 0.8 * RULE)


def _title(page: PaperPage, section: Section, x: float, y: float, width: float) -> float:
    """Write the title and mark the level; returns where they end."""
    size, _ = _sizes(width)
    _mark_level(page, section.level, x + width, y + size)
    lines = wrap_text(section.title, size, width - (LEVEL_MM if section.level else 0), most=3)
    return page.lines(lines, x, y, size) + GAP / 2


def _mark_level(page: PaperPage, level: str, right: float, y: float) -> None:
    """The name of a level and its dots, on a line of text that ends at `right`."""
    if level:
        page.text(level, right - 8, y, CAPTION, text_anchor="end")
    _draw_dots(page, level, right, y)


def _draw_dots(page: PaperPage, level: str, right: float, y: float) -> None:
    """A dot for each level, black up to this one; nothing without a level."""
    for i in range(len(LEVEL_NAMES) if level else 0):
        fill, x = (
            "#222" if i <= LEVEL_NAMES.index(level) else "white",
            f"{right - 5.6 + 2.3 * i:.2f}",
        )
        page.shape(
            "circle",
            cx=x,
            cy=f"{y - 1.1:.2f}",
            r="0.8",
            fill=fill,
            stroke="#222",
            stroke_width="0.25",
        )


def _head(page: PaperPage, section: Section, x: float, y: float, width: float) -> float:
    """Write the title and the rules; returns where they end."""
    y, (_, size) = _title(page, section, x, y, width), _sizes(width)
    many = len("\n".join(section.sentences).splitlines()) > MAX_RULES_PER_COLUMN
    columns = 2 if many and width >= NARROW_PAGE_MM else 1
    step = (width + GAP) / columns
    lines = _wrap_rules(section.sentences, size, step - GAP)
    each = math.ceil(len(lines) / columns)
    ends = [
        _write_rules(page, section, lines[i * each : (i + 1) * each], x + i * step, y, size)
        for i in range(columns)
    ]
    return max(ends) + GAP / 2


def _write_rules(
    page: PaperPage, section: Section, lines: Iterable[str], x: float, y: float, size: float
) -> float:
    """Write lines of rules, bold if they head the other lines of a rule; returns where they end."""
    headings = [rule.splitlines()[0] for rule in section.rules if "\n" in rule]
    for line in lines:
        y = page.lines([line], x, y, size, font_weight="bold" if line in headings else "normal")
    return y


def _wrap_rules(rules: Iterable[str], size: float, width: float) -> list[str]:
    return [
        line
        for rule in rules
        for paragraph in rule.splitlines()
        for line in wrap_text(paragraph, size, width)
    ]


def _move_long_captions(section: Section, wide: float) -> Section:
    """The puzzle with its long captions among the rules, since below a picture they may leave no
    room for it."""
    rules, parts = [*section.rules], list[Part]()
    for part in section.parts:
        element = ElementTree.fromstring(part.svg)
        caption = _join_caption(part, element)
        column = wide if section.scalable else min(wide, part.width)
        if len(wrap_text(caption, CAPTION, column)) > MAX_CAPTION_LINES:
            rules.append(caption)
            part = part._replace(svg=ElementTree.tostring(element, "unicode"), caption="")
        parts.append(part)
    return section._replace(rules=rules, parts=parts)


def _join_caption(part: Part, element: ElementTree.Element) -> str:
    """The caption of a part and the small print that is taken out of its picture."""
    return "; ".join(filter(None, [part.caption, *_notes(element)]))


def _box(
    part: Part, wide: float, high: float, *, scale: float = 1.0, scalable: bool = False
) -> _PrintedPart:
    """A part at this scale, or smaller if it does not fit into a room of this size; then its
    caption states the scale."""
    element = ElementTree.fromstring(part.svg)
    part = part._replace(caption=_join_caption(part, element))
    across, down = size_of(element)
    stated = part.width * scale
    height = stated * down / across
    column = wide if scalable else stated
    fraction = min(
        1.0, wide / stated, (_room(part, column, high) + scalable * CAPTION * LINE_SPACING) / height
    )
    caption = wrap_text(part.caption, CAPTION, column)
    if fraction < 0.995 and not scalable:
        caption = wrap_text(
            "; ".join(filter(None, [part.caption, f"printed at {fraction:.0%}"])),
            CAPTION,
            stated * fraction,
        )
    return _PrintedPart(
        element, stated * fraction, height * fraction, caption, part.kind == "piece"
    )


def _notes(element: ElementTree.Element) -> list[str]:
    """Take the small print out of a picture, in which it would be too small to read if the picture
    is scaled down."""
    notes = [text for text in element.findall(f"{{{SVG}}}text") if text.get("class") == NOTE]
    for note in notes:
        element.remove(note)
    return ["".join(note.itertext()) for note in notes]


def _add_number(element: ElementTree.Element, number: int) -> None:
    """Print a small number above the name of a piece."""
    for name in element.findall(f".//{{{SVG}}}text[@class='{NAME}']"):
        size = float(name.get("font-size", 1))
        name.set("dy", "0.52em")
        if line := name.attrib.pop("text-decoration", ""):  # it would cross the number
            (
                ElementTree.SubElement(name, f"{{{SVG}}}tspan", {"text-decoration": line}).text,
                name.text,
            ) = name.text, None
        small = {
            "x": "0",
            "dy": f"{-0.9 * size:g}",
            "font-size": f"{0.4 * size:g}",
            "font-weight": "normal",
        }
        ElementTree.SubElement(name, f"{{{SVG}}}tspan", small).text = str(number)


def _room(part: Part, column: float, high: float) -> float:
    """The height that is left for the picture of a part above its caption, which may become one
    line longer."""
    return high - (len(wrap_text(part.caption, CAPTION, column)) + 1) * CAPTION * LINE_SPACING


def _scale(section: Section, wide: float, high: float) -> float:
    """The largest scale at which the board and its pieces fit on a page; 1 without a board, or if
    pieces become too small."""
    boards = [part for part in section.parts if part.kind == "board"]
    fitting = [
        min(wide / part.width, _room(part, part.width, high) / (part.width * aspect_of(part.svg)))
        for part in boards
    ]
    if boards:
        fitting += [wide / part.width for part in section.parts]
    scale = min(fitting, default=1.0)
    return scale if scale >= MIN_PIECE_SCALE else 1.0


def _count_pages(
    rows: Sequence[tuple[float, object]], head: float, title: float, high: float
) -> int:
    """The number of pages for these rows, if the first begins below `head` and the others below
    `title`."""
    pages, y = 1, head
    for height, _ in rows:
        if y + height > high + 0.01:
            pages, y = pages + 1, title
        y += height + GAP
    return pages


def _rows(
    section: Section, wide: float, high: float, scale: float
) -> list[tuple[float, list[_PrintedPart]]]:
    """The parts in rows, each with its height; a small part is put below the one before it if the
    row is high enough."""
    rows: list[tuple[float, list[_PrintedPart]]] = []
    x = y = column = 0.0
    for part in section.parts:
        box = _box(part, wide, high, scale=scale, scalable=section.scalable)
        if section.number is not None and part.kind == "piece":
            _add_number(box.element, section.number)
        needed = max([box.width, *(CAPTION * estimate_width(line) for line in box.caption)])
        if rows and needed <= column + 0.01 and y + box.height <= rows[-1][0] + 0.01:
            box.x, box.y = x, y
        elif rows and x + column + GAP + needed <= wide + 0.01:
            x, column = x + column + GAP, needed
            below = math.ceil(x / (needed + GAP) - 0.01) * (
                needed + GAP
            )  # where the column of equal pieces in later rows is
            x = below if (len(rows), len(rows[0][1])) == (1, 1) and below + needed <= wide else x
            box.x, box.y = x, 0.0
            rows[-1] = max(rows[-1][0], box.height), rows[-1][1]
        else:
            rows.append((box.height, []))
            x, column = 0.0, needed
        rows[-1][1].append(box)
        y = box.y + box.height + GAP
    return rows
