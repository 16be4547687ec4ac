"""Printable sheets: the rules and the parts of puzzles, page by page, in millimetres."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
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
# of the numbers on the back of pieces: size, distance of lines, colour
BACK_SIZE, BACK_STEP, BACK_FILL = 3.0, 7.0, "#bbb"
MAX_ENLARGED_MM = 88.0  # boards up to this size stand side by side on every paper
# boards up to this size have their true size on every paper, so puzzles can share pieces
MAX_SHARED_MM = 170.0
# width of the columns of the contents with the page of a puzzle, and of its solution
NUMBER_MM, SOLVED_MM = 14.0, 16.0
UNKNOWN_PAGE = 999  # as wide as any number of a page, while the pages are counted
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
    `level` is marked beside its title, and `front_rules` are those that are printed at the front,
    on the page `rules_page`; the solution is on the page `solution_page`. `shared` is a sentence on
    which puzzles have the same pieces; they are printed with the first of these.
    """

    title: str
    rules: Sequence[str]
    parts: Sequence[Part]
    number: int | None = None
    family: str = ""
    level: str = ""
    front_rules: Collection[str] = ()
    rules_page: int = 0
    solution_page: int = 0
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
        pages = []
        if self.rules_page:
            pages.append(f"Rules: page {self.rules_page}")
        if self.solution_page:
            pages.append(f"Solution: page {self.solution_page}")
        rules = list(self.rules)
        if self.cut:
            rules.append(CUT if self.number is None else f"{CUT} {NUMBERED}")
        if self.shared:
            rules.append(self.shared)
        rules = [rule for rule in rules if rule not in self.front_rules]
        return [" · ".join(pages), *rules] if pages else rules


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
    return _TitledBook(title, author, sections, paper, per_page).lay_out(solutions)


class _TitledBook:
    """A book whose puzzles refer to pages with rules and solutions, which must be known before the
    puzzles are printed. So everything is laid out with numbers that are as wide first."""

    def __init__(
        self,
        title: str,
        author: str,
        sections: Sequence[Section],
        paper: Paper,
        per_page: int | None,
    ) -> None:
        self._title = title
        self._author = author
        self._paper = paper
        self._per_page = per_page
        self._note = f"{title}, page {UNKNOWN_PAGE}"
        self._sections = _remove_common_levels(sections)
        self._kinds = _group_by_kind(self._sections)
        self._front_rules: dict[str, list[str]] = {}
        for kind, group in self._kinds.items():
            rules = _list_common_rules(group)
            if rules:
                self._front_rules[kind] = rules

    def lay_out(self, solutions: Sequence[Section]) -> list[str]:
        no_pages = [0] * len(self._sections)
        front, rules_pages = self._print_front(no_pages, [0] * len(solutions))
        before = len(front.pages)
        end = _Layout(self._paper, self._note, None, SOLUTIONS_PER_PAGE, "Solutions")
        end.add(solutions)

        solution_pages = [UNKNOWN_PAGE] * len(solutions)
        for _ in range(2):  # first to know the number of pages, then with the right numbers
            inside = self._print_puzzles(rules_pages, solution_pages or no_pages)
            pages = list(_add_backs(inside, self._sections, before + 1, self._paper, self._note))
            solution_pages = [before + len(pages) + page for page in end.begins.values()]

        starts = []
        for page in inside.begins.values():
            starts.append(before + 1 + pages.index(inside.pages[page - 1]))
        front, _ = self._print_front(starts, solution_pages)
        cover, *others = [*front.pages, *pages, *end.pages]
        return [
            str(cover),
            *(page.svg(f"{self._title}, page {i}") for i, page in enumerate(others, 2)),
        ]

    def _print_front(
        self, starts: Sequence[int], solution_pages: Sequence[int]
    ) -> tuple[_Layout, dict[str, int]]:
        """The cover, the contents and the rules, and the page of the rules of each kind."""
        front = _Layout(self._paper, self._note)
        names = " · ".join(_name_kind(self._sections, kind) for kind in self._kinds)
        lines = [plural(len(self._sections), "puzzle"), names]
        if self._author:
            lines.insert(0, self._author)
        front.cover(self._title, lines, [group[0] for group in self._kinds.values()])
        front.contents(self._sections, starts, solution_pages)

        rules = []
        for kind, sentences in self._front_rules.items():
            numbers = [i for i, section in enumerate(self._sections, 1) if section.kind == kind]
            heading = f"{_name_kind(self._sections, kind)} ({_name_numbers(numbers)})"
            rules.append((heading, sentences))
        pages = front.rules(rules)
        return front, dict(zip(self._front_rules, pages, strict=True))

    def _print_puzzles(
        self, rules_pages: Mapping[str, int], solution_pages: Sequence[int]
    ) -> _Layout:
        sections = []
        for section, page in zip(self._sections, solution_pages, strict=True):
            sections.append(
                section._replace(
                    front_rules=self._front_rules.get(section.kind, ()),
                    rules_page=rules_pages.get(section.kind, 0),
                    solution_page=page,
                )
            )
        layout = _Layout(self._paper, self._note, self._per_page, self._per_page)
        layout.add(sections)
        return layout


