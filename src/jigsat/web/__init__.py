"""The page: the messages between it and jigsat, and the server."""

from jigsat.web.requests import answer, replies

__all__ = ["answer", "replies"]
