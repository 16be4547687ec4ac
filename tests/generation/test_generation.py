"""Generated puzzles: unique according to other programs, with minimal clues, and the same for the same seed."""

from __future__ import annotations

import functools
import os
import random
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from support import twins
from support.command import run as jigsat
from support.sudokus import fillings
from support.waiting import with_time

from jigsat import instance
from jigsat.analysis.difficulty import Level, rating
from jigsat.backends.engine import compiled
from jigsat.cli.generate import generate_puzzles
from jigsat.errors import InputError, Stopped
from jigsat.formats.export import save
from jigsat.generation import ClueOptions, GeneratedPuzzle, generate, generate_from, generate_shared, generators
from jigsat.puzzle import Puzzle
from jigsat.solving.batch import solve_all
from jigsat.solving.enumeration import Enumeration

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 50))]


def generated(family: str, seed: int, difficulty: Level | None = None, **options: Any) -> Puzzle:
    """The puzzle that is generated for a seed. It has a solution, and the number of solutions is known."""
    *_, last = generate(generators()[family](**options).build_generator(), seed, difficulty=difficulty)
    assert not last.shortcoming
    assert last.solution is not None
    assert last.puzzle.known.distinct() or last.puzzle.known.solutions
    return last.puzzle


def solutions(puzzle: Puzzle, backend: str) -> int:
    (answer,) = solve_all([puzzle], backend, limit=3)
    return len(answer.solutions)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return jigsat("generate", *arguments)


# -- sudoku


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"symmetric": True},
        {"size": 4},
        {"diagonals": True, "size": 6},
        pytest.param({"size": 6, "symmetric": True}, marks=pytest.mark.slow),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_sudokus_are_unique_and_every_given_is_needed(seed: int, options: dict[str, Any]) -> None:
    puzzle = generated("sudoku", seed, **options)
    assert [solutions(puzzle, backend) for backend in ("cadical195", "cover")] == [1, 1]
    clues = [next(iter(clue)) for clue in puzzle.clues().values()]
    n = puzzle.size  # type: ignore[attr-defined]
    pattern = {cell for cell, _ in clues}
    if options.get("symmetric"):
        assert pattern == {(n - 1 - r, n - 1 - c) for r, c in pattern}
    opposite = {(r, c): (n - 1 - r, n - 1 - c) if options.get("symmetric") else (r, c) for r, c in pattern}
    without = [
        puzzle.with_clues([clue for clue in clues if clue.cell not in (cell, opposite[cell])]) for cell in sorted(pattern)
    ]
    assert all(len(answer.solutions) == 2 for answer in solve_all(without, "glucose4"))


@pytest.mark.parametrize("seed", SEEDS)
def test_small_sudokus_are_unique_by_backtracking(seed: int) -> None:
    puzzle = generated("sudoku", seed, size=4)
    data: dict[str, Any] = {"grid": puzzle.grid}  # type: ignore[attr-defined]
    assert len(list(fillings(data))) == 1
    for r, c in [(r, c) for r in range(4) for c in range(4) if data["grid"][r][c] != "."]:
        rows = [list(row) for row in data["grid"]]
        rows[r][c] = "."
        assert len(list(fillings({"grid": ["".join(row) for row in rows]}))) > 1


@pytest.mark.parametrize(("number", "symmetric"), [(30, False), (23, False), (36, True)])
def test_a_requested_number_of_clues(number: int, symmetric: bool) -> None:
    puzzle = generated("sudoku", 3, clues=number, symmetric=symmetric)
    assert len(puzzle.clues()) == number
    assert solutions(puzzle, "cadical195") == 1


def test_an_instance_gets_other_clues() -> None:
    run = command("sudoku-jigsaw", "--seed", "5")
    assert run.returncode == 0, run.stderr
    puzzle = instance.parse(tomllib.loads(run.stdout), name="new", origin="stdout")
    shipped = instance.load("sudoku-jigsaw")
    assert puzzle.without_clues().digest() == shipped.without_clues().digest()
    assert puzzle.clues() != shipped.clues()
    assert solutions(puzzle, "cadical195") == 1


