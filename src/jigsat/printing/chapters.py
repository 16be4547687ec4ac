"""Puzzles in chapters and groups: what all puzzles of a group have is stated or shown once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from jigsat.pictures import Part
from jigsat.printing.parts import Chapter, Group, Picture, PrintedPuzzle

# more sentences and letters of the rules of a puzzle stand beside its board, not above it
MAX_SENTENCES_ABOVE, MAX_LETTERS_ABOVE = 2, 300
CUT = "Cut out the pieces along the middle of the dashed lines."
NUMBERED = "The small number on a piece is the number of its puzzle."
ONE_BOARD = "All of these puzzles use the same board."
PIECE_NUMBER = re.compile(r">\d+</tspan>")  # the number of a puzzle on a piece


@dataclass(frozen=True)
class Entry:
    """A puzzle to print, with the key of its chapter, and the name of its family, which tells the
    groups of a chapter apart."""

    chapter: str
    puzzle: PrintedPuzzle
    family: str = ""

    @property
    def kind(self) -> str:
        """How it is laid out; puzzles that share pieces are cut out."""
        if self.puzzle.pieces or self.puzzle.shares:
            return "cut"
        if self.puzzle.clues:
            return "beside"
        return "solid" if self.puzzle.models else "boards"


def choose_shared_rule(kind: str, rules: Sequence[str]) -> str:
    """The rule that all puzzles of a group have, if they stand beside clues: it tells crosswords
    with and without questions apart."""
    return rules[0] if kind == "beside" and rules else ""


def classify_parts(parts: Iterable[Part], rules: Iterable[str]) -> str:
    """How a puzzle is laid out: with pieces to cut out, beside clues, with pieces in space, or as
    boards."""
    names = [part.kind == "piece" for part in parts if part.kind == "piece" or part.name]
    if any(names):
        return "cut"
    if any("\n" in rule for rule in rules):
        return "beside"
    return "solid" if names else "boards"


def make_chapters(
    entries: Sequence[Entry],
    titles: Mapping[str, str] = MappingProxyType({}),
    texts: Mapping[str, str] = MappingProxyType({}),
    *,
    book: bool = True,
) -> list[Chapter]:
    """Chapters of consecutive puzzles with the same key; `titles` and `texts` are by keys.

    In a chapter with several families, their names are the subtitles of its groups. In a book,
    rules that all puzzles of a group have are printed once; on a sheet, only if the puzzles have no
    others.
    """
    chapters = []
    for key, members in groupby(share_pieces(entries), key=lambda entry: entry.chapter):
        in_chapter = list(members)
        mixed = len({entry.family for entry in in_chapter}) > 1
        groups = []
        for (family, kind, _), same in groupby(in_chapter, _group_key):
            puzzles = [entry.puzzle for entry in same]
            groups.append(_make_group(kind, puzzles, book, family if mixed else ""))
        chapters.append(Chapter(titles.get(key, key), texts.get(key, ""), groups))
    return chapters


def _group_key(entry: Entry) -> tuple[str, str, str]:
    return entry.family, entry.kind, choose_shared_rule(entry.kind, entry.puzzle.rules)


def share_pieces(entries: Sequence[Entry]) -> list[Entry]:
    """The puzzles, with equal sets of pieces only in the first that has them."""
    users: dict[tuple[str, ...], list[int]] = {}
    for i, entry in enumerate(entries):
        if entry.puzzle.pieces:
            key = tuple(PIECE_NUMBER.sub(">", piece.svg) for piece in entry.puzzle.pieces)
            users.setdefault(key, []).append(i)

    result = list(entries)
    for places in users.values():
        if len(places) < 2:
            continue
        numbers = name_numbers([entries[i].puzzle.number for i in places])
        first = entries[places[0]].puzzle.number
        for i in places:
            puzzle = entries[i].puzzle
            pieces = puzzle.pieces if i == places[0] else []
            sentence = f"Use the pieces of puzzle {first}."
            if i == places[0]:
                sentence = f"Puzzles {numbers} use the same pieces."
            rules = [*puzzle.rules, sentence]
            shown = puzzle.shown if pieces else []
            shared = replace(puzzle, rules=rules, pieces=pieces, shown=shown, shares=first)
            result[i] = replace(entries[i], puzzle=shared)
    return result


def _make_group(kind: str, puzzles: Sequence[PrintedPuzzle], book: bool, name: str) -> Group:
    """A group with a name if it has one, or else with the title that its puzzles have."""
    common_title = "" if name else _find_common_title(puzzles)
    rules = _list_common_rules(puzzles)
    if not book and (len(puzzles) == 1 or any(puzzle.rules != rules for puzzle in puzzles)):
        rules = []
    boards = _find_common_boards(kind, puzzles)
    caption = _find_common_caption(kind, puzzles) if book or rules else ""
    remarks = _list_common_remarks(puzzles) if book else []
    members = []
    for puzzle in puzzles:
        own_rules = [rule for rule in puzzle.rules if rule not in rules]
        own_boards = [] if boards else _leave_out_caption(puzzle.boards, caption)
        title = "" if common_title else puzzle.title
        member = replace(puzzle, title=title, rules=own_rules, boards=own_boards)
        members.append(_leave_out_remarks(member, remarks))

    if book:
        members = _refer_to_equal_rules(members)
    rules += _list_rules_of_layout(kind, puzzles)
    if boards:
        rules.append(ONE_BOARD)
    if caption:
        rules.append(f"{caption}.")
    if kind == "boards":
        kind = "beside" if any(map(_has_long_rules, members)) else "grid"
    level = _find_common_level(puzzles)
    return Group(kind, name or common_title, rules, boards, level, members, remarks)


def _refer_to_equal_rules(puzzles: Sequence[PrintedPuzzle]) -> list[PrintedPuzzle]:
    """The puzzles; one that shares pieces and has the rules of another refers to that one."""
    firsts: dict[int, PrintedPuzzle] = {}
    result = []
    for puzzle in puzzles:
        first = firsts.setdefault(puzzle.shares, puzzle)
        is_repeated = puzzle.shares and puzzle is not first
        if is_repeated and len(first.rules) > 1 and puzzle.rules[:-1] == first.rules[:-1]:
            rules = [f"The rules and the pieces are those of puzzle {first.number}."]
            puzzle = replace(puzzle, rules=rules)
        result.append(puzzle)
    return result


def _list_rules_of_layout(kind: str, puzzles: Sequence[PrintedPuzzle]) -> list[str]:
    """How pieces are cut out, if there are any."""
    if kind != "cut":
        return []
    for puzzle in puzzles:
        if any(PIECE_NUMBER.search(piece.svg) for piece in puzzle.pieces):
            return [CUT, NUMBERED]
    return [CUT]


def _list_common_remarks(puzzles: Sequence[PrintedPuzzle]) -> list[str]:
    """The remarks that the solutions of all of several puzzles have."""
    first, *others = [puzzle.solution.remarks for puzzle in puzzles if puzzle.solution] or [[]]
    if not others:
        return []
    return [remark for remark in first if all(remark in other for other in others)]


def _leave_out_remarks(puzzle: PrintedPuzzle, remarks: Sequence[str]) -> PrintedPuzzle:
    """The puzzle with a solution without these remarks."""
    if puzzle.solution is None:
        return puzzle
    own = [remark for remark in puzzle.solution.remarks if remark not in remarks]
    return replace(puzzle, solution=replace(puzzle.solution, remarks=own))


def _has_long_rules(puzzle: PrintedPuzzle) -> bool:
    letters = sum(map(len, puzzle.rules))
    many = len(puzzle.rules) > MAX_SENTENCES_ABOVE or letters > MAX_LETTERS_ABOVE
    return many or bool(puzzle.clues)


def _find_common_title(puzzles: Sequence[PrintedPuzzle]) -> str:
    """The title that all of several puzzles have."""
    titles = {puzzle.title for puzzle in puzzles}
    return puzzles[0].title if len(puzzles) > 1 and len(titles) == 1 else ""


def _find_common_level(puzzles: Sequence[PrintedPuzzle]) -> str:
    levels = {puzzle.level for puzzle in puzzles}
    return min(levels) if len(levels) == 1 else ""


def _list_common_rules(puzzles: Sequence[PrintedPuzzle]) -> list[str]:
    return [rule for rule in puzzles[0].rules if all(rule in other.rules for other in puzzles)]


def _find_common_boards(kind: str, puzzles: Sequence[PrintedPuzzle]) -> list[Picture]:
    """The board of all puzzles, if several sets of pieces are for the same one."""
    first, *others = puzzles
    if kind != "cut" or not others:
        return []
    return first.boards if all(other.boards == first.boards for other in others) else []


def _find_common_caption(kind: str, puzzles: Sequence[PrintedPuzzle]) -> str:
    """The caption that all boards of several puzzles have, unless pieces are laid on them."""
    captions = {board.caption for puzzle in puzzles for board in puzzle.boards}
    flat = kind in ("boards", "beside")
    return min(captions) if flat and len(puzzles) > 1 and len(captions) == 1 else ""


def _leave_out_caption(boards: Sequence[Picture], caption: str) -> list[Picture]:
    """The boards without this caption."""
    return [replace(board, caption="") if board.caption == caption else board for board in boards]


def name_numbers(numbers: Sequence[int]) -> str:
    """Ascending numbers in short.

    >>> name_numbers([1, 2, 3, 7])
    '1–3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
