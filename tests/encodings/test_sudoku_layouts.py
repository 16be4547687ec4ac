"""Sudokus as other programs write them: candidates, frames, blanks, and lists with columns."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from jigsat.encodings.sudoku.rules import Sudoku
from support.forked import run
from support.grids import parsed

import jigsat
from jigsat import instance
from jigsat.errors import InputError, InstanceWarning

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [EASY[i : i + 9] for i in range(0, 81, 9)]
DIGITS = "123456789"


def read(text: str) -> list[Sudoku]:
    puzzles = instance.load_all(text if "\n" in text else f"{text}\n")
    assert all(isinstance(puzzle, Sudoku) for puzzle in puzzles)
    return puzzles  # type: ignore[return-value]


def candidates(grid: str) -> list[str]:
    """What the givens leave in each cell."""
    left = []
    for i, given in enumerate(grid):
        r, c = divmod(i, 9)
        seen = {
            grid[9 * s + d]
            for s, d in product(range(9), repeat=2)
            if s == r or d == c or (s // 3 == r // 3 and d // 3 == c // 3)
        }
        left.append(given if given != "." else "".join(x for x in DIGITS if x not in seen))
    return left


def as_characters(cells: list[str], blank: str) -> str:
    return "".join(x if x in cell else blank for cell in cells for x in DIGITS)


def as_groups(cells: list[str]) -> str:
    lines = []
    for r in range(9):
        row = [cells[9 * r + c].ljust(9) for c in range(9)]
        lines.append("| " + "| ".join(" ".join(row[i : i + 3]) for i in (0, 3, 6)) + "|")
        if r in (2, 5):
            lines.append(":--------+--------+--------:")
    return "\n".join([".--------.--------.--------.", *lines, "'--------'--------'--------'\n"])


def as_drawing(cells: list[str]) -> str:
    lines = []
    for r, i in product(range(9), range(3)):
        digits = DIGITS[3 * i : 3 * i + 3]
        lines.append("".join(x if x in cells[9 * r + c] else "." for c in range(9) for x in digits))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("blank", [".", "0"])
def test_candidates_that_follow_from_the_givens_are_the_givens(blank: str) -> None:
    # cells with one candidate are givens, and the others follow from them
    cells = candidates(EASY)
    texts = [as_characters(cells, blank), as_groups(cells), as_drawing(cells)]
    texts.append("\n".join(texts[0][i : i + 9] for i in range(0, 729, 9)))
    texts.append("\n".join(texts[0][i : i + 81] for i in range(0, 729, 81)))
    single = "".join(cell if len(cell) == 1 else "." for cell in cells)
    for text in texts:
        (puzzle,) = read(text)
        assert "".join(puzzle.grid) == single
        assert puzzle.candidates is None
        assert jigsat.count(puzzle).solutions == 1
    (plain,) = read(as_characters([x if x != "." else DIGITS for x in EASY], blank))
    assert ("".join(plain.grid), plain.candidates) == (EASY, None)


EMPTY = [row.replace(".", " ") for row in ROWS]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(" ".join(row) for row in EMPTY),
        "\n".join(" ".join(row).rstrip() for row in EMPTY),
        "\n".join(" ".join(f"{row[:3]}|{row[3:6]}|{row[6:]}") for row in EMPTY),
        "\n".join(f"| {' '.join(f'{row[:3]}|{row[3:6]}|{row[6:]}')} |" for row in EMPTY),
        "\n---+---+---\n".join(" ".join(row) for row in EMPTY),
        "\n".join("\t".join(row).replace(" ", "") for row in EMPTY),
        "\n".join(f"| {' | '.join(row)} |" for row in EMPTY),
        "\n|---|---|\n".join(f"|{'|'.join(row)}|" for row in EMPTY),
        f"[{', '.join(str([int(x) for x in row.replace('.', '0')]) for row in ROWS)}]",
        "[" + ",\n".join(str(list(row)) for row in ROWS) + "]",
    ],
)
def test_blanks_may_be_left_empty_and_rows_may_be_lists(text: str) -> None:
    (puzzle,) = read(f"{text}\n")
    assert "".join(puzzle.grid) == EASY


def test_an_empty_row_or_column_is_kept() -> None:
    rows = [*ROWS[:4], "." * 9, *ROWS[5:]]
    for i in (0, 8):
        without = [f"{row[:i]}.{row[i + 1 :]}" for row in rows]
        text = "\n".join(" ".join(row).replace(".", " ").rstrip() for row in without)
        (puzzle,) = read(f"{text}\n")
        assert "".join(puzzle.grid) == "".join(without)


def test_candidates_restrict_the_cells() -> None:
    cells = [x if x != "." else DIGITS for x in EASY]
    first = EASY.index(".")
    for digit in DIGITS:
        wrong = digit + ("1" if digit != "1" else "2")
        cells[first] = "".join(sorted(wrong))
        (puzzle,) = read(as_groups(cells))
        assert puzzle.candidates is not None
        assert jigsat.count(puzzle).solutions == (SOLVED[first] in wrong)
    assert isinstance(puzzle, Sudoku)
    again = instance.load(instance.instance_text(puzzle))
    assert again.digest() == puzzle.digest()
    with pytest.raises(InputError, match="candidates: the format sdk cannot express this entry"):
        Sudoku.writers()["sdk"]([puzzle])


def test_groups_may_stand_on_one_line_or_in_a_table() -> None:
    cells = candidates(EASY)
    cells[2] = cells[2][1:]
    rows = [cells[i : i + 9] for i in range(0, 81, 9)]
    (expected,) = read("\n".join(" ".join(row) for row in rows))
    assert expected.candidates
    for text in (
        " ".join(cells),
        "\n".join(cells),
        "\r\n".join(cells),
        "\n".join(",".join(row) for row in rows),
        "\n".join(";".join(row) for row in rows),
    ):
        (puzzle,) = read(text)
        assert (puzzle.grid, puzzle.candidates) == (expected.grid, expected.candidates)


def test_a_drawing_of_candidates_may_have_spaces_and_frames() -> None:
    cells = candidates(EASY)
    drawn = as_drawing(cells).splitlines()
    (expected,) = read("\n".join(drawn))
    spaced = [" ".join(row[i : i + 3] for i in range(0, 27, 3)) for row in drawn]
    frame = "+---+---+---+"
    for i in (27, 18, 9, 0):
        spaced.insert(i, frame)
    for text in ("\n".join(spaced), "\r\n".join(spaced)):
        (puzzle,) = read(text)
        assert (puzzle.size, puzzle.grid) == (9, expected.grid)


def test_a_list_of_names_and_numbers_is_no_sudoku() -> None:
    names = [f"g{number}" for number in range(12)]
    with pytest.warns(InstanceWarning, match="no column `tables`"):
        puzzle = jigsat.load("\n".join(["Guest", *names, ""]))
    assert puzzle.family == "seating"


def test_candidates_of_an_empty_grid_are_counted_as_by_brute_force() -> None:
    groups = ["13", "24", "1234", "1234", "1234", "13", "2", "134", *["1234"] * 7, "14"]
    puzzle = parsed(
        grid=["...."] * 4, candidates=[" ".join(groups[i : i + 4]) for i in (0, 4, 8, 12)]
    )
    counted = 0
    for solution in jigsat.solutions({"family": "sudoku", "grid": ["...."] * 4}, up_to="nothing"):
        values = dict(solution.placements)
        counted += all(values[divmod(i, 4)] in group for i, group in enumerate(groups))
    assert 0 < counted < 288
    assert jigsat.count(puzzle).solutions == counted
    assert len(list(jigsat.solutions(puzzle, up_to="all", backend="cadical195"))) == counted


def test_the_check_knows_the_candidates() -> None:
    (free,) = jigsat.solutions({"family": "sudoku", "grid": ROWS})
    cells = [x if x != "." else DIGITS for x in EASY]
    cells[2] = "12"
    (puzzle,) = read(as_groups(cells))
    broken = list(puzzle.check(free.placements))
    assert broken == ["row 1, column 3 does not hold one of the candidates 12"]


def test_a_cell_without_candidates_is_named() -> None:
    cells = candidates(EASY)
    cells[30] = ""
    with pytest.raises(InputError, match="candidates: row 4, column 4 has none"):
        read(as_characters(cells, "."))


def test_an_empty_grid_of_27_rows_stays_one() -> None:
    (puzzle,) = read("." * 26 + "3" + "." * 702)
    assert puzzle.size == 27


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (["12 12"], "candidates: expected 4 rows of 4 groups of digits"),
        (["1 2 3 5"] + ["1 2 3 4"] * 3, "candidates: row 1, column 4 is '5'; write digits from"),
        (["11 2 3 4"] + ["1 2 3 4"] * 3, "candidates: row 1, column 1 is '11'"),
        (["2 2 3 4"] + ["1 2 3 4"] * 3, "row 1, column 1 is 2, but the grid has 1 there"),
        (3, "candidates: expected rows of groups of digits"),
    ],
)
def test_wrong_candidates_are_refused(entry: object, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        parsed(grid=["1...", "....", "....", "...."], candidates=entry)


def framed(corner: str, side: str, middle: str) -> str:
    edge = f"{corner}-----------{corner}"
    rows = [side + side.join(row[i : i + 3] for i in (0, 3, 6)) + side for row in ROWS]
    inner = f"{side}---{middle}---{middle}---{side}"
    parts = [rows[:3], [inner], rows[3:6], [inner], rows[6:]]
    return "\n".join([edge, *(line for part in parts for line in part), edge])


@pytest.mark.parametrize(
    "text",
    [
        framed("*", "|", "+"),
        framed(".", "|", "."),
        framed("+", "|", "+"),
        framed("'", "|", ":"),
        *(EASY.replace(".", blank) for blank in "*-?"),
        *("\n".join(ROWS).replace(".", blank) for blank in "*-?"),
        "\n".join(" ".join(row) for row in ROWS).replace(".", "-"),
        f"quizzes,solutions\n{EASY.replace('.', '0')},{SOLVED}",
        f"id,puzzle,solution,clues,difficulty\n1,{EASY},{SOLVED},30,0.0",
        f"PUZZLE;RATING\n{EASY};7.2",
        f"{EASY};7.2",
        f"{EASY}\t1.5",
        f"{EASY} 7.2",
        f'"{EASY}", "{SOLVED}"',
        f"puzzle\n{EASY.replace('.', '0')}",
        *("\n".join(mark.join(row) for row in ROWS) for mark in ",;"),
        "\r\n".join(",".join(row.replace(".", "0")) for row in ROWS),
        "\n".join(";".join(row).replace(".", "") for row in ROWS),
        "\n".join(EASY),
    ],
)
def test_layouts_of_other_programs(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text + "\n")
    (puzzle,) = instance.load_all(path)
    assert isinstance(puzzle, Sudoku)
    assert "".join(puzzle.grid) == EASY


def test_rows_of_blanks_are_not_separators() -> None:
    rows = ["---------", *ROWS[1:8], "---------"]
    (puzzle,) = read("\n".join(rows).replace(".", "-"))
    assert puzzle.grid == (".........", *ROWS[1:8], ".........")
    separated = [*ROWS[:3], "---------", *ROWS[3:6], "---------", *ROWS[6:]]
    (puzzle,) = read("\n".join(separated).replace(".", "-"))
    assert puzzle.grid == tuple(ROWS)


def test_a_list_has_a_puzzle_in_each_line() -> None:
    other = EASY[::-1]
    puzzles = read(f"quizzes,solutions\n{EASY},{SOLVED}\n{other},{SOLVED[::-1]}")
    assert ["".join(puzzle.grid) for puzzle in puzzles] == [EASY, other]
    two = read(as_characters(candidates(EASY), ".") + "\n" + as_characters(candidates(other), "."))
    assert len(two) == 2


def test_the_puzzle_of_a_line_is_the_grid_with_blanks() -> None:
    for text in (f"{SOLVED},{EASY}", f"foo,bar\n{SOLVED},{EASY}", f"{SOLVED} {EASY} 7.2"):
        (puzzle,) = read(text)
        assert "".join(puzzle.grid) == EASY


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{EASY} {EASY[::-1]}", "line 1: 2 grids with blanks; a line of a list has one puzzle"),
        (f"foo,bar\n{EASY},{EASY[::-1]}", "line 2: 2 grids with blanks"),
        (f"puzzle,puzzle\n{EASY},{EASY[::-1]}", "the header names several columns of puzzles"),
    ],
)
def test_a_line_with_two_puzzles_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read(text)


def test_candidates_can_be_imported_drawn_and_explained(tmp_path: Path) -> None:
    cells = [x if x != "." else DIGITS for x in EASY]
    cells[2] = "12"
    (tmp_path / "c.txt").write_text(as_groups(cells))
    assert run("import", "c.txt", "-o", "c.toml", folder=tmp_path).status == 0
    explained = run("explain", "c.toml", "--clues", folder=tmp_path)
    assert explained.status == 0 and "candidates r1c3" in explained.out
    puzzle = instance.load(tmp_path / "c.toml")
    assert isinstance(puzzle, Sudoku) and ">12<" in puzzle.svg([])


def test_a_library_with_colons_is_read() -> None:
    cells = "12" + "." * 79
    first, second = instance.load_all(f":0000:x:{cells}:::\n:0702:9:{cells[::-1]}:954::\n")
    assert "".join(first.grid) == cells and "".join(second.grid) == cells[::-1]


def test_the_header_of_a_list_names_the_column_of_the_puzzles() -> None:
    (puzzle,) = read(f"solution,puzzle\n{SOLVED},{EASY}")
    assert "".join(puzzle.grid) == EASY


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{EASY}\nhello world\n{EASY}", "line 2: no grid of 81 cells"),
        (f"puzzle,rating\n{EASY},7.2\n\n{EASY[:-1]},1.5", "line 4: a grid of 80 cells"),
        (f"solution,puzzle\n{SOLVED},{EASY}\n{SOLVED},unknown", "line 3: no grid of 81 cells"),
    ],
)
def test_a_line_of_a_list_without_a_grid_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read(text)


def test_blanks_that_are_drawn_in_several_ways_are_named() -> None:
    rows = [ROWS[0].replace(".", "-"), ROWS[1].replace(".", "*"), *ROWS[2:]]
    with pytest.raises(InputError, match=r"are drawn as '\*', '-' and '\.'"):
        read("\n".join(rows))


def test_candidates_of_a_wrong_number_or_order_are_named() -> None:
    cells = candidates(EASY)
    doubled, zero = list(cells), list(cells)
    doubled[2] = "112"
    zero[2] = "0"
    characters = as_characters(cells, ".")
    fewer = "\n".join(" ".join(cells[i : i + 9]) for i in range(0, 80, 9)).rsplit(maxsplit=1)[0]
    for text, complaint in [
        (fewer, "candidates: 80 groups of digits; .* row 9 has 8"),
        (fewer + " 7 8", "candidates: 82 groups of digits; .* row 9 has 10"),
        (as_groups(doubled), "candidates: row 1, group 3 is '112'"),
        (as_groups(zero), "candidates: row 1, group 3 is '0'"),
        (characters[:-1], "candidates: 728 characters; a 9×9 grid has 729"),
        (characters + ".", "candidates: 730 characters; a 9×9 grid has 729"),
        (characters[1:] + ".", "candidates: character"),
        (characters + "\n" + characters[:-1], "candidates: puzzle 2: 728 characters"),
    ]:
        with pytest.raises(InputError, match=complaint):
            read(text)
