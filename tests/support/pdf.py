"""What is drawn in a PDF file, measured in millimetres by Poppler."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

CUT_MM = 0.3  # a line to cut along is at most this wide
MM = 25.4 / 72  # millimetres of a point
NUMBER_PATTERN = r"-?\d+(?:\.\d+)?"


class Drawn(NamedTuple):
    """The number of pages, the lengths of the horizontal lines, and the widths of the dashed ones,
    rounded to 0.01 mm."""

    pages: int
    lengths: set[float]
    dashed: set[float]

    @property
    def lengths_mm(self) -> set[float]:
        """The lengths to a tenth of a millimetre."""
        return {round(length, 1) for length in self.lengths}


def measure(pdf: bytes) -> Drawn:
    if not shutil.which("pdftocairo"):
        pytest.skip("Poppler is missing (Debian: apt-get install poppler-utils)")
    pages, lengths, dashed = len(re.findall(rb"/Type\s*/Page\b", pdf)), set[float](), set[float]()
    for page in range(1, pages + 1):
        command = ["pdftocairo", "-svg", "-noshrink", "-f", f"{page}", "-l", f"{page}", "-", "-"]
        svg = subprocess.run(command, input=pdf, capture_output=True, check=True, timeout=60).stdout
        for path in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
            scale = abs(float(re.findall(NUMBER_PATTERN, path.get("transform", "1"))[0])) * MM
            style = (
                dict(entry.split(":") for entry in path.get("style", "").split(";") if entry)
                | path.attrib
            )
            at = 0.0, 0.0
            for kind, x, y in re.findall(
                rf"([ML]) ({NUMBER_PATTERN}) ({NUMBER_PATTERN})", path.get("d", "")
            ):
                if kind == "L" and abs(float(y) - at[1]) < 1e-3:
                    lengths.add(round(abs(float(x) - at[0]) * scale, 2))
                at = float(x), float(y)
            if style.get("stroke-dasharray", "none") != "none":
                dashed.add(round(float(style["stroke-width"]) * scale, 2))
    return Drawn(pages, lengths, dashed)
