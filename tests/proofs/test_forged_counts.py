"""Forged certificates of counts: each is refused in one line by both checkers."""

from __future__ import annotations

import binascii
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.certificates import check
from support.countable import dominoes, queens

from jigsat.errors import CheckError
from jigsat.proofs import check_count
from jigsat.proofs.certificate import prove
from jigsat.proofs.counting import PROOF

Forge = Callable[[Path], object]

TEXTS = {"dominoes": dominoes(4, 4), "queens": queens(5), "small": dominoes(2, 3)}


def lines_of(directory: Path) -> list[list[str]]:
    return [
        line.split()
        for line in lzma.decompress((directory / PROOF).read_bytes()).decode().splitlines()
    ]


def graph(change: Callable[[list[list[str]]], object]) -> Forge:
    """Changes the lines of the graphs, each a list of words."""

    def forge(directory: Path) -> None:
        lines = lines_of(directory)
        change(lines)
        (directory / PROOF).write_bytes(
            lzma.compress("".join(f"{' '.join(line)}\n" for line in lines).encode())
        )

    return forge


def data(file: str, change: Callable[[dict[str, Any]], object]) -> Forge:
    """Changes the object in a JSON file."""

    def forge(directory: Path) -> None:
        content = json.loads((directory / file).read_text())
        change(content)
        (directory / file).write_text(json.dumps(content))

    return forge


def text(file: str, there: str, instead: str) -> Forge:
    """Replaces the first match of a pattern in a file; `\\\\g<0>` is what stood there."""

    def forge(directory: Path) -> None:
        before = (directory / file).read_text()
        after = re.sub(there, instead, before, count=1)
        assert after != before
        (directory / file).write_text(after)

    return forge


def linked(file: str, target: str) -> Forge:
    """Puts a link to another file in place of a file."""

    def forge(directory: Path) -> None:
        (directory / file).unlink()
        (directory / file).symlink_to(target)

    return forge


def linked_copy(file: str) -> Forge:
    """Puts a link to the same content in place of a file."""

    def forge(directory: Path) -> None:
        moved = directory.with_name("elsewhere")
        (directory / file).rename(moved)
        (directory / file).symlink_to(moved)

    return forge


def pipe(file: str) -> Forge:
    """Puts a pipe that nobody writes to in place of a file."""

    def forge(directory: Path) -> None:
        (directory / file).unlink()
        os.mkfifo(directory / file)

    return forge


def packed(change: Callable[[bytes], bytes]) -> Forge:
    return lambda directory: (directory / PROOF).write_bytes(
        change((directory / PROOF).read_bytes())
    )


def formula(change: Callable[[list[str]], object]) -> Forge:
    """Changes the lines of the formula that are constraints."""

    def forge(directory: Path) -> None:
        lines = (directory / "formula.opb").read_text().splitlines(keepends=True)
        first = next(at for at, line in enumerate(lines) if not line.startswith("*"))
        rest = lines[first:]
        change(rest)
        (directory / "formula.opb").write_text("".join(lines[:first] + rest))

    return forge


def node(at: int, change: Callable[[list[str]], object]) -> Forge:
    """Changes the line of a node: its number, its item and its children."""
    return graph(lambda lines: change(lines[at]))


def setting(at: int, place: int, value: object) -> Forge:
    return node(at, lambda line: line.__setitem__(place, str(value)))


def exchanged_children(lines: list[list[str]]) -> None:
    line = next(line for line in lines if len(line) > 3 and line[2] != line[3])
    line[2], line[3] = line[3], line[2]


def wrongly_merged(lines: list[list[str]]) -> None:
    """The second child of a node becomes the first one."""
    line = next(line for line in lines if len(line) > 3 and line[2] != line[3])
    line[3] = line[2]


def wrongly_split(lines: list[list[str]]) -> None:
    """A child that was reached before becomes a new node."""
    newest = 1
    for line in lines[1:]:
        for at, child in enumerate(map(int, line[2:]), 2):
            if 0 < child <= newest:
                line[at] = str(newest + 1)
                return
            newest = max(newest, child)


