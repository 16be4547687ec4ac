"""Steps: how a puzzle is solved by logic, one fact after the other."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count

from jigsat.errors import InputError
from jigsat.facts import (
    BySymmetry,
    Fact,
    Marks,
    name_kind,
)
from jigsat.formula import Formula
from jigsat.phrases import Text, choose_phrasebook
from jigsat.puzzle import Puzzle
from jigsat.questions import Candidates, Status
from jigsat.study.candidates import find_candidates_of, has_solution
from jigsat.study.conversion import Converter
from jigsat.study.knowledge import Knowledge
from jigsat.study.motions import Symmetries
from jigsat.study.reasoner import Inference, Reasoner
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level, Placement

NOTHING_LEFT = "nothing is left to decide"


@dataclass(frozen=True)
class Step:
    """A fact, and what was known before: the placements on the board, and all that were left, as
    for pencil marks.
    """

    number: int
    fact: Fact
    board: tuple[Placement, ...]
    left: tuple[Placement, ...]

    @property
    def kind(self) -> str:
        """The kind of the fact, such as 'last place'."""
        return name_kind(self.fact)

    @property
    def placed(self) -> tuple[Placement, ...]:
        return self.fact.conclusion.placed

    @property
    def excluded(self) -> tuple[Placement, ...]:
        return self.fact.conclusion.excluded

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules from which it follows."""
        return tuple(rule.name for rule in self.fact.rules)

    def text(self, puzzle: Puzzle) -> Text:
        """The step in sentences."""
        return choose_phrasebook(puzzle).phrase(self.fact, self.board, self.left)


def find_steps(
    puzzle: Puzzle,
    given: Collection[Placement] = (),
    candidates: Candidates | None = None,
    excluded: Collection[Placement] = (),
    first: int = 1,
) -> Generator[Step, None, int]:
    """The steps from the given placements to the solution, or as far as something is decided if
    there are several solutions.

    Returns the number of placements that are then in some solutions but not in all. The steps may
    begin with a placement that is assumed by symmetry. `candidates` are those with the given
    placements, complete, if they are known. `excluded` are placements that earlier steps have
    excluded, and `first` is the number of the next step. Raises InputError if there is no solution.

    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> steps = list(find_steps(puzzle))
    >>> steps[0].kind, steps[0].text(puzzle).lines()[0]
    ('last place', 'In row 1, 3 can only go in r1c5.')
    """
    given = list(dict.fromkeys(given))
    subject = PuzzleSubject(puzzle)
    if candidates is None:
        *_, candidates = find_candidates_of(subject, given)
    if not candidates.solvable:
        raise InputError(_describe_lack(puzzle, given))

    formula = subject.encode()
    every = [-x for x in formula.decisions()]
    with closing(Knowledge(puzzle, formula, given, every)) as knowledge:
        number = first
        assumed = _assume_by_symmetry(subject, formula, candidates, given)
        while assumed:
            knowledge.exclude_directly()
            assumed = replace(assumed, tried=_list_tried(knowledge, assumed))
            yield _make_step(knowledge, number, assumed)
            number += 1
            knowledge.learn(list_literals(knowledge, assumed.conclusion))
            given += assumed.conclusion.placed
            *_, candidates = find_candidates_of(subject, given)
            assumed = _assume_by_symmetry(subject, formula, candidates, given)

        statuses = candidates.statuses
        knowledge.aim_at(_list_decided(formula, statuses))
        refuted = [x for x in excluded if statuses[x] == "none"]
        knowledge.learn(-knowledge.variables[x] for x in refuted)
        yield from _follow(knowledge, number)
    return list(statuses.values()).count("some")


def _list_decided(formula: Formula, statuses: Mapping[Placement, Status]) -> list[int]:
    """The literals that all solutions have."""
    decided = []
    for x in formula.decisions():
        status = statuses[formula.key(x)]
        if status in ("all", "none"):
            decided.append(x if status == "all" else -x)
    return decided


def _describe_lack(puzzle: Puzzle, given: Collection[Placement]) -> str:
    if given:
        return (
            f"{puzzle.name}: there is no solution with what is given; `jigsat candidates` tells "
            f"what cannot stand together"
        )
    return f"{puzzle.name}: there is no solution; `jigsat solve` tells why"


def _follow(knowledge: Knowledge, first: int) -> Iterable[Step]:
    """One step after the other, as long as something follows."""
    reasoner = Reasoner(knowledge)
    place_rules = knowledge.puzzle.way().place_rules
    for number in count(first):
        knowledge.exclude_directly()
        inference = reasoner.find_next()
        if not inference:
            return
        fact = Converter(knowledge, place_rules).convert(inference)
        yield _make_step(knowledge, number, fact)
        knowledge.learn(list_literals(knowledge, fact.conclusion), number)


