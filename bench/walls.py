"""Puzzles on which jigsat was slow, as files, for `bench.py`: python bench/bench.py walls."""

from __future__ import annotations

CALENDAR = '''family = "tiling"
board = """
######.
######.
#######
#######
#######
#######
###....
"""
left_over = 2
[pieces]
slab = "###\\n###"
u = "#.#\\n###"
p = "##.\\n###"
z = "##.\\n.#.\\n.##"
l = "####\\n#..."
n = "##..\\n.###"
v = "#..\\n#..\\n###"
y = "####\\n.#.."
'''
"""Eight pieces cover all but two of 43 cells, in 59,787 ways."""

LIGHTS_30 = 'family = "lights-out"\nboard = "square 30x30"\nlit = "all"\n'
"""2^20 solutions; the fewest presses are 376."""

ICE = """family = "edge-matching"
board = "torus 5x5"
reusable = true
matching = [["in", "out"]]
[tiles]
bend = ["in", "in", "out", "out"]
turn = ["in", "out", "in", "out"]
"""
"""Each tile has two sides in and two out; 143,224 boards."""

TWO_MODELS = """* #variable= 6 #constraint= 5
+1 x1 +1 x2 +1 x3 >= 1 ;
-1 x1 -1 x2 >= -1 ;
+2 x1 +3 x4 +1 x5 >= 3 ;
+1 x3 +1 x5 >= 2 ;
+1 x4 +1 x2 >= 2 ;
"""

GRAY = """
import jigsat
from jigsat.formula import System
formula = jigsat.load({file!r}).encode()
print(min(solution.bit_count() - 1 for solution in System(formula.constraints()).solutions()))
"""
"""The least weight among all solutions of the equations, one after another."""


def make_mutilated_board() -> str:
    """A board of 16×16 cells without two opposite corners, which dominoes cannot cover."""
    rows = ["#" * 16 for _ in range(16)]
    rows[0] = "." + rows[0][1:]
    rows[-1] = rows[-1][:-1] + "."
    board = "\n".join(rows)
    return f'family = "tiling"\nboard = """\n{board}\n"""\nuses = "any"\n[pieces]\ndomino = "##"\n'


def tetrominoes() -> str:
    """A square of 10×10 cells, which pieces in the shape of an L cannot cover."""
    board = "\n".join(["#" * 10] * 10)
    piece = 'L = "###\\n#.."'
    return f'family = "tiling"\nboard = """\n{board}\n"""\nuses = "any"\n[pieces]\n{piece}\n'


def two_labels() -> str:
    """Nine tiles with two labels on a square of 3×3 cells; 60,904 boards."""
    sides = ["aaab", "abaa", "abab", "baaa", "abaa", "aabb", "abaa", "bbaa", "babb"]
    tiles = "\n".join(f"t{i} = {list(labels)}" for i, labels in enumerate(sides))
    return f'family = "edge-matching"\nboard = "square 3x3"\n[tiles]\n{tiles}\n'


def slabs() -> str:
    """Two slabs of 4×10×10 cells in a box of 10×10×10 cells: side by side along one of three axes,
    in 6 ways for each. Few of the many places in the box are wide enough."""
    board = "\n\n".join(["\n".join(["#" * 10] * 10)] * 10)
    slab = "\n\n".join(["\n".join(["#" * 10] * 10)] * 4)
    piece = f'slab = """\n{slab}\n"""'
    return (
        f'family = "tiling"\nboard = """\n{board}\n"""\nleft_over = [0, 1000]\nuses = 2\n'
        f"[pieces]\n{piece}\n"
    )
