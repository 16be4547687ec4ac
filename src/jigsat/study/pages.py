"""A page to click through the steps of a puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jigsat.errors import markup_text
from jigsat.phrases import Text
from jigsat.puzzle import Puzzle
from jigsat.study.pictures import Illustrated, illustrate_steps
from jigsat.study.steps import Step

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
details { border-bottom: 1px solid #ccc; padding: 0.3rem 0; }
details details { border: 0; }
summary { cursor: pointer; padding: 0.4rem 0; }
p { margin: 0.2rem 0; }
svg { max-width: 100%; max-height: 70vh; height: auto; }
"""


def write_walkthrough(puzzle: Puzzle, steps: Sequence[Step], end: str = "") -> Iterator[str]:
    """The lines of an HTML page with the steps, and a sentence at the end."""
    title = markup_text(puzzle.title or puzzle.name)
    yield '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{title}</title>\n<style>{STYLE}</style>\n"
    yield f"<h1>{title}</h1>\n<p>{markup_text(' '.join(puzzle.rules()))}</p>\n"
    for number, illustrated in enumerate(illustrate_steps(puzzle, steps), 1):
        yield from _write_step(number, illustrated)
    yield f"<p>{markup_text(end[:1].upper() + end[1:])}</p>\n</html>\n"


def _write_step(number: int, illustrated: Illustrated) -> Iterator[str]:
    text = illustrated.text
    opened = " open" if number == 1 else ""
    title = f" ({text.title})" if text.title else ""
    summary = markup_text(f"{number}. {text.look}{title}")
    yield f'<details name="step"{opened}><summary>{summary}</summary>\n'
    yield from _write_lines(text)
    yield f"{illustrated.svg}</details>\n"


def _write_lines(text: Text) -> Iterator[str]:
    """The sentences; a long chain is behind a summary."""
    yield from _write_paragraphs(text.lines())
    if text.is_long:
        yield f"<details><summary>The chain of {len(text.chain)} lines</summary>\n"
        yield from _write_paragraphs(text.list_chain())
        yield "</details>\n"


def _write_paragraphs(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"<p>{markup_text(line)}</p>\n"
