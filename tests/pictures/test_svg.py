"""What a picture tells the page about itself."""

from __future__ import annotations

from xml.etree import ElementTree

from jigsat.pictures import Picture


def test_a_picture_tells_where_the_board_is_without_margin_and_notes() -> None:
    drawn = Picture(scale=10, margin=0.4)
    drawn.polygon([(0, 0), (3, 0), (3, 2), (0, 2)], "white")
    before = ElementTree.fromstring(str(drawn)).get("data-inner")
    assert before == "-1 -1 32 22"
    drawn.note("small print")
    noted = ElementTree.fromstring(str(drawn))
    assert noted.get("data-inner") == before
    assert float((noted.get("viewBox") or "").split()[3]) > 28
    drawn.place("side", [(-0.3, 1), (0, 0.7), (0, 1.3)])
    assert ElementTree.fromstring(str(drawn)).get("data-inner") == "-3 -1 34 22"
