"""Proofs that no solution is missing: true ones are verified, and faults are detected."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.installed import CAPABILITIES, SIMILAR

import jigsat
from jigsat import backends, instance
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formats import Origin
from jigsat.proofs import certificate, drat
from jigsat.proofs.certificate import FILES, LIMIT, PROVER, prove
from jigsat.proofs.verification import check
from jigsat.symmetry.group import Group

SHIPPED = ["black-and-white", "cats", "cube", "lights-5x5", "lights-unsolvable", "push-pull", "sudoku-4x4-empty", "sudoku-hard"]
SLOW = ["fish"]

FOUR = """
family = "edge-matching"
board = "square 2x2"

[tiles]
1 = ["b", "a", "a", "b"]
2 = ["b", "b", "c", "a"]
3 = ["c", "a", "c", "c"]
4 = ["c", "b", "a", "c"]
"""
UNIQUE = FOUR.replace("[tiles]", 'hints = [{cell = [0, 0], tile = "1", turn = 3}, {cell = [0, 1], tile = "3"}]\n[tiles]')
UNSOLVABLE = """
family = "edge-matching"
board = "square 2x2"

[tiles]
1 = ["d", "c", "b", "b"]
2 = ["d", "c", "c", "d"]
3 = ["a", "b", "a", "d"]
4 = ["b", "b", "c", "b"]
"""
MADE = {"four": (FOUR, 36, {"rotation": 9}), "unique": (UNIQUE, 1, {}), "unsolvable": (UNSOLVABLE, 0, {"rotation": 0})}


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The directory with the proof of an instance, made once."""
    folder = tmp_path_factory.mktemp("proofs")

    def of(name: str) -> Path:
        directory = folder / name
        if not directory.exists():
            source: str | Path = name
            if name in MADE:
                source = folder / f"{name}.toml"
                source.write_text(MADE[name][0])
            list(prove(source, directory))
        return directory

    return of


