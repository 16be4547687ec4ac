"""The messages between the page and jigsat: one JSON object per request, and a stream of JSON
objects as its answer.

The same models are used by the worker in the browser and by the server. `kind` states which message
an object is. An answer ends with the message `end`; an answer without it was cut off. A number
beyond 2^53, which JavaScript cannot represent, is a string of digits. The requests are in
`jigsat.web.requests`.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from jigsat.explanation.summary import ConstraintsOf, VariablesOf
from jigsat.pictures import Block, Face
from jigsat.questions import Number, Result
from jigsat.symmetry import Level

# version of the messages. It is increased by any change that could break a page that reads them.
SCHEMA: Literal[1] = 1
Placed = list[dict[str, Any]]  # placements, each with its fields by name


class Object(BaseModel):
    """An object of the protocol; unknown entries are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = Field(default=SCHEMA, alias="schema")


class Family(BaseModel):
    """A family: the JSON Schemas of its entries and of its generator's options, and the formats for
    export."""

    family: str
    formats: list[str]
    entries: dict[str, Any]
    generator: dict[str, Any] | None


class About(Object):
    """The answer to `AboutRequest`."""

    kind: Literal["about"] = "about"
    jigsat: str
    up_to: list[str]
    families: list[Family]


class GalleryInstance(Object):
    """An instance, with the number of puzzles in its file. `svg` shows the first; null in the list
    before the pictures."""

    kind: Literal["instance"] = "instance"
    name: str
    family: str
    title: str
    source: str
    known: dict[str, Number | str]
    puzzles: int
    svg: str | None


class Draft(Object):
    """The entries of an empty puzzle."""

    kind: Literal["draft"] = "draft"
    data: dict[str, Any]


class LoadedPuzzle(Object):
    """A puzzle, the `number`-th of `of` in its file. `svg` shows it unsolved; `toml` and `data` are
    its normalised file."""

    kind: Literal["puzzle"] = "puzzle"
    name: str
    number: int = 1
    of: int = 1
    family: str
    title: str
    source: str
    rules: list[str]
    """One with several lines is a heading and the rules below it."""
    known: dict[str, Number | str]
    clues: int
    doubts: list[str] = Field(default_factory=list)
    """Entries that are probably mistakes."""
    doubtful: list[list[str]] = Field(default_factory=list)
    """For each of these doubts the path of its entry, or an empty list."""
    painted: dict[str, tuple[str, str]] = Field(default_factory=dict)
    """The colour of each label, and that of the band on it or ''."""
    listed_as: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """For fields of a placement the headings of columns, if an answer is also shown as a list."""
    size: tuple[int, int] | None = None
    """The numbers of rows and columns of a puzzle on a grid."""
    solid: bool  # whether it has a shape in space
    svg: str
    toml: str
    data: dict[str, Any]
    order: dict[str, list[str]] = Field(default_factory=dict)
    """The order of the names in some of the entries of `data`, which JavaScript loses."""
    missing: str = ""  # what is missing still, if it cannot be solved yet


class SoFar(BaseModel):
    """What is known during a search; none of the numbers is final. `found` counts distinct
    solutions at the level `up_to`."""

    found: Number
    solutions: Number
    distinct: dict[Level, Number]


class Solved(Object):
    """A solution; `relation` says how it differs from an earlier one, for the first few solutions.

    `svg` is None after the first `drawn` solutions, because drawing may take longer than solving; a
    `DrawRequest` draws any.
    """

    kind: Literal["solution"] = "solution"
    number: int
    svg: str | None
    placements: Placed
    relation: str
    so_far: SoFar


class RunProgress(Object):
    """What is known so far, sent about four times per second while solutions are found but not
    sent."""

    kind: Literal["progress"] = "progress"
    so_far: SoFar
    only_best: bool = False
    """Whether only solutions with the minimum of the objective are searched for."""


class Verdict(Object):
    """The end of a search. `words` is the line that the command prints; `cost` says what each of
    the solutions costs if only the best ones were searched for, such as '1 of 4 wishes is broken'.
    """

    kind: Literal["verdict"] = "verdict"
    found: int
    result: Result
    words: str
    cost: str = ""


