"""Joins the parts of the server: REST and MCP in one application, in one process, on one port."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from noosphere.clock import SystemClock
from noosphere.serve import presence
from noosphere.serve.mcp.server import MemoryServer
from noosphere.serve.rest.app import make_app
from noosphere.serve.rest.tokens import load

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from fastapi import FastAPI

    from noosphere.minds.noosphere import Noosphere

HOST = "127.0.0.1"


def make_server(
    noosphere: Noosphere, *, host: str = HOST, seed_tools: bool = False, seed_routes: bool = False, secret: str = ""
) -> FastAPI:
    """The application: /api, /mcp, /health, /proof, /metrics, /docs.

    The secret is the one that its announcement holds; without one it proves nothing to anybody.

    Raises:
        InvalidInput: the file of tokens is not what it should be.
    """
    mcp = MemoryServer(noosphere, seed_tools=seed_tools).make()
    mounted = mcp.streamable_http_app(host=host)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncGenerator[None]:
        async with mcp.session_manager.run():
            yield

    proof = secret or secrets.token_hex(presence.BYTES)
    tokens = load(noosphere.settings.home)
    app = make_app(noosphere, tokens, SystemClock(), proof, lifespan, seed_routes=seed_routes)
    app.router.routes.extend(mounted.routes)  # not mounted: a mount at / would answer for every unknown path
    return app