@pytest.fixture
def copied(proved: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of that directory, to be changed."""
    return lambda name: Path(shutil.copytree(proved(name), tmp_path / name))


# -- true certificates are verified


@pytest.mark.parametrize("name", [*SHIPPED, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_known_instances_are_proved_and_verified(name: str, proved: Callable[[str], Path]) -> None:
    puzzle = instance.load(name)
    lines = list(check(proved(name)))
    assert lines[0] == f"instance    {name}.toml, which comes with jigsat"
    assert re.fullmatch(r"proof       verified by (dratify [\d.]+(, compiled)?|drat-trim|addition: .*)", lines[-2])
    record = json.loads((proved(name) / "solutions.json").read_text())
    assert record["solutions"] == puzzle.known.solutions
    assert puzzle.known.distinct().items() <= record["distinct"].items()
    says = re.compile(rf"verified: {name} has (no solution$|{puzzle.known.solutions} solutions?, (.* up to .*, )?and no other)")
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
def test_made_up_instances_are_proved_and_verified(name: str, proved: Callable[[str], Path]) -> None:
    lines = list(check(proved(name)))
    assert lines[0].endswith("which does not come with jigsat; read it yourself")
    record = json.loads((proved(name) / "solutions.json").read_text())
    assert (record["solutions"], record["distinct"]) == MADE[name][1:]


def test_an_instance_in_another_format_is_proved_and_verified(tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text("..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759..\n")
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
    steps = list(prove(source, tmp_path / "out", backend=backend))[-1]
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
                done = subprocess.run(["bash", "-c", command], cwd=proved(name), capture_output=True, text=True, check=False)
                if command.startswith("diff"):
                    assert sum(line.startswith("> ") for line in done.stdout.splitlines()) == solutions
                    assert not any(line.startswith("< ") for line in done.stdout.splitlines())
                else:
                    assert "s VERIFIED" in done.stdout


# -- wrong certificates are refuted

Harm = Callable[[Path], object]


def lines_of(file: str, change: Callable[[list[str]], object]) -> Harm:
    """Changes a file's lines."""

    def harm(directory: Path) -> None:
        lines = (directory / file).read_text().splitlines(keepends=True)
        change(lines)
        (directory / file).write_text("".join(lines))

    return harm


def data_of(file: str, change: Callable[[dict[str, Any]], object]) -> Harm:
    """Changes the object in a JSON file."""

    def harm(directory: Path) -> None:
        data = json.loads((directory / file).read_text())
        change(data)
        (directory / file).write_text(json.dumps(data))

    return harm


def clauses(change: Callable[[list[str]], object], file: str = "blocked.cnf") -> Harm:
    """Changes the lines of clauses, and their number in the header."""

    def harm(lines: list[str]) -> None:
        head = [line for line in lines if line[0] in "cp"]
        rest = [line for line in lines if line[0] not in "cp"]
        before = len(rest)
        change(rest)
        head = [re.sub(rf"^(p cnf \d+ |c group \d+-){before}(?=\s)", rf"\g<1>{len(rest)}", line) for line in head]
        lines[:] = head + rest

    return lines_of(file, harm)


def truncated(file: str, share: float) -> Harm:
    """Cuts off a file."""
    return lambda directory: (directory / file).write_bytes(
        (directory / file).read_bytes()[: int(share * (directory / file).stat().st_size)]
    )


def both(*harms: Harm) -> Harm:
    """Makes one change after the other."""
    return lambda directory: [harm(directory) for harm in harms]


def rewritten(keep: Callable[[list[Any]], list[Any]]) -> Harm:
    """States consistently in all files that there are only these solutions; the proof is unchanged."""

    def harm(directory: Path) -> None:
        (source,) = directory.glob("*.toml")
        puzzle = instance.load(source)
        formula = puzzle.encode()
        group = Group.of(formula, puzzle.symmetries())
        variables = {json.dumps(formula.key(i)._asdict()): i for i in formula.decisions()}  # type: ignore[attr-defined]
        found = json.loads((directory / "solutions.json").read_text())["found"]
        models = keep([frozenset(variables[json.dumps(one)] for one in solution) for solution in found])
        distinct = {"rotation": len({min(sorted(one) for one in group.orbit(model, "all")).__repr__() for model in models})}
        record = certificate.record(puzzle, source.name, formula, group, models, distinct)
        for file, lines in {
            "blocked.cnf": certificate.cnf_lines(certificate.blocked(formula, models), Origin.of(puzzle)),
            "solutions.json": certificate.json_lines(record),
            "README.md": certificate.readme(puzzle, record),
        }.items():
            (directory / file).write_text("".join(f"{line}\n" for line in lines))

    return harm


def without(i: int) -> Callable[[list[Any]], None]:
    return lambda items: items.pop(i)


def swapped(images: list[int]) -> None:
    images[0], images[1] = images[1], images[0]


HARMS: dict[str, tuple[Harm, str]] = {
    "a solution dropped": (
        data_of("solutions.json", lambda data: data["found"].pop()),
        r"solutions\.json: solution 36 is missing",
    ),
    "a solution dropped in the middle": (
        data_of("solutions.json", lambda data: data["found"].pop(7)),
        r"solutions\.json: solution 8 is not the one that blocked\.cnf rules out there",
    ),
    "a solution dropped everywhere": (
        rewritten(lambda models: models[1:]),
        r"symmetries\.json: symmetry \d maps solution \d to a solution that is missing",
    ),
    "all that are alike dropped everywhere": (
        rewritten(lambda models: models[4:]),
        r"proof\.drat: step \d+, '.* 0': clause is neither RUP nor RAT",
    ),
    "no solution at all": (rewritten(lambda models: []), r"proof\.drat: step \d+, '.* 0': clause is neither RUP nor RAT"),
    "a solution that is none": (
        data_of("solutions.json", lambda data: data["found"][2][0].update(turn=9)),
        r"solutions\.json: solution 3 is not the one that blocked\.cnf rules out there",
    ),
    "a solution twice": (
        data_of("solutions.json", lambda data: data["found"].append(data["found"][0])),
        r"solutions\.json: solution 37 is not the one",
    ),
    "a clause removed from the formula": (
        clauses(without(20), "formula.cnf"),
        r"formula\.cnf: line \d+ is 'c group 1113-1135 .*' and should be 'c group 1113-1136 ",
    ),
    "a clause replaced in the formula": (
        clauses(lambda lines: lines.__setitem__(20, lines[21]), "formula.cnf"),
        r"formula\.cnf: line \d+ is '(-?\d+ )+0\\n' and should be '(-?\d+ )+0\\n'",
    ),
    "a clause too many in the formula": (
        both(
            clauses(lambda lines: lines.insert(5, "1 2 0\n"), "formula.cnf"), clauses(lambda lines: lines.insert(5, "1 2 0\n"))
        ),
        r"formula\.cnf: line \d+ is 'c group 1113-1137 .*' and should be 'c group 1113-1136 ",
    ),
    "the name of a variable changed": (
        lines_of("formula.cnf", lambda lines: lines.__setitem__(2, lines[2].replace("tile=1", "tile=2"))),
        r"formula\.cnf: line 3 is .*tile=2.* and should be .*tile=1",
    ),
    "lines that end otherwise": (
        lines_of("formula.cnf", lambda lines: lines.__setitem__(0, lines[0].replace("\n", " \n"))),
        r"formula\.cnf: line 1 is",
    ),
    "a clause removed from what is refuted": (clauses(without(20)), r"blocked\.cnf: clause 21 is \(.* and in the formula \("),
    "a clause changed in what is refuted": (
        clauses(lambda lines: lines.__setitem__(20, "-" + lines[20])),
        r"blocked\.cnf: clause 21 is \(.* and in the formula \(|line \d+ is not a clause",
    ),
    "a clause added in the midst of what is refuted": (
        clauses(lambda lines: lines.insert(3, "1 0\n")),
        r"blocked\.cnf: clause 4 is \(1,\) and in the formula",
    ),
    "a clause added to what is refuted": (
        clauses(lambda lines: lines.append("1 2 0\n")),
        r"blocked\.cnf: clause \d+ does not rule out exactly one assignment",
    ),
    "a clause on an auxiliary variable added": (
        clauses(lambda lines: lines.append("-70 0\n")),
        r"blocked\.cnf: clause \d+ does not rule out exactly one assignment",
    ),
    "half of a solution ruled out": (
        clauses(lambda lines: lines.append(" ".join([*lines[-1].split()[:2], "0\n"]))),
        r"blocked\.cnf: clause \d+ rules out an assignment that is not a solution: cell .* holds 0 tiles",
    ),
    "what is no solution ruled out": (
        clauses(lambda lines: lines.__setitem__(-1, "-1 -17 -34 -60 0\n")),
        r"blocked\.cnf: clause \d+ rules out an assignment that is not a solution: ",
    ),
    "the empty clause added": (
        clauses(lambda lines: lines.append("0\n")),
        r"blocked\.cnf: clause \d+ rules out an assignment that is not a solution: ",
    ),
    "a solution ruled out twice": (
        clauses(lambda lines: lines.append(lines[-3])),
        r"blocked\.cnf: clause \d+ rules out the same solution as clause \d+",
    ),
    "a solution not ruled out": (clauses(without(-1)), r"symmetry \d maps solution \d+ to a solution that is missing"),
    "solutions ruled out in another order": (
        clauses(lambda lines: lines.append(lines.pop(-5))),
        r"solutions\.json: solution 32 is not the one that blocked\.cnf rules out there",
    ),
    "a header that is wrong": (
        lines_of("blocked.cnf", lambda lines: lines.__setitem__(slice(None), [x.replace("p cnf ", "p cnf 1") for x in lines])),
        r"blocked\.cnf: line \d+ is 'p cnf 1",
    ),
    "what is no clause": (
        lines_of("blocked.cnf", lambda lines: lines.append("1 2 three 0\n")),
        r"blocked\.cnf: line \d+ is not a clause: '1 2 three 0",
    ),
    "an empty proof": (
        lambda directory: (directory / "proof.drat").write_text(""),
        r"proof\.drat: .*never derives the empty clause",
    ),
    "a proof without its end": (lines_of("proof.drat", without(-1)), r"proof\.drat: .*never derives the empty clause"),
    "a proof without its middle": (
        lines_of("proof.drat", lambda lines: lines.__setitem__(slice(0, -1), [])),
        r"proof\.drat: step 1, ' 0': clause is neither RUP nor RAT",
    ),
    "a line of the proof changed": (
        lines_of("proof.drat", lambda lines: lines.__setitem__(0, "1 0\n")),
        r"proof\.drat: step 1, '1 0': clause is neither RUP nor RAT",
    ),
    "a proof that is none": (
        lines_of("proof.drat", lambda lines: lines.insert(0, "this is clear\n")),
        r"proof\.drat: proof line 1: bad token 'this'",
    ),
    "a proof in the binary format": (
        lambda directory: (directory / "proof.drat").write_bytes(b"a\x02\xd0\x01\x00"),
        r"proof\.drat: byte 3 is not text; proofs in the binary format are not supported",
    ),
    "a number of distinct solutions that is wrong": (
        data_of("solutions.json", lambda data: data["distinct"].update(rotation=8)),
        r"solutions\.json: distinct is \{'rotation': 8\} and should be \{'rotation': 9\}",
    ),
    "a number of solutions that is wrong": (
        data_of("solutions.json", lambda data: data.update(solutions=40)),
        r"solutions\.json: solutions is 40 and should be 36",
    ),
    "a number of symmetries that is wrong": (
        data_of("solutions.json", lambda data: data["symmetries"].update(rotation=8)),
        r"solutions\.json: symmetries is \{'rotation': 8\} and should be \{'rotation': 4\}",
    ),
    "a hash that is wrong": (data_of("solutions.json", lambda data: data.update(sha256="0")), r"sha256 is '0' and should be"),
    "something said that is not asked": (
        data_of("solutions.json", lambda data: data.update(more=1)),
        r"more is 1 and should be None",
    ),
    "a symmetry that is no permutation": (
        data_of("symmetries.json", lambda data: data["symmetries"][2]["images"].__setitem__(0, 2)),
        r"symmetries\.json: symmetry 3 is not a permutation of the placements",
    ),
    "a symmetry that is no list": (
        data_of("symmetries.json", lambda data: data["symmetries"][2].update(images="turned")),
        r"symmetries\.json: symmetry 3 is not a permutation of the placements",
    ),
    "a symmetry that is none": (
        data_of("symmetries.json", lambda data: data["symmetries"][1]["images"].reverse()),
        r"symmetries\.json: symmetry 2 maps solution 1 to something that is not a solution: ",
    ),
    "a symmetry removed": (
        data_of("symmetries.json", lambda data: data["symmetries"].pop()),
        r"the symmetries up to rotation do not form a group",
    ),
    "all symmetries but the identity removed": (
        data_of("symmetries.json", lambda data: data["symmetries"].__delitem__(slice(1, None))),
        r"symmetries\.json: not the symmetries of the puzzle, which has 4",
    ),
    "a symmetry of another level": (
        data_of("symmetries.json", lambda data: data["symmetries"][1].update(level="reflection")),
        r"symmetries\.json: the symmetries up to rotation do not form a group",
    ),
    "solutions cut off": (truncated("solutions.json", 0.7), r"solutions\.json: not JSON: "),
    "symmetries cut off": (truncated("symmetries.json", 0.7), r"symmetries\.json: not JSON: "),
    "the formula cut off": (truncated("formula.cnf", 0.7), r"formula\.cnf: line \d+ is "),
    "blocked clauses cut off": (
        truncated("blocked.cnf", 0.7),
        r"blocked\.cnf: (line \d+ is not a clause|clause \d+ is missing)",
    ),
    "the proof cut off": (truncated("proof.drat", 0.7), r"proof\.drat: (proof line|.*never derives|step)"),
    "not even text": (lambda directory: (directory / "formula.cnf").write_bytes(bytes(range(256))), r"formula\.cnf: line 1 is"),
    "solutions that are not even text": (
        lambda directory: (directory / "solutions.json").write_bytes(bytes(range(256))),
        r"solutions\.json: not JSON",
    ),
    "a README that says otherwise": (
        lines_of("README.md", lambda lines: lines.__setitem__(0, "# Four tiles: 40 solutions\n")),
        r"README\.md: line 1 is '# Four tiles",
    ),
    "a tile of the instance changed": (
        lambda directory: (directory / "four.toml").write_text(FOUR.replace('1 = ["b"', '1 = ["a"')),
        r"formula\.cnf: line 2 is 'c instance four sha256",
    ),
    "an instance that is none": (lambda directory: (directory / "four.toml").write_text("family = 4"), r"four\.toml: family: "),
    "the instance somewhere else": (
        data_of("solutions.json", lambda data: data.update(file="../four.toml")),
        r"solutions\.json: the instance file '\.\./four\.toml' is missing",
    ),
    "the name of one that comes with jigsat": (
        both(
            lambda directory: (directory / "four.toml").rename(directory / "cats.toml"),
            data_of("solutions.json", lambda data: data.update(file="cats.toml")),
        ),
        r"cats\.toml: not the cats that comes with jigsat",
    ),
    **{
        f"no {name}": ((lambda directory, name=name: (directory / name).unlink()), rf"{re.escape(name)}('?) is missing")
        for name in (*FILES, "four.toml")
    },
}


@pytest.mark.parametrize("what", HARMS)
def test_wrong_certificates_are_refuted(what: str, copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # dratify gives the reasons that are expected here
    harm, reason = HARMS[what]
    directory = copied("four")
    harm(directory)
    with pytest.raises(CheckError) as refuted:
        list(check(directory))
    assert re.search(reason, str(refuted.value)), str(refuted.value)
    assert len(str(refuted.value).splitlines()) == 1


def test_a_family_that_is_not_there_refutes_nothing(copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    directory = copied("cats")
    monkeypatch.setattr("jigsat.instance.files.families", lambda: {"sudoku": "jigsat"})
    with pytest.raises(InputError, match=r"unknown family 'edge-matching'; use one of .* with the script that registers it"):
        list(check(directory))


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("formula.cnf", r"formula\.cnf: line 2 is 'c instance unsolvable"),
        ("blocked.cnf", r"blocked\.cnf: clause \d+ is"),
        ("proof.drat", r"proof\.drat: "),
        ("solutions.json", r"solutions\.json: the instance file 'unsolvable\.toml' is missing"),
        ("symmetries.json", r"symmetries\.json: "),
    ],
)
def test_files_of_another_instance_are_refuted(
    file: str, reason: str, proved: Callable[[str], Path], copied: Callable[[str], Path]
) -> None:
    directory = copied("four")
    shutil.copy(proved("unsolvable" if file != "symmetries.json" else "push-pull") / file, directory / file)
    with pytest.raises(CheckError, match=reason):
        list(check(directory))


def test_a_false_symmetry_is_refuted_even_without_solutions(copied: Callable[[str], Path]) -> None:
    directory = copied("unsolvable")

    def exchange(data: dict[str, Any]) -> None:
        identity = list(data["variables"])
        swapped(identity)
        data["symmetries"] = [data["symmetries"][0], {"level": "rotation", "images": identity}]

    data_of("symmetries.json", exchange)(directory)
    with pytest.raises(CheckError, match="not the symmetries of the puzzle, which has 4"):
        list(check(directory))


def test_a_clause_that_rules_out_more_than_one_is_refuted(tmp_path: Path) -> None:
    """If solutions can contain each other, a clause must also contain the false variables."""
    directory = tmp_path / "proof"
    list(prove("lights-5x5", directory, backend=PROVER))
    clauses(lambda lines: lines.__setitem__(-1, lines[-1].partition(" ")[2]))(directory)
    with pytest.raises(CheckError, match="does not rule out exactly one assignment"):
        list(check(directory))


# -- the checkers of proofs


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str, str], tuple[Path, Path]]:
    def write(cnf: str, steps: str) -> tuple[Path, Path]:
        (tmp_path / "cnf").write_text(cnf)
        (tmp_path / "drat").write_text(steps)
        return tmp_path / "cnf", tmp_path / "drat"

    return write


