"""Crosswords: every slot of a grid holds a word from a list, and no word occurs twice.

Variables and rules, for c squares, s slots, a letters in the alphabet, and w words to
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
  This takes far fewer clauses than an at-most-one constraint per word.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Self

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
from jigsat.words import join_words, plural


class Crossword(CrosswordData):
    """A crossword grid to be filled."""

    check = broken_rules

    def encode(self) -> Formula:
        """The letters and scores are the decisions, by which solutions differ. The variables with
        `decision=False` follow from them.

        If `enforced`, every slot holds a word of the list, and the best words are looked for;
        otherwise squares may have any letters, and `holds` states which slots hold a word.
        """
        if not self.scores:
            raise InputError(
                f"{self.name}: words: missing; list words, or name a file with one word per line"
            )
        formula = Formula()
        letter: dict[Cell, Choice] = {}
        for cell in self.squares:
            with formula.rule("each square holds a letter", "square", cell):
                letter[cell] = formula.choice("letter", self.alphabet, key=Letter, cell=cell)

        with formula.rule("givens"):
            for cell, value in self.givens.items():
                formula.clause([letter[cell](value)])

        with formula.rule("answers"):
            for cell, value in self.required.items():
                formula.clause([letter[cell](value)])

        scores = [scored for slot in self.slots for scored in self.possible_scores(slot)]
        score = formula.variables("score", ["slot", "score"], scores)
        names = [(slot.name,) for slot in self.slots]
        holds = formula.variables("holds", ["slot"], names, decision=False)

        spelled: dict[str, dict[str, int]] = {}
        for slot in self.slots:
            self.limit_scores(formula, slot, score[slot.name, :], holds(slot.name))
            spelled[slot.name] = self.spell(formula, slot, letter, score, holds(slot.name))

        if not self.repeats:
            self.make_distinct(formula, letter, holds)
            if self.rebus:
                self.exclude_other_spellings(formula, spelled)

        if self.enforced and not self.has_one_total:
            best = max(self.scores.values())
            formula.minimize({score(*scored): best - scored.score for scored in scores})
        return formula

    def limit_scores(self, formula: Formula, slot: Slot, scores: Sequence[int], holds: int) -> None:
        """A slot has at most one score, and one if it must hold a word."""
        with formula.rule("a score is that of a word", "answer", slot.name):
            if self.enforced:
                formula.exactly_one(scores)
            else:
                formula.at_most_one(scores)
            for score in scores:
                formula.implies(score, holds)

    def spell(
        self,
        formula: Formula,
        slot: Slot,
        letter: Mapping[Cell, Choice],
        score: Variables,
        holds: int,
    ) -> dict[str, int]:
        """If a slot holds a word, its letters are in the squares. Returns the variable of each
        word, which is true if the slot holds that."""
        choices = self.choices[slot.name]
        keys = [(slot.name, word) for word in choices.words]
        first = formula.top + 1
        formula.variables("word", ["slot", "word"], keys, decision=False)
        words = range(first, first + len(keys))  # the variable of each word, by its number

        for cell, having in zip(slot.cells, choices.by_letter, strict=True):
            with formula.rule("a word has its letters", "answer", slot.name):
                for value, numbers in having.items():
                    here = letter[cell](value)
                    formula.clauses([(-words[number], here) for number in numbers])

            with formula.rule("a letter is part of a word", "answer", slot.name):
                for value in self.alphabet:
                    possible = [words[number] for number in having.get(value, [])]
                    formula.clause([-holds, -letter[cell](value), *possible])

        with formula.rule("a score is that of a word", "answer", slot.name):
            for points, numbers in choices.by_score.items():
                formula.implies(score(slot.name, points), *[words[number] for number in numbers])
        return dict(zip(choices.words, words, strict=True))

    def exclude_other_spellings(
        self, formula: Formula, spelled: Mapping[str, Mapping[str, int]]
    ) -> None:
        """Two slots do not hold the same word in two spellings, with other signs."""
        for one, other in combinations(self.slots, 2):
            spellings: dict[str, list[str]] = {}
            for word in spelled[other.name]:
                spellings.setdefault(self.spell_out(word), []).append(word)
            with formula.rule("no word twice", "answers", f"{one.name} and {other.name}"):
                for word, holds_word in spelled[one.name].items():
                    for spelling in spellings.get(self.spell_out(word), []):
                        if spelling != word:
                            formula.clause([-holds_word, -spelled[other.name][spelling]])

    def make_distinct(
        self, formula: Formula, letter: Mapping[Cell, Choice], holds: Variables
    ) -> None:
        """Two slots that can hold the same word do not."""
        words = {slot.name: frozenset(self.choices[slot.name].words) for slot in self.slots}
        for one, other in combinations(self.slots, 2):
            same_length = len(one.cells) == len(other.cells)
            if same_length and not words[one.name].isdisjoint(words[other.name]):
                self.differ(formula, one, other, letter, holds)

    def differ(
        self,
        formula: Formula,
        one: Slot,
        other: Slot,
        letter: Mapping[Cell, Choice],
        holds: Variables,
    ) -> None:
        """If two slots of the same length hold words, they differ in a letter."""
        pairs = list(zip(one.cells, other.cells, strict=True))
        places = [place for place, (here, there) in enumerate(pairs) if here != there]
        keys = [(one.name, other.name, place) for place in places]
        differ = formula.variables("differ", ["one", "other", "place"], keys, decision=False)

        with formula.rule("no word twice", "answers", f"{one.name} and {other.name}"):
            differing = [differ(*key) for key in keys]
            formula.clause([-holds(one.name), -holds(other.name), *differing])
            for place, differs in zip(places, differing, strict=True):
                here, there = (letter[cell] for cell in pairs[place])
                formula.clauses((-differs, -here(x), -there(x)) for x in self.alphabet)

    def symmetries(self) -> Iterator[Symmetry]:
        """Reflection in the main diagonal, if the grid and the given letters are symmetric, and no
        word has a question."""
        mirrored_grid = tuple("".join(column) for column in zip(*self.grid, strict=True))
        mirrored_bars = {((b, a), (d, c)) for (a, b), (c, d) in self.pairs_with_bar}
        if self.questions or self.answers or self.grid != mirrored_grid:
            return
        if self.pairs_with_bar != mirrored_bars:
            return

        images: dict[Letter | Scored, Letter | Scored] = {}
        for row, column in self.squares:
            for letter in self.alphabet:
                images[Letter((row, column), letter)] = Letter((column, row), letter)

        name_of = {slot.cells: slot.name for slot in self.slots}
        for slot in self.slots:
            name = name_of[tuple((column, row) for row, column in slot.cells)]
            for scored in self.possible_scores(slot):
                images[scored] = Scored(name, scored.score)
        yield Symmetry("reflection", images)

    def alternatives(
        self, place: str, given: Collection[Letter | Scored] = ()
    ) -> Alternatives[Letter | Scored]:
        names = [slot.name for slot in self.slots]
        if place not in names:
            raise InputError(f"{self.name}: {unknown('slot', place, names)}")

        scores = {word: self.scores[word] for words in self.lists.values() for word in words.words}
        puzzle = self
        solutions: Iterator[tuple[str, list[Letter | Scored] | None]] = iter(())
        if self.enforced and is_compiled():
            letters = [
                (letter.cell, letter.letter) for letter in given if isinstance(letter, Letter)
            ]
            filling = Filling(self, scores, random.Random(0), letters)
            puzzle = self._with_words_of(filling, scores)
            solutions = self._vary(filling, names.index(place), scores)

        words = puzzle.choices[place].words
        placements: dict[str, list[Letter | Scored]] = {}
        for word in sorted(words, key=lambda word: (-scores[word], word)):
            letters_there = map(Letter, self._places[place], word)
            placements[word] = [*letters_there, Scored(place, scores[word])]
        return Alternatives(puzzle, placements, solutions)

    def _with_words_of(self, filling: Filling, scores: Mapping[str, int]) -> Self:
        """The puzzle, with only those words to choose from that a filling has left."""
        choices = {}
        for number, slot in enumerate(self.slots):
            words = filling.list_words(number)
            choices[slot.name] = WordList(words, [scores[word] for word in words])
        return self.model_copy(update={"choices": choices})

    def _vary(
        self, filling: Filling, number: int, scores: Mapping[str, int]
    ) -> Iterator[tuple[str, list[Letter | Scored] | None]]:
        """The words in a slot, each with a solution that has it, or None if there is none."""
        for word, letters in filling.vary(number):
            if letters is None:
                yield word, None
                continue
            solution: list[Letter | Scored] = [Letter(*item) for item in letters.items()]
            for slot in self.slots:
                filled = "".join(letters[cell] for cell in slot.cells)
                solution.append(Scored(slot.name, scores[filled]))
            yield word, solution

    def reasons(self) -> Iterator[Reason]:
        """The slots whose given letters and answers no word of the list has, and slots that have
        fewer words than they are."""
        if not self.enforced or not self.scores:
            return
        letters = self.givens | self.required
        if not self.repeats and (crowd := self._find_crowd(letters)) is not None:
            slots, words = crowd
            names = join_words([slot.name for slot in slots])
            number = plural(len(words), "word")
            held = frozenset(scored for slot in slots for scored in self.possible_scores(slot))
            yield Reason(
                f"{names}: the list has only {number} for these {len(slots)}, and no word may "
                f"occur twice; repeats = true allows it",
                held,
            )
        for slot in self.slots:
            if not self.fitting(slot, letters):
                word = "".join(letters.get(cell, BLANK) for cell in slot.cells)
                verb = "fits" if BLANK in word else "is"
                placements = [Letter(cell, letters[cell]) for cell in slot.cells if cell in letters]
                marked = frozenset([*placements, *self.possible_scores(slot)])
                yield Reason(f"{slot.name}: no word in the list {verb} {word}", marked)

    def _find_crowd(self, letters: Mapping[Cell, str]) -> tuple[list[Slot], set[str]] | None:
        """Slots, and all the words that fit in any of them, if these are fewer; None if each slot
        can have a word of its own.

        Slots get their words one after the other, and hand a word on if they can have another. A
        slot with more words than there are slots always gets one.
        """
        words: dict[Slot, list[str]] = {}
        for slot in self.slots:
            listed = self.lists[len(slot.cells)].words
            fitting = [self.spell_out(listed[number]) for number in self.fitting(slot, letters)]
            if 0 < len(fitting) < len(self.slots):
                words[slot] = fitting
        holder: dict[str, Slot] = {}

        def seat(slot: Slot, tried: set[str]) -> bool:
            for word in words[slot]:
                if word in tried:
                    continue
                tried.add(word)
                if word not in holder or seat(holder[word], tried):
                    holder[word] = slot
                    return True
            return False

        for slot in words:
            tried: set[str] = set()
            if not seat(slot, tried):
                crowd = {slot, *(holder[word] for word in tried)}
                return [slot for slot in self.slots if slot in crowd], tried
        return None

    def warnings(self) -> Iterator[str]:
        unanswered = [slot.name for slot in self.slots if slot.name not in self.answers]
        if self.scores and not self.words and unanswered:
            yield (
                "no list of words, so only the stated answers are words; --set words=./FILE "
                "gives one"
            )
        if self.words:
            for name, word in self.answers.items():
                if word not in self.scores:
                    spelled = self.spell_out(word)
                    yield f"answers: {name}: {spelled} is not in the list of words"
        unasked = [slot.name for slot in self.slots if slot.name not in self.questions]
        if self.questions and unasked:
            yield f"no question for {', '.join(unasked)}"
