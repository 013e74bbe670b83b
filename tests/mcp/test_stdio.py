"""The installed server over real standard input and output: quick to answer, clean, in UTF-8, many at once."""

import json
import os
import resource
import subprocess
import sys

import anyio
import pytest
from stdio_command import COMMAND

from noosphere import Settings, open_mind

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
SAID = "Hẹn gặp ở Đà Nẵng 🚀"


async def call(client, name, /, **given):
    answer = await client.call_tool(name, given)
    assert not answer.is_error, answer.content[0].text
    return answer


async def test_words_of_any_script_round_trip_under_any_locale(over_stdio):
    async with over_stdio(PYTHONIOENCODING="cp1252", LC_ALL="C") as client:
        await call(client, "remember", text=SAID)
        found = await call(client, "recall", query="Đà Nẵng")
        assert found.structured_content["hits"][0]["text"] == SAID
        assert SAID in found.content[0].text


def test_standard_output_is_protocol_alone_and_initialize_costs_less_than_a_second_of_cpu(tmp_path):
    env = {**os.environ, "NOOSPHERE_HOME": str(tmp_path / "home")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = json.dumps(INITIALIZE) + "\n"
    done = subprocess.run([COMMAND, "mcp"], input=lines, capture_output=True, env=env, check=False, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1]
    assert answers[0]["result"]["serverInfo"]["name"] == "noosphere"
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 1.0, f"{spent:.2f} s of CPU"
    assert done.returncode == 0


async def test_the_first_recall_of_a_cold_server_answers_within_two_seconds_with_the_encoder(tmp_path, over_stdio):
    with open_mind(settings=Settings().override("argument", {"home": tmp_path / "home"})) as mind:
        mind.remember("Salaries go out on the 25th from now on.", wait=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    async with over_stdio(NOOSPHERE_SEMANTIC="encoder") as client:
        found = await call(client, "recall", query="when do we get paid?")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert [hit["text"] for hit in found.structured_content["hits"]] == ["Salaries go out on the 25th from now on."]
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 2.0, f"{spent:.2f} s of CPU"


def test_no_model_and_no_numpy_is_loaded_to_start(tmp_path):
    code = (
        "import sys\n"
        "from noosphere.serve.mcp.server import MemoryServer\n"
        "from noosphere.minds import open_noosphere\n"
        f"with open_noosphere({str(tmp_path)!r}) as n: MemoryServer(n).make()\n"
        "print([m for m in ('numpy', 'onnxruntime', 'tokenizers', 'typer', 'pydantic_settings') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


async def test_four_clients_on_one_home_lose_nothing(over_stdio):
    each = 12

    async def work(number):
        async with over_stdio() as client:
            for turn in range(each):
                await call(client, "remember", text=f"client {number} saw kiln {turn}")
                await call(client, "recall", query=f"kiln {turn}")

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(work, number)
    async with over_stdio() as client:
        stats = await call(client, "status", part="stats")
        assert stats.structured_content["memories"] == 4 * each


async def test_the_mind_of_the_command_is_the_active_one(over_stdio):
    async with over_stdio() as client:
        await call(client, "workspaces", do="create", id="acme")
        await call(client, "remember", text="at home", mind="personal")
    async with over_stdio("--mind", "acme", "--seed-tools") as client:
        await call(client, "remember", text="at acme")
        hits = (await call(client, "recall", query="at home acme")).structured_content["hits"]
        assert {hit["mind"] for hit in hits} == {"acme", "personal"}
        assert "save_memory" in {tool.name for tool in (await client.list_tools()).tools}
