"""The answers to the page's requests, computed by jigsat's own functions; the same in the browser
and in the server."""

import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from itertools import islice, product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from jigsat import instance
from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.errors import IncompleteError, InputError, Stopped, unknown
from jigsat.explanation.summary import describe_plainly
from jigsat.facts import NAMES
from jigsat.formats.export import FORMATS
from jigsat.generation.grids import MAX_SIDE
from jigsat.generation.sources import GenerationTask, generate_from, generators
from jigsat.instance.json_schema import schema
from jigsat.kit import GridPuzzle
from jigsat.pictures import order_blocks
from jigsat.pictures.unsolved import opening
from jigsat.printing.chapters import Entry, make_chapters
from jigsat.printing.html import write_body
from jigsat.printing.parts import Document, draw_puzzle, draw_solution
from jigsat.puzzle import Puzzle, Rule, Solution, list_rules
from jigsat.questions import Candidates, FindCandidates, FirstSolutions, LevelOrGrade, Why
from jigsat.runtime.limits import Limits
from jigsat.services.answer import answer_question, follow_answer
from jigsat.services.explain import explain
from jigsat.services.export import ExportRequest, export_formula, export_puzzles
from jigsat.services.generate import describe_command, describe_settings
from jigsat.services.reasons import draw_reason
from jigsat.study.areas import find_area
from jigsat.study.highlights import Highlighter
from jigsat.study.implied import MAX_IMPLICATIONS, imply_from_givens, watch_implications
from jigsat.study.playing import MAX_CANDIDATES, BrokenRule, Playing
from jigsat.study.steps import Step, find_open, find_refutation, find_steps
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level, Placement
from jigsat.web import messages
from jigsat.web.messages import Placed
from jigsat.web.puzzles import (
    RequestedPuzzle,
    as_json,
    describe_puzzle,
    describe_rule,
    encode_source,
    read_played,
    read_puzzles,
)

PROGRESS_INTERVAL_S = 0.25  # seconds between two reports on the progress of a search
# time limit of the search for reasons, which the reader waits for
MAX_PAGE_REASONS_S = 20.0
MAX_LISTED_RULES = 2000  # maximum number of rules in a message
MAX_LISTED_CONSTRAINTS = 12  # maximum number of constraints that explain a rule
DeclaredLevel = Literal["nothing", "rotation", "reflection", "all"]
UpTo = Literal[DeclaredLevel, "automorphism"]
# placements of a request, which may be a part of a solution
Listed = Annotated[Placed, Field(default_factory=list)]
# number of rows or columns of a new puzzle
Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]

STATUSES = {"all": "!", "some": "+", "none": "-", "unknown": "?"}


def _about() -> Iterator[messages.About]:
    """What is available: families with their entries and generators, and levels of symmetry."""
    made = {family: options.model_json_schema() for family, options in generators().items()}
    families = [
        messages.Family(
            family=kind.family,
            formats=[*kind.formats()],
            entries=schema(kind),
            generator=made.get(kind.family),
        )
        for kind in instance.every_family()
    ]
    yield messages.About(jigsat=version("jigsat"), up_to=list(Level), families=families)


def _gallery() -> Iterator[messages.GalleryInstance]:
    """All instances, each with a picture of the unsolved puzzle."""
    files = {path.stem: instance.load_all(path) for path in instance.instances()}
    for with_picture, (name, (first, *others)) in product((False, True), files.items()):
        yield messages.GalleryInstance(
            name=name,
            family=first.family,
            title=first.title,
            source=first.source,
            known=first.known.model_dump(exclude_defaults=True),
            puzzles=1 + len(others),
            svg=opening(first.parts()) if with_picture else None,
        )


def _draft(family: str, rows: Side, columns: Side) -> Iterator[messages.Draft]:
    """An empty puzzle of a kind on a grid."""
    kind = instance.family(family)
    if not issubclass(kind, GridPuzzle):
        raise InputError(f"the request: the family {family} is no kind of puzzles on a grid")
    yield messages.Draft(data=kind.draft(rows, columns))


