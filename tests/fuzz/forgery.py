"""Consistent forgeries of certificates: solutions are removed or repeated in every file that lists
or counts them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from fuzz.corpus import Files
from fuzz.mutations import Draw
from hypothesis import strategies as st

PROOFS = [None, b"", b"0\n", b"1 0\n-1 0\n0\n"]
"""Replacements for the proof; None for the true proof."""


@st.composite
def forged(draw: Draw, files: Files) -> Files:
    """The files of a certificate, with a different selection of the solutions."""
    solutions = json.loads(files["solutions.json"])["found"]
    chosen = draw(st.lists(st.integers(0, len(solutions) - 1), max_size=len(solutions) + 1))
    distinct = draw(st.sampled_from([None, 1, len(chosen)]))
    proof = draw(st.sampled_from(PROOFS))
    symmetries = (
        _without_symmetries(files["symmetries.json"])
        if draw(st.booleans())
        else files["symmetries.json"]
    )
    return {
        **files,
        "blocked.cnf": _blocked(files["blocked.cnf"], len(solutions), chosen),
        "solutions.json": _recorded(files["solutions.json"], len(solutions), chosen, distinct),
        "README.md": _told(files["README.md"], len(solutions), len(chosen), distinct),
        "symmetries.json": symmetries,
        "proof.drat": files["proof.drat"] if proof is None else proof,
    }


def _blocked(text: bytes, number: int, chosen: Sequence[int]) -> bytes:
    lines = text.splitlines(keepends=True)
    body, ruled_out = lines[:-number], lines[-number:]
    changed = b"".join([*body, *(ruled_out[i] for i in chosen)])
    more = len(chosen) - number
    return re.sub(
        rb"^(p cnf \d+) (\d+)$",
        lambda p: b"%s %d" % (p[1], int(p[2]) + more),
        changed,
        flags=re.MULTILINE,
    )


def _recorded(text: bytes, number: int, chosen: Sequence[int], distinct: int | None) -> bytes:
    head, found, _ = text.partition(b'"found": [\n')
    lines = [
        line.removesuffix(b",") for line in text[len(head) + len(found) :].splitlines()[:number]
    ]
    head = head.replace(b'"solutions": %d' % number, b'"solutions": %d' % len(chosen))
    if distinct is not None:
        head = re.sub(
            rb'("distinct": \{.*?\})',
            lambda counts: re.sub(rb"\d+", b"%d" % distinct, counts[0]),
            head,
        )
    return head + found + b",\n".join(lines[i] for i in chosen) + b"\n]\n}\n"


def _told(text: bytes, number: int, chosen: int, distinct: int | None) -> bytes:
    def words(count: int) -> bytes:
        return {0: b"no solution", 1: b"1 solution"}.get(count, b"%d solutions" % count)

    text = text.replace(words(number), words(chosen))
    return text if distinct is None else re.sub(rb"\d+ up to", b"%d up to" % distinct, text)


def _without_symmetries(text: bytes) -> bytes:
    """The same with only the identity."""
    lines = text.splitlines(keepends=True)
    identity = next(i for i, line in enumerate(lines) if b'"images"' in line)
    return b"".join([*lines[:identity], lines[identity].replace(b"},\n", b"}\n"), *lines[-2:]])
