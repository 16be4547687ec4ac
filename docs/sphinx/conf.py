"""The configuration of the documentation: `make docs` builds the Markdown pages of this folder into site/docs/.

Each block of commands and of Python is run while the page is built, in one folder per page, and its output is shown below it; a
command that fails stops the build. 'Save it as `NAME`' names the file with the block before it. A block is not run if the line
before it is a comment `<!-- not run: why -->`.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
ROOT = HERE.parent
logging.getLogger("jigsat").setLevel(logging.WARNING)  # otherwise Sphinx prints how each search is done

project = "jigsat"
copyright = "the authors of jigsat"
html_theme = "furo"
html_title = "jigsat"
extensions = ["myst_parser"]
myst_heading_anchors = 4
MAX_SHOWN_LINES = 40
"""The number of lines of output that a page shows."""

BLOCK = re.compile(r"^(?P<mark><!-- not run: [^\n]*-->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
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
            run = run_commands(block["code"], folder) if block["language"] == "sh" else run_python(block["code"], folder, names)
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
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "110"}
    printed = []
    for line in code.splitlines():
        if re.match(r"(jigsat|python) (?!serve)", line):
            ended = subprocess.run(
                line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
            )
            if ended.returncode == 2:
                raise RuntimeError(f"{line}: {ended.stderr}")
            printed.append(ended.stdout + "".join(f"{each}\n" for each in ended.stderr.splitlines()))
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
    for name, lines in (("gallery", gallery()), ("command-line", command_line())):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def gallery() -> Iterator[str]:
    """A picture of a solution of every puzzle that comes with jigsat, with what is known about it."""
    import jigsat
    from jigsat import instance

    yield "# Gallery\n"
    yield "Every puzzle that comes with jigsat, with a solution, the known numbers of solutions and their source."
    for path in instance.instances():
        puzzle = instance.load_all(path.stem)[0]
        found = next(jigsat.solutions(puzzle, limit=1, timeout=20), None)
        svg = found.svg() if found else puzzle.svg([])
        (HERE / "generated" / f"{path.stem}.svg").write_text(svg, encoding="utf-8")
        yield f"\n## {path.stem}\n"
        yield f"{puzzle.title or puzzle.summary()}. Family `{puzzle.family}`. Source: {puzzle.source or 'not stated'}.\n"
        known = puzzle.known.model_dump(exclude_none=True, exclude_defaults=True)
        source = known.pop("source", "")
        facts = ", ".join(f"{key} {value:,}" for key, value in known.items() if isinstance(value, int))
        yield f"Known: {facts or 'see the file'} ({source}).\n" if known else ""
        yield f"```{{image}} {path.stem}.svg\n:width: 320px\n:alt: {'a solution' if found else 'the board'} of {path.stem}\n```"


def command_line() -> Iterator[str]:
    """The help of every command."""
    commands = re.findall(r"^│ ([a-z]+) ", run_commands("jigsat --help", str(ROOT)), re.MULTILINE)
    yield "# Command line\n"
    yield "What `jigsat COMMAND --help` prints. [Commands](../commands.md) has a summary, and the exit statuses."
    for command in commands:
        yield f"\n## {command}\n\n```text\n{run_commands(f'jigsat {command} --help', str(ROOT)).rstrip()}\n```"


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("builder-inited", write_reference)
    app.connect("source-read", run_page)
