"""The matrix of a formula whose constraints are XORs, and its inverse modulo 2.

With the equations A x = b over GF(2), x are the variables, and b states which equations are odd. If
A is square and has an inverse, the solution is x = A⁻¹ b. Otherwise its kernel lists what can be
changed without changing b, and the kernel of the transposed matrix lists what each b must fulfil.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jigsat.formula import Formula, Xor, as_xor

MAX_SIZE = 64  # number of rows and columns up to which a matrix is worked out
MAX_SHOWN_COLUMNS = 25  # number of columns of a matrix that is printed

Row = tuple[int, ...]  # of zeros and ones


@dataclass(frozen=True)
class Matrix:
    """The matrix A of the equations A x = b modulo 2.

    `variables` name the columns, `equations` the rows, and `odd` is b. `inverse` is the inverse
    matrix, or None. `kernel` is a basis of the x with A x = 0. `conditions` is a basis of the sets
    of equations whose sum is 0 on the left: b can be reached only if each set has an even number
    of odd equations.
    """

    variables: list[str]
    equations: list[str]
    rows: list[Row]
    odd: Row
    inverse: list[Row] | None
    kernel: list[Row]
    conditions: list[Row]

    def words(self) -> list[str]:
        """The matrices as text, and what the kernel means."""
        lines = []
        if len(self.variables) > MAX_SHOWN_COLUMNS:
            lines.append(f"matrix modulo 2: {len(self.rows)} by {len(self.variables)}; see --json")
        elif self.inverse:
            lines.append("matrix of the equations modulo 2, and its inverse:")
            for row, inverse in zip(self.rows, self.inverse, strict=True):
                lines.append(f"  {_write_row(row)}    {_write_row(inverse)}")
        else:
            lines.append("matrix of the equations modulo 2:")
            lines += [f"  {_write_row(row)}" for row in self.rows]
        for vector in self.kernel:
            lines.append(f"these together change nothing: {_name_ones(vector, self.variables)}")
        for vector in self.conditions:
            names = _name_ones(vector, self.equations)
            lines.append(f"solvable only if an even number of these is odd: {names}")
        return lines


def read_matrix(formula: Formula) -> Matrix | None:
    """The matrix of a formula of decision variables and XORs; None for any other formula, and for
    one with more than 64 variables or equations.

    >>> formula = Formula()
    >>> press = formula.variables("press", {"lamp": range(2)})
    >>> formula.xor(press[:])
    >>> formula.xor([press(1)])
    >>> read_matrix(formula).inverse
    [(1, 1), (0, 1)]
    """
    decisions = formula.decisions()
    if len(decisions) != formula.top or not 0 < formula.top <= MAX_SIZE:
        return None
    equations = dict[str, Xor]()
    for about, constraints in formula.list_rules().items():
        for constraint in constraints:
            equation = as_xor(constraint)
            if equation is None:
                return None
            name = about if about and about not in equations else f"equation {len(equations) + 1}"
            equations[name] = equation
    if not 0 < len(equations) <= MAX_SIZE:
        return None
    rows = [
        tuple(int(x in equation.variables) for x in decisions) for equation in equations.values()
    ]
    inverse, conditions = _reduce(rows)
    return Matrix(
        [str(formula.name(variable)) for variable in decisions],
        list(equations),
        rows,
        tuple(int(equation.odd) for equation in equations.values()),
        inverse,
        _reduce(_transpose(rows))[1],
        conditions,
    )


def _reduce(rows: Sequence[Row]) -> tuple[list[Row] | None, list[Row]]:
    """The inverse of a matrix or None, and a basis of the sets of rows whose sum is 0, both by
    Gauss-Jordan elimination of the matrix beside the identity."""
    size = len(rows)
    identity = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    extended = [(*row, *own) for row, own in zip(rows, identity, strict=True)]
    width = len(rows[0])
    rank = 0
    for column in range(width):
        pivot = next((i for i in range(rank, size) if extended[i][column]), None)
        if pivot is None:
            continue
        extended[rank], extended[pivot] = extended[pivot], extended[rank]
        for i in range(size):
            if i != rank and extended[i][column]:
                extended[i] = _add(extended[i], extended[rank])
        rank += 1
    combined = [row[width:] for row in extended]
    inverse = combined if rank == size == width else None
    return inverse, combined[rank:]


def _add(one: Row, other: Row) -> Row:
    return tuple(a ^ b for a, b in zip(one, other, strict=True))


def _transpose(rows: Sequence[Row]) -> list[Row]:
    return list(zip(*rows, strict=True))


def _write_row(row: Row) -> str:
    return " ".join(map(str, row))


def _name_ones(vector: Row, names: Iterable[str]) -> str:
    return ", ".join(name for one, name in zip(vector, names, strict=True) if one)
