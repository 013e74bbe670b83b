"""The invariants of the domain, each broken in the file itself: SQLite refuses, or doctor names what is broken."""

from contextlib import contextmanager

import apsw
import pytest

from noosphere import Turn
from noosphere.testing.minds import scratch_mind
from observed import raw, truth


@pytest.fixture
def filled(mind):
    """One of everything that an invariant speaks of."""
    first = mind.remember("the first words", tags=["t"], session="monday")
    mind.revise(first.id, "the second words")
    mind.branch(first.id, "other words")
    mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2020")
    mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", valid_from="2022")
    mind.remember("until June", valid_to="2026-06-01")
    mind.remember("same words", role="fact")
    mind.remember("same words", role="note")
    turns = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"turn {k}") for k in "abc"], participants=["Ann"])
    mind.record("chat", [Turn(key="b", speaker="Ann", text="turn b otherwise")])
    mind.forget(turns.added[2])
    mind.entity("Ann", "person")
    mind.entity("Bob", "person")
    mind.ontology.add_type("vessel")
    mind.link(first.id, "drawn_from", turns.added[0])
    mind.link(first.id, "relates_to", mind.rank("Berlin", include_past=True)[0].id)
    return mind


@contextmanager
def unguarded(path):
    """The file without its triggers and foreign keys; the triggers are put back as they were."""
    with raw(path) as sql:
        sql.pragma("foreign_keys", False)
        guards = sql.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            sql.execute(f"DROP TRIGGER {name}")
        yield sql
        for _, made in guards:
            sql.execute(made)


NEW_FRAME = """INSERT INTO frame (uid, node, type, base, seq, session, t, text, hash, recorded_at, turn_key, parent,
  speaker, journal) SELECT randomblob(16)"""
NEW_VERSION = """INSERT INTO node_version (node, n, known_from, known_to, opened_by, closed_by, status, importance,
  source, claim, entity_type, name, norm_name) SELECT"""
NEW_EDGE = """INSERT INTO edge (uid, src, dst, type, src_frame, dst_frame, weight, provenance, claim, known_from,
  opened_by) SELECT randomblob(16)"""
NEW_SPACE = "INSERT INTO space (name, era, fingerprint, dim, scale) VALUES ('s', 'now', 'f', 1, 1);"
NEW_VECTOR = """INSERT INTO vec (space, frame, chunk, start, stop, recipe, input_hash, q, f)
  SELECT max(space.id), min(frame.id), 0, 0, 1, 'r', x'00', x'00', x'0000' FROM space, frame;"""
ASKED = """INSERT INTO ai_interactions (uid, at, provider, model, purpose, outcome)
  VALUES (randomblob(16), 1, 'p', 'm', 'x', 'ok');"""
INSTALLED = """INSERT INTO install_audit (uid, at, actor, subject, action)
  VALUES (randomblob(16), 1, 'a', 's', 'x');"""

