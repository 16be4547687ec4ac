"""The documentation, which `jigsat help` shows."""
