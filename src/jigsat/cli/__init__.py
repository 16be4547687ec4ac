"""The command line: `jigsat COMMAND`. `EXIT_STATUS` in `common` lists the exit statuses."""

import gc
import os
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import NoReturn

from jigsat.errors import CheckError, InputError, Interrupted, Stopped, printable

# by what stopped a run
REMEDIES = {
    "timeout": "; --timeout raises the limit",
    "memory": "; --memory raises the limit",
    "crash: a process of jigsat was killed by SIGKILL": (
        "; if the memory was full, end other programs or ask for fewer --jobs, and start it again"
    ),
}

COMMANDS = {
    "Solve puzzles": {
        "solve": "solve",
        "count": "solve",
        "unique": "judge",
        "candidates": "candidates",
        "steps": "steps",
        "hint": "steps",
        "estimate": "sample",
        "sample": "sample",
        "list": "look",
        "serve": "serve",
        "help": "look",
    },
    "Make and print puzzles": {"generate": "generate", "rate": "judge", "sheet": "sheet"},
    "Encodings, solvers and proofs": {
        "explain": "look",
        "compare": "compare",
        "backends": "look",
        "prove": "prove",
        "check": "prove",
    },
    "Exchange files with other programs": {
        "import": "files",
        "faults": "files",
        "export": "files",
        "decode": "files",
    },
    "Long runs": {"ledger": "ledger"},
    "Write instances and families": {"schema": "authors", "new": "authors"},
}
"""The commands under their headings in `jigsat --help`, each with its module: it starts faster
without those of the others."""


def main() -> None:
    """Run the command line and exit with its status."""
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "__all__"
    )  # looking for them in all installed packages takes 10 ms
    gc.set_threshold(
        200_000
    )  # formulas and boards have many objects without cycles; looking for cycles would cost a sixth
    signals = []
    for number in Interrupted.SIGNALS:
        if signal.getsignal(number) in (
            signal.SIG_DFL,
            signal.default_int_handler,
        ):  # else it is ignored, as by nohup
            signal.signal(number, _leave_at_once)
            signals.append(number)

    from jigsat.cli.streams import take_over, why_output_was_lost

    take_over()
    status, complaint = _run_command(signals)
    if complaint:
        print(f"jigsat: {complaint}", file=sys.stderr)
    if lost := why_output_was_lost():
        print(f"jigsat: {lost}", file=sys.stderr)
        status = status or 3
    sys.stderr.flush()
    # otherwise Python looks for cycles among all objects once more before it exits, which takes 50
    # ms
    gc.freeze()
    raise SystemExit(status)


def _run_command(signals: list[int]) -> tuple[int, str]:
    """Run the command; returns its exit status and an error message, if any."""
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    modules = {name: module for commands in COMMANDS.values() for name, module in commands.items()}
    for module in [modules[command]] if command in modules else {*modules.values()}:
        import_module(f"jigsat.cli.{module}")  # this adds its commands to the application
    from jigsat.cli.common import app, run_command
    from jigsat.runtime.child import keep_interrupts
    from jigsat.runtime.limits import dropped_stops_unreported

    if "_JIGSAT_COMPLETE" in os.environ:  # a shell asks for completions
        app(prog_name="jigsat")
    try:
        keep_interrupts(signals)
        with warnings.catch_warnings(), dropped_stops_unreported():
            warnings.showwarning = _warn
            return run_command(sys.argv[1:], COMMANDS)
    except InputError as error:
        return 2, str(error)
    except Stopped as error:
        return 3, f"{error}{REMEDIES.get(error.reason, '')}"
    except MemoryError:
        return 3, "out of memory"
    # such as too many processes; errors of the user's files are caught where the files are used
    except OSError as error:
        return 3, printable(f"the system refused: {error}")
    except CheckError as error:
        return 1, str(error)
    except KeyboardInterrupt as error:
        asked = error if isinstance(error, Interrupted) else Interrupted()
        return asked.status, str(asked)


def _leave_at_once(number: int, _: FrameType | None) -> NoReturn:
    """Exit on a signal during imports, because some libraries swallow exceptions while they are
    being imported."""
    with suppress(OSError):
        os.write(2, f"jigsat: {Interrupted(number)}\n".encode())
    os._exit(128 + number)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without its location in the code."""
    from jigsat.cli.colour import print_warning

    print_warning(f"jigsat: {message}")