class ReasonDrawn(BaseModel):
    """A reason why there is no solution; `svg` is a picture that marks what it is about, if there
    is anything to mark."""

    words: str
    clues: list[str]
    svg: str | None


class Reasons(Object):
    """Why there is no solution, sent after the answer that there is none. Not every such puzzle has
    a simple reason."""

    kind: Literal["reasons"] = "reasons"
    found: list[ReasonDrawn]
    finished: bool  # whether the search for reasons was completed


class Failed(Object):
    """The answer to a wrong request or puzzle: one line, and where it is wrong. A `bug` is jigsat's
    own fault.

    `line` counts from 1 in the text of the request; `place` is the path of the entry, such as
    ["tiles", "sun"].
    """

    kind: Literal["error"] = "error"
    reason: Literal["input", "bug"]
    message: str
    line: int | None = None
    place: list[str] = Field(default_factory=list)


class Halted(Object):
    """The answer was stopped before its end: by a limit ('timeout', 'memory'), a solver that gave
    up, or a crash."""

    kind: Literal["stopped"] = "stopped"
    reason: str
    message: str


class End(Object):
    """The last message of every answer."""

    kind: Literal["end"] = "end"


class Drawn(BaseModel):
    """A solution; its picture marks the placements that the other solution does not have."""

    svg: str
    placements: Placed
    relation: str


class Uniqueness(Object):
    """Whether there is exactly one solution; if not, two different ones. If not `complete`, there
    may be others."""

    kind: Literal["uniqueness"] = "uniqueness"
    unique: bool
    complete: bool
    words: str
    solutions: list[Drawn]


class DrawnPicture(Object):
    """A picture."""

    kind: Literal["picture"] = "picture"
    svg: str


class SolidShape(Object):
    """The shape in space; the `net` of each face has its coordinates in the picture `svg`.

    Blocks are in an order in which they can be put together, if there is one; `ways` then has for
    each the way in which it is put in, such as 'from above', and is empty otherwise.
    """

    kind: Literal["solid"] = "solid"
    svg: str
    faces: list[Face]
    blocks: list[Block]
    ways: list[str]


class CandidatesFound(Object):
    """What is known about each candidate of `Started`, sent again whenever more is known.

    `statuses` has a character for each candidate, in order: '!' it is in all solutions, '+' in some
    but not in all, '-' in none, '*' in at least one, '?' not known. The last message has no '*' and
    no '?', unless the answer was stopped. That to `OpenRequest` has only '-' and '?'.
    """

    kind: Literal["candidates"] = "candidates"
    statuses: str


class Judgement(Object):
    """Whether some solution has all of the given placements. If not, `conflict` is a smallest set
    that no solution has.

    The set may not be smallest if the search for it took too long. It is empty if the puzzle has no
    solution at all.
    """

    kind: Literal["judgement"] = "judgement"
    right: bool
    conflict: Placed


class NamedRule(BaseModel):
    """A rule and what it is about: some places of the board, and some pieces. They are empty if it
    is about all of them, and the pieces if it is about more than half of them.

    `sort` is what rules of this sort have in common, such as 'row'.
    """

    name: str
    sort: str
    places: list[Any]
    pieces: list[str]


class StepFound(Object):
    """The next step: the kind of its fact, in words, and what is marked for it.

    `look`, `ask` and `lines` are the three degrees of a hint; `chain` is a chain that is too long
    to be followed. `about` are the places that the words are about, and `at` those of them that
    `look` and `ask` name. `undecided` is the number
    of placements that are in some solutions but not in all. With `reasoning` "none" nothing
    follows, and `choice` is one of these placements. To `WhyRequest`, "none" means that some
    solution has the placement.
    """

    kind: Literal["step"] = "step"
    reasoning: str
    rules: list[NamedRule] = Field(default_factory=list)
    about: list[Any] = Field(default_factory=list)
    at: list[Any] = Field(default_factory=list)
    placed: Placed = Field(default_factory=list)
    excluded: Placed = Field(default_factory=list)
    used: Placed = Field(default_factory=list)
    title: str = ""
    look: str = ""
    ask: str = ""
    lines: Sequence[str] = ()
    chain: Sequence[str] = ()
    beside: Sequence[str] = ()
    undecided: int = 0
    choice: dict[str, Any] | None = None


