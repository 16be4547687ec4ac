"""Crosswords: every slot of a grid holds a word from a list, and no word occurs twice.

Variables and constraint groups, for c squares, s slots, a letters in the alphabet, and w words to
choose from in all slots:

- `letter(cell, value)`: the square holds the letter; one choice per square, c·a decision variables.
- `score(slot, score)`: the slot holds a word with this score; a decision variable per slot and
  score. Letters determine it.
- `word(slot, word)`: the slot holds the word; w auxiliary variables.
- `holds(slot)`: the slot holds a word; s auxiliary variables.
- `differ(one, other, place)`: two slots differ in the letter at this place; auxiliary.

- "each square holds a letter": c exactly-one. "givens" and "answers": one clause per given or
  required letter.
- "a word has its letters": one clause per word and letter of it, of two literals.
- "a letter is part of a word": one clause per slot, place and letter; redundant.
- "a score is that of a word": one clause per slot and score, and s at-most-one, or exactly-one if
  each slot must hold a word.
- "no word twice": for each pair of slots of the same length one clause, and a clauses per place.
  This takes far fewer clauses
  than an at-most-one constraint per word.
"""

import random
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, repeat

from jigsat.encodings.crossword.check import broken_rules
from jigsat.encodings.crossword.data import (
    BLANK,
    Cell,
    CrosswordData,
    Letter,
    Scored,
    Slot,
    WordList,
)
from jigsat.encodings.crossword.filling import Filling

from jigsat.backends.engine import is_compiled
from jigsat.errors import InputError, unknown
from jigsat.formula import Choice, Formula, Variables
from jigsat.puzzle import Alternatives, Reason
from jigsat.symmetry import Symmetry
from jigsat.words import name_place