@pytest.mark.skipif(not compiled(), reason="jigsat was installed without a C compiler")
def test_random_solutions_are_uniform_where_counting_works() -> None:
    generator: Any = generators()["sudoku"](size=4).build_generator()
    rng = random.Random(0)
    found = Counter(tuple(generator.random_solution(rng)) for _ in range(100 * 288))
    statistic = sum((times - 100) ** 2 / 100 for times in found.values())
    assert len(found) == 288
    assert abs(statistic - 287) < 4 * 24  # mean and standard deviation of the statistic for a uniform distribution


def test_random_solutions_drawn_by_a_solver_are_roughly_uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.generation.clues.ranked", lambda _: None)
    generator: Any = generators()["sudoku"](size=4).build_generator()
    rng = random.Random(0)
    found = Counter(tuple(generator.random_solution(rng)) for _ in range(20 * 288))
    assert len(found) == 288
    assert sum((times - 20) ** 2 / 20 for times in found.values()) < 2 * 288  # about 287 for a uniform distribution


# -- files


@pytest.mark.parametrize("path", list(instance.instances()), ids=lambda path: path.stem)
def test_a_written_instance_is_read_back_unchanged(path: Path) -> None:
    for puzzle in instance.load_all(path):
        assert instance.parse(tomllib.loads(instance.written(puzzle)), name=puzzle.name, origin="again") == puzzle


# -- the command


def test_the_difficulty_is_the_level_that_rate_reports() -> None:
    levels: tuple[Level, ...] = ("easy", "medium")
    for level in levels:
        puzzle = generated("sudoku", 4, difficulty=level)
        assert rating(puzzle).level == level


def test_hard_sudokus_are_neighbours_of_hard_ones() -> None:
    puzzle = generated("sudoku", 0, difficulty="hard")
    assert rating(puzzle).level == "hard"
    assert solutions(puzzle, "cadical195") == 1
    known = next(iter(generators()["sudoku"]().build_generator().candidates(random.Random("0/1"), True)))
    assert known.shortcoming == "it is a known puzzle"
    assert known.puzzle.clues() != puzzle.clues()


def test_sheets_are_pages_in_millimetres(tmp_path: Path) -> None:
    tiles = []
    for family, pages in (("edge-matching", ("-1", "-2")), ("interlocking", ("",))):
        run = command(family, "-o", tmp_path / f"{family}.toml", "--sheet")
        names = [f"{family}{page}.svg" for page in (*pages, "-solution")]
        assert (run.returncode, run.stderr) == (
            0,
            f"wrote {', '.join(str(tmp_path / n) for n in [f'{family}.toml', *names])}\n",
        )
        for name in names:
            page = ElementTree.parse(tmp_path / name).getroot()
            assert (page.get("width"), page.get("height")) == ("210mm", "297mm")
            if family == "edge-matching" and "solution" not in name:
                tiles += [part for part in page if part.tag.endswith("svg") and float(part.get("width", 0)) < 100]
    assert len(tiles) == 16
    assert {round(float(tile.get("width", 0))) for tile in tiles} == {41}  # 40 mm and half of the cutting line on each side


def test_files_are_not_overwritten_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lights = functools.partial(
        generate_puzzles, "lights-out", settings=["board=square 2x2", "presses=1"], output=Path("lo.toml"), sheet=True
    )
    lights()
    assert capsys.readouterr().err == "wrote lo.toml, lo.svg, lo-solution.svg\n"
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert before.keys() == {"lo.toml", "lo.svg", "lo-solution.svg"}
    monkeypatch.setattr("jigsat.cli.generate.generate_shared", lambda *_, **__: pytest.fail("the search has started"))
    for kept in before:
        for name in before.keys() - {kept}:
            (tmp_path / name).unlink()
        with pytest.raises(InputError, match=f"{re.escape(kept)}: exists already; use --force"):
            lights()
        for name, data in before.items():
            (tmp_path / name).write_bytes(data)
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    lights(seed=1, force=True)
    assert all(path.read_bytes() != before[path.name] for path in tmp_path.iterdir() if path.suffix == ".toml")


