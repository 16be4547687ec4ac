"""Requests that show how a puzzle is encoded and what follows from a part of a solution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from jigsat.analysis.deduction import deduce_placements, next_placement
from jigsat.analysis.explanation import describe_constraint, explain_encoding
from jigsat.analysis.playing import MAX_CANDIDATES
from jigsat.errors import InputError, unknown
from jigsat.formula import Constraint, Formula, Xor
from jigsat.symmetry import Placement
from jigsat.web.messages import (
    ConstraintsOfGroup,
    Encoding,
    Hinted,
    OneConstraint,
    PlayedCandidate,
    PlayedPiece,
    Position,
    Propagation,
    Started,
    VariablesOfFamily,
    WrongPlacements,
)
from jigsat.web.puzzles import Encoded, as_json, encode_source
from jigsat.web.requests import ConstraintRequest, ExplainRequest, HintRequest, PlayRequest, PropagateRequest, StartRequest

MAX_LISTED_PLACEMENTS = 1000  # maximum number of possible placements in a message


def hint(request: HintRequest) -> Iterator[Hinted]:
    """One more placement."""
    asked = encode_source(request.puzzle)
    laid = asked.placements(request.placements, "placements")
    placements = [*dict.fromkeys([*asked.given, *laid])]
    found = next_placement(asked.puzzle, asked.formula, placements)
    forced = found.reason != "search"
    new = [] if found.placement is None else [found.placement]
    if not found.solvable:
        words = "no solution has all these placements; remove one" if laid else "this puzzle has no solution"
    elif not new:
        words = "nothing is missing"
    elif forced:
        words = f"forced: {found.reason} shows that every solution with these placements has it"
    else:
        words = "not forced: it belongs to one of the solutions"
    svg = asked.puzzle.svg([*placements, *new], new)
    yield Hinted(placement=as_json(new)[0] if new else None, forced=bool(new) and forced, words=words, svg=svg)


def propagate(request: PropagateRequest) -> Iterator[Propagation]:
    """What unit propagation shows."""
    asked = encode_source(request.puzzle)
    placements = [*dict.fromkeys([*asked.given, *asked.placements(request.placements, "placements")])]
    found = deduce_placements(asked.formula, placements, asked.placements(request.excluded, "excluded"))
    words = f"{len(found.forced):,} forced, {len(found.possible):,} possible"
    if not found.consistent:
        words = "a constraint is broken: no solution has these placements"
    yield Propagation(
        consistent=found.consistent, forced=as_json(found.forced), possible=as_json(found.possible[:MAX_LISTED_PLACEMENTS]),
        open=len(found.possible), words=words, svg=asked.puzzle.svg([*placements, *found.forced], found.forced),
    )  # fmt: skip


def start(request: StartRequest) -> Iterator[Started]:
    """What there is to play with."""
    asked = encode_source(request.puzzle)
    playing = asked.playing
    if not playing.candidates:
        raise InputError("this puzzle cannot be played by hand")
    if len(playing.candidates) > MAX_CANDIDATES:
        raise InputError(f"too large to be played here: pieces can be placed in {len(playing.candidates):,} ways")
    yield Started(
        pieces=[PlayedPiece(name=name, copies=copies) for name, copies in playing.copies.items()],
        candidates=[
            PlayedCandidate(piece=piece, places=list(places), placement=as_json([placement])[0])
            for piece, places, placement in playing.candidates.values()
        ],
        given=as_json(each for each in asked.given if asked.puzzle.board_places(each)),
    )


def play(request: PlayRequest) -> Iterator[Position]:
    """What was played."""
    asked = encode_source(request.puzzle)
    placements = [*dict.fromkeys([*asked.given, *asked.placements(request.placements, "placements")])]
    broken = asked.playing.broken_rules(placements) if request.check else []
    marked = frozenset().union(*(each.placements for each in broken))
    yield Position(
        svg=asked.puzzle.svg(placements, marked), solved=asked.playing.is_solution(placements),
        broken=[WrongPlacements(rule=rule, placements=as_json(those)) for rule, those in broken],
    )  # fmt: skip


def explain(request: ExplainRequest) -> Iterator[Encoding]:
    """The encoding."""
    found = explain_encoding(encode_source(request.puzzle).puzzle)
    yield Encoding(
        variables=[VariablesOfFamily.model_validate(each._asdict()) for each in found.variables],
        groups=[
            ConstraintsOfGroup(name=name, kinds=kinds, number=sum(kinds.values()), clauses=clauses)
            for name, kinds, clauses in found.groups
        ],
        clauses=found.clauses,
        added=found.added,
        words=found.words(),
    )


def constraint(request: ConstraintRequest) -> Iterator[OneConstraint]:
    """One constraint of a group."""
    asked = encode_source(request.puzzle)
    formula, groups = asked.formula, asked.formula.groups
    if request.group not in groups:
        raise InputError(unknown("group", request.group, groups))
    constraints = groups[request.group].constraints
    chosen = next(islice(constraints, request.number, None), None)
    if chosen is None:
        raise InputError(f"the group {request.group!r} has {len(constraints):,} constraints, numbered from 0")
    literals = _literals(chosen)
    yield OneConstraint(
        group=request.group, number=request.number, of=len(constraints), type=chosen.kind,
        words=describe_constraint(formula, chosen),
        literals=[str(formula.name(literal)) for literal in literals], svg=asked.puzzle.svg([], _placements(asked, literals)),
    )  # fmt: skip


def _literals(constraint: Constraint) -> tuple[int, ...]:
    return constraint.variables if isinstance(constraint, Xor) else constraint.literals


def _placements(asked: Encoded, literals: tuple[int, ...]) -> list[Placement]:
    """Placements on the cells of a constraint: its own, or for other variables one on each of their cells."""
    formula, field = asked.formula, asked.puzzle.cell_field
    decisions = [formula.key(variable) for variable in formula.decisions()]
    own = {formula.key(abs(literal)) for literal in literals}
    lit = [placement for placement in decisions if placement in own]
    if lit or field is None:
        return lit
    cells = {_value(formula, abs(literal), field) for literal in literals}
    on_cell: dict[Any, Placement] = {}
    for placement in decisions:
        if (cell := getattr(placement, field)) in cells:
            on_cell.setdefault(cell, placement)
    return list(on_cell.values())


def _value(formula: Formula, variable: int, axis: str) -> Any:
    """The value of a variable on an axis; None if it has no such axis."""
    name = formula.name(variable)
    return dict(zip(name.axes, name.key, strict=True)).get(axis)
