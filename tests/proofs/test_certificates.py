"""True certificates are verified; a failed proof leaves no files; the commands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.certificates import FOUR, MADE, check, describe_proof
from support.inside import run
from support.installed import CAPABILITIES, SIMILAR

import jigsat
from jigsat import backends, instance
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.proofs import certificate
from jigsat.proofs.certificate import PROVER, prove
from jigsat.proofs.offers import DEFAULT_MAX_SOLUTIONS
from jigsat.proofs.properties import Counts
from jigsat.proofs.report import describe_counts

SHIPPED = [
    "black-and-white",
    "cats",
    "cube",
    "lights-5x5",
    "lights-unsolvable",
    "push-pull",
    "sudoku-4x4-empty",
    "sudoku-hard",
]
SLOW = ["fish"]


# -- true certificates are verified


@pytest.mark.parametrize(
    "name", [*SHIPPED, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_known_instances_are_proved_and_verified(name: str, proved: Callable[[str], Path]) -> None:
    puzzle = instance.load(name)
    lines = list(check(proved(name)))
    assert lines[0] == f"instance    {name}.toml, which comes with jigsat"
    proof = (
        r"proof       verified by (dratify [\d.]+(, compiled)?|drat-trim|addition: "
        r".*)|solutions   counted by the graphs: .*"
    )
    assert re.fullmatch(proof, lines[-2])
    record = json.loads((proved(name) / "solutions.json").read_text())
    assert record["solutions"] == puzzle.known.solutions
    assert puzzle.known.distinct().items() <= record["distinct"].items()
    says = re.compile(
        rf"verified: {name} has (no solution$|{puzzle.known.solutions} solutions?, (.* up to .*, "
        rf")?and no other)"
    )
    assert says.match(lines[-1])


def test_labels_and_names_in_any_script(tmp_path: Path) -> None:
    source = tmp_path / "käse.toml"
    source.write_text(
        'family = "edge-matching"\nboard = "square 1x2"\n[tiles]\n'
        '"süß" = ["Å", "grün", "a", "b"]\n"катя" = ["c", "d", "e", "grün"]\n',
        encoding="utf-8",
    )
    list(prove(source, tmp_path / "proof"))
    assert list(check(tmp_path / "proof"))[-1].startswith("verified: käse has ")


@pytest.mark.parametrize("name", MADE)
def test_made_up_instances_are_proved_and_verified(
    name: str, proved: Callable[[str], Path]
) -> None:
    lines = list(check(proved(name)))
    assert lines[0].endswith("which does not come with jigsat; read it yourself")
    record = json.loads((proved(name) / "solutions.json").read_text())
    assert (record["solutions"], record["distinct"]) == MADE[name][1:]


def test_an_instance_in_another_format_is_proved_and_verified(tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text(
        "..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759..\n"
    )
    list(prove(tmp_path / "line.txt", tmp_path / "out"))
    assert list(check(tmp_path / "out"))[-1] == "verified: line has 1 solution, and no other"


@pytest.mark.parametrize(
    "backend",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in SIMILAR - {"lingeling"}))
        for name in CAPABILITIES
        if backends.find(name).refute
    ],
)
def test_every_backend_that_writes_proofs_writes_true_ones(backend: str, tmp_path: Path) -> None:
    source = tmp_path / "four.toml"
    source.write_text(FOUR)
    steps = describe_proof(source, tmp_path / "out", backend=backend)[-1]
    assert steps.endswith(f"steps by {backend}")
    assert list(check(tmp_path / "out"))[-1].startswith("verified")


def test_a_proof_is_the_same_each_time(proved: Callable[[str], Path], tmp_path: Path) -> None:
    shutil.copy(proved("four") / "four.toml", tmp_path)
    list(prove(tmp_path / "four.toml", tmp_path / "again"))
    for file in (tmp_path / "again").iterdir():
        assert file.read_bytes() == (proved("four") / file.name).read_bytes()


def test_the_readme_says_what_to_do(proved: Callable[[str], Path]) -> None:
    for name, solutions in (("four", 36), ("unsolvable", 0)):
        text = (proved(name) / "README.md").read_text()
        assert ("diff <" in text) == bool(solutions)
        for command in re.findall(r"^ {8}(.*)", text, re.MULTILINE):
            if shutil.which(command.split()[0]):
                done = subprocess.run(
                    ["bash", "-c", command],
                    cwd=proved(name),
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if command.startswith("diff"):
                    assert (
                        sum(line.startswith("> ") for line in done.stdout.splitlines()) == solutions
                    )
                    assert not any(line.startswith("< ") for line in done.stdout.splitlines())
                else:
                    assert "s VERIFIED" in done.stdout


# -- failed proofs


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        (
            {"backend": "minisat22"},
            InputError,
            "the backend minisat22 writes no proofs; these do: .*cadical195",
        ),
        ({"backend": "nothing"}, InputError, "unknown backend 'nothing'"),
        (
            {"limit": 30},
            Stopped,
            "four: no proof: there are more than 30 solutions; --limit raises the limit",
        ),
        ({"timeout": 0}, Stopped, "four: no proof: stopped by timeout while reading the file"),
    ],
)
def test_a_failed_proof_leaves_no_files(
    options: dict[str, Any], error: type[Exception], complaint: str, tmp_path: Path
) -> None:
    source = tmp_path / "four.toml"
    source.write_text(FOUR)
    with pytest.raises(error, match=complaint):
        list(prove(source, tmp_path / "out", **options))
    assert list(tmp_path.iterdir()) == [source]


def test_exactly_as_many_solutions_as_the_limit_are_allowed(tmp_path: Path) -> None:
    source = tmp_path / "four.toml"
    source.write_text(FOUR)
    list(prove(source, tmp_path / "out", limit=36))
    assert DEFAULT_MAX_SOLUTIONS > 36


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(InputError, match="already exists and is not an empty"):
        list(prove("push-pull", tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_different_puzzle_with_a_shipped_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cats.toml").write_text(FOUR)
    with pytest.raises(
        InputError, match="not the cats that comes with jigsat; give the file a name of its own"
    ):
        list(prove(tmp_path / "cats.toml", tmp_path / "out"))


def test_an_additional_solution_found_by_the_prover_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate, "_all_models", lambda *_: ([], {"rotation": 0}))
    source = tmp_path / "four.toml"
    source.write_text(FOUR)
    with pytest.raises(CheckError, match="finds one more solution after the last"):
        list(prove(source, tmp_path / "out"))


# -- the command line


def test_the_commands(tmp_path: Path) -> None:
    directory = tmp_path / "out"
    done = run("prove", "push-pull", "-o", directory, "--backend", PROVER)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "enumerated",
        "refuted",
        "written",
    ]
    done = run("check", directory)
    assert (done.returncode, done.stderr) == (0, "")
    words = ["instance", "formula", "blocked", "symmetries", "solutions", "proof", "verified:"]
    assert [line.split()[0] for line in done.stdout.splitlines()] == words
    (directory / "proof.drat").write_text("")
    done = run("check", directory)
    assert done.returncode == 1
    assert done.stderr.startswith(f"jigsat: {directory}: refuted: proof.drat: ")
    assert "verified" not in done.stdout
    assert run("check", tmp_path / "nowhere").returncode == 2
    assert run("check", directory, "--timeout", "0").returncode == 3
    done = run("prove", "cats-reuse", "-o", tmp_path / "other", "--timeout", "0")
    assert (done.returncode, done.stderr) == (
        3,
        "jigsat: cats-reuse: no proof: stopped by timeout while reading the file; --timeout "
        "raises the limit\n",
    )


def test_counts_are_worded_as_elsewhere() -> None:
    cube = jigsat.count("cube")
    said = describe_counts(Counts(cube.solutions, cube.distinct))
    assert said == "96 solutions, 4 up to rotation, 2 up to rotation and reflection"
    assert f"cube: {said}; complete" in str(cube)
    assert "24 up to rotation, 48 up to rotation and reflection" in str(jigsat.explain("cube"))
