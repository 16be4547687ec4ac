"""Exact cover with colours (Knuth's Algorithm C), by xcover, for formulas whose only bounds are
exactly one and at most one.

`exact_cover` explains how a formula is read. If this does not capture all constraints, a SAT solver
tests each cover. An at-most-one constraint is an item that may stay uncovered. A variable whose
values follow from options is such an item too, with the value as its colour: options that need
different values conflict.
"""

import warnings
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.backends.exact_cover import CoverOptions, CoverReader
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint


def specs() -> Iterator[Spec]:
    yield Spec("xcover", "xcover", "pip install xcover", XCover, establishes="exhaustion")


class XCover(Enumerating):
    """Each call of `solve` finds the next model. Adding a constraint restarts the search."""

    capabilities = Capabilities(clauses=False, cardinality=True, assumptions=True, enumerates=True)

    def __init__(self) -> None:
        super().__init__()
        with warnings.catch_warnings():  # numba warns when it compiles xcover at the first import
            warnings.simplefilter("ignore")
            import xcover
        self._algorithm = xcover.algorithm_c
        self._constraints: list[Clause | Cardinality] = []
        self._decisions: Sequence[int] = ()

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = variables

    def add(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Clause | Cardinality):
            raise TypeError(f"xcover does not accept {constraint.kind} constraints")
        self._constraints.append(constraint)
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        constraints = [*self._constraints, *(Clause((literal,)) for literal in assumptions)]
        variables = {abs(x) for constraint in constraints for x in constraint.literals}.union(
            self._decisions
        )
        with closing(CoverReader()) as reader:
            reader.decisions = frozenset(self._decisions or variables)
            for constraint in constraints:
                reader.add(constraint)
            free = reader.decisions.difference(*map(reader.item, reader.constraints))
            for other, variable in enumerate(sorted(free), max(variables, default=0) + 1):
                reader.decisions |= {other}  # the option that the variable is false
                reader.add(Cardinality((variable, other), 1, 1))
            excluded, at_most = _read_sums(reader.sums())
            read, complete = reader.read_whole()
            if free and not complete:
                raise InputError(
                    "xcover accepts only exact covers whose choices determine everything; use "
                    "another backend"
                )
            read = read.without(excluded)
            for cover in self._covers(read, at_most):
                if complete:
                    yield [x for option in cover for x in read.implied[option] if x > 0]
                elif reader.propagator.solve(cover):
                    yield reader.propagator.model()

    def _covers(
        self, read: CoverOptions, at_most: Sequence[Collection[int]]
    ) -> Iterator[list[int]]:
        """The options of each exact cover."""
        import numpy

        if not all(read.items):
            return
        if not read.implied:
            yield []
            return
        items, literals = [*read.items, *at_most], read.conflicting_literals(at_most)
        coloured = {
            x: at
            for at, x in enumerate(
                dict.fromkeys(abs(x) for row in literals for x in row), len(items)
            )
        }
        options = [
            {at: 0 for at, item in enumerate(items) if option in item}
            | {coloured[abs(x)]: 1 + (x > 0) for x in row}
            for option, row in zip(read.implied, literals, strict=True)
        ]
        number = len(items) + len(coloured) + 1
        options[0][number - 1] = 0  # xcover ignores an item if it is the only one
        entries = [entry for option in options for entry in option.items()]
        starts = numpy.cumsum([0, *map(len, options)])
        arrays = [
            numpy.array(numbers, dtype=numpy.uint32)
            for numbers in (*zip(*entries, strict=True), starts)
        ]
        numbered = list(read.implied)
        for found in self._algorithm(
            arrays[0], arrays[2], arrays[1], number, number - len(read.items)
        ):
            yield [numbered[option] for option in found]


def _read_sums(sums: Iterable[Cardinality]) -> tuple[set[int], list[Collection[int]]]:
    """The options that are excluded, and those of at-most-one constraints. Raises InputError for
    other bounds."""
    excluded, at_most = set[int](), list[Collection[int]]()
    for each in sums:
        if each.at_least > 0 or each.at_most < 0 or 1 < each.at_most < len(each.literals):
            raise InputError(
                f"xcover accepts no bounds other than exactly one and at most one, but this "
                f"formula has another {each.kind}; "
                "use another backend"
            )
        if each.at_most == 0:
            excluded.update(each.literals)
        elif each.at_most == 1:
            at_most.append(frozenset(each.literals))
    return excluded, at_most
