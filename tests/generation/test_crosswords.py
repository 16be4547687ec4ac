"""Generated crosswords: their words are in the list, the grid is symmetric, and no other fill is a
solution."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations, product
from math import log10
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.crossword.faults import find_faults
from jigsat.encodings.crossword.grids import GridMaker, GridRequest
from jigsat.encodings.crossword.layouts import lay_out
from jigsat.encodings.crossword.prospects import Prospects
from support import crosswords
from support.generated import SEEDS, command, data_of, generated, solutions

from jigsat.errors import Stopped

CONSONANTS_AND_VOWELS = ("BCDLMPRST", "AEIOU")
SHORT = [
    "".join(letters)
    for n in (3, 4, 5)
    for i in (0, 1)
    for letters in product(*(CONSONANTS_AND_VOWELS[(i + k) % 2] for k in range(n)))
]
SHORT = [
    *sorted(word for word in SHORT if len(word) < 5 or len(set(word)) > 3)[::7],
    "BED",
    "SAD",
    "ERA",
]


def runs(rows: list[str]) -> list[str]:
    lines = [*rows, *("".join(column) for column in zip(*rows, strict=True))]
    return [run for line in lines for run in re.findall(r"[^#]{2,}", line)]


def filled(data: dict[str, Any]) -> list[str]:
    """The rows of the grid with the answers written in, by the usual numbering."""
    rows = [list(row) for row in data["grid"].split()]
    white = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"}
    number = 0
    for r, c in sorted(white):
        starts = [
            (a, b)
            for a, b in ((0, 1), (1, 0))
            if (r - a, c - b) not in white and (r + a, c + b) in white
        ]
        number += bool(starts)
        for a, b in starts:
            for i, letter in enumerate(data["answers"][f"{number} {'down' if a else 'across'}"]):
                assert rows[r + i * a][c + i * b] in (".", letter)
                rows[r + i * a][c + i * b] = letter
    return ["".join(row) for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_are_words_with_their_questions(seed: int) -> None:
    words = [f"{word};{50 + i % 7};is it {word}?" for i, word in enumerate(SHORT)] + ["PUP;99"]
    puzzle = generated("crossword", seed, words=words, size=5)
    data = data_of(puzzle)
    assert puzzle.known.solutions == 1 == solutions(puzzle, "cadical195")
    rows, answers = filled(data), data["answers"]
    assert sorted(runs(rows)) == sorted(answers.values())
    assert set(answers.values()) <= {*SHORT} and len(set(answers.values())) == len(answers)
    assert data["questions"] == {name: f"is it {word}?" for name, word in answers.items()}
    scores = {word: 50 + i % 7 for i, word in enumerate(SHORT)}
    used = {word: scores[word] for word in answers.values()}
    assert getattr(puzzle, "words") == used  # noqa: B009
    drawn = data["grid"].split()
    assert [row[::-1] for row in drawn[::-1]] == drawn
    assert min(map(len, answers.values())) >= 3


def test_words_of_earlier_puzzles_come_last_and_are_counted(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(
        "\n".join(f"{word};50;is it {word}?" for word in SHORT), encoding="utf-8"
    )
    option = ("crossword", "--set", f"words={tmp_path / 'words.txt'}", "--set", "grid=.....")
    run = command(*option, "--count", "3", "-o", tmp_path / "new")
    files = sorted((tmp_path / "new").iterdir())
    answers = [
        word
        for file in files
        for word in re.findall(r'across" = "([A-Z]{5})"', file.read_text(encoding="utf-8"))
    ]
    assert (run.returncode, len(answers), len({*answers})) == (
        0,
        3,
        3,
    ) and "also in earlier" not in run.stderr
    (tmp_path / "words.txt").write_text(
        "cat;50;It purrs\ndog;50;It barks\nemu;50;It runs\n", encoding="utf-8"
    )
    run = command(*option[:4], "grid=...\n###\n...", "--count", "2", "-o", tmp_path / "few")
    assert [line.partition(" (")[2] for line in run.stderr.splitlines()] == [
        "",
        "1 word also in earlier puzzles; a longer list avoids that)",
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_words_without_questions_fit_in_only_one_way(seed: int) -> None:
    data = data_of(generated("crossword", seed, words=SHORT, grid="...\n...\n..."))
    words = data["words"].split()
    fits = {
        rows
        for rows in permutations(words, 3)
        if sorted([*rows, *map("".join, zip(*rows, strict=True))]) == sorted(words)
    }
    assert fits
    assert len({min(rows, tuple(map("".join, zip(*rows, strict=True)))) for rows in fits}) == 1


def test_answers_are_fixed_and_high_scores_come_first() -> None:
    words = ["TOR;90;high", "TAG;90;high", *(f"{word};10;low" for word in SHORT)]
    data = data_of(
        generated("crossword", 3, words=words, grid="...\n.#.\n...", answers={"1 across": "bed"})
    )
    assert data["answers"]["1 across"] == "BED"
    data = data_of(generated("crossword", 3, words=words, grid="...\n.##\n.##"))
    assert set(data["questions"].values()) == {"high"}


def test_a_grid_that_the_words_cannot_fill_is_refused() -> None:
    with pytest.raises(Stopped, match="do not fill the grid"):
        generated("crossword", 0, words=["abc;5;?", "def;5;?"], grid="...\n...\n...")
    with pytest.raises(
        Stopped,
        match="no grid of 5×5 squares suits 2 words of 3 to 3 letters; add words, or choose a "
        "smaller `size`",
    ):
        generated(
            "crossword",
            0,
            words=[
                "abc;5;?",
                "def;5;?",
            ],
            size=5,
        )


def spelled_words(number: int) -> list[str]:
    """Random words of 3 to 9 letters, consonants and vowels in turn; most of them long."""
    rng = random.Random(3)
    words = set()
    while len(words) < number:
        length = rng.choice((3, 4, 5, 6, 6, 7, 7, 8, 8, 9))
        start = rng.randrange(2)
        kinds = [CONSONANTS_AND_VOWELS[(start + i) % 2] for i in range(length)]
        words.add("".join(map(rng.choice, kinds)))
    return sorted(words)


def test_grids_are_made_until_one_is_filled() -> None:
    words = spelled_words(400)
    for seed in range(3):
        data = data_of(generated("crossword", seed, words=words, size=7))
        assert set(data["words"].split()) <= set(words)


def is_connected(rows: Sequence[str]) -> bool:
    blank = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"}
    reached, new = set(), {min(blank)}
    while new:
        reached |= new
        beside = {(r + a, c + b) for r, c in new for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        new = beside & blank - reached
    return reached == blank


def list_unchecked(rows: Sequence[str]) -> set[tuple[int, int]]:
    """The squares that are in one word only."""
    words = Counter(cell for _, cells in crosswords.runs(rows) for cell in cells)
    return {cell for cell, number in words.items() if number == 1}


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize("size", [5, 6, 9, 12])
def test_grids_have_the_shape_that_was_requested(size: int, checked: bool) -> None:
    fewest, most = (size - 2, size**2 // 4) if checked else (size, size**2 // 2)
    request = GridRequest(size, size, fewest, most, checked)
    maker = GridMaker(request, random.Random(size))
    grid = maker.draw()
    assert grid is not None
    seen = {grid}
    for _ in range(30):
        other = maker.vary(grid)
        if other is None:
            continue
        assert other != grid
        grid = other
        seen.add(grid)
        assert is_connected(grid)
        assert fewest <= sum(row.count("#") for row in grid) <= most
        assert [row[::-1] for row in grid[::-1]] == list(grid)
        assert min(map(len, runs(list(grid)))) >= 3
        unchecked = list_unchecked(grid)
        assert not unchecked or not checked
        for _, cells in crosswords.runs(grid):
            assert not any({*pair} <= unchecked for pair in pairwise(cells))
    assert len(seen) >= 3
    maker.close()


def test_prospects_are_near_the_number_of_fills() -> None:
    rng = random.Random(1)
    for rows in (["...", ".#.", "..."], ["...#", "....", "....", "#..."], ["...", "...", "..."]):
        longest = len(rows[0])
        every = ["".join(word) for n in (3, longest) for word in product("ABC", repeat=n)]
        words = rng.sample(sorted(set(every)), len(set(every)) * 3 // 5)
        fills = sum(1 for _ in crosswords.fills(rows, dict.fromkeys(words, 50)))
        assert fills
        assert abs(Prospects(words).estimate(rows) - log10(fills)) < 0.7
    assert Prospects(["ABC"]).estimate(["...", ".#.", "..."]) < -10


@pytest.mark.parametrize("size", [7, 9])
def test_a_long_list_fills_grids_whose_squares_are_all_checked(size: int) -> None:
    for seed in range(3):
        puzzle = generated("crossword", seed, words=spelled_words(3000), size=size)
        rows = data_of(puzzle)["grid"].split()
        assert not list_unchecked(rows)
        assert sum(row.count("#") for row in rows) <= size**2 // 4 + 2


@pytest.mark.parametrize("size", [5, 6, 7, 9])
def test_crosswords_of_a_short_list_have_no_faults(size: int) -> None:
    puzzle = generated("crossword", size, words=spelled_words(250), size=size)
    assert list(find_faults(puzzle)) == []
    rows = data_of(puzzle)["grid"].split()
    assert len(list_unchecked(rows)) <= 0.75 * sum(row.count(".") for row in rows)


@pytest.mark.parametrize("theme", [(), ("BANANA", "LEMON")])
def test_words_of_a_layout_touch_only_where_they_cross(theme: tuple[str, ...]) -> None:
    words = [*spelled_words(60), *theme]
    layout = lay_out(9, dict.fromkeys(words, 50), theme, random.Random(2))
    assert layout is not None
    grid = layout.draw()
    assert is_connected(grid)
    laid = sorted(map(tuple, layout.words.values()))
    assert laid == sorted(tuple(cells) for _, cells in crosswords.runs(grid))
    letters: dict[tuple[int, int], str] = {}
    for word, cells in layout.words.items():
        assert word in words
        for cell, letter in zip(cells, word, strict=True):
            assert letters.setdefault(cell, letter) == letter
    assert layout.crossings == len(letters) - len(list_unchecked(grid)) > len(laid) - 2 >= 2
    assert set(theme) <= layout.words.keys()


def test_a_list_that_is_too_short_for_symmetry_fills_a_grid_without_it(tmp_path: Path) -> None:
    words = [f"{word};50;What is {word}?" for word in spelled_words(30)]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    file = tmp_path / "new.toml"
    options = ("--set", f"words={tmp_path / 'words.txt'}", "--set", "size=9", "-o", file)
    run = command("crossword", *options)
    assert run.returncode == 0
    assert "(the list is too short for a grid with symmetry)" in run.stderr
    assert file.read_text(encoding="utf-8").count("What is") >= 4


def test_the_largest_number_of_blocks_is_kept() -> None:
    for most in (8, 12):
        puzzle = generated("crossword", 1, words=spelled_words(3000), size=7, blocks=most)
        assert data_of(puzzle)["grid"].count("#") <= most


def test_banned_words_do_not_occur(tmp_path: Path) -> None:
    drawn = "\n".join(["...", ".#.", "..."])
    words = ["tab", "tar", "bed", "red", "tag", "god"]
    first = data_of(generated("crossword", 1, words=words, grid=drawn))
    used = sorted(first["words"].split())
    (tmp_path / "banned.txt").write_text("# not in this paper\ngod\ntag\n")
    run = command(
        *["crossword", "--set", f"words={words}", "--set", 'grid="...\\n.#.\\n..."'],
        *["--set", f"banned={tmp_path / 'banned.txt'}"],
    )
    assert used and run.returncode == 0, run.stderr
    assert not {"GOD", "TAG"} & set(re.findall(r"[A-Z]{3}", run.stdout))
    with pytest.raises(ValueError, match="theme: TAG is among the banned words"):
        generated("crossword", 1, words=words, grid=drawn, theme=["tag"], banned=["tag"])


def test_words_of_a_theme_occur() -> None:
    words = spelled_words(3000)
    theme = ["CICADA", "TAPIR"]
    for seed in range(3):
        data = data_of(generated("crossword", seed, words=words, size=9, theme="cicada,tapir"))
        assert set(theme) <= set(data["words"].split())
    drawn = "...\n.#.\n..."
    data = data_of(generated("crossword", 1, words=words, grid=drawn, theme=["tat"]))
    assert "TAT" in data["words"].split()


def test_a_theme_that_cannot_occur_is_refused() -> None:
    for options, said in (
        ({"theme": "elephants", "size": 7}, "no place for ELEPHANTS, of 9 letters"),
        ({"theme": "ibex", "grid": "...\n.#.\n..."}, "no place for IBEX, of 4 letters"),
        ({"theme": "cat", "words": ["dog;5;It barks"]}, "the list has no question for CAT"),
        ({"blocks": 3, "grid": "...\n.#.\n..."}, "a drawn grid has its own blocks"),
    ):
        with pytest.raises(ValueError, match=said):
            generated("crossword", 0, **{"words": SHORT, **options})


def test_wrong_options_get_one_line(tmp_path: Path) -> None:
    (tmp_path / "dir.txt").mkdir()
    (tmp_path / "empty.txt").touch()
    (tmp_path / "short.txt").write_text("a\nb\n")
    for settings, said in (
        ([f"words={tmp_path}/dir.txt"], "dir.txt: is a folder; name a file with one word per line"),
        ([f"words={tmp_path}/empty.txt"], "empty.txt: no word has two or more letters"),
        ([f"words={tmp_path}/short.txt"], "short.txt: no word has two or more letters"),
        (["words=cat dog", 'answers={"1 across"="cat"}'], "draw the grid"),
        (["words=./missing.txt"], "no such file"),
        (["size=5"], "words: name a list of words, as in --set words=./words.txt"),
    ):
        run = command(
            "crossword",
            *(part for setting in settings for part in ("--set", setting)),
            "-o",
            tmp_path / "a.toml",
        )
        assert (run.returncode, run.stderr.count("\n")) == (2, 1)
        assert said in run.stderr
