"""The commands, Python code and instances in README and docs are run in the order of each page, in
a separate folder."""

from __future__ import annotations

import ast
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from fuzz import corpus
from fuzz.cases import options
from support import inside
from support.forked import Ended, run
from support.png import png

import jigsat
from jigsat import instance
from jigsat.backends.engine import INSTALL
from jigsat.errors import InputError
from jigsat.instance import registry

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if path.parent.name != "generated" and path.name != "index.md"
    ),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"`(?:\.venv/bin/)?((?:jigsat|make) [^`\n]+)`")

MEANT = {"INSTANCE": "cube", "INSTANCE...": "cube", "FILE": "file.cnf"}
"""Values for the words in capitals; the others are files of the fixture."""

ENDS = {
    "jigsat generate lights-out --set presses=15": 3,
    "jigsat generate interlocking --set size=3": 3,
}
"""Commands with an exit status other than 0: the page states that there is no such puzzle."""

LIBRARIES = ("clingo", "igraph", "ortools", "pycryptosat", "typst")
"""Modules of the extras that commands of the pages need."""

CHANGING = r"\d+\.\d+ s\b|\b\d+ steps|\b\d+\.\d+\.\d+\b"
"""Times, lengths of proofs and versions, which vary between machines."""

LONG = (
    "adding-a-backend",
    "candidates",
    "cluster",
    "commands",
    "compare",
    "difficulty",
    "five-ways",
    "generating",
    "glossary",
    "instances",
    "lesson",
    "printing",
    "proofs",
    "python",
    "tiles-to-print",
)
"""Pages whose commands and code take more than three seconds of processor time; a quick run only
looks whether their commands and options exist."""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)

each_page_that_is_run = pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page.stem in LONG else [], id=page.stem)
        for page in PAGES
    ],
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages mention."""
    (tmp_path / "ANSWER").write_bytes(corpus.answers("cube")["competition"])
    (tmp_path / "puzzles.txt").write_text(corpus.SUDOKUS * 3)
    for page in PAGES:
        for name, text in saved(page).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for variable in (
        "ARGS",
        "MAKEFLAGS",
        "MAKEOVERRIDES",
        "MFLAGS",
    ):  # of `make test ARGS=…`, not of the page's commands
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(registry, "_registered", {})
    return tmp_path


def saved(page: Path) -> dict[str, str]:
    """The files that the reader of a page is told to save: for each, the block before 'Save it
    as'."""
    files = {}
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"Save it as `([\w.]+)`", text):
        *_, (_, files[match[1]]) = BLOCK.findall(text[: match.start()])
    return files


def _blocks(page: Path, language: str) -> list[str]:
    return [
        code for tag, code in BLOCK.findall(page.read_text(encoding="utf-8")) if tag == language
    ]


@each_page_that_is_run
def test_commands(page: Path, folder: Path) -> None:
    printed, skipped = "", list[str]()
    for command in _commands(page):
        ended = _run(command, folder)
        expected = ENDS.get(command, 0)
        if ended.status != expected and (library := _name_missing_library(ended.err)):
            skipped.append(f"{command}: {library} is missing")
            continue
        assert ended.status == expected, f"{command}: {ended}"
        printed += ended.out
    if skipped:  # some of the lines below are printed by these commands
        pytest.skip("; ".join(skipped))
    for block in _blocks(page, ""):
        for line in block.splitlines():
            assert line.startswith("$ ") or re.search(_pattern(line), printed, re.MULTILINE), (
                f"{line!r} is printed by none of them"
            )


def _name_missing_library(message: str) -> str:
    """A library of an extra that a message names and that cannot be imported; '' if there is
    none."""
    for library in LIBRARIES:
        if re.search(rf"\b{library}\b", message):
            try:
                import_module(library)
            except ImportError:
                return library
    return ""


