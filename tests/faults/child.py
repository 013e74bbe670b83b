"""What the child processes of the fault tests do: `python child.py <task> <path> <seed> <marker>`.

A child says what it is about to do and what it has done in lines of JSON on its standard output, and keeps
in one shared byte where it is at this moment, so that whoever kills it knows where it died.
"""

import json
import mmap
import os
import random
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from minds import hashed, open_on
from noosphere import Draft, NoosphereError, Settings, Turn, open_mind
from noosphere.store import segment_build
from noosphere.store.connection import Db

OUTSIDE, INSIDE, COMMITTING, EMBEDDING, WRITING_FILE, BEFORE_MANIFEST = range(6)
BATCH = 60  # memories or turns in a transaction: most of a writer's time is spent inside one


class Marker:
    """The shared byte."""

    def __init__(self, path):
        with Path(path).open("r+b") as file:
            self._byte = mmap.mmap(file.fileno(), 1)

    def set(self, state):
        self._byte[0] = state


def say(what, **values):
    """Write one line at once: what was written before a kill reaches the parent."""
    os.write(1, json.dumps({"say": what, **values}).encode() + b"\n")


def mark_transactions(marker):
    """Keep the marker on whether a write transaction is open."""
    real = Db.write

    @contextmanager
    def write(self, *, rows=1):
        try:
            with real(self, rows=rows) as sql:
                marker.set(INSIDE)
                yield sql
                marker.set(COMMITTING)
        finally:
            marker.set(OUTSIDE)

    Db.write = write


