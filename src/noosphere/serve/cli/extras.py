"""What an optional part needs and how to get it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def needed(extra: str) -> Generator[None]:
    """Import what an extra brings.

    Raises:
        InvalidInput: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("noosphere"):
            raise
        remedy = f"Install it with `pip install 'noosphere[{extra}]'`"
        raise InvalidInput(extra, f"needs {problem.name}, which is not installed", remedy) from None