REFUSED = {
    "1: a frame's text changes": "UPDATE frame SET text = 'forged' WHERE text = 'the first words'",
    "1: a frame's time changes": "UPDATE frame SET said_at = 1",
    "1: a frame is purged without a ticket": "UPDATE frame SET text = NULL, hash = NULL, purged_at = 1",
    "1: a frame is deleted": "DELETE FROM frame",
    "1: who took part changes": "UPDATE participants SET names = '[]'",
    "1: who took part is deleted": "DELETE FROM participants",
    "1: what a branch refers to changes": "UPDATE frame_ref SET description = 'forged'",
    "1: what a branch refers to is deleted": "DELETE FROM frame_ref",
    "2: a second version opens beside the first": f"""{NEW_VERSION} node, n + 9, known_from + 1, NULL, opened_by, NULL,
        status, importance, source, claim, NULL, NULL, NULL FROM node_version WHERE known_to IS NULL LIMIT 1""",
    "2: a turn is recorded twice": f"""{NEW_FRAME}, node, type, base, seq, session, 99, text, hash, 1, turn_key, parent,
        speaker, journal FROM frame WHERE turn_key = 'a'""",
    "2: two frames share a tick": f"""{NEW_FRAME}, node, 'I', NULL, 0, session, t, NULL, NULL, 1, NULL, NULL, NULL,
        journal FROM frame LIMIT 1""",
    "2: a frame leads nowhere": f"{NEW_FRAME}, 999, 'I', NULL, 0, 1, 77, NULL, NULL, 1, NULL, NULL, NULL, 1",
    "2: a patch has no base": f"""{NEW_FRAME}, node, 'P', NULL, 0, session, 77, NULL, NULL, 1, NULL, NULL, NULL, journal
        FROM frame LIMIT 1""",
    "3: a text has no hash": f"""{NEW_FRAME}, node, 'I', NULL, 0, session, 77, 'words', NULL, 1, NULL, NULL, NULL,
        journal FROM frame LIMIT 1""",
    "4: two active entities have one name": f"""{NEW_VERSION} (SELECT min(id) FROM node), 99, 9000000000000000, NULL,
        opened_by, NULL, status, importance, source, claim, entity_type, name, norm_name FROM node_version
        WHERE norm_name = 'ann'""",
    "6: a node is deleted": "DELETE FROM node",
    "6: a node changes its class": "UPDATE node SET class = 'entity'",
    "6: a version is deleted": "DELETE FROM node_version",
    "6: a version changes": "UPDATE node_version SET importance = 'critical'",
    "6: a closed version is opened again": """UPDATE node_version SET known_to = NULL, closed_by = NULL
        WHERE known_to IS NOT NULL""",
    "6: a version is closed before it was opened": "UPDATE node_version SET known_to = 1, closed_by = 1",
    "6: a turn's version is deleted": "DELETE FROM frame_version",
    "6: a turn's version changes": "UPDATE frame_version SET retracted_at = NULL",
    "6: an edge is deleted": "DELETE FROM edge",
    "6: an edge changes": "UPDATE edge SET weight = 0.1",
    "6: a standing edge is opened again": "UPDATE edge SET known_to = NULL, closed_by = NULL WHERE known_to IS NULL",
    "6: a tag is deleted": "DELETE FROM tag",
    "6: a tag changes": "UPDATE tag SET tag = 'other'",
    "6: evidence is deleted": "DELETE FROM evidence",
    "6: evidence changes": "UPDATE evidence SET uri = 'x:1'",
    "6: a session is deleted": "DELETE FROM session",
    "6: a session changes": "UPDATE session SET started_at = 1",
    "6: a session's state is deleted": "DELETE FROM session_version",
    "6: a session's state changes": "UPDATE session_version SET status = 'archived'",
    "6: a state of a type is deleted": "DELETE FROM registry_version",
    "6: a state of a type changes": "UPDATE registry_version SET rule = NULL",
    "6: a journal entry changes": "UPDATE journal SET verb = 'other'",
    "6: a journal entry is deleted": "DELETE FROM journal",
    "8: one chunk has two vectors": f"{NEW_SPACE} {NEW_VECTOR} {NEW_VECTOR}",
    "8: a space has no dimension": NEW_SPACE.replace("1, 1", "0, 1"),
    "8: one model has two spaces of one era": f"{NEW_SPACE} {NEW_SPACE}",
    "12: an interaction with a model changes": f"{ASKED} UPDATE ai_interactions SET cost_micros = 5",
    "12: an interaction with a model is deleted": f"{ASKED} DELETE FROM ai_interactions",
    "12: an installation changes": f"{INSTALLED} UPDATE install_audit SET actor = 'b'",
    "12: an installation is deleted": f"{INSTALLED} DELETE FROM install_audit",
    "an edge leads to its own start": f"""{NEW_EDGE}, src, src, 'relates_to', NULL, NULL, 1, 'explicit', 'unknown', 1,
        opened_by FROM edge LIMIT 1""",
    "an edge is of no known type": f"""{NEW_EDGE}, dst, src, 'likes', NULL, NULL, 1, 'explicit', 'unknown', 1, opened_by
        FROM edge LIMIT 1""",
    "an edge stands twice": f"""{NEW_EDGE}, src, dst, type, src_frame, dst_frame, 1, 'explicit', 'unknown', 1, opened_by
        FROM edge WHERE known_to IS NULL LIMIT 1""",
    "a weight is above one": f"""{NEW_EDGE}, dst, src, 'caused_by', NULL, NULL, 2, 'explicit', 'unknown', 1, opened_by
        FROM edge LIMIT 1""",
    "a word is outside the vocabulary": f"""{NEW_VERSION} node, 99, 1, 2, opened_by, opened_by, 'lively', importance,
        source, claim, NULL, NULL, NULL FROM node_version LIMIT 1""",
}


@pytest.mark.parametrize("broken", REFUSED)
def test_sqlite_refuses_what_breaks_an_invariant(filled, broken):
    before = truth(filled.path)
    with raw(filled.path) as sql:
        sql.pragma("foreign_keys", True)
        with pytest.raises((apsw.ConstraintError, apsw.SQLError)), sql:
            sql.execute(REFUSED[broken])
    assert truth(filled.path) == before
    assert filled.doctor().healthy


def test_a_purge_ticket_cannot_outlive_its_transaction(filled):
    with raw(filled.path) as sql:
        sql.pragma("foreign_keys", True)
        with pytest.raises(apsw.ConstraintError), sql:
            sql.execute("INSERT INTO purge_ticket (frame) SELECT min(id) FROM frame")


