"""Child processes, the guard that kills the programs they start, and limits on time and memory."""

from jigsat.runtime.child import Child, apart, drop_output, held_interrupts, keep_interrupts, within_limits
from jigsat.runtime.guard import Guard
from jigsat.runtime.limits import Limits, dropped_stops_unreported
from jigsat.runtime.progress import Progress

__all__ = [
    "Child",
    "Guard",
    "Limits",
    "Progress",
    "apart",
    "drop_output",
    "dropped_stops_unreported",
    "held_interrupts",
    "keep_interrupts",
    "within_limits",
]
