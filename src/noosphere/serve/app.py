"""Joins the parts of the server: REST and MCP in one application, in one process, on one port."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from noosphere.clock import SystemClock
from noosphere.serve.hooks import near
from noosphere.serve.mcp.server import MemoryServer
from noosphere.serve.rest.app import make_app
from noosphere.serve.rest.tokens import load

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from fastapi import FastAPI

    from noosphere.minds.noosphere import Noosphere

HOST, PORT = "127.0.0.1", 8377
STOP_SECONDS = 10  # how long requests that are under way may take when the server is told to stop


def make_server(noosphere: Noosphere, *, host: str = HOST, seed_tools: bool = False) -> FastAPI:
    """The application: /api, /mcp, /health, /metrics, /docs.

    Raises:
        InvalidInput: the file of tokens is not what it should be.
    """
    mcp = MemoryServer(noosphere, seed_tools=seed_tools).make()
    mounted = mcp.streamable_http_app(host=host)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncGenerator[None]:
        async with mcp.session_manager.run():
            yield

    app = make_app(noosphere, load(noosphere.settings.home), SystemClock(), lifespan)
    app.router.routes.extend(mounted.routes)  # not mounted: a mount at / would answer for every unknown path
    return app


def run(noosphere: Noosphere, *, host: str = HOST, port: int = PORT, seed_tools: bool = False) -> None:
    """Serve until told to stop; what is under way ends first."""
    import uvicorn  # noqa: PLC0415  (the application is also made without it)

    where = noosphere.settings.home / near.FILE
    where.write_text(json.dumps({"host": host, "port": port}), encoding="utf-8")
    try:
        uvicorn.run(
            make_server(noosphere, host=host, seed_tools=seed_tools),
            host=host,
            port=port,
            log_level="warning",
            access_log=False,  # a query is content, and content is never logged
            timeout_graceful_shutdown=STOP_SECONDS,
        )
    finally:
        where.unlink(missing_ok=True)
