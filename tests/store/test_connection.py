"""One SQLite file: transactions, threads, locks, and errors that say what to do."""

import os
import signal
import subprocess
import sys
import threading

import apsw
import pytest

from noosphere import (
    BrokenInvariant,
    ClosedMind,
    DamagedMind,
    MindBusy,
    NoosphereError,
    NotAMind,
    ReadOnlyMind,
    StorageError,
)
from noosphere.store import connection as module
from noosphere.store import holder, patience
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk, translated


def anything(connection, path):
    """Admit every file."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.db"


@pytest.fixture
def db(path):
    made = Db(path, admit=anything)
    with made.write() as sql:
        sql.execute("CREATE TABLE t (x INTEGER PRIMARY KEY)")
    yield made
    made.close()


def rows(db):
    with db.read() as sql:
        return [x for (x,) in sql.execute("SELECT x FROM t ORDER BY x")]


def in_a_thread(task):
    """Run a task in a thread of its own; returns what it returned or raised."""
    found = []

    def run():
        try:
            found.append(task())
        except NoosphereError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


def test_a_transaction_is_kept_whole(db):
    with db.write() as sql:
        sql.execute("INSERT INTO t VALUES (1)")
        sql.execute("INSERT INTO t VALUES (2)")
    assert rows(db) == [1, 2]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, GeneratorExit])
def test_a_transaction_that_raises_leaves_nothing(db, error):
    with pytest.raises(error):
        insert(db, 1, then=error)
    assert rows(db) == []
    with db.write() as sql:
        sql.execute("INSERT INTO t VALUES (2)")
    assert rows(db) == [2]


def test_a_transaction_inside_another_is_refused_and_ends_both(db):
    def nested():
        with db.write() as sql:
            sql.execute("INSERT INTO t VALUES (1)")
            insert(db, 2)

    with pytest.raises(BrokenInvariant):
        nested()
    assert rows(db) == []


def test_a_read_inside_a_write_sees_what_was_written(db):
    with db.write() as sql:
        sql.execute("INSERT INTO t VALUES (1)")
        assert rows(db) == [1]
        assert in_a_thread(lambda: rows(db)) == []


def test_a_read_is_one_snapshot(db):
    with db.read() as sql:
        assert sql.execute("SELECT count(*) FROM t").get == 0
        in_a_thread(lambda: insert(db, 1))
        assert sql.execute("SELECT count(*) FROM t").get == 0
        with db.read() as again:
            assert again.execute("SELECT count(*) FROM t").get == 0
    assert rows(db) == [1]


def insert(db, x, then=None):
    with db.write() as sql:
        sql.execute("INSERT INTO t VALUES (?)", (x,))
        if then is not None:
            raise then


def test_each_thread_has_a_connection_of_its_own(db):
    with db.use() as mine, db.use() as again:
        assert mine is again
        assert in_a_thread(lambda: other_connection(db)) is not mine


def other_connection(db):
    with db.use() as connection:
        return connection


def test_connections_of_threads_that_ended_are_closed(db):
    first = in_a_thread(lambda: other_connection(db))
    assert first.in_transaction is False
    second = in_a_thread(lambda: other_connection(db))
    with pytest.raises(apsw.ConnectionClosedError):
        first.in_transaction  # noqa: B018  (asking is the test)
    assert second.in_transaction is False


def test_settings_of_a_connection(db):
    with db.use() as sql:
        assert sql.pragma("journal_mode") == "wal"
        assert sql.pragma("foreign_keys") == 1
        with pytest.raises(apsw.SQLError):
            sql.execute('SELECT "no such column"')


@pytest.mark.parametrize(
    ("durable", "rows", "level"), [(False, 1, 1), (False, 99, 1), (False, 100, 2), (True, 1, 2), (True, 5000, 2)]
)
def test_large_batches_and_durable_minds_are_synced(path, durable, rows, level):
    db = Db(path, admit=anything, durable=durable)
    with db.write(rows=rows) as sql:
        assert sql.pragma("synchronous") == level
    with db.write() as sql:
        assert sql.pragma("synchronous") == (2 if durable else 1)
    db.close()


def test_closing_waits_for_the_transaction_of_another_thread(db):
    inside, go_on = threading.Event(), threading.Event()
    results = []

    def write():
        try:
            with db.write() as sql:
                sql.execute("INSERT INTO t VALUES (7)")
                inside.set()
                go_on.wait()
                assert rows(db) == [7], "what is under way may read on"
            results.append("kept")
        except NoosphereError as error:
            results.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    inside.wait()
    closer = threading.Thread(target=db.close)
    closer.start()
    while not db._closed:
        pass
    go_on.set()
    writer.join()
    closer.join()
    assert results == ["kept"]
    with pytest.raises(ClosedMind), db.read():
        pass
    again = Db(db.path, admit=anything)
    assert rows(again) == [7]
    again.close()


def test_after_closing_every_thread_is_told(db):
    held = in_a_thread(lambda: other_connection(db))
    db.close()
    db.close()
    for use in (lambda: rows(db), lambda: insert(db, 1)):
        with pytest.raises(ClosedMind, match="Call open_mind again to go on"):
            use()
    assert isinstance(in_a_thread(lambda: rows(db)), ClosedMind)
    with pytest.raises(apsw.ConnectionClosedError):
        held.in_transaction  # noqa: B018


def test_closing_inside_a_read_of_the_same_thread_ends_it(db):
    def close_and_read():
        with db.read() as sql:
            db.close()
            sql.execute("SELECT 1")

    with pytest.raises(ClosedMind):
        close_and_read()


def test_the_file_is_looked_at_before_anything_in_it_is_changed(path):
    def refuse(connection, path):
        assert connection.pragma("journal_mode") == "delete"
        raise NotAMind(str(path), "is not ours", "Give another")

    apsw.Connection(str(path)).execute("CREATE TABLE theirs (x)").connection.close()
    before = path.read_bytes()
    db = Db(path, admit=refuse)
    with pytest.raises(NotAMind), db.read():
        pass
    db.close()
    assert path.read_bytes() == before


def test_read_only_never_writes(db, path):
    insert(db, 1)
    reader = Db(path, admit=anything, read_only=True)
    assert rows(reader) == [1]
    with pytest.raises(ReadOnlyMind, match="read-only"), reader.write():
        pass
    insert(db, 2)
    assert rows(reader) == [1, 2]
    with pytest.raises(ReadOnlyMind), reader.read() as sql:
        sql.execute("INSERT INTO t VALUES (3)")
    reader.close()
    db.close()
    with pytest.raises(StorageError), Db(path.with_name("missing.db"), admit=anything, read_only=True).read():
        pass
    assert not path.with_name("missing.db").exists()


def test_a_busy_file_is_waited_for_and_then_named(path, monkeypatch):
    monkeypatch.setattr(patience, "BUSY_MILLISECONDS", 1)
    db, other = Db(path, admit=anything), Db(path, admit=anything)
    with db.write() as sql:
        sql.execute("CREATE TABLE t (x INTEGER PRIMARY KEY)")
        with pytest.raises(MindBusy, match=r"another (thread of this )?process.*Try again"), other.write():
            pass
    insert(other, 1)
    assert rows(db) == [1]
    db.close()
    other.close()


HOLD = """
import sys
from pathlib import Path
from noosphere.store.connection import Db
db = Db(Path(sys.argv[1]), admit=lambda *_: None)
with db.write():
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.skipif(not holder.LOCKS.exists(), reason="only Linux tells who holds a file")
def test_a_process_that_stands_still_with_the_file_in_hand_is_named_and_nothing_waits_for_it_for_ever(
    db, path, monkeypatch
):
    monkeypatch.setattr(patience, "BUSY_MILLISECONDS", 1)
    insert(db, 1)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(MindBusy, match=rf"process {other.pid} \('[^']+'\)\. Try again"), db.write():
            pass
        other.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, other.pid, os.WSTOPPED | os.WNOWAIT)
        with pytest.raises(MindBusy, match=rf"process {other.pid} .*stopped.*kill -CONT {other.pid}"), db.write():
            pass
        assert rows(db) == [1]
        other.send_signal(signal.SIGCONT)
        other.communicate(b"\n")
    insert(db, 2)
    assert rows(db) == [1, 2]
    db.close()