def _load(puzzle: RequestedPuzzle) -> Iterator[messages.LoadedPuzzle]:
    """Every puzzle of a file."""
    try:
        puzzles = read_puzzles(puzzle)
    except IncompleteError as error:
        yield describe_puzzle(error.draft, str(error))
        return
    for number, loaded in enumerate(puzzles, 1):
        yield describe_puzzle(loaded).model_copy(update={"number": number, "of": len(puzzles)})


def _solve(
    asked: Playing,
    up_to: UpTo = "rotation",
    limit: PositiveInt | None = None,
    drawn: NonNegativeInt = 20,
    shown: NonNegativeInt = 1000,
    best: bool = False,
) -> Iterator[messages.WebMessage]:
    """The distinct solutions, with the progress of the search; its result; and why there is no
    solution.

    Those after the first `drawn` come without a picture, those after `shown` are only counted. With
    `best`, only the best ones are meant if the rules of the puzzle ask for these.
    """
    only_best = best and asked.puzzle.asks_for_best and bool(asked.formula.objective)
    enumeration: Enumeration[Solution] = Enumeration(
        asked.puzzle, up_to=Level(up_to), limit=limit, minimize=only_best
    )
    yield messages.RunProgress(so_far=_so_far(enumeration), only_best=only_best)
    cost = ""
    reported = time.monotonic()
    for number, solution in enumerate(enumeration, 1):
        if only_best and not cost:
            cost = asked.puzzle.way().cost(solution.placements)
        if number <= shown:
            yield messages.Solved(
                number=number,
                svg=solution.svg() if number <= drawn else None,
                placements=solution.objects(),
                relation=solution.relation,
                so_far=_so_far(enumeration),
            )
        elif time.monotonic() - reported >= PROGRESS_INTERVAL_S:
            reported = time.monotonic()
            yield messages.RunProgress(so_far=_so_far(enumeration))
    result = enumeration.result
    yield messages.Verdict(found=enumeration.found, result=result, words=str(result), cost=cost)
    if result.complete and not result.solutions:
        yield _reasons(asked.puzzle)


def _reasons(puzzle: Puzzle) -> messages.Reasons:
    """Why there is no solution, as far as this is found in time. Without signals, as in a browser,
    the search is not interrupted."""
    why = Why()
    with suppress(Stopped), Limits(MAX_PAGE_REASONS_S).hold():
        for more in collect_reasons(puzzle):
            why = more
    reasons = []
    for reason in why.found:
        picture = draw_reason(puzzle, reason)
        reasons.append(
            messages.ReasonDrawn(words=reason.reason.words, clues=list(reason.clues), svg=picture)
        )
    return messages.Reasons(found=reasons, finished=not why.unfinished)


def _so_far(enumeration: Enumeration[Solution]) -> messages.SoFar:
    result = enumeration.result
    return messages.SoFar(
        found=enumeration.found, solutions=result.solutions, distinct=result.distinct
    )


def _unique(
    asked: Playing, up_to: DeclaredLevel = "rotation"
) -> Iterator[messages.Uniqueness | messages.Reasons]:
    """Whether there is exactly one solution."""
    answer = answer_question(FirstSolutions(Level(up_to), explain=False), asked.puzzle)
    if answer.stopped_by is not None:
        raise Stopped(answer.stopped_by)
    pictures = []
    for solution in answer.solutions:
        differing = (
            answer.solutions[0].differing(answer.solutions[-1]).intersection(solution.placements)
        )
        pictures.append(
            messages.Drawn(
                svg=solution.svg(differing),
                placements=solution.objects(),
                relation=solution.relation,
            )
        )
    yield messages.Uniqueness(
        unique=answer.unique, complete=answer.complete, words=str(answer), solutions=pictures
    )
    if answer.complete and not answer.solutions:
        yield _reasons(asked.puzzle)


