"""The configuration of the documentation: `make docs` builds the Markdown pages of this folder into
site/docs/.

Each block of commands and of Python is run while the page is built, in one folder per page, and its
output is shown below it; a command that fails stops the build. 'Save it as `NAME`' names the file
with the block before it. A block is not run if the line before it is a comment `<!-- not run: why
-->`.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
ROOT = HERE.parent
logging.getLogger("jigsat").setLevel(
    logging.WARNING
)  # otherwise Sphinx prints how each search is done

project = "jigsat"
copyright = "the authors of jigsat"
html_theme = "furo"
html_title = "jigsat"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
MAX_MEASURED_S = 8.0
"""The limit of the rating and of the count of each puzzle in the gallery, in seconds."""

MAX_SHOWN_LINES = 40
"""The number of lines of output that a page shows."""

BLOCK = re.compile(
    r"^(?P<mark><!-- not run: [^\n]*-->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SAVED = re.compile(r"Save it as `([\w.]+)`")


def run_page(app: Any, name: str, source: list[str]) -> None:
    """Put the output of each block of a page below it."""
    if name.startswith("generated/"):
        return
    with tempfile.TemporaryDirectory() as folder:
        save_files(source[0], Path(folder))
        names: dict[str, object] = {}

        def shown(block: re.Match[str]) -> str:
            if block["mark"] or block["language"] not in ("sh", "python"):
                return block[0]
            run = (
                run_commands(block["code"], folder)
                if block["language"] == "sh"
                else run_python(block["code"], folder, names)
            )
            lines = run.rstrip().splitlines()
            if len(lines) > MAX_SHOWN_LINES:
                lines[MAX_SHOWN_LINES:] = [f"… {len(lines) - MAX_SHOWN_LINES} more lines"]
            return block[0] + ("\n\n```text\n" + "\n".join(lines) + "\n```" if lines else "")

        source[0] = BLOCK.sub(shown, source[0])


def save_files(text: str, folder: Path) -> None:
    """Write the files that the reader of any page is told to save, those of this page last."""
    shutil.copy(ROOT / "docs/sphinx/puzzles.txt", folder)
    for page in [*sorted(HERE.rglob("*.md")), None]:
        content = page.read_text(encoding="utf-8") if page else text
        for match in SAVED.finditer(content):
            *_, block = BLOCK.finditer(content[: match.start()])
            (folder / match[1]).write_text(block["code"], encoding="utf-8")


def run_commands(code: str, folder: str) -> str:
    """What the commands of jigsat in a block print, each in the folder of its page."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "110",
    }
    printed = []
    for line in code.splitlines():
        if re.match(r"(jigsat|python) (?!serve)", line):
            ended = subprocess.run(
                line,
                shell=True,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            if ended.returncode == 2:
                raise RuntimeError(f"{line}: {ended.stderr}")
            printed.append(
                ended.stdout + "".join(f"{each}\n" for each in ended.stderr.splitlines())
            )
    return "".join(printed)


def run_python(code: str, folder: str, names: dict[str, object]) -> str:
    """What a block of Python prints."""
    printed, here = io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, names)
    finally:
        os.chdir(here)
    return printed.getvalue()


def write_reference(app: Any) -> None:
    """Write the pages that are made from the program itself."""
    folder = HERE / "generated"
    folder.mkdir(exist_ok=True)
    pages = {
        "gallery": gallery,
        "command-line": command_line,
        "families": families,
        "functions": functions,
        "packages": packages,
        "json": json_output,
        "ledger": ledger_format,
    }
    for name, lines in ((name, write()) for name, write in pages.items()):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def gallery() -> Iterator[str]:
    """Pictures of every puzzle that comes with jigsat, unsolved and solved, with what is known
    about it."""
    import jigsat
    from jigsat import instance
    from jigsat.pictures.unsolved import opening

    yield "# Gallery\n"
    yield (
        "Every puzzle that comes with jigsat, before and after, with the known numbers of "
        "solutions and their source. The"
    )
    yield (
        "difficulty is that of `jigsat rate`, and the seconds are those of `jigsat count` when "
        "this page was built;"
    )
    yield "both were stopped after"
    yield f"{MAX_MEASURED_S:g} seconds. A link opens the puzzle on the [page](../page.md)."
    for path in instance.instances():
        puzzle = instance.load_all(path.stem)[0]
        found = next(jigsat.solutions(puzzle, limit=1, timeout=20), None)
        pictures = {"unsolved": opening(puzzle.parts())} | (
            {"solved": found.svg()} if found else {}
        )
        for kind, svg in pictures.items():
            (HERE / "generated" / f"{path.stem}-{kind}.svg").write_text(
                svg or puzzle.svg([]), encoding="utf-8"
            )
        yield f"\n## {path.stem}\n"
        yield (
            f"{puzzle.title or puzzle.summary()}. Family `{puzzle.family}`. Source: "
            f"{puzzle.source or 'not stated'}.\n"
        )
        known = puzzle.known.model_dump(exclude_none=True, exclude_defaults=True)
        source = known.pop("source", "")
        facts = ", ".join(
            f"{key} {value:,}" for key, value in known.items() if isinstance(value, int)
        )
        yield f"Known: {facts or 'see the file'} ({source}).\n" if known else ""
        yield (
            f"{measure(puzzle)} <a href='../../index.html#puzzle={path.stem}'>Open it on the "
            f"page</a>\n"
        )
        for kind in pictures:
            yield (
                f"```{{image}} {path.stem}-{kind}.svg\n:width: 320px\n:alt: {path.stem}, "
                f"{kind}\n```"
            )


