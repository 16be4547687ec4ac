"""The best board so far, which is no solution: what matches is counted by the family's check, and
'optimal' is proved."""

from __future__ import annotations

import json
from itertools import permutations, product
from pathlib import Path

import pytest
from support.inside import Done
from support.inside import jigsat as command
from support.waiting import with_time

from jigsat.backends.engine import is_compiled
from jigsat.errors import InputError
from jigsat.instance import load
from jigsat.solving import best
from jigsat.solving.best import improve

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="jigsat was installed without a C compiler"
)

TILES = ["abcd", "aacc", "badc", "dbba"]


def write_board(folder: Path, tiles: list[str] = TILES, board: str = "2x2", also: str = "") -> str:
    """A file with a board of squares."""
    listed = "\n".join(f"t{i} = {json.dumps(list(tile))}" for i, tile in enumerate(tiles))
    path = folder / "board.toml"
    path.write_text(
        f'family = "edge-matching"\nboard = "square {board}"\n{also}\n[tiles]\n{listed}\n'
    )
    return str(path)


def most_matching(tiles: list[str], turning: bool = True) -> int:
    """The maximum number of matching edges on a 2×2 board, by trying everything. The sides are top,
    right, bottom and left."""

    def matching(a: str, b: str, c: str, d: str) -> int:
        return (a[1] == b[3]) + (c[1] == d[3]) + (a[2] == c[0]) + (b[2] == d[0])

    turned = [[tile[i:] + tile[:i] for i in range(4 if turning else 1)] for tile in tiles]
    return max(matching(*ways) for order in permutations(turned) for ways in product(*order))


@pytest.mark.parametrize(
    "tiles",
    [TILES, ["abcd", "efgh", "ijkl", "mnop"], ["abab", "caca", "dede", "fdfd"], ["aaaa"] * 4],
)
def test_the_best_board_of_four_tiles(tmp_path: Path, tiles: list[str]) -> None:
    boards = list(improve(load(write_board(tmp_path, tiles))))
    assert boards[-1].optimal
    assert boards[-1].matching == most_matching(tiles)
    assert not any(board.optimal for board in boards[:-1])
    matching = [board.matching for board in boards if not board.optimal]
    assert matching == sorted(set(matching))


@pytest.mark.parametrize("tiles", [TILES, ["abcd", "efgh", "ijkl", "mnop"], ["abab"] * 4])
def test_the_best_board_of_tiles_that_keep_their_way_up(tmp_path: Path, tiles: list[str]) -> None:
    """No tile could show some of the labels of an edge, and a rule about them may be broken."""
    boards = list(improve(load(write_board(tmp_path, tiles, also="turning = false"))))
    assert boards[-1].optimal
    assert boards[-1].matching == most_matching(tiles, turning=False)


def test_a_solution_is_the_best(tmp_path: Path) -> None:
    *_, found = improve(load("cats"))
    assert (found.matching, found.edges, found.broken, found.optimal) == (12, 12, (), True)


def test_what_does_not_match_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = command(
        capsys, "solve", write_board(tmp_path, ["abcd", "efgh", "ijkl", "mnop"]), "--best", "--json"
    )
    said = json.loads(run.out)
    assert (said["best"]["matching"], said["best"]["edges"], said["best"]["optimal"]) == (
        0,
        4,
        True,
    )
    assert len(said["best"]["broken"]) == len(said["best"]["placements"]) == 4
    assert said["stopped_by"] is None


def test_it_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "best.svg"
    run = command(capsys, "solve", write_board(tmp_path), "--best", "--picture", str(picture))
    most = most_matching(TILES)
    assert run.out.endswith(f"board: {most} of 4 edges match, which is proved to be the most\n")
    assert f"{most} of 4 edges match" in run.err
    assert picture.read_text().startswith("<svg")


def test_a_stopped_search_shows_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiles = ["".join(chr(0x4E00 + 4 * i + side) for side in range(4)) for i in range(30)]
    board = write_board(tmp_path, tiles, "5x6")

    def stop_after(seconds: float) -> Done:
        return command(capsys, "solve", board, "--best", "--timeout", str(seconds))

    run = with_time(stop_after, lambda run: "the most found so far" in run.out, seconds=3)
    assert run.status == 3
    assert "0 of 49 edges match, the most found so far" in run.out


def test_the_same_seed_gives_the_same_boards(tmp_path: Path) -> None:
    puzzle = load(write_board(tmp_path))
    assert list(improve(puzzle, 5)) == list(improve(puzzle, 5))


@pytest.mark.parametrize("name", ["cube", "sudoku-4x4-empty"])
def test_other_families_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="edge matching"):
        next(improve(load(name)))


def test_options_that_it_cannot_honour(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        "--limit cannot be used with --best"
        in command(capsys, "solve", "cats", "--best", "--limit", "1").err
    )


def test_a_search_that_has_tried_everything_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best, "MAX_PROVED_EDGES", 0)
    tiles = ["abab", "caca", "dede", "fdfd"]
    boards = list(improve(load(write_board(tmp_path, tiles))))
    assert boards[-1].matching == most_matching(tiles) < boards[-1].edges
    assert not boards[-1].optimal