def test_where_the_system_does_not_tell_who_holds_a_file_it_is_another_process(path, monkeypatch):
    monkeypatch.setattr(patience, "BUSY_MILLISECONDS", 1)
    monkeypatch.setattr(holder, "LOCKS", path.with_name("no such list"))
    db, other = Db(path, admit=anything), Db(path, admit=anything)
    with db.write(), pytest.raises(MindBusy, match=r"another process.*Try again"), other.write():
        pass
    db.close()
    other.close()


def test_opening_a_file_that_stays_locked_ends_with_a_named_error(path, monkeypatch):
    monkeypatch.setattr(patience, "BUSY_MILLISECONDS", 1)
    monkeypatch.setattr(module, "OPEN_PAUSE_SECONDS", 0)
    script = (
        f"import apsw, sys; sql = apsw.Connection({str(path)!r}); sql.pragma('locking_mode', 'exclusive');"
        "sql.execute('BEGIN EXCLUSIVE; CREATE TABLE t (x)'); print('locked', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"locked\n"
        db = Db(path, admit=lambda sql, _: sql.execute("SELECT count(*) FROM sqlite_schema").get)
        with pytest.raises(MindBusy), db.read():
            pass
        holder.communicate(b"\n")
    with db.read() as sql:
        assert sql.execute("SELECT 1").get == 1
    db.close()


ERRORS = {
    apsw.BusyError: (MindBusy, "Try again"),
    apsw.LockedError: (MindBusy, "Try again"),
    apsw.NotADBError: (NotAMind, "path of a mind"),
    apsw.CorruptError: (DamagedMind, "backup"),
    apsw.ReadOnlyError: (ReadOnlyMind, "permissions"),
    apsw.FullError: (StorageError, "space"),
    apsw.CantOpenError: (StorageError, "folder"),
    apsw.IOError: (StorageError, "disk"),
    apsw.PermissionsError: (StorageError, "disk"),
    apsw.ConstraintError: (BrokenInvariant, "Report"),
    apsw.SQLError: (BrokenInvariant, "Report"),
    apsw.ConnectionClosedError: (ClosedMind, "open_mind"),
}


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: e.__name__)
def test_every_error_of_sqlite_has_a_name_and_a_remedy(path, error):
    expected, remedy = ERRORS[error]
    with pytest.raises(NoosphereError, match=remedy) as raised, translated(path):
        raise error("something happened")
    assert type(raised.value) is expected
    assert isinstance(raised.value.__cause__, error)


def test_text_that_is_none_is_called_damage(db, path):
    with db.write() as sql:
        sql.execute("CREATE TABLE s (x TEXT)")
        sql.execute("INSERT INTO s VALUES (CAST(x'ff' AS TEXT))")
    with pytest.raises(DamagedMind, match="backup"), db.read() as sql:
        sql.execute("SELECT x FROM s").fetchall()


def test_an_error_of_the_system_has_a_name_and_a_remedy(path):
    with pytest.raises(StorageError, match=r"No such file.*permissions"), on_disk(path):
        path.read_bytes()
