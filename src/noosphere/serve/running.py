"""Runs the server: says where it listens while it does, and stops without breaking off what is under way."""

from __future__ import annotations

import secrets
import signal
from typing import TYPE_CHECKING

import uvicorn

from noosphere.errors import StorageError
from noosphere.serve import presence
from noosphere.serve.app import HOST, make_server

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

    from noosphere.minds.noosphere import Noosphere

PORT = 8377
STOP_SECONDS = 10  # how long requests that are under way may take when the server is told to stop


class Announced(uvicorn.Server):
    """A server that announces itself to the hooks of its home as soon as it listens."""

    def __init__(
        self, config: uvicorn.Config, home: Path, secret: str, listening: Callable[[str, int], None] | None
    ) -> None:
        super().__init__(config)
        self._home = home
        self._secret = secret
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            presence.announce(self._home, str(host), int(port), self._secret)
            if self._listening is not None:
                self._listening(str(host), int(port))


def run(
    noosphere: Noosphere,
    *,
    host: str = HOST,
    port: int = PORT,
    seed_tools: bool = False,
    seed_routes: bool = False,
    listening: Callable[[str, int], None] | None = None,
) -> None:
    """Serve until told to stop; what is under way ends first. `listening` is told where, once it does.

    Raises:
        StorageError: it cannot listen there.
    """
    home, secret = noosphere.settings.home, secrets.token_hex(presence.BYTES)
    config = uvicorn.Config(
        make_server(noosphere, host=host, seed_tools=seed_tools, seed_routes=seed_routes, secret=secret),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # a query is content, and content is never logged
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    # The server raises its signal again when it has stopped. That ends a process at once, by default: the minds
    # would not be closed, nor the announcement taken back.
    before = [(number, signal.signal(number, _stopped)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        Announced(config, home, secret, listening).run()
    except SystemExit:
        raise StorageError(f"{host}:{port}", "cannot be listened on", "Choose another with --port") from None
    finally:
        presence.withdraw(home, secret)
        for number, handler in before:
            signal.signal(number, handler)


def _stopped(number: int, frame: object) -> None:
    """Told to stop, and stopped already."""
