"""Uses are counted, but reads never write: they wait for the next write, and are not lost when it fails."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput, Turn
from noosphere.testing.minds import scratch_mind
from observed import rows


def uses(mind):
    return rows(mind.path, "SELECT use_count FROM usage")


def test_uses_wait_for_the_next_write(mind, clock):
    stored = mind.remember("a")
    mind.used([stored.id])
    mind.used([stored.id, stored.id])
    assert uses(mind) == []
    clock.advance(timedelta(minutes=1))
    mind.remember("b")
    assert uses(mind) == [(3,)]
    memory = mind.get(stored.id)
    assert memory.use_count == 3
    assert memory.last_used_at < memory.recorded_at + timedelta(seconds=1)


def test_reading_in_full_is_a_use_and_being_listed_is_none(mind):
    stored = mind.remember("a")
    mind.rank("a")
    mind.recall("a")
    mind.history(stored.id)
    mind.flush()
    assert mind.get(stored.id).use_count == 0
    mind.flush()
    assert mind.get(stored.id).use_count == 1


def test_a_flush_writes_what_waits(mind):
    stored = mind.remember("a")
    mind.used([stored.id])
    mind.flush()
    assert uses(mind) == [(1,)]
    mind.flush()
    assert uses(mind) == [(1,)]


def test_closing_writes_what_waits(tmp_path):
    with scratch_mind(tmp_path) as mind:
        stored = mind.remember("a")
        mind.used([stored.id])
    assert uses(mind) == [(1,)]


def test_a_use_of_a_turn_or_an_old_frame_counts_for_its_node(mind):
    stored = mind.remember("a")
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="x")])
    mind.used([stored.frame, recorded.added[0], recorded.conversation])
    mind.flush()
    assert sorted(uses(mind)) == [(1,), (2,)]


def test_a_use_makes_no_version_and_no_journal_entry(mind):
    stored = mind.remember("a")
    mind.used([stored.id])
    mind.flush()
    assert mind.get(stored.id).version == 1
    assert mind.stats().journal == 1


def test_a_write_that_fails_keeps_the_uses_for_the_next(mind):
    stored = mind.remember("a")
    mind.used([stored.id])
    with pytest.raises(RuntimeError), mind._file.write():
        raise RuntimeError("the disk is full")
    assert uses(mind) == []
    mind.used([stored.id])
    mind.remember("b")
    assert uses(mind) == [(2,)]


def test_a_refused_write_counts_them_all_the_same(mind):
    stored = mind.remember("a")
    mind.used([stored.id])
    mind.revise(stored.id, "a")
    assert uses(mind) == [(1,)]


def test_a_malformed_id_counts_nothing(mind):
    stored = mind.remember("a")
    with pytest.raises(InvalidInput):
        mind.used([stored.id, "nonsense"])
    mind.flush()
    assert uses(mind) == []


def test_a_mind_that_may_not_write_counts_nothing(tmp_path):
    with scratch_mind(tmp_path) as mind:
        stored = mind.remember("a")
    with scratch_mind(tmp_path, read_only=True) as reader:
        reader.get(stored.id)
        assert not reader._file.has_uses()
