"""Waiting for a lock: as long as was said, oftener the longer it took, and never deaf to an interrupt."""

import threading

import apsw
import pytest

from noosphere.store import patience


class Times:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def monotonic(self):
        return self.now

    def perf_counter_ns(self):
        return int(self.now * 1e9)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def times(monkeypatch):
    made = Times()
    monkeypatch.setattr(patience, "time", made)
    return made


@pytest.fixture
def taken(tmp_path):
    """A connection to a file whose write lock another one holds."""
    holder, waiting = apsw.Connection(str(tmp_path / "a.db")), apsw.Connection(str(tmp_path / "a.db"))
    holder.execute("CREATE TABLE t (x)")
    holder.execute("BEGIN IMMEDIATE")
    yield waiting, holder
    waiting.close()
    holder.close()


@pytest.mark.parametrize("milliseconds", [0, 1, 40, 700])
def test_it_waits_as_long_as_it_was_told(taken, times, milliseconds):
    patience.wait(taken[0], milliseconds)
    with pytest.raises(apsw.BusyError):
        taken[0].execute("BEGIN IMMEDIATE")
    assert milliseconds <= times.now * 1000 <= milliseconds + 10


def test_each_wait_counts_anew(taken, times):
    patience.wait(taken[0], 100)
    for number in (1, 2):
        with pytest.raises(apsw.BusyError):
            taken[0].execute("BEGIN IMMEDIATE")
        assert 100 * number <= times.now * 1000 <= 120 * number


def test_who_has_waited_asks_oftener_than_who_just_came_and_none_in_step(taken, times):
    patience.wait(taken[0], 1000)
    with pytest.raises(apsw.BusyError):
        taken[0].execute("BEGIN IMMEDIATE")
    first, last = times.slept[:5], times.slept[-100:]
    assert min(first) > max(last)
    assert len(set(last)) > 20


def test_it_goes_on_as_soon_as_the_lock_is_free(taken, times):
    waiting, holder = taken
    patience.wait(waiting)
    sleep = times.sleep

    def release_then_sleep(seconds):
        if times.now > 0.3 and holder.in_transaction:
            holder.execute("COMMIT")
        sleep(seconds)

    times.sleep = release_then_sleep
    waiting.execute("BEGIN IMMEDIATE")
    assert waiting.in_transaction
    assert times.now < 0.32


def test_an_interrupt_ends_the_wait(taken, times):
    patience.wait(taken[0])

    def interrupt(_):
        raise KeyboardInterrupt

    times.sleep = interrupt
    with pytest.raises(KeyboardInterrupt):
        taken[0].execute("BEGIN IMMEDIATE")


def test_writers_in_turn_all_come_through(tmp_path):
    path = str(tmp_path / "a.db")
    sql = apsw.Connection(path)
    sql.execute("PRAGMA journal_mode = wal; CREATE TABLE t (x)").fetchall()
    sql.close()
    done = []

    def work():
        own = apsw.Connection(path)
        patience.wait(own)
        for _ in range(50):
            own.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT")
        done.append(own)
        own.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 6
