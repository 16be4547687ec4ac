"""Labels have the colours in their names or in the file, otherwise colours that everybody can
distinguish."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.edge_matching.generate import LABELS, RIM

from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.errors import InputError
from jigsat.pictures.colours import NEUTRAL_FILLS, as_hex, distance, ink, paints, swatches

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def picture(data: dict[str, Any]) -> str:
    puzzle = instance.parse(data, name="mine", origin="mine.toml")
    return next(iter(Enumeration(puzzle, limit=1))).svg()


def painted(svg: str) -> dict[str, str]:
    """For each word the colour of its background, the last filled shape before it."""
    found: dict[str, str] = {}
    fill = ""
    for polygon, word in re.findall(
        r'<polygon points="[^"]*" fill="(#\w+)"|<text [^>]*>([^<]*)</text>', svg
    ):
        fill = polygon or fill
        found.setdefault(word, fill)
    return found


def test_the_example_of_the_readme_has_the_colours_of_its_labels() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", README.read_text(), re.DOTALL)
    on = painted(picture(tomllib.loads(example)))
    assert {word: on[word] for word in ("gold", "red", "blue", "green")} == {
        "gold": "#ffd700",
        "red": "#ff0000",
        "blue": "#0000ff",
        "green": "#008000",
    }


@pytest.mark.parametrize(
    ("label", "fill"),
    [
        ("blue head", "#0000ff"),
        ("Red", "#ff0000"),
        ("dark-blue tail", "#00008b"),
        ("head_gold", "#ffd700"),
        ("lime 2", "#00ff00"),
        ("redhead", "#e69f00"),  # contains no colour name as a word
    ],
)
def test_a_label_that_contains_a_colour_name_has_that_colour(label: str, fill: str) -> None:
    assert paints([label])[label].fill == fill


def test_an_exact_colour_name_takes_precedence() -> None:
    found = paints(["red fox", "red", "gold"], given={"gold": "#123456"})
    assert (found["red"].fill, found["gold"].fill) == ("#ff0000", "#123456")
    assert len(set(found.values())) == 3


def seen(colour: str) -> list[tuple[float, ...]]:
    """sRGB as seen with all cones and, as Viénot, Brettel and Mollon simulate it (1999), without
    red or green ones."""
    r, g, b = ((int(colour[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5))
    protan = 0.11238 * r + 0.88762 * g
    deutan = 0.29275 * r + 0.70725 * g
    shown = (
        (r, g, b),
        (protan, protan, 0.00401 * (r - g) + b),
        (deutan, deutan, -0.02298 * (r - g) + b),
    )
    return [tuple(255 * min(max(value, 0), 1) ** (1 / 2.2) for value in each) for each in shown]


def test_colour_blind_people_can_distinguish_the_labels() -> None:
    found = list(paints([*LABELS, RIM]).values())
    assert len(set(found)) == len(found)
    for one, other in combinations(found, 2):
        layers = ((one.fill, other.fill), (one.band or one.fill, other.band or other.fill))
        apart = [max(dist(seen(a)[sight], seen(b)[sight]) for a, b in layers) for sight in range(3)]
        assert min(apart) > 20, (one, other)
    assert len({paint.fill for paint in paints(map(str, range(8))).values()}) == 8
    assert len(swatches()) >= 8


@pytest.mark.parametrize("number", range(2, 21))
def test_the_colours_of_labels_keep_their_distance(number: int) -> None:
    names = [f"label {i}" for i in range(number)]
    found = paints(["gold", "rim", *names[2:]])
    pairs = [*combinations(found.values(), 2)]
    assert all(
        max(distance(a.fill, b.fill), distance(a.band or a.fill, b.band or b.fill)) >= 18
        for a, b in pairs
    )
    assert all(distance(a, b) >= 18 for a, b in combinations(swatches()[:number], 2))
    partners = {label: names[i ^ 1] for i, label in enumerate(names) if i ^ 1 < number}
    found = paints(names, partners)
    assert all(found[label] == found[partner] for label, partner in partners.items())
    for a, b in combinations(list(found.values())[::2], 2):
        assert max(distance(a.fill, b.fill), distance(a.band or a.fill, b.band or b.fill)) >= 18


def test_letters_are_readable_on_dark_cells() -> None:
    pieces = {f"{i}": "#" * i for i in range(1, 6)}  # the fifth is dark blue
    svg = picture(
        {"family": "tiling", "board": "#" * 15, "pieces": pieces, "letters": "ABCDEFGHIJKLMNO"}
    )
    assert len(re.findall('fill="white"[^>]*>[A-O]</text>', svg)) == 5


def test_many_labels_are_distinguished_by_patterns() -> None:
    found = paints(f"label {i}" for i in range(60))
    assert len(set(found.values())) == 60


def test_text_on_a_colour_is_readable() -> None:
    assert [ink(colour) for colour in ("#000000", "#0000ff", "#ffd700", "#ffffff")] == [
        "white",
        "white",
        "#000",
        "#111",
    ]


def test_the_page_exchanges_the_neutral_colours() -> None:
    style = (ROOT / "src/jigsat/web/static/style.css").read_text(encoding="utf-8")
    rule = r'(?m)^    (?::is\()?(\[fill="#?\w+"\](?:, \[fill="#?\w+"\])*)'
    exchanged = ", ".join(re.findall(rule, style))
    assert set(re.findall(r'"([^"]+)"', exchanged)) == NEUTRAL_FILLS


def test_colours_of_the_file_take_precedence() -> None:
    data = {
        "family": "edge-matching",
        "board": "square 1x2",
        "turning": False,
        "tiles": {"a": ["gold", "sun", "gold", "gold"], "b": ["gold", "gold", "gold", "sun"]},
    }
    plain = instance.parse(data, name="mine", origin="mine.toml")
    coloured = {**data, "colours": {"gold": "MediumPurple", "sun": "#AbCdEf"}}
    on = painted(picture(coloured))
    assert (on["gold"], on["sun"]) == (as_hex("mediumpurple"), "#abcdef")
    puzzle = instance.parse(coloured, name="mine", origin="mine.toml")
    assert puzzle.digest() == plain.digest()
    assert tomllib.loads(instance.instance_text(puzzle))["colours"] == coloured["colours"]
    assert "colours" not in tomllib.loads(instance.instance_text(plain))


def test_colours_of_a_tiling() -> None:
    data = {
        "family": "tiling",
        "board": "rgb",
        "pieces": {"bar": "rgb"},
        "colours": {"r": "tomato", "b": "#010203"},
    }
    svg = picture(data)
    assert all(f'fill="{colour}"' in svg for colour in (as_hex("tomato"), "#010203"))
    with pytest.raises(InputError, match="colours: no cell of the board has the colour 'x'"):
        picture({**data, "colours": {"x": "red"}})


@pytest.mark.parametrize(
    ("colours", "complaint"),
    [
        ({"gold": "golf"}, "mine.toml: colours.gold: unknown colour 'golf'.*did you mean 'gold'?"),
        ({"gold": '#fff" onload="alert(1)'}, "unknown colour"),
        ({"gold": "url(#x)"}, "unknown colour"),
        ({"gold": "#12345"}, "unknown colour"),
        ({"gold": "#ffd700\n"}, "unknown colour"),
        ({"gold": 7}, "colours.gold: expected text in quotes; got 7"),
        ("gold", "colours: expected a table; got"),
        ({"silver": "gold"}, "colours: no tile has the label 'silver'"),
    ],
)
def test_wrong_colours(colours: Any, complaint: str) -> None:
    data = {
        "family": "edge-matching",
        "board": "square 1x1",
        "tiles": {"a": ["gold"] * 4},
        "colours": colours,
    }
    with pytest.raises(InputError, match=complaint) as raised:
        instance.parse(data, name="mine", origin="mine.toml")
    assert "\n" not in str(raised.value)
