"""What stands before every route: the token and its scope, and how large a body may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Match

from noosphere.model.text import whole_escapes
from noosphere.serve.rest.problem import problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from noosphere.serve.rest.tokens import Tokens

MAX_BODY = 4_000_000  # bytes; turns come in batches
OPEN = frozenset({"/health", "/proof", "/openapi.json"})
TOO_LARGE = 413
MCP = "/mcp"
HALF = rb"\ud"  # how an escape of half a character begins, and some whole ones of Hangul


class Gate:
    """An ASGI middleware that lets in who may come in, with as much as may be brought."""

    def __init__(self, app: ASGIApp, *, tokens: Tokens, routes: Sequence[BaseRoute], scopes: Mapping[str, str]) -> None:
        self._app = app
        self._tokens = tokens
        self._routes = routes
        self._scopes = scopes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        body = await _read(scope, receive)
        if body is None:
            await problem(TOO_LARGE, f"more than {MAX_BODY} bytes. Send it in parts")(scope, receive, send)
            return
        await self._app(scope, _replay(_readable(body) if scope["path"] == MCP else body, receive), send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        kind, _, given = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        token = self._tokens.find(given.strip()) if kind.lower() == "bearer" else None
        if token is None:
            return problem(401, "no such token. Send `Authorization: Bearer TOKEN`; the home's tokens.json has them")
        needed = self._needed(scope)
        if not token.allows(needed):
            return problem(403, f"this needs the scope {needed}, the token has {token.scope}. Use another token")
        return None

    def _needed(self, scope: Scope) -> str:
        for route in self._routes:
            if route.matches(scope)[0] is Match.FULL:
                return self._scopes.get(getattr(route, "name", ""), "write")
        return "read"  # there is no such route, and nothing to protect


async def _read(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body, or None when it is too large."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > MAX_BODY:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _readable(body: bytes) -> bytes:
    """JSON without escapes of half characters, which the SDK refuses; as long as it was."""
    return whole_escapes(body.decode("latin-1")).encode("latin-1") if HALF in body.lower() else body


def _replay(body: bytes, receive: Receive) -> Receive:
    """Hand over the body that was read, then what else comes."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