Verify = Callable[[Path, Path], str]


@pytest.fixture(params=["compiled", "python", "drat-trim"])
def verify(request: pytest.FixtureRequest) -> Verify:
    """Each available checker."""
    if request.param == "drat-trim":
        if not (program := shutil.which("drat-trim")):
            pytest.skip("drat-trim is absent; build it from https://github.com/marijnheule/drat-trim")
        return lambda cnf, steps: drat._by_drat_trim(program, cnf, steps)
    if request.param == "compiled" and not drat._compiled():
        pytest.skip("dratify's compiled core is absent; pip install cdclkit-native")
    return lambda cnf, steps: drat._by_dratify(cnf, steps, compiled=request.param == "compiled")


def test_checkers_accept_valid_proofs(verify: Verify, files: Callable[[str, str], tuple[Path, Path]]) -> None:
    verify(*files("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n", "1 0\nd 1 2 0\n0\n"))
    verify(*files("p cnf 1 2\n1 0\n-1 0\n", "0\n"))
    by_rat = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n", "3 -1 0\n3 0\n-3 1 0\n1 0\n0\n"  # 3 is new
    verify(*files(*by_rat))


@pytest.mark.parametrize(
    ("cnf", "steps"),
    [
        ("p cnf 2 2\n-2 0\n1 2 0\n", "d 1 2 0\n-1 0\n0\n"),  # dratify accepts this if asked for DRAT
        ("p cnf 2 2\n-2 0\n1 2 0\n", "-1 0\n0\n"),
        ("p cnf 2 3\n1 2 0\n1 -2 0\n-1 2 0\n", "1 0\n0\n"),
        ("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n", "0\n"),
        ("p cnf 1 1\n1 0\n", ""),
    ],
)
def test_checkers_refuse_invalid_proofs(
    cnf: str, steps: str, verify: Verify, files: Callable[[str, str], tuple[Path, Path]]
) -> None:
    with pytest.raises(CheckError):
        verify(*files(cnf, steps))


