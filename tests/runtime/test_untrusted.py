"""Files that are made to take long or to take much memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import forked

from jigsat.runtime.untrusted import Malformed, parse_json


def test_a_long_string_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "known").write_text(
        '{"found": [], "up_to": "' + 10_000_000 * "x" + 1_000_000 * '\\"' + '"}'
    )
    done = forked.run(
        "export", "cats", "-o", "out.cnf", "--block", "known", folder=tmp_path, room=600 * 2**20
    )
    assert done.status == 2
    assert done.err.startswith("jigsat: known: up_to: ")


def test_a_key_that_is_given_twice_is_found_among_many() -> None:
    """Comparing all pairs of keys would take an hour."""
    keys = ", ".join(f'"{i}": 0' for i in range(300_000))
    with pytest.raises(Malformed, match="the key '299999' is given twice"):
        parse_json(f'{{{keys}, "299999": 0}}')


@pytest.mark.parametrize("text", ['"', '"\\', '["\\"]', '{"a": "b}', '"' * 101, '["[[[[\\"[[[["]'])
def test_brackets_in_strings_are_not_counted(text: str) -> None:
    try:
        assert parse_json(text) == ['[[[["[[[[']
    except Malformed as error:
        assert "nested" not in str(error)
