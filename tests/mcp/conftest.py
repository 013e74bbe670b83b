"""A server in this process, and the installed one over real standard input and output."""

import os
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from stdio_command import COMMAND

from noosphere.serve.mcp.server import MemoryServer
from noosphere.testing.minds import scratch_noosphere


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def noosphere(tmp_path, clock, ids):
    with scratch_noosphere(tmp_path / "home", clock=clock, ids=ids, channel="mcp") as opened:
        yield opened


@pytest.fixture
def connected(noosphere):
    """A client of a server in this process."""

    @asynccontextmanager
    async def connect(*, seed_tools=False):
        async with Client(MemoryServer(noosphere, seed_tools=seed_tools).make()) as client:
            yield client

    return connect


@pytest.fixture
def over_stdio(tmp_path):
    """A client of the installed server in a process of its own."""

    @asynccontextmanager
    async def connect(*words, **variables):
        env = {**os.environ, "NOOSPHERE_HOME": str(tmp_path / "home"), "NOOSPHERE_SEMANTIC": "off", **variables}
        with (tmp_path / "stderr.txt").open("a") as log:
            server = stdio_client(StdioServerParameters(command=COMMAND, args=["mcp", *words], env=env), errlog=log)
            async with Client(server) as client:
                yield client

    return connect
