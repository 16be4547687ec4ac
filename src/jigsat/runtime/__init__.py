"""Child processes, the guard that kills the programs they start, and limits on time and memory."""
