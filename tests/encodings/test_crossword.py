"""Crosswords: comparison with a plain search, word lists, conflicting slots, pictures and error
messages."""

from __future__ import annotations

import hashlib
import random
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.crossword.data import Letter, Scored
from jigsat.encodings.crossword.rules import Crossword
from support.certificates import check
from support.crosswords import fills, runs
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.diagnosis.cores import judge_clues
from jigsat.errors import CheckError, InputError, InstanceWarning
from jigsat.proofs.certificate import prove
from jigsat.search.portfolio import models


def parsed(**data: Any) -> Crossword:
    puzzle = instance.parse({"family": "crossword", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, Crossword)
    return puzzle


def filled(puzzle: Crossword, placements: tuple[Any, ...]) -> tuple[str, ...]:
    shown = {one.cell: one.letter for one in placements if isinstance(one, Letter)}
    return tuple(
        "".join(shown.get((r, c), "#") for c in range(len(row)))
        for r, row in enumerate(puzzle.grid)
    )


# -- the twin: a plain search


@st.composite
def grids(draw: st.DrawFn) -> dict[str, Any]:
    """A grid of up to 3×4 in which each square belongs to a word, sometimes a given letter, and up
    to 50 scored words."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    height, width = rng.choice([(2, 2), (2, 3), (3, 3), (3, 4)])
    while True:
        grid = [["#" if rng.random() < 0.15 else "." for _ in range(width)] for _ in range(height)]
        inside = {cell for _, cells in runs(["".join(row) for row in grid]) for cell in cells}
        if (
            inside == {(r, c) for r in range(height) for c in range(width) if grid[r][c] == "."}
            and inside
        ):
            break
    words = {}
    for length in {len(cells) for _, cells in runs(["".join(row) for row in grid])}:
        for _ in range(rng.randint(1, 16)):
            words["".join(rng.choices("ABC", k=length))] = rng.choice([10, 50, 50, 90])
    if rng.random() < 0.4:
        r, c = rng.choice(sorted(inside))
        grid[r][c] = rng.choice("ABC")
    return {"grid": ["".join(row) for row in grid], "words": words, "repeats": rng.random() < 0.3}


@settings(max_examples=cases(30), derandomize=True, deadline=None)
@given(grids())
def test_fills_and_scores_are_those_of_a_plain_search(data: dict[str, Any]) -> None:
    puzzle = parsed(
        **data | {"words": [f"{word};{score}" for word, score in data["words"].items()]}
    )
    expected = list(fills(data["grid"], data["words"], repeats=data["repeats"]))
    found = [
        solution.placements
        for solution in jigsat.solutions(puzzle, up_to="nothing", backend="cadical195")
    ]
    scores = [
        (filled(puzzle, one), sum(x.score for x in one if isinstance(x, Scored))) for one in found
    ]
    assert sorted(scores) == sorted(expected)
    assert jigsat.count(puzzle, up_to="all", backend="cadical195").solutions == len(expected)
    if expected:
        best = len(puzzle.slots) * max(data["words"].values()) - max(score for _, score in expected)
        if puzzle.encode().objective:
            assert jigsat.minimum(puzzle).minimum == best


@settings(max_examples=cases(30), derandomize=True, deadline=None)
@given(grids(), st.randoms(use_true_random=False))
def test_the_checker_agrees_with_the_twin_on_any_letters(
    data: dict[str, Any], rng: random.Random
) -> None:
    puzzle = parsed(
        **data | {"words": [f"{word};{score}" for word, score in data["words"].items()]}
    )
    right = {rows for rows, _ in fills(data["grid"], data["words"], repeats=data["repeats"])}
    for rows in [
        *rng.sample(sorted(right), min(3, len(right))),
        *(random_fill(data["grid"], rng) for _ in range(10)),
    ]:
        letters = [
            Letter((r, c), x) for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"
        ]
        said = {name: "".join(rows[r][c] for r, c in cells) for name, cells in runs(data["grid"])}
        scored = [Scored(name, data["words"].get(word, 50)) for name, word in said.items()]
        assert (not list(puzzle.check([*letters, *scored]))) == (rows in right)
        for wrong in (
            letters[1:] + scored,
            letters + scored[1:],
            [*letters, letters[0], *scored],
            [*letters, *scored, scored[0]],
        ):
            assert list(puzzle.check(wrong))
        assert list(puzzle.check([*letters, scored[0]._replace(score=7), *scored[1:]]))


def random_fill(grid: list[str], rng: random.Random) -> tuple[str, ...]:
    return tuple("".join(rng.choice("ABC") if x == "." else x for x in row) for row in grid)


@pytest.mark.parametrize(
    "name", ["word-squares-3", "double-squares-4", "crossword-5x5", "crossword-unfillable"]
)
def test_the_instances_by_a_plain_search(name: str) -> None:
    puzzle = jigsat.load(name)
    assert isinstance(puzzle, Crossword)
    found = list(fills(puzzle.grid, puzzle.words, repeats=puzzle.repeats))
    assert len(found) == puzzle.known.solutions
    if puzzle.known.minimum is not None:
        best = max(puzzle.words.values()) * len(puzzle.slots)
        assert (
            min(best - score for _, score in found)
            == puzzle.known.minimum
            == jigsat.minimum(puzzle).minimum
        )


def test_symmetric_word_squares_by_two_routes() -> None:
    puzzle = jigsat.load("word-squares-3")
    assert isinstance(puzzle, Crossword)
    formula = puzzle.encode()
    letter = formula.families["letter"]
    for r, c in puzzle.squares:
        for x in puzzle.alphabet if r < c else ():
            formula.implies(letter((r, c), x), letter((c, r), x))
    by_search = [
        rows
        for rows, _ in fills(puzzle.grid, puzzle.words, repeats=True)
        if all(map(str.__eq__, rows, columns(rows)))
    ]
    assert sum(1 for _ in models(formula)) == len(by_search) == 155


def columns(rows: tuple[str, ...]) -> list[str]:
    return list(map("".join, zip(*rows, strict=True)))


# -- slots that conflict


def test_slots_that_conflict_are_named_and_none_can_be_left_out() -> None:
    puzzle = jigsat.load("crossword-unfillable")
    found = judge_clues(puzzle)
    assert found.core and found.core.smallest
    assert found.core.names == ["grid r2c2 (Y)", "1 across", "5 across", "1 down", "2 down"]
    clues = puzzle.clues()
    formula = puzzle.without_clues().encode()
    for left_out in [None, *found.core.names]:
        subset = formula.extended()
        with subset.rule("some clues"):
            for name in found.core.names:
                if name != left_out:
                    subset.clause(
                        variable
                        for variable in formula.decisions()
                        if formula.key(variable) in clues[name]
                    )
        assert (next(models(subset), None) is None) == (left_out is None)


def test_the_proof_of_a_grid_that_cannot_be_filled_contains_the_words(tmp_path: Path) -> None:
    list(prove("crossword-unfillable", tmp_path / "proved"))
    list(check(tmp_path / "proved"))
    assert len(instance.load(tmp_path / "proved" / "crossword-unfillable.toml").words) == 1685  # type: ignore[attr-defined]


def test_a_check_reads_no_file_that_a_certificate_names(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret;high\n")
    source = write(tmp_path, '"at ha ta"')
    list(prove(source, tmp_path / "proved"))
    for words in (f'"{tmp_path}/secret.txt"', '"../secret.txt"'):
        write(tmp_path / "proved", words)
        with pytest.raises(CheckError) as refused:
            list(check(tmp_path / "proved"))
        assert "secret" not in str(refused.value).replace("secret.txt", "")


# -- word lists


def write(folder: Path, words: str, **more: str) -> Path:
    entries = "".join(f"{entry} = {value}\n" for entry, value in more.items())
    (folder / "grid.toml").write_text(
        f'family = "crossword"\ngrid = "..\\n.."\nwords = {words}\n{entries}'
    )
    return folder / "grid.toml"


def test_words_come_from_files_relative_to_the_instance(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "one.txt").write_text(
        "# mine\nat; 60\r\n\n ta\nT.V.\n", encoding="utf-8-sig"
    )
    (tmp_path / "two.txt").write_text("AT;10\ntä\n")
    path = write(
        tmp_path,
        '["lists/one.txt", "ha;7", "two.txt"]',
        banned='["./two.txt", "no"]',
        least_score="5",
    )
    puzzle = instance.load(path)
    assert isinstance(puzzle, Crossword)
    assert puzzle.words == {"AT": 60, "TA": 50, "TV": 50, "HA": 7, "TÄ": 50}
    assert puzzle.banned == {"AT", "TÄ", "NO"}
    assert puzzle.lists[2].words == ["TA", "TV", "HA"]
    (tmp_path / "again.toml").write_text(instance.instance_text(puzzle))
    (tmp_path / "two.txt").unlink()
    assert instance.load(tmp_path / "again.toml").digest() == puzzle.digest()


@pytest.mark.parametrize(
    ("words", "file", "complaint"),
    [
        ('"list.txt"', None, "words: {}/list.txt: no such file"),
        ('"."', None, "words: {}: is a folder; name a file with one word per line"),
        (
            '["at", "list.txt"]',
            b"at;high\n",
            "words: {}/list.txt: line 1: score 'high': write a whole number",
        ),
        ('"list.txt"', b"at\n--\n", "words: {}/list.txt: line 2: a word without a letter"),
        ('"list.txt"', b"at\xff\n", "words: {}/list.txt: is not UTF-8 text"),
        ('"list.txt"', b"# none\n", "words: there are no words"),
        (
            '"list.txt"',
            "a\u0301\u0323t\u0301\n".encode(),
            "line 1: '\u1ea1\u0301t\u0301' has the character U+0301",
        ),
        (
            '"list.txt"',
            "at\nγα\u0390\n".encode(),
            "line 2: 'γα\u0390' has a letter without a capital; write capitals",
        ),
    ],
)
def test_wrong_word_files_are_refused(
    words: str, file: bytes | None, complaint: str, tmp_path: Path
) -> None:
    if file is not None:
        (tmp_path / "list.txt").write_bytes(file)
    with pytest.raises(InputError) as caught:
        instance.load(write(tmp_path, words))
    assert str(caught.value).startswith(f"{tmp_path}/grid.toml: ")
    assert complaint.format(tmp_path) in str(caught.value)
    assert str(caught.value).isprintable()


def test_only_files_can_name_files() -> None:
    with pytest.raises(
        InputError, match="'/etc/passwd' names a file, which only an instance in a file can do"
    ):
        instance.load('family = "crossword"\ngrid = ".."\nwords = "/etc/passwd"\n')
    with pytest.raises(InputError, match="names a file"):
        instance.load({"family": "crossword", "grid": "..", "words": ["at", "words.txt"]})


def test_the_word_list_is_the_one_that_its_header_states() -> None:
    text = (files("jigsat.instances") / "plain-words.txt").read_text()
    words = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    assert hashlib.sha256("".join(words).encode()).hexdigest() in text
    assert len(set(words)) == len(words) == 1685


# -- pictures and errors


def test_pictures_have_numbers_letters_and_scores() -> None:
    puzzle = parsed(grid="#..\n.A.\n..#", words=["at;60", "ha;55", "oat", "hm", "oh", "ham"])
    first = next(jigsat.solutions(puzzle))
    assert first.text().splitlines()[0].startswith("# ")
    assert "total score" in first.text()
    texts = [element.text for element in ElementTree.fromstring(first.svg()).findall("{*}text")]
    assert {"1", "2", "3", "4", "A"} <= set(texts)
    assert len([text for text in texts if text and text.isalpha()]) == 7
    (empty,) = puzzle.parts()
    shown = [element.text for element in ElementTree.fromstring(empty.svg).findall("{*}text")]
    assert sorted(map(str, shown)) == ["1", "2", "3", "4", "A"]
    marked = first.text([Scored("1 across", 50)]).splitlines()[0]
    assert marked.count("*") == 2


def test_questions_are_printed() -> None:
    puzzle = parsed(grid="..\n..", words=["at", "ta"], questions={"1 across": "Not in"})
    assert "Across\n1 Not in (2)" in list(puzzle.rules())


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("Sea trip (6)", "1 Sea trip (6)"),
        ("Sea trip (3,3)", "1 Sea trip (3,3)"),
        ("Sea trip (3-2'1)", "1 Sea trip (3-2'1)"),
        ("Sea trip (1912)", "1 Sea trip (1912) (6)"),
        ("Sea trip (6) of old", "1 Sea trip (6) of old (6)"),
    ],
)
def test_the_number_of_letters_is_printed_once(question: str, printed: str) -> None:
    puzzle = parsed(grid="......", words=["voyage"], questions={"1 across": question})
    assert f"Across\n{printed}" in list(puzzle.rules())


def test_circles_and_the_author_are_printed() -> None:
    entries = {"author": "Ada", "copyright": "© 2026 Ada"}
    puzzle = parsed(grid="..\n..", words=["at", "ta"], circles=["o.", ".."], **entries)
    (part,) = puzzle.parts()
    assert part.svg.count("<circle") == 1
    assert part.caption == "by Ada, © 2026 Ada"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"grid": "...\n.."}, "grid: row 2 has 2 squares, but row 1 has 3; write # for each block"),
        (
            {"grid": "..\n.?"},
            "grid: row 2, column 2 is '?'; write a letter, . (blank) or # (block)",
        ),
        ({"grid": "##"}, "grid: there are only blocks"),
        ({"grid": ""}, "grid: 0 rows of 0 squares"),
        ({"grid": "..\n#."}, None),
        (
            {"grid": "..#.\n..##"},
            "grid: row 1, column 4 belongs to no word of two or more letters; write # for a block",
        ),
        (
            {"grid": "...\n..."},
            "grid: 1 across has 3 squares, but no word has 3 letters; add one or move a block",
        ),
        (
            {"words": ["at", "ha"], "least_score": 60},
            "grid: 1 across has 2 squares, but no allowed word has 2 letters",
        ),
        (
            {"words": ["at"], "banned": ["at"]},
            "grid: 1 across has 2 squares, but no allowed word has 2 letters",
        ),
        (
            {"words": ["at;-1"]},
            "words: score '-1': write a whole number from 0 to 1,000,000, as in 'cat;60'",
        ),
        ({"words": []}, "words: there are no words; list some"),
        ({"circles": ["o"]}, "circles: draw as many rows and columns as the grid has"),
        (
            {"circles": ["..", ".x"]},
            "circles: row 2, column 2 is 'x'; write o (circle) or . (none)",
        ),
        ({"words": ["-"]}, "words: a word without a letter"),
        ({"words": 3}, "words: expected a list of words"),
        (
            {"questions": {"1 acros": "x"}},
            "questions: there is no slot '1 acros'; did you mean '1 across'?",
        ),
    ],
)
def test_wrong_entries_are_refused(data: dict[str, Any], complaint: str | None) -> None:
    given = {"grid": "..\n..", "words": ["at", "ta", "ha"], **data}
    if complaint is None:
        assert parsed(**given)
        return
    with pytest.raises(InputError) as caught:
        parsed(**given)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_grid_without_words_can_be_printed_but_not_filled() -> None:
    puzzle = parsed(grid="..\n..")
    assert puzzle.parts()
    assert puzzle.clues() == {}
    with pytest.raises(
        InputError, match="mine: words: missing; list words, or name a file with one word per line"
    ):
        jigsat.count(puzzle)


def test_a_letter_of_no_word_is_a_clue_that_conflicts() -> None:
    puzzle = instance.load(
        {"family": "crossword", "grid": ["q.", ".."], "words": ["ab", "cd", "ac", "bd", "ad"]}
    )
    assert "grid r1c1 (Q)" in judge_clues(puzzle).core.names  # type: ignore[union-attr]


# -- stated answers

SQUARE: dict[str, Any] = {"grid": ["..", ".."], "words": ["ab", "cd", "ac", "bd", "ad"]}


def test_questions_and_answers_break_the_symmetry() -> None:
    asked, answered = (
        parsed(**SQUARE, questions={"1 across": "first"}),
        parsed(**SQUARE, answers={"1 across": "a b"}),
    )
    shown = [
        [each.text() for each in jigsat.solutions(puzzle, up_to="reflection")]
        for puzzle in (parsed(**SQUARE), asked, answered)
    ]
    assert [*map(len, shown)] == [1, 2, 1]
    assert shown[2] == ["A B\nC D"]
    (mirrored,) = (
        each for each in jigsat.solutions(asked, up_to="reflection") if each.text() != shown[2][0]
    )
    assert "1 across is not AB" in [*answered.check(mirrored.placements)]


def test_answers_are_the_list_of_words_unless_there_is_another() -> None:
    answers = {"1 across": "ab", "3 across": "cd"}
    with pytest.warns(
        InstanceWarning, match="mine.toml: no list of words, so only the stated answers are words"
    ):
        alone = parsed(grid=["..", ".."], answers=answers)
    assert [each.text() for each in jigsat.solutions(alone)] == ["A B\nC D"]
    listed = parsed(grid=["..", ".."], answers=answers, words=["ab", "cd", "ac", "xx"])
    assert [*jigsat.solutions(listed)] == []


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"1 acros": "ab"}, "answers: there is no slot '1 acros'; did you mean '1 across'"),
        ({"1 across": "abc"}, "answers: 1 across: ABC has 3 letters, but there are 2 squares"),
        (
            {"1 across": "ab", "1 down": "ba"},
            "answers: 1 down: BA has B in row 1, column 1, where A stands already",
        ),
    ],
)
def test_wrong_answers_are_refused(answers: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        parsed(**SQUARE, answers=answers)


def test_a_wrong_answer_is_named() -> None:
    puzzle = parsed(
        grid=["...", "#.#", "..."],
        words=["cat", "dog", "ado"],
        answers={"1 across": "cat", "2 down": "axo"},
    )
    reasons = [reason.words for reason in puzzle.reasons()]
    assert reasons == ["2 down: no word in the list is AXO"]
    core = judge_clues(puzzle).core
    assert core and list(core.names) == ["2 down"]
    given = parsed(grid=["X..", "#.#", "..."], words=["cat", "dog", "ado"])
    assert [reason.words for reason in given.reasons()] == [
        "1 across: no word in the list fits X.."
    ]
    assert not list(parsed(**SQUARE, answers={"1 across": "ab"}).reasons())


@pytest.mark.parametrize(
    ("grid", "words", "reason"),
    [
        (
            ["...", "###", "..."],
            ["cat"],
            "1 across and 2 across: the list has only 1 word for these 2",
        ),
        (["...", "...", "..."], ["bat", "aba", "tat"], " the list has only 3 words for these 4"),
        (["...", "###", "..."], ["cat", "dog"], None),
        (["...", "#.#", "..."], ["cat", "dog", "ado"], None),
    ],
)
def test_a_list_without_enough_words_is_a_reason(
    grid: list[str], words: list[str], reason: str | None
) -> None:
    puzzle = parsed(grid=grid, words=words)
    told = [each.words for each in puzzle.reasons()]
    assert bool(told) == (reason is not None)
    if reason:
        assert reason in told[0] and "repeats = true allows it" in told[0]
        assert not list(parsed(grid=grid, words=words, repeats=True).reasons())


def test_only_words_with_the_letters_of_the_answers_are_encoded() -> None:
    grid, words = ["...", "#.#", "..."], ["cat", "cot", "dog", "ado", "oxo", "pot"]
    puzzle = parsed(grid=grid, words=words, answers={"1 across": "cat"})
    assert [choices.words for choices in puzzle.choices.values()] == [
        ["CAT"],
        ["CAT", "COT", "DOG", "ADO", "OXO", "POT"],
        ["ADO"],
    ]
    assert {filled(puzzle, found.placements) for found in jigsat.solutions(puzzle)} == {
        grid for grid, _ in fills(grid, puzzle.words) if grid[0] == "CAT"
    }


def test_a_question_that_is_missing_is_named() -> None:
    with pytest.warns(InstanceWarning, match="mine.toml: no question for 3 across, 2 down"):
        parsed(**SQUARE, questions={"1 across": "first", "1 down": "second"})


def test_files_named_on_the_command_line_are_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "grids").mkdir()
    (tmp_path / "house.txt").write_text("at\nto\n")
    path = write(tmp_path / "grids", '"at ta"')
    monkeypatch.chdir(tmp_path)
    changed = instance.load(path, words="./house.txt")
    assert isinstance(changed, Crossword)
    assert list(changed.words) == ["AT", "TO"]
    with pytest.raises(
        InputError, match=r"with words=\./none\.txt: words: none\.txt: no such file"
    ):
        instance.load(path, words="./none.txt")
