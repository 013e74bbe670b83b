"""A process that stands still in the middle of its work, and clocks that jump by a year while others write."""

import os
import signal

from minds import found, half_records, hashed, open_on, turns
from noosphere.clock import DAY, MINUTE, SystemClock
from noosphere.store.lease import TERM


class Ahead(SystemClock):
    """A clock that is ahead of the machine's by so much."""

    def __init__(self, by):
        self._by = by

    def now(self):
        return super().now() + self._by


def test_who_was_stopped_for_longer_than_its_lease_spoils_nothing_when_it_goes_on(start, tmp_path):
    path = tmp_path / "mind.db"
    with open_on(path, embedder=hashed()) as mind:
        mind.remember_many([f"memory{n}x" for n in range(20)])
    child = start("hold", path, 1)
    assert child.next_of("embedding")
    os.kill(child.pid, signal.SIGSTOP)
    with open_on(path, embedder=hashed()) as mind:
        assert mind.flush().pending == {"hashed-32": 21}, "its lease is believed"
    with open_on(path, embedder=hashed(), clock=Ahead(TERM + MINUTE)) as mind:
        assert mind.flush().pending == {}
        mind.forget(found(mind, "memory3x")[0])
    os.kill(child.pid, signal.SIGCONT)
    child.start()
    assert child.next_of("flushed")
    child.start()
    assert child.finish() == 0
    with open_on(path, embedder=hashed()) as mind:
        assert mind.doctor().healthy
        assert half_records(path) == {}
        assert found(mind, "memory3x") == []
        assert mind.stats().memories == 20


def test_a_clock_that_jumped_ahead_by_a_year_and_back_hides_nothing_and_orders_everything(tmp_path):
    path = tmp_path / "mind.db"
    with (
        open_on(path, embedder=hashed()) as now,
        open_on(path, embedder=hashed(), clock=Ahead(365 * DAY)) as ahead,
    ):
        for number in range(3):
            ahead.remember(f"ahead{number}x is written a year ahead", wait=True)
            ahead.record("talk", turns(2 * number, 2 * number + 1))
            written = now.remember(f"now{number}x is written now", wait=True)
            now.record("talk", turns(2 * number + 1, 2 * number + 2))
            changed = now.revise(written.id, f"now{number}x is revised now")
            for mind in (now, ahead):
                assert [len(found(mind, f"{word}{number}x")) for word in ("ahead", "now")] == [1, 1]
                assert found(mind, "revised")
            now.undo(changed.journal)
        times = [entry.at for entry in reversed(now.journal(40))]
        assert times == sorted(set(times))
        assert now.upkeep("retire").status == "done"
        assert now.flush().pending == {}
        assert now.doctor().healthy
        assert half_records(path) == {}
        assert now.stats().turns == 6
