"""Backup and restore: a moment of the mind, checked, never over anything that is there."""

import shutil
import threading
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from noosphere import InvalidInput, NotAMind, Settings, StorageError, Turn, open_mind
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store import backup as backup_module
from noosphere.store import lease
from noosphere.store.backup import inspect, restore
from noosphere.store.segment_build import build_segments
from noosphere.testing.embedders import HashedEmbedder

ASIDE = ("meta", "segment", "lease", "sqlite_sequence")  # differ between a mind and its restored copy


def open_hashed(path, **options):
    return open_mind(path, embedder=HashedEmbedder(16), settings=Settings(background=False), **options)


def ids():
    return Uuid7(SystemClock())


@pytest.fixture
def mind(tmp_path):
    (tmp_path / "here").mkdir()
    with open_hashed(tmp_path / "here" / "mind.db") as opened:
        stored = opened.remember_many([f"memory{n}x of many" for n in range(20)])
        opened.record("talk", [Turn(key=str(n), speaker="Ann", text=f"turn{n}x") for n in range(9)])
        opened.link(stored[0].id, "relates_to", stored[1].id)
        opened.revise(stored[2].id, "mended2x of many")
        opened.forget(stored[3].id)
        opened.flush()
        yield opened


def tables(path, but=()):
    sql = apsw.Connection(str(path))
    names = [n for (n,) in sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table'") if n not in but]
    found = {
        name: sorted(map(repr, sql.execute(f"SELECT * FROM {name}")))
        for name in names
        if not name.startswith("text_") or name.endswith("_docsize")
    }
    sql.close()
    return found


def test_a_backup_holds_everything(mind, tmp_path):
    copy = mind.backup(tmp_path / "copy.db")
    assert (copy.path, copy.mind, copy.frames, copy.nodes, copy.vectors) == (
        str(tmp_path / "copy.db"), mind.uuid, 31, 21, 58,
    )  # fmt: skip
    assert tables(copy.path, ("sqlite_sequence",)) == tables(mind.path, ("sqlite_sequence",))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.db", "here"]


def test_a_restored_mind_is_the_same_under_a_new_incarnation(mind, tmp_path):
    build_segments(mind._file, min_rows=1)
    mind.backup(tmp_path / "copy.db")
    (tmp_path / "there").mkdir()
    again = restore(tmp_path / "copy.db", tmp_path / "there" / "mind.db", ids())
    assert again.mind == mind.uuid
    assert again.incarnation != mind._file.incarnation
    assert tables(again.path, ASIDE) == tables(mind.path, ASIDE)
    for file in mind.path.parent.glob("*.q8"):
        shutil.copy(file, tmp_path / "there")  # segments of the old incarnation
    with open_hashed(again.path) as other:
        assert other._file.incarnation == again.incarnation
        assert [h.id for h in other.rank("mended2x")][:1] == [h.id for h in mind.rank("mended2x")][:1]
        assert build_segments(other._file, min_rows=1)
        assert other.doctor(fix=True).healthy
        assert {p.name.split(".")[1] for p in (tmp_path / "there").glob("*.q8")} == {again.incarnation[-12:]}
    assert mind.doctor().healthy


def test_a_mind_and_its_restored_copy_in_one_folder_keep_their_own_segments(mind):
    copy = mind.backup(mind.path.with_name("copy.db"))
    again = restore(Path(copy.path), mind.path.with_name("again.db"), ids())
    mine = build_segments(mind._file, min_rows=1)
    with open_hashed(again.path) as other:
        theirs = build_segments(other._file, min_rows=1)
        assert not {p.name for p in mine} & {p.name for p in theirs}
        assert len(other.rank("memory7x")) == len(mind.rank("memory7x"))


def test_a_backup_of_a_read_only_mind_works(mind, tmp_path):
    with open_hashed(mind.path, read_only=True) as reader:
        assert reader.backup(tmp_path / "copy.db").frames == 31


@pytest.mark.parametrize("name", ["copy.db", "copy.db-wal", "copy.db-shm", "copy.db-journal"])
def test_nothing_that_is_there_is_overwritten(mind, tmp_path, name):
    (tmp_path / name).write_text("a letter")
    with pytest.raises(StorageError, match="exists already"):
        mind.backup(tmp_path / "copy.db")
    with pytest.raises(StorageError, match="exists already"):
        restore(mind.path, tmp_path / "copy.db", ids())
    assert (tmp_path / name).read_text() == "a letter"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, "here"])


