"""The command line, run as by a user."""

from __future__ import annotations

import subprocess
import sys

from support import forked

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]
"""The beginning of a command for a separate process."""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run one command to its end in a fork of this process, with its output as text."""
    ended = forked.run(*arguments)
    return subprocess.CompletedProcess(arguments, ended.status, ended.out, ended.err)
