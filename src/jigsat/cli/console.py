"""Tables and styled lines with Rich."""

from typing import Any

import rich.console
from rich.table import Table
from rich.text import Text

from jigsat.errors import printable


class Console(rich.console.Console):
    """A console that shows strings literally: no markup, emoji names or unprintable characters. Use
    `Text` for styles."""

    def render_str(self, text: str, **options: Any) -> Text:
        """The text to show for a string."""
        return super().render_str(
            printable(text), **{**options, "markup": False, "emoji": False, "highlight": False}
        )

    def list_lines(self, table: Table) -> list[str]:
        """The lines of a table without the blanks with which Rich fills them."""
        with self.capture() as captured:
            self.print(table)
        return [line.rstrip() for line in captured.get().splitlines()]

    def print_table(self, table: Table) -> None:
        self.file.writelines(f"{line}\n" for line in self.list_lines(table))
        self.file.flush()
