"""A long search in parts: its file, the coordinator, the worker, reports and audits."""
