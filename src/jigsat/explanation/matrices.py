"""The matrix of a formula whose constraints are XORs, and its inverse modulo 2.

With the equations A x = b over GF(2), x are the variables, and b states which equations are odd. If
A is square and has an inverse, the solution is x = A⁻¹ b. Otherwise its kernel lists what can be
changed without changing b, and the kernel of the transposed matrix lists what each b must fulfil.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from jigsat.formula import Formula, System, Xor, as_xor

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
    names: list[str] = []
    equations: list[Xor] = []
    for about, constraints in formula.list_rules().items():
        for constraint in constraints:
            equation = as_xor(constraint)
            if equation is None:
                return None
            equations.append(equation)
            names.append(about if len(constraints) == 1 and about else f"equation {len(equations)}")
    if not 0 < len(equations) <= MAX_SIZE:
        return None

    rows = []
    for equation in equations:
        rows.append(tuple(int(x in equation.variables) for x in decisions))
    return Matrix(
        [str(formula.name(variable)) for variable in decisions],
        names,
        rows,
        tuple(int(equation.odd) for equation in equations),
        _invert(rows),
        _find_kernel(rows),
        _find_kernel(_transpose(rows)),
    )


def _find_kernel(rows: Sequence[Row]) -> list[Row]:
    """A basis of the vectors that the matrix maps to 0."""
    size = len(rows[0])
    return [_read_vector(vector, size) for vector in _make_system(rows, ()).kernel()]


def _invert(rows: Sequence[Row]) -> list[Row] | None:
    """The inverse of a matrix, or None. Its column i is what the matrix maps to unit vector i."""
    size = len(rows)
    if size != len(rows[0]) or _make_system(rows, ()).nullity:
        return None
    columns = []
    for i in range(size):
        (solution,) = _make_system(rows, {i}).solutions()
        columns.append(_read_vector(solution, size))
    return _transpose(columns)


def _make_system(rows: Sequence[Row], odd: Collection[int]) -> System:
    """Equations with these left-hand sides, of which some are odd. Variable x is column x - 1."""
    system = System()
    system.meet(range(1, len(rows[0]) + 1))
    for i, row in enumerate(rows):
        system.add(Xor(tuple(x for x, one in enumerate(row, 1) if one), i in odd))
    return system


def _read_vector(vector: int, size: int) -> Row:
    """The values of the variables in a solution of a system."""
    return tuple(vector >> x & 1 for x in range(1, size + 1))


def _transpose(rows: Sequence[Row]) -> list[Row]:
    return list(zip(*rows, strict=True))


def _write_row(row: Row) -> str:
    return " ".join(map(str, row))


def _name_ones(vector: Row, names: Iterable[str]) -> str:
    return ", ".join(name for one, name in zip(vector, names, strict=True) if one)
