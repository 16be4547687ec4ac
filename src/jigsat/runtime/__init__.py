"""Child processes and the guard that ends the programs they start."""

from jigsat.runtime.child import Child, apart, keep_interrupts
from jigsat.runtime.guard import Guard

__all__ = [
    "Child",
    "Guard",
    "apart",
    "keep_interrupts",
]
