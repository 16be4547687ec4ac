"""Reading a formula as a query that joins tables, one for each cell of a board.

An exactly-one constraint over decision variables becomes a table, such as the choice of a tile and
its turn for one cell. Each row is an option. What follows from an option by unit propagation, such
as the label that it shows on an edge, is a column. Then

- auxiliary variables that several tables decide are joins: both cells show the same label;
- at-most-one constraints over several tables are tests that no two rows have the same value;
- any other constraint over several tables is a test of a sum of columns.

Constraints within one table are evaluated for each of its rows. The query lists the models of the
formula, each once, if every auxiliary variable is decided by the option of some table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeGuard

from jigsat.backends.base import PROPAGATOR
from jigsat.backends.registry import open_backend
from jigsat.errors import InputError, printable
from jigsat.formula import (
    Cardinality,
    Clause,
    Constraint,
    Linear,
    Name,
    Xor,
    as_sum,
    compact,
    holds,
)

MAX_TABLES = 64  # SQLite joins no more
MAX_COLUMNS = 1000  # of one table; PostgreSQL has at most 1600, SQLite 2000
MAX_NAME_BYTES = 63  # PostgreSQL cuts longer names
NONE = 0  # instead of the number of a constraint, which begins with 1

Value: TypeAlias = int | str
Summed: TypeAlias = Clause | Cardinality | Linear | Xor  # the sum of literals is tested
Stated: TypeAlias = tuple[str, Constraint]
"""A constraint with the name of its group, such as 'every tile is used once'."""


@dataclass
class Table:
    """The options of one cell as rows. A column has one value per row."""

    name: str
    options: list[int]  # literals of decision variables
    shown: dict[str, str]  # the columns that describe an option, by the axes of its name
    columns: dict[str, list[Value]] = field(default_factory=dict)


class Test(NamedTuple):
    """A condition on one row of each of several tables, given by their numbers."""

    tables: Collection[int]
    sql: str
    is_join: bool
    """Whether the row of the last table follows, or almost, from the others."""


class Query(NamedTuple):
    """The tables in the order in which they are joined, and the conditions of the joins."""

    tables: list[Table]
    tests: list[Test]

    def write_tables(self) -> Iterator[str]:
        """The statements that create and fill the tables."""
        for table in self.tables:
            kinds = (
                f"{quote_name(name)} {'INTEGER' if _are_integers(values) else 'TEXT'}"
                for name, values in table.columns.items()
            )
            yield f"CREATE TABLE {quote_name(table.name)} ({', '.join(kinds)});"
            rows = list(zip(*table.columns.values(), strict=True))
            if rows:
                yield f"INSERT INTO {quote_name(table.name)} VALUES"
                for row in rows:
                    end = ";" if row is rows[-1] else ","
                    yield f"  ({', '.join(map(_quote_value, row))}){end}"

    def order_tables(self) -> list[int]:
        """The numbers of the tables in the order of the joins: next comes the table with the most
        joins to those before it."""
        order = [0]
        left = set(range(1, len(self.tables)))
        while left:
            joins = Counter[int]()
            for test in self.tests:
                missing = left.intersection(test.tables)
                if test.is_join and len(missing) == 1:
                    joins.update(missing)
            order.append(max(left, key=lambda number: (joins[number], -number)))
            left.discard(order[-1])
        return order

    def write_select(self, columns: Sequence[str], join: str = "JOIN") -> Iterator[str]:
        """The query, with these expressions as its columns."""
        yield f"SELECT {', '.join(columns)}"
        order = self.order_tables()
        position = {number: i for i, number in enumerate(order)}
        tests = defaultdict[int, list[str]](list)
        for test in self.tests:
            last = max(test.tables, key=position.__getitem__)
            tests[last].append(test.sql)
        for number in order:
            named = f"{quote_name(self.tables[number].name)} AS {alias(number)}"
            if number == order[0]:
                yield f"FROM {named}"
            else:
                yield f"{join} {named} ON {' AND '.join(tests[number]) or '1 = 1'}"


def alias(table: int) -> str:
    """The name of a table in the query, from its number."""
    return f"c{table + 1}"


def name_column(table: int, column: str) -> str:
    """A column of a table in the query."""
    return f"{alias(table)}.{quote_name(column)}"


def quote_name(name: str) -> str:
    """A name as SQL writes it.

    >>> print(quote_name('cell=(0,1)'))
    "cell=(0,1)"
    """
    return '"' + name.replace('"', '""') + '"'


def _quote_value(value: Value) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def _are_integers(values: Iterable[Value]) -> bool:
    return all(isinstance(value, int) for value in values)


def read_query(
    constraints: Iterable[Stated],
    decisions: Collection[int],
    name_of: Callable[[int], Name],
) -> Query:
    """The query that lists the models of the constraints. `name_of` names a variable.

    Raises InputError if the formula has another form.
    """
    reader = _Reader(list(constraints), frozenset(decisions), name_of)
    reader.remove_impossible_rows()
    reader.describe_options()
    reader.join_equal_values()
    reader.test_constraints()
    return Query(reader.tables, reader.tests)


class _Reader:
    """Builds the tables and tests. Tables are referred to by their numbers."""

    def __init__(
        self,
        constraints: list[Stated],
        decisions: frozenset[int],
        name_of: Callable[[int], Name],
    ) -> None:
        self._decisions = decisions
        self._name_of = name_of
        choices = self._find_choices(constraints)
        self._stated = constraints
        self._open: list[tuple[str, Summed]] = []  # those that no table decides alone
        self.tables = [Table("", list(choice), {}) for choice in choices]
        self.tests: list[Test] = []
        self._fixed: dict[int, bool] = {}
        # what an option decides about auxiliary variables
        self._implied: dict[int, dict[int, bool]] = {}
        self._propagate()
        if not all(table.options for table in self.tables):
            self._stated = []  # an empty table has no joins to test
        # the tables that decide a variable
        self._deciding: dict[int, list[int]] = {}
        self._find_deciding_tables()

    def _find_choices(self, constraints: Iterable[Stated]) -> list[Sequence[int]]:
        """The literals of exactly-one constraints that contain each decision variable at most once.
        A variable in none of them is a choice between its two literals."""
        left = set(self._decisions)
        choices: list[Sequence[int]] = []
        for _, constraint in constraints:
            if constraint.kind == "exactly-one" and left.issuperset(constraint[0]):
                choices.append(constraint[0])
                left.difference_update(constraint[0])
        choices += [(variable, -variable) for variable in sorted(left)]
        if not choices:
            raise InputError("no tables can be joined: the formula has no decisions")
        if len(choices) > MAX_TABLES:
            raise InputError(
                f"no tables can be joined: there are {len(choices):,} choices, such as that of a "
                f"tile for a cell, and SQLite joins at most {MAX_TABLES} tables"
            )
        return choices

    def _propagate(self) -> None:
        """What follows by unit propagation from each option, or without any."""
        local = self._sort_by_table()
        units = set()
        for _, constraint in self._stated:
            if isinstance(constraint, Clause) and len(constraint.literals) == 1:
                units.add(constraint.literals[0])
        for number, table in enumerate(self.tables):
            table.options = [option for option in table.options if -option not in units]
            self._propagate_options(table, [*local[None], *local[number]])
        self._find_fixed_variables(local[None])

    def _sort_by_table(self) -> Mapping[int | None, list[Constraint]]:
        """The constraints on the options of one table and auxiliary variables, by table; None
        stands for those on auxiliary variables alone."""
        table_of = {
            abs(x): number for number, table in enumerate(self.tables) for x in table.options
        }
        local = defaultdict[int | None, list[Constraint]](list)
        for _, constraint in self._stated:
            if self._can_propagate(constraint):
                tables = {table_of[abs(x)] for x in constraint[0] if abs(x) in table_of}
                if len(tables) <= 1:
                    local[next(iter(tables), None)].append(constraint)
        return local

    def _propagate_options(self, table: Table, constraints: Iterable[Constraint]) -> None:
        """What each option decides; a refuted option is removed."""
        possible = []
        with closing(open_backend(PROPAGATOR)) as solver:
            solver.add_all(constraints)
            for option in table.options:
                others = [-other for other in table.options if other != option]
                consistent, literals = solver.propagate([option, *others])
                if consistent:
                    possible.append(option)
                    self._implied[option] = {
                        abs(literal): literal > 0
                        for literal in literals
                        if abs(literal) not in self._decisions
                    }
        table.options = possible

    def _find_fixed_variables(self, constraints: Iterable[Constraint]) -> None:
        """The auxiliary variables whose value follows without any option."""
        auxiliary = {abs(x) for _, constraint in self._stated for x in constraint[0]}
        with closing(open_backend(PROPAGATOR)) as solver:
            solver.add_all(constraints)
            for variable in auxiliary - self._decisions:
                if not solver.propagate([variable])[0]:
                    self._fixed[variable] = False
                elif not solver.propagate([-variable])[0]:
                    self._fixed[variable] = True

    def _can_propagate(self, constraint: Constraint) -> bool:
        """Whether the solver gets a constraint. A single option would be no assumption any more,
        and what follows from it might not be reported."""
        literals = constraint[0]
        if len(literals) == 1 and abs(literals[0]) in self._decisions:
            return False
        return bool(literals) and isinstance(constraint, Clause | Cardinality)

    def _find_deciding_tables(self) -> None:
        for number, table in enumerate(self.tables):
            for option in table.options:
                self._deciding[abs(option)] = [number]
            decided = [self._implied[option].keys() for option in table.options]
            for variable in set.intersection(*map(set, decided)) if decided else ():
                self._deciding.setdefault(variable, []).append(number)

    def _list_deciding_tables(self, variable: int) -> list[int]:
        tables = self._deciding.get(variable)
        if tables is None and variable in self._decisions:
            return []  # an option that was refuted
        if tables is None:
            raise InputError(
                f"no tables can be joined: {self._name_of(variable)} does not follow from the "
                f"choice for one cell"
            )
        return tables

    def _get_value(self, option: int, variable: int) -> bool:
        """The value of a variable that the table of an option decides."""
        if variable in self._fixed:
            return self._fixed[variable]
        if variable in self._decisions:
            return variable == option
        return self._implied[option][variable]

    def _list_open_variables(self, constraint: Constraint) -> list[int]:
        """The variables of a constraint whose value depends on a row."""
        variables = map(abs, constraint[0])
        return [
            variable
            for variable in variables
            if variable not in self._fixed and self._is_possible(variable)
        ]

    def _is_possible(self, variable: int) -> bool:
        return variable not in self._decisions or variable in self._deciding

    def remove_impossible_rows(self) -> None:
        """Evaluate the constraints that one table decides alone, and keep the others."""
        for group, constraint in self._stated:
            if not isinstance(constraint, Summed):
                raise InputError(
                    f"no tables can be joined: a test of {constraint.kind} takes more than two "
                    f"cells"
                )
            variables = self._list_open_variables(constraint)
            deciding = [set(self._list_deciding_tables(variable)) for variable in variables]
            common = set.intersection(*deciding) if deciding else {0}
            if not common:
                self._open.append((group, constraint))
                continue
            table = self.tables[min(common)]
            table.options = [option for option in table.options if self._holds(constraint, option)]

    def _holds(self, constraint: Constraint, option: int) -> bool:
        variables = map(abs, constraint[0])
        true = {
            variable
            for variable in variables
            if self._is_possible(variable) and self._get_value(option, variable)
        }
        return holds(constraint, true)

    def describe_options(self) -> None:
        """Name the tables, and add the columns that a reader looks for, such as tile and turn."""
        varying = self._find_varying_axes()
        taken: set[str] = set()
        for number, table in enumerate(self.tables, 1):
            names = list(map(self._name_of, table.options))
            constant = []
            if names and all(name.axes == names[0].axes for name in names):
                for position, axis in enumerate(names[0].axes):
                    values = [_as_value(name.key[position]) for name in names]
                    if (names[0].family, axis) in varying:
                        table.shown[axis] = self._add_column(table, axis, values)
                    else:
                        constant.append(f"{axis}={values[0]}")
            if not table.shown:
                chosen: list[Value] = [int(option > 0) for option in table.options]
                table.shown["chosen"] = self._add_column(table, "chosen", chosen)
            table.name = _make_unique(" ".join(constant) or f"choice {number}", taken)

    def _find_varying_axes(self) -> set[tuple[str, str]]:
        """The families and axes that tell the options of a table apart."""
        varying: set[tuple[str, str]] = set()
        for table in self.tables:
            values = defaultdict[tuple[str, str], set[Hashable]](set)
            for option in table.options:
                name = self._name_of(option)
                for axis, value in zip(name.axes, name.key, strict=True):
                    values[name.family, axis].add(value)
            varying.update(axis for axis, different in values.items() if len(different) > 1)
        return varying

    def _add_column(self, table: Table, name: str, values: list[Value]) -> str:
        """Add a column to a table and return its name. An equal column is added once."""
        for column, known in table.columns.items():
            if known == values and (column == name or column.startswith(f"{name} ")):
                return column
        column = _make_unique(name, {column.lower() for column in table.columns})
        table.columns[column] = values
        if len(table.columns) > MAX_COLUMNS:
            raise InputError(
                f"no tables can be joined: a table needs more than {MAX_COLUMNS:,} columns"
            )
        return column

    def join_equal_values(self) -> None:
        """Where several tables decide an auxiliary variable, they agree on it."""
        shared = {
            variable: tables for variable, tables in self._deciding.items() if len(tables) > 1
        }
        for literals in self._list_choices_among(shared):
            first, *others = shared[literals[0]]
            named = self._name_of(literals[0])
            place = Name(named.family, named.axes[:-1], named.key[:-1])
            own = self._add_choice(first, str(place), literals)
            for other in others:
                column = self._add_choice(other, str(place), literals)
                self.tests.append(Test({first, other}, f"{own} = {column}", True))
            for literal in literals:
                del shared[literal]
        for variable, (first, *others) in shared.items():
            own = self._add_sum(first, str(self._name_of(variable)), {variable: 1})
            for other in others:
                column = self._add_sum(other, str(self._name_of(variable)), {variable: 1})
                self.tests.append(Test({first, other}, f"{own} = {column}", True))

    def _list_choices_among(self, shared: Mapping[int, list[int]]) -> list[tuple[int, ...]]:
        """The literals of disjoint exactly-one constraints that the same tables decide."""
        free = set(shared)
        choices = []
        for _, constraint in self._stated:
            literals = constraint[0]
            if constraint.kind != "exactly-one" or not free.issuperset(literals):
                continue
            if all(shared[literal] == shared[literals[0]] for literal in literals):
                choices.append(literals)
                free.difference_update(literals)
        return choices

    def _add_choice(self, number: int, name: str, literals: Sequence[int]) -> str:
        """A column with the value of a choice, which each row decides."""
        values = []
        for option in self.tables[number].options:
            true = next(literal for literal in literals if self._get_value(option, literal))
            values.append(_as_value(self._name_of(true).key[-1]))
        return name_column(number, self._add_column(self.tables[number], name, values))

    def _add_sum(self, number: int, name: str, weights: Mapping[int, int]) -> str:
        """A column with the sum of the weights of those literals that are true in each row."""
        values: list[Value] = []
        for option in self.tables[number].options:
            total = 0
            for literal, weight in weights.items():
                if self._get_value(option, abs(literal)) == (literal > 0):
                    total += weight
            values.append(total)
        return name_column(number, self._add_column(self.tables[number], name, values))

    def test_constraints(self) -> None:
        """Add the tests of the constraints that several tables decide together."""
        exclusive: list[_Exclusive] = []
        for group, constraint in self._open:
            if not self._is_exclusive(constraint):
                self._test_sum(group, constraint)
                continue
            members = frozenset(constraint[0])
            for family in exclusive:
                if family.group == group and members.isdisjoint(family.number_of):
                    break
            else:
                family = _Exclusive(group)
                exclusive.append(family)
            family.add(constraint)
        for family in exclusive:
            self._test_exclusive(family)

    def _is_exclusive(self, constraint: Constraint) -> TypeGuard[Cardinality]:
        """Whether at most one of some options may be chosen."""
        return (
            isinstance(constraint, Cardinality)
            and constraint.at_most == 1
            and self._decisions.issuperset(constraint.literals)
        )

    def _test_exclusive(self, family: _Exclusive) -> None:
        """The rows of two tables are not options of the same constraint."""
        axis = self._find_axis(family)
        columns: dict[int, str] = {}
        occurring: dict[int, set[int]] = {}
        for number, table in enumerate(self.tables):
            constraints = [family.number_of.get(option, NONE) for option in table.options]
            occurring[number] = set(constraints)
            if axis is not None:
                columns[number] = name_column(number, table.shown[axis])
            elif occurring[number] != {NONE}:
                column = self._add_column(table, family.group, list(constraints))
                columns[number] = name_column(number, column)
        for one, other in combinations(columns, 2):
            both = occurring[one] & occurring[other]
            if both - {NONE}:
                test = f"{columns[one]} <> {columns[other]}"
                if NONE in both:
                    test = f"({test} OR {columns[one]} = {NONE})"
                self.tests.append(Test({one, other}, test, False))
        if self._follow_by_number(family, occurring):
            return
        for constraint, literals in enumerate(family.constraints, NONE + 1):
            if literals.at_least:
                value: Value = constraint
                if axis is not None:
                    value = self._get_axis_value(literals.literals[0], axis)
                among = f"{_quote_value(value)} IN ({', '.join(columns.values())})"
                self.tests.append(Test(set(columns), among, False))

    def _follow_by_number(self, family: _Exclusive, occurring: Mapping[int, set[int]]) -> bool:
        """Whether each constraint has an option because all tables choose different ones, and
        there are no more constraints than tables.
        """
        if any(NONE in constraints for constraints in occurring.values()):
            return False
        return len(family.constraints) == len(self.tables)

    def _find_axis(self, family: _Exclusive) -> str | None:
        """The axis that distinguishes the constraints, such as the tile of a placement."""
        options = [option for table in self.tables for option in table.options]
        if not set(options) <= family.number_of.keys():
            return None
        for axis in self._name_of(options[0]).axes if options else ():
            if not all(axis in table.shown for table in self.tables):
                continue
            pairs = {(family.number_of[x], self._get_axis_value(x, axis)) for x in options}
            constraints = {number for number, _ in pairs}
            values = {value for _, value in pairs}
            if len(pairs) == len(constraints) == len(values):
                return axis
        return None

    def _get_axis_value(self, option: int, axis: str) -> Value:
        name = self._name_of(option)
        return _as_value(name.key[name.axes.index(axis)])

    def _test_sum(self, group: str, constraint: Summed) -> None:
        """A test of the sum of the weights of the true literals."""
        weights, least, most = _as_bounds(constraint)
        by_table: dict[int, dict[int, int]] = {}
        for literal, weight in weights.items():
            variable = abs(literal)
            if variable in self._fixed or not self._is_possible(variable):
                true = self._fixed.get(variable, False) == (literal > 0)
                least -= weight * true
                most -= weight * true
                continue
            number, *_ = self._list_deciding_tables(variable)
            by_table.setdefault(number, {})[literal] = weight
        columns = []
        for number, own in by_table.items():
            name = group
            if len(own) == 1:
                (literal,) = own
                name = str(self._name_of(literal))
            columns.append(self._add_sum(number, name, own))
        total = " + ".join(columns)
        if isinstance(constraint, Xor):
            total, least, most = f"({total}) % 2", least % 2, least % 2
        test = f"{total} = {least}" if least == most else f"{total} BETWEEN {least} AND {most}"
        self.tests.append(Test(set(by_table), test, True))


class _Exclusive:
    """Disjoint at-most-one constraints of one group, numbered from 1."""

    def __init__(self, group: str) -> None:
        self.group = group
        self.constraints: list[Cardinality] = []
        self.number_of: dict[int, int] = {}  # by option

    def add(self, constraint: Cardinality) -> None:
        self.constraints.append(constraint)
        for option in constraint.literals:
            self.number_of[option] = NONE + len(self.constraints)


def _as_bounds(constraint: Summed) -> tuple[dict[int, int], int, int]:
    """The weights of the literals, and the bounds of their sum."""
    if isinstance(constraint, Xor):
        return dict.fromkeys(constraint.variables, 1), int(constraint.odd), int(constraint.odd)
    literals, factors, least, most = as_sum(constraint)
    total = Counter[int]()
    for literal, weight in zip(literals, factors, strict=False):
        total[literal] += weight
    return total, least, most


def _as_value(value: object) -> Value:
    return int(value) if isinstance(value, int) else printable(compact(value))


def _make_unique(name: str, taken: set[str]) -> str:
    """A name that is not taken in any case of letters, and short enough; it is then taken."""
    name = printable(name)
    short = name.encode()[: MAX_NAME_BYTES - 5].decode(errors="ignore")
    unique = name if len(name.encode()) <= MAX_NAME_BYTES else f"{short} 1"
    number = 1
    while unique.lower() in taken:
        number += 1
        unique = f"{short} {number}"
    taken.add(unique.lower())
    return unique
