"""Hosted models over real servers: each protocol, and every way in which a server can fail."""

import socket
from datetime import timedelta

import numpy as np
import pytest

from hosted import remote, serving
from noosphere.errors import EmbeddingQuotaExceeded, InvalidInput, ModelDown, ModelUnavailable
from noosphere.providers.endpoint import REST
from noosphere.providers.hosted import UNKNOWN_CHARACTERS, in_order, read_hosted
from noosphere.store.quota import Quota
from noosphere.testing.clocks import FrozenClock
from noosphere.testing.embedders import HashedEmbedder

UNKNOWN = ["ollama:mine", "voyage:mine", "openai:mine", "litellm:mine"]
PATHS = {"ollama": "/api/embed", "voyage": "/embeddings", "openai": "/embeddings", "litellm": "/v1/embeddings"}
TEXTS = ["tea in the north", "coffee in the south", "", "water"]


@pytest.fixture
def host():
    with serving() as running:
        yield running


@pytest.mark.parametrize("name", UNKNOWN)
def test_every_protocol_gives_the_vectors_of_the_texts_in_their_order(host, name):
    embedder = remote(host, name)
    own = HashedEmbedder(32)
    assert embedder.space.dim == 32, "asked of the model"
    made = embedder.embed_documents(TEXTS[:2])
    assert np.allclose(made, [v / np.linalg.norm(v) for v in own.embed_documents(TEXTS[:2])], atol=1e-6)
    assert made.dtype == np.float32
    assert {path for path, _ in host.asked} == {PATHS[name.split(":")[0]]}
    assert {body["model"] for _, body in host.asked} == {"mine"}
    assert embedder.embed_documents([]).shape == (0, 32)
    assert not embedder.embed_query("   ").any()


def test_prefixes_and_kinds_tell_questions_from_documents():
    with serving(768) as host:
        nomic = remote(host, "ollama")
        nomic.embed_documents(["tea"])
        nomic.embed_query("tea")
        assert host.texts() == ["search_document: tea", "search_query: tea"]
        assert all(body["truncate"] is False for _, body in host.asked)
    with serving(512) as host:
        voyage = remote(host, "voyage", headers={"Authorization": "Bearer a-key"})
        voyage.embed_documents(["tea"])
        voyage.embed_query("tea")
        assert [body["input_type"] for _, body in host.asked] == ["document", "query"]
        assert host.texts() == ["tea", "tea"]
        assert host.headers[0]["Authorization"] == "Bearer a-key"


def test_the_defaults_are_known_without_asking():
    named = in_order(("litellm", "openai", "voyage", "ollama", "ollama:nomic-embed-text"))
    assert [(h.provider, h.model, h.dim, h.seconds) for h in named] == [
        ("ollama", "nomic-embed-text", 768, 30),
        ("voyage", "voyage-3-lite", 512, 15),
        ("openai", "text-embedding-3-small", 1536, 15),
        ("litellm", "text-embedding-3-small", 1536, 15),
    ]
    with pytest.raises(InvalidInput, match="Did you mean ollama"):
        read_hosted("olama")


@pytest.mark.parametrize("name", ["ollama", "ollama:all-minilm", "openai:mine"])
@pytest.mark.parametrize("text", ["word " * 9000, "数据库" * 9000, "x" * 30_000, "a\ud800b " * 3000])
def test_chunks_surely_fit_the_model(name, text):
    hosted = read_hosted(name)
    with serving(hosted.dim or 32) as host:
        embedder = remote(host, name)
        chunks = embedder.chunk(text)
        for chunk in chunks:
            piece = text[chunk.start : chunk.stop]
            if hosted.tokens is None:
                assert len(piece) <= UNKNOWN_CHARACTERS
            else:
                assert len(piece.encode("utf-8", "replace")) / 4 <= hosted.tokens
        assert "".join(text.split()) == "".join(text[chunks[0].start : chunks[-1].stop].split())
        embedder.embed_documents([text[c.start : c.stop] for c in chunks[:3]])