def _make_step(knowledge: Knowledge, number: int, fact: Fact) -> Step:
    board = tuple(knowledge.keys[x] for x in sorted(knowledge.known) if x in knowledge.keys)
    return Step(number, fact, board, knowledge.list_left())


def list_literals(knowledge: Knowledge, marks: Marks) -> list[int]:
    """Placements as literals."""
    placed = [knowledge.variables[x] for x in marks.placed]
    return placed + [-knowledge.variables[x] for x in marks.excluded]


def _assume_by_symmetry(
    subject: PuzzleSubject, formula: Formula, candidates: Candidates, given: Collection[Placement]
) -> BySymmetry | None:
    """A placement that an image of every solution has, if the symmetries of the puzzle that keep
    what is given show one; None if one solution is left, too.
    """
    if "some" not in candidates.statuses.values():
        return None
    formula = formula.extended()
    with formula.rule("excluded"):
        for x in formula.decisions():
            if candidates.statuses[formula.key(x)] == "none":
                formula.clause([-x])
    weights = {x: 1 for x in formula.decisions() if formula.key(x) in given}
    group = subject.group(formula).preserve_weights(weights)
    clause = group.find_breaking_clause(formula, Level.ALL)
    if not clause or len(clause) != 1:
        return None
    x = clause[0]
    symmetries = Symmetries(subject.puzzle, formula, group)
    images = tuple(map(formula.key, symmetries.list_images(x)))
    return BySymmetry(Marks((formula.key(x),)), images, symmetries.list_motions(x))


def _list_tried(knowledge: Knowledge, assumed: BySymmetry) -> tuple[Placement, ...]:
    """What else is left of a choice to which the placement belongs, if possible of the places for
    its thing; without what the rules exclude without a search.
    """
    alike = {knowledge.variables[x] for x in (*assumed.conclusion.placed, *assumed.images)}
    place_rules = knowledge.puzzle.way().place_rules
    every_rule = list(knowledge.rules)
    choices = []
    for choice in knowledge.list_requirements(knowledge.known):
        if not alike.isdisjoint(choice.left):
            others = (x for x in choice.left if x not in alike)
            tried = [x for x in others if knowledge.propagate(every_rule, [x])[0]]
            about_place = knowledge.rule_objects[choice.rule].kind in place_rules
            choices.append((bool(tried), about_place, tried))
    _, _, tried = min(choices, default=(False, False, []))
    return tuple(knowledge.keys[x] for x in tried)


def find_open(puzzle: Puzzle, given: Collection[Placement] = ()) -> list[Placement]:
    """The placements that no single rule excludes by propagation, as for pencil marks.

    >>> from jigsat.instance import load
    >>> left = find_open(load("sudoku-6x6"))
    >>> [placement.value for placement in left if placement.cell == (0, 0)]
    ['1', '5', '6']
    """
    formula = puzzle.encode()
    targets = [-x for x in formula.decisions()]
    with closing(Knowledge(puzzle, formula, given, targets)) as knowledge:
        knowledge.exclude_directly()
        return list(knowledge.list_left())


def find_refutation(
    puzzle: Puzzle, placement: Placement, given: Collection[Placement] = ()
) -> Step | None:
    """Why no solution with the given placements has this one, by a single rule or a small set; None
    if there is one.

    If no solution has the given placements, they are left out. Raises InputError if a solution then
    has this one.

    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> placement = next(key for key in map(puzzle.encode().key, range(1, 7)) if key.value == "2")
    >>> find_refutation(puzzle, placement).text(puzzle).lines()[-1]
    'So r1c1 cannot be 2.'
    """
    formula = puzzle.encode()
    targets = [-x for x in formula.decisions()]
    with closing(Knowledge(puzzle, formula, given, targets)) as knowledge:
        wrong = knowledge.variables[placement]
        if has_solution(formula, [*knowledge.known, wrong]):
            return None
        if not has_solution(formula, knowledge.known):
            step = find_refutation(puzzle, placement) if given else None
            if step:
                return step
            raise InputError(
                "no solution has the other placements together; ask whether they are right so far"
            )
        inference = _refute(knowledge, -wrong)
        fact = Converter(knowledge, puzzle.way().place_rules).convert(inference)
        fact = replace(fact, conclusion=Marks((), (placement,)))
        return _make_step(knowledge, 1, fact)


def _refute(knowledge: Knowledge, literal: int) -> Inference:
    """Why a literal follows: by one rule, or by what the reasoner finds."""
    direct = [rule for rule in knowledge.rules if literal in knowledge.list_implied([rule])]
    del knowledge.undecided[literal]  # so that it is not excluded silently
    knowledge.exclude_directly()
    if direct:
        return Inference("rules", direct[:1], [literal])
    return Reasoner(knowledge).explain([literal])._replace(literals=[literal])
