"""Language models over a real server on this machine that speaks both protocols and fails as told."""

import json
import threading

import pytest

from loopback import Answering, completion, serving
from noosphere.errors import ModelDown, ModelUnavailable
from noosphere.providers.endpoint import Endpoint, Place
from noosphere.providers.llm.anthropic import Anthropic
from noosphere.providers.llm.checked import problem
from noosphere.providers.llm.openai_compatible import OpenAICompatible
from noosphere.providers.llm.port import Message, Prices

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
SAID = [Message("system", "Answer."), Message("user", "Where?")]
GOOD = {"city": "Oslo"}


class Server:
    """What was asked, and the answers to give: values, texts, statuses, or "hang" and "cut"."""

    def __init__(self):
        self.asked, self.paths, self.headers, self.answers = [], [], [], []
        self.released = threading.Event()


@pytest.fixture
def server():
    opened = Server()

    class Handler(Answering):
        def take(self, body):
            opened.asked.append(body)
            opened.paths.append(self.path)
            opened.headers.append({k.lower(): v for k, v in self.headers.items()})
            self.tell(opened.answers.pop(0), opened.released, self.well)

        def well(self, told):
            if told == "html":
                return b"<html>"
            if self.path.endswith("/v1/messages"):
                part = {"type": "tool_use", "name": "answer", "input": told}
                usage = {"input_tokens": 7, "output_tokens": 3}
                return json.dumps({"content": [{"type": "text", "text": "…"}, part], "usage": usage}).encode()
            return completion(told, 7, 3)

    with serving(opened, Handler):
        yield opened


def openai(server, seconds=5.0):
    place = Place(f"{server.url}/v1/chat/completions", {"Authorization": "Bearer k"}, seconds)
    return OpenAICompatible("m", f"{server.url}/v1", endpoint=Endpoint("m", place, pause=lambda _: None))


def anthropic(server, seconds=5.0):
    place = Place(f"{server.url}/v1/messages", {"x-api-key": "k"}, seconds)
    return Anthropic("m", key="k", url=server.url, endpoint=Endpoint("m", place, pause=lambda _: None))


MODELS = pytest.mark.parametrize("make", [openai, anthropic], ids=["openai", "anthropic"])


@MODELS
def test_a_value_of_the_schema_comes_back_with_its_cost(server, make):
    server.answers = [GOOD]
    done = make(server).complete(SAID, SCHEMA)
    assert (done.value, done.prompt_tokens, done.completion_tokens, done.tries) == (GOOD, 7, 3, 1)


def test_what_is_sent_is_the_protocol_of_each(server):
    server.answers = [GOOD, GOOD]
    OpenAICompatible("m", f"{server.url}/v1", key="k").complete(SAID, SCHEMA)
    Anthropic("m", key="k", url=server.url).complete(SAID, SCHEMA)
    first, second = server.asked
    assert server.paths == ["/v1/chat/completions", "/v1/messages"]
    assert server.headers[0]["authorization"] == "Bearer k"
    assert (server.headers[1]["x-api-key"], "anthropic-version" in server.headers[1]) == ("k", True)
    assert first["messages"] == [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Where?"}]
    assert first["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (second["system"], second["messages"]) == ("Answer.", [{"role": "user", "content": "Where?"}])
    assert second["tools"][0]["input_schema"] == SCHEMA


def test_json_in_a_fence_is_read(server):
    server.answers = ['```json\n{"city": "Oslo"}\n```']
    assert openai(server).complete(SAID, SCHEMA).value == GOOD


@pytest.mark.parametrize("bad", ["no json", '{"city": 4}', '{"town": "Oslo"}', '{"city": "Oslo", "n": true}'])
def test_an_answer_that_is_not_of_the_schema_is_asked_for_once_more_and_then_refused(server, bad):
    server.answers = [bad, GOOD]
    done = openai(server).complete(SAID, SCHEMA)
    assert (done.value, done.tries, done.prompt_tokens) == (GOOD, 2, 14)
    assert [m["role"] for m in server.asked[1]["messages"]] == ["system", "user", "assistant", "user"]
    server.answers = [bad, bad]
    with pytest.raises(ModelUnavailable, match="did not answer as asked"):
        openai(server).complete(SAID, SCHEMA)


@MODELS
def test_a_rate_limit_is_waited_for(server, make):
    server.answers = [429, 429, GOOD]
    assert make(server).complete(SAID, SCHEMA).value == GOOD


@MODELS
@pytest.mark.parametrize("trouble", [401, "hang", "cut", "html"])
def test_what_does_not_answer_is_down(server, make, trouble):
    server.answers = [trouble]
    with pytest.raises(ModelDown):
        make(server, seconds=0.3).complete(SAID, SCHEMA)


@MODELS
def test_a_broken_server_refuses_and_nothing_is_made_up(server, make):
    server.answers = [500]
    with pytest.raises(ModelUnavailable):
        make(server).complete(SAID, SCHEMA)


def test_prices_turn_tokens_into_micros_rounded_up():
    assert Prices(prompt=150_000, completion=600_000).of(7, 3) == 3
    assert Prices(prompt=150_000).of(7, 3) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({}, "value.city is missing"),
        ({"city": None}, "value.city is not of type string"),
        ([], "value is not of type object"),
    ],
)
def test_a_problem_is_told_by_its_place(value, said):
    assert problem(value, SCHEMA) == said