class Writer:
    """Writes without end, every verb by chance."""

    def __init__(self, mind, seed):
        self._mind = mind
        self._chance = random.Random(seed)
        self._seed = seed
        self._count = 0
        self._live = []
        self._talks = 0

    def word(self):
        """A word that nothing else holds."""
        self._count += 1
        return f"w{self._seed}q{self._count}x"

    def step(self):
        """One verb; it is said before and after."""
        verbs = ["one", "many", "many", "record", "record", "record"] + ["revise", "forget"] * (len(self._live) > 3)
        getattr(self, self._chance.choice(verbs))()

    def one(self):
        word = self.word()
        say("begin", verb="remember", words=[word])
        stored = self._mind.remember(f"the memory of {word}", tags={"alone"})
        self._live.append((stored.id, word))
        say("done", verb="remember", ids=[stored.id])

    def many(self):
        words = [self.word() for _ in range(self._chance.randrange(BATCH // 2, BATCH))]
        say("begin", verb="remember", words=words)
        stored = self._mind.remember_many([Draft(text=f"one of many: {w}") for w in words])
        self._live += [(s.id, w) for s, w in zip(stored, words, strict=True)]
        say("done", verb="remember", ids=[s.id for s in stored])

    def record(self):
        words = [self.word() for _ in range(self._chance.randrange(BATCH // 2, BATCH))]
        self._talks += self._chance.random() < 0.3
        say("begin", verb="record", words=words)
        said = [Turn(key=w, speaker=self._chance.choice(["Ann", "Bob"]), text=f"and then {w}, she said") for w in words]
        recorded = self._mind.record(f"talk {self._seed} {self._talks}", said)
        say("done", verb="record", ids=list(recorded.added))

    def revise(self):
        number = self._chance.randrange(len(self._live))
        (memory, old), new = self._live[number], self.word()
        say("begin", verb="revise", id=memory, words=[new], old=old)
        self._mind.revise(memory, f"it was mended to {new}")
        self._live[number] = (memory, new)
        say("done", verb="revise", ids=[memory])

    def forget(self):
        number = self._chance.randrange(len(self._live))
        memory, word = self._live[number]
        say("begin", verb="forget", id=memory, words=[word])
        gone = self._mind.forget(memory)
        say("done", verb="forget", ids=[memory])
        if self._chance.random() < 0.5:
            say("begin", verb="undo", id=memory, words=[word])
            self._mind.undo(gone.journal)
            say("done", verb="undo", ids=[memory])
        else:
            del self._live[number]


def write(path, seed, marker):
    """Write until killed."""
    mark_transactions(marker)
    writer = Writer(open_on(path), seed)
    while True:
        writer.step()


class MarkingEmbedder:
    """The hashed embedder, with the marker on while it works."""

    def __init__(self, marker):
        self._inner = hashed()
        self._marker = marker
        self.space = self._inner.space
        self.chunk = self._inner.chunk
        self.embed_query = self._inner.embed_query

    def embed_documents(self, texts):
        self._marker.set(EMBEDDING)
        rows = self._inner.embed_documents(texts)
        self._marker.set(OUTSIDE)
        return rows


def embed(path, seed, marker):
    """Write and embed until killed."""
    mark_transactions(marker)
    mind = open_on(path, embedder=MarkingEmbedder(marker))
    writer = Writer(mind, seed)
    while True:
        writer.step()
        mind.flush(limit=100)
        say("flushed")


class HoldingEmbedder(MarkingEmbedder):
    """Works until it is told to go on."""

    def embed_documents(self, texts):
        self._marker.set(EMBEDDING)
        say("embedding")
        sys.stdin.readline()
        return super().embed_documents(texts)


def hold(path, seed, marker):
    """Be in the middle of embedding until told to go on."""
    with open_on(path, embedder=HoldingEmbedder(marker)) as mind:
        mind.remember(f"to be embedded by {seed}")
        say("flushed", embedded=mind.flush().embedded)
        sys.stdin.readline()


class MarkedFile:
    """A segment's file, with the marker on while it is being written."""

    def __init__(self, file, marker):
        self._file = file
        self._marker = marker

    def write(self, data):
        self._marker.set(WRITING_FILE)
        half = len(bytes(data)) // 2
        self._file.write(bytes(data)[:half])
        self._file.flush()
        self._file.write(bytes(data)[half:])

    def flush(self):
        self._file.flush()

    def fileno(self):
        return self._file.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()


def segments(path, seed, marker):
    """Write, embed and build segments until killed."""
    real = segment_build._write

    def write_then_mark(*arguments):
        written = real(*arguments)
        marker.set(BEFORE_MANIFEST)
        return written

    segment_build._write = write_then_mark
    mind = open_on(path, embedder=hashed())
    writer = Writer(mind, seed)
    while True:
        writer.many()
        mind.flush()
        built = segment_build.build_segments(
            mind._file, min_rows=1, opener=lambda path: MarkedFile(path.open("wb"), marker)
        )
        marker.set(OUTSIDE)
        say("built", files=[p.name for p in built])


def contend(path, seed, marker):
    """Store so many memories and turns, each in a transaction of its own, beside others who do the same."""
    count = int(os.environ["COUNT"])
    with open_on(path) as mind:
        ids, took = [], []
        for n in range(count):
            word = f"w{seed}q{n}x"
            before = time.perf_counter()
            if n % 5 == 4:
                ids += [
                    (mind.record("shared talk", [Turn(key=word, speaker="Ann", text=f"say {word}")]).added[0], word)
                ]
            else:
                ids += [(mind.remember(f"memory {word}").id, word)]
            took.append(round(1000 * (time.perf_counter() - before), 1))
    say("stored", ids=ids, took=took)


def read(path, seed, marker):
    """Read until told to stop."""
    rounds = 0
    with open_on(path, read_only=seed % 2 == 1) as mind:
        say("reading")
        while marker._byte[0] == OUTSIDE:
            hits = mind.rank("memory", 5)
            assert all(mind.get(hit.id).id == hit.id for hit in hits)
            mind.stats()
            rounds += 1
    say("read", rounds=rounds)


def create(path, seed, marker):
    """Open a mind that is not there yet, together with others, and store one memory."""
    say("ready")
    sys.stdin.readline()
    with open_on(path, embedder=hashed()) as mind:
        say("stored", id=mind.remember(f"first of {seed}").id, mind=mind.uuid, incarnation=mind._file.incarnation)


def settle(path, seed, marker):
    """Open the personal mind of a home that is not there yet, together with others."""
    say("ready")
    sys.stdin.readline()
    with open_mind(settings=Settings(home=Path(path), semantic="off", background=False)) as mind:
        say("stored", id=mind.remember(f"first of {seed}").id, mind=mind.uuid, path=str(mind.path))


def become_nobody(path):
    """Give up root's rights, after everything that is imported late was imported."""
    with open_on(Path(path).parent / "warm.db", embedder=hashed()) as mind:
        mind.remember("everything is imported", wait=True)
        mind.rank("everything")
        mind.doctor()
    for file in Path(path).parent.glob("warm.db*"):
        file.unlink()
    if os.geteuid() == 0:
        os.seteuid(65534)


def outcome(call):
    """What a call returns, or the name of its error and what it says."""
    try:
        return call()
    except NoosphereError as error:
        return [type(error).__name__, str(error)]


def look_as_nobody(path, seed, marker):
    """Open a mind without the right to write, in each way, and try everything."""
    become_nobody(path)
    say("ready")
    sys.stdin.readline()
    say("writing", opened=outcome(lambda: try_writing(path, read_only=False)))
    say("reading", opened=outcome(lambda: try_writing(path, read_only=True)))
    say("made", made=outcome(lambda: open_on(Path(path).with_name("new.db")).close()))


def try_writing(path, *, read_only):
    with open_on(path, embedder=hashed(), read_only=read_only) as mind:
        return {
            "ranked": outcome(lambda: [hit.text for hit in mind.rank("before", 1)]),
            "got": outcome(lambda: mind.get(mind.rank("before", 1)[0].id).text),
            "healthy": outcome(lambda: mind.doctor().healthy),
            "remembered": outcome(lambda: type(mind.remember("not to be written")).__name__),
            "flushed": outcome(lambda: mind.flush().embedded),
            "fixed": outcome(lambda: mind.doctor(fix=True).healthy),
            "backed up": outcome(lambda: mind.backup(Path(path).with_name("copy.db")).frames),
        }


def watch_as_nobody(path, seed, marker):
    """Keep a mind open for reading in a folder that may not be written, while its owner writes."""
    become_nobody(path)
    say("ready")
    sys.stdin.readline()
    with open_on(path, read_only=True) as mind:
        while True:
            say("seen", memories=mind.stats().memories, texts=outcome(lambda: [h.text for h in mind.rank("before")]))
            if sys.stdin.readline() != "\n":
                return


def visit_as_nobody(path, seed, marker):
    """Open the personal mind of a home that may not be written."""
    become_nobody(Path(path).parent / "any.db")
    say("ready")
    sys.stdin.readline()
    settings = Settings(home=Path(path), semantic="off", background=False)

    def read():
        with open_mind(settings=settings, read_only=True) as mind:
            return [hit.text for hit in mind.rank("before")]

    say("read", texts=outcome(read))
    say(
        "made", made=outcome(lambda: open_mind(settings=Settings(home=Path(path) / "deeper", background=False)).close())
    )


def main():
    task, path, seed, marker = sys.argv[1:]
    globals()[task](path, int(seed), Marker(marker))


if __name__ == "__main__":
    main()
