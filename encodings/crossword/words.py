"""Word lists: words with scores, in an instance or in files with one word per line."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, PlainSerializer, PlainValidator

from jigsat.errors import InputError, printable
from jigsat.runtime.untrusted import content

DEFAULT_SCORE = 50  # default score of a word, in the middle of the usual scale from 0 to 100
MAX_SCORE = 1_000_000  # maximum score
MAX_FILE_BYTES = 16 * 2**20  # maximum size of a file in bytes
NAME = re.compile(r"[./\\]")  # characters that occur in names of files, but not in words


def spell_word(text: str) -> str:
    """A word as it is written into the squares: in capitals, without spaces, hyphens and other
    punctuation.

    Raises ValueError for text without a letter or a digit, and for characters that are neither.

    >>> spell_word("ice cream"), spell_word("Käse-Spätzle")
    ('ICECREAM', 'KÄSESPÄTZLE')
    """
    if not (text.isascii() and text.isalpha()):
        text = unicodedata.normalize("NFC", text)
        letters = ""
        for character in text:
            kind = unicodedata.category(character)[0]
            if kind in ("C", "M"):  # control characters, and marks on other characters
                raise ValueError(
                    f"{printable(text[:30])!r} has the character U+{ord(character):04X}; write "
                    f"letters and digits"
                )
            if kind in ("L", "N"):
                letters += character
        if not letters:
            raise ValueError("a word without a letter")
        # Some letters have no capital, and are written as several characters.
        if any(map(unicodedata.combining, letters.upper())):
            raise ValueError(
                f"{printable(letters[:30])!r} has a letter without a capital; write capitals"
            )
        text = letters
    return text.upper()


class ListedWord(NamedTuple):
    """A word of a list."""

    spelling: str
    score: int = DEFAULT_SCORE
    question: str = ""


def read_listed_word(text: str) -> ListedWord:
    """A word from 'word', 'word;score' or 'word;score;question'. Raises ValueError if it is none of
    these.

    The columns of a table, 'word<tab>question' or 'word<tab>score<tab>question', are read likewise.

    >>> read_listed_word("cat").score
    50
    >>> read_listed_word("dog;80;It barks.")
    ListedWord(spelling='DOG', score=80, question='It barks.')
    >>> read_listed_word("era\\tA long time").question
    'A long time'
    """
    word, tab, question = text.partition("\t")
    if tab:
        scored = question.partition("\t")[0].strip().isdigit()
        if scored:
            text = f"{word};{question.replace(chr(9), ';', 1)}"
        else:
            text = f"{word};;{question}"
    word, _, rest = text.partition(";")
    score, _, question = map(str.strip, rest.partition(";"))
    is_stated = ";" in text and (score or not question)
    if is_stated and not _is_score(score):
        raise ValueError(
            f"score {printable(score[:20])!r}: write a whole number from 0 to {MAX_SCORE:,}, as "
            f"in 'cat;60'"
        )
    return ListedWord(spell_word(word), int(score or DEFAULT_SCORE), question)


def _is_score(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= MAX_SCORE


def include_words(entry: str, data: Any, folder: Path) -> Any:
    """The words of an entry, with those of a file in place of its name. Raises InputError for a
    wrong file or line."""
    if isinstance(data, str) and _is_file(data):
        data = [data]
    if not isinstance(data, list):
        return data
    words: list[Any] = []
    for item in data:
        if isinstance(item, str) and _is_file(item):
            words += _read_file(entry, folder / item)
        else:
            words.append(item)
    return tuple(words)


def _is_file(text: str) -> bool:
    return "\n" not in text and NAME.search(text.partition(";")[0]) is not None


def _read_file(entry: str, path: Path) -> Sequence[str]:
    """The words of a file, one per line; empty lines and lines that begin with # are left out."""
    try:
        if path.is_dir():
            raise InputError(f"{entry}: {path}: is a folder; name a file with one word per line")
        if not path.is_file():
            raise InputError(f"{entry}: {path}: no such file")
        text = content(path, MAX_FILE_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        kind = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        raise InputError(f"{entry}: {path}: {kind}; expected one word per line") from error
    try:
        return _read_lines(text)
    except ValueError as error:
        raise InputError(f"{entry}: {path}: {error}") from error


@lru_cache(maxsize=4)  # many crosswords share a list
def _read_lines(text: str) -> tuple[str, ...]:
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        try:
            listed = read_listed_word(word)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        words.append(";".join(map(str, listed)).removesuffix(";"))
    return tuple(words)


def list_items(data: Any) -> Iterator[str]:
    """The items of an entry, a list or a text with spaces or line breaks between words."""
    if isinstance(data, dict):  # words with scores, already read
        data = [f"{word};{score}" for word, score in data.items()]
    items = data.split() if isinstance(data, str) else data
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError("expected a list of words, or the name of a file with one word per line")
    for item in items:
        if _is_file(item):
            raise ValueError(
                f"{printable(item[:60])!r} names a file, which only an instance in a file can do"
            )
        yield item


def read_words(data: Any) -> dict[str, ListedWord]:
    """The words of an entry by their spelling; if one is given twice, the first counts. Raises
    ValueError."""
    words: dict[str, ListedWord] = {}
    for item in list_items(data):
        word = read_listed_word(item)
        words.setdefault(word.spelling, word)
    return words


def _scores(data: Any) -> dict[str, int]:
    return _read_scores(tuple(list_items(data)))


@lru_cache(maxsize=4)
def _read_scores(items: tuple[str, ...]) -> dict[str, int]:
    words = read_words(items)
    if not words:
        raise ValueError("there are no words; list some, or name a file with one word per line")
    return {spelling: word.score for spelling, word in words.items()}


def _plain(scores: dict[str, int]) -> str:
    lines = []
    for word, score in scores.items():
        lines.append(word if score == DEFAULT_SCORE else f"{word};{score}")
    return "\n".join(lines)


Words = Annotated[
    dict[str, int],
    PlainValidator(_scores, json_schema_input_type=str | list[str]),
    PlainSerializer(_plain),
]
"""Words and their scores. If a word is given twice, the first score counts."""

Banned = Annotated[
    frozenset[str],
    BeforeValidator(
        lambda data: frozenset(read_words(data)), json_schema_input_type=str | list[str]
    ),
    PlainSerializer(lambda words: sorted(words)),
]
"""Words without scores."""