def test_with_a_ticket_only_the_text_goes(filled):
    with raw(filled.path) as sql:
        sql.pragma("foreign_keys", True)
        with pytest.raises(apsw.ConstraintError), sql:
            sql.execute(
                """INSERT INTO purge_ticket (frame) SELECT min(id) FROM frame;
                   UPDATE frame SET text = 'forged' WHERE id = (SELECT min(id) FROM frame)"""
            )
        with sql:
            sql.execute("INSERT INTO purge_ticket (frame) SELECT min(id) FROM frame")
            sql.execute(
                "UPDATE frame SET text = NULL, hash = NULL, purged_at = 9 WHERE id = (SELECT min(id) FROM frame)"
            )
            sql.execute("DELETE FROM purge_ticket")
        assert sql.execute("SELECT text, hash, purged_at FROM frame ORDER BY id LIMIT 1").get == (None, None, 9)


NAMED = {
    "1: a frame's text was changed": (
        "UPDATE frame SET text = 'forged' WHERE text = 'the first words'",
        {"frames never change"},
    ),
    "2: a version is missing": ("DELETE FROM node_version WHERE n = 1 AND node = 1", {"versions follow each other"}),
    "2: no version is open": (
        "UPDATE node_version SET known_to = known_from + 1, closed_by = opened_by WHERE norm_name = 'bob'",
        {"versions follow each other"},
    ),
    "2: versions leave a gap": (
        "UPDATE node_version SET known_from = known_from + 1 WHERE n = 2 AND node = 1",
        {"versions follow each other"},
    ),
    "2: a head is another memory's frame": (
        """UPDATE node_version SET head = (SELECT max(id) FROM frame WHERE type = 'I')
           WHERE node = 1 AND known_to IS NULL""",
        {"a head is a frame of its node"},
    ),
    "2: a head is a branch": (
        """UPDATE node_version SET head = (SELECT id FROM frame WHERE text = 'other words')
           WHERE node = 1 AND known_to IS NULL""",
        {"a head is a frame of its node"},
    ),
    "3: a fold's hash is another text's": (
        "UPDATE node_version SET fold_hash = zeroblob(32) WHERE node = 1 AND known_to IS NULL",
        {"a head is a frame of its node"},
    ),
    "3: one memory is there twice": (
        "UPDATE node_version SET role = 'note' WHERE role = 'fact' AND known_to IS NULL",
        {"one memory is stored once"},
    ),
    "6: the journal's time runs backwards": (
        "UPDATE journal SET at = 1 WHERE id = (SELECT max(id) FROM journal)",
        {"the journal's time never runs backwards"},
    ),
    "6: an entry was never completed": (
        "UPDATE journal SET detail = NULL WHERE id = 2",
        {"journal entries are complete"},
    ),
    "an edge is anchored elsewhere": (
        "UPDATE edge SET dst_frame = (SELECT min(id) FROM frame) WHERE dst_frame IS NOT NULL",
        {"an edge is anchored at its ends"},
    ),
    "a reference leads nowhere": (
        "UPDATE frame SET session = 999 WHERE id = 1",
        {"every reference leads somewhere"},
    ),
    "a ticket was left": (
        "INSERT INTO purge_ticket (frame) VALUES (1)",
        {"every reference leads somewhere"},  # an open ticket is an open reference
    ),
}  # fmt: skip


@pytest.mark.parametrize("broken", NAMED)
def test_doctor_names_a_broken_truth_and_never_touches_it(filled, broken):
    tampering, rules = NAMED[broken]
    with unguarded(filled.path) as sql:
        sql.execute(tampering)
    before = truth(filled.path)
    diagnosis = filled.doctor()
    assert not diagnosis.healthy
    assert rules <= {b.rule for b in diagnosis.broken}
    assert all(b.examples and b.count >= len(b.examples) for b in diagnosis.broken)
    assert truth(filled.path) == before


@pytest.mark.parametrize("broken", [n for n in NAMED if n[0] in "136" or n.startswith("an edge")])
def test_mending_leaves_a_broken_truth_as_it_is_and_says_so(filled, broken):
    tampering, rules = NAMED[broken]
    with unguarded(filled.path) as sql:
        sql.execute(tampering)
    before = truth(filled.path)
    diagnosis = filled.doctor(fix=True)
    assert not diagnosis.healthy
    assert rules <= {b.rule for b in diagnosis.remaining}
    assert not any(b.derived for b in diagnosis.remaining)
    assert truth(filled.path) == before