def _draw(
    asked: Playing, placements: Listed, marked: Listed, apart: bool = False
) -> Iterator[messages.DrawnPicture]:
    """A picture of placements, which may be a part of a solution, with marks; one for each
    placement if `apart`."""
    placed, outlined = map(asked.read_placements, (placements, marked), ("placements.", "marked."))
    for those in [[placement] for placement in placed] if apart else [placed]:
        yield messages.DrawnPicture(svg=asked.puzzle.svg(those, outlined))


def _solid(asked: Playing, placements: Listed) -> Iterator[messages.SolidShape]:
    """The shape in space of a puzzle, with placements on it."""
    placed = asked.read_placements(placements, "placements.") if placements else []
    solid = asked.puzzle.solid(placed)
    if solid is None:
        raise InputError("this puzzle lies in the plane")
    order = order_blocks(solid.blocks)
    yield messages.SolidShape(
        svg=asked.puzzle.svg(placed),
        faces=list(solid.faces),
        blocks=[block for block, _ in order] or list(solid.blocks),
        ways=[way for _, way in order],
    )


def _candidates(asked: Playing, placements: Listed) -> Iterator[messages.CandidatesFound]:
    """What can be placed where, together with the given placements."""
    sent = ""
    question = FindCandidates(tuple(read_played(asked, placements)))
    for answer in follow_answer(question, asked.puzzle):
        candidates = answer.candidates
        statuses = ""
        for candidate in asked.candidates.values():
            status = candidates.statuses[candidate.placement]
            if status == "unknown" and candidate.placement in candidates.possible:
                statuses += "*"
            else:
                statuses += STATUSES[status]
        if statuses != sent:
            sent = statuses
            yield messages.CandidatesFound(statuses=statuses)


def _open(
    asked: Playing, placements: Listed, excluded: Listed
) -> Iterator[messages.CandidatesFound]:
    """What no single rule excludes, as for pencil marks. `excluded` are the placements that steps
    have excluded."""
    left = find_open(asked.puzzle, read_played(asked, placements))
    open_ = {*left}.difference(asked.read_placements(excluded, "excluded."))
    statuses = (
        "?" if candidate.placement in open_ else "-" for candidate in asked.candidates.values()
    )
    yield messages.CandidatesFound(statuses="".join(statuses))


def _judge(asked: Playing, placements: Listed) -> Iterator[messages.Judgement]:
    """Whether some solution has all of the given placements."""
    question = FindCandidates(tuple(read_played(asked, placements)))
    known = (answer.candidates for answer in follow_answer(question, asked.puzzle))
    last = next(state for state in known if state.solvable or state.complete)
    yield messages.Judgement(right=bool(last.solvable), conflict=_conflict(asked, last))


def _conflict(asked: Playing, candidates: Candidates) -> Placed:
    """The placements of a conflict that are not given by the puzzle."""
    givens = asked.puzzle.given_placements()
    return as_json(placement for placement in candidates.conflict if placement not in givens)


def _step(
    asked: Playing, placements: Listed, excluded: Listed
) -> Iterator[messages.StepFound | messages.Judgement]:
    """What comes next, and why. `excluded` are the placements that earlier steps have excluded."""
    played = read_played(asked, placements)
    left_out = asked.read_placements(excluded, "excluded.")
    last = answer_question(FindCandidates(tuple(played)), asked.puzzle).candidates
    if not last.solvable:
        yield messages.Judgement(right=False, conflict=_conflict(asked, last))
        return
    undecided = [placement for placement, status in last.statuses.items() if status == "some"]
    step = next(find_steps(asked.puzzle, played, last, left_out), None)
    if step is not None:
        described = _describe_step(asked, step)
        yield described.model_copy(update={"undecided": len(undecided)})
        return
    choices = [
        candidate.placement
        for candidate in asked.candidates.values()
        if last.statuses[candidate.placement] == "some"
    ]
    yield messages.StepFound(
        reasoning="none",
        undecided=len(undecided),
        choice=as_json(choices[:1])[0] if choices else None,
    )


