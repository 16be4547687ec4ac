"""The names of labels and tiles that a generator is given."""

from collections import Counter
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, PositiveInt

# fmt: off
LABELS = (
    "sun", "moon", "star", "leaf", "fish", "bird", "tree", "wave", "cloud", "stone", "shell", "bell", "crown", "key", "ring",
)
# fmt: on
"""The names of labels if only their number is given."""


def default_labels(number: int) -> tuple[str, ...]:
    """The given number of names.

    >>> default_labels(17)[-3:]
    ('ring', 'label 16', 'label 17')
    """
    return LABELS[:number] + tuple(f"label {i}" for i in range(len(LABELS) + 1, number + 1))


def _split_names(data: Any) -> Any:
    return [name.strip() for name in data.split(",")] if isinstance(data, str) else data


def _distinct(names: int | tuple[str, ...]) -> int | tuple[str, ...]:
    if isinstance(names, int):
        return names
    if not all(names):
        raise ValueError("a name is empty; write the names with one comma between them")
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"the name {name!r} occurs {times} times; names must differ")
    return names


_Names = Annotated[tuple[str, ...], Field(min_length=1)]

NameList = Annotated[_Names, AfterValidator(_distinct), BeforeValidator(_split_names, json_schema_input_type=str | list[str])]
"""Different names: a list, or text with commas between the names."""

Labels = Annotated[
    PositiveInt | _Names,
    AfterValidator(_distinct),
    BeforeValidator(_split_names, json_schema_input_type=PositiveInt | str | list[str]),
]
"""The number of labels, or their names."""
