"""LRAT proofs: the steps of a DRAT proof, each with the clauses from which it follows.

A solver writes down only the clauses that it learnt, so a checker must search for the reasons of
each. `convert_proof` searches once, and writes the reasons down as hints. Then a short program can
follow them: `check_refutation.py`, which shares no code with this module, or a verified checker.

The line `15 2 -3 0 4 7 0` states clause 15: x2, or not x3. It follows because clauses 4 and 7, in
this order, lead to a contradiction if x2 is false and x3 is true. The line `15 d 4 7 0` states that
clauses 4 and 7 are not used any more.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jigsat.errors import CheckError
from jigsat.runtime import untrusted

PROOF = "proof.lrat"
# Verification compares its text, so a change refutes the certificates that were written before.
CHECKER = "check_refutation.py"
FILES = (PROOF, CHECKER)
"""The files that a certificate with an LRAT proof has besides the others."""

# maximum size of a DRAT proof that is converted; the time grows faster than the size
MAX_PROOF_BYTES = 8 * 2**20

# values of literals
TRUE = 1
FALSE = -1
OPEN = 0


class Step(NamedTuple):
    """A clause that follows from earlier ones."""

    number: int
    literals: list[int]
    hints: list[int]  # the numbers of these clauses, in the order in which they are used


def checker() -> list[str]:
    """The lines of the program that checks an LRAT proof without jigsat."""
    return Path(__file__).with_name(CHECKER).read_text(encoding="utf-8").splitlines()


def convert_proof(formula: Path, drat: Path) -> Iterator[str]:
    """The lines of an LRAT proof that a formula has no model, from its DIMACS file and its DRAT
    proof.

    The numbers of the clauses in the file are 1, 2, 3 and so on. Raises CheckError for a step that
    does not follow by unit propagation, and for a proof without the empty clause.
    """
    clauses = _read_formula(formula)
    steps = _find_hints(clauses, drat)
    return _write_steps(_trim_steps(steps), len(clauses))


def _read_formula(path: Path) -> list[list[int]]:
    with path.open(encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith(("c", "p"))]
    return [[int(word) for word in row[:-1]] for row in rows]


def _find_hints(clauses: list[list[int]], drat: Path) -> list[Step]:
    """The steps of the proof up to the empty clause."""
    known = _KnownClauses(clauses)
    steps = []
    with drat.open("rb") as file:
        for place, line in enumerate(untrusted.lines(file), 1):
            if known.conflict:
                break
            match = re.fullmatch(rb"(d )?((?:-?[1-9]\d{0,8} )*)0\n?", line)
            if not match:
                raise CheckError(f"{drat.name}: line {place} is not a clause in text format")
            literals = list(dict.fromkeys(int(word) for word in match[2].split()))
            if match[1]:
                known.delete(literals)
            elif not _is_always_true(literals):
                hints = known.find_hints(literals)
                if hints is None:
                    text = line.decode().strip()
                    where = f"{drat.name}: line {place}, '{text[:60]}'"
                    raise CheckError(f"{where}, does not follow by unit propagation")
                number = known.add(literals)
                steps.append(Step(number, literals, hints))
    if not known.conflict:
        raise CheckError(f"{drat.name}: the empty clause is missing")
    return [*steps, known.refute()]


def _is_always_true(literals: list[int]) -> bool:
    """Whether a clause has a literal and its opposite. Nothing follows from it."""
    return len({abs(literal) for literal in literals}) < len(literals)


def _trim_steps(steps: list[Step]) -> list[Step]:
    """The steps on which the last one depends."""
    needed = {steps[-1].number}
    trimmed = []
    for step in reversed(steps):
        if step.number in needed:
            needed.update(step.hints)
            trimmed.append(step)
    return trimmed[::-1]


def _write_steps(steps: list[Step], formula_size: int) -> Iterator[str]:
    """The lines of the proof: the steps with new numbers, and deletions after the last use."""
    last_use = {}
    for step in steps:
        for hint in step.hints:
            last_use[hint] = step.number
    unused_after = defaultdict(list)
    for number, user in last_use.items():
        unused_after[user].append(number)

    new_numbers = {number: number for number in range(1, formula_size + 1)}
    for step in steps:
        number = len(new_numbers) + 1
        new_numbers[step.number] = number
        hints = [new_numbers[hint] for hint in step.hints]
        yield " ".join(map(str, [number, *step.literals, 0, *hints, 0]))
        if step.literals:
            unused = [new_numbers[other] for other in unused_after[step.number]]
            if unused:
                yield " ".join(map(str, [number, "d", *sorted(unused), 0]))


class _KnownClauses:
    """Clauses, and what follows from them by unit propagation.

    A literal that follows without a supposition stays true for good, because the clause that is its
    reason is never deleted. This is sound: whatever follows from some clauses also follows from
    more. Lists of values and of clauses by literal are indexed by the literal; Python counts
    negative ones from the end.
    """

    def __init__(self, clauses: list[list[int]]) -> None:
        variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
        self.conflict = 0  # the number of a clause of which all literals are false
        self._variables = variables
        self._clauses: list[list[int]] = [[]]  # numbers begin at 1
        self._numbers = defaultdict[tuple[int, ...], list[int]](list)  # by sorted literals
        self._values = [OPEN] * (2 * variables + 1)
        self._true: list[int] = []  # literals, in the order in which they became true
        self._places = [0] * (variables + 1)  # of each variable in this order
        self._reasons = [0] * (variables + 1)  # the clause from which its value follows
        self._settled = 0  # how many literals are true for good
        # clauses of two literals: the other literal and the number, by each of them
        self._pairs: list[list[tuple[int, int]]] = [[] for _ in self._values]
        # longer clauses, by two of their literals, which come first in the clause
        self._watching: list[list[int]] = [[] for _ in self._values]
        for clause in clauses:
            self.add(clause)

    def add(self, literals: list[int]) -> int:
        """Add a clause and settle what follows from it; returns its number."""
        number = len(self._clauses)
        clause = sorted(set(literals))
        self._clauses.append(clause)
        self._numbers[tuple(clause)].append(number)
        values = self._values
        if self.conflict or any(values[literal] == TRUE for literal in clause):
            return number

        clause.sort(key=lambda literal: values[literal] == FALSE)
        possible = sum(values[literal] == OPEN for literal in clause)
        if possible == 0:
            self.conflict = number
        elif possible == 1:
            self._assign(clause[0], number)
            self.conflict = self._propagate()
            self._settled = len(self._true)
        elif len(clause) == 2:
            first, second = clause
            self._pairs[first].append((second, number))
            self._pairs[second].append((first, number))
        else:
            self._watching[clause[0]].append(number)
            self._watching[clause[1]].append(number)
        return number

    def delete(self, literals: list[int]) -> None:
        """Delete a clause with these literals, if there is one that can be deleted.

        Deleting only saves time, so clauses of two literals and reasons are kept.
        """
        numbers = self._numbers.get(tuple(sorted(set(literals))), [])
        if len(literals) <= 2 or not numbers:
            return
        number = numbers[-1]
        for literal in literals:
            if self._values[literal] == TRUE and self._reasons[abs(literal)] == number:
                return
        numbers.pop()
        self._clauses[number] = []  # `_propagate` drops it from the lists of watched clauses

    def find_hints(self, literals: list[int]) -> list[int] | None:
        """The numbers of clauses that lead to a contradiction if these literals are false; None if
        unit propagation leads to none."""
        if any(abs(literal) > self._variables for literal in literals):
            return None

        # A literal that is true for good contradicts the supposition by its reason. The first such
        # literal became true without the others, whose opposites are supposed.
        true = [literal for literal in literals if self._values[literal] == TRUE]
        if true:
            first = min(true, key=lambda literal: self._places[abs(literal)])
            return self._explain(self._reasons[abs(first)], literals)

        for literal in literals:
            if self._values[literal] == OPEN:
                self._assign(-literal, 0)
        conflict = self._propagate()
        hints = self._explain(conflict, literals) if conflict else None
        for literal in self._true[self._settled :]:
            self._values[literal] = self._values[-literal] = OPEN
        del self._true[self._settled :]
        return hints

    def refute(self) -> Step:
        """The empty clause, after a conflict."""
        return Step(len(self._clauses), [], self._explain(self.conflict, []))

    def _explain(self, conflict: int, supposed: list[int]) -> list[int]:
        """The reasons that make all literals of a clause false, in the order of their use, and this
        clause; the values of the supposed literals need no reason."""
        seen = {abs(literal) for literal in supposed}
        variables = []
        numbers = [conflict]
        for number in numbers:  # grows during the loop
            for literal in self._clauses[number]:
                variable = abs(literal)
                if variable not in seen:
                    seen.add(variable)
                    variables.append(variable)
                    numbers.append(self._reasons[variable])
        variables.sort(key=self._places.__getitem__)
        return [*(self._reasons[variable] for variable in variables), conflict]

    def _assign(self, literal: int, reason: int) -> None:
        self._values[literal] = TRUE
        self._values[-literal] = FALSE
        self._places[abs(literal)] = len(self._true)
        self._reasons[abs(literal)] = reason
        self._true.append(literal)

    def _propagate(self) -> int:
        """Make true what follows from the newest true literals; returns the number of a clause of
        which all literals are false, or 0."""
        values = self._values
        clauses = self._clauses
        watching = self._watching
        done = self._settled
        while done < len(self._true):
            false = -self._true[done]
            done += 1
            for other, number in self._pairs[false]:
                if values[other] == OPEN:
                    self._assign(other, number)
                elif values[other] == FALSE:
                    return number

            watchers = watching[false]
            staying: list[int] = []
            watching[false] = staying
            for place, number in enumerate(watchers):
                clause = clauses[number]
                if not clause:
                    continue  # it was deleted
                if clause[0] == false:
                    clause[0] = clause[1]
                    clause[1] = false
                first = clause[0]
                if values[first] == TRUE:
                    staying.append(number)
                    continue
                for i in range(2, len(clause)):
                    literal = clause[i]
                    if values[literal] != FALSE:
                        clause[1] = literal
                        clause[i] = false
                        watching[literal].append(number)
                        break
                else:
                    staying.append(number)
                    if values[first] == FALSE:
                        staying += watchers[place + 1 :]
                        return number
                    self._assign(first, number)
        return 0
