"""The interface between a puzzle family and the pipeline.

A family is a subclass of `Puzzle`; its objects are validated instances. It defines how an instance
is encoded and how a solution is checked without the encoding. Everything else (symmetries,
pictures, clues, a generator, …) has a default.

A solution is a set of *placements*. A placement is a NamedTuple defined by the family and the key
of one decision variable, so decoding a model is the same for all families: the placements whose
variables are true.
"""

from __future__ import annotations

import hashlib
import warnings
from abc import abstractmethod
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from dataclasses import dataclass
from functools import cached_property
from inspect import isfunction
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, get_args

from pydantic import BaseModel, Field, model_validator
from typing_extensions import TypeVar

from jigsat.errors import FamilyError, Fault, InputError, InstanceWarning
from jigsat.formula import Formula
from jigsat.links import Link
from jigsat.pictures import Paint, Part, Solid, plain_svg, plain_text
from jigsat.pieces.blocks import Block
from jigsat.puzzle.entries import Entries, Known
from jigsat.puzzle.methods import MODULES, ReturnType, delegate, guard_method, optional_modules
from jigsat.puzzle.ways import Way
from jigsat.symmetry import ColouredGraph, Placement, Symmetry
from jigsat.words import plural

P = TypeVar("P", bound=tuple[Any, ...], default=Any)  # family's type of placement, a NamedTuple
# the solutions do not depend on them
IRRELEVANT = {
    "name",
    "title",
    "source",
    "author",
    "copyright",
    "known",
    "encoding",
    "colours",
    "pictures",
}


LINKS = "puzz.link"
"""The name of the format of links."""


class Reason(NamedTuple):
    """A proof that a puzzle has no solution, such as '57 teeth, but 56 places to fill'; `marked` is
    what a picture marks."""

    words: str
    marked: frozenset[Placement] = frozenset()


class Correction(NamedTuple):
    """A puzzle with one entry changed that may have been copied wrongly, such as the label of a
    tile's side.

    `piece` is the name of the piece, `words` are such as 'tile 3, left: fox head instead of fox
    tail', and `entries` are the entries of the puzzle that change. The `merit` is greater if the
    pieces are more regular after the change, such as if each label occurs an even number of times.
    """

    piece: str
    words: str
    entries: dict[str, Any]
    merit: int = 0


class Alternatives(NamedTuple, Generic[P]):
    """What can be at a place that several placements determine, such as the words of a slot.

    `puzzle` has the same solutions with what is given, and may have fewer variables. `placements`
    determine each thing, by its name, the best first. `solutions` are found quickly, each with the
    name of the thing in it, and None for a thing in no solution; some may be missing.
    """

    puzzle: Puzzle
    placements: Mapping[str, Collection[P]]
    solutions: Iterable[tuple[str, Sequence[P] | None]] = ()


class ToldClues(NamedTuple):
    """Clues that conflict, as a reader is told of them: what each is, such as 'clue' or 'word',
    their names, and the rule that they also break, if they do not say it themselves."""

    noun: str
    names: Sequence[str]
    rule: str = ""


def _placements_fit(puzzle: Puzzle, formula: Formula) -> None:
    """Raises FamilyError unless the keys of decision variables are placements with the fields that
    the family declares."""
    kind = type(puzzle)
    keys = [
        key
        for variables in formula.families.values()
        if variables.decision
        for key, _ in variables.items()
    ]
    first_of_each_type = {type(key): key for key in reversed(keys)}
    fields: dict[str, tuple[str, ...]] = {}
    for key in first_of_each_type.values():
        if not hasattr(key, "_fields"):
            raise FamilyError(
                f"{kind.__name__}.encode: the key {key!r} of a decision variable is not a "
                f"NamedTuple; pass NamedTuples as "
                "keys to formula.variables; see `jigsat help writing-a-family`"
            )
        fields[type(key).__name__] = key._fields
    for declared, field in ("cell_field", kind.cell_field), ("piece_field", kind.piece_field):
        if field is not None and fields and not any(field in names for names in fields.values()):
            name, names = next(iter(fields.items()))
            raise FamilyError(
                f"{kind.__name__}.{declared}: {name} has no field {field!r}; it has "
                f"{', '.join(names)}"
            )


