"""Reading a link character by character; every message names the character."""

from __future__ import annotations

from jigsat.errors import InputError
from jigsat.words import plural

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Reader:
    """The text of a link and a position in it."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text = text
        self.position = position
        self.described = ""
        """How many cells or other places the link has described so far, in words."""

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.position >= len(self.text)

    def peek(self) -> str:
        """The next character; '' at the end."""
        return self.text[self.position : self.position + 1]

    def take(self, possible: str, expected: str) -> str:
        """The next character, which must be one of those that are possible."""
        character = self.peek()
        if not character or character not in possible:
            raise self.fault(expected)
        self.position += 1
        return character

    def take_number(self, length: int, base: int, expected: str) -> int:
        """The number that the next characters are."""
        digits = [self.take(DIGITS[:base], expected) for _ in range(length)]
        return int("".join(digits), base)

    def note(self, described: int, count: int, noun: str) -> None:
        """Note how many of a number of places are described, for a link that ends too early."""
        self.described = f", where it has described {described} of {plural(count, noun)}"

    def require_end(self, expected: str) -> None:
        """Raise InputError if something is left."""
        if not self.ended:
            raise self.fault(expected)

    def fault(self, expected: str) -> InputError:
        """The message that something else was expected at this position."""
        if self.ended:
            return InputError(
                f"it ends after character {len(self.text)}{self.described}; expected {expected}; "
                f"copy the whole link"
            )
        return InputError(f"character {self.position + 1} is {self.peek()!r}; expected {expected}")


def write_number(number: int, base: int, length: int = 1) -> str:
    """A number in small letters, with zeros in front.

    >>> write_number(26, 16), write_number(5, 32, 2)
    ('1a', '05')
    """
    text = ""
    while number:
        number, digit = divmod(number, base)
        text = DIGITS[digit] + text
    return text.rjust(length, "0")
