"""Generating puzzles with the requested number of solutions. No family is named here.

A family has a class of `GeneratorOptions`, which state what can be requested. From the options a
*generator* is built, which yields candidates: a solution with clues that force it
(`jigsat.generation.clues`), or data found by counterexample-guided generation
(`jigsat.generation.counterexamples`). A candidate that meets the request is solved again with
another solver and from the instance's own encoding, and checked, before anybody sees it.

Random choices depend on the seed alone, and effort is counted in attempts, calls and conflicts. So
a seed gives the same puzzles on every machine.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Generator as IteratorGenerator
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, get_args

from pydantic import PositiveInt, model_validator

from jigsat.answering.enumeration import Enumeration
from jigsat.answering.ways import try_counting_first
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.puzzle import Entries, Known, Puzzle, Solution
from jigsat.puzzle.copies import canonical_form
from jigsat.questions import Difficulty, LevelOrGrade, Result
from jigsat.rating.difficulty import rating
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level
from jigsat.words import plural

# backend that verifies each puzzle. It is not related to the solver that generates.
VERIFIER = "glucose42"
MAX_CANDIDATES = 10_000  # maximum number of candidates per puzzle

# number of candidates equal to earlier puzzles after which there are taken to be no others
MAX_COPIES = 500

CANDIDATES_PER_REPORT = 20
"""The number of candidates without a better one after which the best one is reported again, with
the number of attempts."""

NEIGHBOURS_BEFORE_RESTART = 100
"""The number of neighbours without improvement after which a walk towards the requested difficulty
starts again."""


# what no two puzzles of a run share: a form up to symmetry (see `form_of`), or a solution
Form = tuple[str, str]


class Candidate(NamedTuple):
    """A puzzle that may meet the request.

    `distance` is 0 if it does, and larger the further it is from the request; `shortcoming` then
    states why. `established` states what the generator has established about the solutions. If
    `verifiable`, that can be verified with another solver.
    """

    puzzle: Puzzle
    distance: int = 0
    shortcoming: str = ""
    established: str = ""
    verifiable: bool = True
    gain: float = 0
    """The progress towards the requested difficulty; it tells candidates of the same distance
    apart."""
    note: str = ""
    """What the user is told about this puzzle."""


# a generator of candidates, to which True or False may be sent
Candidates = IteratorGenerator[Candidate, bool | None, None]


class Generator(ABC):
    """A source of candidates. It may learn from one puzzle to the next."""

    @abstractmethod
    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield candidates up to the limit on attempts. Raises Stopped if it is proved that no such
        puzzle exists.

        If `hard`, the first one may be a puzzle that is known to be hard, with a distance from the
        request. `made` are the puzzles that this generator has found so far. A candidate that
        shares one of the `earlier` forms is of no use.

        Sent True, the generator continues with neighbours of this candidate; sent False, with
        neighbours of the last one for which it was sent True, if there is one; without either, with
        any puzzle.
        """

    @abstractmethod
    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the last candidate with another solver: the counts. Raises CheckError if they
        differ."""

    def solution_forms(self, puzzle: Puzzle) -> Collection[Form]:
        """The solutions of a puzzle, if other puzzles of the run could have the same; none if a
        puzzle follows from its solution."""
        return ()

    def forms(self, puzzle: Puzzle) -> frozenset[Form]:
        """What no other puzzle of the run may share with this one."""
        return frozenset([form_of(puzzle), *self.solution_forms(puzzle)])


class GeneratorOptions(Entries, ABC):
    """What can be requested of a generator, one subclass per family. Options are validated as
    instances are."""

    secret: ClassVar[frozenset[str]] = frozenset()
    """Options whose values give the solution away, so that the source in the instance file leaves
    them out."""
    puzzles_per_generator: ClassVar[int] = 10
    """The number of puzzles that one generator finds, learning from each, before another one takes
    over."""

    single: ClassVar[str] = "the puzzles of this family have one solution"
    """Why no other number of solutions can be requested; '' if it can."""

    title: str | None = None
    """The title of the puzzles; by default it says what they are."""
    solutions: PositiveInt = 1
    """The number of distinct solutions."""

    @model_validator(mode="after")
    def _one_solution(self) -> Self:
        if self.single and self.solutions > 1:
            raise ValueError(f"solutions: {self.single}")
        return self

    @classmethod
    def include_files(cls, requested: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        """The requested options with the contents of the files that they name, with paths relative
        to a folder."""
        return requested

    @abstractmethod
    def build_generator(self) -> Generator:
        """The generator for these options. Raises InputError if no puzzle can meet them."""


class GeneratedPuzzle(NamedTuple):
    """A puzzle with its known facts. If it does not meet the request, `shortcoming` states why."""

    puzzle: Puzzle
    shortcoming: str = ""
    attempts: int = 1
    """The number of candidates that have been tried for this puzzle."""
    forms: frozenset[Form] = frozenset()
    """What no other puzzle of the run may share with it; only if it is as requested."""
    note: str = ""
    """What the user is told about this puzzle."""


def generate(
    generator: Generator,
    seed: int,
    count: int = 1,
    difficulty: LevelOrGrade | None = None,
    first: int = 1,
    earlier: Collection[Form] = (),
) -> Iterator[GeneratedPuzzle]:
    """Yield the given number of puzzles, of the requested difficulty if there is one; the first has
    the number `first`.

    No two are equal up to a symmetry of the family, no two have the same solution, and none shares
    one of the `earlier` forms.

    Each may be preceded by puzzles with a shortcoming, each closer to the request than the one
    before, or the same one after more attempts. Raises Stopped if no puzzle is found; the best
    candidate has been yielded by then.
    """
    earlier, made = set(earlier), list[Puzzle]()
    for number in range(first, first + count):
        # runs for two levels begin with different solutions
        level = f"/{difficulty}" if difficulty else ""
        rng = random.Random(f"{seed}/{number}{level}")
        yield from _one(generator, rng, difficulty, earlier, made)


def _one(
    generator: Generator,
    rng: random.Random,
    difficulty: LevelOrGrade | None,
    earlier: set[Form],
    made: list[Puzzle],
) -> Iterator[GeneratedPuzzle]:
    """One puzzle that differs from the earlier ones; it is added to them and to those made."""
    best = (inf, inf)
    attempts = 0
    copies = 0
    if difficulty is None:
        candidates: Iterator[Candidate] = generator.candidates(rng, made=made, earlier=earlier)
    else:
        candidates = _walk(generator, rng, difficulty, made, earlier)
    for candidate in islice(candidates, MAX_CANDIDATES):
        attempts += 1
        if not candidate.distance:
            forms = generator.forms(candidate.puzzle)
            if not forms.isdisjoint(earlier):
                copies += 1
                if copies == MAX_COPIES:
                    break
                continue
        if (apart := (candidate.distance, -candidate.gain)) < best:
            best = apart
            verified = verify_candidate(generator, candidate)
            if not candidate.distance:
                earlier |= forms
                made.append(verified.puzzle)
                yield verified._replace(attempts=attempts, forms=forms)
                return
            yield verified._replace(attempts=attempts)
        elif attempts % CANDIDATES_PER_REPORT == 0:
            yield verified._replace(attempts=attempts)
    raise Stopped(
        f"none found in {attempts:,} "
        f"attempts{f', of which {copies:,} equal earlier puzzles' if copies else ''}"
    )


def form_of(puzzle: Puzzle) -> Form:
    """The form that puzzles share if they are equal up to a symmetry of the family; without igraph,
    only if they are equal."""
    try:
        return canonical_form(puzzle)
    except InputError:
        return puzzle.family, puzzle.digest()


def _walk(
    generator: Generator,
    rng: random.Random,
    difficulty: LevelOrGrade,
    made: Sequence[Puzzle],
    earlier: Collection[Form],
) -> Iterator[Candidate]:
    """Candidates of the requested difficulty: while they have another level, neighbours of the
    hardest or of the easiest one.

    After `NEIGHBOURS_BEFORE_RESTART` neighbours that are no improvement, the walk starts again
    elsewhere.
    """
    candidates = generator.candidates(rng, difficulty == "hard", made, earlier)
    start = best = -inf
    since = 0
    candidate = next(candidates, None)
    for _ in range(MAX_CANDIDATES):
        if candidate is None:
            return
        stay = False
        if candidate.verifiable:
            measured = _measure(candidate.puzzle, difficulty)
            gain = measured.gain
            if measured.apart and not candidate.distance:
                candidate = candidate._replace(
                    distance=measured.apart,
                    shortcoming=f"it is {measured.words}; requested: {difficulty}",
                )
            if not measured.apart and candidate.distance:
                start = gain  # a known puzzle, to which a new walk returns
            candidate = candidate._replace(gain=gain)
            stay, since = gain >= best, 0 if gain > best else since + 1
            best = max(best, gain)
        yield candidate
        restart = since > NEIGHBOURS_BEFORE_RESTART
        if restart:
            best, since = start, 0
        try:
            candidate = candidates.send(None if restart else stay)
        except StopIteration:
            return


class Measured(NamedTuple):
    """The difficulty of a puzzle: how many levels it is apart from the requested one, the progress
    towards it, and the difficulty in words."""

    apart: int
    gain: float
    words: str


def _measure(puzzle: Puzzle, requested: LevelOrGrade) -> Measured:
    """Raises InputError if a grade is requested and these puzzles have none."""
    if requested.isdigit():
        return _measure_grade(puzzle, int(requested))
    levels = get_args(Difficulty)
    rated = rating(puzzle)
    missing = levels.index(requested) - levels.index(rated.level)
    harder = missing > 0 or requested != levels[0]
    return Measured(abs(missing), rated.effort if harder else -rated.effort, str(rated))


def _measure_grade(puzzle: Puzzle, requested: int) -> Measured:
    from jigsat.rating.grades import find_grade  # imports much

    grade = find_grade(puzzle)
    if grade is None:
        raise InputError(
            f"difficulty: puzzles of the family {puzzle.family} have no grades; write "
            f"{', '.join(get_args(Difficulty))}"
        )
    apart = abs(requested - grade.number)
    return Measured(apart, -apart, str(grade))


def verify_candidate(generator: Generator, candidate: Candidate) -> GeneratedPuzzle:
    """A candidate with what is known about it; if it is verifiable, it is solved once more."""
    puzzle = candidate.puzzle
    known = Known()
    established = [candidate.established]
    if candidate.verifiable:
        known = generator.verify(puzzle)
        established.append(f"solved once more with {VERIFIER} and checked")
    known = known.model_copy(update={"source": "; ".join(filter(None, established))})
    kind = type(puzzle)
    entries = {name: getattr(puzzle, name) for name in type(puzzle).model_fields}
    # a copy without cached values, because it may be sent to another process
    puzzle = kind.model_construct(puzzle.model_fields_set | {"known"}, **entries | {"known": known})
    return GeneratedPuzzle(puzzle, candidate.shortcoming, note=candidate.note)


def solve_again(subject: PuzzleSubject, requested: int) -> tuple[Known, Solution]:
    """The numbers of solutions according to the second backend, and one of them, checked.

    Raises CheckError unless as many distinct ones are found as requested. If the puzzle has an
    objective, these are the ones with its minimum, and all solutions are counted as well if that is
    possible without listing them.
    """
    least = bool(subject.encode().objective)
    search = Enumeration[Solution](
        subject, backend=VERIFIER, up_to=Level.REFLECTION, minimize=least
    )
    solutions = list(search)
    result = search.result
    if not result.complete or len(solutions) != requested:
        raise CheckError(
            f"{VERIFIER} finds {plural(len(solutions), 'solution')} instead of {requested}. This "
            f"is a bug"
        )
    counts: dict[str, int] = {}
    count: Result | None = result
    if result.minimum is not None:
        counts["minimum"] = result.minimum
        count = try_counting_first(subject)
    if count is not None:
        counts["solutions"] = count.solutions
        counts |= {str(level): number for level, number in count.distinct.items()}
    return Known.model_validate(counts), solutions[0]
