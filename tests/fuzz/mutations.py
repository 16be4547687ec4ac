"""Hypothesis strategies that mutate bytes, lines, and the trees that TOML and JSON texts are."""

from __future__ import annotations

import copy
import datetime
import gzip
import json
import lzma
import re
from collections.abc import Callable
from typing import Any

import tomli_w
from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Container = list[Any] | dict[str, Any]
Key = int | str

ODD = [
    "\x00", "\x1b[2J", "\x1b[8m", "\r", "\n", "\t", "\x7f", "\x85", "\u202e", "\u2028", "\u200b",
    "\ufeff", "\ufffe", "\ud800",
    "é", "漢", "🐈", "\u0301", "']", '"', "\\", "\\n", "[", "{", "<", "&", "%s", "{}", "$(id)",
    "../", "[red]", "|", "#", " ",
]  # fmt: skip
"""Characters with a special meaning in terminals, XML, markup or file formats."""

NUMBERS = [
    "0", "-0", "-1", "1", "7", "2147483648", "18446744073709551616", "9" * 30, "1" + "0" * 5000,
    "1e3", "4.0", "1e400",
    "-1e-400", "nan", "inf", "0x10", "1_000", "٣", "²", "1979-05-27", "true", "null", '"1"', "",
    "--1", "+1", "x1",
]  # fmt: skip

JUNK = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1b[31m", b"\r\n", b"\n\n", b"\\",
    b'"', b"'", b"=", b"#",
    b",", b"0", b"-", b" ", b"[" * 3000, b'{"a":' * 3000, b"(" * 3000, b")", b"]", b"}",
    b"a." * 3000, b"9" * 6000, b"|",
    b"s FOO\n", b"s SATISFIABLE\n", b"UNSAT\n", b"unsat\n", b"v 1 -1 0\n", b"p cnf 1 1\n",
    b"[known]\nsolutions = 5\n", b"complete",
]  # fmt: skip

VALUES: list[Any] = [
    True, False, 0, -1, 1, 3, 10**6, 2**31, 2**64, 10**40, 0.5, 4.0, -0.0, float("nan"),
    float("inf"), "", "x", "0", "1", " ",
    "all", "square 2x2", "square 10000x10000", "3x3", "hexagon 9999", "cube", "torus 0x0",
    "square -1x2", "cube 40",
    "polycube\n##", "\n", [], {}, [[]], [{}], {"a": {}}, [1, "a", None], [0, 0], [-1, 10**9],
    ["x"] * 4, "a" * 5000, "#" * 300, ["." * 9] * 9,
    datetime.date(1979, 5, 27), datetime.time(7, 32), datetime.datetime(1979, 5, 27,
    tzinfo=datetime.UTC), None,
]  # fmt: skip
"""Values of every type, and some that an entry might have."""

KEYS = [
    "",
    "x",
    "name",
    "family",
    "known",
    "a b",
    "a.b",
    "\x1b[2J",
    "__class__",
    "é",
    "1",
    "-1",
    "tiles",
    "board",
    "complete",
    "title",
]


@st.composite
def mutated_bytes(draw: Draw, data: bytes) -> bytes:
    """The data with a few changes that ignore its meaning."""
    for _ in range(draw(st.integers(1, 3))):
        data = draw(st.sampled_from(_CHANGES))(draw, data)
    return data


def _span(draw: Draw, data: bytes, longest: int = 200) -> tuple[int, int]:
    start = draw(st.integers(0, len(data)))
    return start, draw(st.integers(start, min(len(data), start + longest)))


