"""Certificates that were manipulated to state more than they prove, and directories that cannot be
written."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.certificates import FOUR, check

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.proofs import drat
from jigsat.proofs.certificate import FILES, markdown, prove
from jigsat.proofs.report import quote_name


def made(folder: Path, text: str = FOUR, name: str = "four.toml") -> Path:
    source = folder / name
    source.write_text(text)
    return source


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates of `four` and of the cats that come with jigsat."""
    folder = tmp_path_factory.mktemp("certificates")
    list(prove(made(folder), folder / "four"))
    list(prove("cats", folder / "cats"))
    return folder


@pytest.fixture
def copied(certificates: Path, tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: Path(shutil.copytree(certificates / name, tmp_path / name))


def refuted(directory: Path) -> str:
    with pytest.raises(CheckError) as error:
        list(check(directory))
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ('title = "Nine cats"', 'title = "Nine cats: 5 solutions"'),
        ("solutions = 4", "solutions = 5"),
        ("solutions = 4", ""),
        ("[tiles]", "# jigsat has verified that there are 5 solutions\n[tiles]"),
    ],
)
def test_a_shipped_name_requires_the_shipped_file(
    there: str, instead: str, copied: Callable[[str], Path]
) -> None:
    directory = copied("cats")
    text = (directory / "cats.toml").read_text()
    assert there in text
    (directory / "cats.toml").write_text(text.replace(there, instead))
    for file in (directory / "README.md", directory / "solutions.json"):
        file.write_text(file.read_text().replace("Nine cats", "Nine cats: 5 solutions"))
    assert (
        refuted(directory)
        == "cats.toml: not the cats that comes with jigsat; give the file a name of its own"
    )