def test_a_file_created_meanwhile_is_kept_and_the_puzzle_goes_to_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lo.toml"

    def meanwhile(*arguments: Any) -> Iterator[tuple[int, GeneratedPuzzle]]:
        yield from generate_shared(*arguments)
        file.write_text("somebody else's")

    monkeypatch.setattr("jigsat.cli.generate.generate_shared", lambda *a: list(meanwhile(*a)))
    with pytest.raises(InputError, match="exists already"):
        generate_puzzles("lights-out", settings=["board=square 2x2", "presses=1"], output=file)
    assert [path.name for path in tmp_path.iterdir()] == ["lo.toml"]
    assert file.read_text() == "somebody else's"
    assert instance.parse(tomllib.loads(capsys.readouterr().out), name="lo", origin="stdout").family == "lights-out"


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_never_replaces_another(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", _no_links)
    file = tmp_path / "a.toml"
    save(file, ["one"], new=True)
    with pytest.raises(FileExistsError):
        save(file, ["two"], new=True)
    assert file.read_text() == "one"
    assert list(tmp_path.iterdir()) == [file]


def _no_links(*_: Path) -> None:
    raise PermissionError(1, "this file system has no hard links")


def test_numbered_files_sort(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate_puzzles("sudoku", settings=["size=4"], count=11, output=tmp_path / "new")
    names = [f"sudoku-0-{number:02}.toml" for number in range(1, 12)]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == names
    assert capsys.readouterr().err.splitlines() == [f"wrote {tmp_path / 'new' / name}" for name in names]
    with pytest.raises(InputError, match=r"sudoku-0-01\.toml: exists already"):
        generate_puzzles("sudoku", settings=["size=4"], count=12, output=tmp_path / "new")


def test_the_number_of_processes_does_not_change_the_puzzles(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClueOptions, "puzzles_per_generator", 2)
    texts = []
    for jobs in (1, 3):
        generate_puzzles("sudoku", settings=["size=4"], count=7, jobs=jobs)
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert re.findall(r"number (\d+)", texts[0]) == [str(number) for number in range(1, 8)]
    in_python = list(generate_from("sudoku", {"size": 4}, 0, 7, None))
    assert all(f"{puzzle.puzzle.grid[0]}\n" in texts[0] for puzzle in in_python)  # type: ignore[attr-defined]


def test_a_stopped_run_keeps_what_other_processes_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClueOptions, "puzzles_per_generator", 2)

    def stopped(*arguments: Any) -> Iterator[tuple[int, GeneratedPuzzle]]:
        found = list(generate_shared(*arguments))
        yield found[3]  # the third puzzle of its batch is missing
        yield found[0]
        raise Stopped("timeout")

    monkeypatch.setattr("jigsat.cli.generate.generate_shared", stopped)
    with pytest.raises(typer.Exit):
        generate_puzzles("sudoku", settings=["size=4"], count=4, jobs=2)
    output = capsys.readouterr()
    assert re.findall(r"number (\d+)", output.out) == ["1", "4"]
    assert output.err == "jigsat: puzzle 2 of 4: timeout; no candidate found\n"


def test_the_search_runs_in_a_spawned_process() -> None:
    script = "import multiprocessing; multiprocessing.set_start_method('spawn'); from jigsat.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", script, "generate", "sudoku", "--set", "size=4"], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")


