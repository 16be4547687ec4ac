"""Options for an instance that gets other clues, or further ones."""

import random
from typing import Self

from pydantic import SerializeAsAny, model_validator

from jigsat.generation.clues import ClueOptions
from jigsat.generation.completions import CompletionGenerator
from jigsat.generation.generator import Generator
from jigsat.puzzle import Puzzle


class NewClueOptions(ClueOptions):
    """Other clues for an instance; or with `complete`, further clues."""

    instance: SerializeAsAny[Puzzle]
    complete: bool = False

    @model_validator(mode="after")
    def _minimal(self) -> Self:
        if self.complete and (self.clues is not None or self.symmetric or self.solutions > 1):
            raise ValueError(
                "complete: a minimal set of clues is added that leaves one solution; leave out "
                "clues, symmetric and solutions"
            )
        return self

    def build_generator(self) -> Generator:
        if self.complete:
            return CompletionGenerator(self.instance)
        return super().build_generator()

    def blank(self) -> Puzzle:
        puzzle = self.instance
        return puzzle.model_copy(update={"title": f"{puzzle.title or puzzle.name}, other clues"})

    def hard(self, rng: random.Random) -> Puzzle | None:
        return self.instance
