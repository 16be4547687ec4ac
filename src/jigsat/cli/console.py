"""Tables and styled lines, by Rich."""

from __future__ import annotations

from typing import Any

import rich.console
from rich.text import Text

from jigsat.errors import printable


class Console(rich.console.Console):
    """A console that shows every string as it stands.

    No markup, no names of emoji, no colours by guess, and an escape for each character that cannot be printed, line breaks
    included: the strings in a table are labels, titles and names from files. What is to have a style is a `Text`.
    """

    def render_str(self, text: str, **options: Any) -> Text:
        """The text to show for a string."""
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False, "highlight": False})