QUICK = [
    "sudoku",
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
"""Several families in one process, because the order of sets changes only from one process to the next."""


@pytest.mark.parametrize(
    "asked", [QUICK, pytest.param(["tiling", "interlocking size=4 solutions=2"], marks=pytest.mark.slow)], ids=["quick", "slow"]
)
def test_the_same_seed_gives_the_same_bytes(asked: list[str], tmp_path: Path) -> None:
    texts = []
    for hashing in ("1", "2"):
        folder = tmp_path / hashing
        folder.mkdir()
        program = [sys.executable, "-c", SEVERAL, *asked]
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        run = subprocess.run(program, cwd=folder, capture_output=True, text=True, env=environment, timeout=600)
        assert run.returncode == 0, run.stderr
        texts.append({path.relative_to(folder): path.read_bytes() for path in folder.glob("*/*")})
    assert texts[0] == texts[1]
    assert len(set(texts[0].values())) == 2 * len(asked)


def test_an_unmet_request_ends_with_the_best_candidate(tmp_path: Path) -> None:
    path, said = tmp_path / "best.toml", "the best candidate is written: it has 2"
    run = with_time(
        lambda seconds: command("sudoku", "--clues", "17", "-o", path, "--timeout", seconds), lambda run: said in run.stderr
    )
    assert run.returncode == 3
    assert "not 17" in run.stderr
    assert solutions(instance.load(path), "cadical195") == 1


def test_a_board_with_many_solutions_is_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.generation.counterexamples.ROUNDS", 2)
    candidates: list[GeneratedPuzzle] = []
    with pytest.raises(Stopped):
        candidates.extend(generate(generators()["edge-matching"](board="square 6x6", labels=2).build_generator(), seed=0))
    (best,) = candidates
    assert best.shortcoming == "it has more than 16 distinct solutions, not 1"
    assert sum(1 for _ in Enumeration(best.puzzle, limit=17)) == 17


def test_without_a_candidate_nothing_is_written(tmp_path: Path) -> None:
    run = command("edge-matching", "--set", "board=square 10x10", "-o", tmp_path / "none.toml", "--timeout", "0.1")
    assert (run.returncode, run.stderr) == (3, "jigsat: puzzle 1 of 1: timeout; no candidate found\n")
    assert not (tmp_path / "none.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sudoku", "--set", "size=7"], "7 rows cannot be divided into boxes"),
        (["sudoku", "--set", "colour=red"], "unknown entry 'colour'"),
        (["sudoku", "--set", "size=1000000000000"], "size: expected a number of at most 35"),
        (["edge-matching", "--set", "board=hexagon 9999"], "board: the board 'hexagon 9999' is too large"),
        (["interlocking", "--set", "board=cubes"], "board: unknown board 'cubes'; did you mean 'cube'?"),
        (["cube", "--symmetric"], "has no clues"),
        (["xyzzy"], "xyzzy: unknown family or instance; the families are edge-matching, interlocking, "),
        (["sudok"], "sudok: unknown family or instance; did you mean 'sudoku'?"),
        (["kube"], "kube: unknown family or instance; did you mean 'cube'?"),
        (["edge-matching", "--set", "labels=41"], "labels: 41, but square 4x4 has room for only 40"),
        (["sudoku", "--set", "size=4", "--clues", "17"], "clues: 17, but a solution has 16 placements"),
        (["sudoku", "-o", "sudoku.txt"], "ends in .toml"),
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
        ("edge-matching", {"labels": 0}, "labels: expected a number greater than 0 or a list; got 0"),
        ("edge-matching", {"halves": "head"}, "halves: expected two names"),
        ("edge-matching", {"tiles": "Ada,Bob"}, "tiles: expected a name for each of the 16 tiles; got 2"),
        ("edge-matching", {"labels": "a,rim", "frame": True}, "labels: 'rim' is the label of the frame"),
        ("tiling", {"letters": "TWO WORDS"}, "letters: expected a word of letters and digits, without blanks"),
        ("tiling", {"letters": "WORD", "left_over": 3}, "letters: a word of 4 letters, but left_over is 3"),
        ("tiling", {"letters": "AB", "board": 5 * "#####\n"}, "letters: a word of 2 letters, but 1 cell of the board is"),
        ("tiling", {"letters": "A", "pieces": {"a": "#", "b": "##"}}, "remove these pieces"),
        ("tiling", {"letters": "A", "board": "###", "pieces": {"a": "##"}}, "leave different letters free"),
        ("tiling", {"holes": [[9, 9]]}, "holes: the board has no cell (9, 9)"),
        ("tiling", {"holes": [[0, 0], [0, 0]]}, "holes: a cell occurs twice"),
    ],
)
def test_wrong_options_of_generators(family: str, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        next(generate_from(family, options, 0, 1, None))


# -- edge matching


@pytest.mark.parametrize(
    "options",
    [
        {"board": "square 3x3"},
        {"frame": True, "labels": 4},
        {"turning": False, "labels": 4},
        {"board": "cube"},
        {"board": "square 3x3", "labels": "cat,dog,fox", "halves": "head,tail"},
        {"board": "square 3x3", "labels": 3, "halves": ("head", "tail"), "frame": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_fit_in_only_one_way(seed: int, options: dict[str, Any]) -> None:
    puzzle = generated("edge-matching", seed, **options)
    board = options.get("board", "square 4x4")
    assert puzzle.known.distinct().get("rotation") == (None if "turning" in options else 1)
    assert (24 if board == "cube" else 4) % (puzzle.known.solutions or 0) == 0  # fewer if the solution is symmetric itself
    assert solution_counts(puzzle) == [1, 1]
    if board != "square 4x4":
        twin = twins.edge_matching(data_of(puzzle), twins.faces() if board == "cube" else twins.rectangle(3, 3))
        assert len(twin.solutions()) == puzzle.known.solutions


def test_tiles_and_labels_have_the_given_names() -> None:
    names = ("Ada", "Bob", "Cy", "Di")
    puzzle = generated("edge-matching", 0, board="square 2x2", labels=["cat", "dog"], halves="head, tail", tiles=names)
    data = data_of(puzzle)
    assert tuple(data["tiles"]) == names
    assert data["matching"] == [["cat head", "cat tail"], ["dog head", "dog tail"]]
    assert {label.split()[0] for sides in data["tiles"].values() for label in sides} == {"cat", "dog"}


@pytest.mark.parametrize("seed", SEEDS)
def test_hints_are_needed(seed: int) -> None:
    puzzle = generated("edge-matching", seed, board="square 3x3", labels=2, hints=True)
    assert puzzle.known.solutions == 1
    data = data_of(puzzle)
    assert brute(data) == 1
    for i in range(len(data["hints"])):
        assert brute({**data, "hints": data["hints"][:i] + data["hints"][i + 1 :]}) > 1


def brute(data: dict[str, Any]) -> int:
    """The number of solutions by backtracking; 2 if there are several or the search takes too long."""
    twin = replace(twins.edge_matching(data, twins.rectangle(3, 3)), most=1, patience=100_000)
    try:
        return len(twin.solutions())
    except twins.TooManyError:
        return 2


# -- cubes


@pytest.mark.parametrize(
    ("options", "distinct"),
    [({}, 1), ({"size": 4}, 1), pytest.param({"solutions": 4}, 4, marks=pytest.mark.slow), ({"turning_over": False}, 1)],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_interlock_in_the_requested_number_of_ways(seed: int, options: dict[str, Any], distinct: int) -> None:
    puzzle = generated("interlocking", seed, **options)
    assert list(puzzle.known.distinct().values())[-1] == distinct
    assert len(puzzle.kinds) == 6  # type: ignore[attr-defined]  # no two are alike
    assert solution_counts(puzzle) == [distinct, distinct]
    for drawing in data_of(puzzle)["pieces"].values():
        for rows in four_turns(tuple(drawing.split())):
            assert rows[0][0] == "." or rows[0][1] + rows[1][0] != ".."  # no tooth at a corner falls off
    twin = replace(twins.interlocking(data_of(puzzle)), patience=1_000_000)
    assert twin.distinct(twin.solutions()) == puzzle.known.distinct()


def four_turns(rows: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for _ in range(4):
        yield rows
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))


# -- lights


@pytest.mark.parametrize(("board", "presses"), [("square 5x5", 8), ("square 5x5", 15), ("square 4x4", 5), ("cube", 3)])
@pytest.mark.parametrize("seed", SEEDS)
def test_lights_take_the_requested_number_of_presses(seed: int, board: str, presses: int) -> None:
    puzzle = generated("lights-out", seed, board=board, presses=presses)
    assert puzzle.known.minimum == presses
    enumeration = Enumeration(puzzle, backend="glucose4", up_to="nothing")
    pressed = [len(solution.placements) for solution in enumeration]
    assert (min(pressed), len(pressed)) == (presses, puzzle.known.solutions)


def test_it_is_proved_that_no_lights_need_that_many_presses(tmp_path: Path) -> None:
    run = command("lights-out", "--set", "presses=16", "-o", tmp_path / "lights.toml")
    assert run.returncode == 3
    assert "there is no such puzzle" in run.stderr


# -- tilings


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed != 6)) for seed in range(50)])
def test_strips_fit_in_only_one_way(seed: int) -> None:
    puzzle = generated("tiling", seed)
    assert puzzle.known.solutions == 1
    assert solution_counts(puzzle) == [1, 1]
    assert len(strips(data_of(puzzle))) == 1


