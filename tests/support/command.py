"""The command line, run as its user runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, with its output as text."""
    return subprocess.run([*JIGSAT, *map(str, arguments)], capture_output=True, text=True, timeout=120)
