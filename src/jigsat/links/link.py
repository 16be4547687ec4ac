"""The link of a kind: its type, and the parts in which its entries are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jigsat.errors import InputError
from jigsat.links.address import Address
from jigsat.links.parts import Part
from jigsat.words import plural

SITE = "https://puzz.link/p"
FREE_ENTRIES = ("name", "family", "title", "source", "known")
"""Entries that change no puzzle; a link leaves them out."""


@dataclass(frozen=True)
class Link:
    """The type in a link, such as 'slither', and the parts of its text in their order.

    `aliases` are other names of the type. `ignored_flags` change only how the site shows the
    puzzle. `settings` are the values of entries that other types stand for, by the type and its
    flags, such as 'arukone/e'.
    """

    type: str
    parts: Sequence[Part]
    aliases: Sequence[str] = ()
    ignored_flags: str = ""
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def types(self) -> list[str]:
        """All types in links of this kind, its own first."""
        others = [kind.partition("/")[0] for kind in self.settings]
        return list(dict.fromkeys([self.type, *self.aliases, *others]))

    def read(self, address: Address) -> dict[str, Any]:
        """The entries of the puzzle. Raises InputError, which names the character."""
        kind = f"{address.type}/{address.flags}".rstrip("/")
        set_by_type = self.settings.get(kind)
        for i, flag in enumerate(address.flags):
            if set_by_type is None and flag not in self.ignored_flags:
                raise InputError(
                    f"character {address.flags_position + i + 1}: the flag {flag!r} stands for "
                    f"other rules or another form, which is not read"
                )
        size = (address.height, address.width)
        entries = dict(set_by_type or {})
        for part in self.parts:
            address.body.described = ""
            data = part.read(address.body, size)
            if data is not None:
                entries[part.entry] = data
        width, height = address.width, address.height
        cells = f"{plural(width * height, 'cell')} ({width}×{height})"
        address.body.require_end(f"the end, because the size has {cells}, and all are described")
        return entries

    def write(self, entries: Mapping[str, Any], changed: Sequence[str]) -> str:
        """The link of a puzzle with these entries, of which some are not their defaults. Raises
        InputError for one that a link cannot express."""
        kind = self.type
        set_by_type: Mapping[str, Any] = {}
        for other, values in self.settings.items():
            if all(entry in changed and entries[entry] == value for entry, value in values.items()):
                kind, set_by_type = other, values
        written = {part.entry for part in self.parts} | set(set_by_type)
        for entry in changed:
            if entry not in written and entry not in FREE_ENTRIES:
                raise InputError(f"{entry}: this entry cannot be written in a link")
        sizes = [part.measure(entries[part.entry]) for part in self.parts if part.entry in entries]
        height, width = next(size for size in sizes if size is not None)

        text = ""
        for part in self.parts:
            text += part.write(entries.get(part.entry), (height, width))
        link = f"{SITE}?{kind}/{width}/{height}/{text}"
        # Programs that find links in texts leave out a sign at the end.
        return link if link[-1].isalnum() else f"{link}/"