def strips(data: dict[str, Any]) -> list[str]:
    """What the cells that are left over spell, for each way to place the strips on a coloured board, cell by cell."""
    colours = {(r, c): x for r, row in enumerate(data["board"].split()) for c, x in enumerate(row) if x != "."}
    letters = {(r, c): x for r, row in enumerate(data.get("letters", data["board"]).split()) for c, x in enumerate(row)}

    def ways(left: frozenset[tuple[int, int]], there: frozenset[str], over: int) -> Iterator[str]:
        if not left:
            yield ""
            return
        r, c = min(left)
        if over:
            yield from (letters[r, c] + word for word in ways(left - {(r, c)}, there, over - 1))
        for length, (down, across) in product((2, 3), ((0, 1), (1, 0))):
            cells = [(r + i * down, c + i * across) for i in range(length)]
            if left.issuperset(cells):
                shown = "".join(colours[cell] for cell in cells)
                strip = shown if shown in there else shown[::-1]
                if strip in there:
                    yield from ways(left.difference(cells), there - {strip}, over)

    return list(ways(frozenset(colours), frozenset(data["pieces"]), data["left_over"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cells_that_are_left_over_spell_the_word(seed: int) -> None:
    puzzle = generated("tiling", seed, letters="HIDE", pieces=THREE_COLOURS)
    data = data_of(puzzle)
    assert puzzle.known.solutions == 1
    assert strips(data) == ["HIDE"]
    (answer,) = solve_all([puzzle])
    assert str(answer) == "unique, HIDE"


THREE_COLOURS = {strip: strip for strip in ("bwo", "wob", "obw", "bbw", "bw", "wo")}


@pytest.mark.parametrize("letters", ["", "WORD", "HOLIDAY", "JABBERWOCKIES"])
def test_the_board_has_a_cell_for_each_letter(letters: str) -> None:
    options: Any = generators()["tiling"](letters=letters or None)
    blank = options.blank()
    rows = blank.board.split()
    assert blank.empty == (max(1, len(letters)),) * 2
    assert len(rows) <= len(rows[0]) <= 2 * len(rows)
    assert len({len(row) for row in rows}) == 1


def test_the_answer_is_not_in_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["letters=NO", "board=bwbw", 'pieces={a="bw"}', "holes=[[0, 1]]"]
    generate_puzzles("tiling", settings=settings)
    data = tomllib.loads(capsys.readouterr().out)
    assert "letters=… " in data["source"]
    assert "holes=… " in data["source"]
    assert strips({**data, "pieces": data["pieces"].values()}) == ["NO"]


@pytest.mark.parametrize("seed", SEEDS)
def test_selected_pieces_fill_the_board_in_only_one_way(seed: int) -> None:
    pieces = {name: piece.shape for name, piece in instance.load("pentominoes-6x10").pieces.items()}  # type: ignore[attr-defined]
    puzzle = generated("tiling", seed, board="#####\n" * 4, pieces=pieces)
    assert puzzle.known.reflection == 1
    assert len(puzzle.pieces) == 4  # type: ignore[attr-defined]
    assert solution_counts(puzzle) == [1, 1]


@pytest.mark.parametrize("pieces", [pytest.param(None, marks=pytest.mark.slow), THREE_COLOURS], ids=str)
@pytest.mark.parametrize("holes", [[(2, 0)], [(0, 0), (2, 3), (2, 1)]], ids=str)
def test_the_cells_that_are_left_over_can_be_requested(holes: list[tuple[int, int]], pieces: dict[str, str] | None) -> None:
    puzzle = generated("tiling", 1, holes=holes, pieces=pieces)
    (solution,) = next(solve_all([puzzle])).solutions
    covered = {cell for placement in solution.placements for cell in placement.cells}
    assert set(puzzle.cells) - covered == set(holes)  # type: ignore[attr-defined]


def data_of(puzzle: Puzzle) -> dict[str, Any]:
    return tomllib.loads(instance.written(puzzle))


def solution_counts(puzzle: Puzzle) -> list[int]:
    """The number of solutions up to rotation and reflection, by two backends."""
    counts = []
    for backend in ("glucose4", "cadical153"):
        enumeration = Enumeration(puzzle, backend=backend, up_to="reflection")
        counts.append(sum(1 for _ in enumeration))
        assert enumeration.result.complete
    return counts
