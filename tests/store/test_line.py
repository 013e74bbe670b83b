"""The line of those who wait to write: who came first is next, and nobody can hold it up."""

import threading
import time

import pytest

from noosphere.errors import MindBusy
from noosphere.store import line, patience
from noosphere.store.connection import Db


def anything(_, __):
    """Every file is ours."""


@pytest.fixture
def path(tmp_path):
    """A file with an empty table."""
    db = Db(tmp_path / "a.db", admit=anything)
    with db.write() as sql:
        sql.execute("CREATE TABLE t (x)")
    db.close()
    return tmp_path / "a.db"


def stand(path, came, renewed, number=7):
    """Note a place, as another process would."""
    file = path.with_name(f"{path.name}{line.SUFFIX}")
    rows = bytearray(file.read_bytes() if file.exists() else b"").ljust(line.PLACES * line.PLACE.size, b"\0")
    line.PLACE.pack_into(rows, number * line.PLACE.size, came, renewed)
    file.write_bytes(rows)
    return file


def write(db, value):
    with db.write() as sql:
        sql.execute("INSERT INTO t VALUES (?)", (value,))


def waiting(path):
    """How many stand in the line."""
    return line._Place(f"{path}{line.SUFFIX}").ahead()


@pytest.fixture
def reach(path, monkeypatch):
    """Wait until so many stand in the line: each place that is noted is told."""
    noted, note = threading.Condition(), line._Place._note

    def telling(self, *given):
        note(self, *given)
        with noted:
            noted.notify_all()

    def until(count):
        with noted:
            assert noted.wait_for(lambda: waiting(path) >= count, timeout=30)

    monkeypatch.setattr(line._Place, "_note", telling)
    return until


def test_those_who_wait_write_in_the_order_they_came_in_and_who_comes_again_stands_behind(path, reach, monkeypatch):
    monkeypatch.setattr(line, "STALE", 60_000_000_000)
    monkeypatch.setattr(line, "FRONT", 1)
    db = Db(path, admit=anything)
    threads = []
    with db.write() as sql:
        for number in range(6):
            threads.append(threading.Thread(target=write, args=(db, number)))
            threads[-1].start()
            reach(number + 1)
        sql.execute("DELETE FROM t")
    write(db, "again")
    for thread in threads:
        thread.join()
    with db.read() as sql:
        assert [x for (x,) in sql.execute("SELECT x FROM t ORDER BY rowid")] == [0, 1, 2, 3, 4, 5, "again"]
    assert waiting(path) == 0
    db.close()


def test_one_that_was_killed_or_stopped_holds_nobody_up_for_long(path):
    db = Db(path, admit=anything)
    now = time.monotonic_ns()
    stand(path, now - 10**9, now, 3)
    stand(path, now - 10**9, now, 4)
    assert waiting(path) == 2
    write(db, 1)
    assert time.monotonic_ns() - now >= line.STALE - line.RENEWED
    assert waiting(path) == 0
    db.close()


@pytest.mark.parametrize("renewed", [-line.STALE - 1, 10**12])
def test_a_place_left_over_or_noted_before_the_machine_was_started_again_counts_for_nothing(path, renewed):
    now = time.monotonic_ns()
    stand(path, 1, max(0, now + renewed))
    assert waiting(path) == 0


def test_a_line_that_does_not_move_is_passed_by_when_the_time_is_up(path, monkeypatch):
    monkeypatch.setattr(line, "STALE", 60_000_000_000)
    monkeypatch.setattr(patience, "BUSY_MILLISECONDS", 50)
    db, other = Db(path, admit=anything), Db(path, admit=anything)
    now = time.monotonic_ns()
    stand(path, now, now, 3)
    stand(path, now, now, 4)
    write(db, 1)
    with db.write(), pytest.raises(MindBusy):
        write(other, 2)
    db.close()
    other.close()


@pytest.mark.parametrize("there", ["folder", "text", "link"])
def test_where_no_line_can_be_kept_writers_come_through_all_the_same(path, there):
    file = path.with_name(f"{path.name}{line.SUFFIX}")
    if there == "folder":
        file.mkdir()
    elif there == "text":
        file.write_text("not a line at all, and longer than a place")
    else:
        file.symlink_to(path.with_name("other"))
        path.with_name("other").write_bytes(b"untouched")
    db = Db(path, admit=anything)
    threads = [threading.Thread(target=lambda n=n: [write(db, n) for _ in range(20)]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with db.read() as sql:
        assert sql.execute("SELECT count(*) FROM t").get == 80
    db.close()
    assert there != "link" or path.with_name("other").read_bytes() == b"untouched"


def test_the_last_to_leave_clears_the_line_away_and_a_reader_does_not(path):
    file = stand(path, 0, 0)
    reader = Db(path, admit=anything, read_only=True)
    with reader.read() as sql:
        assert sql.execute("SELECT count(*) FROM t").get == 0
    reader.close()
    assert file.exists()
    db = Db(path, admit=anything)
    write(db, 1)
    db.close()
    assert not file.exists()


def test_an_interrupt_ends_the_wait_and_leaves_no_place(path, monkeypatch):
    db, other = Db(path, admit=anything), Db(path, admit=anything)

    def interrupt(_):
        raise KeyboardInterrupt

    with db.write():
        monkeypatch.setattr(line.time, "sleep", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(other, 1)
    monkeypatch.undo()
    assert waiting(path) == 0
    db.close()
    other.close()
