"""Writes the tables of docs/benchmarks.md: `make bench`, or python bench/tables.py [NAME …]

A table stands between two comments, `<!-- table NAME -->` and `<!-- end NAME -->`. It is what the
script of this name prints, below a line with the version, the machine and the date. Without a name
all scripts run, one after the other. Each table is written as soon as its script ends.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import find_commit, machine

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"

SCRIPTS = {
    "defaults": "bench.py",
    "walls": "walls.py",
    "own-models": "rivals.py",
    "encodings": "heule.py",
}


SOLVERS = ("python-sat", "z3-solver", "clingo", "ortools", "xcover", "pycryptosat")


def run(name: str) -> str:
    """What a script prints, which is also shown. Raises SystemExit if it fails."""
    command = [sys.executable, str(HERE / SCRIPTS[name])]
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        raise SystemExit(
            f"{SCRIPTS[name]}: exit status {process.returncode}; the page is unchanged"
        )
    return "".join(lines).strip()


def replace_table(page: str, name: str, text: str) -> str:
    """The page with another text between the comments.

    >>> replace_table("a\\n<!-- table x -->\\nold\\n<!-- end x -->\\nb", "x", "new")
    'a\\n<!-- table x -->\\n\\nnew\\n\\n<!-- end x -->\\nb'
    """
    begin, end = f"<!-- table {name} -->\n", f"<!-- end {name} -->"
    before, found, rest = page.partition(begin)
    _, ends, after = rest.partition(end)
    if not found or not ends:
        raise SystemExit(f"{PAGE}: no table {name}")
    return f"{before}{begin}\n{text}\n\n{end}{after}"


def list_solvers() -> str:
    """The solvers that the scripts may run, with their versions."""
    installed = {package: find_version(package) for package in SOLVERS}
    return ", ".join(f"{package} {number}" for package, number in installed.items() if number)


def find_version(package: str) -> str:
    """The version of a package, '' if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCRIPTS))
    names = parser.parse_args().names or list(SCRIPTS)
    for name in names:
        if name not in SCRIPTS:
            parser.error(f"no table {name}; use {', '.join(SCRIPTS)}")
    for name in names:
        started = time.monotonic()
        text = run(name)
        minutes = (time.monotonic() - started) / 60
        date = time.strftime("%Y-%m-%d")
        where = f"jigsat {version('jigsat')} ({find_commit()}), {machine()}, {date}"
        page = PAGE.read_text(encoding="utf-8")
        line = f"{where}, in {minutes:.0f} minutes, with {list_solvers()}:"
        PAGE.write_text(replace_table(page, name, f"{line}\n\n{text}"), encoding="utf-8")


if __name__ == "__main__":
    main()
