"""Random loops for new puzzles."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from jigsat.kit import Grid, bend_loop, draw_loop, walks
from jigsat.kit.loops import border, enclosed_cells


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000), st.floats(0, 1))
def test_a_drawn_loop_is_one_loop_of_the_grid(
    height: int, width: int, seed: int, winding: float
) -> None:
    loop = draw_loop(height, width, Random(seed), winding)
    assert walks.is_one_loop(loop)
    sides = {side for cell in walks.rectangle(height, width) for side in Grid(9, 9).sides(cell)}
    assert loop <= sides
    assert border(enclosed_cells(loop, height, width)) == loop


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 1000))
def test_a_bent_loop_is_a_loop_that_differs_at_one_cell(height: int, width: int, seed: int) -> None:
    rng = Random(seed)
    loop = draw_loop(height, width, rng, 0.5)
    cells = walks.rectangle(height, width)
    for cell in cells:
        bent = bend_loop(loop, height, width, [cell], rng)
        region, changed = enclosed_cells(loop, height, width), enclosed_cells(bent, height, width)
        assert region ^ changed in (set(), {cell})
        # It is refused only if the border would not be one loop.
        assert (bent != loop) == walks.is_one_loop(border(region ^ {cell}))
    assert bend_loop(loop, height, width, [(-1, 0)], rng) == loop


def test_a_winding_loop_comes_to_nearly_all_corners() -> None:
    corners = [len(walks.degrees(draw_loop(9, 9, Random(seed)))) for seed in range(10)]
    assert min(corners) > 85
    loose = [len(walks.degrees(draw_loop(9, 9, Random(seed), 0.5))) for seed in range(10)]
    assert max(loose) < 95
