"""From an empty file to today's schema: whole or not at all, from every schema that was ever released."""

import threading
from hashlib import sha256

import apsw
import pytest

from noosphere import DamagedMind, NewerMind, NotAMind, Settings, open_mind
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store import migrations, schema
from noosphere.store.connection import Db
from noosphere.store.migrations import APPLICATION_ID, KNOWN, STEPS, check, migrate
from noosphere.store.mind_file import MindFile, Opening
from noosphere.store.transaction import Author


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mind.db"


@pytest.fixture
def db(path):
    made = Db(path, admit=check)
    yield made
    made.close()


def state(db):
    with db.read() as sql:
        return sql.pragma("application_id"), sql.pragma("user_version"), schema.present(sql)


def open_file(path, **opening):
    clock = SystemClock()
    return MindFile(path, clock, Uuid7(clock), Author("test", "python"), Opening(**opening))


def sample_1(path):
    """A mind of schema 1 as it was released: frozen, for the steps that will come after it.

    It is written in plain SQL, so that it stays what it is when the verbs change, and only what is truth: one
    memory with a tag and evidence, one forgotten memory, one conversation of two turns, one edge between
    memory and conversation. What is derived, `doctor --fix` makes.
    """
    assert KNOWN == 1, "freeze schema.sql as tests/store/schema_1.sql and build this sample from it"
    db = Db(path, admit=check)
    migrate(db, path)
    with db.write() as sql:
        sql.execute(SAMPLE_1)
        sql.executemany(
            """INSERT INTO frame (id, uid, node, type, base, seq, session, t, text, hash, recorded_at, turn_key, parent,
               speaker, journal) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)""",
            [
                (1, uid(31), 1, "I", None, 0, 1024, TEXTS[0], hashed(TEXTS[0]), 1000, None, None, None, 1),
                (2, uid(32), 2, "I", None, 0, 2048, TEXTS[1], hashed(TEXTS[1]), 2000, None, None, None, 2),
                (3, uid(33), 3, "I", None, 0, 3072, None, None, 4000, None, None, None, 4),
                (4, uid(34), 3, "P", 3, 1, 4096, TEXTS[2], hashed(TEXTS[2]), 4000, "k1", 3, "Ann", 4),
                (5, uid(35), 3, "P", 3, 2, 5120, TEXTS[3], hashed(TEXTS[3]), 4000, "k2", 4, "Bob", 4),
            ],
        )
        sql.executemany(
            """INSERT INTO node_version (node, n, known_from, known_to, opened_by, closed_by, head, fold_hash, status,
               role, kind, importance, source, claim, valid_from, valid_basis, retracted_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, 'normal', 'user_stated', 'verified', ?, 'recorded',
               ?)""",
            [
                (1, 1, 1000, None, 1, None, 1, hashed(TEXTS[0]), "note", "semantic", 1000, None),
                (2, 1, 2000, 3000, 2, 3, 2, hashed(TEXTS[1]), "note", "semantic", 2000, None),
                (2, 2, 3000, None, 3, None, 2, hashed(TEXTS[1]), "note", "semantic", 2000, 3000),
                (3, 1, 4000, None, 4, None, 3, None, "conversation", None, 4000, None),
            ],
        )
    db.close()


def uid(number):
    return bytes(15) + bytes([number])


def hashed(text):
    return sha256(text.encode()).digest()


