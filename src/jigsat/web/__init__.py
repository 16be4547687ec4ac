"""The page: the messages between it and jigsat, and the server."""

from jigsat.web.requests import replies

__all__ = ["replies"]
