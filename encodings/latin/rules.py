"""Latin squares: each symbol occurs once in every row and column of a square.

Two squares are orthogonal if no two cells hold the same pair of symbols, one of each square.
Variables and constraint groups, for k squares of order n:

- `symbol(cell, value)`: the cell holds the symbol; one choice per cell, k·n³ decision variables.
- `pair(squares, cell, first, second)`: what the two squares hold on this cell; n⁴ auxiliary
  variables per pair of squares.

- "each cell holds one symbol": k·n² exactly-one.
- "each symbol once per row", "… column", and "… diagonal" if the puzzle has diagonals: k·n²
  exactly-one, or 2·k·n.
- "a pair consists of two symbols": 2·n³ exactly-one per pair of squares.
- "each pair of symbols occurs once": n² exactly-one per pair of squares.
- "givens": one clause per given symbol.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product

from jigsat.encodings.latin.check import broken_rules
from jigsat.encodings.latin.data import Cell, LatinData, Symbol

from jigsat.boards.lattice import motions
from jigsat.formula import Choice, Formula, Thing
from jigsat.puzzle import Reason
from jigsat.symmetry import Symmetry, symbol_symmetries
from jigsat.words import plural

PAIR = "The two squares hold these two symbols on this cell."


class Latin(LatinData):
    """A Latin square, or several that are orthogonal, to be filled in."""

    check = broken_rules

    def encode(self) -> Formula:
        formula = Formula()
        symbol: dict[Cell, Choice] = {}
        for number, square in enumerate(self.squares):
            symbols = self.symbols(number)
            for cell in (cell for row in square for cell in row):
                with formula.rule("each cell holds one symbol", "cell", self.name_cell(cell)):
                    symbol[cell] = formula.choice("symbol", symbols, key=Symbol, cell=cell)

        for number in range(len(self.squares)):
            for thing, line in self.lines(number).items():
                with formula.rule(f"each symbol once per {thing.noun}", *thing):
                    formula.all_different(symbol[cell] for cell in line)

        for one, other in combinations(range(len(self.squares)), 2):
            self.make_orthogonal(formula, symbol, one, other)

        for cell, value in self.givens.items():
            with formula.rule("givens", "given", self.name_cell(cell)):
                formula.clause([symbol[cell](value)])
        return formula

    def lines(self, number: int) -> dict[Thing, Sequence[Cell]]:
        """The cells of each line of a square in which a symbol occurs once."""
        square = self.squares[number]
        of = f" of square {number + 1}" if self.mates else ""
        lines: dict[Thing, Sequence[Cell]] = {}
        for i, row in enumerate(square, 1):
            lines[Thing("row", f"{i}{of}")] = row
        for i, column in enumerate(zip(*square, strict=True), 1):
            lines[Thing("column", f"{i}{of}")] = column
        if self.diagonals:
            falling = [row[i] for i, row in enumerate(square)]
            rising = [row[-1 - i] for i, row in enumerate(square)]
            lines[Thing("diagonal", f"{of} from the top left".strip())] = falling
            lines[Thing("diagonal", f"{of} from the top right".strip())] = rising
        return lines

    def make_orthogonal(
        self, formula: Formula, symbol: dict[Cell, Choice], one: int, other: int
    ) -> None:
        first, second = self.symbols(one), self.symbols(other)
        at = list(product(range(self.order), repeat=2))
        keys = product([(one, other)], at, first, second)
        pair = formula.variables(
            "pair", ("squares", "cell", "first", "second"), keys, decision=False, meaning=PAIR
        )
        with formula.rule("a pair consists of two symbols"):
            for r, c in at:
                here, there = (symbol[self.cell(square, r, c)] for square in (one, other))
                for value in first:
                    formula.exactly_one([-here(value), *pair[(one, other), (r, c), value, :]])
                for value in second:
                    formula.exactly_one([-there(value), *pair[(one, other), (r, c), :, value]])
        for values in product(first, second):
            pair_of_squares = f"{''.join(values)} of squares {one + 1} and {other + 1}"
            with formula.rule("each pair of symbols occurs once", "pair", pair_of_squares):
                formula.exactly_one(pair[(one, other), :, *values])

    def symmetries(self) -> Iterator[Symmetry]:
        """Motions of all squares, with permutations of their symbols; those of rows would be too
        many to list."""
        grids = []
        for i, square in enumerate(self.squares):
            grids.append((list(chain.from_iterable(square)), self.symbols(i)))
        places = list(product(range(self.order), repeat=2))
        moves = []
        for motion in motions(2):
            images = motion.apply(places)
            move: dict[Cell, Cell] = {}
            for cells, _ in grids:
                for cell, image in zip(cells, images, strict=True):
                    move[cell] = (*cell[:-2], *image)
            moves.append((motion.level, move))
        return symbol_symmetries(Symbol, grids, moves, self.givens)

    def reasons(self) -> Iterator[Reason]:
        from jigsat.pieces.counting import Houses

        if 1 < self.order <= len(self.mates) + 1:
            yield Reason(
                f"at most {plural(self.order - 1, 'Latin square')} of order {self.order} can be "
                f"pairwise orthogonal"
            )
        for number, square in enumerate(self.squares):
            named = []
            for thing, line in self.lines(number).items():
                words = f"the {thing}" if thing.noun == "diagonal" else str(thing)
                named.append((words, line))
            givens = {
                cell: self.givens[cell] for row in square for cell in row if cell in self.givens
            }
            for words, cells in Houses(named, self.symbols(number), givens, self.place).faults():
                yield Reason(
                    words,
                    frozenset(
                        Symbol(cell, value) for cell, value in givens.items() if cell in cells
                    ),
                )
        yield from self._repeated_pairs()

    def _repeated_pairs(self) -> Iterator[Reason]:
        """Pairs of symbols that are given on two cells of orthogonal squares."""
        for one, other in combinations(range(len(self.squares)), 2):
            first: dict[tuple[str, str], tuple[Cell, Cell]] = {}
            for r, c in product(range(self.order), repeat=2):
                cells = self.cell(one, r, c), self.cell(other, r, c)
                if all(cell in self.givens for cell in cells):
                    pair = self.givens[cells[0]], self.givens[cells[1]]
                    if (before := first.setdefault(pair, cells)) != cells:
                        words = (
                            f"the pair {''.join(pair)} is given twice: "
                            f"{self.place(before[0])} and {self.place(cells[0])}"
                        )
                        yield Reason(
                            words,
                            frozenset(
                                Symbol(cell, self.givens[cell]) for cell in (*before, *cells)
                            ),
                        )