def test_unexpected_output_of_drat_trim_is_not_accepted(tmp_path: Path, files: Callable[[str, str], tuple[Path, Path]]) -> None:
    program = tmp_path / "drat-trim"
    for body, expected in {
        "echo 's VERIFIED'": None,
        "echo 's NOT VERIFIED'; exit 1": CheckError,
        "echo 's VERIFIED'; exit 1": Stopped,
        "echo 'c s VERIFIED'": Stopped,
        "kill -9 $$": Stopped,
    }.items():
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        if expected is None:
            assert drat._by_drat_trim(str(program), *files("", "")) == "drat-trim"
        else:
            with pytest.raises(expected):
                drat._by_drat_trim(str(program), *files("", ""))


def test_without_a_checker_nothing_is_verified(proved: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dratify", None)
    monkeypatch.setenv("PATH", "")
    verified = []
    with pytest.raises(InputError, match=r"not verified: .*pip install dratify"):
        verified.extend(check(proved("four")))
    assert not any(line.startswith("verified") for line in verified)


def test_a_checker_is_installed_with_jigsat() -> None:
    needed = [requirement for requirement in requires("jigsat") or [] if "extra ==" not in requirement]
    assert any(requirement.startswith("dratify") for requirement in needed)


# -- failed proofs


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"backend": "minisat22"}, InputError, "the backend minisat22 writes no proofs; these do: .*cadical195"),
        ({"backend": "nothing"}, InputError, "unknown backend 'nothing'"),
        ({"limit": 30}, Stopped, "four: no proof: there are more than 30 solutions; --limit raises the limit"),
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
    assert LIMIT > 36


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(InputError, match="already exists and is not an empty"):
        list(prove("push-pull", tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_different_puzzle_with_a_shipped_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cats.toml").write_text(FOUR)
    with pytest.raises(InputError, match="not the cats that comes with jigsat; give the file a name of its own"):
        list(prove(tmp_path / "cats.toml", tmp_path / "out"))


def test_an_additional_solution_found_by_the_prover_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["enumerated", "refuted", "written"]
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
        "jigsat: cats-reuse: no proof: stopped by timeout while reading the file; --timeout raises the limit\n",
    )


def test_counts_are_worded_as_elsewhere() -> None:
    cube = jigsat.count("cube")
    said = certificate.counted({"solutions": cube.solutions, "distinct": cube.distinct})
    assert said == "96 solutions, 4 up to rotation, 2 up to rotation and reflection"
    assert f"cube: {said}; complete" in str(cube)
    assert "24 up to rotation, 48 up to rotation and reflection" in str(jigsat.explain("cube"))