def solved_too_early(lines: list[list[str]]) -> None:
    line = next(line for line in lines[1:] if line[2:])
    line[2] = "0"


def unsolved(lines: list[list[str]]) -> None:
    """A solution becomes a new node."""
    line = next(line for line in lines[1:] if "0" in line[2:])
    line[line.index("0", 2)] = str(max(int(word) for other in lines[1:] for word in other[2:]) + 1)


def large_dictionary(content: bytes) -> bytes:
    """The compressed text with a header that demands 4 GiB of memory."""
    size = 4 * (content[12] + 1)
    header = bytearray(content[12 : 12 + size - 4])
    header[4] = 40
    return (
        content[:12]
        + bytes(header)
        + binascii.crc32(header).to_bytes(4, "little")
        + content[12 + size :]
    )


def swap(items: list[Any], a: int, b: int) -> None:
    items[a], items[b] = items[b], items[a]


HUGE = "9" * 5000
GRAPHS: dict[str, Forge] = {
    "children exchanged": graph(exchanged_children),
    "nodes merged": graph(wrongly_merged),
    "a node split": graph(wrongly_split),
    "a solution too early": graph(solved_too_early),
    "a solution missing": graph(unsolved),
    "a child left out": node(1, lambda line: line.pop()),
    "all children left out": node(1, lambda line: line.__delitem__(slice(2, None))),
    "a child added": node(1, lambda line: line.append(line[-1])),
    "a solution added": node(1, lambda line: line.append("0")),
    "a new child added": node(3, lambda line: line.append("1000")),
    "a cycle to the root": setting(2, 2, 1),
    "a cycle to itself": node(3, lambda line: line.__setitem__(2, line[0])),
    "a cycle through a later node": node(-1, lambda line: line.__setitem__(2, "2")),
    "a child far away": setting(1, 2, 10**6),
    "a negative child": setting(1, 2, -1),
    "a huge child": setting(1, 2, HUGE),
    "a child of 20 digits": setting(1, 2, 10**19),
    "no number": setting(1, 2, "two"),
    "a fraction": setting(1, 2, "2.0"),
    "a huge node": setting(1, 0, HUGE),
    "another node": setting(1, 0, 2),
    "node 0": setting(1, 0, 0),
    "a negative node": setting(1, 0, -1),
    "a closed item": graph(lambda lines: lines[2].__setitem__(1, lines[1][1])),
    "item 0": setting(1, 1, 0),
    "a negative item": setting(1, 1, -1),
    "an item that does not exist": setting(1, 1, 1000),
    "a huge item": setting(1, 1, HUGE),
    "an empty line": graph(lambda lines: lines.insert(2, [])),
    "a node without an item": node(1, lambda line: line.__delitem__(slice(1, None))),
    "a line left out": graph(lambda lines: lines.pop(2)),
    "the last line left out": graph(lambda lines: lines.pop()),
    "a line twice": graph(lambda lines: lines.insert(2, lines[1])),
    "a line too many": graph(lambda lines: lines.append(["1", "1", "0"])),
    "a child before its parent": graph(lambda lines: swap(lines, 1, 2)),
    "the root last": graph(lambda lines: lines.append(lines.pop(1))),
    "no graph": graph(lambda lines: lines.__delitem__(slice(1, None))),
    "no line": graph(lambda lines: lines.clear()),
    "the graph twice": graph(lambda lines: lines.extend(lines[:])),
    "no symmetry": graph(lambda lines: lines.pop(0)),
    "symmetry 0": setting(0, 1, 0),
    "a negative symmetry": setting(0, 1, -1),
    "a symmetry that does not exist": setting(0, 1, 1000),
    "a huge symmetry": setting(0, 1, HUGE),
    "a word for a symmetry": setting(0, 1, "one"),
    "another word": setting(0, 0, "graph"),
}
FILES: dict[str, Forge] = {
    "truncated in the middle": packed(lambda content: content[: len(content) // 2]),
    "truncated at the end": packed(lambda content: content[:-1]),
    "truncated in the header": packed(lambda content: content[:20]),
    "empty": packed(lambda _: b""),
    "not compressed": packed(lambda content: lzma.decompress(content)),
    "a second stream": packed(lambda content: content + content),
    "something behind": packed(lambda content: content + b"\0"),
    "a bit flipped": packed(lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:]),
    "no line break at the end": packed(
        lambda content: lzma.compress(lzma.decompress(content) + b"1")
    ),
    "a bomb in one line": packed(lambda _: lzma.compress(b"symmetry 1\n" + bytes(2**26), preset=0)),
    "a bomb of digits": packed(
        lambda _: lzma.compress(b"symmetry 1\n1 1 " + b"9" * 2**24, preset=0)
    ),
    "a bomb of lines": packed(lambda _: lzma.compress(b"\n" * 2**24, preset=0)),
    "a bomb of children": packed(
        lambda _: lzma.compress(b"symmetry 1\n1 1" + b" 2" * 2**18 + b"\n", preset=0)
    ),
    "a demand for memory": packed(large_dictionary),
    "no graphs": lambda directory: (directory / PROOF).unlink(),
    "no formula": lambda directory: (directory / "formula.opb").unlink(),
    "no symmetries": lambda directory: (directory / "symmetries.json").unlink(),
    "no counts": lambda directory: (directory / "solutions.json").unlink(),
    "a constraint dropped": formula(lambda lines: lines.pop()),
    "the first constraint dropped": formula(lambda lines: lines.pop(0)),
    "a constraint added": formula(lambda lines: lines.append("-1 x1 >= 0 ;\n")),
    "an option required": formula(lambda lines: lines.append("+1 x1 >= 1 ;\n")),
    "an item of two": formula(lambda lines: lines.__setitem__(0, lines[0].replace("= 1", "= 2"))),
    "a weight": formula(lambda lines: lines.__setitem__(0, lines[0].replace("+1", "+2", 1))),
    "a variable in no item": formula(lambda lines: lines.append("-1 x999 >= -1 ;\n")),
    "a variable twice": formula(lambda lines: lines.__setitem__(0, "+1 x1 " + lines[0])),
    "a huge variable": formula(lambda lines: lines.append(f"+1 x{HUGE} = 1 ;\n")),
    "a huge bound": formula(lambda lines: lines.append(f"+1 x1 >= {HUGE} ;\n")),
    "an unknown relation": formula(lambda lines: lines.append("+1 x1 <= 1 ;\n")),
    "no constraint": formula(lambda lines: lines.clear()),
    "no numbers": formula(lambda lines: lines.append("one two three ;\n")),
    "more solutions": data(
        "solutions.json", lambda counts: counts.update(solutions=counts["solutions"] + 1)
    ),
    "no solution": data("solutions.json", lambda counts: counts.update(solutions=0)),
    "a distinct solution more": data(
        "solutions.json", lambda counts: counts["distinct"].update(rotation=1000)
    ),
    "a level more": data("solutions.json", lambda counts: counts["distinct"].update(all=1)),
    "no level": data("solutions.json", lambda counts: counts.pop("distinct")),
    "no symmetry": data("symmetries.json", lambda found: found["symmetries"].clear()),
    "the identity missing": data("symmetries.json", lambda found: found["symmetries"].pop(0)),
    "another symmetry": data(
        "symmetries.json", lambda found: swap(found["symmetries"][-1]["images"], 0, 1)
    ),
    "no permutation": data(
        "symmetries.json", lambda found: found["symmetries"][-1]["images"].__setitem__(0, 2)
    ),
    "an image too few": data(
        "symmetries.json", lambda found: found["symmetries"][-1]["images"].pop()
    ),
    "a huge image": data(
        "symmetries.json", lambda found: found["symmetries"][-1]["images"].__setitem__(0, 10**30)
    ),
    "text for an image": data(
        "symmetries.json", lambda found: found["symmetries"][-1]["images"].__setitem__(0, "1")
    ),
    "an unknown level": data(
        "symmetries.json", lambda found: found["symmetries"][-1].update(level="none")
    ),
    "other variables": data("symmetries.json", lambda found: found["variables"].reverse()),
    "nested": lambda directory: (directory / "symmetries.json").write_text("[" * 100_000),
    "not JSON": lambda directory: (directory / "symmetries.json").write_text("{"),
    "a list": lambda directory: (directory / "symmetries.json").write_text("[1, 2]"),
}
WORDS_OF_PYTHON = ("to unpack", "invalid literal", "Compressed data", "Corrupt", "Input format")
NUMBER = r"(?<=\"solutions\": )\d+"
STATED: dict[str, Forge] = {
    "an extra count": text("solutions.json", r"\{\n", '\\g<0>"nothing": 11,\n'),
    "a count that hides another": data(
        "solutions.json",
        lambda counts: counts["distinct"].update(nothing=counts["solutions"]),
    ),
    "a hidden count": data(
        "solutions.json",
        lambda counts: (
            counts["distinct"].update(nothing=counts["solutions"]),
            counts.update(solutions=999),
        ),
    ),
    "a key twice": text("solutions.json", r"\{\n", '\\g<0>"solutions": 999,\n'),
    "a level twice": text("solutions.json", r'"distinct": \{', '\\g<0>"rotation": 999, '),
    "a fraction": text("solutions.json", NUMBER, r"\g<0>.0"),
    "an exponent": text("solutions.json", NUMBER, r"\g<0>e0"),
    "not a number": text("solutions.json", NUMBER, "NaN"),
    "infinite": text("solutions.json", NUMBER, "Infinity"),
    "huge": text("solutions.json", NUMBER, HUGE),
    "a truth value": text("solutions.json", NUMBER, "true"),
    "a text": text("solutions.json", NUMBER, '"\\g<0>"'),
    "an unknown entry": text("solutions.json", r"\{\n", '\\g<0>"proved": true,\n'),
    "an entry missing": data("solutions.json", lambda counts: counts.pop("sha256")),
    "a name that is no text": data("solutions.json", lambda counts: counts.update(instance=[1])),
    "another instance file": data("solutions.json", lambda counts: counts.update(file="a.toml")),
    "an instance elsewhere": data(
        "solutions.json", lambda counts: counts.update(file=f"../dominoes/{counts['file']}")
    ),
    "another order": data(
        "solutions.json", lambda counts: counts["symmetries"].update(rotation=99)
    ),
    "a byte order mark": text("solutions.json", "^", "\ufeff"),
    "deep": lambda directory: (directory / "solutions.json").write_text("[" * 100_000),
    "no object": lambda directory: (directory / "solutions.json").write_text("[]\n"),
    "empty": lambda directory: (directory / "solutions.json").write_text(""),
    "symmetries: a key twice": text("symmetries.json", r'"level"', '"level": "all", \\g<0>'),
    "symmetries: an unknown entry": text("symmetries.json", r'"level"', '"of": 1, \\g<0>'),
    "symmetries: a fraction": text("symmetries.json", r"(?<=\[)1(?=,)", "1.0"),
    "formula: digits of another script": text("formula.opb", r"(?m)(?<=^\+1 x)\d", "\u0661"),
    "formula: an underscore": text("formula.opb", r"(?m)(?<=^\+1 x)\d", r"0_\g<0>"),
    **{
        f"{file}: {name}": forge
        for file in ("solutions.json", "symmetries.json", "formula.opb", PROOF, "dominoes.toml")
        for name, forge in {
            "a link to an endless device": linked(file, "/dev/zero"),
            "a link to an empty device": linked(file, "/dev/null"),
            "a link to the same": linked_copy(file),
            "a link to nothing": linked(file, "nowhere"),
            "a link to itself": linked(file, file),
            "a pipe": pipe(file),
        }.items()
    },
}
OF_SYMMETRIES: dict[str, Forge] = {
    "a symmetry dropped": data("symmetries.json", lambda found: found["symmetries"].pop()),
    "a rotation dropped": data("symmetries.json", lambda found: found["symmetries"].pop(1)),
    "a level lowered": data(
        "symmetries.json", lambda found: found["symmetries"][-1].update(level="rotation")
    ),
    "the graph of another symmetry": graph(
        lambda lines: [
            line.__setitem__(1, str(4 - int(line[1])))
            for line in lines
            if line[0] == "symmetry" and line[1] in "13"
        ]
    ),
    "the last graph missing": graph(
        lambda lines: lines.__delitem__(
            slice(max(at for at, line in enumerate(lines) if line[0] == "symmetry"), None)
        )
    ),
}
CASES = [
    *(
        (kind, f"graph: {name}", forge)
        for kind in ("dominoes", "queens")
        for name, forge in GRAPHS.items()
    ),
    *(("dominoes", f"file: {name}", forge) for name, forge in FILES.items()),
    *(("dominoes", f"stated: {name}", forge) for name, forge in STATED.items()),
    *(
        (kind, f"symmetries: {name}", forge)
        for kind in ("dominoes", "small")
        for name, forge in OF_SYMMETRIES.items()
    ),
]


def test_there_are_many() -> None:
    assert len(CASES) >= 120


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("counts")
    for name, text in TEXTS.items():
        (folder / f"{name}.toml").write_text(text)
        list(prove(folder / f"{name}.toml", folder / name, count=True))
    return folder


@pytest.mark.parametrize(
    ("kind", "name", "forge"), CASES, ids=[f"{kind}, {name}" for kind, name, _ in CASES]
)
def test_a_forgery_is_refused(
    kind: str, name: str, forge: Forge, certificates: Path, tmp_path: Path
) -> None:
    directory = Path(shutil.copytree(certificates / kind, tmp_path / kind))
    forge(directory)
    with pytest.raises(CheckError) as refuted:
        list(check(directory))
    assert len(str(refuted.value).splitlines()) == 1
    assert not str(refuted.value).startswith("refuted")
    with pytest.raises(SystemExit) as refused:
        check_count.main(directory)
    assert str(refused.value).startswith("refuted: ")
    assert "refuted: " not in str(refused.value)[1:]
    assert len(str(refused.value).splitlines()) == 1
    for message in (str(refuted.value), str(refused.value)):
        assert not any(words in message for words in WORDS_OF_PYTHON), message


@pytest.mark.parametrize("file", ["formula.opb", "solutions.json", "symmetries.json", PROOF])
def test_no_line_of_a_linked_file_is_printed(file: str, certificates: Path, tmp_path: Path) -> None:
    directory = Path(shutil.copytree(certificates / "small", tmp_path / "small"))
    (tmp_path / "private").write_text("symmetry password hunter2\n" * 3)
    linked(file, "../private")(directory)
    with pytest.raises(CheckError) as refuted:
        list(check(directory))
    with pytest.raises(SystemExit) as refused:
        check_count.main(directory)
    complaint = f"{file}: not a regular file; links are not followed"
    assert (str(refuted.value), refused.value.code) == (complaint, f"refuted: {complaint}")


@pytest.mark.parametrize("kind", TEXTS)
def test_a_true_certificate_is_verified(kind: str, certificates: Path) -> None:
    assert list(check(certificates / kind))[-1].startswith("verified: ")
    check_count.main(certificates / kind)


@pytest.mark.parametrize(
    ("error", "message", "status"),
    [
        (KeyboardInterrupt, "stopped: nothing is verified", 130),
        (MemoryError, "refuted: there is not enough memory", 1),
    ],
)
def test_a_stopped_check_ends_in_one_line(
    error: type[BaseException],
    message: str,
    status: int,
) -> None:
    """As a script, because Python prints what `sys.exit` is given."""
    program = (
        "import sys\n"
        "from jigsat.proofs import check_count\n"
        "def stop(_):\n"
        f"    raise {error.__name__}\n"
        "check_count.verify = stop\n"
        "check_count.main(None)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", f"{message}\n", status)
