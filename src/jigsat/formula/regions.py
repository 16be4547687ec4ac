"""Regions that are as large as their numbers say, as clauses.

Each node but the roots has a parent beside it with the same number. The branch of a node is the
node with the branches of its children; its size, in binary, is one more than the sum of theirs, so
that no node is its own ancestor. The branch of a root has as many nodes as its number says. Nodes
beside each other with equal numbers have the same root: its number, in binary, is the same for
both.

Parents are not unique, so these auxiliary variables have several values for the same numbers:
whoever counts must count projected on the variables of the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product

from jigsat.formula.elimination import Pattern
from jigsat.formula.graphs import Regions
from jigsat.formula.reach import Pair


@lru_cache(maxsize=2)
def regions_pattern(constraint: Regions) -> Pattern:
    """The clauses for `Regions`, without those that each node has one number. The variable i + 1
    stands for the literal with the index i.

    >>> clauses, auxiliaries = regions_pattern(Regions((1,), (0,), (2,), ()))
    >>> [-1] in clauses
    True
    """
    forest = _Forest(constraint)
    equal = {pair: forest.compare_numbers(*pair) for pair in constraint.edges}
    forest.hang_nodes(equal)
    forest.name_roots(equal)
    forest.measure_branches()
    return forest.clauses, forest.top - len(constraint.literals)


class _Forest:
    """Clauses that grow; `top` is the highest variable. A row of bits is a number in binary, the
    lowest bit first."""

    def __init__(self, constraint: Regions) -> None:
        self.clauses: list[list[int]] = []
        self.top = len(constraint.literals)
        self.number_of: dict[int, dict[int, int]] = {}
        """For each node the variables of its numbers."""
        for variable, node in enumerate(constraint.nodes, 1):
            size = constraint.sizes[variable - 1]
            self.number_of.setdefault(node, {})[size] = variable
        self.is_root = {node: self._add_variable() for node in self.number_of}
        self.hanging: dict[int, list[Pair]] = {node: [] for node in self.number_of}
        """For each node its possible children, each with the variable that it is one."""

    def _add_variable(self) -> int:
        self.top += 1
        return self.top

    def _add_bits(self) -> list[int]:
        """A row of bits for a number up to that of the nodes."""
        return [self._add_variable() for _ in range(len(self.number_of).bit_length())]

    def compare_numbers(self, one: int, other: int) -> int:
        """A variable that is true if and only if two nodes have the same number."""
        equal = self._add_variable()
        here, there = self.number_of[one], self.number_of[other]
        for size in sorted({*here, *there}):
            if size in here and size in there:
                self.clauses.append([-here[size], -there[size], equal])
                self.clauses.append([-equal, -here[size], there[size]])
            else:
                single = here.get(size) or there[size]
                self.clauses.append([-equal, -single])
        return equal

    def hang_nodes(self, equal: dict[Pair, int]) -> None:
        """Each node is a root or has a parent with the same number."""
        ways = {node: [root] for node, root in self.is_root.items()}
        for (one, other), same in equal.items():
            for parent, child in ((one, other), (other, one)):
                hangs = self._add_variable()
                self.hanging[parent].append((child, hangs))
                ways[child].append(hangs)
                self.clauses.append([-hangs, same])
        for literals in ways.values():
            self.clauses.append(literals)
            self.clauses += [[-one, -other] for one, other in combinations(literals, 2)]

    def name_roots(self, equal: dict[Pair, int]) -> None:
        """The number of the root is the same for two nodes that have equal numbers."""
        names = {node: self._add_bits() for node in self.number_of}
        for node, root in self.is_root.items():
            self._set_bits(root, names[node], node)
        for (one, other), same in equal.items():
            for here, there in zip(names[one], names[other], strict=True):
                self.clauses += [[-same, -here, there], [-same, here, -there]]

    def measure_branches(self) -> None:
        """The branch of a root is as large as its number says."""
        sizes = {node: self._add_bits() for node in self.number_of}
        for node, children in self.hanging.items():
            rows = [self._limit_bits(hangs, sizes[child]) for child, hangs in children]
            self._add_up(rows, sizes[node])
            for size, literal in self.number_of[node].items():
                if size <= len(self.number_of):
                    self._set_bits(self.is_root[node], sizes[node], size, literal)
                else:
                    self.clauses.append([-literal])

    def _set_bits(self, condition: int, bits: Sequence[int], number: int, more: int = 0) -> None:
        """If the condition holds, and one more if it is given, the bits are those of a number."""
        conditions = [-condition] if more == 0 else [-condition, -more]
        for i, bit in enumerate(bits):
            self.clauses.append([*conditions, bit if number >> i & 1 else -bit])

    def _limit_bits(self, condition: int, bits: Sequence[int]) -> list[int]:
        """The same bits if the condition holds, otherwise those of 0."""
        limited = []
        for bit in bits:
            both = self._add_variable()
            self.clauses += [[-both, condition], [-both, bit], [both, -condition, -bit]]
            limited.append(both)
        return limited

    def _add_up(self, rows: Sequence[Sequence[int]], total: Sequence[int]) -> None:
        """The total is one more than the sum of all rows, and has no more bits."""
        one = self._add_variable()
        self.clauses.append([one])
        zeros = [-one] * len(total)
        rows = rows or [zeros]
        sums = [list(total)]
        for _ in rows[1:]:
            sums.append([self._add_variable() for _ in total])
        for i, row in enumerate(rows):
            carry = one if i == len(rows) - 1 else -one
            terms = sums[i + 1] if i + 1 < len(rows) else zeros
            for first, second, result in zip(row, terms, sums[i], strict=True):
                carry = self._add_bit(first, second, carry, result)
            self.clauses.append([-carry])

    def _add_bit(self, first: int, second: int, carry: int, result: int) -> int:
        """Add the clauses of a full adder: the result is true if an odd number of the three bits
        is. Returns a new variable for the carry out, true if at least two of them are."""
        for signs in product((1, -1), repeat=3):
            terms = [sign * bit for sign, bit in zip(signs, (first, second, carry), strict=True)]
            odd = signs.count(1) % 2 == 1
            self.clauses.append([*(-term for term in terms), result if odd else -result])
        carry_out = self._add_variable()
        for one, other in combinations((first, second, carry), 2):
            self.clauses += [[-one, -other, carry_out], [one, other, -carry_out]]
        return carry_out