def measure(puzzle: Any) -> str:
    """The difficulty of a puzzle, the time of a count, and the size of the formula."""
    import jigsat
    from jigsat.formula import Lowered
    from jigsat.rating.difficulty import rating
    from jigsat.runtime.child import apart

    formula = puzzle.encode()
    lowered = Lowered(formula)
    said = [f"{formula.top:,} variables and {sum(lowered.sizes().values()):,} clauses"]
    try:
        found = apart(rating, puzzle, timeout=MAX_MEASURED_S)
        said.append(f"{found.level}, effort {found.effort:,}")
    except jigsat.Stopped:
        said.append("not rated in time")
    result = jigsat.count(puzzle, timeout=MAX_MEASURED_S)
    how = f"by {result.established_by}" + (
        f", {result.backend}" if result.backend != result.established_by else ""
    )
    said.append(
        f"counted in {result.seconds:.2f} s ({how})" if result.complete else "not counted in time"
    )
    return f"{'; '.join(said)}."


JSON_COMMANDS = (
    "jigsat solve cats --json",
    "jigsat count cube --json",
    "jigsat unique sudoku-hard --json",
    "jigsat candidates sudoku-4x4-empty --json",
    "jigsat estimate cats --json",
    "jigsat sample cats --json",
    "jigsat rate sudoku-hard --json",
    "jigsat compare cats --backends cadical195 --json",
    "jigsat backends --json",
    "jigsat list --json",
)
MAX_SHOWN_ITEMS, MAX_SHOWN_CHARACTERS = 2, 400


def json_output() -> Iterator[str]:
    """The JSON objects of the commands, as they were printed when the page was built."""
    yield "# JSON output\n"
    yield (
        "What the commands print with `--json`, as printed when this page was built; long "
        "lists and texts are cut off"
    )
    yield "here (`…`)."
    yield (
        "The entry `schema` is increased by any change that could break a program that reads "
        "the output. The exit"
    )
    yield "statuses are in"
    yield "[Commands](../commands.md)."
    for command in JSON_COMMANDS:
        printed = json.loads(run_commands(command, str(ROOT)).splitlines()[0])
        shown = json.dumps(shorten(printed), indent=1, ensure_ascii=False)
        yield f"\n## {command.split()[1]}\n\n`{command}`\n\n```json\n{shown}\n```"


def shorten(value: Any) -> Any:
    """The first entries of long lists, and the beginning of long texts."""
    if isinstance(value, list):
        return [
            *map(shorten, value[:MAX_SHOWN_ITEMS]),
            *(["…"] if len(value) > MAX_SHOWN_ITEMS else []),
        ]
    if isinstance(value, dict):
        return {key: shorten(each) for key, each in value.items()}
    return (
        f"{value[:MAX_SHOWN_CHARACTERS]}…"
        if isinstance(value, str) and len(value) > MAX_SHOWN_CHARACTERS
        else value
    )


def ledger_format() -> Iterator[str]:
    """The tables and the header of a ledger."""
    from jigsat.ledger import file, headers

    tables = file.TABLES.read_text(encoding="utf-8").strip()
    yield "# Ledgers\n"
    yield f"A ledger is an SQLite file, format {file.FORMAT_VERSION} (`PRAGMA user_version`). [Long"
    yield "counts](../cluster.md) explains"
    yield (
        "what it is for. `jigsat ledger FILE` shows it, and `--audit` checks it. The files of "
        "a certificate are described in"
    )
    yield f"[Proofs](../proofs.md).\n\n```sql\n{tables}\n```\n"
    yield "The table `header` has one row, a JSON object of one of these kinds:\n"
    for kind in (headers.CountHeader, headers.ListHeader, headers.PuzzlesHeader):
        names = ", ".join(f"`{field.alias or name}`" for name, field in kind.model_fields.items())
        yield (
            f"- **{kind.__name__}**: {' '.join((inspect.getdoc(kind) or '').split())} Entries: "
            f"{names}.\n"
        )