def _why(
    asked: Playing, placements: Listed, placement: dict[str, Any]
) -> Iterator[messages.StepFound]:
    """Why no solution with the given placements has this one."""
    (wrong,) = asked.read_placements([placement], "placement.")
    step = find_refutation(asked.puzzle, wrong, read_played(asked, placements))
    yield messages.StepFound(reasoning="none") if step is None else _describe_step(asked, step)


def _describe_step(asked: Playing, step: Step) -> messages.StepFound:
    text = step.text(asked.puzzle)
    highlights = Highlighter(asked).highlight(step.fact)
    chain = text.list_chain() if text.is_long else []
    return messages.StepFound(
        reasoning=NAMES[type(step.fact)],
        rules=[describe_rule(asked, name) for name in step.rules],
        about=[place for place in asked.places if place in highlights.about],
        at=[place for place in asked.places if place in highlights.at],
        placed=as_json(step.placed),
        excluded=as_json(step.excluded),
        used=as_json(highlights.used),
        title=text.title,
        look=text.look,
        ask=text.ask,
        lines=text.lines(),
        chain=chain,
        beside=text.beside,
    )


def _start(asked: Playing) -> Iterator[messages.Started]:
    """What there is to play with."""
    if not asked.candidates:
        raise InputError("this puzzle cannot be played by hand")
    if len(asked.candidates) > MAX_CANDIDATES:
        raise InputError(
            f"too large to be played here: pieces can be placed in {len(asked.candidates):,} ways"
        )
    needed = len(asked.places) // len(asked.copies) if asked.puzzle.equally_often else None
    way = asked.puzzle.way()
    yield messages.Started(
        pieces=[
            messages.PlayedPiece(name=name, copies=copies, needed=needed)
            for name, copies in asked.copies.items()
        ],
        candidates=[
            messages.PlayedCandidate(
                piece=piece,
                said=way.name(placement),
                places=list(places),
                placement=as_json([placement])[0],
            )
            for piece, places, placement in asked.candidates.values()
        ],
        given=as_json(
            placement
            for placement in asked.puzzle.given_placements()
            if asked.puzzle.board_places(placement)
        ),
        in_words=asked.puzzle.in_words,
    )


def _play(asked: Playing, placements: Listed, check: bool = False) -> Iterator[messages.Position]:
    """A picture of placements by hand, and whether they are a solution; with `check`, what is
    wrong."""
    played = read_played(asked, placements)
    faults = (
        [_describe_fault(asked, played, rule) for rule in asked.broken_rules(played)]
        if check
        else []
    )
    solution = asked.find_solution(played)
    yield messages.Position(
        svg=asked.puzzle.svg(played),
        solved=solution is not None,
        broken=faults,
        cost="" if solution is None else asked.puzzle.way().cost(solution),
    )


def _describe_fault(
    asked: Playing, placed: list[Placement], broken: BrokenRule
) -> messages.WrongPlacements:
    """What is wrong with placements that break a rule."""
    rule = list_rules(asked.formula).get(broken.name, Rule(broken.rule, "", ""))
    every = (candidate.placement for candidate in asked.candidates.values())
    wrong = [placement for placement in every if placement in broken.placements]
    words = asked.puzzle.way().fault(rule, broken.rule, wrong)
    if not words:
        words = _describe_by_check(asked, placed, broken)
    about = _list_places(asked, broken)
    return messages.WrongPlacements(words=words, placements=as_json(wrong), about=about)


def _list_places(asked: Playing, broken: BrokenRule) -> list[Hashable]:
    """The places of a rule with several, such as those of a cage. A row or a column is seen without
    a mark."""
    if broken.name.startswith(("row ", "column ")):
        return []
    area = find_area(asked, broken.name, asked.rules.get(broken.name, ()))
    places = [place for place in asked.places if place in area.places]
    return places if len(places) > 1 else []


