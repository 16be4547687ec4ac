"""The answers to the page's requests, computed by jigsat's own functions; the same in the browser and in the server."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from jigsat import backends, instance
from jigsat.analysis.clashes import Unfinished
from jigsat.analysis.unsolvable import placements_to_draw as shown_placements
from jigsat.analysis.unsolvable import reasons
from jigsat.backends import AUTO
from jigsat.errors import CheckError, FamilyWarning, IncompleteError, InputError, InstanceWarning, Stopped, printable
from jigsat.generation.generator import generators
from jigsat.instance.json_schema import schema
from jigsat.pictures.unsolved import opening
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.limits import Limits
from jigsat.solving.answers import solve_all
from jigsat.solving.enumeration import Enumeration
from jigsat.symmetry import EVERY_LEVEL
from jigsat.web import making, messages, protocol, requests, studying
from jigsat.web.places import ErrorPlace, place_of
from jigsat.web.puzzles import describe_draft, describe_puzzle, encode_source, known_data, puzzles

PROGRESS_INTERVAL_S = 0.25  # seconds between two reports on the progress of a search

MAX_REASONS_S = 20.0
"""Seconds for the search for reasons why there is no solution; without signals, as in a browser, it is not interrupted."""


def replies(text: str | bytes) -> Iterator[str]:
    """The answer to a request in JSON, as JSON texts. Errors are messages as well; nothing is raised.

    >>> for line in replies('{"kind": "load", "puzzle": {"name": "cuebs"}}'):  # doctest: +ELLIPSIS
    ...     print(line)
    {"schema":1,"kind":"error","reason":"input","message":"cuebs: unknown instance; did you mean 'cube'?",...}
    {"schema":1,"kind":"end"}
    """
    try:
        yield from map(protocol.write_message, answer(protocol.read_request(text)))
    except InputError as error:
        yield protocol.write_message(messages.Failed(reason="input", message=str(error)))
    except Exception as error:  # a bug, which must not end the worker of the page
        yield protocol.write_message(messages.Failed(reason="bug", message=printable(f"{type(error).__name__}: {error}")))
    yield protocol.write_message(messages.End())


def answer(request: Any) -> Iterator[Any]:
    """The messages that answer a request, without the final `End`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FamilyWarning)
            warnings.simplefilter("ignore", InstanceWarning)  # the page shows them itself
            yield from ANSWERS[type(request)](request)
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


def _about(_: requests.AboutRequest) -> Iterator[messages.About]:
    options = generators()
    families = [
        messages.Family(
            family=kind.family,
            formats=list(kind.writers()),
            entries=schema(kind),
            generator=options[kind.family].model_json_schema() if kind.family in options else None,
        )
        for kind in instance.every_family()
    ]
    yield messages.About(jigsat=version("jigsat"), up_to=list(EVERY_LEVEL), families=families)


def _gallery(request: requests.GalleryRequest) -> Iterator[messages.GalleryInstance]:
    for path in instance.instances():
        first, *others = instance.load_all(path)
        yield messages.GalleryInstance(
            name=path.stem, family=first.family, title=first.title, source=first.source, known=known_data(first),
            puzzles=1 + len(others), svg=opening(first.parts()) if request.pictures else None,
        )  # fmt: skip


def _load(request: requests.LoadRequest) -> Iterator[messages.LoadedPuzzle]:
    try:
        found = puzzles(request.puzzle)
    except IncompleteError as error:
        yield describe_draft(request.puzzle, str(error))
        return
    for number, puzzle in enumerate(found, 1):
        yield describe_puzzle(puzzle).model_copy(update={"number": number, "of": len(found)})


def _solve(request: requests.SolveRequest) -> Iterator[messages.WebMessage]:
    puzzle = encode_source(request.puzzle).puzzle
    enumeration: Enumeration[Solution] = Enumeration(
        puzzle, backend=_backend(request.backend), up_to=request.up_to, limit=request.limit,
        minimize=request.minimize,
    )  # fmt: skip
    return _report_search(puzzle, enumeration, request.shown, request.drawn)


def _count(request: requests.CountRequest) -> Iterator[messages.WebMessage]:
    puzzle = encode_source(request.puzzle).puzzle
    return _report_search(puzzle, Enumeration(puzzle, want="count", backend=_backend(request.backend)))