class Crossword(CrosswordData):
    """A crossword grid to be filled."""

    check = broken_rules

    def encode(self) -> Formula:
        if not self.scores:
            raise InputError(
                f"{self.name}: words: missing; list words, or name a file with one word per line"
            )
        formula = Formula()
        with formula.group("each square holds a letter"):
            letter: dict[Cell, Choice] = {}
            for r, c in self.squares:
                with formula.rule(f"square {name_place((r, c))}"):
                    letter[r, c] = formula.choice("letter", self.alphabet, key=Letter, cell=(r, c))
        for group, letters in (("givens", self.givens), ("answers", self.required)):
            with formula.group(group):
                formula.clauses([letter[cell](value)] for cell, value in letters.items())

        scores = [each for slot in self.slots for each in self.possible_scores(slot)]
        score = formula.variables("score", ["slot", "score"], scores)
        holds = formula.variables(
            "holds", ["slot"], [(slot.name,) for slot in self.slots], decision=False
        )
        for slot in self.slots:
            with formula.rule(f"answer {slot.name}"), formula.group("a score is that of a word"):
                (formula.exactly_one if self.enforced else formula.at_most_one)(score[slot.name, :])
                formula.clauses((-literal, holds(slot.name)) for literal in score[slot.name, :])
            with formula.rule(f"answer {slot.name}"):
                self.spell(formula, slot, letter, score, holds(slot.name))
        if not self.repeats:
            self.make_distinct(formula, letter, holds)
        if self.enforced:
            best = max(self.scores.values())
            formula.minimize(
                {
                    score(*each): best - each.score
                    for slot in self.slots
                    for each in self.possible_scores(slot)
                }
            )
        return formula

    def spell(
        self,
        formula: Formula,
        slot: Slot,
        letter: Mapping[Cell, Choice],
        score: Variables,
        holds: int,
    ) -> None:
        """If a slot holds a word, its letters are in the squares."""
        choices, first, name = self.choices[slot.name], formula.top + 1, slot.name
        formula.variables(
            "word", ["slot", "word"], [(name, word) for word in choices.words], decision=False
        )
        for cell, having in zip(slot.cells, choices.by_letter, strict=True):
            with formula.group("a word has its letters"):
                for x, numbers in having.items():
                    formula.clauses(
                        zip([-first - number for number in numbers], repeat(letter[cell](x)))
                    )
            with formula.group("a letter is part of a word"):
                for x in self.alphabet:
                    formula.clause(
                        [
                            -holds,
                            -letter[cell](x),
                            *(first + number for number in having.get(x, ())),
                        ]
                    )
        with formula.group("a score is that of a word"):
            for value, numbers in choices.by_score.items():
                formula.implies(score(name, value), *(first + number for number in numbers))

    def make_distinct(
        self, formula: Formula, letter: Mapping[Cell, Choice], holds: Variables
    ) -> None:
        """Two slots of the same length differ in a letter."""
        words = {slot: frozenset(self.choices[slot.name].words) for slot in self.slots}
        for one, other in combinations(self.slots, 2):
            if len(one.cells) == len(other.cells) and not words[one].isdisjoint(words[other]):
                crossing = [
                    i
                    for i, pair in enumerate(zip(one.cells, other.cells, strict=True))
                    if len({*pair}) == 2
                ]
                keys = [(one.name, other.name, place) for place in crossing]
                differ = formula.variables(
                    "differ", ["one", "other", "place"], keys, decision=False
                )
                with (
                    formula.group("no word twice"),
                    formula.rule(f"answers {one.name} and {other.name} differ"),
                ):
                    formula.clause(
                        [-holds(one.name), -holds(other.name), *(differ(*key) for key in keys)]
                    )
                    for key in keys:
                        here, there = letter[one.cells[key[2]]], letter[other.cells[key[2]]]
                        formula.clauses((-differ(*key), -here(x), -there(x)) for x in self.alphabet)

    def symmetries(self) -> Iterator[Symmetry]:
        """Reflection in the main diagonal, if the grid and the given letters are symmetric, and no
        word has a question."""
        if not (self.questions or self.answers) and self.grid == tuple(
            map("".join, zip(*self.grid, strict=True))
        ):
            squares = {
                Letter((r, c), x): Letter((c, r), x) for r, c in self.squares for x in self.alphabet
            }
            mirrored = {tuple((c, r) for r, c in slot.cells): slot.name for slot in self.slots}
            names = {slot.name: mirrored[slot.cells] for slot in self.slots}
            scores = {
                each: each._replace(slot=names[each.slot])
                for slot in self.slots
                for each in self.possible_scores(slot)
            }
            yield Symmetry("reflection", {**squares, **scores})

    def alternatives(
        self, place: str, given: Collection[Letter | Scored] = ()
    ) -> Alternatives[Letter | Scored]:
        names = [slot.name for slot in self.slots]
        if place not in names:
            raise InputError(f"{self.name}: {unknown('slot', place, names)}")
        scores = {word: self.scores[word] for its in self.lists.values() for word in its.words}
        letters = [(each.cell, each.letter) for each in given if isinstance(each, Letter)]
        narrowed, number = self, names.index(place)
        filling = (
            Filling(self, scores, random.Random(0), letters)
            if self.enforced and is_compiled()
            else None
        )
        if filling:
            lists = [
                WordList(words, [scores[word] for word in words])
                for words in map(filling.list_words, range(len(names)))
            ]
            narrowed = self.model_copy(update={"choices": dict(zip(names, lists, strict=True))})
        words = sorted(narrowed.choices[place].words, key=lambda word: (-scores[word], word))
        determined = dict[str, list[Letter | Scored]]()
        for word in words:
            determined[word] = [
                *map(Letter, self._places[place], word),
                Scored(place, scores[word]),
            ]

        def find() -> Iterator[tuple[str, list[Letter | Scored] | None]]:
            for word, letters in filling.vary(number) if filling else ():
                if letters is None:
                    yield word, None
                    continue
                filled = (
                    (slot.name, "".join(map(letters.__getitem__, slot.cells)))
                    for slot in self.slots
                )
                yield (
                    word,
                    [
                        *map(Letter, letters, letters.values()),
                        *(Scored(name, scores[its]) for name, its in filled),
                    ],
                )

        return Alternatives(narrowed, determined, find())

    def reasons(self) -> Iterator[Reason]:
        """The slots whose given letters and answers no word of the list has."""
        letters = self.givens | self.required
        for slot in self.slots if self.enforced and self.scores else ():
            if not self.fitting(slot, letters):
                word = "".join(letters.get(cell, BLANK) for cell in slot.cells)
                said = f"fits {word}" if BLANK in word else f"is {word}"
                marked = {Letter(cell, letters[cell]) for cell in slot.cells if cell in letters}
                yield Reason(
                    f"{slot.name}: no word in the list {said}",
                    frozenset({*marked, *self.possible_scores(slot)}),
                )

    def warnings(self) -> Iterator[str]:
        if (
            self.scores
            and not self.words
            and any(slot.name not in self.answers for slot in self.slots)
        ):
            yield (
                "no list of words, so only the stated answers are words; --set words=./FILE "
                "gives one"
            )
        for name, word in self.answers.items() if self.words else ():
            if word not in self.words:
                yield f"answers: {name}: {word} is not in the list of words"
        if self.questions and (
            missing := [slot.name for slot in self.slots if slot.name not in self.questions]
        ):
            yield f"no question for {', '.join(missing)}"
