"""What a run depends on besides its options: the versions of jigsat and of the solver, and the
machine with its load."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jigsat.backends import AUTO, Spec

VERSION_OPTIONS = ("cadical", "clasp", "cryptominisat5", "kissat", "picosat")
"""The programs that print their version if they are asked for it with --version."""

PACKAGES = ("jigsat", "jigsat.encodings")
"""The packages with jigsat's code. While it is developed, they may be in different folders."""

CODE_SUFFIXES = (".py", *EXTENSION_SUFFIXES)  # Python, and the compiled engine

MAX_ANSWER_S = 5.0  # seconds for which a program may take to print its version


def measure_load() -> float | None:
    """The load average of the machine over the last minute; None if it is not known."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def read_niceness() -> int:
    """The niceness of this process, which those below it inherit."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def hash_code() -> str:
    """The hash of jigsat's own code: the names and contents of the Python files of the package and
    its families, and of the compiled engine."""
    contents = {}
    for package in PACKAGES:
        for folder in map(Path, import_module(package).__path__):
            for path in folder.rglob("*"):
                if path.name.endswith(CODE_SUFFIXES):
                    place = path.relative_to(folder).as_posix()
                    contents[f"{package.replace('.', '/')}/{place}"] = path.read_bytes()
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def describe_solver(backend: str, spec: Spec) -> str:
    """The name and version of a solver, of a program also the hash of its file."""
    if backend == AUTO or spec.library == "jigsat":
        return f"jigsat {version('jigsat')}"
    if spec.library == "program":
        return _describe_program(spec.name)
    if spec.library == "sqlite3":
        import sqlite3

        return f"sqlite3 {sqlite3.sqlite_version}"
    try:
        return f"{spec.library} {version(spec.library)}"
    except PackageNotFoundError:
        return spec.library


def _describe_program(name: str) -> str:
    path = Path(shutil.which(name) or name)
    parts = [path.name]
    if path.name in VERSION_OPTIONS:
        parts.append(_ask_version(path))
    return " ".join(filter(None, [*parts, hash_program(name)]))


def hash_program(name: str) -> str:
    """The hash of a program's file, as its description states it."""
    path = Path(shutil.which(name) or name)
    return f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _ask_version(path: Path) -> str:
    """The last word of the first line that a program prints about its version; '' if none."""
    try:
        done = subprocess.run(
            [path.absolute(), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MAX_ANSWER_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stdout.strip().splitlines()
    return lines[0].split()[-1] if lines else ""


def describe_machine() -> str:
    """The processor, the number of cores, the memory and the system."""
    parts = [_name_processor(), f"{os.cpu_count()} cores"]
    if hasattr(os, "sysconf"):
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        parts.append(f"{pages / 2**30:.0f} GiB")
    parts.append(f"{platform.system()} {platform.release()}")
    return ", ".join(parts)


def _name_processor() -> str:
    file = Path("/proc/cpuinfo")
    if file.exists():
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
