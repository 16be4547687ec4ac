"""Puzzles that occur several times, as they are or changed by a symmetry: random images are found,
and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat as command

from jigsat import instance
from jigsat.puzzle import Puzzle
from jigsat.puzzle.copies import find_copies

pytest.importorskip("igraph")

Data = dict[str, Any]


def puzzles(*data: Data) -> list[Puzzle]:
    return [
        instance.parse(each, name=f"p-{number}", origin="p") for number, each in enumerate(data, 1)
    ]


def copies(*data: Data) -> list[str]:
    return list(find_copies(puzzles(*data)))


def shuffled_lines(rng: random.Random) -> list[int]:
    return [3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)]


def sudoku(rng: random.Random) -> Data:
    rows = [
        [(3 * (r % 3) + r // 3 + c) % 9 + 1 if rng.random() < 0.3 else 0 for c in range(9)]
        for r in range(9)
    ]
    return {"family": "sudoku", "grid": "\n".join("".join(map(str, row)) for row in rows)}


def sudoku_image(data: Data, rng: random.Random) -> Data:
    digits, rows, columns = rng.sample("123456789", 9), shuffled_lines(rng), shuffled_lines(rng)
    grid = data["grid"].split()
    moved = [[grid[r][c] for c in columns] for r in rows]
    moved = [list(row) for row in zip(*moved, strict=True)] if rng.random() < 0.5 else moved
    return {
        **data,
        "grid": "\n".join(
            "".join("0" if x == "0" else digits[int(x) - 1] for x in row) for row in moved
        ),
    }


def tiles(rng: random.Random) -> Data:
    labels = ["hen head", "hen tail", "fox head", "fox tail", "owl head", "owl tail"]
    named = {str(i): [rng.choice(labels) for _ in range(4)] for i in range(9)}
    pairs = list(zip(labels[::2], labels[1::2], strict=True))
    return {"family": "edge-matching", "board": "square 3x3", "matching": pairs, "tiles": named}


def tiles_image(data: Data, rng: random.Random) -> Data:
    pairs = [rng.sample(pair, 2) for pair in rng.sample(data["matching"], 3)]
    name = dict(
        zip(
            (x for pair in data["matching"] for x in pair),
            (x for pair in pairs for x in pair),
            strict=True,
        )
    )
    order, turned = rng.sample(list(data["tiles"].values()), 9), {}
    for number, sides in enumerate(order):
        turn = rng.randrange(4)
        turned[f"t{number}"] = [name[label] for label in sides[turn:] + sides[:turn]]
    return {**data, "tiles": turned}


def cube(rng: random.Random) -> Data:
    shapes = [
        " ".join("".join(rng.choice("#.") for _ in range(4)) for _ in range(4)) for _ in range(6)
    ]
    return {
        "family": "interlocking",
        "board": "cube",
        "pieces": dict(zip("ABCDEF", shapes, strict=True)),
    }


def cube_image(data: Data, rng: random.Random) -> Data:
    def move(shape: str) -> str:
        around = shape.replace(" ", "")
        turn = 4 * rng.randrange(4)
        around = around[turn:] + around[:turn]
        around = around[0] + around[:0:-1] if rng.random() < 0.5 else around
        return " ".join(around[i : i + 4] for i in range(0, 16, 4))

    pieces = rng.sample(list(data["pieces"].values()), 6)
    return {**data, "pieces": {f"p{number}": move(shape) for number, shape in enumerate(pieces)}}


def packing(rng: random.Random) -> Data:
    pieces = {
        name: rng.choice(["##\n.#", "###", "##\n##", "###\n#..", "##.\n.##", "####", "#.\n##\n.#"])
        for name in "ABCD"
    }
    number = sum(shape.count("#") for shape in pieces.values())
    board = "\n".join(
        "".join("#" if 5 * r + c < number else "." for c in range(5)) for r in range(4)
    )
    return {"family": "tiling", "board": board, "pieces": pieces}


def packing_image(data: Data, rng: random.Random) -> Data:
    def move(drawing: str) -> str:
        rows = drawing.split()
        for _ in range(rng.randrange(4)):
            rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        return "\n".join(row[::-1] for row in rows) if rng.random() < 0.5 else "\n".join(rows)

    pieces = rng.sample(list(data["pieces"].values()), 4)
    return {
        **data,
        "board": move(data["board"]),
        "pieces": {f"p{i}": move(shape) for i, shape in enumerate(pieces)},
    }


@pytest.mark.parametrize(
    ("make", "image"),
    [(sudoku, sudoku_image), (tiles, tiles_image), (cube, cube_image), (packing, packing_image)],
)
def test_images_are_found(make: Callable[..., Data], image: Callable[..., Data]) -> None:
    rng = random.Random(3)
    new, seen = [], set[str]()
    while len(new) < 30:
        data = make(rng)
        (puzzle,) = puzzles(data)
        graph = puzzle.graph()
        assert graph
        if (form := graph.canonical_form()) not in seen:  # few packings are different
            seen.add(form)
            new.append(data)
    found = copies(*new, *(image(data, rng) for data in new))
    assert found[:30] == [""] * 30
    assert {said.removesuffix(" up to symmetry") for said in found[30:]} == {
        f"p-{number}" for number in range(1, 31)
    }
    assert [said.split()[0] for said in found[30:]] == [f"p-{number}" for number in range(1, 31)]


def test_a_mirror_image_of_tiles_and_other_entries_are_different() -> None:
    data = tiles(random.Random(1))
    mirrored = {**data, "tiles": {name: sides[::-1] for name, sides in data["tiles"].items()}}
    assert copies(
        data, mirrored, {**data, "turning": False}, {**data, "frame": "hen head"}, dict(data)
    ) == [""] * 4 + ["p-1"]


def test_stated_counts_and_questions_distinguish_puzzles() -> None:
    data = {"family": "sudoku", "grid": "1" + "." * 80}
    known = [{**data, "known": {"solutions": number}} for number in (1, 2, 1)]
    assert copies(data, *known) == ["", "", "", "p-2"]
    fill = {"family": "crossword", "grid": "..\n..", "words": ["ab", "cd", "ac", "bd"]}
    assert copies(
        fill, {**fill, "questions": {"1 across": "x"}}, {**fill, "grid": [".", "."]}, fill
    )[:2] == ["", ""]


def test_the_command(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(2)
    one, other = sudoku(rng), sudoku(rng)
    grids = [data["grid"].replace("\n", "") for data in (one, other, one, sudoku_image(other, rng))]
    Path("list.txt").write_text("\n".join(grids) + "\n")
    done = command(capfd, "import", "list.txt", "-o", "list.toml", "--distinct")
    assert done.out.splitlines() == [
        "list-3 is list-1",
        "list-4 is list-2 up to symmetry",
        "2 different puzzles of 4",
    ]
    assert [puzzle.digest() for puzzle in instance.load_all("list.toml")] == [
        puzzle.digest() for puzzle in puzzles(one, other)
    ]
    for name, grid in zip("abc", grids, strict=False):
        Path(f"{name}.sdk").write_text(grid)
    Path("folder").mkdir()
    assert command(
        capfd, "import", "a.sdk", "b.sdk", "c.sdk", "-o", "folder", "--distinct"
    ).out.startswith("c is a\n")
    assert sorted(path.name for path in Path("folder").iterdir()) == ["a.toml", "b.toml"]
    done = command(capfd, "import", "a.sdk", "b.sdk", "-o", "both.toml")
    assert (done.status, done.err) == (
        2,
        "jigsat: both.toml: name a folder, because there are 2 files\n",
    )


def test_without_igraph(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "igraph", None)
    file = tmp_path / "a.sdk"
    file.write_text(sudoku(random.Random(1))["grid"])
    done = command(capfd, "import", str(file), "-o", str(tmp_path / "a.toml"), "--distinct")
    assert (done.status, done.err) == (
        2,
        "jigsat: igraph is not installed; to install it: pip install 'jigsat[symmetry]'\n",
    )
