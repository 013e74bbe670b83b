"""How a running server makes itself known: a file in its home says where it listens, with a secret that proves it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "server.json"
PROOF = "/proof"
BYTES = 32  # of the secret, and of a nonce


def announce(home: Path, host: str, port: int, secret: str) -> None:
    """Say where the server of this home listens; only its owner reads it."""
    fresh = home / f"{FILE}.{os.getpid()}"
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"host": host, "port": port, "secret": secret}, file)
    os.replace(fresh, home / FILE)  # noqa: PTH105  (replaces in one step on every system)


def withdraw(home: Path, secret: str) -> None:
    """Take the announcement back, unless a later server has made its own."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        if json.loads((home / FILE).read_text(encoding="utf-8"))["secret"] == secret:
            (home / FILE).unlink()


def proof(secret: str, nonce: str) -> str:
    """What only who knows the secret can answer to a nonce."""
    import hmac  # noqa: PLC0415  (a hook without a server does without)

    return hmac.new(secret.encode(), f"noosphere:{nonce}".encode(), "sha256").hexdigest()
