"""What the worker of the page imports is there in a browser as well."""

from __future__ import annotations

import subprocess
import sys

MISSING = ("resource", "fcntl", "termios", "pwd", "grp")
"""Modules of the standard library that Pyodide lacks, although this machine may have them."""

PROGRAM = """
import sys
for name in {missing}:
    sys.modules[name] = None
import jigsat.web.answering
"""


def test_the_worker_imports_nothing_that_browsers_lack() -> None:
    program = PROGRAM.format(missing=MISSING)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
