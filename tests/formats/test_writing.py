"""Writing exported files: whole or not at all, always the same bytes, and in little memory."""

from __future__ import annotations

import gzip
import lzma
import resource
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import JIGSAT
from support.command import run as jigsat

from jigsat import Formula, Lowering, load
from jigsat.formats.export import lines, save

CATS = load("cats")
FORMULA, ORIGIN = CATS.encode(), CATS


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_the_same_bytes_every_time(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a.cnf{suffix}", tmp_path / f"b.cnf{suffix}"
    save(first, lines(FORMULA, first, ORIGIN))
    subprocess.run(
        [*JIGSAT, "export", "cats", "-o", second], check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert first.read_bytes() == second.read_bytes()
    unpack = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]
    assert unpack(first.read_bytes()).decode() == "".join(lines(FORMULA, Path("x.cnf"), ORIGIN))


def test_text_that_is_no_utf_8_is_escaped(tmp_path: Path) -> None:
    save(tmp_path / "x.csv", ["a\udcff,1\n"])
    assert (tmp_path / "x.csv").read_text() == "a\\udcff,1\n"


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[str]:
        yield "half\n"
        raise RuntimeError

    path = tmp_path / "x.cnf"
    path.write_text("whole")
    with pytest.raises(RuntimeError):
        save(path, broken())
    assert [file.name for file in tmp_path.iterdir()] == ["x.cnf"]
    assert path.read_text() == "whole"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.smt2.xz"])
def test_a_full_disk(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/full")
    run = jigsat("export", "cats", "-o", tmp_path / name)
    assert (run.returncode, run.stderr) == (
        3,
        f"jigsat: {tmp_path / name}: cannot be written: no space left on device\n",
    )


def test_no_room_for_the_whole_file(tmp_path: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    command = [*JIGSAT, "export", "cats", "-o", tmp_path / "x.cnf"]
    run = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    assert (run.returncode, run.stderr) == (
        3,
        f"jigsat: {tmp_path / 'x.cnf'}: cannot be written: file too large\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("suffix", "amo"), [(".cnf", "pairwise"), (".cnf.gz", "pairwise"), (".opb", "auto")]
)
def test_memory_does_not_grow_with_the_file(tmp_path: Path, suffix: str, amo: str) -> None:
    def peak(times: int) -> tuple[int, int]:
        formula = Formula()
        formula.variables("x", ("i",), [(i,) for i in range(100)])
        for _ in range(times):
            formula.at_most_one(range(1, 101))
        path = tmp_path / f"x{suffix}"
        tracemalloc.start()
        save(path, lines(formula, path, ORIGIN, Lowering(amo)))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used, path.stat().st_size

    peak(1)  # the first run imports modules and does not count
    small, little = peak(1)
    large, much = peak(6)
    assert much > 2 * little or suffix != ".cnf"
    assert large < 1.2 * small