class PlayedPiece(BaseModel):
    """Something to put on the board, such as a piece or a digit; `copies` is None for any number of
    times. `needed` is how often it is in each solution, if the family states that."""

    name: str
    copies: int | None
    needed: int | None = None


class PlayedCandidate(BaseModel):
    """A way to put a piece somewhere: the places that it takes have these names in the pictures.
    `said` is how sentences name it, such as '4 in r1c3'."""

    piece: str
    said: str
    places: list[Any]
    placement: dict[str, Any]


class Started(Object):
    """What there is to play with, and the placements that are given."""

    kind: Literal["started"] = "started"
    pieces: list[PlayedPiece]
    candidates: list[PlayedCandidate]
    given: Placed
    in_words: bool = False  # whether the symbols are letters of words


class WrongPlacements(BaseModel):
    """Placements that break a rule, and how: in the words of the family's check, or else only the
    rule. `about` are the places of the rule, such as those of a cage, but not a row or a column."""

    words: str
    placements: Placed
    about: list[Any] = Field(default_factory=list)


class Position(Object):
    """What was played, drawn; `broken` is empty unless it was asked for. `cost` says what a
    solution costs, such as '3 of 4 wishes are broken'."""

    kind: Literal["position"] = "position"
    svg: str
    solved: bool
    broken: list[WrongPlacements]
    cost: str = ""


class Encoding(Object):
    """The encoding of a puzzle; `words` are the lines below the tables of `jigsat explain`."""

    kind: Literal["explanation"] = "explanation"
    variables: list[VariablesOf]
    groups: list[ConstraintsOf]
    clauses: int
    added: int
    words: list[str]


class RuleList(Object):
    """The rules of a puzzle; at most 2000 are listed."""

    kind: Literal["rules"] = "rules"
    rules: list[NamedRule]


class RuleExplained(Object):
    """The first constraints of a rule in plain words; `number` is the number of all of them.

    `groups` say what they state, in the words of the family. `meanings` are those of auxiliary
    variables that occur in them.
    """

    kind: Literal["rule"] = "rule"
    groups: list[str]
    meanings: dict[str, str]
    constraints: list[str]
    number: int


class ImpliedStep(BaseModel):
    """What one constraint of a rule implies: the numbers of candidates that are `placed` and
    `excluded`. `clause` are the candidates that it is about and `bounds` how many of them hold at
    least and at most; there are none if it is about something else. If it is `broken`, what was
    supposed cannot be.
    """

    rule: str
    placed: list[int]
    excluded: list[int]
    clause: list[int]
    bounds: tuple[int, int]
    broken: bool


class Implied(Object):
    """What follows from something supposed, constraint by constraint. `given` and `excluded` are
    the candidates that hold and that do not hold because of the givens alone."""

    kind: Literal["implied"] = "implied"
    given: list[int]
    excluded: list[int]
    steps: list[ImpliedStep]


class ExportedFile(Object):
    """A file with its media type."""

    kind: Literal["file"] = "file"
    name: str
    type: str
    text: str


WebMessage = (
    About
    | Draft
    | GalleryInstance
    | LoadedPuzzle
    | Solved
    | RunProgress
    | Verdict
    | Reasons
    | Uniqueness
    | DrawnPicture
    | SolidShape
    | CandidatesFound
    | Judgement
    | StepFound
    | Started
    | Position
    | Encoding
    | RuleList
    | RuleExplained
    | Implied
    | ExportedFile
    | Failed
    | Halted
    | End
)
"""Any message."""


def write_message(message: BaseModel) -> str:
    """A message as one line of JSON."""
    return message.model_dump_json(by_alias=True)
