"""Text from files and command lines as it may be shown to people."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    r"""The text on one line, with an escape for every character that cannot be printed.

    These are control characters, line breaks, marks that change the direction of writing, surrogates and other
    characters that have no picture. Without this a label could clear the terminal or look like a line of our own.

    >>> print(printable("a\x1b[2J\nb\u202ec \udcff, café ✓"))
    a\x1b[2J\nb\u202ec \udcff, café ✓
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def xml_text(text: str) -> str:
    r"""The text with U+FFFD in place of each character that XML 1.0 forbids; markup is not escaped.

    >>> print(xml_text("a\x1bb <c>\ud800"))
    a�b <c>�
    """
    return _NOT_XML.sub("\ufffd", text)
