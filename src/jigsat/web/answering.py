"""The answers to the page's requests, computed by jigsat's own functions; the same in the browser and in the server."""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version
from itertools import islice, product
from pathlib import Path
from typing import Any, get_type_hints

from jigsat import instance
from jigsat.analysis.candidates import Candidates, find_candidates
from jigsat.analysis.explanation import describe_plainly, explain_encoding
from jigsat.analysis.playing import MAX_CANDIDATES, BrokenRule, Playing
from jigsat.analysis.steps import find_open, find_refutation, find_steps
from jigsat.analysis.unsolvable import Why, collect_reasons, placements_to_draw
from jigsat.analysis.wording import Step
from jigsat.backends import AUTO
from jigsat.errors import CheckError, FamilyWarning, IncompleteError, InputError, InstanceWarning, Stopped, printable, unknown
from jigsat.formats.export import FORMATS, lines
from jigsat.generation.generator import generators
from jigsat.generation.sources import GenerationTask, generate_from, public_settings
from jigsat.instance.json_schema import schema
from jigsat.pictures import Part
from jigsat.pictures.printing import MAX_SOLUTION_WIDTH_MM, SOLUTIONS_PER_PAGE, Section, book
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.limits import Limits
from jigsat.solving.answers import solve_all
from jigsat.solving.enumeration import Enumeration, first_solution
from jigsat.symmetry import EVERY_LEVEL, Placement
from jigsat.web import messages, requests
from jigsat.web.messages import Placed, write_message
from jigsat.web.places import ErrorPlace, place_of
from jigsat.web.puzzles import as_json, describe_puzzle, describe_rule, encode_source, puzzles, read_played

PROGRESS_INTERVAL_S = 0.25  # seconds between two reports on the progress of a search
MAX_REASONS_S = 20.0  # seconds for the search for reasons; without signals, as in a browser, it is not interrupted
MAX_LISTED_RULES = 2000  # maximum number of rules in a message
MAX_LISTED_CONSTRAINTS = 12  # maximum number of constraints that explain a rule
STATUSES = {"all": "!", "some": "+", "none": "-", "unknown": "?"}


def replies(text: str | bytes) -> Iterator[str]:
    """The answer to a request in JSON, as JSON texts. Errors are messages as well; nothing is raised.

    >>> for line in replies('{"kind": "load", "puzzle": {"name": "cuebs"}}'):  # doctest: +ELLIPSIS
    ...     print(line)
    {"schema":1,"kind":"error","reason":"input","message":"cuebs: unknown instance; did you mean 'cube'?",...}
    {"schema":1,"kind":"end"}
    """
    try:
        yield from map(write_message, answer(requests.read_request(text)))
    except InputError as error:
        yield write_message(messages.Failed(reason="input", message=str(error)))
    except Exception as error:  # a bug, which must not end the worker of the page
        yield write_message(messages.Failed(reason="bug", message=printable(f"{type(error).__name__}: {error}")))
    yield write_message(messages.End())


