"""Encrypted minds: everything works as without a key, nothing readable reaches the disk, a wrong key is refused."""

import apsw
import pytest
from locked import KEY, QUIET

from noosphere import (
    InvalidInput,
    MindBusy,
    NotAMind,
    Purged,
    StorageError,
    Turn,
    WrongKey,
    import_mind,
    open_mind,
    open_noosphere,
    rekey,
    restore_mind,
    salvage,
)
from noosphere.store.connection import Db
from noosphere.store.migrations import check
from noosphere.store.segment_build import build_segments

NEEDLES = (b"brass", b"Zephyrine", b"zephyrin", b"haystack", b"CREATE TABLE", b"remember", b"user.employer")


def fill(mind):
    """Something in every table that holds text."""
    stored = mind.remember_many([f"needle{n}x lies in haystack {n}" for n in range(300)])
    mind.remember("Maya works at Zephyrine", slot="user.employer", value="Zephyrine", wait=True)
    mind.record("talk", [Turn(key=str(n), speaker="Maya", text=f"turn{n}x at Zephyrine") for n in range(40)])
    mind.revise(stored[0].id, "the haystack is mended")
    mind.entity("Zephyrine", "organization")
    mind.awareness.add("moving the haystack")
    mind.flush()
    return stored


def readable(folder):
    """Which needles stand in any byte of any file, by the file."""
    return {
        path.name: [n for n in NEEDLES if n in data]
        for path in folder.iterdir()
        if any(n in (data := path.read_bytes()) for n in NEEDLES)
    }


def test_a_mind_with_a_key_works_like_any_other(unlocked, tmp_path):
    with unlocked(tmp_path / "mind.db") as mind:
        stored = fill(mind)
        assert mind.rank("needle7x")[0].id == stored[7].id
        assert mind.doctor(fix=True).healthy
        assert mind.forget(stored[8].id).journal
        assert mind.undo(mind.forget(stored[9].id).journal)
    with unlocked(tmp_path / "mind.db", read_only=True) as mind:
        assert mind.rank("needle7x")[0].id == stored[7].id
        assert mind.doctor().healthy


def test_no_byte_of_a_mind_is_readable_while_it_is_open_or_closed(unlocked, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path / "temporary"))
    seen = []
    folder = tmp_path / "minds"
    folder.mkdir()
    with unlocked(folder / "mind.db") as mind:
        fill(mind)
        assert (folder / "mind.db-wal").stat().st_size > 0
        seen.append(readable(folder))
        build_segments(mind._file, min_rows=1)
        mind.doctor(fix=True)
        mind.backup(folder / "copy.db")
        with mind._file.db.write() as sql:  # a sort that does not fit into the cache
            sql.execute("CREATE TEMP TABLE big AS SELECT f.text FROM frame AS f, frame AS g ORDER BY f.text DESC")
            seen.append(readable(folder) | readable(tmp_path / "temporary"))
        seen.append(readable(folder) | readable(tmp_path / "temporary"))
    assert seen == [{}, {}, {}]
    assert readable(folder) == {}
    assert sorted(p.suffix for p in folder.iterdir()) == [".db", ".db"]


def test_the_search_finds_the_same_words_where_there_is_no_key(unlocked, tmp_path):
    with unlocked(tmp_path / "mind.db", key=None) as mind:
        fill(mind)
    assert b"haystack" in readable(tmp_path)["mind.db"]


@pytest.mark.parametrize("wrong", ["another key", None])
def test_without_its_key_a_mind_is_refused_and_not_touched(unlocked, tmp_path, wrong):
    with unlocked(tmp_path / "mind.db") as mind:
        mind.remember("kept")
    before = (tmp_path / "mind.db").read_bytes()
    for read_only in (False, True):
        with pytest.raises(WrongKey) as refused:
            unlocked(tmp_path / "mind.db", key=wrong, read_only=read_only)
        assert wrong is None or wrong not in str(refused.value)
    assert (tmp_path / "mind.db").read_bytes() == before
    with unlocked(tmp_path / "mind.db") as mind:
        assert mind.rank("kept")


