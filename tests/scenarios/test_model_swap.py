"""The real encoders in each other's place under readers and a writer: no call fails, none is empty, none is mixed."""

import random
import threading

import pytest

from noosphere import Settings, Turn, open_mind
from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Pooled
from noosphere.store.vector_index import VectorIndex
from observed import rows

pytestmark = pytest.mark.usefixtures("companion")
THINGS = ["kettle", "ladder", "stapler", "lantern", "blanket", "compass", "trowel", "whistle", "basket", "tripod"]
PLACES = ["attic", "shed", "kitchen", "hall cupboard", "garage", "cellar", "blue box", "top shelf", "boat", "tent"]
MOST_WRITTEN = 400  # turns said while the models change: a writer that never stops would put the swap off for ever
STEP = 256  # units embedded between two looks
PAUSE = 0.05  # seconds from an answer to the next question: readers that never rest leave the models little time


@pytest.fixture
def mixed(monkeypatch):
    """Searches whose question was embedded by another model than the rows it was compared with."""
    made, found = {}, []
    embed, search = Pooled.embed_query, VectorIndex.search

    def embed_query(self, text):
        row = embed(self, text)
        made[row.tobytes()] = self.space.name
        return row

    def search_watched(self, sql, query, *more):
        if made.get(query.tobytes(), self.space.name) != self.space.name:
            found.append((made[query.tobytes()], self.space.name))
        return search(self, sql, query, *more)

    monkeypatch.setattr(Pooled, "embed_query", embed_query)
    monkeypatch.setattr(VectorIndex, "search", search_watched)
    yield found
    assert len(set(made.values())) == 2, "both models were asked"


def texts(count):
    """Short texts that differ, and do not repeat each other."""
    chance = random.Random(4)
    return [f"The {chance.choice(THINGS)} number {n} is in the {chance.choice(PLACES)}" for n in range(count)]


class Users:
    """Two readers and a writer that do not stop until they are told."""

    def __init__(self, mind, said):
        self._mind, self._said, self._stop = mind, said, threading.Event()
        self.troubles, self.answers, self.written = [], [], 0
        self._threads = [
            threading.Thread(target=self._run, args=(work,)) for work in (self._read, self._read, self._write)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self, work):
        n = 0
        while not self._stop.is_set():
            n += 1
            try:
                work(n)
            except Exception as problem:  # noqa: BLE001  (the test looks at it)
                self.troubles.append(problem)

    def _read(self, n):
        asked = self._said[n * 7 % len(self._said)]
        recalled = self._mind.recall(asked)
        amiss = [d for d in recalled.trace.degraded() if "wait to be embedded" not in d.reason]
        self.answers.append((len(recalled.hits), amiss, asked))
        self._stop.wait(PAUSE)

    def _write(self, n):
        if n > MOST_WRITTEN:
            self._stop.wait(0.1)
            return
        self._mind.record("talk", [Turn(key=str(n), speaker="Ann", text=f"turn {n} is about the {n * 3}rd thing")])
        self.written = n


def swap(mind, said, model, name):
    """Choose a model and embed until it serves, while others ask and write."""
    with Users(mind, said) as users:
        mind.models.use(model)
        while mind.status().active_space != name or not (users.answers and users.written):
            mind.flush(STEP)
    assert users.troubles == []
    assert [answer for answer in users.answers if answer[0] == 0 or answer[1]] == []


def swap_there_and_back(folder, frames):
    """MiniLM to the multilingual model and back, in a mind of so many frames."""
    path = folder / "mind.db"
    with open_mind(path, settings=Settings(background=False, home=folder)) as mind:
        said = texts(frames)
        mind.record("many", [Turn(key=f"m{n}", speaker="Bob", text=text) for n, text in enumerate(said)])
        mind.flush()
        assert mind.status().active_space == files.ENCODER.name
        swap(mind, said, "multilingual", files.MULTILINGUAL.name)
        mind.flush()
        swap(mind, said, "minilm", files.ENCODER.name)
        mind.flush()
        assert mind.doctor().healthy
        assert mind.recall(said[7]).hits
    spaces = dict(rows(path, "SELECT s.name, count(*) FROM vec AS v JOIN space AS s ON s.id = v.space GROUP BY s.name"))
    assert min(spaces.values()) >= frames
    assert len(spaces) == 3


@pytest.mark.slow
def test_the_models_change_places_in_a_mind_of_two_thousand(tmp_path, mixed):
    swap_there_and_back(tmp_path, 2000)
    assert mixed == []


@pytest.mark.soak
def test_the_models_change_places_in_a_mind_of_fifty_thousand(tmp_path, mixed):
    swap_there_and_back(tmp_path, 50_000)
    assert mixed == []
