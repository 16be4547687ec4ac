"""What the pages say by hand about each kind of puzzle on a grid."""

from __future__ import annotations

import re

import pytest
from docs.test_docs import ROOT
from support.kind_files import GRID_KINDS, LINKED_KINDS

from jigsat.instance import family
from jigsat.kit import GridPuzzle


def read_page(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", GRID_KINDS)
def test_the_table_of_entries_has_every_kind(kind: str) -> None:
    rows = re.findall(rf"^\| `{kind}` \| (.*) \|$", read_page("docs/instances.md"), re.MULTILINE)
    assert len(rows) == 1, f"add a row for {kind} to 'Pencil puzzles' in docs/instances.md"
    missing = [entry for entry in list_own_entries(kind) if f"`{entry}`" not in rows[0]]
    assert not missing, f"the row of {kind} in docs/instances.md says nothing about {missing}"


@pytest.mark.parametrize("kind", GRID_KINDS)
def test_the_table_of_entries_has_the_other_names_of_every_kind(kind: str) -> None:
    row = re.findall(rf"^\| `{kind}` \| (.*) \|$", read_page("docs/instances.md"), re.MULTILINE)[0]
    names = family(kind).other_names
    expected = f". Also called {', '.join(names)}" if names else ""
    assert row.partition(". Also called")[2] == expected.partition(". Also called")[2]


def list_own_entries(kind: str) -> list[str]:
    return [name for name in family(kind).model_fields if name not in GridPuzzle.model_fields]


@pytest.mark.parametrize("kind", LINKED_KINDS)
def test_the_table_of_links_has_every_kind_with_its_types(kind: str) -> None:
    link = family(kind).link
    assert link is not None
    links = read_page("docs/files.md").partition("## Links of puzz.link")[2].partition("\n## ")[0]
    rows = re.findall(rf"^\| `{kind}` \| (.*?) \|", links, re.MULTILINE)
    expected = ", ".join(f"`{word}`" for word in link.types)
    where = "the table of 'Links of puzz.link' in docs/files.md"
    assert rows == [expected], f"{where} needs a row for {kind} with the types {expected}"


@pytest.mark.parametrize("kind", GRID_KINDS)
def test_the_changelog_names_every_kind(kind: str) -> None:
    loaded = family(kind)
    assert issubclass(loaded, GridPuzzle)
    text = " ".join(read_page("CHANGELOG.md").split()).lower()
    assert loaded.name_kind().lower() in text, "add the kind to 'Pencil puzzles' in CHANGELOG.md"


@pytest.mark.parametrize("kind", GRID_KINDS)
def test_every_kind_has_a_card_and_an_example_with_one_solution(kind: str) -> None:
    from jigsat.web.kinds import list_kinds

    (card,) = [card for card in list_kinds() if card.family == kind]
    assert card.words.endswith(".") and len(card.words) <= 100, f"{kind}: write a short `card`"
    assert card.cover, f"{kind}: the gallery shows an instance with `solutions = 1`; add one"