DERIVED = {
    "5: a unit left the index": ("DELETE FROM text_now WHERE rowid = (SELECT min(id) FROM text_now_docsize)", "text"),
    "5: a stranger is in the index": ("INSERT INTO text_now (rowid, self, prev) VALUES (9999, 'stranger', '')", "text"),
    "5: a unit is in the other index": (
        """DELETE FROM text_past WHERE rowid = (SELECT min(id) FROM text_past_docsize);
           INSERT INTO text_now (rowid, self, prev) VALUES (1, 'the first words', '')""", "text",
    ),
    "5: a unit is indexed with other words": (
        """DELETE FROM text_now WHERE rowid = 2;
           INSERT INTO text_now (rowid, self, prev) VALUES (2, 'one two three four', '')""", "text",
    ),
    "5: an index is empty": ("INSERT INTO text_now (text_now) VALUES ('delete-all')", "text"),
    "a spell is missing": ("DELETE FROM spell WHERE node = (SELECT min(node) FROM spell)", "spells"),
    "a spell is wrong": ("UPDATE spell SET holds_to = holds_to - 1 WHERE replaced_by IS NOT NULL", "spells"),
    "a stray spell": (
        "INSERT INTO spell (node, holds_from, holds_to, conflict) VALUES (1, 0, 1, 0)", "spells",
    ),
    "a derived edge is missing": (
        "UPDATE edge SET known_to = known_from + 1, closed_by = opened_by WHERE type = 'supersedes'", "supersedes",
    ),
    "an end is not watched": ("DELETE FROM expiry", "watched"),
    "an end is watched at the wrong time": ("UPDATE expiry SET at = at + 1", "watched"),
    "a leaf is wrong": ("UPDATE leaf SET frame = (SELECT min(id) FROM frame WHERE turn_key IS NOT NULL)", "path"),
    "a turn beside the path is lost": ("DELETE FROM off_path", "path"),
}  # fmt: skip


@pytest.mark.parametrize("broken", DERIVED)
def test_doctor_names_what_is_derived_wrongly_and_mends_it(filled, broken):
    tampering, rule = DERIVED[broken]
    with unguarded(filled.path) as sql:
        sql.execute(tampering)
    before = truth(filled.path, TRUTH_BUT_JOURNAL)
    named = filled.doctor()
    assert not named.healthy
    assert all(b.derived for b in named.broken)
    assert any(rule in b.rule for b in named.broken)
    mended = filled.doctor(fix=True)
    assert mended.healthy
    assert mended.remaining == ()
    assert truth(filled.path, TRUTH_BUT_JOURNAL) == before
    assert (mended.journal is not None) == (rule == "supersedes")
    assert filled.doctor().healthy


TRUTH_BUT_JOURNAL = (
    "meta", "session", "session_version", "participants", "node", "frame", "frame_ref", "frame_version",
    "node_version", "tag", "evidence", "usage", "ai_interactions", "install_audit", "space",
)  # fmt: skip


def test_mending_nothing_changes_nothing(filled):
    before = truth(filled.path)
    assert filled.doctor(fix=True).journal is None
    assert truth(filled.path) == before


@pytest.mark.parametrize(
    "lost",
    [
        "DROP TABLE spell", "DROP TABLE expiry", "DROP TABLE leaf", "DROP TABLE off_path", "DROP TABLE text_now",
        "DROP TABLE text_past", "DROP TABLE text_now_terms", "DROP TABLE pending", "DROP INDEX tag_open",
        "DROP INDEX node_version_fold", "DROP TRIGGER frame_no_update", "DROP TRIGGER vec_buried",
    ],
)  # fmt: skip
def test_what_is_missing_of_the_schema_is_named_and_made_again(filled, lost):
    with raw(filled.path) as sql:
        sql.execute(lost)
    name = lost.split()[-1]
    diagnosis = filled.doctor()
    assert not diagnosis.healthy
    assert any(b.rule == "the schema is complete" and f"{name} is missing" in b.examples for b in diagnosis.broken)
    assert filled.doctor(fix=True).healthy
    assert {h.text for h in filled.rank("words")} >= {"the second words", "same words"}


def test_a_trigger_that_was_changed_is_named(filled):
    with raw(filled.path) as sql:
        sql.execute("DROP TRIGGER frame_no_delete")
        sql.execute("CREATE TRIGGER frame_no_delete BEFORE DELETE ON frame BEGIN SELECT 1; END")
    diagnosis = filled.doctor(fix=True)
    assert not diagnosis.healthy
    assert any("frame_no_delete was changed" in b.examples for b in diagnosis.remaining)


def test_a_damaged_file_is_named(filled, tmp_path):
    filled.close()
    size = filled.path.stat().st_size
    with filled.path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * 4096)
    with scratch_mind(tmp_path) as mind:
        diagnosis = mind.doctor()
    assert not diagnosis.healthy
    assert "the file is whole" in {b.rule for b in diagnosis.broken}