def answer(request: Any) -> Iterator[Any]:
    """The messages that answer a request, without the final `End`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FamilyWarning)
            warnings.simplefilter("ignore", InstanceWarning)  # the page shows them itself
            asked = [encode_source(request.puzzle)] if isinstance(request, requests.AboutPuzzle) else []
            yield from ANSWERS[type(request)](request, *asked)
    except InputError as error:
        yield _describe_failure(error, getattr(request, "puzzle", None))
    except Stopped as stopped:
        yield messages.Halted(reason=stopped.reason, message=str(stopped))
    except CheckError as error:
        yield messages.Failed(reason="bug", message=str(error))
    except (MemoryError, RecursionError) as error:
        yield messages.Halted(reason="memory", message=f"out of {'memory' if isinstance(error, MemoryError) else 'stack'}")


def _describe_failure(error: InputError, source: requests.RequestedPuzzle | None) -> messages.Failed:
    message = str(error).removeprefix("the text: ").removeprefix("the data: ")
    place = ErrorPlace() if source is None or source.name is not None else place_of(message, source.text)
    return messages.Failed(reason="input", message=message, line=place.line, place=place.entry)


def _about(request: requests.AboutRequest) -> Iterator[messages.About]:
    made = {family: options.model_json_schema() for family, options in generators().items()}
    families = [
        messages.Family(family=kind.family, formats=[*kind.writers()], entries=schema(kind), generator=made.get(kind.family))
        for kind in instance.every_family()
    ]
    yield messages.About(jigsat=version("jigsat"), up_to=list(EVERY_LEVEL), families=families)


def _gallery(request: requests.GalleryRequest) -> Iterator[messages.GalleryInstance]:
    found = {path.stem: instance.load_all(path) for path in instance.instances()}
    for drawn, (name, (first, *others)) in product((False, True), found.items()):
        yield messages.GalleryInstance(
            name=name, family=first.family, title=first.title, source=first.source,
            known=first.known.model_dump(exclude_defaults=True), puzzles=1 + len(others),
            svg=opening(first.parts()) if drawn else None,
        )  # fmt: skip


def _load(request: requests.LoadRequest) -> Iterator[messages.LoadedPuzzle]:
    try:
        found = puzzles(request.puzzle)
    except IncompleteError as error:
        yield describe_puzzle(error.draft, str(error))
        return
    for number, puzzle in enumerate(found, 1):
        yield describe_puzzle(puzzle).model_copy(update={"number": number, "of": len(found)})


def _solve(request: requests.SolveRequest, asked: Playing) -> Iterator[messages.WebMessage]:
    """The first solutions, the first of these drawn; the progress of the search; its result; and why there is no solution."""
    enumeration: Enumeration[Solution] = Enumeration(asked.puzzle, up_to=request.up_to, limit=request.limit)
    yield messages.RunProgress(so_far=_so_far(enumeration))
    told = time.monotonic()
    for number, solution in enumerate(enumeration, 1):
        if number <= request.shown:
            yield messages.Solved(
                number=number, svg=solution.svg() if number <= request.drawn else None, placements=solution.objects(),
                relation=solution.relation, so_far=_so_far(enumeration),
            )  # fmt: skip
        elif time.monotonic() - told >= PROGRESS_INTERVAL_S:
            told = time.monotonic()
            yield messages.RunProgress(so_far=_so_far(enumeration))
    result = enumeration.result
    outcome = messages.SearchOutcome.model_validate(result.json())
    yield messages.Verdict(found=enumeration.found, result=outcome, words=str(result))
    if result.complete and not result.solutions:
        yield _reasons(asked.puzzle)


def _reasons(puzzle: Puzzle) -> messages.Reasons:
    """Why there is no solution, as far as this is found in time."""
    why = Why()
    with suppress(Stopped), Limits(MAX_REASONS_S).hold():
        for more in collect_reasons(puzzle):
            why = more
    found = []
    for each in why.found:
        given, marked = placements_to_draw(puzzle, each)
        picture = puzzle.svg(given, marked) if given or marked else None
        found.append(messages.ReasonDrawn(words=each.reason.words, clues=list(each.clues), svg=picture))
    return messages.Reasons(found=found, finished=not why.unfinished)


def _so_far(enumeration: Enumeration[Solution]) -> messages.SoFar:
    result = enumeration.result
    return messages.SoFar(found=enumeration.found, solutions=result.solutions, distinct=result.distinct)


def _unique(request: requests.UniqueRequest, asked: Playing) -> Iterator[messages.Uniqueness | messages.Reasons]:
    (found,) = solve_all([asked.puzzle], AUTO, 2, request.up_to)
    drawn = []
    for solution in found.solutions:
        differing = found.solutions[0].differing(found.solutions[-1]).intersection(solution.placements)
        drawn.append(messages.Drawn(svg=solution.svg(differing), placements=solution.objects(), relation=solution.relation))
    yield messages.Uniqueness(unique=found.unique, complete=found.complete, words=str(found), solutions=drawn)
    if found.complete and not found.solutions:
        yield _reasons(asked.puzzle)


def _draw(request: requests.DrawRequest, asked: Playing) -> Iterator[messages.DrawnPicture]:
    placements, marked = map(asked.read_placements, (request.placements, request.marked), ("placements.", "marked."))
    for those in [[each] for each in placements] if request.apart else [placements]:
        yield messages.DrawnPicture(svg=asked.puzzle.svg(those, marked))


def _solid(request: requests.SolidRequest, asked: Playing) -> Iterator[messages.SolidShape]:
    placements = asked.read_placements(request.placements, "placements.") if request.placements else []
    solid = asked.puzzle.solid(placements)
    if solid is None:
        raise InputError("this puzzle lies in the plane")
    yield messages.SolidShape(svg=asked.puzzle.svg(placements), faces=list(solid.faces), blocks=list(solid.blocks))


def _candidates(request: requests.CandidatesRequest, asked: Playing) -> Iterator[messages.CandidatesFound]:
    sent = ""
    for found in find_candidates(asked.puzzle, read_played(asked, request.placements)):
        statuses = "".join(
            "*" if (status := found.statuses[each.placement]) == "unknown" and each.placement in found.possible
            else STATUSES[status]
            for each in asked.candidates.values()
        )  # fmt: skip
        if statuses != sent:
            yield messages.CandidatesFound(statuses=(sent := statuses))


def _open(request: requests.OpenRequest, asked: Playing) -> Iterator[messages.CandidatesFound]:
    excluded = asked.read_placements(request.excluded, "excluded.")
    left = {*find_open(asked.puzzle, read_played(asked, request.placements))} - {*excluded}
    statuses = ("?" if each.placement in left else "-" for each in asked.candidates.values())
    yield messages.CandidatesFound(statuses="".join(statuses))


def _judge(request: requests.JudgeRequest, asked: Playing) -> Iterator[messages.Judgement]:
    found = find_candidates(asked.puzzle, read_played(asked, request.placements))
    last = next(each for each in found if each.solvable or each.complete)
    yield messages.Judgement(right=bool(last.solvable), conflict=_conflict(asked, last))


def _conflict(asked: Playing, found: Candidates) -> Placed:
    """The placements of a conflict that are not given by the puzzle."""
    given = asked.puzzle.given_placements()
    return as_json(each for each in found.conflict if each not in given)


def _step(request: requests.StepRequest, asked: Playing) -> Iterator[messages.StepFound | messages.Judgement]:
    placements, excluded = read_played(asked, request.placements), asked.read_placements(request.excluded, "excluded.")
    *_, last = find_candidates(asked.puzzle, placements)
    if not last.solvable:
        yield messages.Judgement(right=False, conflict=_conflict(asked, last))
        return
    step = next(find_steps(asked.puzzle, placements, last, excluded), None)
    if step is not None:
        yield _describe_step(asked, step)
        return
    undecided = [placement for placement, status in last.statuses.items() if status == "some"]
    choices = [each.placement for each in asked.candidates.values() if last.statuses[each.placement] == "some"]
    yield messages.StepFound(reasoning="none", undecided=len(undecided), choice=as_json(choices[:1])[0] if choices else None)


def _why(request: requests.WhyRequest, asked: Playing) -> Iterator[messages.StepFound]:
    (placement,) = asked.read_placements([request.placement], "placement.")
    step = find_refutation(asked.puzzle, placement, read_played(asked, request.placements))
    yield messages.StepFound(reasoning="none") if step is None else _describe_step(asked, step)


def _describe_step(asked: Playing, step: Step) -> messages.StepFound:
    return messages.StepFound(
        reasoning=step.kind, rules=[describe_rule(asked, name) for name in step.rules], placed=as_json(step.placed),
        excluded=as_json(step.excluded), facts=as_json(step.facts), words=step.describe(asked.puzzle.cell_field),
    )  # fmt: skip


def _start(request: requests.StartRequest, asked: Playing) -> Iterator[messages.Started]:
    if not asked.candidates:
        raise InputError("this puzzle cannot be played by hand")
    if len(asked.candidates) > MAX_CANDIDATES:
        raise InputError(f"too large to be played here: pieces can be placed in {len(asked.candidates):,} ways")
    yield messages.Started(
        pieces=[messages.PlayedPiece(name=name, copies=copies) for name, copies in asked.copies.items()],
        candidates=[
            messages.PlayedCandidate(piece=piece, places=list(places), placement=as_json([placement])[0])
            for piece, places, placement in asked.candidates.values()
        ],
        given=as_json(each for each in asked.puzzle.given_placements() if asked.puzzle.board_places(each)),
    )


def _play(request: requests.PlayRequest, asked: Playing) -> Iterator[messages.Position]:
    placements = read_played(asked, request.placements)
    broken = asked.broken_rules(placements) if request.check else []
    faults = [_describe_fault(asked, placements, each) for each in broken]
    yield messages.Position(svg=asked.puzzle.svg(placements), solved=asked.is_solution(placements), broken=faults)


def _describe_fault(asked: Playing, placed: list[Placement], broken: BrokenRule) -> messages.WrongPlacements:
    """What the check says only with all of the wrong placements; if that is nothing, the rule and where it is broken."""
    rule, name, wrong = broken
    without = {words for out in wrong for words in asked.puzzle.check([each for each in placed if each != out])}
    variables = {x for x, each in asked.candidates.items() if each.placement in wrong}
    where = [name for name, rows in asked.rules.items() if any(variables <= {*constraint[0]} for constraint in rows)]
    said = f"{where[0]}: {rule}" if where else f"not so: {name or rule}"
    words = next((words for words in asked.puzzle.check(placed) if words not in without), said)
    return messages.WrongPlacements(words=words, placements=as_json(wrong))


def _explain(request: requests.ExplainRequest, asked: Playing) -> Iterator[messages.Encoding]:
    found = explain_encoding(asked.puzzle)
    yield messages.Encoding(
        variables=found.variables, groups=found.groups, clauses=found.clauses, added=found.added, words=found.words()
    )


def _rules(request: requests.RulesRequest, asked: Playing) -> Iterator[messages.RuleList]:
    yield messages.RuleList(rules=[describe_rule(asked, name) for name in islice(asked.rules, MAX_LISTED_RULES)])


def _rule(request: requests.RuleRequest, asked: Playing) -> Iterator[messages.RuleExplained]:
    if (constraints := asked.rules.get(request.name)) is None:
        raise InputError(unknown("rule", request.name, asked.rules))
    first = constraints[:MAX_LISTED_CONSTRAINTS]
    words = [describe_plainly(asked.formula, constraint, asked.puzzle.cell_field) for constraint in first]
    formula = asked.formula
    families = (formula.families[formula.name(abs(literal)).family] for constraint in first for literal in constraint[0])
    meanings = {f"{family.name} ({', '.join(family.axes)})": family.meaning for family in families if not family.decision}
    groups = list(formula.rules.get(request.name, ()))
    yield messages.RuleExplained(groups=groups, meanings=meanings, constraints=words, number=len(constraints))


def _generate(request: requests.GenerateRequest) -> Iterator[messages.LoadedPuzzle]:
    if request.family is not None and request.family not in generators():
        raise InputError(f"family: {unknown('generator', request.family, generators())}")
    source = encode_source(request.puzzle).puzzle if request.puzzle else request.family or ""
    settings = (f"{name}={value}" for name, value in request.options.items())
    options = [f"--set {setting}" for setting in public_settings(request.family or "", settings)]
    command = " ".join(["jigsat generate", request.family or "", *options, f"--seed {request.seed}"])
    number = 0
    for one in generate_from(GenerationTask(source, request.options, request.seed, request.difficulty), request.number):
        if not one.shortcoming:
            number += 1
            puzzle = one.puzzle if request.puzzle else one.puzzle.model_copy(update={"source": f"{command}, number {number}"})
            yield describe_puzzle(puzzle).model_copy(update={"number": number, "of": request.number})


def _export(request: requests.ExportRequest, asked: Playing) -> Iterator[messages.ExportedFile]:
    puzzle, name = asked.puzzle, asked.puzzle.name or asked.puzzle.family
    writers = puzzle.writers()
    formats = [*(suffix[1:] for suffix in FORMATS), *writers]
    if request.format not in formats:
        raise InputError(f"format: {unknown('format', request.format, formats)}")
    file, writer = f"{name}.{request.format}", writers.get(request.format)
    text = writer([puzzle]) if writer else "".join(lines(asked.formula, Path(file), puzzle))
    yield messages.ExportedFile(name=file, type="text/plain", text=text)


def _print(request: requests.PrintRequest) -> Iterator[messages.ExportedFile]:
    found = [encode_source(each).puzzle for each in request.puzzles]
    many = len(found) > 1
    names = [puzzle.title or puzzle.name or puzzle.family for puzzle in found]
    titles = [f"{i}. {name.removesuffix(f', no. {i}')}" if many else name for i, name in enumerate(names, 1)]
    numbers = range(1, len(found) + 1) if many else [None]
    first, *others = map(Section, titles, ([*each.rules()] for each in found), (each.parts() for each in found), numbers)
    told_once = (each._replace(told=first.sentences) for each in others)
    pages = [*book([first, *told_once], "" if many else found[0].source)]
    if request.solutions:
        solved = [(puzzle, first_solution(puzzle)) for puzzle in found]
        parts = [[] if first is None else [Part(puzzle.answer_svg(first), MAX_SOLUTION_WIDTH_MM)] for puzzle, first in solved]
        told = [["There is no solution."] if first is None else [] for _, first in solved]
        pages += book(map(Section, titles, told, parts), "solutions", each=SOLUTIONS_PER_PAGE)
    for number, page in enumerate(pages, 1):
        yield messages.ExportedFile(name=f"page-{number}.svg", type="image/svg+xml", text=page)


ANSWERS: dict[type, Callable[..., Iterator[Any]]] = {
    get_type_hints(function)["request"]: function
    for function in (
        _about, _gallery, _load, _solve, _unique, _draw, _solid, _candidates, _open, _judge, _step, _why, _start, _play,
        _explain, _rules, _rule, _generate, _export, _print,
    )
}  # fmt: skip
"""The functions that answer, each by the type of its request; one about a puzzle gets the puzzle as well."""
