"""A real HTTP server on this machine that speaks the protocols of the embedding providers, and fails as told."""

import json
import threading
from contextlib import contextmanager

from loopback import Answering, listening
from noosphere.providers.embed.dialects import DIALECTS
from noosphere.providers.embed.remote import WAIT, Remote
from noosphere.providers.endpoint import Endpoint, Place
from noosphere.providers.hosted import read_hosted
from noosphere.testing.embedders import HashedEmbedder


class Host:
    """What a server was asked, and how it is to answer.

    `trouble` is called with the texts of a request; it returns None, or a status with headers, or the words "hang",
    "garbage", "short".
    """

    def __init__(self, dim):
        self.dim = dim
        self.asked = []
        self.headers = []
        self.trouble = lambda _: None
        self.released = threading.Event()

    def texts(self):
        return [text for _, body in self.asked for text in body["input"]]


@contextmanager
def serving(dim=32):
    host, embedder = Host(dim), HashedEmbedder(dim)

    class Handler(Answering):
        def take(self, body):
            host.asked.append((self.path, body))
            host.headers.append(dict(self.headers))
            trouble = host.trouble(body["input"])
            if trouble == "hang":
                host.released.wait(20)
                return
            if trouble == "garbage":
                self.answer(200, b"<html>welcome</html>")
            elif isinstance(trouble, tuple):
                self.answer(trouble[0], json.dumps({"error": {"type": "told_to"}}).encode(), trouble[1])
            else:
                texts = body["input"][1:] if trouble == "short" else body["input"]
                self.answer(200, json.dumps(self.vectors(texts)).encode())

        def vectors(self, texts):
            rows = embedder.embed_documents(texts).tolist()
            if self.path.endswith("/api/embed"):
                return {"embeddings": rows}
            return {"data": [{"index": n, "embedding": row} for n, row in reversed(list(enumerate(rows)))]}

    with listening(Handler) as host.url:
        try:
            yield host
        finally:
            host.released.set()


def remote(host, name="openai:some-model", *, seconds=5.0, meter=None, headers=None, clock=None):
    """An embedder that asks the server; its pauses are noted, not waited for."""
    hosted = read_hosted(name)
    place = Place(host.url + DIALECTS[hosted.provider][0], headers or {}, seconds)
    host.pauses = []
    options = {} if clock is None else {"clock": clock}
    return Remote(hosted, Endpoint(hosted.name, place, remedy=WAIT, pause=host.pauses.append, **options), meter)
