"""Escaping text from files and command lines, so that it is safe to display."""

from __future__ import annotations

import re

_NOT_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def printable(text: str) -> str:
    r"""The text on one line, with every unprintable character escaped.

    Unprintable are control characters, line breaks, marks that change the direction of writing, surrogates and other
    characters without a glyph. Unescaped, a label could clear the terminal or imitate a line of jigsat's output.

    >>> print(printable("a\x1b[2J\nb\u202ec \udcff, café ✓"))
    a\x1b[2J\nb\u202ec \udcff, café ✓
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def xml_text(text: str) -> str:
    r"""The text with U+FFFD for each character that XML 1.0 forbids; markup is not escaped.

    >>> print(xml_text("a\x1bb <c>\ud800"))
    a�b <c>�
    """
    return re.sub(_NOT_XML, "\ufffd", text)  # compiled at the first call, which takes milliseconds