def test_a_server_that_is_not_there_is_said_to_be_down(host):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host.url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ModelDown, match=r"cannot be reached \(ConnectError\).*stay pending"):
        remote(host)


def test_a_server_that_lets_nobody_in_is_not_asked_again_for_a_while(host):
    now = [0.0]
    embedder = remote(host, clock=lambda: now[0])
    host.trouble = lambda _: (401, {})
    for _ in range(3):
        with pytest.raises(ModelDown, match="answered 401"):
            embedder.embed_query("tea")
    assert len(host.asked) == 2, "once for the dimension, once for the question"
    host.trouble = lambda _: None
    now[0] = REST
    assert embedder.embed_query("tea").any()


def test_a_server_that_hangs_is_given_up_after_its_time_and_a_batch_is_halved_first(host):
    embedder = remote(host, seconds=0.2)
    host.trouble = lambda texts: "hang" if len(texts) > 1 else None
    assert embedder.embed_documents(["tea", "coffee", "water"]).shape == (3, 32)
    host.trouble = lambda _: "hang"
    with pytest.raises(ModelDown, match=r"did not answer in 0\.2 s"):
        embedder.embed_query("tea")


def test_a_rate_limit_is_waited_for_when_it_is_short(host):
    embedder = remote(host)
    answers = iter([(429, {"Retry-After": "2"}), (503, {}), None])
    host.trouble = lambda _: next(answers)
    assert embedder.embed_query("tea").any()
    assert host.pauses == [2.0, 1.0]


@pytest.mark.parametrize("after", ["3600", "2"])
def test_a_rate_limit_that_stays_leaves_the_texts_pending(host, after):
    embedder = remote(host)
    host.trouble = lambda _: (429, {"Retry-After": after})
    with pytest.raises(ModelDown, match="come later"):
        embedder.embed_documents(["tea"])
    assert len(host.pauses) == (0 if after == "3600" else 2)


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_a_refusal_is_told_from_a_server_that_is_down_and_quotes_no_text(host, status):
    embedder = remote(host)
    host.trouble = lambda texts: (status, {}) if any("private" in t for t in texts) else None
    with pytest.raises(ModelUnavailable, match=f"refused what was sent \\({status}, 'told_to'") as raised:
        embedder.embed_documents(["tea", "a private thing"])
    assert not isinstance(raised.value, ModelDown)
    assert "private" not in str(raised.value)
    assert embedder.embed_query("tea").any()


def test_a_wrong_dimension_too_few_vectors_and_no_json_are_named(host):
    embedder = remote(host)
    host.trouble = lambda _: "short"
    with pytest.raises(ModelUnavailable, match="1 vectors for 2 texts"):
        embedder.embed_documents(["tea", "coffee"])
    host.trouble = lambda _: "garbage"
    with pytest.raises(ModelDown, match="no JSON"):
        embedder.embed_documents(["tea"])
    other = remote(host, "ollama")  # is known to give 768 numbers
    host.trouble = lambda _: None
    with pytest.raises(ModelDown, match=r"\{32\} numbers, not 768"):
        other.embed_documents(["tea"])


def test_the_quota_of_a_month_stops_before_anything_is_sent_and_begins_anew(host, tmp_path):
    clock = FrozenClock()
    quota = Quota(tmp_path, "ann", 5, clock)
    embedder = remote(host, meter=quota)  # asking the dimension costs one
    embedder.embed_documents(["a", "b", "c"])
    asked = len(host.asked)
    with pytest.raises(EmbeddingQuotaExceeded, match=r"ann has used the quota of 5 texts for 2026-05"):
        embedder.embed_documents(["d", "e"])
    assert len(host.asked) == asked
    assert quota.used() == 4
    Quota(tmp_path, "bob", 5, clock).take("m", 5)
    assert quota.used() == 4
    clock.advance(timedelta(days=31))
    embedder.embed_documents(["d", "e"])
    assert quota.used() == 2