def _report_search(
    puzzle: Puzzle, enumeration: Enumeration[Solution], shown: int = 0, drawn: int = 0
) -> Iterator[messages.WebMessage]:
    """The first solutions, the first of these drawn; the progress of the search; its result; and why there is no solution."""
    yield messages.RunProgress(so_far=_so_far(enumeration))
    told = time.monotonic()
    for number, solution in enumerate(enumeration, 1):
        if number <= shown:
            yield messages.Solved(
                number=number, svg=solution.svg() if number <= drawn else None, placements=solution.objects(),
                relation=solution.relation, so_far=_so_far(enumeration),
            )  # fmt: skip
        elif time.monotonic() - told >= PROGRESS_INTERVAL_S:
            told = time.monotonic()
            yield messages.RunProgress(so_far=_so_far(enumeration))
    yield _verdict(enumeration)
    if enumeration.result.complete and not enumeration.result.solutions:
        yield _reasons(puzzle)


def _reasons(puzzle: Puzzle) -> messages.Reasons:
    """Why there is no solution, as far as this is found in time."""
    found, finished = list[messages.ReasonDrawn](), True
    try:
        with Limits(MAX_REASONS_S).hold():
            for each in reasons(puzzle):
                if isinstance(each, Unfinished):
                    finished = False
                    continue
                given, marked = shown_placements(puzzle, each)
                picture = puzzle.svg(given, marked) if given or marked else None
                found.append(messages.ReasonDrawn(words=each.reason.words, clues=list(each.clues), svg=picture))
    except Stopped:
        finished = False
    return messages.Reasons(found=found, finished=finished)


def _so_far(enumeration: Enumeration[Solution]) -> messages.SoFar:
    result, seconds = enumeration.result, enumeration.seconds()
    words = f"at least {result.solutions:,} so far" if result.solutions else "none so far"
    return messages.SoFar(
        found=enumeration.found, solutions=result.solutions, distinct=result.distinct, seconds=seconds,
        rate=enumeration.found / seconds if seconds else 0.0, words=words,
    )  # fmt: skip


def _verdict(enumeration: Enumeration[Solution]) -> messages.Verdict:
    result = enumeration.result
    return messages.Verdict(
        found=enumeration.found, result=messages.SearchOutcome.model_validate(result.json()), words=str(result)
    )


def _backend(name: str) -> str:
    """The name of a backend. Programs are refused, because they read and write files."""
    if name != AUTO and ("/" in name or backends.find(name).library == "program"):
        raise InputError(f"backend {name!r}: the page runs only solvers that are libraries")
    return name


def _unique(request: requests.UniqueRequest) -> Iterator[messages.Uniqueness | messages.Reasons]:
    puzzle = encode_source(request.puzzle).puzzle
    (found,) = solve_all([puzzle], AUTO, 2, request.up_to)
    drawn = []
    for solution in found.solutions:
        differing = found.solutions[0].differing(found.solutions[-1]).intersection(solution.placements)
        drawn.append(messages.Drawn(svg=solution.svg(differing), placements=solution.objects(), relation=solution.relation))
    yield messages.Uniqueness(unique=found.unique, complete=found.complete, words=str(found), solutions=drawn)
    if found.complete and not found.solutions:
        yield _reasons(puzzle)


def _draw(request: requests.DrawRequest) -> Iterator[messages.DrawnPicture]:
    asked = encode_source(request.puzzle)
    placements, marked = (asked.placements(getattr(request, entry), entry) for entry in ("placements", "marked"))
    for those in [[each] for each in placements] if request.apart else [placements]:
        yield messages.DrawnPicture(svg=asked.puzzle.svg(those, marked))


def _solid(request: requests.SolidRequest) -> Iterator[messages.SolidShape]:
    asked = encode_source(request.puzzle)
    placements = asked.placements(request.placements, "placements") if request.placements else []
    solid = asked.puzzle.solid(placements)
    if solid is None:
        raise InputError("this puzzle lies in the plane")
    yield messages.SolidShape(svg=asked.puzzle.svg(placements), faces=list(solid.faces), blocks=list(solid.blocks))


ANSWERS: dict[type, Callable[[Any], Iterator[Any]]] = {
    requests.AboutRequest: _about,
    requests.GalleryRequest: _gallery,
    requests.LoadRequest: _load,
    requests.SolveRequest: _solve,
    requests.CountRequest: _count,
    requests.UniqueRequest: _unique,
    requests.DrawRequest: _draw,
    requests.SolidRequest: _solid,
    requests.HintRequest: studying.hint,
    requests.PropagateRequest: studying.propagate,
    requests.StartRequest: studying.start,
    requests.PlayRequest: studying.play,
    requests.ExplainRequest: studying.explain,
    requests.ConstraintRequest: studying.constraint,
    requests.GenerateRequest: making.generate,
    requests.ExportRequest: making.export,
}
