"""Files that are no mind, or a newer or a damaged one: a named error, and not a byte of them is changed."""

import random
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from minds import digest, found, hashed, open_on, turns, whole
from noosphere import BrokenInvariant, DamagedMind, NewerMind, NotAMind, StorageError
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store.backup import inspect, restore
from noosphere.store.migrations import APPLICATION_ID, KNOWN
from noosphere.store.registry import Registry

PAGE = 4096


def another_database(path, *statements, journal="delete"):
    """A database of another program, closed."""
    sql = apsw.Connection(str(path))
    sql.pragma("journal_mode", journal)
    for statement in statements or ("CREATE TABLE t (x)", "INSERT INTO t VALUES ('theirs')"):
        sql.execute(statement)
    sql.close()


def database_left_by_a_crash(path):
    """A database of another program whose last change is still in its WAL."""
    crash = (
        f"import apsw, os; sql = apsw.Connection({str(path)!r}); sql.pragma('journal_mode', 'wal');"
        "sql.execute('CREATE TABLE t (x)'); sql.execute('INSERT INTO t VALUES (1)'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crash], check=True)


def text_file(path):
    path.write_text("This is a letter, not a database.\n" * 500)


def short_text(path):
    path.write_text("hi")


def zeros(path):
    path.write_bytes(bytes(PAGE * 3))


def sqlite_header_only(path):
    path.write_bytes(b"SQLite format 3\0" + bytes(84))


def newer(path):
    another_database(
        path, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {KNOWN + 1}", "CREATE TABLE meta (x)"
    )


def without_number(path):
    another_database(path, f"PRAGMA application_id = {APPLICATION_ID}", "CREATE TABLE meta (x)")


STRANGERS = {
    "a letter": (text_file, NotAMind),
    "two letters": (short_text, NotAMind),
    "zeros": (zeros, NotAMind),
    "a header and nothing else": (sqlite_header_only, StorageError),
    "another database": (another_database, NotAMind),
    "another database in WAL mode": (lambda p: another_database(p, journal="wal"), NotAMind),
    "another database with a mark": (lambda p: another_database(p, "PRAGMA application_id = 77"), NotAMind),
    "another database with only a number": (lambda p: another_database(p, "PRAGMA user_version = 1"), NotAMind),
    "another database with a high number": (lambda p: another_database(p, "PRAGMA user_version = 999"), NotAMind),
    "a registry": (lambda p: shutil.copy(registry(p.parent / "home"), p), NotAMind),
    "a database with its WAL": (database_left_by_a_crash, NotAMind),
    "a newer mind": (newer, NewerMind),
    "a mind that lost its number": (without_number, DamagedMind),
}


def registry(home):
    Registry(home).close()
    return home / "registry.db"


def state_of(path):
    """The bytes of a file and its WAL; its shared memory is not data."""
    return {p.name: digest(p) for p in path.parent.iterdir() if p.is_file() and not p.name.endswith("-shm")}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_stranger_is_refused_by_name_and_not_touched(tmp_path, stranger, read_only):
    make, error = STRANGERS[stranger]
    path = tmp_path / "file.db"
    make(path)
    before = state_of(path)
    with pytest.raises(error, match=r"file\.db.*\. [A-Z]") as raised:
        open_on(path, read_only=read_only)
    assert isinstance(raised.value, StorageError)
    after = state_of(path)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) <= ({"file.db-wal"} if read_only else set())
    for use in (inspect, lambda path: restore(path, tmp_path / "new.db", Uuid7(SystemClock()))):
        with pytest.raises(StorageError):
            use(path)
    assert digest(path) == before["file.db"]
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("make", [Path.touch, lambda path: another_database(path, "PRAGMA user_version = 0")])
def test_an_empty_file_becomes_a_mind_unless_it_is_only_read(tmp_path, make):
    path = tmp_path / "empty.db"
    make(path)
    with pytest.raises(NotAMind, match="empty"):
        open_on(path, read_only=True)
    with pytest.raises(StorageError):
        restore(path, tmp_path / "new.db", Uuid7(SystemClock()))
    with open_on(path) as mind:
        mind.remember("the first")
        assert mind.doctor().healthy


