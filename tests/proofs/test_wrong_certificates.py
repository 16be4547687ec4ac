"""Certificates with any wrong part are refuted."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.certificates import FOUR, check

from jigsat import instance
from jigsat.errors import CheckError, InputError
from jigsat.instance import registry
from jigsat.proofs import certificate
from jigsat.proofs.certificate import FILES, PROVER, prove
from jigsat.symmetry.group import Group

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
        (directory / file).write_text("".join(f"{line}\n" for line in certificate.json_lines(data)))

    return harm


def clauses(change: Callable[[list[str]], object], file: str = "blocked.cnf") -> Harm:
    """Changes the lines of clauses, and their number in the header."""

    def harm(lines: list[str]) -> None:
        head = [line for line in lines if line[0] in "cp"]
        rest = [line for line in lines if line[0] not in "cp"]
        before = len(rest)
        change(rest)
        head = [
            re.sub(rf"^(p cnf \d+ |c group \d+-){before}(?=\s)", rf"\g<1>{len(rest)}", line)
            for line in head
        ]
        lines[:] = head + rest

    return lines_of(file, harm)


def truncated(file: str, fraction: float) -> Harm:
    """Cuts off a file."""
    return lambda directory: (directory / file).write_bytes(
        (directory / file).read_bytes()[: int(fraction * (directory / file).stat().st_size)]
    )


def both(*harms: Harm) -> Harm:
    """Makes one change after the other."""
    return lambda directory: [harm(directory) for harm in harms]


def rewritten(keep: Callable[[list[Any]], list[Any]]) -> Harm:
    """States consistently in all files that there are only these solutions; the proof is
    unchanged."""

    def harm(directory: Path) -> None:
        (source,) = directory.glob("*.toml")
        puzzle = instance.load(source)
        formula = certificate.encode(puzzle)
        group = Group.of(formula, puzzle.symmetries())
        variables = {json.dumps(formula.key(i)._asdict()): i for i in formula.decisions()}  # type: ignore[attr-defined]
        recorded = json.loads((directory / "solutions.json").read_text())["found"]
        models = keep(
            [frozenset(variables[json.dumps(one)] for one in solution) for solution in recorded]
        )
        distinct = {
            "rotation": len(
                {
                    min(sorted(one) for one in group.orbit(model, "all")).__repr__()
                    for model in models
                }
            )
        }
        found = certificate.describe_solutions(formula, models)
        record = certificate.record(
            puzzle, source.name, group.orders, len(models), distinct, found=found
        )
        for file, lines in {
            "blocked.cnf": certificate.cnf_lines(certificate.block_models(formula, models), puzzle),
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
        r"blocked\.cnf: line \d+ is 'c group 1137-1172 none .*' and should be 'c group 1137-1171 ",
    ),
    "a solution dropped in the middle": (
        data_of("solutions.json", lambda data: data["found"].pop(7)),
        r"blocked\.cnf: line \d+ is 'c group 1137-1172 none .*' and should be 'c group 1137-1171 ",
    ),
    "a solution dropped everywhere": (
        rewritten(lambda models: models[1:]),
        r"symmetries\.json: symmetry \d maps solution \d to a solution that is missing",
    ),
    "all symmetric solutions dropped everywhere": (
        rewritten(lambda models: models[4:]),
        r"proof\.drat: step \d+, '.* 0': clause is neither RUP nor RAT",
    ),
    "no solution at all": (
        rewritten(lambda models: []),
        r"proof\.drat: step \d+, '.* 0': clause is neither RUP nor RAT",
    ),
    "something that is not a solution": (
        data_of("solutions.json", lambda data: data["found"][2][0].update(turn=9)),
        r"solutions\.json: item 3 of found is not a list of placements of the puzzle",
    ),
    "a solution twice": (
        data_of("solutions.json", lambda data: data["found"].append(data["found"][0])),
        r"solutions\.json: solution 37 is the same as solution 1",
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
            clauses(lambda lines: lines.insert(5, "1 2 0\n"), "formula.cnf"),
            clauses(lambda lines: lines.insert(5, "1 2 0\n")),
        ),
        r"formula\.cnf: line \d+ is 'c group 1113-1137 .*' and should be 'c group 1113-1136 ",
    ),
    "the name of a variable changed": (
        lines_of(
            "formula.cnf", lambda lines: lines.__setitem__(2, lines[2].replace("tile=1", "tile=2"))
        ),
        r"formula\.cnf: line 3 is .*tile=2.* and should be .*tile=1",
    ),
    "other line endings": (
        lines_of("formula.cnf", lambda lines: lines.__setitem__(0, lines[0].replace("\n", " \n"))),
        r"formula\.cnf: line 1 is",
    ),
    "a clause removed from what is refuted": (
        clauses(without(20)),
        r"blocked\.cnf: line \d+ is 'c group 1137-1171 ",
    ),
    "a clause changed in what is refuted": (
        clauses(lambda lines: lines.__setitem__(20, "-" + lines[20])),
        r"blocked\.cnf: line \d+ is '-.* 0\\n' and should be '.* 0\\n'",
    ),
    "a clause added in the middle of what is refuted": (
        clauses(lambda lines: lines.insert(3, "1 0\n")),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "a clause added to what is refuted": (
        clauses(lambda lines: lines.append("1 2 0\n")),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "a clause on an auxiliary variable added": (
        clauses(lambda lines: lines.append("-70 0\n")),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "half of a solution ruled out": (
        clauses(lambda lines: lines.append(" ".join([*lines[-1].split()[:2], "0\n"]))),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "something that is not a solution ruled out": (
        clauses(lambda lines: lines.__setitem__(-1, "-1 -17 -34 -60 0\n")),
        r"blocked\.cnf: line \d+ is '-1 -17 -34 -60 0\\n' and should be '",
    ),
    "something that is not a solution in both": (
        both(
            clauses(lambda lines: lines.__setitem__(-1, "-1 -17 -34 -60 0\n")),
            data_of("solutions.json", lambda data: data["found"][-1].pop()),
        ),
        r"solutions\.json: solution 36 is not a solution: cell .* holds 0 tiles",
    ),
    "the empty clause added": (
        clauses(lambda lines: lines.append("0\n")),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "a solution ruled out twice": (
        clauses(lambda lines: lines.append(lines[-3])),
        r"blocked\.cnf: line \d+ is 'c group 1137-1173 ",
    ),
    "a solution twice in all files": (
        rewritten(lambda models: [*models, models[0]]),
        r"solutions\.json: solution 37 is the same as solution 1",
    ),
    "a solution not ruled out": (
        clauses(without(-1)),
        r"blocked\.cnf: line \d+ is 'c group 1137-1171 ",
    ),
    "solutions ruled out in another order": (
        clauses(lambda lines: lines.append(lines.pop(-5))),
        r"blocked\.cnf: line \d+ is '-.* 0\\n' and should be '-",
    ),
    "a wrong header": (
        lines_of(
            "blocked.cnf",
            lambda lines: lines.__setitem__(
                slice(None), [x.replace("p cnf ", "p cnf 1") for x in lines]
            ),
        ),
        r"blocked\.cnf: line \d+ is 'p cnf 1",
    ),
    "a line that is not a clause": (
        lines_of("blocked.cnf", lambda lines: lines.append("1 2 three 0\n")),
        r"blocked\.cnf: line \d+ is '1 2 three 0\\n' and should be the end",
    ),
    "an empty proof": (
        lambda directory: (directory / "proof.drat").write_text(""),
        r"proof\.drat: .*never derives the empty clause",
    ),
    "a proof without its end": (
        lines_of("proof.drat", without(-1)),
        r"proof\.drat: .*never derives the empty clause",
    ),
    "a proof without its middle": (
        lines_of("proof.drat", lambda lines: lines.__setitem__(slice(0, -1), [])),
        r"proof\.drat: step 1, ' 0': clause is neither RUP nor RAT",
    ),
    "a line of the proof changed": (
        lines_of("proof.drat", lambda lines: lines.__setitem__(0, "1 0\n")),
        r"proof\.drat: step 1, '1 0': clause is neither RUP nor RAT",
    ),
    "a file that is not a proof": (
        lines_of("proof.drat", lambda lines: lines.insert(0, "this is clear\n")),
        r"proof\.drat: proof line 1: bad token 'this'",
    ),
    "a proof in the binary format": (
        lambda directory: (directory / "proof.drat").write_bytes(b"a\x02\xd0\x01\x00"),
        r"proof\.drat: byte 3 is not text; proofs in the binary format are not supported",
    ),
    "a wrong number of distinct solutions": (
        data_of("solutions.json", lambda data: data["distinct"].update(rotation=8)),
        r"solutions\.json: line 6 is .*\{\"rotation\": 8\}.* and should be .*\{\"rotation\": 9\}",
    ),
    "a wrong number of solutions": (
        data_of("solutions.json", lambda data: data.update(solutions=40)),
        r"solutions\.json: line 5 is '\"solutions\": 40.* and should be '\"solutions\": 36",
    ),
    "a wrong number of symmetries": (
        data_of("solutions.json", lambda data: data["symmetries"].update(rotation=8)),
        r"solutions\.json: line 7 is .*\{\"rotation\": 8\}.* and should be .*\{\"rotation\": 4\}",
    ),
    "a wrong hash": (
        data_of("solutions.json", lambda data: data.update(sha256="0")),
        r'line 4 is .*"0".* and should be',
    ),
    "an unknown entry": (
        data_of("solutions.json", lambda data: data.update(more=1)),
        r"solutions\.json: line \d+ is '\],\\n' and should be '\]\\n'",
    ),
    "a symmetry that is not a permutation": (
        data_of("symmetries.json", lambda data: data["symmetries"][2]["images"].__setitem__(0, 2)),
        r"symmetries\.json: symmetry 3 is not a permutation of the placements",
    ),
    "a symmetry that is not a list": (
        data_of("symmetries.json", lambda data: data["symmetries"][2].update(images="turned")),
        r"symmetries\.json: symmetry 3 is not a permutation of the placements",
    ),
    "a permutation that is not a symmetry": (
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
        r"blocked\.cnf: line \d+ is ",
    ),
    "the proof cut off": (
        truncated("proof.drat", 0.7),
        r"proof\.drat: (proof line|.*never derives|step)",
    ),
    "not even text": (
        lambda directory: (directory / "formula.cnf").write_bytes(bytes(range(256))),
        r"formula\.cnf: line 1 is",
    ),
    "solutions that are not even text": (
        lambda directory: (directory / "solutions.json").write_bytes(bytes(range(256))),
        r"solutions\.json: not JSON",
    ),
    "a README that states something else": (
        lines_of("README.md", lambda lines: lines.__setitem__(0, "# Four tiles: 40 solutions\n")),
        r"README\.md: line 1 is '# Four tiles",
    ),
    "a tile of the instance changed": (
        lambda directory: (directory / "four.toml").write_text(
            FOUR.replace('1 = ["b"', '1 = ["a"')
        ),
        r"formula\.cnf: line 2 is 'c instance four sha256",
    ),
    "not an instance": (
        lambda directory: (directory / "four.toml").write_text("family = 4"),
        r"four\.toml: family: ",
    ),
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
        f"no {name}": (
            (lambda directory, name=name: (directory / name).unlink()),
            rf"{re.escape(name)}('?) is missing",
        )
        for name in (*FILES, "four.toml")
    },
}


@pytest.mark.parametrize("what", HARMS)
def test_wrong_certificates_are_refuted(
    what: str, copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # dratify gives the reasons that are expected here
    harm, reason = HARMS[what]
    directory = copied("four")
    harm(directory)
    with pytest.raises(CheckError) as refuted:
        list(check(directory))
    assert re.search(reason, str(refuted.value)), str(refuted.value)
    assert len(str(refuted.value).splitlines()) == 1


def test_a_missing_family_refutes_nothing(
    copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = copied("cats")
    for known in "_shipped_entry_points", "_installed_entry_points":
        only = {
            name: entry for name, entry in getattr(registry, known)().items() if name == "sudoku"
        }
        monkeypatch.setattr(registry, known, partial(dict, only))
    with pytest.raises(
        InputError, match=r"unknown family 'edge-matching'; use one of .* install its package"
    ):
        list(check(directory))


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("formula.cnf", r"formula\.cnf: line 2 is 'c instance unsolvable"),
        ("blocked.cnf", r"blocked\.cnf: line \d+ is"),
        ("proof.drat", r"proof\.drat: "),
        ("solutions.json", r"solutions\.json: the instance file 'unsolvable\.toml' is missing"),
        ("symmetries.json", r"symmetries\.json: "),
    ],
)
def test_files_of_another_instance_are_refuted(
    file: str, reason: str, proved: Callable[[str], Path], copied: Callable[[str], Path]
) -> None:
    directory = copied("four")
    shutil.copy(
        proved("unsolvable" if file != "symmetries.json" else "push-pull") / file, directory / file
    )
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
    with pytest.raises(CheckError, match=r"blocked\.cnf: line \d+ is '.* and should be '-?1 "):
        list(check(directory))
