"""Reads never write: not a byte of the file, not a version of the data, and not where writing is impossible."""

import stat
from datetime import timedelta
from hashlib import sha256

import apsw
import pytest

from noosphere import NoosphereError, NotFound, ReadOnlyMind, Turn
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import derived, truth


@pytest.fixture
def filled(tmp_path, clock, ids):
    """A mind with something to expire, embedded; returns what its parts are called."""
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as mind:
        made = {
            "node": mind.remember("quokka until Friday", valid_to="2026-05-15", tags=["t"]).id,
            "turn": mind.record("chat", [Turn(key="a", speaker="Ann", text="quokka")]).added[0],
            "entity": mind.entity("Ann", "person").id,
        }
        mind.flush()
        made["pending"] = mind.remember("quokka not embedded yet").id
    clock.advance(timedelta(days=3))
    return made


def every_read(mind, made):
    mind.rank("quokka")
    mind.rank("quokka", include_past=True, as_of="2026-05-14", known_at="2026-05-14", filters={"tag": "t"})
    mind.recall("quokka")
    mind.recall("quokka").explain()
    for name in ("node", "turn", "entity", "pending"):
        mind.history(made[name])
    mind.entity("Ann")
    mind.journal()
    mind.tags()
    mind.stats()
    mind.status()
    mind.sessions.list()
    mind.doctor()


def content(folder):
    """What the files hold; a reader may leave the empty log and the shared memory of SQLite behind."""
    files = [p for p in sorted(folder.iterdir()) if p.is_file() and not p.name.endswith("-shm")]
    return {p.name: sha256(p.read_bytes()).hexdigest() for p in files if p.stat().st_size or p.suffix != ".db-wal"}


def test_no_read_changes_a_row(tmp_path, clock, ids, filled):
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as mind:
        before = truth(mind.path), derived(mind.path)
        watcher = apsw.Connection(str(mind.path))
        version = watcher.pragma("data_version")
        every_read(mind, filled)
        mind.get(filled["node"])  # counted with the next write
        assert watcher.pragma("data_version") == version
        watcher.close()
        assert (truth(mind.path), derived(mind.path)) == before


def test_a_mind_that_was_only_read_is_the_same_file(tmp_path, clock, ids, filled):
    before = content(tmp_path)
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as mind:
        every_read(mind, filled)
    assert content(tmp_path) == before


def test_a_read_only_mind_answers_everything_and_leaves_the_folder_as_it_was(tmp_path, clock, ids, filled):
    before = content(tmp_path)
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder(), read_only=True) as mind:
        every_read(mind, filled)
        assert [h.id for h in mind.rank("quokka", filters={"class": "memory"})] == [filled["pending"]]
        assert {lane.name for lane in mind.rank("quokka")[0].lanes} == {"keyword", "semantic"}
        assert mind.status().read_only
    assert content(tmp_path) == before


def test_a_file_that_cannot_be_written_can_be_read(tmp_path, clock, ids, filled):
    path = tmp_path / "scratch.db"
    path.chmod(stat.S_IREAD)
    tmp_path.chmod(stat.S_IREAD | stat.S_IEXEC)
    try:
        with scratch_mind(tmp_path, clock=clock, ids=ids, read_only=True) as mind:
            assert mind.rank("quokka")
            assert mind.get(filled["node"]).text == "quokka until Friday"
    finally:
        tmp_path.chmod(stat.S_IRWXU)
        path.chmod(stat.S_IREAD | stat.S_IWRITE)


def test_every_write_to_a_read_only_mind_says_so(tmp_path, clock, ids, filled):
    with scratch_mind(tmp_path, clock=clock, ids=ids, read_only=True) as mind:
        node = filled["node"]
        calls = [
            lambda: mind.remember("x"), lambda: mind.record("chat", [Turn(key="b", speaker="Ann", text="x")]),
            lambda: mind.revise(node, "x"), lambda: mind.append(node, "x"), lambda: mind.branch(node, "x"),
            lambda: mind.classify(node, importance="critical"), lambda: mind.forget(node),
            lambda: mind.undo(mind.journal(1)[0].id), lambda: mind.link(node, "relates_to", filled["pending"]),
            lambda: mind.entity("Bob", "person"), lambda: mind.sessions.ensure("s"), lambda: mind.doctor(fix=True),
        ]  # fmt: skip
        for call in calls:
            with pytest.raises(ReadOnlyMind, match="read-only"):
                call()


def test_a_mind_that_is_not_there_is_not_made_for_reading(tmp_path):
    with pytest.raises(NoosphereError):
        scratch_mind(tmp_path, read_only=True)
    with pytest.raises(NotFound, match="create=True"):
        scratch_mind(tmp_path, create=False)
    assert list(tmp_path.iterdir()) == []


def test_what_another_connection_writes_is_seen_by_the_next_read(tmp_path, clock, ids):
    with (
        scratch_mind(tmp_path, clock=clock, ids=ids) as writer,
        scratch_mind(tmp_path, clock=clock, ids=ids, read_only=True) as reader,
    ):
        assert reader.rank("quokka") == []
        stored = writer.remember("quokka")
        assert [h.id for h in reader.rank("quokka")] == [stored.id]
        writer.forget(stored.id)
        assert reader.rank("quokka") == []