def test_a_key_for_what_is_not_encrypted_or_no_mind_is_refused(unlocked, tmp_path):
    with unlocked(tmp_path / "plain.db", key=None) as mind:
        mind.remember("plain")
    with pytest.raises(WrongKey, match="not encrypted"):
        unlocked(tmp_path / "plain.db")
    (tmp_path / "noise.db").write_bytes(b"no database at all" * 500)
    with pytest.raises(NotAMind):
        unlocked(tmp_path / "noise.db")


@pytest.mark.parametrize("key", ["", "short", "with a \0 in it"])
def test_a_key_that_is_none_is_refused(unlocked, tmp_path, key):
    with pytest.raises(InvalidInput, match="key"):
        unlocked(tmp_path / "mind.db", key=key)
    assert not (tmp_path / "mind.db").exists()


def test_a_key_is_never_shown(unlocked, tmp_path):
    with unlocked(tmp_path / "mind.db") as mind:
        shown = f"{mind._file.db.key!r} {mind.status()} {mind._file.db.__dict__}"
        assert KEY not in shown


def test_a_backup_and_its_restored_copy_have_the_key(unlocked, tmp_path):
    with unlocked(tmp_path / "mind.db") as mind:
        mind.remember("kept")
        mind.backup(tmp_path / "copy.db")
    with pytest.raises(WrongKey):
        restore_mind(tmp_path / "copy.db", tmp_path / "not.db", settings=QUIET)
    restore_mind(tmp_path / "copy.db", tmp_path / "again.db", key=KEY)
    with unlocked(tmp_path / "again.db") as mind:
        assert mind.rank("kept")
    assert not (tmp_path / "not.db").exists()


def test_the_key_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_KEY", KEY)
    settings = QUIET.override("test", {"semantic": "off", "home": tmp_path / "home"})
    with open_noosphere(settings=settings) as noosphere:
        noosphere.workspaces.create("acme")
        with noosphere.changing("acme") as mind:
            mind.remember("the haystack")
        noosphere.workspaces.delete("acme")
        noosphere.workspaces.restore("acme")
        with noosphere.changing("acme") as mind:
            assert mind.rank("haystack")
            path = mind.path
    assert readable(path.parent) == {}
    monkeypatch.delenv("NOOSPHERE_KEY")
    with pytest.raises(WrongKey, match="NOOSPHERE_KEY"):
        open_mind(path, settings=settings)
    with pytest.raises(InvalidInput, match="NOOSPHERE_KEY is not set"):
        open_mind(path, settings=settings.override("test", {"key_from": "environment"}))


def test_an_export_is_text_and_comes_back_encrypted(unlocked, tmp_path):
    (tmp_path / "in").mkdir()
    with unlocked(tmp_path / "mind.db") as mind:
        mind.remember("the haystack")
        mind.export(tmp_path / "out.jsonl")
    import_mind(tmp_path / "out.jsonl", tmp_path / "in" / "again.db", key=KEY)
    assert readable(tmp_path / "in") == {}
    with unlocked(tmp_path / "in" / "again.db") as mind:
        assert mind.rank("haystack")


def test_a_purge_is_proven_on_the_pages_and_names_the_backup(unlocked, tmp_path):
    with unlocked(tmp_path / "mind.db") as mind:
        stored = mind.remember("the secret of the haystack is under the third stone", wait=True)
        mind.remember("the weather is fine")
        mind.backup(tmp_path / "copy.db")
        gone = mind.purge(stored.id)
        assert isinstance(gone, Purged)
        assert gone.pieces > 0
        assert gone.backups == (str(tmp_path / "copy.db"),)
        with mind._file.read() as sql:
            assert b"third stone" not in sql.serialize("main")


def test_a_new_key_opens_the_mind_and_the_old_one_no_longer(unlocked, tmp_path):
    path = tmp_path / "mind.db"
    with unlocked(path) as mind:
        stored = fill(mind)
        uuid = mind.uuid
    assert rekey(path, "a new key", key=KEY, settings=QUIET)
    assert not rekey(path, "a new key", key=KEY, settings=QUIET), "it has it already"
    with pytest.raises(WrongKey):
        unlocked(path)
    with unlocked(path, key="a new key") as mind:
        assert mind.uuid == uuid
        assert mind.rank("needle7x")[0].id == stored[7].id
        assert mind.doctor().healthy
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mind.db"]


