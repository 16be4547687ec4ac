"""The answers to the requests of the page, over jigsat's own functions; the same in the browser and in the server."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from jigsat import backends, instance
from jigsat.backends import AUTO
from jigsat.errors import CheckError, FamilyWarning, InputError, Stopped, nearest
from jigsat.generation import generators
from jigsat.pictures import opening
from jigsat.puzzle import Puzzle, Solution
from jigsat.solving import Count, Enumeration
from jigsat.symmetry import EVERY_LEVEL
from jigsat.web import protocol
from jigsat.web.places import Place, place_of
from jigsat.web.protocol import (
    About,
    AboutRequest,
    CountRequest,
    End,
    Failed,
    Family,
    GalleryRequest,
    Halted,
    Instance,
    LoadedPuzzle,
    LoadRequest,
    Outcome,
    Progress,
    SoFar,
    Solved,
    SolveRequest,
    Source,
    Verdict,
)

PAUSE = 0.25
"""Seconds between two reports on the progress of a search."""


def replies(text: str | bytes) -> Iterator[str]:
    """The answer to a request in JSON, as JSON texts. Errors are messages as well; nothing is raised.

    >>> for line in replies('{"kind": "load", "puzzle": {"name": "cuebs"}}'):  # doctest: +ELLIPSIS
    ...     print(line)
    {"schema":1,"kind":"error","reason":"input","message":"cuebs: unknown instance; did you mean 'cube'?",...}
    {"schema":1,"kind":"end"}
    """
    try:
        request = protocol.read(text)
    except InputError as error:
        yield protocol.written(Failed(reason="input", message=str(error)))
    else:
        yield from map(protocol.written, answer(request))
    yield protocol.written(End())


def answer(request: Any) -> Iterator[Any]:
    """The messages that answer a request, without the final `End`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FamilyWarning)
            yield from ANSWERS[type(request)](request)
    except InputError as error:
        yield _failed(error, getattr(request, "puzzle", None))
    except Stopped as stopped:
        yield Halted(reason=stopped.reason, message=str(stopped))
    except CheckError as error:
        yield Failed(reason="bug", message=str(error))
    except (MemoryError, RecursionError) as error:
        yield Halted(reason="memory", message=f"out of {'memory' if isinstance(error, MemoryError) else 'stack'}")


def _failed(error: InputError, source: Source | None) -> Failed:
    message = str(error).removeprefix("the text: ").removeprefix("the data: ")
    place = Place() if source is None or source.name is not None else place_of(message, source.text)
    return Failed(reason="input", message=message, line=place.line, place=place.entry)


def _about(_: AboutRequest) -> Iterator[About]:
    options = generators()
    families = [
        Family(
            family=kind.family,
            entries=instance.schema(kind),
            generator=options[kind.family].model_json_schema() if kind.family in options else None,
        )
        for kind in instance.every_family()
    ]
    yield About(jigsat=version("jigsat"), up_to=list(EVERY_LEVEL), families=families)


def _gallery(request: GalleryRequest) -> Iterator[Instance]:
    for path in instance.instances():
        puzzles = instance.load_all(path)
        first = puzzles[0]
        yield Instance(
            name=path.stem, family=first.family, title=first.title, source=first.source, known=_known(first),
            puzzles=len(puzzles), svg=unsolved(first) if request.pictures else None,
        )  # fmt: skip


def _load(request: LoadRequest) -> Iterator[LoadedPuzzle]:
    puzzles = _puzzles(request.puzzle)
    for number, puzzle in enumerate(puzzles, 1):
        yield described(puzzle).model_copy(update={"number": number, "of": len(puzzles)})