def _group_by_kind(sections: Iterable[Section]) -> dict[str, list[Section]]:
    kinds: dict[str, list[Section]] = {}
    for section in sections:
        kinds.setdefault(section.kind, []).append(section)
    return kinds


def _remove_common_levels(sections: Sequence[Section]) -> list[Section]:
    """The puzzles without their level if all of their kind have the same one."""
    kinds = _group_by_kind(sections)
    result = []
    for section in sections:
        group = kinds[section.kind]
        levels = {other.level for other in group}
        if len(group) > 1 and len(levels) == 1:
            section = section._replace(level="")
        result.append(section)
    return result


def _list_common_rules(sections: Sequence[Section]) -> list[str]:
    """The lines that all of several puzzles have."""
    first, *others = [section.sentences for section in sections]
    if not others:
        return []
    return [line for line in first if all(line in lines for lines in others)]


def _name_kind(sections: Sequence[Section], kind: str) -> str:
    """The titles of the puzzles of a kind, without the numbers; its family if there are many
    titles."""
    titles = []
    for section in sections:
        if section.kind == kind:
            title = section.title.partition(". ")[2] or section.title
            if title not in titles:
                titles.append(title)
    return " / ".join(titles) if len(titles) <= MAX_TITLES else kind.partition(",")[0]