TEXTS = ["tea is kept on the top shelf", "a thought that was forgotten", "shall we meet on Monday", "yes, at noon"]
SAMPLE_1 = """
INSERT INTO meta VALUES ('mind', '01890a5d-ac96-774b-bcce-b302099a8057'), ('zone', 'UTC'), ('created_at', '1000'),
  ('incarnation', '01890a5d-ac96-774b-bcce-b302099a8058');
INSERT INTO journal (id, uid, at, verb, actor, channel, detail) VALUES
  (1, x'00000000000000000000000000000001', 1000, 'remember', 'user', 'python', '{}'),
  (2, x'00000000000000000000000000000002', 2000, 'remember', 'user', 'python', '{}'),
  (3, x'00000000000000000000000000000003', 3000, 'forget', 'user', 'python', '{}'),
  (4, x'00000000000000000000000000000004', 4000, 'record', 'user', 'python', '{}'),
  (5, x'00000000000000000000000000000005', 5000, 'link', 'user', 'python', '{}');
INSERT INTO session (id, uid, started_at, actor, channel, journal)
  VALUES (1, x'00000000000000000000000000000011', 1000, 'user', 'python', 1);
INSERT INTO session_version (session, n, known_from, opened_by, status) VALUES (1, 1, 1000, 1, 'active');
INSERT INTO node (id, uid, class, key, journal) VALUES
  (1, x'00000000000000000000000000000015', 'memory', NULL, 1),
  (2, x'00000000000000000000000000000016', 'memory', NULL, 2),
  (3, x'00000000000000000000000000000017', 'conversation', 'talk', 4);
INSERT INTO tag (node, tag, known_from, opened_by) VALUES (1, 'kitchen', 1000, 1);
INSERT INTO evidence (target, n, frame, at, journal) VALUES
  (x'00000000000000000000000000000015', 1, x'0000000000000000000000000000001f', 1000, 1),
  (x'00000000000000000000000000000016', 1, x'00000000000000000000000000000020', 2000, 2);
INSERT INTO edge (uid, src, dst, type, weight, provenance, claim, known_from, opened_by)
  VALUES (x'00000000000000000000000000000041', 1, 3, 'relates_to', 0.5, 'explicit', 'verified', 5000, 5);
"""


SAMPLES = {1: sample_1}


def test_there_is_a_frozen_sample_of_every_released_schema():
    assert sorted(SAMPLES) == list(range(1, KNOWN + 1)) == list(range(1, len(STEPS) + 1))


@pytest.mark.parametrize("number", SAMPLES)
def test_every_released_schema_comes_to_today_s_with_all_it_held(path, number):
    SAMPLES[number](path)
    settings = Settings(semantic="off", background=False)
    with open_mind(path, settings=settings) as mind:
        assert mind.uuid == "01890a5d-ac96-774b-bcce-b302099a8057"
        assert mind.doctor(fix=True).healthy
        assert [hit.text for hit in mind.rank("tea shelf")] == [TEXTS[0]]
        assert mind.rank("noon")[0].text == TEXTS[3]
        assert mind.rank("forgotten thought") == []
        assert mind.tags() == {"kitchen": 1}
        assert mind.stats().edges == 1
        memory = mind.get(mind.rank("tea")[0].id)
        assert (memory.text, memory.evidence_count) == (TEXTS[0], 1)
        assert [entry.verb for entry in mind.journal()][-5:] == ["link", "record", "forget", "remember", "remember"]
    db = Db(path, admit=check)
    assert state(db) == (APPLICATION_ID, KNOWN, schema.expected())
    with db.read() as sql:
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
        assert [t for (t,) in sql.execute("SELECT text FROM frame WHERE text IS NOT NULL ORDER BY id")] == TEXTS
    db.close()


def test_an_empty_file_comes_to_today_s_schema(path, db):
    path.touch()
    assert migrate(db, path) == 0
    assert state(db) == (APPLICATION_ID, KNOWN, schema.expected())
    assert migrate(db, path) == KNOWN


def test_a_step_that_fails_leaves_an_empty_file_that_opens(path, db, monkeypatch):
    def broken(connection):
        migrations.first_schema(connection)
        raise KeyboardInterrupt

    monkeypatch.setattr(migrations, "STEPS", (broken,))
    with pytest.raises(KeyboardInterrupt):
        migrate(db, path)
    assert state(db) == (0, 0, {})
    monkeypatch.undo()
    assert migrate(db, path) == 0
    assert state(db) == (APPLICATION_ID, KNOWN, schema.expected())