def _clues_fit(puzzle: Puzzle, clues: Mapping[str, object]) -> None:
    """Raises FamilyError for a clue that is not a set."""
    for where, placements in clues.items():
        if not isinstance(placements, (frozenset, Set)):  # `Set` alone takes long to ask about
            raise FamilyError(
                f"{type(puzzle).__name__}.clues: {where}: expected a set of placements, got "
                f"{placements!r}"
            )


def _changed_clues_fit(
    puzzle: Puzzle, changed: Puzzle, placements: Collection[Placement] = ()
) -> None:
    """Raises FamilyError unless a puzzle whose clues were changed has one clue for each of the
    placements, and no others."""
    clues = changed.clues()
    if len(clues) != len(placements) or not frozenset().union(*clues.values()).issuperset(
        placements
    ):
        method, number = (
            ("with_clues", f"{len(placements):,}") if placements else ("without_clues", "none")
        )
        raise FamilyError(
            f"{type(puzzle).__name__}.{method}: clues() of the puzzle returned has "
            f"{len(clues):,} entries; expected {number}"
        )


_RETURNED = {
    "encode": ReturnType(Formula, None, "a Formula", _placements_fit),
    "check": ReturnType(Iterable, str, "sentences; yield one for each broken rule"),
    "symmetries": ReturnType(Iterable, Symmetry, "jigsat.Symmetry objects"),
    "generator": ReturnType((type, type(None)), None, "a class of generator options"),
    "clues": ReturnType(Mapping, None, "a dict of sets of placements", _clues_fit),
    **dict.fromkeys(
        ("with_clues", "without_clues"), ReturnType(BaseModel, None, "a puzzle", _changed_clues_fit)
    ),
    "tell_clues": ReturnType(ToldClues, None, "jigsat.puzzle.ToldClues"),
    "alternatives": ReturnType(Alternatives, None, "jigsat.puzzle.Alternatives"),
    "include_files": ReturnType(dict, None, "a dict"),
    "from_text": ReturnType((dict, type(None)), None, "a dict or None"),
    "writers": ReturnType(Mapping, None, "a dict of functions"),
    **dict.fromkeys(("remarks", "warnings", "rules"), ReturnType(Iterable, str, "sentences")),
    "faults": ReturnType(Iterable, Fault, "jigsat.errors.Fault objects"),
    "graph": ReturnType(
        (ColouredGraph, type(None)), None, "a jigsat.symmetry.ColouredGraph or None"
    ),
    "reasons": ReturnType(Iterable, Reason, "jigsat.Reason objects"),
    **dict.fromkeys(
        ("corrections", "corrections_of"),
        ReturnType(Iterable, Correction, "jigsat.puzzle.Correction objects"),
    ),
    "near_misses": ReturnType((Formula, type(None)), None, "a jigsat.Formula or None"),
    **dict.fromkeys(
        ("answer", "answer_svg", "text", "svg", "name_as_typed"), ReturnType(str, None, "text")
    ),
    **dict.fromkeys(
        ("board_cells", "board_places"), ReturnType(Collection, None, "a collection of cells")
    ),
    "blocks": ReturnType(Iterable, Block, "jigsat.pieces.blocks.Block objects"),
    "parts": ReturnType(Iterable, Part, "jigsat.pictures.Part objects"),
    "solid": ReturnType((Solid, type(None)), None, "a jigsat.pictures.Solid or None"),
    "way": ReturnType(Way, None, "a jigsat.puzzle.Way"),
}
"""The return types of a family's methods; `guard_method` verifies them."""


Writer = Callable[[Sequence[Any]], str]
"""Writes one or several puzzles as the text of another program's file. Raises InputError for what
the format cannot express."""


def single(name: str, write: Callable[[Any], str]) -> Writer:
    """The writer of a format whose files have one puzzle."""

    def write_single(puzzles: Sequence[Any]) -> str:
        if len(puzzles) != 1:
            raise InputError(
                f"a file in the format {name} has one puzzle, and there are {len(puzzles):,}"
            )
        return write(puzzles[0])

    return write_single


def warn_if_accepted(
    kind: type[Puzzle[Any]], data: Mapping[str, Any], remarks: Iterable[str]
) -> None:
    """Warn of what is unusual about another program's file. If its `data` make no puzzle,
    nothing is said here, so that the reason for the refusal is the only line that is printed."""
    try:
        kind.model_validate({**data, "name": "file"})
    except ValueError:
        return
    for remark in remarks:
        warnings.warn(remark, InstanceWarning, stacklevel=3)