@pytest.mark.parametrize("absent", [True, False], ids=["absent", "installed"])
def test_only_commands_without_their_library_are_skipped(
    absent: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = "print('jigsat: cats.pdf: .pdf files need typst', file=sys.stderr); sys.exit(2)"
    (tmp_path / "refuse.py").write_text(f"import sys; {refused}")
    page = tmp_path / "page.md"
    page.write_text("```sh\npython refuse.py\n```\n")
    monkeypatch.setitem(sys.modules, "typst", None if absent else ModuleType("typst"))
    expected = pytest.skip.Exception if absent else AssertionError
    with pytest.raises(expected, match="typst"):
        test_commands(page, tmp_path)


def _commands(page: Path) -> Iterator[str]:
    """The commands of a page in order, between backticks and in blocks."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"{BLOCK.pattern}|{COMMAND.pattern}", text, BLOCK.flags):
        if match[3]:
            yield match[3].partition("|")[0].strip()
        elif match[1] == "sh":
            yield from filter(
                None, (re.split("[#|>]", line)[0].strip() for line in match[2].splitlines())
            )
        elif match[1] == "":
            yield from (
                line.removeprefix("$ ") for line in match[2].splitlines() if line.startswith("$ ")
            )


def _run(command: str, folder: Path) -> Ended:
    program, *named = [MEANT.get(word, word) for word in shlex.split(command)]
    words = [
        each
        for word in named
        for each in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    if program == "make":
        return _make(words, folder)
    if program == "python":
        script, *arguments = words
        return run(
            *arguments, folder=folder, program=partial(runpy.run_path, script, run_name="__main__")
        )
    return _jigsat(words, folder)


def _jigsat(words: list[str], folder: Path) -> Ended:
    """Run a command, unless it is only mentioned or runs until Ctrl-C."""
    if words[0] == "serve" or (len(words) == 1 and words[0] not in ("list", "backends")):
        assert options(words[0])
        return Ended(0, "", "")
    return _backends() if words == ["backends"] else run(*words, folder=folder)


@cache
def _backends() -> Ended:
    """What several pages show; each run probes every backend."""
    return run("backends")


def _make(words: list[str], folder: Path) -> Ended:
    """The target must exist; if it runs a command of jigsat, this is run."""
    recipe = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert recipe.returncode == 0, recipe.stderr
    commands = [
        line.split()[1:]
        for line in recipe.stdout.splitlines()
        if line.startswith(".venv/bin/jigsat ")
    ]
    return _jigsat(commands[0], folder) if len(commands) == 1 else Ended(0, "", "")


def _pattern(line: str) -> str:
    """A regular expression for a printed line in which … and values that vary may be anything."""
    parts = re.split(f"…|{CHANGING}", line)
    return "^" + ".*".join(map(re.escape, parts)) + "$"


@each_page
def test_mentioned_options_exist(page: Path) -> None:
    known = frozenset[str]().union(*map(options, _every_command()))
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    spoken = {
        option
        for code in re.findall(r"`([^`\n]+)`", text)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", code)
    }
    assert spoken <= known | {"--help"} | OTHERS


@each_page
def test_commands_and_their_options_exist(page: Path) -> None:
    for command in _commands(page):
        program, *words = shlex.split(command)
        if program == "jigsat" and words[0] != "--help":
            given = {word.partition("=")[0] for word in words if word.startswith("--")}
            assert given <= options(words[0]) | {"--help"}, command


OTHERS = {"--no-sandbox", "--lists"}
"""Options of other programs, and of the scripts in bench."""


@cache
def _every_command() -> list[str]:
    listed = run("--help").out
    return re.findall(r"^│ ([a-z]+) ", listed, re.MULTILINE)


@each_page_that_is_run
def test_python(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for code in _blocks(page, "python"):
        lines = code.splitlines()
        for statement in ast.parse(code).body:
            source = ast.unparse(statement)
            said = lines[(statement.end_lineno or 0) - 1].rpartition("  # ")[2]
            if isinstance(statement, ast.Expr) and _is_literal(said):
                assert eval(source, names) == ast.literal_eval(said), source
            else:
                _execute(source, names)


def _execute(source: str, names: dict[str, object]) -> None:
    """Run a statement; the test is skipped if it needs a library that is missing."""
    try:
        exec(source, names)
    except InputError as error:
        if library := _name_missing_library(str(error)):
            pytest.skip(f"{source}: {library} is missing")
        raise


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


@each_page
def test_instances(page: Path, folder: Path, tmp_path: Path) -> None:
    for name in saved(page):
        if name.endswith(".py"):
            runpy.run_path(name)  # registers a family
    for i, text in enumerate(_blocks(page, "toml")):
        path = tmp_path / f"{i}.toml"
        for picture in re.findall(r'"([\w/]+\.(?:png|svg))"', text):
            (tmp_path / picture).parent.mkdir(exist_ok=True)
            (tmp_path / picture).write_bytes(png(1, 1))
        path.write_text(
            text if "family =" in text else f'family = "lights-out"\nlit = "all"\n{text}'
        )  # only an entry
        puzzle = jigsat.load(path)
        assert next(jigsat.solutions(puzzle), None), text


def test_make_help_lists_every_target() -> None:
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    targets = set(phony[1].split()) - {"help"}
    assert targets == {
        line.split()[0] for line in listed.splitlines() if line.split()[0] in targets
    }


@pytest.mark.parametrize(
    "page", [ROOT / "CONTRIBUTING.md", ROOT / "docs/engine.md", ROOT / "docs/adding-a-backend.md"]
)
def test_names_of_the_code_exist(page: Path) -> None:
    sources = [
        path.read_text()
        for folder in ("src", "tests/support")
        for kind in ("py", "c", "h", "toml")
        for path in (ROOT / folder).rglob(f"*.{kind}")
    ]
    words = set(
        re.findall(
            r"\w+",
            "\n".join(
                [*sources, (ROOT / "pyproject.toml").read_text(), (ROOT / "Makefile").read_text()]
            ),
        )
    )
    names = re.findall(
        r"`([A-Za-z_][\w.]*_\w*|[A-Z]\w*\.\w+|[A-Z][a-z]+[A-Z]\w*)(?:\(.*?\))?`", page.read_text()
    )
    assert names
    missing = [
        name
        for name in names
        if not words.issuperset(re.findall(r"\w+", name)) and not (ROOT / name).exists()
    ]
    assert not missing


def test_the_strip_in_the_readme_is_up_to_date() -> None:
    drawn = runpy.run_path(str(ROOT / "docs/sphinx/strip.py"))["draw_strip"]()
    assert drawn == (ROOT / "docs/strip.svg").read_text(encoding="utf-8")
    assert "4 solutions, 1 up to rotation" in drawn


@pytest.mark.slow
def test_generated_pages_leave_nothing_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages that `make docs` writes, without its slow part: solving the puzzles of the
    gallery."""
    monkeypatch.setattr(jigsat, "solutions", lambda *_, **__: iter(()))
    monkeypatch.setenv("COLUMNS", "110")
    site = runpy.run_path(str(ROOT / "docs/sphinx/conf.py"))
    names = site["write_reference"].__globals__
    monkeypatch.setitem(names, "HERE", tmp_path)
    monkeypatch.setitem(names, "measure", lambda _: "not measured")
    monkeypatch.setitem(names, "run_commands", _printed)
    site["write_reference"](None)

    for page, headings in (
        ("gallery", [path.stem for path in instance.instances()]),
        ("command-line", ["solve", "generate"]),
        ("families", [kind.family for kind in instance.every_family()]),
        ("functions", [name for name in jigsat.__all__ if callable(getattr(jigsat, name))]),
        ("packages", ["Why each dependency"]),  # it stops if a dependency has no reason
        ("json", ["solve", "backends"]),
    ):
        text = (tmp_path / "generated" / f"{page}.md").read_text(encoding="utf-8")
        assert not [heading for heading in headings if f"\n## {heading}\n" not in text]
    ledger = (tmp_path / "generated/ledger.md").read_text(encoding="utf-8")
    assert "CREATE TABLE header" in ledger
    for path in instance.instances():
        assert (tmp_path / "generated" / f"{path.stem}-unsolved.svg").stat().st_size


def _printed(command: str, folder: str) -> str:
    """What a command of jigsat prints, without starting Python again, and without the slow probes
    of every backend."""
    _, *words = shlex.split(command)
    if words == ["backends", "--json"]:
        return "{}"
    ended = run(*words, folder=Path(folder))
    assert ended.status == 0, f"{command}: {ended}"
    return ended.out


@each_page
def test_links_between_pages_resolve(page: Path) -> None:
    for target in re.findall(
        r"\]\(([^)\s]+)\)", re.sub("`[^`\n]+`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))
    ):
        if not target.startswith(("http:", "https:")):
            path, _, heading = target.partition("#")
            linked = page.parent / path if path else page
            assert linked.exists(), target
            anchors = (
                {
                    re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
                    for title in re.findall(
                        r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE
                    )
                }
                if linked.suffix == ".md"
                else set()
            )
            assert not heading or heading in anchors, target


def test_help_shows_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    listed = inside.jigsat(capsys, "help").out
    assert listed.splitlines()[-1].startswith("Pages: adding-a-backend, benchmarks, ")
    for page in PAGES[1:]:
        shown = inside.jigsat(capsys, "help", page.stem).out
        assert shown.strip() == page.read_text(encoding="utf-8").strip()
    refused = inside.jigsat(capsys, "help", "prooofs").err
    assert refused == "jigsat: help: unknown page 'prooofs'; did you mean 'proofs'?\n"


def test_pages_that_messages_name_exist() -> None:
    named = {
        page
        for path in (ROOT / "src").rglob("*.py")
        for page in re.findall(r"docs/([\w-]+)\.md", path.read_text(encoding="utf-8"))
    }
    assert named
    assert not [page for page in named if not (ROOT / "docs" / f"{page}.md").exists()]


def test_extras_that_messages_and_pages_name_exist() -> None:
    """pip adds an extra to jigsat where it is installed, without looking for jigsat in an index."""
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "encodings").rglob("*.py"), *PAGES]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(re.findall(r"pip install [^\n`]*?(?:jigsat|\.)\[(\w+)\]", texts))
    assert {"web", "print", "symmetry"} <= named <= project["optional-dependencies"].keys()
    assert not re.search(r"pip install (?:-\S+ )*jigsat\b(?!\[)", texts), "it is in no index"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem.startswith(("README", "start-", "page"))]
)
def test_pages_that_begin_with_the_set_up_name_the_compiler(page: Path) -> None:
    assert "C compiler" in " ".join(page.read_text(encoding="utf-8").split())


def test_without_a_c_compiler_make_says_so(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    ended = subprocess.run(
        ["make", "--no-print-directory", "list", "CC=no-compiler"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode != 0
    assert ended.stdout.splitlines()[0].startswith("jigsat needs a C compiler, such as gcc")


def test_the_remedy_for_a_missing_engine_builds_it(folder: Path) -> None:
    program, *words = shlex.split(INSTALL.rpartition(": ")[2])
    assert program == "make"
    recipe = subprocess.run(
        ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "rm -rf build/__editable__*" in recipe.stdout and " -e ." in recipe.stdout