def _describe_by_check(asked: Playing, placed: list[Placement], broken: BrokenRule) -> str:
    """What the check says of the wrong placements; if that is nothing, the rule and where it is
    broken."""
    rule, name, wrong = broken
    variables = {x for x, candidate in asked.candidates.items() if candidate.placement in wrong}
    where = [
        name
        for name, rows in asked.rules.items()
        if any(variables <= {*constraint[0]} for constraint in rows)
    ]

    # What the check says of these placements alone is about them. Some checks only tell what is
    # wrong if the board is full; then the other placements may have the fault.
    faults = _list_own_faults(asked.puzzle, wrong, wrong)
    if where:
        faults.append(f"{where[0]}: {rule}")
    else:
        faults += _list_own_faults(asked.puzzle, placed, wrong)
    return faults[0] if faults else f"not so: {name or rule}"


def _list_own_faults(
    puzzle: Puzzle, placed: Collection[Placement], wrong: Collection[Placement]
) -> list[str]:
    """What the check says of placements only if all of the wrong ones are among them."""
    without: set[str] = set()
    for left_out in wrong:
        rest = [placement for placement in placed if placement != left_out]
        without.update(puzzle.check(rest))
    return [words for words in puzzle.check(list(placed)) if words not in without]


def _explain(asked: Playing) -> Iterator[messages.Encoding]:
    """The encoding of a puzzle."""
    explanation = explain(asked.puzzle)
    yield messages.Encoding(
        variables=explanation.variables,
        groups=explanation.groups,
        clauses=explanation.clauses,
        added=explanation.added,
        words=explanation.words(),
    )


def _rules(asked: Playing) -> Iterator[messages.RuleList]:
    """The rules: for each thing such as a cell, a row or a piece, all constraints about it."""
    yield messages.RuleList(
        rules=[describe_rule(asked, name) for name in islice(asked.rules, MAX_LISTED_RULES)]
    )


def _rule(asked: Playing, name: str) -> Iterator[messages.RuleExplained]:
    """The constraints of a rule, by its name."""
    if (constraints := asked.rules.get(name)) is None:
        raise InputError(unknown("rule", name, asked.rules))
    first = constraints[:MAX_LISTED_CONSTRAINTS]
    words = [
        describe_plainly(asked.formula, constraint, asked.puzzle.cell_field) for constraint in first
    ]
    formula = asked.formula
    families = (
        formula.families[formula.name(abs(literal)).family]
        for constraint in first
        for literal in constraint[0]
    )
    meanings = {
        f"{family.name} ({', '.join(family.axes)})": family.meaning
        for family in families
        if not family.decision
    }
    groups = list(formula.rules.get(name, ()))
    yield messages.RuleExplained(
        groups=groups, meanings=meanings, constraints=words, number=len(constraints)
    )


def _imply(asked: Playing, placements: Listed) -> Iterator[messages.Implied]:
    """What follows from a supposed placement, if there is one, constraint by constraint."""
    numbers = {variable: number for number, variable in enumerate(asked.candidates)}

    def split(literals: Iterable[int]) -> tuple[list[int], list[int]]:
        """The numbers of the candidates that hold, and of those that do not."""
        listed = [*literals]
        return [numbers[x] for x in listed if x > 0], [numbers[-x] for x in listed if x < 0]

    known = imply_from_givens(asked)
    steps = []
    for supposed in asked.read_placements(placements, "placements.")[:1]:
        for implication in islice(watch_implications(asked, known, supposed), MAX_IMPLICATIONS):
            placed, excluded = split(implication.implied)
            steps.append(
                messages.ImpliedStep(
                    rule=implication.rule,
                    placed=placed,
                    excluded=excluded,
                    clause=split(implication.literals)[0],
                    bounds=implication.bounds,
                    broken=implication.broken,
                )
            )
    given, excluded = split(sorted(known, key=abs))
    yield messages.Implied(given=given, excluded=excluded, steps=steps)


