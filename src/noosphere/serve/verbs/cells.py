"""What rows of the table share: why a cell is empty, and the plainest arguments."""

from __future__ import annotations

from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.verb import Empty

RARE = Empty("an agent has no use for it; people and programs have")


def text(help: str) -> Field:
    """A text."""
    return Field(kind="text", help=help)


def texts(help: str) -> Field:
    """Several texts."""
    return Field(kind="texts", help=help)


def flag(help: str) -> Field:
    """A yes or no."""
    return Field(kind="flag", help=help)