def test_of_dated_backups_the_newest_stay_and_nothing_else_is_touched(tmp_path, clock):
    folder = tmp_path / "backups"
    folder.mkdir()
    settings = Settings(background=False, semantic="off")
    with open_mind(tmp_path / "other.db", settings=settings) as other:
        other.backup(folder / "mind-20200101T000000Z.db")
    (folder / "mind-20190101T000000Z.db").write_bytes(b"no mind")
    (folder / "mind-notes.txt").write_text("kept")
    with open_mind(tmp_path / "mind.db", settings=settings, clock=clock) as mind:
        mine = []
        for day in range(5):
            mind.remember(f"day {day}")
            copy = mind.backup(folder, keep=3)
            assert copy.removed == tuple(mine[:1] if day > 2 else ())
            mine = [*mine, copy.path][-3:]
            clock.advance(timedelta(days=1))
        with pytest.raises(InvalidInput, match="not a folder"):
            mind.backup(folder / "mind-notes.txt", keep=3)
        with pytest.raises(InvalidInput, match="keep"):
            mind.backup(folder, keep=0)
    others = ["mind-20190101T000000Z.db", "mind-20200101T000000Z.db", "mind-notes.txt"]
    left = sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))
    assert left == sorted([*others, *(Path(path).name for path in mine)])
    assert [inspect(Path(path)).nodes for path in mine] == [3, 4, 5]


def test_a_backup_taken_after_the_clock_was_set_back_is_not_thinned_away(tmp_path, clock):
    with open_mind(tmp_path / "mind.db", settings=Settings(background=False, semantic="off"), clock=clock) as mind:
        before = [mind.backup(tmp_path, keep=2).path]
        clock.advance(timedelta(days=1))
        before += [mind.backup(tmp_path, keep=2).path]
        clock.advance(timedelta(days=-366))
        latest = mind.backup(tmp_path, keep=2)
        assert latest.removed == (before[0],)
        assert inspect(Path(latest.path)).nodes == inspect(Path(before[1])).nodes
        clock.advance(timedelta(minutes=1))
        assert set(mind.backup(tmp_path, keep=1).removed) == {latest.path, before[1]}


def test_a_backup_that_does_not_check_out_costs_no_older_one(tmp_path, clock, monkeypatch):
    with open_mind(tmp_path / "mind.db", settings=Settings(background=False, semantic="off"), clock=clock) as mind:
        first = mind.backup(tmp_path, keep=1)
        clock.advance(timedelta(days=1))
        monkeypatch.setattr(backup_module, "inspect", lambda *_: refuse(tmp_path))
        with pytest.raises(StorageError, match="not a sound mind"):
            mind.backup(tmp_path, keep=1)
    assert Path(first.path).exists()
    assert len(list(tmp_path.glob("mind-*.db"))) == 1


def refuse(path):
    raise StorageError(str(path), "is not a sound mind", "Use another backup")


def test_a_link_or_a_folder_in_the_way_is_not_overwritten(mind, tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "nowhere.db")
    (tmp_path / "folder.db").mkdir()
    for target in (tmp_path / "link.db", tmp_path / "folder.db", mind.path):
        with pytest.raises(StorageError, match="exists already"):
            mind.backup(target)
    assert not (tmp_path / "nowhere.db").exists()


@pytest.mark.parametrize("target", ["missing/copy.db", "here/mind.db/copy.db"])
def test_a_place_that_cannot_be_written_is_a_named_error(mind, tmp_path, target):
    with pytest.raises(StorageError, match=r"copy\.db"):
        mind.backup(tmp_path / target)


