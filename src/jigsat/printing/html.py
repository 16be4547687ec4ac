"""Documents as web pages, which a browser prints; `print.css` lays out the parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from xml.etree import ElementTree

from jigsat.errors import markup_text
from jigsat.pictures.pages import PAPERS, SVG, Paper
from jigsat.printing.parts import (
    MAX_SOLUTION_MM,
    Chapter,
    Clues,
    Document,
    Group,
    Picture,
    PrintedPuzzle,
    PrintedSolution,
    Step,
)

MARGIN_MM, FOOT_MM = 12.0, 18.0  # around a page, and at its foot
OPENER_MM = 45.0  # room above a board for its rules
MIN_PIECE_SCALE = 0.4  # pieces are scaled like their board only down to this scale
MAX_SOLUTION_COLUMNS, SOLUTION_GAP_MM = 4, 4.0
STEP_GAP_MM = 6.0  # between the columns of steps
DOTS = {"easy": "●○○", "medium": "●●○", "hard": "●●●", "": ""}
# exactly 50 mm from edge to edge
RULER = (
    '<svg class="ruler" xmlns="http://www.w3.org/2000/svg" width="52mm" height="7mm" '
    'viewBox="0 0 52 7"><path d="M1 2h50M1 1v2M26 1v2M51 1v2" fill="none" stroke="#444" '
    'stroke-width="0.25"/><text x="26" y="6" font-size="2.5" text-anchor="middle" '
    'fill="#444">50 mm if printed at 100 %</text></svg>'
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
{body}
</html>
"""


def write_html(document: Document) -> str:
    """The document as a web page that is complete in one file."""
    return PAGE.format(title=markup_text(document.title), body=write_body(document))


def write_body(document: Document) -> str:
    """The document with its style sheet, to be put into a web page."""
    return "\n".join(_Writer(document).write())


