"""The command `generate`: files, options, processes, and the same puzzles for the same seed."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from jigsat.encodings.seating.data import Seated
from support.generated import command, solutions
from support.waiting import with_time

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.cli.generate import generate_puzzles
from jigsat.errors import InputError, Interrupted, Stopped
from jigsat.formats.export import save
from jigsat.generation.clues import ClueOptions
from jigsat.generation.generator import GeneratedPuzzle, generate
from jigsat.generation.sharing import generate_shared
from jigsat.generation.sources import GenerationTask, generate_from, generators
from jigsat.printing.parts import Document
from jigsat.puzzle import Puzzle, Solution
from jigsat.puzzle.copies import find_copies
from jigsat.questions.ratings import LevelOrGrade
from jigsat.rating.difficulty import rating
from jigsat.rating.grades import find_grade


@pytest.mark.parametrize("path", list(instance.instances()), ids=lambda path: path.stem)
def test_a_written_instance_is_read_back_unchanged(path: Path) -> None:
    for puzzle in instance.load_all(path):
        assert (
            instance.parse(
                tomllib.loads(instance.instance_text(puzzle)), name=puzzle.name, origin="again"
            )
            == puzzle
        )


def test_files_are_not_overwritten_unless_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    file, pages = tmp_path / "lo.toml", tmp_path / "lo.pdf"
    lights = [
        "lights-out",
        "--set",
        "board=square 2x2",
        "--set",
        "presses=1",
        "--sheet",
        "-o",
        file,
    ]
    assert command(*lights).stderr == f"wrote {file}\nwrote {pages}: 1 puzzle on 2 pages\n"
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert before.keys() == {file, pages}
    monkeypatch.setattr(
        "jigsat.services.generate.generate_shared",
        lambda *_, **__: pytest.fail("the search has started"),
    )
    for kept in before:
        for path in before.keys() - {kept}:
            path.unlink()
        with pytest.raises(
            InputError, match=f"{re.escape(str(kept))}: exists already; use --force"
        ):
            generate_puzzles("lights-out", settings=["board=square 2x2"], output=file, sheet=True)
        for path, data in before.items():
            path.write_bytes(data)
    monkeypatch.undo()
    assert command(*lights, "--seed", "1", "--force").returncode == 0
    assert file.read_bytes() != before[file]


def test_a_folder_with_the_name_of_a_file_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    (tmp_path / "a.toml").mkdir()
    (tmp_path / "b.pdf").mkdir()
    monkeypatch.setattr(
        "jigsat.services.generate.generate_shared", lambda *_: pytest.fail("the search has started")
    )
    for name, taken, force in ("a", "a.toml", False), ("a", "a.toml", True), ("b", "b.pdf", True):
        with pytest.raises(InputError, match=f"{taken}: is a folder; name a file"):
            generate_puzzles("sudoku", output=tmp_path / f"{name}.toml", sheet=True, force=force)


def test_a_file_created_meanwhile_is_kept_and_the_puzzle_goes_to_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lo.toml"

    def meanwhile(*arguments: Any) -> Iterator[tuple[int, GeneratedPuzzle]]:
        yield from generate_shared(*arguments)
        file.write_text("somebody else's")

    monkeypatch.setattr(
        "jigsat.services.generate.generate_shared", lambda *a: iter([*meanwhile(*a)])
    )
    with pytest.raises(InputError, match="exists already"):
        generate_puzzles("lights-out", settings=["board=square 2x2", "presses=1"], output=file)
    assert [path.name for path in tmp_path.iterdir()] == ["lo.toml"]
    assert file.read_text() == "somebody else's"
    assert (
        instance.parse(tomllib.loads(capsys.readouterr().out), name="lo", origin="stdout").family
        == "lights-out"
    )


def test_a_new_file_never_replaces_another(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    save(file, ["one"], new=True)
    with pytest.raises(FileExistsError):
        save(file, ["two"], new=True)
    assert file.read_text() == "one"
    assert list(tmp_path.iterdir()) == [file]


def test_numbered_files_sort(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate_puzzles("sudoku", settings=["size=4"], count=11, output=tmp_path / "new")
    names = [f"sudoku-0-{number:02}.toml" for number in range(1, 12)]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == names
    assert capsys.readouterr().err.splitlines() == [
        f"wrote {tmp_path / 'new' / name}" for name in names
    ]
    with pytest.raises(InputError, match=r"sudoku-0-01\.toml: exists already"):
        generate_puzzles("sudoku", settings=["size=6"], count=12, output=tmp_path / "new")


def test_the_same_command_continues_a_stopped_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClueOptions, "puzzles_per_generator", 2)
    make = functools.partial(
        generate_puzzles, "sudoku", settings=["size=4"], count=5, output=tmp_path
    )
    make()
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    lost, unfinished = (tmp_path / f"sudoku-0-{number}.toml" for number in (2, 3))
    lost.unlink()
    text = unfinished.read_text(encoding="utf-8")
    unfinished.write_text(
        text.replace("number 3", "number 3; it has 9 clues, not 4"), encoding="utf-8"
    )
    make()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == whole
    assert (
        capsys.readouterr().err
        == f"{tmp_path}: 3 puzzles of 5 there already\nwrote {lost}\nwrote {unfinished}\n"
    )
    monkeypatch.setattr(
        "jigsat.generation.sharing.Child", lambda *_, **__: pytest.fail("nothing is missing")
    )
    make()


def test_no_two_puzzles_of_a_run_are_equal_up_to_symmetry() -> None:
    pytest.importorskip("igraph")
    found: list[Puzzle] = []
    with pytest.raises(Stopped, match="of which 500 equal earlier puzzles"):
        for each in generate(generators()["sudoku"](size=4, clues=4).build_generator(), 0, 20):
            found += [] if each.shortcoming else [each.puzzle]
    assert 2 < len(found) < 20
    assert not any(find_copies(found))


def test_lights_that_are_turned_or_mirrored_are_the_same_puzzle() -> None:
    pytest.importorskip("igraph")
    generator = generators()["lights-out"](board="square 3x3", presses=1).build_generator()
    found: list[Puzzle] = []
    with pytest.raises(Stopped, match="of which 500 equal earlier puzzles"):
        found.extend(each.puzzle for each in generate(generator, 0, 9))
    assert len(found) == 3, "a corner, a side and the middle"


def test_a_run_that_has_no_more_different_puzzles_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as stopped:
        generate_puzzles(
            "lights-out", settings=["board=square 1x1", "presses=1"], count=3, output=tmp_path
        )
    assert stopped.value.exit_code == 3
    assert "of which 500 equal earlier puzzles" in capsys.readouterr().err


def test_the_number_of_processes_does_not_change_the_puzzles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClueOptions, "puzzles_per_generator", 2)
    texts = []
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        generate_puzzles("sudoku", settings=["size=4"], count=7, jobs=jobs, output=folder)
        texts.append([path.read_text() for path in sorted(folder.iterdir())])
    assert texts[0] == texts[1]
    assert re.findall(r"number (\d+)", "".join(texts[0])) == [str(number) for number in range(1, 8)]
    in_python = generate_from(GenerationTask("sudoku", {"size": 4}), 7)
    for text, puzzle in zip(texts[0], in_python, strict=True):
        assert f"{puzzle.puzzle.grid[0]}\n" in text  # type: ignore[attr-defined]


def test_no_two_puzzles_of_different_batches_are_equal_up_to_symmetry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("igraph")
    monkeypatch.setattr(generators()["lights-out"], "puzzles_per_generator", 1)
    few: dict[str, Any] = {"settings": ["board=square 3x3", "presses=2"], "count": 6}
    for jobs in (1, 2):
        generate_puzzles("lights-out", jobs=jobs, output=tmp_path / str(jobs), **few)
    generate_puzzles("lights-out", output=tmp_path / "2", **few)  # all are there
    first, second = (sorted((tmp_path / name).iterdir()) for name in "12")
    assert [path.read_text() for path in first] == [path.read_text() for path in second]
    second[3].unlink()
    generate_puzzles("lights-out", output=tmp_path / "2", **few)
    for paths in (first, second):
        lit = [{divmod(i, 4) for i, x in enumerate(lit_rows(path)) if x == "#"} for path in paths]
        assert len({str(min(map(sorted, images(lights)))) for lights in lit}) == 6


def test_equal_puzzles_are_replaced_while_a_run_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("igraph")
    monkeypatch.setattr(generators()["lights-out"], "puzzles_per_generator", 1)
    task = GenerationTask("lights-out", {"board": "square 3x3", "presses": 2}, 0)
    forms = [
        next(each.forms for each in generate_from(task, 1, number) if not each.shortcoming)
        for number in range(1, 7)
    ]
    assert len(set(forms)) < 6, "without each other, some puzzles of this seed are equal"
    shared = list(generate_shared(task, 6, 1, None))
    asked = [(number, each) for number, each in shared if not each.shortcoming]
    assert [number for number, _ in asked] == [*range(1, 7)], "none is found after the last one"
    assert len({each.forms for _, each in asked}) == 6


@pytest.mark.parametrize(
    ("family", "options", "count"),
    [
        ("latin", {"order": 4, "solutions": 2}, 30),
        ("seating", {"tables": {"table": "round 5"}}, 11),
    ],
)
def test_no_two_puzzles_of_a_run_share_a_solution(
    family: str, options: dict[str, Any], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generators()[family], "puzzles_per_generator", count // 2)
    level = "reflection" if family == "seating" else "nothing"
    seen = set[Any]()
    for jobs in (1, 2):
        found = dict(generate_shared(GenerationTask(family, options), count, jobs, None))
        grids = list[Any]()
        for _, one in sorted(found.items()):
            search = Enumeration[Solution](one.puzzle, backend="glucose4", up_to=level)
            grids += [what_it_shows(solution) for solution in search]
        assert len(grids) == len(set(grids)) == count * options.get("solutions", 1)
        seen.add(tuple(grids))
    assert len(seen) == 1


def what_it_shows(solution: Solution) -> frozenset[object]:
    """The symbols in their cells, or the neighbours at a round table."""
    if solution.puzzle.family != "seating":
        return frozenset(solution.placements)
    seated = [place for place in solution.placements if isinstance(place, Seated)]
    seats = {place.seat: place.guest for place in seated}
    guests = [seats[seat] for seat in sorted(seats)]
    return frozenset(frozenset(pair) for pair in zip(guests, guests[1:] + guests[:1], strict=True))


def test_runs_for_two_levels_have_different_solutions() -> None:
    levels: tuple[LevelOrGrade, ...] = ("easy", "medium")
    grids = []
    for level in levels:
        *_, made = generate_from(GenerationTask("sudoku", {}, 5, level), 1)
        (solution,) = Enumeration[Solution](made.puzzle, backend="glucose4")
        grids.append({*solution.placements})
    assert len(grids[0] & grids[1]) < 81 / 2


def test_several_levels_are_made_in_one_run(tmp_path: Path) -> None:
    run = ["sudoku", "--set", "size=6", "--count", "2", "--seed", "4"]
    run += ["--difficulty", "2,easy", "-o", str(tmp_path / "new")]
    command(*run)
    names = ["1-2-1", "1-2-2", "2-easy-1", "2-easy-2"]
    files = [tmp_path / "new" / f"sudoku-4-{name}.toml" for name in names]
    assert sorted((tmp_path / "new").iterdir()) == files

    puzzles = [instance.load(file) for file in files]
    grades = [find_grade(puzzle) for puzzle in puzzles[:2]]
    assert [grade.number for grade in grades if grade] == [2, 2]
    assert [rating(puzzle).level for puzzle in puzzles[2:]] == ["easy", "easy"]
    solved = set()
    for puzzle in puzzles:
        (solution,) = Enumeration[Solution](puzzle, backend="glucose4")
        solved.add(frozenset(solution.placements))
    assert len(solved) == 4

    # The same command continues.
    before = files[3].read_bytes()
    files[3].unlink()
    assert "3 puzzles of 4 there already" in command(*run).stderr
    assert files[3].read_bytes() == before


def test_wrong_levels_are_refused(tmp_path: Path) -> None:
    for level, said in (
        ("3,7", "unknown level '7'"),
        ("easy,easy", "easy occurs twice; remove one"),
        ("3", "puzzles of the family lights-out have no grades"),
    ):
        run = command("lights-out", "--difficulty", level, "--count", "1", "-o", tmp_path / "new")
        assert run.returncode == 2
        assert said in run.stderr


def lit_rows(path: Path) -> str:
    return str(tomllib.loads(path.read_text())["lit"]).strip()


def images(lights: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """The lights of a 3×3 board, turned and mirrored."""
    found = [lights]
    for _ in range(3):
        found.append({(c, 2 - r) for r, c in found[-1]})
    return [*found, *({(c, r) for r, c in one} for one in found)]


def test_a_stopped_run_names_what_is_not_as_requested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClueOptions, "puzzles_per_generator", 2)

    def stopped(*arguments: Any) -> Iterator[tuple[int, GeneratedPuzzle]]:
        found = dict(generate_shared(*arguments))
        yield 2, found[2]._replace(shortcoming="it has 9 clues")
        yield 5, found[5]._replace(shortcoming="it has 8 clues", attempts=40)
        yield 4, found[4]
        yield 1, found[1]
        raise Stopped("timeout")

    monkeypatch.setattr("jigsat.services.generate.generate_shared", stopped)
    with pytest.raises(typer.Exit):
        generate_puzzles("sudoku", settings=["size=4"], count=6, jobs=3, output=tmp_path)
    files = {number: tmp_path / f"sudoku-0-{number}.toml" for number in (1, 2, 4, 5)}
    assert sorted(tmp_path.iterdir()) == sorted(files.values())
    unfinished = (
        f"{files[2]} (it has 9 clues), {files[5]} (the best of 40 candidates: it has 8 clues)"
    )
    assert capsys.readouterr().err.splitlines() == [
        f"wrote {files[4]}",
        f"wrote {files[1]}",
        f"jigsat: timeout; not as requested: {unfinished}; 2 of 6 puzzles written as requested, "
        f"the same command continues",
    ]


def test_a_stopped_run_without_another_candidate_states_what_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> Iterator[tuple[int, GeneratedPuzzle]]:
        yield next(generate_shared(*arguments))
        raise Interrupted(signal.SIGINT)

    monkeypatch.setattr("jigsat.services.generate.generate_shared", interrupted)
    with pytest.raises(typer.Exit) as stopped:
        generate_puzzles("sudoku", settings=["size=4"], count=2, output=tmp_path)
    assert stopped.value.exit_code == 130
    said = "jigsat: interrupted; 1 of 2 puzzles written as requested, the same command continues"
    assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_puzzle_that_is_not_found_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_found(*_: Any) -> Iterator[GeneratedPuzzle]:
        raise Stopped("none found in 9 attempts")
        yield

    monkeypatch.setattr("jigsat.generation.sharing.generate_from", none_found)
    for count, said in (1, "none found in 9 attempts"), (2, "puzzle 1: none found in 9 attempts"):
        with pytest.raises(Stopped, match=f"^{said}"):
            list(generate_shared(GenerationTask("sudoku", {}), count, 1, None))


def test_the_search_runs_in_a_spawned_process() -> None:
    script = (
        "import multiprocessing; multiprocessing.set_start_method('spawn'); from jigsat.cli "
        "import main; main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "generate", "sudoku", "--set", "size=4"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")


QUICK = [
    "sudoku size=6",
    "edge-matching board=cube",
    "latin order=4 mates=1",
    "interlocking size=4",
    "lights-out board=cube presses=2",
]

SEVERAL = """
import sys
from jigsat.cli import main
for number, asked in enumerate(sys.argv[1:]):
    family, *settings = asked.split()
    options = [word for setting in settings for word in ("--set", setting)]
    sys.argv = ["jigsat", "generate", family, *options, "--seed", "7", "--count", "2", "-o", str(number)]
    try:
        main()
    except SystemExit as left:
        assert not left.code, asked
