"""Certificates that no solution is missing: writing and verifying them."""

__all__ = []
