"""Embedding in the background: it survives disks, models and processes that fail, and nothing waits for ever."""

import numpy as np
import pytest
from child import EMBEDDING

from minds import HASHED, found, hashed, open_on
from noosphere import Duplicate, Settings, Stored, open_mind

BUSY = HASHED.override("test", {"background": True})


class FailingEmbedder:
    """The hashed embedder, which fails as it is told to."""

    def __init__(self, fails):
        self._inner = hashed()
        self.fails = fails
        self.space = self._inner.space
        self.chunk = self._inner.chunk
        self.embed_query = self._inner.embed_query

    def embed_documents(self, texts):
        return self.fails(texts, self._inner.embed_documents(texts))


def works(texts, rows):
    return rows


def is_down(texts, rows):
    raise ConnectionError("the server does not answer")


def refuses_poison(texts, rows):
    if any("poison" in text for text in texts):
        raise ValueError(texts)
    return rows


WRONG = {
    "an error": is_down,
    "no numbers": lambda _, rows: rows * np.float32("nan"),
    "numbers without end": lambda _, rows: np.full_like(rows, np.inf),
    "too few rows": lambda _, rows: rows[:-1],
    "rows of another size": lambda _, rows: rows[:, :-1],
    "a row for each word": lambda _, rows: np.repeat(rows, 2, axis=0),
}


def until(condition):
    """Wait for another thread; the test's own timeout ends it when that never comes."""
    while not condition():
        pass


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_model_that_fails_is_named_and_the_memory_is_stored_all_the_same(tmp_path, wrong):
    embedder = FailingEmbedder(WRONG[wrong])
    with open_on(tmp_path / "mind.db", embedder=embedder) as mind:
        stored = mind.remember("memory1x to embed", wait=True)
        assert isinstance(stored, Stored)
        flushed = mind.flush()
        assert flushed.pending == {"hashed-32": 1}
        assert "hashed-32" in flushed.unavailable[0]
        assert "memory1x" not in flushed.unavailable[0]
        assert found(mind, "memory1x") == [stored.id]
        assert mind.doctor().healthy
        embedder.fails = works
        assert mind.flush().pending == {}
        assert mind.doctor().healthy


def test_a_text_that_the_model_refuses_does_not_hold_up_the_others(tmp_path):
    with open_on(tmp_path / "mind.db", embedder=FailingEmbedder(refuses_poison)) as mind:
        mind.remember("the poison that no model reads")
        mind.remember_many([f"memory{n}x to embed" for n in range(200)])
        flushed = mind.flush()
        assert flushed.pending == {"hashed-32": 1}
        assert flushed.unavailable
        for number in range(8):
            mind.remember(f"another memory{number} to embed", wait=True)
            assert mind.flush().pending == {"hashed-32": 1}
        assert mind.flush().unavailable == (), "what was refused too often is no longer tried"
        assert mind.doctor().healthy


@pytest.mark.parametrize("kind", ["error", "full"])
def test_the_worker_goes_on_after_the_disk_failed_it(tmp_path, disk, kind):
    embedder = FailingEmbedder(works)
    with open_on(tmp_path / "mind.db", disk, embedder=embedder, settings=BUSY) as mind:
        mind.remember("memory1x to embed")
        until(lambda: mind.stats().pending == {})

        def fail_the_disk(texts, rows):
            disk.fail(1, kind=kind, lasting=True)
            return rows

        embedder.fails = fail_the_disk
        mind.remember("memory2x to embed")
        until(lambda: disk.failed)
        embedder.fails = works
        disk.mend()
        mind.remember("memory3x to embed")
        until(lambda: mind.stats().pending == {})
        assert mind.doctor().healthy


def test_the_worker_goes_on_after_the_model_failed_it(tmp_path):
    embedder = FailingEmbedder(is_down)
    with open_on(tmp_path / "mind.db", embedder=embedder, settings=BUSY) as mind:
        mind.remember("memory1x to embed")
        until(lambda: mind.stats().pending == {"hashed-32": 1})  # the other model's space is filled
        embedder.fails = works
        mind.remember("memory2x to embed")
        until(lambda: mind.stats().pending == {})


def test_what_a_killed_process_left_is_embedded_by_the_next_that_opens(start, tmp_path):
    path = tmp_path / "mind.db"
    child = start("hold", path)
    child.next_of("embedding")
    assert child.kill() == EMBEDDING
    with open_on(path, embedder=hashed(), settings=BUSY) as mind:
        until(lambda: mind.stats().pending == {})
        assert mind.doctor().healthy


def test_a_process_that_lives_on_after_embedding_keeps_nobody_waiting(start, tmp_path):
    path = tmp_path / "mind.db"
    child = start("hold", path)
    child.next_of("embedding")
    child.start()
    assert child.next_of("flushed")["embedded"] == 1
    with open_on(path, embedder=hashed()) as mind:
        mind.remember("memory1x to embed", wait=True)
        assert mind.stats().pending == {}
        assert mind.flush(limit=1).pending == {}
    child.start()
    assert child.finish() == 0


def test_no_model_is_loaded_when_nothing_waits(tmp_path):
    settings = Settings(background=True)
    with open_mind(tmp_path / "mind.db", settings=settings) as mind:
        mind.flush()
        assert mind._chain._encoder.known is None
        assert mind._chain._static.known is None


def test_the_same_text_again_while_it_is_being_embedded_is_a_duplicate(start, tmp_path):
    path = tmp_path / "mind.db"
    child = start("hold", path, 7)
    child.next_of("embedding")
    with open_on(path, embedder=hashed()) as mind:
        again = mind.remember("to be embedded by 7", wait=True)
        assert isinstance(again, Duplicate)
        mind.forget(again.id)
        child.start()
        child.next_of("flushed")
        child.start()
        assert child.finish() == 0
        assert found(mind, "embedded") == []
        assert mind.flush().pending == {}
        assert mind.doctor().healthy