"""
"""Several families in one process, because the order of sets changes only from one process to the
next."""


@pytest.mark.parametrize(
    "asked",
    [QUICK, pytest.param(["tiling", "interlocking size=4 solutions=2"], marks=pytest.mark.slow)],
    ids=["quick", "slow"],
)
def test_the_same_seed_gives_the_same_bytes(asked: list[str], tmp_path: Path) -> None:
    texts = []
    for hashing in ("1", "2"):
        folder = tmp_path / hashing
        folder.mkdir()
        program = [sys.executable, "-c", SEVERAL, *asked]
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        run = subprocess.run(
            program, cwd=folder, capture_output=True, text=True, env=environment, timeout=600
        )
        assert run.returncode == 0, run.stderr
        texts.append({path.relative_to(folder): path.read_bytes() for path in folder.glob("*/*")})
    assert texts[0] == texts[1]
    assert len(set(texts[0].values())) == 2 * len(asked)


def test_an_unmet_request_ends_with_the_best_candidate(tmp_path: Path) -> None:
    path, said = tmp_path / "best.toml", "candidates: it has 2"
    run = with_time(
        lambda seconds: command("sudoku", "--clues", "17", "-o", path, "--timeout", seconds),
        lambda run: said in run.stderr,
    )
    assert run.returncode == 3
    assert "not 17" in run.stderr
    assert solutions(instance.load(path), "cadical195") == 1


def test_without_a_candidate_nothing_is_written(tmp_path: Path) -> None:
    run = command(
        "edge-matching",
        "--set",
        "board=square 10x10",
        "-o",
        tmp_path / "none.toml",
        "--timeout",
        "0.1",
    )
    assert (run.returncode, run.stderr) == (3, "jigsat: timeout; no candidate found\n")
    assert not (tmp_path / "none.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sudoku", "--set", "size=7"], "7 rows cannot be divided into boxes"),
        (["sudoku", "--set", "colour=red"], "unknown entry 'colour'"),
        (["sudoku", "--set", "size=1000000000000"], "size: expected a number of at most 35"),
        (
            ["edge-matching", "--set", "board=hexagon 9999"],
            "board: the board 'hexagon 9999' is too large",
        ),
        (
            ["interlocking", "--set", "board=cubes"],
            "board: unknown board 'cubes'; did you mean 'cube'?",
        ),
        (
            ["cube", "--symmetric"],
            "interlocking has no clues; `jigsat generate interlocking` generates new puzzles",
        ),
        (
            ["dinner"],
            "the family seating has no clues that can be generated; `jigsat explain --clues` "
            "judges its own",
        ),
        (
            ["xyzzy"],
            "xyzzy: unknown family or instance; the families are akari, aqre, aquarium, binairo, ",
        ),
        (
            ["norinori", "--clues", "5"],
            "norinori: puzzles of this family have no clues that can be left out, so clues cannot be chosen",
        ),
        (["lits", "--symmetric"], "lits: puzzles of this family have no clues"),
        (
            ["nonogram", "--clues", "5"],
            "nonogram: puzzles of this family have no clues that can be left out",
        ),
        (
            ["tiling", "--symmetric"],
            "tiling: puzzles of this family have no clues that can be left out",
        ),
        (["akari", "--clues", "5"], "akari: clues cannot be chosen for new puzzles of this family"),
        (["sudok"], "sudok: unknown family or instance; did you mean 'sudoku'?"),
        (["kube"], "kube: unknown family or instance; did you mean 'cube'?"),
        (
            ["edge-matching", "--set", "labels=41"],
            "labels: 41, but square 4x4 has room for only 40",
        ),
        (
            ["sudoku", "--set", "size=4", "--clues", "17"],
            "clues: 17, but at most 16 clues can be given",
        ),
        (["seating", "--clues", "1000"], "rules can be given"),
        (
            ["latin", "--set", "order=3", "--set", "diagonals=true"],
            "latin: there is no such puzzle",
        ),
        (["sudoku", "-o", "/dev/null/x.toml"], "/dev/null: cannot be written: "),
        (
            ["tiling", "--set", "board=square 6x6", "--set", "pieces=pentominoes"],
            "write left_over=1, or choose another board",
        ),
        (["sudoku", "-o", "sudoku.txt"], "ends in .toml"),
        (
            ["sudoku", "--count", "2"],
            "--count: a file holds one puzzle; name a folder for several puzzles with -o",
        ),
    ],
)
def test_wrong_options(arguments: list[str], complaint: str) -> None:
    run = command(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert complaint in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("family", "options", "complaint"),
    [
        ("edge-matching", {"labels": "cat,,dog"}, "labels: a name is empty"),
        ("edge-matching", {"labels": "cat,cat"}, "labels: the name 'cat' occurs 2 times"),
        (
            "edge-matching",
            {"labels": 0},
            "labels: expected a number greater than 0 or a list; got 0",
        ),
        ("edge-matching", {"halves": "head"}, "halves: expected two names"),
        (
            "edge-matching",
            {"tiles": "Ada,Bob"},
            "tiles: expected a name for each of the 16 tiles; got 2",
        ),
        (
            "edge-matching",
            {"labels": "a,rim", "frame": True},
            "labels: 'rim' is the label of the frame",
        ),
        (
            "interlocking",
            {"board": "square 2x2"},
            "board: square 2x2 has a rim; frame=true puts a frame with teeth around it",
        ),
        ("interlocking", {"frame": True}, "frame: cube has no rim"),
        (
            "interlocking",
            {"board": "prism 5"},
            "board: the faces of prism 5 have different numbers of sides",
        ),
        (
            "tiling",
            {"letters": "TWO WORDS"},
            "letters: expected a word of letters and digits, without blanks",
        ),
        (
            "tiling",
            {"letters": "WORD", "left_over": 3},
            "letters: a word of 4 letters, but left_over is 3",
        ),
        (
            "tiling",
            {"letters": "AB", "board": 5 * "#####\n"},
            "letters: a word of 2 letters, but 1 cell of the board is",
        ),
        ("tiling", {"letters": "A", "pieces": {"a": "#", "b": "##"}}, "remove these pieces"),
        (
            "tiling",
            {"letters": "A", "board": "###", "pieces": {"a": "##"}},
            "leave different letters free",
        ),
        ("tiling", {"holes": [[9, 9]]}, "holes: the board has no cell (9, 9)"),
        ("tiling", {"holes": [[0, 0], [0, 0]]}, "holes: a cell occurs twice"),
        ("seating", {"guests": []}, "guests: expected at least 1 entry; got an empty list"),
        (
            "seating",
            {"rules": ["foo"]},
            "'not_same_table', 'beside_one_of', 'alternate', 'table' or 'seat'; got \"foo\"",
        ),
        (
            "crossword",
            {"words": "abc", "grid": "...", "size": 3},
            "size: a drawn grid has its own size",
        ),
        (
            "crossword",
            {"words": "abc", "grid": 7},
            "grid: 7 is not a drawing; for a grid that is made, write size=7",
        ),
        ("crossword", {"words": "a b c"}, "words: no word has two or more letters"),
        (
            "crossword",
            {"words": "abc", "least_score": 60},
            "least_score: no word that may be used has a score of 60 or more",
        ),
        (
            "tiling",
            {"board": "square 6x10", "pieces": "pentominoes"},
            "needs all of them, and they fit in more than 1 way",
        ),
        (
            "lights-out",
            {"solutions": 2},
            "solutions: only one set of cells reaches the minimum of presses",
        ),
        (
            "crossword",
            {"words": "abc", "solutions": 2},
            "solutions: the answers to questions, or the words to fit in, have one",
        ),
        (
            "sudoku",
            {"size": 9, "regions": "aabb\naabb\nccdd\nccdd"},
            "size: 9, but the regions have 4 rows",
        ),
    ],
)
def test_wrong_options_of_generators(family: str, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        next(generate_from(GenerationTask(family, options), 1))


def test_generated_puzzles_are_bound_into_a_book_named_after_its_title(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("typst")
    run = command("lights-out", "--count", "2", "--sheet", "--title", "Tiles / 1", "-o", tmp_path)
    assert (run.returncode, run.stderr.splitlines()[-1]) == (
        0,
        f"wrote {tmp_path / 'Tiles - 1.pdf'}: 2 puzzles on 4 pages",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "Tiles - 1.pdf",
        "lights-out-0-1.toml",
        "lights-out-0-2.toml",
    ]
    again = command("lights-out", "--count", "2", "--sheet", "--title", "Tiles / 1", "-o", tmp_path)
    assert (
        again.stderr
        == f"jigsat: {tmp_path / 'Tiles - 1.pdf'}: exists already; use --force to overwrite it\n"
    )
    assert command("lights-out", "--title", "T", "-o", tmp_path).returncode == 2
    long = command("lights-out", "--sheet", "--title", "T" * 300, "-o", tmp_path / "a.toml")
    assert (long.returncode, long.stderr) == (
        2,
        "jigsat: --title: too long for the name of a file; use at most 200 bytes\n",
    )


def test_every_word_of_a_large_crossword_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    printed: list[Document] = []
    monkeypatch.setattr(
        "jigsat.cli.sheet.write_document", lambda _, document, *others: printed.append(document)
    )
    # Each word has its own length, so the words fit in one way.
    lengths = range(2, 70)
    listed = ["A" * length for length in lengths]
    rows = ["." * length + "#" + "." * (71 - length) for length in lengths[: len(lengths) // 2]]
    drawn = "\\n".join(f"{row}\\n{'#' * 72}" for row in rows)
    generate_puzzles(
        "crossword",
        settings=[f"words={listed}", f'grid="{drawn}"'],
        output=tmp_path / "large.toml",
        sheet=True,
    )
    assert not set(listed) - set(re.findall(r"\w+", repr(printed[0])))


def test_too_few_labels_are_named_while_the_search_goes_on() -> None:
    some = generate(generators()["edge-matching"](labels=6).build_generator(), 0)
    assert next(some).shortcoming.endswith(
        "about 10 labels single out one solution, and there are 6"
    )


def test_the_folder_of_a_file_is_created(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "lights.toml"
    assert command("lights-out", "--set", "board=square 3x3", "-o", file).returncode == 0
    assert file.exists()


def test_pieces_that_leave_cells_over_fit_a_board_with_a_name_in_one_way() -> None:
    """Its cells that are left over are taken out of it, as they are of a drawn one."""
    options = generators()["tiling"](board="square 4x4", pieces="pentominoes", left_over=1)
    *_, last = generate(options.build_generator(), 0)
    assert not last.shortcoming
    assert last.puzzle.known.reflection == 1 or last.puzzle.known.solutions == 1


def test_the_titles_of_several_puzzles_are_numbered() -> None:
    def titles(**options: Any) -> list[str]:
        return [
            puzzle.title
            for puzzle in jigsat.generate("lights-out", board="square 3x3", presses=2, **options)
        ]

    assert titles(number=2) == [
        "Lights Out 3×3, 2 presses, no. 1",
        "Lights Out 3×3, 2 presses, no. 2",
    ]
    assert titles(number=2, title="Garden") == ["Garden 1", "Garden 2"]
    assert (titles(), titles(title="Garden")) == (["Lights Out 3×3, 2 presses"], ["Garden"])


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "9 strips on 5×5"),
        ({"board": "##\n##", "pieces": {"a": "##\n#.", "b": "#"}}, "2 pieces on 2×2"),
        ({"board": "#####\n" * 4, "pieces": "pentominoes"}, "4 pentominoes on 4×5"),
        ({"board": "box 2x2x3", "pieces": "tricubes"}, "4 tricubes in a box of 2×2×3"),
        ({"board": "square 4x5", "pieces": "pentominoes"}, "4 pentominoes on 4×5"),
    ],
)
def test_the_title_of_a_tiling_says_what_it_is(options: dict[str, object], title: str) -> None:
    first = next(generate(generators()["tiling"](**options).build_generator(), 0))
    assert first.puzzle.title == title
