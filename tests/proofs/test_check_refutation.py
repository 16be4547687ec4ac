"""The program that checks LRAT proofs: it accepts true ones and refuses all others in one line."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.certificates import MADE, check
from support.inside import run
from support.lrat import (
    CAKE_LPR,
    DAMAGE,
    accepts,
    cake_accepts,
    damage,
    drop_blocking_clause,
    is_true_proof,
    run_checker,
)

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.proofs import certificate, check_refutation, lrat
from jigsat.proofs.certificate import prove

FULL = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
PROOF = "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"


@pytest.fixture
def refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str | bytes, str | bytes], str]:
    """The reason why the program refuses a formula and a proof; '' if it accepts them."""

    def run(formula: str | bytes, proof: str | bytes) -> str:
        for name, text in (("blocked.cnf", formula), ("proof.lrat", proof)):
            (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["check_refutation.py", "blocked.cnf", "proof.lrat"])
        try:
            check_refutation.main()
        except SystemExit as refused:
            assert capsys.readouterr().out == ""
            (line,) = str(refused).splitlines()
            return line.removeprefix("refused: ")
        assert capsys.readouterr().out == "s VERIFIED UNSAT\n"
        return ""

    return run


@pytest.mark.parametrize(
    ("formula", "proof"),
    [
        (FULL, PROOF),
        # steps may follow the empty clause, and numbers may be left out
        (FULL, PROOF + "9 1 0 6 0\n"),
        # a clause may be repeated as a hint, and hints after the contradiction are not read
        (FULL, "5 1 0 1 1 2 7 0\n6 0 5 3 4 0\n"),
        # comments in the formula, in any script
        (f"c катя\n{FULL}c 1 2\n", PROOF),
        # a clause with a literal and its opposite, and an empty clause
        ("p cnf 1 1\n0\n", "2 0 1 0\n"),
        (FULL, "5 1 -1 0 1 2 0\n6 1 0 1 2 0\n7 0 6 3 4 0\n"),
    ],
)
def test_true_proofs_are_accepted(
    formula: str, proof: str, refusal: Callable[[str, str], str]
) -> None:
    assert refusal(formula, proof) == ""


NO_LIST = "not a list of numbers that ends with 0"
WRONG_HEADER = "clauses, but its header states"
NO_STEP = "not a number above 4, a clause, 0 and hints"


@pytest.mark.parametrize(
    ("formula", "proof", "reason"),
    [
        # what does not follow
        (FULL, "5 0 1 2 3 4 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 1 0 1 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 1 0 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 1 0 5 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 1 0 1 9 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 -1 0 1 2 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (
            FULL,
            "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n",
            "proof.lrat: line 3: clause 6 does not follow by its hints",
        ),
        # hints for new variables, as DRAT allows
        (FULL, "5 3 -1 0 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        (FULL, "5 1 0 -1 2 0\n", "proof.lrat: line 1: clause 5 does not follow by its hints"),
        # an end is missing
        (FULL, "", "proof.lrat: the empty clause is missing at the end"),
        (FULL, PROOF[:20], f"proof.lrat: line 2: {NO_LIST}"),
        (FULL, PROOF[:-1], f"proof.lrat: line 3: {NO_LIST}"),
        (FULL, "5 1 0 1 2 0\n", "proof.lrat: the empty clause is missing at the end"),
        (
            FULL,
            f"{PROOF}6 d 6 0\n",
            "proof.lrat: the empty clause is missing at the end",
        ),
        # numbers that do not grow
        (FULL, "4 1 0 1 2 0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, "-5 1 0 1 2 0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, "0 1 0 1 2 0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, "5 1 0 1 2 0\n5 0 5 3 4 0\n", "proof.lrat: line 2: not a number above 5"),
        # deletions of what is not there
        (FULL, "5 d 5 0\n", "proof.lrat: line 1: there is no clause 5 to delete"),
        (FULL, "5 d 1 1 0\n", "proof.lrat: line 1: there is no clause 1 to delete"),
        (FULL, "5 d -1 0\n", "proof.lrat: line 1: there is no clause -1 to delete"),
        (FULL, "5 d 1 0 2 0\n", "proof.lrat: line 1: there is no clause 0 to delete"),
        # lines that are no steps
        (FULL, "0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, "5 1 2 0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, "5 1 0 1 0 2 0\n", f"proof.lrat: line 1: {NO_STEP}"),
        (FULL, " d 1 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 1 d 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "x d 1 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 d d 1 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 d 1 2\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "c comment\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 1 0 1 2\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 x 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 1 -0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 01 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 +1 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 1_0 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 1.0 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5 ١ 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, "5  1 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, PROOF.replace("\n", "\r\n"), f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, f"5 {10**10} 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, f"{'9' * 5000} 1 0 1 2 0\n", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, b"a\x0a\x02\x00\x02\x04\x00", f"proof.lrat: line 1: {NO_LIST}"),
        (FULL, b"\xff\xfe\x00" * 999, f"proof.lrat: line 1: {NO_LIST}"),
        # formulas
        ("", PROOF, "blocked.cnf: has no header"),
        ("p cnf 2 4\n", PROOF, f"blocked.cnf: has 0 {WRONG_HEADER}"),
        (FULL[:-8], PROOF, f"blocked.cnf: has 3 {WRONG_HEADER}"),
        (FULL[:-2], PROOF, f"blocked.cnf: line 5: {NO_LIST}"),
        (FULL[10:], PROOF, "blocked.cnf: line 1: not a clause of the variables 1 to 0"),
        (FULL + FULL, PROOF, f"blocked.cnf: line 6: {NO_LIST}"),
        ("p cnf 2\n" + FULL[10:], PROOF, "blocked.cnf: line 1: not a header with two numbers"),
        ("p cnf 2 4 5\n" + FULL[10:], PROOF, "blocked.cnf: line 1: not a header with two numbers"),
        ("p cnf x 4\n" + FULL[10:], PROOF, f"blocked.cnf: line 1: {NO_LIST}"),
        (FULL.replace("1 2 0", "1 0 2 0"), PROOF, "blocked.cnf: line 2: not a clause"),
        (FULL.replace("-1 2 0", "-1 3 0"), PROOF, "blocked.cnf: line 4: not a clause"),
        (b"\x00" + FULL.encode(), PROOF, f"blocked.cnf: line 1: {NO_LIST}"),
    ],
)
def test_everything_else_is_refused(
    formula: str | bytes,
    proof: str | bytes,
    reason: str,
    refusal: Callable[[str | bytes, str | bytes], str],
) -> None:
    assert refusal(formula, proof).startswith(reason)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    done = run_checker(tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("refused: ") and len(done.stderr.splitlines()) == 1
    done = subprocess.run(
        [sys.executable, check_refutation.__file__], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "check_refutation.py blocked.cnf proof.lrat" in done.stderr


def test_an_interrupt_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "blocked.cnf").write_text(FULL)
    os.mkfifo(tmp_path / "proof.lrat")
    process = subprocess.Popen(
        [sys.executable, "-I", check_refutation.__file__, "blocked.cnf", "proof.lrat"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with (tmp_path / "proof.lrat").open("w"):  # waits until the program reads the proof
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "stopped: nothing is verified\n")
    assert process.returncode == 130


def test_a_line_that_never_ends_is_refused(
    refusal: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_refutation, "MAX_LINE_BYTES", 20)
    assert refusal(FULL, PROOF) == ""
    assert refusal(FULL, "\0" * 1000) == "proof.lrat: line 1: too long"
    # the rest of a long comment is no clause
    formula = FULL.replace("-1 -2 0\n", f"c{' ' * 19}-1 -2 0\n")
    assert refusal(formula, PROOF) == "blocked.cnf: line 5: too long"


# -- the proofs of certificates; nurikabe-4 has cuts of constraints on graphs

QUICK = ["cats", "cube", "sudoku-hard", "word-squares-3", "lights-5x5", "nurikabe-4"]
NAMES = [*MADE, *QUICK, pytest.param("fish", marks=pytest.mark.slow)]


@pytest.mark.parametrize("name", NAMES)
def test_proofs_of_certificates(
    name: str, with_lrat: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = with_lrat(name)
    assert run_checker(directory).stdout == "s VERIFIED UNSAT\n"
    lines = list(check(directory))
    assert "proof       proof.lrat verified by check_refutation.py" in lines
    assert lines[-1].startswith(f"verified: {name} has ")

    copy = Path(shutil.copytree(directory, tmp_path / "copy"))
    for change in DAMAGE.values():
        shutil.copy(directory / "proof.lrat", copy)
        damage(copy, change)
        assert not accepts(copy)
    with pytest.raises(CheckError, match=r"^proof\.lrat: "):
        list(check(copy))
    shutil.copy(directory / "proof.lrat", copy)
    if not lines[-1].endswith("no solution"):
        drop_blocking_clause(copy)
        assert not accepts(copy)
        with pytest.raises(CheckError, match=r"^blocked\.cnf: "):
            list(check(copy))


@pytest.mark.skipif(not CAKE_LPR, reason="cake_lpr is not on PATH")
@pytest.mark.parametrize("name", NAMES)
def test_a_verified_checker_has_the_same_verdicts(
    name: str, with_lrat: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = with_lrat(name)
    assert cake_accepts(directory)
    copy = Path(shutil.copytree(directory, tmp_path / "copy"))
    for change in DAMAGE.values():
        shutil.copy(directory / "proof.lrat", copy)
        damage(copy, change)
        assert not cake_accepts(copy)
    shutil.copy(directory / "proof.lrat", copy)
    if "no solution" not in list(check(directory))[-1]:
        drop_blocking_clause(copy)
        assert not cake_accepts(copy)


def test_accepted_mutants_are_proofs(with_lrat: Callable[[str], Path], tmp_path: Path) -> None:
    """Whatever random changes of words and lines are accepted is right without the hints, too."""
    formula = (with_lrat("unsolvable") / "blocked.cnf").read_text()
    proof = (with_lrat("unsolvable") / "proof.lrat").read_text()
    picked = random.Random(1)
    accepted = 0
    for _ in range(200):
        lines = [line.split() for line in proof.splitlines()]
        for _ in range(picked.choice([1, 1, 2])):
            mutate_lines(picked, lines)
        mutant = "".join(f"{' '.join(words)}\n" for words in lines)
        (tmp_path / "blocked.cnf").write_text(formula)
        (tmp_path / "proof.lrat").write_text(mutant)
        if accepts(tmp_path):
            accepted += 1
            assert is_true_proof(formula, mutant)
            assert not CAKE_LPR or cake_accepts(tmp_path)
    assert 5 < accepted < 100


def mutate_lines(picked: random.Random, lines: list[list[str]]) -> None:
    place = picked.randrange(len(lines))
    words = lines[place]
    word = picked.randrange(len(words))
    match picked.randrange(7):
        case 0:
            del words[word]
        case 1:
            words[word] = words[picked.randrange(len(words))]
        case 2:
            words[word] = str(picked.choice([-1, 1]) * picked.randrange(1300))
        case 3:
            words[word] = words[word].removeprefix("-") if words[word] < "0" else f"-{words[word]}"
        case 4:
            words.insert(word, picked.choice(["0", "1", "-1", words[0]]))
        case 5 if len(lines) > 1:
            del lines[place]
        case _:
            other = picked.randrange(len(lines))
            lines[place], lines[other] = lines[other], words


# -- the command


def test_the_option_adds_two_files(tmp_path: Path, with_lrat: Callable[[str], Path]) -> None:
    list(prove(with_lrat("four") / "four.toml", tmp_path / "plain", backend="cadical195"))
    names = {path.name for path in (tmp_path / "plain").iterdir()}
    both = {path.name for path in with_lrat("four").iterdir()}
    assert both - names == {"proof.lrat", "check_refutation.py"} and names < both
    for name in names - {"README.md"}:
        text = (tmp_path / "plain" / name).read_bytes()
        assert text == (with_lrat("four") / name).read_bytes()


def test_a_changed_checker_is_refuted(with_lrat: Callable[[str], Path], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(with_lrat("four"), tmp_path / "copy"))
    path = copy / "check_refutation.py"
    path.write_text(path.read_text().replace("return False", "return True"))
    with pytest.raises(CheckError, match=r"^check_refutation\.py: line \d+ is "):
        list(check(copy))


def test_without_the_lrat_proof_the_other_one_counts(
    with_lrat: Callable[[str], Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(with_lrat("four"), tmp_path / "copy"))
    (copy / "proof.lrat").unlink()
    lines = list(check(copy))
    assert lines[-3] == "proof       proof.lrat is not checked as well: it is missing"
    assert lines[-2].startswith("proof       verified by ") and "lrat" not in lines[-2]


def test_a_missing_checker_is_named(with_lrat: Callable[[str], Path], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(with_lrat("four"), tmp_path / "copy"))
    (copy / "check_refutation.py").unlink()
    with pytest.raises(CheckError, match=r"^check_refutation\.py is missing$"):
        list(check(copy))


def test_the_lrat_proof_alone_is_enough(
    with_lrat: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dratify", None)
    monkeypatch.setenv("PATH", "")
    lines = list(check(with_lrat("four")))
    assert lines[-3] == "proof       proof.lrat verified by check_refutation.py"
    assert lines[-2].startswith("proof       proof.drat is not checked as well: ")
    assert lines[-1].startswith("verified: four has 36 solutions")


def test_a_large_proof_is_left_to_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lrat, "MAX_PROOF_BYTES", 100)
    source = tmp_path / "four.toml"
    source.write_text(MADE["four"][0])
    with pytest.raises(Stopped, match=r"drat-trim blocked\.cnf proof\.drat -L proof\.lrat"):
        list(prove(source, tmp_path / "out", with_lrat=True))
    assert not (tmp_path / "out" / "proof.lrat").exists()
    assert list(check(tmp_path / "out"))[-1].startswith("verified")


def test_a_stopped_conversion_leaves_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> list[str]:
        raise Stopped("timeout")

    monkeypatch.setattr(certificate, "_convert", stop)
    source = tmp_path / "four.toml"
    source.write_text(MADE["four"][0])
    with pytest.raises(Stopped, match="stopped by timeout while converting"):
        list(prove(source, tmp_path / "out", with_lrat=True))
    assert list(check(tmp_path / "out"))[-1].startswith("verified")


def test_a_proof_without_a_solver_is_not_converted(tmp_path: Path) -> None:
    for name in ("lights-5x5", "dominoes-6x8"):
        with pytest.raises(InputError, match="with --lrat, name one, as in --backend cadical195"):
            list(prove(name, tmp_path / "out", with_lrat=True))
        assert not (tmp_path / "out").exists()
    done = run("prove", "dominoes-6x8", "--count", "--lrat", "-o", tmp_path / "out")
    assert done.returncode == 2 and "--count cannot be combined with --lrat" in done.stderr