class _Writer:
    """Writes a document; `room` is the part of a page that can be printed on."""

    def __init__(self, document: Document) -> None:
        self.document = document
        paper = PAPERS[document.style.paper]
        self.room = Paper(paper.width - 2 * MARGIN_MM, paper.height - MARGIN_MM - FOOT_MM)
        self.numbered = len(document.puzzles()) > 1

    def write(self) -> Iterator[str]:
        paper = PAPERS[self.document.style.paper]
        sheet = files("jigsat.printing").joinpath("print.css").read_text("utf-8")
        margins = f"{MARGIN_MM:g}mm {MARGIN_MM:g}mm {FOOT_MM:g}mm"
        page = f"@page {{ size: {paper.width:g}mm {paper.height:g}mm; margin: {margins} }}"
        yield f"<style>\n{page}\n{sheet}</style>"
        yield '<div class="printed">'
        if self.document.book:
            yield from self.write_front()
        for chapter in self.document.chapters:
            yield from self.write_chapter(chapter)
        yield from self.write_solutions()
        yield from self.write_steps()
        if self.document.book:
            yield from self.write_piece_sheets()
        yield "</div>"

    def write_front(self) -> Iterator[str]:
        """The cover and the contents."""
        if self.document.style.cover:
            yield from self.write_cover()
        yield from self.write_contents()

    def write_cover(self) -> Iterator[str]:
        document = self.document
        yield f'<section class="cover"><h1>{markup_text(document.title)}</h1>'
        number = len(document.puzzles())
        yield f"<p>{number} {'puzzle' if number == 1 else 'puzzles'}</p>"
        for picture in document.cover:
            yield fit_picture(picture, self.room.width, self.room.height / 2)
        yield f'<p class="author">{markup_text(document.author)}</p></section>'

    def write_contents(self) -> Iterator[str]:
        yield '<section class="contents"><h1>Contents</h1>'
        for chapter in self.document.chapters:
            yield f"<h2>{markup_text(chapter.title)}</h2>"
            for group in chapter.groups:
                if name := name_group(chapter, group):
                    yield f"<h3>{markup_text(name)}</h3>"
                yield "<ol>"
                yield from map(self.write_contents_line, group.puzzles)
                yield "</ol>"
        yield "</section>"

    def write_contents_line(self, puzzle: PrintedPuzzle) -> str:
        title = markup_text(puzzle.title)
        words = f"{puzzle.number} {title} {DOTS[puzzle.level]}"
        return f'<li><a href="#puzzle-{puzzle.number}">{words}</a></li>'

    def write_chapter(self, chapter: Chapter) -> Iterator[str]:
        for number, group in enumerate(chapter.groups):
            cut = "" if self.document.book or group.kind != "cut" else " apart"
            yield f'<section class="group {group.kind}{cut}">'
            yield from self.write_opener(chapter, group, first=number == 0)
            yield f'<div class="list{self.count_columns(group)}">'
            for puzzle in group.puzzles:
                yield from self.write_puzzle(group, puzzle)
            yield "</div></section>"

    def count_columns(self, group: Group) -> str:
        """The class of a list of boards without a true size in two columns; none in one."""
        per_page = self.document.style.per_page or 4
        several = group.kind == "grid" and len(group.puzzles) > 1 and per_page > 1
        return " two" if several else ""

    def write_opener(self, chapter: Chapter, group: Group, *, first: bool) -> Iterator[str]:
        """What stands once for all puzzles of a group."""
        if self.is_apart(group):
            return
        yield '<header class="opener">' if self.document.book else "<header>"
        if self.document.book and first:
            yield f"<h1>{markup_text(chapter.title)}</h1>"
        if first and chapter.text:
            yield write_sentences([chapter.text])
        if group.subtitle:
            yield f"<h2>{markup_text(group.subtitle)}</h2>"
        yield write_sentences(group.rules)
        yield "</header>"
        if group.boards:
            scale, _ = self.choose_scales(group, group.puzzles[0])
            for board in group.boards:
                yield write_scaled(board, scale)
            yield RULER

    def is_apart(self, group: Group) -> bool:
        """Whether each puzzle has its rules and boards in full, as on a sheet that is cut."""
        return not self.document.book and (group.kind == "cut" or len(group.puzzles) == 1)

    def write_puzzle(self, group: Group, puzzle: PrintedPuzzle) -> Iterator[str]:
        rules = puzzle.rules
        if self.is_apart(group):
            rules = [*group.rules, *rules]
        yield f'<article class="puzzle" id="puzzle-{puzzle.number}">'
        yield f"<header>{self.write_heading(group, puzzle)}</header>"
        if group.kind == "beside":
            yield '<div class="body"><div class="boards">'
            yield from map(write_loose, puzzle.boards)
            yield f"</div><div>{write_sentences(rules)}"
            yield from map(write_clues, puzzle.clues)
            yield "</div></div>"
        elif group.kind == "cut":
            yield write_sentences(rules)
            yield from self.write_parts(group, puzzle)
        else:
            yield write_sentences(rules)
            yield '<div class="boards">'
            yield from map(write_loose, puzzle.boards)
            yield '</div><div class="models">'
            yield from map(write_loose, puzzle.models)
            yield "</div>"
        yield "</article>"

    def write_heading(self, group: Group, puzzle: PrintedPuzzle) -> str:
        """The number, the title, the level, and the way to the solution."""
        words = ""
        if self.numbered:
            words += f'<span class="number">{puzzle.number}</span> '
        title = puzzle.title or (group.subtitle if self.is_apart(group) else "")
        words += f"<b>{markup_text(title)}</b>"
        if self.document.book:
            words += f' <span class="level">{DOTS[puzzle.level]}</span>'
        if self.document.book and puzzle.solution:
            words += f' <a href="#solution-{puzzle.number}">solution</a>'
        return words

    def write_parts(self, group: Group, puzzle: PrintedPuzzle) -> Iterator[str]:
        """The board of a puzzle and, on a sheet, its pieces to cut out."""
        boards, pieces = self.choose_scales(group, puzzle)
        own = puzzle.boards if self.document.book else [*group.boards, *puzzle.boards]
        yield '<div class="parts">'
        for board in own:
            yield write_scaled(board, boards)
        if not self.document.book:
            for piece in puzzle.pieces:
                yield write_scaled(piece, pieces)
        if own or puzzle.pieces:
            yield RULER
        yield "</div>"

    def choose_scales(self, group: Group, puzzle: PrintedPuzzle) -> tuple[float, float]:
        """The scales of the boards and the pieces of a puzzle, and of those that share them."""
        members = [puzzle]
        if puzzle.shares:
            members = [other for other in group.puzzles if other.shares == puzzle.shares]
        boards = list(group.boards)
        pieces = []
        for member in members:
            boards += member.boards
            pieces += member.pieces
        scale = self.fit([*boards, *pieces])
        if scale >= MIN_PIECE_SCALE:
            return scale, scale
        return self.fit(boards), self.fit(pieces)

    def fit(self, pictures: Iterable[Picture]) -> float:
        """The largest scale up to 1 at which each of the pictures fits on a page."""
        height = self.room.height - OPENER_MM
        scale = 1.0
        for picture in pictures:
            scale = min(scale, self.room.width / picture.width, height / picture.height)
        return scale

    def write_solutions(self) -> Iterator[str]:
        puzzles = [puzzle for puzzle in self.document.puzzles() if puzzle.solution]
        if not puzzles:
            return
        heading = "Solutions" if self.numbered else "Solution"
        most = min(MAX_SOLUTION_COLUMNS, len(puzzles))
        yield f'<section class="solutions"><h1>{heading}</h1><div>'
        for chapter in self.document.chapters:
            for group in chapter.groups:
                solved = [puzzle for puzzle in group.puzzles if puzzle.solution]
                name = name_group(chapter, group)
                words = name or chapter.title
                if group.remarks:
                    words += f", each: {'; '.join(group.remarks)}."
                if solved and (name or group.remarks):
                    yield f"</div><p>{markup_text(words)}</p><div>"
                width = self.choose_solution_width(solved, most)
                for puzzle in solved:
                    yield from self.write_solution(puzzle, width)
        yield "</div></section>"

    def write_solution(self, puzzle: PrintedPuzzle, width: float) -> Iterator[str]:
        solution = puzzle.solution or PrintedSolution([])
        place = ' class="wide"' if solution.stages else f' style="width: {width:.1f}mm"'
        number = f"<b>{puzzle.number}</b> " if self.numbered else ""
        title = markup_text(puzzle.title)
        yield f'<div id="solution-{puzzle.number}"{place}><p>{number}{title}</p>'
        for picture in solution.pictures:
            if solution.stages:
                yield write_scaled(picture, min(1, self.room.width / picture.width))
            else:
                yield write_loose(picture)
        yield write_sentences(solution.remarks)
        if solution.stages:
            yield '<div class="stages">'
            yield from map(write_loose, solution.stages)
            yield "</div>"
        yield "</div>"

    def choose_solution_width(self, puzzles: Iterable[PrintedPuzzle], most: int) -> float:
        """The width of the narrowest of up to `most` columns in which solutions are legible."""
        needed = 0.0
        for puzzle in puzzles:
            if puzzle.solution:
                needed = max(needed, *(picture.width for picture in puzzle.solution.pictures), 0.0)
        for columns in range(most, 1, -1):
            width = (self.room.width - (columns - 1) * SOLUTION_GAP_MM) / columns
            if width >= needed:
                return width - 0.1  # so that rounding leaves room for all columns
        return min(self.room.width, MAX_SOLUTION_MM)

    def write_steps(self) -> Iterator[str]:
        for puzzle in self.document.puzzles():
            if puzzle.steps:
                number = f"{puzzle.number} " if self.numbered else ""
                yield f'<section class="steps" style="columns: {self.count_step_columns(puzzle)}">'
                yield f"<h1>Steps of {number}{markup_text(puzzle.title)}</h1>"
                yield from map(write_step, puzzle.steps)
                yield "</section>"

    def count_step_columns(self, puzzle: PrintedPuzzle) -> int:
        """The most columns in which the pictures of all steps can be read."""
        widest = max((x.width for step in puzzle.steps for x in step.pictures), default=0.0)
        number = int((self.room.width + STEP_GAP_MM) / (widest + STEP_GAP_MM))
        return min(max(1, number), MAX_SOLUTION_COLUMNS)

    def write_piece_sheets(self) -> Iterator[str]:
        """The pieces of a book, after everything that is not cut."""
        for chapter in self.document.chapters:
            for group in chapter.groups:
                if any(puzzle.pieces for puzzle in group.puzzles):
                    yield f'<section class="cutting"><b>{markup_text(chapter.title)}</b>'
                    yield '<div class="parts">'
                    for puzzle in group.puzzles:
                        _, scale = self.choose_scales(group, puzzle)
                        for piece in puzzle.pieces:
                            yield write_scaled(piece, scale)
                    yield f"</div>{RULER}</section>"