def _delete(draw: Draw, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _duplicate(draw: Draw, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:end] + data[end:]


def _insert(draw: Draw, data: bytes) -> bytes:
    at = draw(st.integers(0, len(data)))
    junk = draw(
        st.sampled_from(JUNK)
        | st.sampled_from(ODD).map(_encoded)
        | st.binary(min_size=1, max_size=8)
    )
    return data[:at] + junk + data[at:]


def _overwrite(draw: Draw, data: bytes) -> bytes:
    start, end = _span(draw, data, 8)
    return data[:start] + draw(st.binary(min_size=end - start, max_size=end - start)) + data[end:]


def _truncate(draw: Draw, data: bytes) -> bytes:
    return data[: draw(st.integers(0, len(data)))]


def _number(draw: Draw, data: bytes) -> bytes:
    """A number is replaced by another."""
    places = [match.span() for match in re.finditer(rb"-?\d+", data[:200_000])]
    if not places:
        return data
    start, end = draw(st.sampled_from(places))
    return data[:start] + draw(st.sampled_from(NUMBERS)).encode() + data[end:]


def _lines(draw: Draw, data: bytes) -> bytes:
    """Lines are deleted, repeated, exchanged or replaced by others."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    first, second = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(["delete", "repeat", "exchange", "replace", "many"])):
        case "delete":
            del lines[first]
        case "repeat":
            lines.insert(second, lines[first])
        case "exchange":
            lines[first], lines[second] = lines[second], lines[first]
        case "replace":
            lines[first] = lines[second]
        case "many":
            lines[first:first] = [lines[second]] * 1000
    return b"".join(lines)


def _member(draw: Draw, data: bytes) -> bytes:
    """A key of a JSON object, or an entry of a TOML table, is repeated."""
    keys = re.findall(rb'"[^"\n]{1,40}"(?= ?:)', data[:100_000]) or [b'"a"']
    key, value = (
        draw(st.sampled_from(keys)),
        draw(st.sampled_from([b"1", b'"x"', b"[]", b"{}", b"4.0", b"true", b"null"])),
    )
    places = [match.end() for match in re.finditer(rb"\{", data[:100_000])] or [0]
    at = draw(st.sampled_from(places))
    return data[:at] + key + b": " + value + b", " + data[at:]


def _whole(draw: Draw, data: bytes) -> bytes:
    """The whole data in another form."""
    text = data.decode("utf-8", errors="replace")
    forms: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: gzip.compress(data, mtime=0),
        lambda: gzip.compress(data, mtime=0)[: len(data) // 8],
        lambda: lzma.compress(data),
        lambda: lzma.compress(data)[:-9],
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-8-sig"),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: data.replace(b"\n", b" "),
        lambda: data.replace(b" ", b"\xc2\xa0"),
        lambda: data.rstrip(b"\n"),
        lambda: data * 2,
        lambda: text.upper().encode(),
        lambda: b"\x00" * 1000,
    ]
    return draw(st.sampled_from(forms))()


_CHANGES = [
    _delete,
    _duplicate,
    _insert,
    _insert,
    _overwrite,
    _truncate,
    _number,
    _number,
    _lines,
    _lines,
    _member,
    _whole,
]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


# -- trees


@st.composite
def mutated_tree(draw: Draw, tree: Any) -> Any:
    """The tree with a few changes that leave it a tree."""
    tree = [copy.deepcopy(tree)]  # so that the root can be replaced as well
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(_places(tree)))
        draw(st.sampled_from(_TREE_CHANGES))(draw, tree, container, key)
        if not tree:
            break
    return tree[0] if tree else {}


def _places(tree: Container) -> list[tuple[Container, Key]]:
    """Each value with its container and its key, at most 2,000."""
    found: list[tuple[Container, Key]] = []
    to_do: list[Any] = [tree]
    while to_do and len(found) < 2000:
        container = to_do.pop(0)
        items: list[tuple[Key, Any]] = list(
            container.items() if isinstance(container, dict) else enumerate(container)
        )
        found += [(container, key) for key, _ in items]
        to_do += [value for _, value in items if isinstance(value, list | dict)]
    return found


def _set(container: Any, key: Key, value: Any) -> None:
    container[key] = value


def _get(container: Any, key: Key) -> Any:
    return container[key]


def _replace(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    _set(container, key, copy.deepcopy(draw(st.sampled_from(VALUES))))


def _remove(draw: Draw, tree: Container, container: Any, key: Key) -> None:
    del container[key]


def _repeat(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    value, times = _get(container, key), draw(st.sampled_from([1, 2, 50]))
    for i in range(times):
        if isinstance(container, list):
            container.append(copy.deepcopy(value))
        else:
            container[f"{key}{'' if times == 1 else i}'"] = copy.deepcopy(value)


def _nest(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    value = _get(container, key)
    for _ in range(draw(st.sampled_from([1, 2, 60]))):
        value = [value] if draw(st.booleans()) else {draw(st.sampled_from(KEYS)): value}
    _set(container, key, value)


def _move(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    """A copy of another part of the tree, to be inserted here."""
    other, place = draw(st.sampled_from(_places(tree)))
    _set(container, key, copy.deepcopy(_get(other, place)))


def _rename(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    if isinstance(container, dict):
        name = draw(st.sampled_from(KEYS) | st.sampled_from([*container]))
        container[name] = container.pop(str(key))
    else:
        container.reverse()


def _add(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    if isinstance(container, dict):
        container[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from(VALUES)))
    else:
        container.insert(int(key), copy.deepcopy(draw(st.sampled_from(VALUES))))


def _touch(draw: Draw, tree: Container, container: Container, key: Key) -> None:
    """A different value of the same type."""
    value = _get(container, key)
    match value:
        case bool():
            value = draw(st.sampled_from([not value, int(value)]))
        case int() | float():
            value = draw(
                st.sampled_from(
                    [
                        value + 1,
                        value - 1,
                        -value,
                        value * 10,
                        float(min(value, 10**300)),
                        str(value),
                        bool(value),
                    ]
                )
            )
        case str():
            at, odd = (
                draw(st.integers(0, len(value))),
                draw(st.sampled_from([*ODD, "x", "0", value])),
            )
            value = draw(
                st.sampled_from(
                    [
                        value[:at] + odd + value[at:],
                        value[:at],
                        value.upper(),
                        value + " ",
                        [*value],
                    ]
                )
            )
        case list():
            value = draw(
                st.sampled_from(
                    [
                        value[::-1],
                        value[1:],
                        value + value,
                        value * 20,
                        dict(enumerate(map(str, value))),
                    ]
                )
            )
            value = (
                {str(name): each for name, each in value.items()}
                if isinstance(value, dict)
                else value
            )
        case dict():
            value = draw(
                st.sampled_from([[*value], [*value.values()], dict(reversed(value.items()))])
            )
        case _:
            return
    _set(container, key, copy.deepcopy(value))


_TREE_CHANGES = [
    _replace,
    _replace,
    _remove,
    _repeat,
    _nest,
    _move,
    _rename,
    _add,
    _touch,
    _touch,
    _touch,
]


# -- texts of trees


def toml(tree: Any) -> bytes:
    """The tree as TOML, as far as possible."""
    table = tree if isinstance(tree, dict) else {"value": tree}
    return _encoded(tomli_w.dumps(_tomlish(table)))


def _tomlish(value: Any) -> Any:
    """The tree without values that TOML cannot express."""
    match value:
        case dict():
            return {str(key): _tomlish(each) for key, each in value.items() if each is not None}
        case list():
            return [_tomlish(each) for each in value if each is not None]
    return value


def as_json(tree: Any, *, indent: int | None = None) -> bytes:
    """The tree as JSON."""
    return json.dumps(tree, default=str, indent=indent).encode()
