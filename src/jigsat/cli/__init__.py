"""The command line: `jigsat COMMAND`.

Exit status: 0 answered, 1 an answer that broke a rule, 2 the input is wrong, 3 stopped before the answer, 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from typing import NoReturn


def main() -> None:
    """Run the command line and exit with its status."""
    foreground = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if foreground:
        signal.signal(signal.SIGINT, _leave_at_once)

    from jigsat.cli import solve  # noqa: F401  # each of these modules adds its commands to the application

    if sys.argv[1:2] not in (["solve"], ["count"]):  # where one waits for a solution, the others need not be imported
        from jigsat.cli import compare, files, generate, judge, look, prove  # noqa: F401
    from jigsat.cli.common import app
    from jigsat.errors import CheckError, InputError, Stopped
    from jigsat.runtime import keep_interrupts

    try:
        if foreground:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            keep_interrupts()
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            app(standalone_mode=True)
    except InputError as error:
        _complain(str(error), 2)
    except Stopped as error:
        _complain(str(error), 3)
    except CheckError as error:
        _complain(str(error), 1)
    except KeyboardInterrupt:
        _complain("interrupted", 130)
    except SystemExit as left:  # what typer makes of Ctrl-C says nothing
        if isinstance(getattr(left.__context__, "__cause__", None), KeyboardInterrupt):
            _complain("interrupted", 130)
        raise
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def _leave_at_once(*_: object) -> NoReturn:
    """Answer Ctrl-C while libraries are being imported, not all of which would let an exception pass."""
    os.write(2, b"jigsat: interrupted\n")
    os._exit(130)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the place in the code."""
    print(f"jigsat: {message}", file=sys.stderr)


def _complain(message: str, status: int) -> None:
    print(f"jigsat: {message}", file=sys.stderr)
    raise SystemExit(status)
