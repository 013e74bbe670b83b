"""A server that runs on this home: a hook asks it, instead of opening the minds itself.

A server that was killed leaves its announcement behind, and another program may listen there since. So whoever is
asked proves first that it knows the announcement's secret, and only then, over the same connection, is it sent a token.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from noosphere.serve.presence import BYTES, FILE, PROOF, proof

if TYPE_CHECKING:
    from http.client import HTTPConnection
    from pathlib import Path

SECONDS = 2.0  # a server that takes longer is as good as none
OK = 200


def ask(home: Path, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """Ask the server of this home, or return None when there is none that answers, or another program in its place."""
    if not (home / FILE).exists():
        return None
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415  (a hook without a server does without)

    try:
        where: Any = json.loads((home / FILE).read_text(encoding="utf-8"))
        tokens: Any = json.loads((home / "tokens.json").read_text(encoding="utf-8"))
        token, secret = str(next(one["token"] for one in tokens.values())), str(where["secret"])
        connection = HTTPConnection(str(where["host"]), int(where["port"]), timeout=SECONDS)
        try:
            if not secret or not _is_ours(connection, secret):
                return None
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            return json.loads(answer.read()) if answer.status == OK else None
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def _is_ours(connection: HTTPConnection, secret: str) -> bool:
    """Whether the other end knows the secret; what is asked next goes to the same other end, or nowhere."""
    import hmac  # noqa: PLC0415  (a hook without a server does without)

    nonce = os.urandom(BYTES).hex()
    connection.connect()
    connection.auto_open = 0  # a connection that was closed is not opened again, to somebody who proved nothing
    connection.request("GET", f"{PROOF}?nonce={nonce}")
    answer = connection.getresponse()
    said: Any = json.loads(answer.read())
    return answer.status == OK and hmac.compare_digest(str(said["proof"]), proof(secret, nonce))
