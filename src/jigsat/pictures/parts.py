"""What is printed for a puzzle: pictures with their sizes, and sentences that explain them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from jigsat.boards import Board, unfold_board


class Part(NamedTuple):
    """Something to print: an SVG document, its width in millimetres, its caption and its kind.

    A `piece` is cut out. Pieces are laid on a `board`, so both are printed at the same scale. Anything else is a `picture`.
    """

    svg: str
    width: float
    caption: str = ""
    kind: Literal["picture", "board", "piece"] = "picture"


def explain_joins(board: Board) -> Iterator[str]:
    """An explanation of the red numbers in the picture of a board, if it has any."""
    if not board.flat:
        yield "The board is drawn as a net, seen from outside, and in two views."
        yield "Sides of the net with the same red number meet."
    elif unfold_board(board).cuts:
        yield "The board wraps around: sides with the same red number meet."