def test_a_later_step_that_fails_keeps_the_file_as_it_was(path, db, monkeypatch):
    migrate(db, path)

    def second(connection):
        connection.execute("CREATE TABLE half (x)")
        raise KeyboardInterrupt

    monkeypatch.setattr(migrations, "STEPS", (*STEPS, second))
    monkeypatch.setattr(migrations, "KNOWN", 2)
    with pytest.raises(KeyboardInterrupt):
        migrate(db, path)
    assert state(db) == (APPLICATION_ID, 1, schema.expected())


def test_each_later_step_is_done_once_in_order(path, db, monkeypatch):
    migrate(db, path)
    steps = tuple(lambda connection, n=n: connection.execute(f"CREATE TABLE step{n} (x)") for n in (2, 3))
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, *steps))
    monkeypatch.setattr(migrations, "KNOWN", 3)
    assert migrate(db, path) == 1
    mark, number, there = state(db)
    assert (mark, number) == (APPLICATION_ID, 3)
    assert {"step2", "step3"} <= there.keys()
    assert migrate(db, path) == 3


def test_threads_that_migrate_at_once_do_it_once(path):
    dbs = [Db(path, admit=check) for _ in range(6)]
    barrier, found = threading.Barrier(6), []

    def run(db):
        barrier.wait()
        found.append(migrate(db, path))

    threads = [threading.Thread(target=run, args=(db,)) for db in dbs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(found) in (0, KNOWN)
    assert len(found) == 6
    assert state(dbs[0]) == (APPLICATION_ID, KNOWN, schema.expected())
    for db in dbs:
        db.close()


def test_a_mind_that_was_made_but_for_its_name_gets_one(path, db):
    migrate(db, path)
    mind = open_file(path)
    name = mind.mind
    mind.close()
    again = open_file(path)
    assert again.mind == name
    again.close()


@pytest.mark.parametrize(
    ("mark", "number", "tables", "error"),
    [
        (APPLICATION_ID, KNOWN + 1, True, NewerMind),
        (APPLICATION_ID, 2**31 - 1, False, NewerMind),
        (APPLICATION_ID, 0, True, DamagedMind),
        (APPLICATION_ID, -1, False, DamagedMind),
        (0, 0, True, NotAMind),
        (0, KNOWN, False, NotAMind),
        (0, 77, False, NotAMind),
        (0x12345678, KNOWN, True, NotAMind),
        (-5, 0, False, NotAMind),
    ],
)
def test_what_is_not_ours_is_named_before_anything_is_written(path, mark, number, tables, error):
    sql = apsw.Connection(str(path))
    sql.pragma("application_id", mark)
    sql.pragma("user_version", number)
    if tables:
        sql.execute("CREATE TABLE meta (x)")
    sql.close()
    before = path.read_bytes()
    with pytest.raises(error):
        open_file(path)
    assert path.read_bytes() == before


def test_a_newer_mind_says_which_version_it_has(path):
    sql = apsw.Connection(str(path))
    sql.pragma("application_id", APPLICATION_ID)
    sql.pragma("user_version", KNOWN + 6)
    sql.close()
    with pytest.raises(NewerMind, match="Upgrade noosphere") as raised:
        open_file(path)
    assert (raised.value.found, raised.value.known) == (KNOWN + 6, KNOWN)


def test_a_mind_that_a_newer_version_took_over_while_it_was_open_is_not_written(path):
    with open_mind(path, settings=Settings(semantic="off", background=False)) as mind:
        mind.remember("of the old version")
        other = apsw.Connection(str(path))
        other.pragma("user_version", KNOWN + 1)
        with pytest.raises(NewerMind, match="Upgrade noosphere"):
            mind.remember("of the old version, too late")
        assert mind.rank("old version")
        other.pragma("user_version", KNOWN)
        other.close()
        assert mind.stats().memories == 1
        assert mind.remember("of the old version again").journal