def test_a_plain_mind_becomes_encrypted_and_plain_again(unlocked, tmp_path):
    path = tmp_path / "mind.db"
    with unlocked(path, key=None) as mind:
        stored = fill(mind)
        build_segments(mind._file, min_rows=1)
        assert list(tmp_path.glob("*.q8"))
    assert rekey(path, KEY, settings=QUIET)
    assert readable(tmp_path) == {}
    assert [p.name for p in tmp_path.iterdir()] == ["mind.db"]
    with unlocked(path) as mind:
        assert mind.doctor().healthy
        assert mind.rank("needle7x")[0].id == stored[7].id
    assert rekey(path, None, key=KEY, settings=QUIET)
    with unlocked(path, key=None) as mind:
        assert mind.rank("needle7x")[0].id == stored[7].id
        assert mind.doctor().healthy


def test_a_mind_that_is_open_elsewhere_keeps_its_key(unlocked, tmp_path):
    path = tmp_path / "mind.db"
    with unlocked(path) as mind:
        mind.remember("kept")
        with pytest.raises(MindBusy, match="held by another"):
            rekey(path, "a new key", key=KEY, settings=QUIET)
        mind.remember("kept too")
        assert mind.doctor().healthy
    assert [p.name for p in tmp_path.iterdir()] == ["mind.db"]


def test_a_full_disk_during_a_change_of_key_leaves_the_mind_as_it_was(unlocked, tmp_path, monkeypatch):
    path = tmp_path / "mind.db"
    with unlocked(path) as mind:
        fill(mind)
    before = path.read_bytes()
    real = Db.write

    def full(self, *, rows=1):
        if "rekeying" in self.path.name:
            raise StorageError(str(self.path), "the disk is full", "Free some space")
        return real(self, rows=rows)

    monkeypatch.setattr(Db, "write", full)
    with pytest.raises(StorageError, match="full"):
        rekey(path, "a new key", key=KEY, settings=QUIET)
    monkeypatch.undo()
    assert [p.name for p in tmp_path.iterdir()] == ["mind.db"]
    assert len(path.read_bytes()) == len(before)
    with unlocked(path) as mind:
        assert mind.doctor().healthy


def test_who_waited_while_the_key_changed_does_not_write_to_the_old_file(unlocked, tmp_path):
    path = tmp_path / "mind.db"
    with unlocked(path) as mind:
        mind.remember("kept")
    key = mind._file.db.key
    looked = []

    def admit(connection, where):
        if not looked:
            looked.append(where)
            with unlocked(where, key=KEY) as other:
                other.backup(tmp_path / "copy.db")
            (tmp_path / "copy.db").replace(where)
        return check(connection, where)

    db = Db(path, admit=admit, key=key)
    with db.write() as sql:
        sql.execute("UPDATE meta SET value = 'Europe/Paris' WHERE key = 'zone'")
    db.close()
    with unlocked(path) as mind:
        assert str(mind._file.zone) == "Europe/Paris"


def test_a_damaged_encrypted_mind_is_salvaged_with_its_key(unlocked, tmp_path):
    path = tmp_path / "mind.db"
    with unlocked(path) as mind:
        fill(mind)
    with path.open("r+b") as file:
        file.seek(4096 * (path.stat().st_size // 4096 // 2))
        file.write(b"\0" * 4096)
    with unlocked(path) as mind:
        assert not mind.doctor().healthy
    found = salvage(path, tmp_path / "saved.db", key=KEY)
    assert found.read["frame"] > 100
    (tmp_path / "mind.db").unlink()
    assert readable(tmp_path) == {}
    with unlocked(tmp_path / "saved.db") as mind:
        assert mind.doctor().healthy


def test_a_plain_driver_refuses_a_key_and_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.delattr(apsw, "mc_version", raising=False)
    with pytest.raises(InvalidInput, match="apsw-sqlite3mc"):
        open_mind(tmp_path / "mind.db", settings=QUIET, key=KEY)
    assert not (tmp_path / "mind.db").exists()
