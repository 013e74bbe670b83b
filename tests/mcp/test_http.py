"""MCP over streamable HTTP: the SDK's own client against the server of `noosphere serve`, on a real port."""

import json
import threading
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest

pytest.importorskip("fastapi")

import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from noosphere.serve.app import make_server

pytestmark = pytest.mark.anyio
SAID = "Hẹn gặp ở Đà Nẵng 🚀"


@pytest.fixture
def served(noosphere):
    """Where a server listens."""
    server = uvicorn.Server(uvicorn.Config(make_server(noosphere), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join()


@pytest.fixture
def over_http(served, noosphere):
    """A client of the server, with the owner's token or another."""
    owner = json.loads((noosphere.settings.home / "tokens.json").read_text(encoding="utf-8"))["owner"]["token"]

    @asynccontextmanager
    async def connect(token=owner):
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(served, http_client=http)) as client,
        ):
            yield client

    return connect


async def call(client, name, /, **given):
    answer = await client.call_tool(name, given)
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content


async def test_what_is_remembered_over_http_is_recalled_in_any_script(over_http):
    async with over_http() as client:
        stored = await call(client, "remember", text=SAID)
        found = await call(client, "recall", query="Đà Nẵng")
        assert [(hit["id"], hit["text"]) for hit in found["hits"]] == [(stored["id"], SAID)]


async def test_tools_resources_and_prompts_are_those_of_the_other_transport(over_http, connected):
    async def offered(client):
        tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        return tools, prompts, [str(one.uri) for one in (await client.list_resources()).resources]

    async with over_http() as far, connected() as near:
        assert await offered(far) == await offered(near)


async def test_clients_at_once_lose_nothing(over_http):
    each = 5

    async def work(number):
        async with over_http() as client:
            for turn in range(each):
                await call(client, "remember", text=f"client {number} saw kiln {turn}")

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(work, number)
    async with over_http() as client:
        assert (await call(client, "status", part="stats"))["memories"] == 4 * each


async def test_without_a_token_nobody_connects_and_nothing_is_written(over_http, noosphere):
    with pytest.RaisesGroup(Exception, allow_unwrapped=True, flatten_subgroups=True):
        async with over_http(token="guessed") as client:  # noqa: S106  (of nothing)
            await call(client, "remember", text="not mine")
    with noosphere.mind() as mind:
        assert mind.stats().memories == 0
