"""Lights Out: pressing a cell switches its light and those of its neighbours; the goal is to put
out all lights.

A press switches the pressed cell's light once and, through each side of the cell, the light across
that side. So if two cells of a small torus are joined along two sides, the two switches cancel out,
as do two sides along which a cell meets itself. The order of the presses does not matter, and
pressing a cell twice has no effect. Rules, variables and constraint groups, on a board with n
cells:

- `press(cell)`: the cell is pressed; n decision variables. The number of presses can be minimised.

- "every light goes out": for each cell, the number of presses that switch its light is odd if it is
  lit, even if not; n
  XORs, over the cell and its neighbours.

These are n equations over GF(2). The sets of presses that switch nothing form their kernel; if
there is a solution, there are 2^nullity. Since the equations are symmetric, every press switches an
even number of lights in such a set, so a set with an odd number of lit cells proves that there is
no solution.
"""

from collections.abc import Iterator

from jigsat.encodings.lights_out.check import broken_rules, reached_lights
from jigsat.encodings.lights_out.data import LightsOutData, Press

from jigsat.formula import Formula, System, bits
from jigsat.puzzle import Reason
from jigsat.symmetry import ColouredGraph, Symmetry


class LightsOut(LightsOutData):
    """A Lights Out position, to be put out."""

    check = broken_rules

    def encode(self) -> Formula:
        formula = Formula()
        press = formula.variables("press", Press._fields, map(Press, self.surface.cells))
        switching = {cell: [press(cell)] for cell in self.surface.cells}
        for seam in self.surface.seams:
            if len(seam) == 2:
                one, other = (side.cell for side in seam)
                switching[one].append(press(other))
                switching[other].append(press(one))

        for cell, presses in switching.items():
            with formula.rule("every light goes out", "light", cell):
                formula.xor(presses, odd=cell in self.lights)
        formula.minimize(press[:])
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        for motion in self.surface.symmetries():
            images = {cell: image for cell, (image, _) in motion.images.items()}
            if self.lights == {images[cell] for cell in self.lights}:
                yield Symmetry(
                    motion.level, {Press(cell): Press(image) for cell, image in images.items()}
                )

    def graph(self) -> ColouredGraph:
        """The cells, joined to those whose light they switch."""
        number = {cell: i for i, cell in enumerate(self.surface.cells)}
        reach = reached_lights(self.surface)
        colours = [f"{cell in self.lights} {cell in reach[cell]}" for cell in number]
        edges = [
            (number[cell], number[light]) for cell, lights in reach.items() for light in lights
        ]
        return ColouredGraph(colours, [(a, b) for a, b in edges if a < b])

    def remarks(self) -> Iterator[str]:
        formula = self.encode()
        system = System(formula.constraints())
        solutions = "no solution"
        if system.consistent:
            solutions = f"2^{system.nullity} solutions" if system.nullity else "one solution"
        yield (
            f"rank {system.rank} of {len(self.surface.cells)} equations, nullity "
            f"{system.nullity}: {solutions}"
        )

    def reasons(self) -> Iterator[Reason]:
        formula = self.encode()
        quiet = (
            {formula.key(press) for press in bits(presses)}
            for presses in System(formula.constraints()).kernel()
        )
        odd = [presses for presses in quiet if len({cell for (cell,) in presses} & self.lights) % 2]
        if odd:
            proof = min(odd, key=len)
            lit = len({cell for (cell,) in proof} & self.lights)
            even = f"every press switches an even number of the {len(proof):,} marked cells"
            yield Reason(f"{even}, but an odd number of them is lit: {lit:,}", frozenset(proof))
