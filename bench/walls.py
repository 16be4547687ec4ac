"""Puzzles on which jigsat was slow or is, compared like those of bench.py: python bench/walls.py
[WORD…]

They are counted, or the first solution is searched for, each beside another program or another
backend where one is known. The planted boards of 13×13 tiles are in `bench/planted`: they have 21
labels inside, 5 along the frame, and five tiles that are placed already. The word square has the
words in lower case of /usr/share/dict/words (Debian: apt-get install wamerican), and is left out
without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench import Task, alone, jigsat, main, python
from bench import tasks as list_defaults
from jigsat.instance import instance_text, load

PLANTED = Path(__file__).parent / "planted"
WORDS = Path("/usr/share/dict/words")
FIRST_SOLUTION = ("--up-to", "nothing", "--limit", "1", "--show", "0")
"""What `jigsat solve` gets to look for one solution and not draw it."""

DEFAULTS = {
    "cats": ["PySAT enum_models"],
    "cube": ["PySAT enum_models"],
    "dominoes-6x8, listed": ["xcover", "clingo crafty"],
    "lights 40×40": ["pycryptosat"],
    "1000 sudokus": ["PySAT"],
    "framed 7×7": ["backtracking in C, a corner fixed", "clingo crafty"],
    "wedding of 120 guests": ["CP-SAT, within 1 %"],
}
"""Tasks of bench.py that are walls too, with the programs beside which they are slow."""

PACKINGS = (
    "soma",
    "pentominoes-3x20",
    "pentominoes-8x8-hole",
    "pentominoes-4x15",
    "pentominoes-5x12",
)

BOXES = {"2x3x10": 96, "2x5x6": 2_112, "3x4x5": 31_520}
"""Boxes that the twelve pentominoes fill, with the number of solutions."""

DOMINOES = {
    20: 1269984011256235834242602753102293934298576249856,
    24: 7435775679122922965141930394167684120105535297322308613569173527105536,
}
"""The number of tilings of a square of this size, by Kasteleyn's formula."""

CONWAY = '''[pieces]
bar = { shape = """
####
####
""", uses = 13 }
cube = """
##
##

##
##
"""
slab = """
##
##
"""
rod = { shape = "###", uses = 3 }
'''
"""Pieces that fill a cube of 5×5×5 cells in 27,456 ways, by J. H. Conway."""

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


def draw_box(size: str) -> str:
    """A box such as 3x4x5 as an instance file without its pieces."""
    layers, rows, columns = map(int, size.split("x"))
    layer = "\n".join(["#" * columns] * rows)
    board = "\n\n".join([layer] * layers)
    return f'family = "tiling"\nboard = """\n{board}\n"""\n'


def fill_with_dominoes(size: int) -> str:
    """A square of cells that dominoes cover."""
    return (
        f'family = "tiling"\nboard = "square {size}x{size}"\nuses = "any"\npieces.domino = "##"\n'
    )


def draw_word_square() -> str:
    """A square of 6×6 letters, in which every row and every column is a word."""
    grid = "\n".join(["." * 6] * 6)
    return f'family = "crossword"\nwords = "words.txt"\ngrid = """\n{grid}\n"""\n'


def tasks(folder: Path) -> Iterator[Task]:
    """All tasks; their input files are written to the folder."""
    for task in list_defaults(folder):
        if task.name in DEFAULTS:
            yield task._replace(others=[x for x in task.others if x.name in DEFAULTS[task.name]])

    def write(name: str, text: str) -> str:
        file = folder / name
        file.write_text(text, encoding="utf-8")
        return str(file)

    calendar = write("calendar.toml", CALENDAR)
    lights = write("lights-30.toml", LIGHTS_30)
    dead = write("mutilated.toml", make_mutilated_board()), write("tetrominoes.toml", tetrominoes())
    labels = write("two-labels.toml", two_labels())
    ice = write("ice.toml", ICE)
    box = write("slabs.toml", slabs())
    models = write("two-models.opb", TWO_MODELS)

    others = alone(calendar, "clingo")
    yield Task("calendar, counted", jigsat("count", calendar), others, 59_787)
    listed = jigsat("count", calendar, "--backend", "cover")
    yield Task("calendar, listed", listed, others, 59_787)
    fewest = jigsat("solve", lights, "--minimize", "--limit", "1", "--json")
    gray = python("a Gray code in Python", GRAY.format(file=lights))
    yield Task("fewest presses, 30×30", fewest, [gray], result=376)
    for name, file in zip(("dominoes", "L-tetrominoes"), dead, strict=True):
        count = jigsat("count", file, "--backend", "counting")
        yield Task(f"{name} without a tiling", count, [], result=0)
    others = alone(labels, "clingo")
    yield Task("two labels, 3×3", jigsat("count", labels), others, 60_904)
    yield Task("ice, 5×5", jigsat("count", ice), alone(ice, "clingo"), 143_224)
    yield Task("slabs in a box", jigsat("count", box), [], result=18)
    yield Task("two models", jigsat("count", models), [], result=2)

    for name in PACKINGS:
        yield Task(name, jigsat("count", name), [], result=count_known(name))
    pentominoes = load("pentominoes-6x10")
    pieces = instance_text(pentominoes).partition("[pieces]")[2].partition("[known]")[0]
    for size, solutions in BOXES.items():
        box = write(f"{size}.toml", f"{draw_box(size)}[pieces]{pieces}")
        yield Task(f"pentominoes {size}", jigsat("count", box), [], solutions)
    cube = write("conway.toml", draw_box("5x5x5") + CONWAY)
    yield Task("Conway's cube 5x5x5", jigsat("count", cube), [], 27_456)
    sets = f'family = "tiling"\nboard = "square 20x24"\nuses = 8\n[pieces]{pieces}'
    yield Task(
        "8 sets of pentominoes", jigsat("solve", write("sets.toml", sets), *FIRST_SOLUTION), []
    )

    for length, tilings in DOMINOES.items():
        square = write(f"dominoes-{length}.toml", fill_with_dominoes(length))
        yield Task(f"dominoes {length}×{length}", jigsat("count", square), [], tilings)
    if WORDS.exists():
        words = set(WORDS.read_text(encoding="utf-8").split())
        plain = [word for word in sorted(words) if re.fullmatch("[a-z]{6}", word)]
        write("words.txt", "\n".join(plain) + "\n")
        square = write("square.toml", draw_word_square())
        yield Task("word square 6×6", jigsat("solve", square, *FIRST_SOLUTION), [])
    for board in sorted(PLANTED.glob("*.toml")):
        others = [
            jigsat("solve", str(board), *FIRST_SOLUTION, "--backend", name)._replace(
                name=f"{name} alone"
            )
            for name in ("scan", "cadical195")
        ]
        yield Task(
            f"planted 13×13, {board.stem}", jigsat("solve", str(board), *FIRST_SOLUTION), others
        )


def count_known(name: str) -> int:
    """The known number of solutions of a puzzle that comes with jigsat."""
    known = load(name).known.solutions
    assert known is not None
    return known


if __name__ == "__main__":
    main(tasks, __doc__)