def test_another_program_s_registry_is_not_taken_over(tmp_path):
    another_database(tmp_path / "registry.db")
    before = digest(tmp_path / "registry.db")
    with pytest.raises(NotAMind, match="registry"):
        Registry(tmp_path)
    assert digest(tmp_path / "registry.db") == before


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A mind of some hundred pages."""
    path = tmp_path_factory.mktemp("sound") / "mind.db"
    with open_on(path, embedder=hashed()) as mind:
        mind.remember_many([f"memory{n}x of a sound mind, {'and more ' * 20}" for n in range(150)])
        mind.record("talk", turns(0, 60))
        mind.flush()
    return path


def use_everything(path):
    """Open a mind, read it all and write to it; returns what doctor says."""
    with open_on(path, embedder=hashed()) as mind:
        diagnosis = mind.doctor()
        for n in range(0, 150, 10):
            found(mind, f"memory{n}x")
        mind.stats()
        mind.remember("one more")
        return diagnosis


@pytest.mark.parametrize("share", [0.001, 0.01, 0.3, 0.6, 0.9, 0.99])
def test_a_truncated_mind_is_called_damaged_and_not_made_worse(tmp_path, sound, share):
    path = tmp_path / "mind.db"
    path.write_bytes(sound.read_bytes()[: int(sound.stat().st_size * share)])
    before = digest(path)
    with pytest.raises(StorageError, match=r"[Bb]ackup|Give the path|doctor"):
        use_everything(path)
    assert digest(path) == before
    with pytest.raises(StorageError):
        restore(path, tmp_path / "new.db", Uuid7(SystemClock()))
    assert [p.name for p in tmp_path.iterdir() if "new" in p.name] == []


def test_a_mind_that_lost_a_part_of_its_last_page_is_found_by_doctor(tmp_path, sound):
    path = tmp_path / "mind.db"
    path.write_bytes(sound.read_bytes()[:-1000])  # SQLite reads the rest of the page as zeros
    with suppress(DamagedMind):
        assert not use_everything(path).healthy


def flip(path, at):
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0xFF]))


def texts(path):
    """Every text that was said, by the id it is cited by; they alone carry a hash."""
    sql = apsw.Connection(str(path))
    try:
        return set(sql.execute("SELECT uid, text FROM frame"))
    finally:
        sql.close()


def answers(mind):
    """What some questions find, by word and by meaning."""
    asked = [*(f"memory{n}x" for n in range(0, 150, 13)), "turn7x", "a sound mind", "hello"]
    return {question: [hit.id for hit in mind.rank(question, 10, unsure=True)] for question in asked}


def check_flips(tmp_path, sound, places):
    """Flip bytes; every flip is called by name, found by doctor, or does no harm that can be seen."""
    path = tmp_path / "mind.db"
    right = texts(sound)
    with open_on(sound, embedder=hashed(), read_only=True) as mind:
        answered = answers(mind)
    seen = {"an error": 0, "doctor": 0, "no harm": 0}
    for at in places:
        for file in tmp_path.glob("mind.db*"):
            file.unlink()
        shutil.copy(sound, path)
        flip(path, at)
        try:
            with open_on(path, embedder=hashed()) as mind:
                healthy = mind.doctor().healthy
                assert not healthy or answers(mind) == answered, "an answer was changed, and doctor saw nothing"
        except (StorageError, BrokenInvariant):
            seen["an error"] += 1
            continue
        assert not healthy or right <= texts(path), "a text was changed, and doctor saw nothing"
        seen["no harm" if healthy else "doctor"] += 1
    return seen


def test_a_flipped_byte_in_the_head_of_a_page_never_passes_unseen(tmp_path, sound):
    pages = sound.stat().st_size // PAGE
    chance = random.Random(11)
    places = [chance.randrange(1, pages) * PAGE + chance.choice([0, 3, 4, 5, 8]) for _ in range(12)]
    seen = check_flips(tmp_path, sound, places)
    assert seen["an error"] + seen["doctor"] >= 6


@pytest.mark.soak
def test_flipped_bytes_anywhere_never_change_a_text_unseen(tmp_path, sound):
    chance = random.Random(12)
    seen = check_flips(tmp_path, sound, [chance.randrange(sound.stat().st_size) for _ in range(600)])
    assert seen["an error"] + seen["doctor"] > 50


def test_a_broken_text_index_is_named_and_rebuilt(tmp_path, sound):
    path = tmp_path / "mind.db"
    shutil.copy(sound, path)
    sql = apsw.Connection(str(path))
    sql.execute("DELETE FROM text_now_data WHERE id > 100")
    sql.close()
    with open_on(path, embedder=hashed()) as mind:
        ill = mind.doctor()
        assert not ill.healthy
        assert ill.lost
        assert all(broken.derived for broken in ill.broken)
        mended = mind.doctor(fix=True)
        assert mended.healthy
        assert mended.before["memories"] == mended.after["memories"] == 150
        assert found(mind, "memory77x")


def test_doctor_takes_no_write_lock(tmp_path, sound):
    path = tmp_path / "mind.db"
    shutil.copy(sound, path)
    with open_on(path, embedder=hashed()) as mind, open_on(path, embedder=hashed()) as other:
        with other._file.write():
            assert mind.doctor().healthy
        assert mind.doctor().healthy


def test_a_wal_of_another_mind_is_never_read_as_a_restored_one_s(tmp_path, sound):
    path = tmp_path / "mind.db"
    crash = (
        f"import os, sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from minds import open_on;"
        f"mind = open_on({str(path)!r}); mind.remember('left in the WAL'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crash], check=True)
    path.unlink()
    with pytest.raises(StorageError, match="-wal"):
        restore(sound, path, Uuid7(SystemClock()))
    with open_on(sound, embedder=hashed()) as mind, pytest.raises(StorageError, match="-wal"):
        mind.backup(path)
    for file in tmp_path.iterdir():
        file.unlink()
    restore(sound, path, Uuid7(SystemClock()))
    assert whole(path) == ["ok"]


def changed_value(path, column, value):
    """Change a column as a damaged byte would: past the rules of the schema, which stays as it was."""
    table, name = column.split(".")
    made = f"(SELECT group_concat(sql, ';') FROM sqlite_schema WHERE tbl_name = '{table}' AND type = 'trigger')"
    sql = apsw.Connection(str(path))
    triggers = sql.execute(f"SELECT {made}").get
    for (trigger,) in sql.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (table,)):
        sql.execute(f"DROP TRIGGER {trigger}")
    strict = sql.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).get
    for text in (strict.removesuffix(" STRICT"), strict):
        sql.pragma("writable_schema", True)
        sql.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (text, table))
        sql.close()
        sql = apsw.Connection(str(path))
        if text is not strict:
            sql.pragma("ignore_check_constraints", True)
            sql.execute(f"UPDATE {table} SET {name} = ?", (value,))
    sql.execute(triggers)
    sql.close()


SPOILED = {
    "a text that is a blob": ("frame.text", b"memory\xff\x00"),
    "a time of saying far outside the calendar": ("frame.recorded_at", 2**62),
    "a time before every calendar": ("frame.recorded_at", -(2**62)),
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_stored_value_that_none_can_have_written_is_called_damage(tmp_path, sound, what):
    path = tmp_path / "mind.db"
    shutil.copy(sound, path)
    with open_on(path, embedder=hashed()) as mind:
        ids = [hit.id for hit in mind.rank("memory7x", 3)]
    changed_value(path, *SPOILED[what])
    with open_on(path, embedder=hashed()) as mind:
        for ask in (lambda: mind.rank("memory7x"), lambda: mind.recall("memory8x"), lambda: mind.get(ids[0])):
            with pytest.raises(DamagedMind, match="doctor"):
                ask()
        assert not mind.doctor().healthy
