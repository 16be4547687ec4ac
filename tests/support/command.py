"""The command line, run as its user runs it."""

from __future__ import annotations

import subprocess
import sys

from support import forked

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]
"""The start of a command that is a process of its own."""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run one command to its end in a fork of this process, with its output as text."""
    ended = forked.run(*arguments)
    return subprocess.CompletedProcess(arguments, ended.status, ended.out, ended.err)
