"""Finding kinds and instances by words, such as the names that other publishers use."""

from collections.abc import Mapping, Sequence
from typing import Any

from jigsat.errors import InputError
from jigsat.instance.registry import every_family, squeeze
from jigsat.words import join_words


def search_instances(
    listed: Sequence[Mapping[str, Any]], words: Sequence[str]
) -> list[Mapping[str, Any]]:
    """The instances that have all words in their name, title, source or family, or in another name
    of the family. Raises InputError if there is none."""
    names = {kind.family: kind.other_names for kind in every_family()}
    matching = []
    for instance in listed:
        texts = [instance["name"], instance["family"], instance["title"], instance["source"]]
        text = " ".join(map(str, [*texts, *names.get(instance["family"], ())]))
        if all(squeeze(word) in squeeze(text) for word in words):
            matching.append(instance)
    if not matching:
        raise InputError(
            f"nothing has the {'word' if len(words) == 1 else 'words'} {join_words(list(words))}; "
            f"`jigsat list` without words shows all"
        )
    return matching