def write_links(puzzles: Sequence[Any]) -> str:
    """The links of puzzles, one on each line. Raises InputError for what a link cannot express."""
    lines = []
    for puzzle in puzzles:
        entries = puzzle.model_dump(mode="json")
        changed = list(puzzle.model_dump(mode="json", exclude_defaults=True))
        try:
            lines.append(puzzle.link.write(entries, changed))
        except InputError as error:
            raise InputError(f"{puzzle.name}: {error}") from error
    return "".join(f"{line}\n" for line in lines)


def require_plain(puzzle: Puzzle, name: str, **plain: Any) -> None:
    """Raise InputError for an entry that differs from the only value that the format of this name
    can express."""
    for entry, value in plain.items():
        if getattr(puzzle, entry) != value:
            raise InputError(f"{puzzle.name}: {entry}: the format {name} cannot express this entry")


class Puzzle(Entries, Generic[P]):
    """One instance of a family, validated. Validators of subclasses raise ValueError with the place
    in the file.

    Only `family`, `encode` and `check` are required. `cell_field` is the name of the field of a
    placement that holds its cell, `piece_field` of the one that holds the piece there; both are
    used to draw solutions and to describe their differences.
    """

    family: ClassVar[str]
    """The name of the family, the entry `family` of its instance files."""

    rule: ClassVar[str] = ""
    """The rule of these puzzles in one sentence; by default the first line of the docstring of the
    class."""

    other_names: ClassVar[Sequence[str]] = ()
    """What others call these puzzles, by which `jigsat list` and the page find them."""

    equally_often: ClassVar[bool] = False
    """Whether each symbol is in a solution equally often, as the digits of a sudoku are, so that
    the page tells how many of it are left."""

    in_words: ClassVar[bool] = False
    """Whether the symbols are letters of words, which are typed one after the other, across or
    down."""

    listed_as: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """For answers that are read more easily as a list than in a picture: for fields of a placement,
    in the order of the columns, the headings of their columns. A tuple has one for each item."""

    chapter: ClassVar[str] = ""
    """The title of the chapter with these puzzles in a book, such as 'Sudokus'; by default the name
    of the family."""

    cell_field: ClassVar[str | None] = None
    piece_field: ClassVar[str | None] = None

    stated_in: ClassVar[str] = "`encode` or in `check`"
    """The methods that state the rules, for a message that they do not agree."""

    instances: ClassVar[str | None] = None
    """The package with the instances that come with the family, as TOML files; for example
    'nonograms.instances'."""

    breakable: ClassVar[str] = ""
    """The group of exactly-one constraints that `solve --best` may break, one broken rule for each;
    there are none without."""

    asks_for_best: ClassVar[bool] = False
    """Whether the rules ask for a solution with the minimum of the objective, if there is one; then
    the page lists only these."""

    link: ClassVar[Link | None] = None
    """How puzzles are written in links of puzz.link, if the kind has a type there."""

    several: ClassVar[tuple[str, str] | None] = None
    """For files with several puzzles: the entry with the list, and the entry that each item
    replaces, as 'grids' and 'grid'.

    An item of the list that is a table replaces several entries. The other entries of the file
    apply to every puzzle.
    """

    name: str = Field(default="", exclude=True)
    title: str = ""
    """The title of the puzzle."""
    source: str = ""
    """The origin of the puzzle."""
    known: Known = Known()
    """Known facts about the solutions."""

    def __class_getitem__(cls, placement: Any) -> Any:
        """This class itself: `P` is for type checkers only, and pydantic would build another class
        for each type."""
        return cls

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        for name, returned in _RETURNED.items():
            method = vars(cls).get(name)
            if isfunction(method) and not getattr(method, "__isabstractmethod__", False):
                setattr(cls, name, guard_method(method, name, returned))
            elif isinstance(method, classmethod):
                setattr(cls, name, classmethod(guard_method(method.__func__, name, returned)))
        bases = cls.__mro__[: cls.__mro__.index(Puzzle)]
        for module in optional_modules(cls):
            for name, function in MODULES[module.name.rpartition(".")[2]].items():
                if not any(name in vars(base) for base in bases):
                    setattr(cls, name, delegate(cls, name, module, function, _RETURNED[name]))

    @model_validator(mode="before")
    @classmethod
    def _of_this_family(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "family" not in data:
            return data
        if data["family"] != cls.family:
            raise ValueError(f"family: expected {cls.family!r}; got {data['family']!r}")
        return {key: value for key, value in data.items() if key != "family"}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    __str__ = __repr__

    @abstractmethod
    def encode(self) -> Formula:
        """The puzzle as a formula; the keys of its decision variables are placements."""

    def encode_narrow(self) -> Formula | None:
        """The same formula with further constraints, which not all solutions meet but which are
        found faster, for families with `settles`; None if there is none."""
        return None

    def settles(self, placements: Sequence[P]) -> bool:
        """Whether this is the only solution if no other one meets the constraints of
        `encode_narrow`. The family must have a proof."""
        return False

    @abstractmethod
    def check(self, placements: Sequence[P]) -> Iterator[str]:
        """Yield a sentence for every rule that the placements break; nothing for a solution. Shares
        nothing with `encode`."""

    def symmetries(self) -> Iterable[Symmetry]:
        """The puzzle's symmetries. They must form a group; the identity may be omitted."""
        return ()

    def digest(self) -> str:
        """A hash of the puzzle, independent of its name, title, source, author, colours, pictures,
        known facts and encoding."""
        return hashlib.sha256(self.entries_without().encode()).hexdigest()

    def entries_without(self, *left_out: str) -> str:
        """The entries on which the solutions depend, except those that are left out, as JSON."""
        return self.model_dump_json(exclude={*IRRELEVANT, *left_out}, exclude_defaults=True)

    @classmethod
    def encodings(cls) -> tuple[str, ...]:
        """The names of the encodings, if the family has an entry `encoding`."""
        entry = cls.model_fields.get("encoding")
        return get_args(entry.annotation) if entry else ()

    @classmethod
    def generator(cls) -> type[BaseModel] | None:
        """The options for generating puzzles of this family, a
        `jigsat.generation.GeneratorOptions`; None if there are none."""
        return None

    def clues(self) -> Mapping[str, frozenset[Placement]]:
        """The clues by their place in the file, such as 'hints.0': one placement of each must be in
        the solution."""
        return {}

    def tell_clues(self, names: Sequence[str]) -> ToldClues:
        """Clues of these names, which conflict, as a reader is told of them."""
        return ToldClues("clue", names)

    def name_as_typed(self, words: str) -> str:
        """Words about the puzzle for a reader who has its file: with the names that pictures do not
        show, if there are any."""
        return words

    def given_placements(self) -> list[Placement]:
        """The placements that the clues determine: those of the clues that allow only one."""
        return [placement for clue in self.clues().values() if len(clue) == 1 for placement in clue]

    def alternatives(self, place: str, given: Collection[P] = ()) -> Alternatives[P]:
        """What can be at a place that several placements determine, such as the words of a slot.

        Raises InputError if there is no such place.
        """
        raise InputError(f"{self.name}: the family {self.family} has no slots")

    def with_clues(self, placements: Collection[Placement]) -> Puzzle:
        """The same puzzle with these placements as its only clues. Raises InputError if no others
        can be given."""
        raise InputError(
            f"{self.name or self.family}: the family {self.family} has no clues that can be given"
        )

    def without_clues(self) -> Puzzle:
        """The same puzzle without clues, by default as `with_clues` makes it; the formulas differ
        by one clause per clue."""
        if type(self).with_clues is not Puzzle.with_clues:
            return self.with_clues(())
        _changed_clues_fit(self, self)
        return self

    def remarks(self) -> Iterable[str]:
        """Additional facts about this instance for `explain`, such as the rank of its equations."""
        return ()

    def reasons(self) -> Iterable[Reason]:
        """Simple proofs that there is no solution, such as by counting; none if there may be one.

        Each must be a proof on its own. They are requested only if no solution was found, so they
        may take about a second.
        """
        return ()

    def corrections(self) -> Iterable[Correction]:
        """Single changes of one piece. Those with which the puzzle has a solution are named."""
        return ()

    def near_misses(self) -> Formula | None:
        """A formula with the decision variables of the puzzle, whose models break the puzzle at one
        place, so that single changes make them solutions.

        None: each of the `corrections` is tried on its own.
        """
        return None

    def corrections_of(self, placements: Sequence[P]) -> Iterable[Correction]:
        """The single changes after which these placements, a near miss, are a solution."""
        return ()

    @property
    def painted(self) -> Mapping[str, Paint]:
        """The paint of each label, or else of each piece, in pictures and in the editor of the
        page; none if the family has neither."""
        return {}

    def graph(self) -> ColouredGraph | None:
        """A graph that is isomorphic to that of another puzzle if and only if a symmetry of the
        family maps one to the other.

        None: no such symmetry is known, so only equal entries make equal puzzles.
        """
        return None

    def warnings(self) -> Iterable[str]:
        """Entries that are valid but probably mistakes, such as a misspelt label; each is printed
        as a warning."""
        return ()

    def faults(self) -> Iterable[Fault]:
        """What an editor should look at before the puzzle is printed; by default the warnings."""
        return [Fault("", sentence) for sentence in self.warnings()]

    @classmethod
    def split(cls, data: dict[str, Any]) -> list[dict[str, Any]]:
        """The data of each puzzle in the data of a file. Raises ValueError if the list of puzzles
        is wrong."""
        if cls.several is None or cls.several[0] not in data:
            return [data]
        entry, member = cls.several
        common = {key: value for key, value in data.items() if key != entry}
        if not isinstance(data[entry], list) or member in common:
            raise ValueError(
                f"{entry}: write a list of {entry}, without a separate entry `{member}`"
            )
        return [common | (one if isinstance(one, dict) else {member: one}) for one in data[entry]]

    @classmethod
    def include_files(cls, data: dict[str, Any], folder: Path) -> dict[str, Any]:
        """The data of an instance file in this folder, with the contents of other files in place of
        their names.

        Called only for files, so that other sources of instances, such as the page, cannot make
        jigsat read files. Raises InputError for a file that cannot be read.
        """
        return data

    @classmethod
    def from_text(cls, text: str) -> dict[str, Any] | None:
        """The data of a file in a common text format of the family, or None if the text is in
        another format.

        Raises InputError if the text is in such a format, but has something that an instance cannot
        express.
        """
        return None

    @classmethod
    def from_drawing(cls, text: str, size: tuple[int, int] | None = None) -> dict[str, Any] | None:
        """The data of a grid that is drawn in a text, or None if it is none of this family. Other
        families may read the same text, so this is asked only if somebody names the family. `size`
        is what the line with its name states, such as 5x5.

        Raises InputError for a drawing that is wrong, or of another size.
        """
        return cls.from_text(text)

    @classmethod
    def writers(cls) -> Mapping[str, Writer]:
        """The text formats of other programs that `jigsat export --format` can write, by name."""
        return {}

    @classmethod
    def formats(cls) -> Mapping[str, Writer]:
        """All formats of other programs: those of `writers`, and links."""
        formats = dict(cls.writers())
        if cls.link is not None:
            formats[LINKS] = write_links
        return formats

    def answer(self, placements: Sequence[P]) -> str:
        """The answer that the puzzle asks for, if it is derived from the solution, such as a
        letter."""
        return ""

    def board_cells(self) -> Collection[Hashable]:
        """The cells that the default pictures show, even if they are empty; by default the cells of
        all decision variables."""
        return self._cells

    @cached_property
    def _cells(self) -> list[Hashable]:
        if self.cell_field is None:
            return []
        formula = self.encode()
        return list(
            dict.fromkeys(
                getattr(formula.key(variable), self.cell_field) for variable in formula.decisions()
            )
        )

    def describe_change(self, gone: Collection[P], come: Collection[P]) -> str:
        """What changes if some placements are taken from a solution and others put in: the number
        of pieces that are replaced, and of those that are turned in place. If the family does not
        declare the fields for the cell and the piece, only the number of differences is given."""
        if not self.piece_field:
            return f"{plural(len(gone) + len(come), 'placement')} changed"
        if not self.cell_field:
            return f"{plural(max(len(gone), len(come)), self.piece_field)} moved"
        what = attrgetter(self.cell_field, self.piece_field)
        turned = len(set(map(what, gone)) & set(map(what, come)))
        numbers = {"replaced": len(come) - turned, "turned": turned}
        changes = []
        for word, number in numbers.items():
            if number:
                changes.append(f"{plural(number, self.piece_field)} {word}")
        return ", ".join(changes)

    def name_piece(self, placement: P) -> str:
        """What is put on the board, such as the name of a tile: `piece_field`, or else all that is
        no place."""
        if self.piece_field is not None and hasattr(placement, self.piece_field):
            return str(getattr(placement, self.piece_field))
        places = self.board_places(placement)
        return " ".join(str(value) for value in placement if value not in places)

    def text(self, placements: Sequence[P], marked: Collection[P] = ()) -> str:
        """A solution drawn with characters, with a star at each marked placement.

        A marked placement need not belong to the solution; then the picture may show where it is
        missing.
        """
        return plain_text(
            self._contents(placements), {self._cell(placement) for placement in marked}
        )

    @classmethod
    def name_kind(cls) -> str:
        """What these puzzles are called."""
        return cls.chapter or cls.family.replace("-", " ").capitalize()

    @classmethod
    def summary(cls) -> str:
        """The rule in one sentence: `rule`, or else the first line of the docstring."""
        return cls.rule or (cls.__doc__ or "").strip().partition("\n")[0]

    def rules(self) -> Iterable[str]:
        """The rules of the puzzle in sentences, for the printed sheet; by default its summary."""
        return filter(None, [self.summary()])

    def parts(self) -> list[Part]:
        """The parts of the printed sheet: the board with its clues, and pieces to cut out."""
        return [
            Part(
                self.svg([placement for clue in self.clues().values() for placement in clue]), 180.0
            )
        ]

    def blocks(self) -> Iterable[Block]:
        """The pieces as objects, for `jigsat export --format stl` and `svg-laser`; none if they
        are not made of squares or cubes. Raises InputError for a puzzle whose pieces are not."""
        return ()

    def svg(self, placements: Sequence[P], marked: Collection[P] = ()) -> str:
        """A solution drawn as an SVG document, with an outline in the colour `pictures.MARK` around
        each marked placement."""
        return plain_svg(
            self._contents(placements), {self._cell(placement) for placement in marked}
        )

    def answer_svg(self, placements: Sequence[P]) -> str:
        """The picture of a solution at the end of a printed book; by default `svg`."""
        return self.svg(placements)

    def solid(self, placements: Sequence[P]) -> Solid | None:
        """The shape of a solution in space, with faces where `svg` draws them; None for a puzzle in
        the plane."""
        return None

    @property
    def rows_and_columns(self) -> tuple[int, int] | None:
        """The size of a puzzle on a grid."""
        return None

    def board_places(self, placement: P) -> Collection[Hashable]:
        """The places of the board that a placement takes, as `Picture.place` names them; none if
        nobody plays it."""
        return [getattr(placement, self.cell_field)] if self.cell_field else []

    def way(self) -> Way[Any]:
        """How placements and rules are said in sentences."""
        return Way(self)

    def _cell(self, placement: P) -> Hashable:
        """The cell of a placement; without a declared field, the placement itself."""
        if self.cell_field:
            cell: Hashable = getattr(placement, self.cell_field)
            return cell
        return " ".join(map(str, placement))

    def _contents(self, placements: Sequence[P]) -> dict[Hashable, str]:
        """The text of each cell in the default pictures: the other fields of its placement, or a
        disc if there are none."""
        contents: dict[Hashable, str] = dict.fromkeys(self.board_cells(), "")
        for placement in placements:
            fields = placement._asdict()  # type: ignore[attr-defined]
            others = [str(value) for field, value in fields.items() if field != self.cell_field]
            contents[self._cell(placement)] = (
                " ".join(others) if self.cell_field and others else "●"
            )
        return contents


@dataclass(frozen=True, repr=False)
class Solution(Generic[P]):
    """A checked solution: its placements in a fixed order. `print` draws it, and a notebook shows
    its picture.

    `relation` describes how it differs from an earlier solution; only the first few solutions have
    one.
    """

    puzzle: Puzzle[P]
    placements: tuple[P, ...]
    relation: str = ""

    def text(self, marked: Collection[P] = ()) -> str:
        """The solution drawn with characters."""
        return self.puzzle.text(self.placements, marked)

    def svg(self, marked: Collection[P] = ()) -> str:
        """The solution drawn as an SVG document."""
        return self.puzzle.svg(self.placements, marked)

    def differing(self, other: Solution[P]) -> frozenset[P]:
        """The placements that occur in only one of the two solutions."""
        return frozenset(self.placements) ^ frozenset(other.placements)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.puzzle.name or self.puzzle.family}, {len(self.placements)} "
            f"placements>"
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def objects(self) -> list[dict[str, Any]]:
        """The placements as dicts, for JSON."""
        return [placement._asdict() for placement in self.placements]  # type: ignore[attr-defined]
