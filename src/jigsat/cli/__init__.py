"""The command line: `jigsat COMMAND`.

Exit status: 0 answered, 1 an answer that broke a rule, 2 the input is wrong, 3 stopped before the answer, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

from jigsat.cli import compare, files, look, prove, solve  # noqa: F401  # each adds its commands to the application
from jigsat.cli.common import app
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.process import keep_interrupts


def main() -> None:
    """Run the command line and exit with its status."""
    keep_interrupts()
    try:
        app(standalone_mode=True)
    except InputError as error:
        _complain(str(error), 2)
    except Stopped as error:
        _complain(str(error), 3)
    except CheckError as error:
        _complain(str(error), 1)
    except KeyboardInterrupt:
        _complain("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def _complain(message: str, status: int) -> None:
    print(f"jigsat: {message}", file=sys.stderr)
    raise SystemExit(status)
