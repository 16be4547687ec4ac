"""Certificates of completeness: writing and verifying proofs that no solution is missing."""

__all__ = []