@pytest.mark.parametrize(
    ("known", "complaint"),
    [
        ("solutions = 35", "[known] states solutions = 35, but there are 36"),
        ("rotation = 36", "[known] states rotation = 36, but there are 9"),
        ("reflection = 5", "[known] states reflection = 5, but there are 9"),
        ("minimum = 1", "[known] states minimum = 1, but there is none"),
    ],
)
def test_known_numbers_must_equal_the_counts(
    known: str, complaint: str, copied: Callable[[str], Path], tmp_path: Path
) -> None:
    source = made(tmp_path, f"{FOUR}[known]\n{known}\n")
    with pytest.raises(CheckError, match=re.escape(complaint)):
        list(prove(source, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    directory = copied("four")
    shutil.copy(source, directory)
    assert refuted(directory) == f"four.toml: {complaint}"


def test_the_known_minimum_is_checked(tmp_path: Path) -> None:
    text = (
        'family = "lights-out"\nboard = "square 2x2"\nlit = "all"\n[known]\nsolutions = '
        "1\nminimum = "
    )
    list(prove(made(tmp_path, f"{text}4", "lights.toml"), tmp_path / "right"))
    assert list(check(tmp_path / "right"))[-1].startswith("verified")
    with pytest.raises(CheckError, match="states minimum = 3, but there are 4"):
        list(prove(made(tmp_path, f"{text}3", "lights.toml"), tmp_path / "wrong"))


@pytest.mark.parametrize("known", ["solutions = 36.0", "solutions = true", 'solutions = "36"'])
def test_known_numbers_must_be_whole(known: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"four\.toml: known\.solutions: "):
        list(prove(made(tmp_path, f"{FOUR}[known]\n{known}\n"), tmp_path / "out"))


@pytest.mark.parametrize(
    ("file", "there", "instead", "complaint"),
    [
        (
            "solutions.json",
            '"solutions": 36',
            '"solutions": 5, "solutions": 36',
            "not JSON: the key 'solutions' is given",
        ),
        (
            "solutions.json",
            '"turn": 1',
            '"turn": 2, "turn": 1',
            "not JSON: the key 'turn' is given twice",
        ),
        (
            "solutions.json",
            '"solutions": 36',
            '"solutions": 36.0',
            "line 5 is '\"solutions\": 36.0,\\n' and should be",
        ),
        (
            "solutions.json",
            '"turn": 1',
            '"turn": 1.0',
            "item 3 of found is not a list of placements",
        ),
        (
            "solutions.json",
            '"turn": 1',
            '"turn": true',
            "item 3 of found is not a list of placements",
        ),
        (
            "solutions.json",
            '"rotation": 9',
            '"rotation": 9e0',
            'line 6 is \'"distinct": {"rotation": 9e0},',
        ),
        ("solutions.json", '"solutions": 36', '"solutions": NaN', "not JSON: NaN is not a number"),
        (
            "solutions.json",
            '"solutions": 36',
            f'"solutions": {"9" * 5000}',
            "not JSON: a number with too many digits",
        ),
        (
            "solutions.json",
            '"solutions": 36',
            f'"solutions": {"[" * 60}{"]" * 60}',
            "not JSON: nested more than 50 levels",
        ),
        (
            "solutions.json",
            '"solutions": 36',
            f'"solutions": {"[" * 100_000}',
            "not JSON: nested more than 50 levels deep",
        ),
        (
            "solutions.json",
            '"solutions": 36',
            '"solutions":  36',
            "line 5 is '\"solutions\":  36,\\n' and should be",
        ),
        (
            "solutions.json",
            '"four.toml"',
            f'"{"x" * 5000}"',
            "the instance file '" + "x" * 79 + " … is missing",
        ),
        ("solutions.json", '"four.toml"', '"a\\u0000b"', "the instance file 'a\\x00b' is missing"),
        (
            "solutions.json",
            '"four.toml"',
            '"README.md"',
            "the instance file 'README.md' is missing",
        ),
        (
            "symmetries.json",
            '"images": [1,',
            '"images": [true,',
            "symmetry 1 is not a permutation of the placements",
        ),
        (
            "symmetries.json",
            '"images": [1,',
            '"images": [1.0,',
            "symmetry 1 is not a permutation of the placements",
        ),
        (
            "symmetries.json",
            '"variables": [1,',
            '"variables": [true,',
            "not the symmetries of the puzzle, which has 4",
        ),
        (
            "symmetries.json",
            '"level"',
            '"level": "all", "level"',
            "not JSON: the key 'level' is given twice",
        ),
    ],
)
def test_files_are_read_strictly(
    file: str, there: str, instead: str, complaint: str, copied: Callable[[str], Path]
) -> None:
    directory = copied("four")
    text = (directory / file).read_text()
    assert there in text
    (directory / file).write_text(text.replace(there, instead, 1))
    assert refuted(directory).startswith(f"{file}: {complaint}")


def test_the_readme_marks_unchecked_statements_of_the_file(tmp_path: Path) -> None:
    title = "5 solutions\\n\\u202e\\u001b[2J# [x](http://example.org) <b>`"
    name = "4 solutions, and no other`|`.toml"
    list(prove(made(tmp_path, f'title = "{title}"\n{FOUR}', name), tmp_path / "out"))
    text = (tmp_path / "out" / "README.md").read_text()
    lines = text.splitlines()
    assert (
        lines[0]
        == "# '4 solutions, and no other\\`\\|\\`': 36 solutions, 9 up to rotation, and a proof "
        "that there is no other"
    )
    assert lines[2].startswith(
        "Title in the instance file, which nothing here checks: 5 solutions\\\\n"
    )
    assert r"\# \[x\]\(http://example.org\) \<b\>\`" in lines[2]
    for file in FILES:
        if file != "proof.drat":
            assert (tmp_path / "out" / file).read_text().replace("\n", "").isprintable()
    *_, verdict = check(tmp_path / "out")
    assert (
        verdict
        == f"verified: {name.removesuffix('.toml')!r} has 36 solutions, 9 up to rotation, and no "
        f"other"
    )


def test_a_file_name_that_is_not_text_is_escaped(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\n.toml")
    list(prove(made(tmp_path, name=name), tmp_path / "out"))
    for file in FILES:
        assert (tmp_path / "out" / file).read_bytes().decode("utf-8")
    said = list(check(tmp_path / "out"))
    assert all(line.isprintable() for line in said)
    assert said[-1].startswith(r"verified: '\udcff\n' has 36 solutions")


def test_misleading_names_are_quoted() -> None:
    assert [quote_name(name) for name in ("cats.toml", "lights-5x5", "a b", "x\x1b[2J")] == [
        "cats.toml",
        "lights-5x5",
        "'a b'",
        r"'x\x1b[2J'",
    ]
    assert markdown("a*b\u2028c") == r"a\*b\\u2028c"


def test_other_files_are_listed_as_ignored(copied: Callable[[str], Path]) -> None:
    directory = copied("four")
    (directory / "RESULT: 40 solutions").touch()
    assert (
        list(check(directory))[-2]
        == "ignored     'RESULT: 40 solutions': not part of the certificate"
    )


@pytest.mark.parametrize("file", ["proof.drat", "formula.cnf", "solutions.json", "four.toml"])
def test_links_are_not_followed(file: str, copied: Callable[[str], Path], tmp_path: Path) -> None:
    directory = copied("four")
    (tmp_path / "private").write_text("password hunter2\n")
    (directory / file).unlink()
    (directory / file).symlink_to(tmp_path / "private")
    assert refuted(directory) == f"{file}: not a regular file; links are not followed"


def test_a_directory_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("x" * 5000, "nowhere"):
        with pytest.raises(
            InputError, match=r"cannot be read: file name too long|no such directory"
        ):
            list(check(tmp_path / name))


# -- directories that cannot be written, and stopped runs


def stopped(directory: Path) -> None:
    with pytest.raises(Stopped, match="more than 1 solution"):
        list(prove("cats", directory, limit=1))


def test_an_existing_empty_folder_is_kept_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    monkeypatch.chdir(folder)
    for directory in (folder, link, Path()):
        stopped(directory)
        assert link.is_symlink() and folder.is_dir() and not list(folder.iterdir())
    list(prove("black-and-white", Path()))
    assert len(list(folder.iterdir())) == 1 + len(FILES)


def test_created_folders_are_removed_after_a_failure(tmp_path: Path) -> None:
    stopped(tmp_path / "a" / "b" / "c")
    assert not list(tmp_path.iterdir())
    run = prove("push-pull", tmp_path / "a" / "b")
    next(run)
    (tmp_path / "a" / "mine").touch()
    run.close()  # type: ignore[attr-defined]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mine"]


def test_a_file_created_meanwhile_is_kept(tmp_path: Path) -> None:
    run = prove("push-pull", tmp_path / "out")
    next(run)
    (tmp_path / "out" / "README.md").write_text("mine")
    with pytest.raises(InputError, match=r"README\.md: cannot be written: file exists"):
        list(run)
    assert [path.read_text() for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_impossible_folders(tmp_path: Path) -> None:
    file, loose, loop = tmp_path / "file", tmp_path / "loose", tmp_path / "loop"
    file.write_text("mine")
    loose.symlink_to(tmp_path / "nowhere")
    loop.symlink_to(loop)
    for path, complaint in {
        file: "already exists and is not an empty",
        file / "below": "cannot be written: not a directory",
        loose: "already exists and is not an empty",
        loop: "already exists and is not an empty|too many levels",
        tmp_path / ("x" * 5000): "cannot be written: file name too long",
    }.items():
        with pytest.raises(InputError, match=complaint):
            list(prove("push-pull", path))
    assert {path.name for path in tmp_path.iterdir()} == {
        "file",
        "loose",
        "loop",
    } and file.read_text() == "mine"


def test_a_puzzle_with_the_name_of_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="a file of this name is part of every certificate; rename it"
    ):
        list(
            prove(
                made(
                    tmp_path,
                    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
                    "README.md",
                ),
                tmp_path / "out",
            )
        )


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, Stopped),
        (errno.EDQUOT, Stopped),
        (errno.EACCES, InputError),
        (errno.EROFS, InputError),
    ],
)
@pytest.mark.parametrize(
    "when", ["mkdir", "touch", "four.toml", "proof.drat", "blocked.cnf", "README.md"]
)
def test_a_disk_that_is_full_or_read_only(
    when: str, number: int, error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> Iterator[bytes]:
        raise OSError(number, os.strerror(number), str(tmp_path))

    source = made(tmp_path)
    if when in ("mkdir", "touch"):
        monkeypatch.setattr(Path, when, fails)
    else:
        opened = Path.open
        monkeypatch.setattr(
            Path,
            "open",
            lambda path, *a, **k: (
                fails()
                if path.name == when and path.parent.name == "out"
                else opened(path, *a, **k)
            ),
        )
    with pytest.raises(error, match=f"cannot be written: {os.strerror(number).lower()}$"):
        list(prove(source, tmp_path / "out"))
    assert list(tmp_path.iterdir()) == [source]


def test_a_proof_too_large_to_be_held_in_memory_is_not_read(
    copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drat, "_has_compiled_core", lambda: True)
    directory = copied("four")
    os.truncate(directory / "proof.drat", 2**40)  # none of it on the disk
    with pytest.raises(InputError, match=r"proof.drat: larger than 1024 MiB"):
        list(check(directory))