def command_line() -> Iterator[str]:
    """The help of every command."""
    commands = re.findall(r"^│ ([a-z]+) ", run_commands("jigsat --help", str(ROOT)), re.MULTILINE)
    yield "# Command line\n"
    yield (
        "What `jigsat COMMAND --help` prints. [Commands](../commands.md) has a summary, and "
        "the exit statuses."
    )
    for command in commands:
        text = run_commands(f"jigsat {command} --help", str(ROOT)).rstrip()
        yield f"\n## {command}\n\n```text\n{text}\n```"


def families() -> Iterator[str]:
    """The entries of the instance files of every family, from their JSON Schemas."""
    from jigsat import instance
    from jigsat.instance.json_schema import schema

    yield "# Entries by family\n"
    yield (
        "The entries of the file of each family. [Instance files](../instances.md) explains "
        "them with examples."
    )
    for kind in instance.every_family():
        described = schema(kind)
        yield (
            f"\n## {kind.family}\n\n{described.get('description', '')}\n\n| entry | meaning | "
            f"default |\n| --- | --- | --- |"
        )
        for name, entry in described["properties"].items():
            default = (
                "required"
                if name in described["required"]
                else f"`{json.dumps(entry['default'])}`"
                if "default" in entry
                else ""
            )
            yield (
                f"| `{name}` | {entry.get('description', '').replace('|', chr(92) + '|')} | "
                f"{default} |"
            )


def functions() -> Iterator[str]:
    """The names that `import jigsat` provides, with their signatures and docstrings."""
    import jigsat

    yield "# Functions and classes\n"
    yield (
        "The functions and classes of `import jigsat`. [Python](../python.md) has an "
        "introduction; a test runs the examples."
    )
    for name in sorted(dir(jigsat), key=str.lower):
        if callable(member := getattr(jigsat, name)):
            shown = (
                f"class {name}" if inspect.isclass(member) else f"{name}{inspect.signature(member)}"
            )
            first, _, rest = (inspect.getdoc(member) or "").partition("\n\n")
            yield f"\n## {name}\n\n```text\n{shown}\n```\n\n{first}\n" + (
                f"\n```text\n{rest}\n```" if rest else ""
            )


def packages() -> Iterator[str]:
    """The packages by layer, from the contract that the tests compare with the code, and the
    dependencies."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = read["tool"]["importlinter"]["contracts"][0]["layers"]
    yield "# Packages and dependencies\n"
    yield (
        "A package imports only from packages below it. [Contributing](../contributing.md) "
        "says what each one does.\n"
    )
    yield "```{image} packages.svg\n:alt: the packages of jigsat by layer\n```\n"
    (HERE / "generated/packages.svg").write_text(
        draw_layers([layer.split(" | ") for layer in layers]), encoding="utf-8"
    )
    yield "## Why each dependency\n"
    used = {re.split("[<>=;]", each)[0] for each in read["project"]["dependencies"]}
    if used != REASONS.keys():
        raise RuntimeError(f"REASONS and the dependencies differ: {sorted(used ^ REASONS.keys())}")
    yield from (
        "| package | what for |",
        "| --- | --- |",
        *(f"| {name} | {why} |" for name, why in REASONS.items()),
    )


REASONS = {
    "python-sat": "the SAT solvers that are used unless another backend is named",
    "z3-solver": "the SMT solver, with XORs and sums as they are",
    "networkx": "graphs of boards",
    "pydantic": "reading instance files, their errors and their JSON Schemas",
    "typer": "the command line",
    "rich": "tables and colours in the terminal",
    "dratify": "the verification of proofs",
    "cdclkit-native": "the same, compiled",
    "coloraide": "the names of colours and the distances between them",
}


def draw_layers(layers: list[list[str]]) -> str:
    """A box for each package and a row for each layer, as an SVG document."""
    boxes = "".join(
        f'<rect x="{i * 130 + 5}" y="{j * 44 + 5}" width="120" height="32" rx="6" fill="#dbeafe" '
        f'stroke="#1d4ed8"/>'
        f'<text x="{i * 130 + 65}" y="{j * 44 + 26}" text-anchor="middle" '
        f'font-family="sans-serif" font-size="14">{name}</text>'
        for j, row in enumerate(layers)
        for i, name in enumerate(row)
    )
    size = f"0 0 {130 * max(map(len, layers))} {44 * len(layers)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" width="500">{boxes}</svg>'


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("builder-inited", write_reference)
    app.connect("source-read", run_page)