def test_what_an_earlier_backup_left_unfinished_is_in_nobody_s_way(mind, tmp_path):
    gone = lease.me().replace(lease.boot_id(), "before the restart")
    for ending in ("part-1-0", "restoring-1-0"):
        for suffix in ("", "-journal", "-wal"):
            (tmp_path / f"copy.db.{ending}{suffix}").write_text("left")
        (tmp_path / f"copy.db.{ending}.by").write_text(gone)
    mind.backup(tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db.part*"))
    (tmp_path / "copy.db").rename(tmp_path / "source.db")
    restore(tmp_path / "source.db", tmp_path / "copy.db", ids())
    assert not list(tmp_path.glob("copy.db.*"))


def test_of_many_backups_to_one_name_one_gets_it_and_none_spoils_another(mind, tmp_path):
    outcomes = []

    def run():
        try:
            outcomes.append(mind.backup(tmp_path / "copy.db").frames)
        except StorageError as error:
            outcomes.append(error.problem)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == ["31", *["exists already"] * 5]
    assert inspect(tmp_path / "copy.db").frames == 31
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.db", "here"]


def garbage(path, kind):
    if kind == "a letter":
        path.write_text("Dear Sir, " * 900)
    elif kind == "another database":
        apsw.Connection(str(path)).execute("CREATE TABLE t (x)").connection.close()
    elif kind == "empty":
        path.touch()
    elif kind == "a folder":
        path.mkdir()


@pytest.mark.parametrize("kind", ["a letter", "another database", "empty", "a folder", "nothing"])
def test_garbage_is_not_restored(tmp_path, kind):
    garbage(tmp_path / "source.db", kind)
    for call in (inspect, lambda source: restore(source, tmp_path / "target.db", ids())):
        with pytest.raises(StorageError):
            call(tmp_path / "source.db")
    assert [p.name for p in tmp_path.iterdir()] == ([] if kind == "nothing" else ["source.db"])


def test_a_damaged_backup_is_not_restored(mind, tmp_path):
    copy = Path(mind.backup(tmp_path / "copy.db").path)
    data = bytearray(copy.read_bytes())
    for page in range(4096 * 3, len(data) - 4096, 4096 * 2):
        data[page : page + 40] = bytes(40)
    copy.write_bytes(data)
    with pytest.raises(StorageError):
        restore(copy, tmp_path / "target.db", ids())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.db", "here"]


def test_a_schema_without_a_mind_is_not_restored(mind, tmp_path):
    copy = mind.backup(tmp_path / "copy.db").path
    sql = apsw.Connection(copy)
    sql.execute("DELETE FROM meta")
    sql.close()
    with pytest.raises(StorageError, match="not a sound mind"):
        restore(Path(copy), tmp_path / "target.db", ids())


def test_threads_back_up_while_others_write(mind, tmp_path):
    stop, errors = threading.Event(), []

    def write():
        n = 0
        while not stop.is_set():
            try:
                mind.record("busy", [Turn(key=f"{n}{half}", speaker="Ann", text=f"busy{n}x{half}") for half in "ab"])
                n += 1
            except Exception as error:  # noqa: BLE001  (the test looks at it)
                errors.append(error)
                return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            mind.backup(tmp_path / f"copy{number}.db")
    finally:
        stop.set()
        writer.join()
    assert errors == []
    for number in range(3):
        with open_hashed(tmp_path / f"copy{number}.db") as copy:
            assert copy.doctor().healthy
            assert copy.stats().turns % 2 == 9 % 2, "a pair of turns is there whole or not at all"


def test_a_restored_mind_is_not_the_source_s_own_file(mind, tmp_path):
    restore(mind.path, tmp_path / "fork.db", ids())
    with open_hashed(tmp_path / "fork.db") as fork:
        fork.remember("only in the fork", wait=True)
        assert fork.doctor().healthy
    assert "only in the fork" not in [h.text for h in mind.rank("only fork")]


def test_an_empty_mind_can_be_backed_up_and_restored(tmp_path):
    with open_hashed(tmp_path / "mind.db") as mind:
        assert mind.backup(tmp_path / "copy.db").frames == 0
    restore(tmp_path / "copy.db", tmp_path / "again.db", ids())
    with open_hashed(tmp_path / "again.db") as again:
        assert again.doctor().healthy
    (tmp_path / "nil.db").touch()
    with pytest.raises(NotAMind):
        inspect(tmp_path / "nil.db")
