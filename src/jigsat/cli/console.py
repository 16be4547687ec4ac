"""Tables and styled lines with Rich."""

from __future__ import annotations

from typing import Any

import rich.console
from rich.table import Table
from rich.text import Text

from jigsat.errors import printable


class Console(rich.console.Console):
    """A console that shows strings literally: no markup, emoji names or unprintable characters. Use `Text` for styles."""

    def render_str(self, text: str, **options: Any) -> Text:
        """The text to show for a string."""
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False, "highlight": False})

    def print_table(self, table: Table) -> None:
        """Print a table without the blanks with which Rich fills its lines."""
        with self.capture() as captured:
            self.print(table)
        for line in captured.get().splitlines():
            self.file.write(f"{line.rstrip()}\n")
        self.file.flush()
