"""Text with HTML, as in the clues of an .ipuz file, and plain text."""

import re
from html import escape
from html.parser import HTMLParser

BREAKS = ("br", "p", "div", "li")
MARKS = (
    "a", "b", "big", "center", "code", "del", "em", "font", "i", "ins", "mark", "ol", "s", "small",
    "span", "strike", "strong", "sub", "sup", "tt", "u", "ul", *BREAKS,
)  # fmt: skip
"""The elements that are left out; anything else in angle brackets is text."""

BARE = re.compile(r"<(?!/?[a-zA-Z][^<>]*>)")
"""The sign 'less than' where no element begins."""


class _Text(HTMLParser):
    """Collects the text between the elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in MARKS:
            self.parts.append(self.get_starttag_text() or "")
        elif tag in BREAKS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag not in MARKS:
            self.parts.append(f"</{tag}>")
        elif tag in BREAKS[1:]:
            self.parts.append(" ")


def strip_markup(text: str) -> str:
    """The plain text of a text with HTML, on one line.

    >>> strip_markup("<i>Animal</i> &amp; pet<br/>in <b>R&B</b>; 2 < 3")
    'Animal & pet in R&B; 2 < 3'
    """
    if "<" in text or "&" in text:
        parser = _Text()
        parser.feed(BARE.sub("&lt;", text))
        parser.close()
        text = "".join(parser.parts)
    return " ".join(text.split())


def add_markup(text: str) -> str:
    """Plain text as HTML."""
    return escape(text, quote=False)
