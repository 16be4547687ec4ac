"""The service that checks a certificate without trusting it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jigsat.errors import CheckError
from jigsat.proofs.properties import Property
from jigsat.proofs.report import describe_property
from jigsat.runtime.child import Child


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate is right, which properties hold, and what refutes it if it is wrong."""

    is_right: bool
    verified: tuple[Property, ...] = ()
    refuted_by: str = ""

    def lines(self) -> list[str]:
        """The properties that hold, in words."""
        return [describe_property(holds) for holds in self.verified]

    def __str__(self) -> str:
        end = "verified" if self.is_right else f"refuted: {self.refuted_by}"
        return "\n".join([*self.lines(), end])


def check(directory: Path, timeout: float | None = None) -> Iterator[Property | Verdict]:
    """Report each property of the certificate in a directory that holds, and at the end the
    verdict.

    The check runs in another process. Raises InputError for a directory that cannot be read, and
    Stopped after `timeout` seconds.
    """
    from jigsat.proofs import verification  # `import jigsat` is quicker without it

    verified: list[Property] = []
    try:
        with closing(Child(partial(verification.check, directory), timeout=timeout)) as child:
            for holds in child:
                verified.append(holds)
                yield holds
    except CheckError as error:
        yield Verdict(False, tuple(verified), str(error))
    else:
        yield Verdict(True, tuple(verified))