def _name_numbers(numbers: Sequence[int]) -> str:
    """Ascending numbers, such as '1–20, 23'."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _add_backs(
    inside: _Layout, sections: Sequence[Section], number: int, paper: Paper, note: str
) -> Iterator[PaperPage]:
    """The pages from this page number on, each that is cut out with a back: on every piece is the
    number of its puzzle.

    If a page to cut out would be on the other side of the page before it, a page with pictures of
    what follows comes between.
    """
    for i, page in enumerate(inside.pages, 1):
        first = max(begun for begun, start in inside.begins.items() if start <= i)
        if page.cut and number % 2 == 0:
            following = _count_same_kind(sections[first:])
            lines = [plural(following, "puzzle"), NEXT_PAGES]
            front = _Layout(paper, note)
            front.cover(_name_kind(sections, sections[first].kind), lines, [sections[first]])
            yield front.pages[0]
            number += 1
        yield page
        number += 1
        if page.cut:
            yield _draw_back(PaperPage(paper, note), f"no. {first + 1}")
            number += 1


def _count_same_kind(sections: Sequence[Section]) -> int:
    """The number of puzzles at the front that have the kind of the first."""
    for i, section in enumerate(sections):
        if section.kind != sections[0].kind:
            return i
    return len(sections)


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
    result = list(sections)
    for group in _group_by_pieces(sections):
        if len(group) > 1:
            first, *others = group
            scale = _choose_shared_scale([sections[i] for i in group])
            numbers = _name_numbers([i + 1 for i in group])
            pieces = f"The pieces are for the puzzles {numbers}."
            result[first] = _enlarge(sections[first], scale, pieces)
            for i in others:
                pictures = [part for part in sections[i].parts if part.kind != "piece"]
                without_pieces = sections[i]._replace(parts=pictures)
                result[i] = _enlarge(
                    without_pieces, scale, f"Use the pieces of puzzle {first + 1}."
                )
    return result


def _group_by_pieces(sections: Sequence[Section]) -> Iterable[list[int]]:
    """The indices of puzzles with equal pieces, as far as their boards have their true size."""
    groups: dict[tuple[Part, ...], list[int]] = {}
    for i, section in enumerate(sections):
        pieces = tuple(part for part in section.parts if part.kind == "piece")
        if pieces and _measure_board(section) <= MAX_SHARED_MM:
            groups.setdefault(pieces, []).append(i)
    return groups.values()


def _measure_board(section: Section) -> float:
    """The longest side of a picture that is not a piece."""
    sides = [0.0]
    for part in section.parts:
        if part.kind != "piece":
            sides.append(part.width * max(1.0, aspect_of(part.svg)))
    return max(sides)


def _choose_shared_scale(sections: Sequence[Section]) -> float:
    """The scale at which all of these boards stand side by side; 1 if some are not flat."""
    for section in sections:
        if not any(part.kind == "board" for part in section.parts):
            return 1.0
    largest = max(map(_measure_board, sections))
    fitting = [scale for scale in ENLARGED if scale * largest <= MAX_ENLARGED_MM]
    return max(fitting, default=1.0)


def _enlarge(section: Section, scale: float, shared: str) -> Section:
    parts = [part._replace(width=scale * part.width) for part in section.parts]
    return section._replace(parts=parts, shared=shared)


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


class _ContentsLine(NamedTuple):
    """A line of the contents: a title or a part of one, the level, and the first and the last of
    the puzzles that it is about, by index. Only the first line of a title has the last three."""

    words: str
    level: str = ""
    puzzles: tuple[int, int] | None = None

    def name_pages(self, pages: Sequence[int]) -> str:
        """The pages of the puzzles, such as '3–5'."""
        if self.puzzles is None or not pages:
            return ""
        first, last = (pages[i] for i in self.puzzles)
        return f"{first}" if first == last else f"{first}–{last}"


def _list_contents(sections: Sequence[Section], width: float) -> list[_ContentsLine]:
    """The lines of the contents. Puzzles in a row that have the same title and level share one."""

    def name_and_level(numbered: tuple[int, Section]) -> tuple[str, str]:
        _, section = numbered
        return section.title.partition(". ")[2], section.level

    lines = []
    for (name, level), group in groupby(enumerate(sections), name_and_level):
        run = [i for i, _ in group]
        title = sections[run[0]].title
        if name:
            title = f"{_name_numbers([i + 1 for i in run])}. {name}"
        for i, words in enumerate(wrap_text(title, CAPTION, width)):
            if i == 0:
                lines.append(_ContentsLine(words, level, (run[0], run[-1])))
            else:
                lines.append(_ContentsLine(words))
    return lines


def _choose_cover_parts(sections: Iterable[Section]) -> list[Sequence[Part]]:
    """The pieces of each puzzle, or else its board."""
    chosen = []
    for section in sections:
        if section.parts:
            pieces = [part for part in section.parts if part.name]
            chosen.append(pieces or section.parts)
    return chosen


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
        self._heading = heading
        self._top = MARGIN + (TITLE * LINE_SPACING + GAP if heading else 0.0)
        self._paper = paper
        self._note = note
        self._per_page = per_page
        self._each = each
        self._scratch = page = PaperPage(paper, note)  # for measuring
        self._room = page.right - page.left, page.bottom - self._top
        self._y = math.inf  # where the next puzzle begins on the last page
        self._begun = 0  # the number of puzzles on the last page
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
                page = self.pages[-1]
                end = self._put_row(page, strip.sections, self._y, strip.width, strip.height)
                self._y = end + GAP
            else:
                self._flow(*strip.sections.values())

    def _strips(self, sections: Sequence[Section]) -> Iterator[_Strip]:
        """The puzzles in order: one over the width of the page, or several side by side whose
        pictures can be scaled."""
        wide, high = self._room
        each = min(self._each or 4, 2 ** math.ceil(math.log2(max(1, len(sections)))))
        least = max(1, round(math.sqrt(each * wide / high)))  # columns
        height = (high + GAP) / math.ceil(each / least) - GAP

        def count_columns(numbered: tuple[int, Section]) -> int:
            _, section = numbered
            return self._count_columns(section, least, height)

        for columns, run in groupby(enumerate(sections), count_columns):
            numbered = list(run)
            if columns == 0:
                for i, section in numbered:
                    yield _Strip({i: section}, self._needed(section))
                continue
            width = (wide + 2 * GAP) / columns - 2 * GAP
            for start in range(0, len(numbered), columns):
                row = dict(numbered[start : start + columns])
                needed = self._put_row(self._scratch, row, 0, width, height)
                yield _Strip(row, needed, width, height)

    def _count_columns(self, section: Section, least: int, height: float) -> int:
        """The puzzles side by side: one more than `least` if pictures stay as large, 0 if one needs
        all the width."""
        if not section.scalable:
            return 0
        widths = []
        for columns in (least, least + 1):
            width = self._measure_in_columns(section, columns, height)
            if width is not None:
                widths.append(width)
        if not widths:
            return 0  # the rules need the width of the page
        if section.shared:
            # The pieces are laid on the board, so it keeps its size.
            return least if widths[0] >= section.parts[0].width - 0.01 else 0

        stays_as_large = len(widths) == 2 and widths[1] > AS_LARGE * widths[0]
        if self._per_page is not None or not stays_as_large:
            return least
        head = _head(self._scratch, section, 0, 0, self._divide_width(least + 1))
        return least + 1 if head < height / 3 else least

    def _divide_width(self, columns: int) -> float:
        return (self._room[0] + 2 * GAP) / columns - 2 * GAP

    def _measure_in_columns(self, section: Section, columns: int, height: float) -> float | None:
        """The width of the picture if this number of puzzles stands side by side, 0 without a
        picture; None if too little height is left for it."""
        width = self._divide_width(columns)
        head = _head(self._scratch, section, 0, 0, width)
        boxes = [_box(part, width, height - head, scalable=True) for part in section.parts]
        captions = sum(box.height - box.picture_height for box in boxes)
        if head > MAX_HEAD * height or head + captions > MAX_TEXTS * height:
            return None
        return boxes[0].width if boxes else 0.0

    def _put_row(
        self, page: PaperPage, row: Mapping[int, Section], y: float, width: float, height: float
    ) -> float:
        """Draw puzzles side by side from y downward, each at most this wide and high; returns where
        the longest ends."""
        columns = list(zip(count(page.left, width + 2 * GAP), row.values()))
        below = max(_head(page, section, x, y, width) for x, section in columns)
        end = below
        for x, section in columns:
            high = math.inf if section.shared else y + height - below
            for part in section.parts:
                box = _box(part, width, high, scalable=True)
                box.put(page, x, below)
                end = max(end, below + box.height)
        return end

    def cover(self, title: str, lines: Sequence[str], sections: Iterable[Section]) -> None:
        """A page with a title, lines below it, and equally large pictures of puzzles: their pieces,
        or else their boards."""
        wide, _ = self._room
        page = self._new_page()
        middle = self._paper.width / 2
        size = 3.2 * TITLE
        title_lines = wrap_text(title, size, 0.9 * wide)  # bold letters are wider
        y = page.lines(
            title_lines, middle, 2 * MARGIN, size, font_weight="bold", text_anchor="middle"
        )
        lines = [line.removesuffix(" ·") for line in _wrap_rules(lines, TITLE, wide)]
        y = page.lines(lines, middle, y + GAP, TITLE, text_anchor="middle") + 2 * GAP
        self._put_cover_pictures(page, _choose_cover_parts(sections), y)

    def _put_cover_pictures(
        self, page: PaperPage, parts: Sequence[Sequence[Part]], y: float
    ) -> None:
        """Equally large pictures, each of some parts, from y downward; as large as possible."""
        wide, _ = self._room
        high = page.bottom - y
        number = len(parts)

        def measure_picture(columns: int) -> float:
            return min(wide / columns, high / math.ceil(number / columns))

        columns = max(range(1, number + 1), key=measure_picture, default=1)
        width = wide / columns
        height = high / max(1, math.ceil(number / columns))
        for i, pieces in enumerate(parts):
            row, column = divmod(i, columns)
            drawn = gallery([part.svg for part in pieces[:MAX_COVER_PIECES]])
            box = _box(Part(drawn, width - GAP), width, height - GAP, scalable=True)
            for line in box.element.iterfind(".//*[@stroke-dasharray]"):  # nothing is cut out here
                line.set("stroke", "none")
            in_row = min(columns, number - row * columns)
            from_left = column + (columns - in_row) / 2  # the last row is centred
            x = MARGIN + (from_left + 0.5) * width - box.width / 2
            box_y = y + (row + 0.5) * height - box.picture_height / 2
            page.picture(box.element, x, box_y, box.width, box.picture_height)

    def contents(
        self, sections: Sequence[Section], starts: Sequence[int], solved: Sequence[int]
    ) -> None:
        """The puzzles with their levels, their pages and those of their solutions, in two columns,
        and a legend.

        Puzzles in a row that have the same title and level share a line.
        """
        page = self._new_page()
        width = self._room[0] / 2 - GAP
        step = CAPTION * LINE_SPACING
        self._y = page.lines(["Contents"], MARGIN, self._y, TITLE, font_weight="bold") + GAP
        title_width = width - NUMBER_MM - LEVEL_MM / 2
        if solved:
            title_width -= SOLVED_MM
        lines = _list_contents(sections, title_width)
        while lines:
            rows = min(int((self._bottom - self._y) / step) - 1, math.ceil(len(lines) / 2))
            for i, line in enumerate(lines[: 2 * rows]):
                column, row = divmod(i, rows)
                x = MARGIN + column * (width + 2 * GAP)
                y = self._y + (row + 1) * step
                self._put_title(line, x, y, title_width)
                after_title = x + title_width + LEVEL_MM / 2
                columns = (
                    ("page", starts, after_title + NUMBER_MM),
                    ("solution", solved, after_title + NUMBER_MM + SOLVED_MM),
                )
                for name, pages, end in columns:
                    if row == 0 and pages:
                        page.lines(
                            [name], end, self._y, NOTE_SIZE_MM, text_anchor="end", fill="#444"
                        )
                    numbers = line.name_pages(pages)
                    page.text(numbers, end, y + CAPTION, CAPTION, text_anchor="end")
            self._y += (rows + 1) * step
            lines = lines[2 * rows :]
            if lines:
                page = self._new_page()
        if any(section.level for section in sections):
            for i, level in enumerate(LEVEL_NAMES, 1):
                _mark_level(page, level, MARGIN + i * 1.4 * LEVEL_MM, self._y + GAP)
        self._y += GAP + step

    def _put_title(self, line: _ContentsLine, x: float, y: float, width: float) -> None:
        page = self.pages[-1]
        page.lines([line.words], x, y, CAPTION)
        _draw_dots(page, line.level, x + width + LEVEL_MM / 2, y + CAPTION)

    def rules(self, kinds: Sequence[tuple[str, Sequence[str]]]) -> list[int]:
        """The rules of each kind below their heading; returns the page of each."""
        wide, _ = self._room
        pages = []
        for number, (heading, rules) in enumerate(kinds):
            headings = [(line, TITLE) for line in wrap_text(heading, TITLE, wide)]
            if number == 0:
                headings.insert(0, ("Rules", 1.2 * TITLE))
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
        head = _head(self._scratch, section, 0, 0, wide)
        title = _title(self._scratch, section, 0, 0, wide)
        room = high - (head if head <= high / 2 else title)

        def count_pages(rows: list[tuple[float, list[_PrintedPart]]]) -> int:
            return _count_pages(rows, high - room, title, high)

        scales = _list_scales(section, _scale(section, wide, room))
        rows = min((_rows(section, wide, room, scale) for scale in scales), key=count_pages)
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
        else:
            # Many rules take as many pages as needed.
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


def _list_scales(section: Section, largest: float) -> list[float]:
    """The scales to try, up to the largest at which the board and its pieces fit on a page."""
    scales = [1.0]
    if not section.shared:
        scales = [*ENLARGED, 1.0]
        if any(part.kind == "board" for part in section.parts):
            scales += REDUCED
    fitting = [scale for scale in scales if scale <= largest]
    # no last page for a single tile
    return fitting or [largest, 0.95 * largest, 0.9 * largest, 0.85 * largest]


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
    if not level:
        return
    for i in range(len(LEVEL_NAMES)):
        page.shape(
            "circle",
            cx=f"{right - 5.6 + 2.3 * i:.2f}",
            cy=f"{y - 1.1:.2f}",
            r="0.8",
            fill="#222" if i <= LEVEL_NAMES.index(level) else "white",
            stroke="#222",
            stroke_width="0.25",
        )


def _head(page: PaperPage, section: Section, x: float, y: float, width: float) -> float:
    """Write the title and the rules; returns where they end."""
    y = _title(page, section, x, y, width)
    _, size = _sizes(width)
    many = len("\n".join(section.sentences).splitlines()) > MAX_RULES_PER_COLUMN
    columns = 2 if many and width >= NARROW_PAGE_MM else 1
    step = (width + GAP) / columns
    lines = _wrap_rules(section.sentences, size, step - GAP)
    per_column = math.ceil(len(lines) / columns)
    end = y
    for i in range(columns):
        column = lines[i * per_column : (i + 1) * per_column]
        end = max(end, _write_rules(page, section, column, x + i * step, y, size))
    return end + GAP / 2


def _write_rules(
    page: PaperPage, section: Section, lines: Iterable[str], x: float, y: float, size: float
) -> float:
    """Write lines of rules, bold if they head the other lines of a rule; returns where they end."""
    headings = [rule.splitlines()[0] for rule in section.rules if "\n" in rule]
    for line in lines:
        y = page.lines([line], x, y, size, font_weight="bold" if line in headings else "normal")
    return y


def _wrap_rules(rules: Iterable[str], size: float, width: float) -> list[str]:
    lines = []
    for rule in rules:
        for paragraph in rule.splitlines():
            lines += wrap_text(paragraph, size, width)
    return lines


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
    notes = _take_notes(element)
    return "; ".join([part.caption, *notes] if part.caption else notes)


def _box(
    part: Part, wide: float, high: float, *, scale: float = 1.0, scalable: bool = False
) -> _PrintedPart:
    """A part at this scale, or smaller if it does not fit into a room of this size; then its
    caption states the scale."""
    element = ElementTree.fromstring(part.svg)
    part = part._replace(caption=_join_caption(part, element))
    svg_width, svg_height = size_of(element)
    stated = part.width * scale
    height = stated * svg_height / svg_width
    column = wide if scalable else stated
    room = _room(part, column, high)
    if scalable:
        room += CAPTION * LINE_SPACING  # for the line on the scale, which it does not have
    fraction = min(1.0, wide / stated, room / height)
    caption = wrap_text(part.caption, CAPTION, column)
    if fraction < 0.995 and not scalable:
        printed = f"printed at {fraction:.0%}"
        words = f"{part.caption}; {printed}" if part.caption else printed
        caption = wrap_text(words, CAPTION, stated * fraction)
    return _PrintedPart(
        element, stated * fraction, height * fraction, caption, part.kind == "piece"
    )


def _take_notes(element: ElementTree.Element) -> list[str]:
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
        line = name.attrib.pop("text-decoration", "")
        if line:  # it would cross the number
            underlined = ElementTree.SubElement(name, f"{{{SVG}}}tspan", {"text-decoration": line})
            underlined.text = name.text
            name.text = None
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
    if not any(part.kind == "board" for part in section.parts):
        return 1.0
    limits = []
    for part in section.parts:
        limits.append(wide / part.width)
        if part.kind == "board":
            height = part.width * aspect_of(part.svg)
            limits.append(_room(part, part.width, high) / height)
    scale = min(limits)
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
    x = column = 0.0  # the last column of the last row, and its width
    y = 0.0  # where the last column ends
    for part in section.parts:
        box = _box(part, wide, high, scale=scale, scalable=section.scalable)
        if section.number is not None and part.kind == "piece":
            _add_number(box.element, section.number)
        needed = max([box.width, *(CAPTION * estimate_width(line) for line in box.caption)])
        fits_below = bool(rows) and needed <= column + 0.01 and y + box.height <= rows[-1][0] + 0.01
        fits_beside = bool(rows) and x + column + GAP + needed <= wide + 0.01
        if fits_below:
            box.x, box.y = x, y
        elif fits_beside:
            x += column + GAP
            column = needed
            if len(rows) == 1 and len(rows[0][1]) == 1:  # a board, and the first piece beside it
                # where the column of equal pieces in later rows is
                step = needed + GAP
                aligned = math.ceil(x / step - 0.01) * step
                if aligned + needed <= wide:
                    x = aligned
            box.x, box.y = x, 0.0
            height, boxes = rows[-1]
            rows[-1] = max(height, box.height), boxes
        else:
            rows.append((box.height, []))
            x = 0.0
            column = needed
        rows[-1][1].append(box)
        y = box.y + box.height + GAP
    return rows