def _generate(
    options: Annotated[dict[str, Any], Field(default_factory=dict)],
    family: str | None = None,
    puzzle: RequestedPuzzle | None = None,
    seed: NonNegativeInt = 0,
    number: PositiveInt = 1,
    difficulty: LevelOrGrade | None = None,
) -> Iterator[messages.LoadedPuzzle]:
    """New puzzles of a family, or new clues for a puzzle; `options` are those of the generator."""
    if (family is None) == (puzzle is None):
        raise InputError("the request: give exactly one of `family` and `puzzle`")
    if family is not None and family not in generators():
        raise InputError(f"family: {unknown('generator', family, generators())}")
    source = encode_source(puzzle).puzzle if puzzle else family or ""
    command = describe_command(family or "", describe_settings(options), (), seed)
    count = 0
    for one in generate_from(GenerationTask(source, options, seed, difficulty), number):
        if not one.shortcoming:
            count += 1
            made = (
                one.puzzle
                if puzzle
                else one.puzzle.model_copy(update={"source": f"{command}, number {count}"})
            )
            yield describe_puzzle(made).model_copy(update={"number": count, "of": number})


def _export(asked: Playing, format: str) -> Iterator[messages.ExportedFile]:
    """The file of a format: 'cnf', 'opb' and so on, or one of the family's formats."""
    puzzle = asked.puzzle
    name = asked.puzzle.name or asked.puzzle.family
    writers = puzzle.formats()
    formats = [*(suffix[1:] for suffix in FORMATS), *writers]
    if format not in formats:
        raise InputError(f"format: {unknown('format', format, formats)}")
    file = f"{name}.{format}"
    kind = "text/plain"
    if format in writers:
        text = export_puzzles([puzzle], format)
        if instance.is_bytes(text):
            kind = "application/octet-stream"
    else:
        request = ExportRequest(PuzzleSubject(puzzle), Path(file))
        text = "".join(item for item in export_formula(request) if isinstance(item, str))
    yield messages.ExportedFile(name=file, type=kind, text=text)


def _print(
    puzzles: Annotated[list[RequestedPuzzle], Field(min_length=1, max_length=50)],
    solutions: bool = False,
) -> Iterator[messages.ExportedFile]:
    """A part of a web page to print with some puzzles, and one solution of each if `solutions`."""
    loaded = [encode_source(requested).puzzle for requested in puzzles]
    several = sum(any(part.kind == "piece" for part in puzzle.parts()) for puzzle in loaded) > 1
    entries = []
    for number, puzzle in enumerate(loaded, 1):
        title = puzzle.title or puzzle.name or puzzle.family
        title = title.removesuffix(f", no. {number}")
        printed = draw_puzzle(puzzle, number, title, numbered=several)
        if solutions:
            solution = first_solution(puzzle)
            remark = "There is no solution." if solution is None else ""
            printed = replace(printed, solution=draw_solution(puzzle, solution, remark))
        entries.append(Entry(puzzle.family, printed))
    document = Document("", "", False, make_chapters(entries, book=False))
    yield messages.ExportedFile(name="pages.html", type="text/html", text=write_body(document))


ANSWERS: dict[str, Callable[..., Iterator[Any]]] = {
    "about": _about,
    "gallery": _gallery,
    "draft": _draft,
    "load": _load,
    "solve": _solve,
    "unique": _unique,
    "draw": _draw,
    "solid": _solid,
    "candidates": _candidates,
    "open": _open,
    "judge": _judge,
    "step": _step,
    "why": _why,
    "start": _start,
    "play": _play,
    "explain": _explain,
    "rules": _rules,
    "rule": _rule,
    "imply": _imply,
    "generate": _generate,
    "export": _export,
    "print": _print,
}
"""The functions that answer, each by the kind of its request, whose entries are the parameters;
`asked` is the `puzzle`."""