def name_group(chapter: Chapter, group: Group) -> str:
    """The subtitle of a group, if its chapter has others."""
    return group.subtitle if len(chapter.groups) > 1 else ""


def write_sentences(lines: Sequence[str]) -> str:
    return "".join(f"<p>{markup_text(line)}</p>" for line in lines)


def write_clues(clues: Clues) -> str:
    lines = write_sentences(clues.lines)
    return f'<div class="clues"><h3>{markup_text(clues.heading)}</h3>{lines}</div>'


def write_step(step: Step) -> str:
    pictures = "".join(map(write_loose, step.pictures))
    lines = write_sentences(step.lines)
    return f"<div><b>{markup_text(step.heading)}</b>{lines}{pictures}</div>"


def write_scaled(picture: Picture, scale: float) -> str:
    """A picture at a scale, with its caption, which states a smaller scale."""
    captions = [picture.caption] if picture.caption else []
    if scale < 0.995:
        captions.append(f"printed at {scale:.0%}")
    svg = size_picture(picture, f"{scale * picture.width:.3f}mm", f"{scale * picture.height:.3f}mm")
    return f'<figure class="part">{svg}{write_caption(captions)}</figure>'


def write_loose(picture: Picture) -> str:
    """A picture that is as large as its place."""
    captions = [picture.caption] if picture.caption else []
    svg = size_picture(picture, "100%", "auto")
    return f"<figure>{svg}{write_caption(captions)}</figure>"


def fit_picture(picture: Picture, width: float, height: float) -> str:
    scale = min(width / picture.width, height / picture.height)
    return size_picture(
        picture, f"{scale * picture.width:.3f}mm", f"{scale * picture.height:.3f}mm"
    )


def write_caption(captions: Sequence[str]) -> str:
    if not captions:
        return ""
    return f"<figcaption>{markup_text('; '.join(captions))}</figcaption>"


def size_picture(picture: Picture, width: str, height: str) -> str:
    """An SVG document with this width and height; without a height it follows the width."""
    root = ElementTree.fromstring(picture.svg)
    root.set("width", width)
    if height == "auto":
        root.attrib.pop("height", None)
    else:
        root.set("height", height)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")
