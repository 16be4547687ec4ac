"""Large solids with a pool of interlocking pieces, as instance files: python bench/solids.py FOLDER
[--sizes …] [--seeds 3]

The pieces are cut from a random filling of the solid, so there is a solution. `--spare` more
pieces, per cent, are cut from another filling. All are shuffled and turned at random. A box is
solid; a frame consists of the cubes along the edges of a box.

    python bench/solids.py /tmp/solids
    jigsat solve /tmp/solids/box-6x6x6-5-40-1.toml --limit 1
"""

from __future__ import annotations

import argparse
import random
from itertools import product
from pathlib import Path

from sets import cut, drawn, mixed

SOLIDS = (
    "box-3x3x3",
    "box-4x4x4",
    "frame-4x4x4",
    "box-5x5x5",
    "box-4x5x8",
    "box-6x6x6",
    "frame-6x6x6",
)
"""They have 54, 96, 120, 150, 184, 216 and 216 faces."""


def board(solid: str) -> str:
    """The drawing of a box or a frame, such as `frame-4x4x4`."""
    kind, _, lengths = solid.partition("-")
    lasts = [int(length) - 1 for length in lengths.split("x")]

    def cube(*at: int) -> str:
        return (
            "#"
            if kind == "box" or sum(x in (0, last) for x, last in zip(at, lasts, strict=True)) > 1
            else "."
        )

    layers, rows, columns = (range(last + 1) for last in lasts)
    return "polycube\n" + "\n\n".join(
        "\n".join("".join(cube(z, y, x) for x in columns) for y in rows) for z in layers
    )


def instance(solid: str, size: int, spare: int, seed: int) -> str:
    """The instance file; `size` is the number of small squares along a side, `spare` the per cent
    of pieces left over."""
    rng = random.Random(f"{solid} {size} {spare} {seed}")
    drawing = board(solid)
    rims = cut(drawing, size, rng)
    rims += rng.sample(cut(drawing, size, rng), len(rims) * spare // 100)
    pieces = [
        f"P{i:03} = "
        + (drawn(rim, 4) if count == 1 else f"{{ shape = {drawn(rim, 4)}, count = {count} }}")
        for i, (rim, count) in enumerate(mixed(rims, 4, rng).items(), 1)
    ]
    title = f"{solid}: pieces of {size}×{size}, {spare} % to spare, seed {seed}"
    return (
        f'family = "interlocking"\ntitle = "{title}"\nboard = """\n{drawing}\n"""\n\n[pieces]\n'
        + "\n".join(pieces)
        + "\n"
    )


def main() -> None:
    """Write one file per combination."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--solids", nargs="+", default=SOLIDS)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 6])
    parser.add_argument("--spare", type=int, nargs="+", default=[0, 40])
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    seeds = range(1, arguments.seeds + 1)
    for solid, size, spare, seed in product(
        arguments.solids, arguments.sizes, arguments.spare, seeds
    ):
        file = arguments.folder / f"{solid}-{size}-{spare}-{seed}.toml"
        file.write_text(instance(solid, size, spare, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
