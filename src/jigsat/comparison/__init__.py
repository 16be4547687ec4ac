"""Comparing backends, encodings and lowerings."""
