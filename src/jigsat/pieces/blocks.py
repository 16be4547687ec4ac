"""Pieces as objects that can be cut or printed."""

from __future__ import annotations

from dataclasses import dataclass

Cube = tuple[int, int, int]
"""A unit cube: its column from the left, its row from the front, and its layer from below."""


@dataclass(frozen=True)
class Block:
    """A piece made of unit cubes, and how many like it are needed."""

    name: str
    cubes: frozenset[Cube]
    count: int
    any_thickness: bool
    """Whether the piece is flat and may be as thick as its owner likes. Otherwise its cubes are
    cubes."""
    is_coloured: bool = False
    """Whether the cells of the piece have colours, which an object does not show."""

    @property
    def is_flat(self) -> bool:
        return len({layer for _, _, layer in self.cubes}) == 1
