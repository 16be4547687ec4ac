"""The backends that are there to be tested."""

from __future__ import annotations

from jigsat.backends import specs

CAPABILITIES = {spec.name: capabilities for spec in specs() if (capabilities := spec.probe())}
GENERAL = [name for name, capabilities in CAPABILITIES.items() if capabilities.clauses]
"""Those that take any formula."""

PROGRAMS = {spec.name for spec in specs() if spec.library == "program"}
"""Those that are a program run for every call, which takes its time."""
