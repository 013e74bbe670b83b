"""Bearer tokens: a file that only its owner reads, each token with the widest scope it has."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

FILE = "tokens.json"
SCOPES = ("read", "write", "admin")  # each contains those before it
BYTES = 32


@dataclass(frozen=True, slots=True)
class Token:
    """A token, who it is for, and its widest scope."""

    name: str
    token: str
    scope: str

    def allows(self, scope: str) -> bool:
        """Whether it may do what needs this scope."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


class Tokens:
    """The tokens of a home."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens

    def find(self, given: str) -> Token | None:
        """The token of this text; every one is compared, in constant time."""
        found = [one for one in self._tokens if hmac.compare_digest(one.token.encode(), given.encode())]
        return found[0] if found else None


def load(home: Path) -> Tokens:
    """Read the tokens of a home; the first time, one for everything is made.

    Raises:
        InvalidInput: the file is not what it should be.
    """
    path = home / FILE
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        made = {"owner": {"token": secrets.token_urlsafe(BYTES), "scope": "admin"}}
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(made, file, indent=2)
    try:
        listed: Any = json.loads(path.read_text(encoding="utf-8"))
        tokens = [Token(str(name), str(one["token"]), str(one["scope"])) for name, one in listed.items()]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _wrong(path) from None
    if any(one.scope not in SCOPES or not one.token for one in tokens):
        raise _wrong(path)
    return Tokens(tokens)


def _wrong(path: Path) -> InvalidInput:
    remedy = 'Write {"name": {"token": "...", "scope": "read"}}, or remove it'
    return InvalidInput(str(path), "does not hold tokens", remedy)
