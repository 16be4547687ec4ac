"""The service that checks a certificate without trusting it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jigsat.errors import CheckError
from jigsat.runtime.child import Child


@dataclass(frozen=True)
class Verified:
    """A property that holds, in words."""

    words: str


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate is right, which properties hold, and what refutes it if it is wrong."""

    is_right: bool
    verified: tuple[str, ...] = ()
    refuted_by: str = ""

    def __str__(self) -> str:
        end = "verified" if self.is_right else f"refuted: {self.refuted_by}"
        return "\n".join([*self.verified, end])


def check(directory: Path, timeout: float | None = None) -> Iterator[Verified | Verdict]:
    """Report each property of the certificate in a directory that holds, and at the end the
    verdict.

    The check runs in another process. Raises InputError for a directory that cannot be read, and
    Stopped after `timeout` seconds.
    """
    from jigsat.proofs import verification  # `import jigsat` is quicker without it

    verified: list[str] = []
    try:
        with closing(Child(partial(verification.check, directory), timeout=timeout)) as child:
            for words in child:
                verified.append(words)
                yield Verified(words)
    except CheckError as error:
        yield Verdict(False, tuple(verified), str(error))
    else:
        yield Verdict(True, tuple(verified))