def _solve(request: SolveRequest) -> Iterator[Solved | Progress | Verdict]:
    enumeration: Enumeration[Solution] = Enumeration(
        _puzzle(request.puzzle), backend=_backend(request.backend), up_to=request.up_to, limit=request.limit,
        minimize=request.minimize,
    )  # fmt: skip
    yield Progress(so_far=_so_far(enumeration))
    told = time.monotonic()
    for number, solution in enumerate(enumeration, 1):
        if number <= request.shown:
            yield Solved(
                number=number, svg=solution.svg(), placements=solution.objects(), relation=solution.relation,
                so_far=_so_far(enumeration),
            )  # fmt: skip
        elif time.monotonic() - told >= PAUSE:
            told = time.monotonic()
            yield Progress(so_far=_so_far(enumeration))
    yield _verdict(enumeration)


def _count(request: CountRequest) -> Iterator[Progress | Verdict]:
    enumeration: Count[Solution] = Count(_puzzle(request.puzzle), backend=_backend(request.backend))
    yield Progress(so_far=_so_far(enumeration))
    told = time.monotonic()
    for _ in enumeration:
        if time.monotonic() - told >= PAUSE:
            told = time.monotonic()
            yield Progress(so_far=_so_far(enumeration))
    yield _verdict(enumeration)


def _so_far(enumeration: Enumeration[Solution]) -> SoFar:
    result, seconds = enumeration.result, enumeration.seconds()
    words = f"at least {result.solutions:,} so far" if result.solutions else "none so far"
    return SoFar(
        found=enumeration.found, solutions=result.solutions, distinct=result.distinct, seconds=seconds,
        rate=enumeration.found / seconds if seconds else 0.0, words=words,
    )  # fmt: skip


def _verdict(enumeration: Enumeration[Solution]) -> Verdict:
    result = enumeration.result
    return Verdict(found=enumeration.found, result=Outcome.model_validate(result.json()), words=str(result))


def _puzzles(source: Source) -> list[Puzzle]:
    """The puzzles of a source. A name is that of an instance, never a path, and a text is never a name."""
    if source.data is not None:
        return instance.load_all(source.data)
    if source.text is not None:
        return instance.load_all(instance.of_text(source.text))
    paths = {path.stem: path for path in instance.instances()}
    name = str(source.name)
    if name in paths:
        return instance.load_all(paths[name])
    near = nearest(name, paths)
    raise InputError(f"{name}: unknown instance" + (f"; did you mean {near!r}?" if near else ""))


def _puzzle(source: Source) -> Puzzle:
    """The only puzzle of a source."""
    puzzles = _puzzles(source)
    if len(puzzles) > 1:
        raise InputError(f"expected one puzzle, found {len(puzzles)}; choose one of them")
    return puzzles[0]


def _backend(name: str) -> str:
    """The name of a backend. Programs are refused, because they read and write files."""
    if name != AUTO and ("/" in name or backends.find(name).library == "program"):
        raise InputError(f"backend {name!r}: the page runs only solvers that are libraries")
    return name


def described(puzzle: Puzzle) -> LoadedPuzzle:
    """A puzzle as the page shows it before it is solved."""
    return LoadedPuzzle(
        name=puzzle.name, family=puzzle.family, title=puzzle.title, source=puzzle.source, rules=list(puzzle.rules()),
        known=_known(puzzle), clues=len(puzzle.clues()), svg=unsolved(puzzle), toml=instance.written(puzzle),
        data={"family": puzzle.family, **puzzle.model_dump(mode="json", exclude_defaults=True)},
    )  # fmt: skip


def unsolved(puzzle: Puzzle) -> str:
    """A picture of a puzzle before it is solved: its board with the clues, and its pieces."""
    return opening(puzzle.parts())


def _known(puzzle: Puzzle) -> dict[str, int | str]:
    known: dict[str, int | str] = puzzle.known.model_dump(exclude_defaults=True)
    return known


ANSWERS: dict[type, Callable[[Any], Iterator[Any]]] = {
    AboutRequest: _about,
    GalleryRequest: _gallery,
    LoadRequest: _load,
    SolveRequest: _solve,
    CountRequest: _count,
}
