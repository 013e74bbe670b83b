"""reindex and purge as passes, what prune leaves, and every pass in a mind without a model."""

from datetime import timedelta

import apsw
import pytest

from noosphere import PurgePending, Turn
from noosphere.upkeep.passes import PASSES
from observed import derived, raw


def test_what_is_canonical_keeps_its_edges(mind, clock):
    hub, spoke, other = (mind.remember(text).id for text in ("hub", "spoke", "other"))
    mind.link(hub, "relates_to", spoke, weight=0.1, provenance="inferred")
    mind.link(other, "relates_to", spoke, weight=0.1, provenance="inferred")
    mind.set_status(hub, "canonical")
    clock.advance(timedelta(days=8))
    assert mind.upkeep("prune").changed == 1
    assert [c.id for c in mind.connections(spoke)] == [hub]


@pytest.fixture
def filled(mind):
    """Memories with a past, turns, something archived and something that will end."""
    ids = [mind.remember(f"note {n} on the kiln").id for n in range(10)]
    mind.revise(ids[0], "note 0 on the roof")
    mind.set_status(ids[1], "archived")
    mind.forget(ids[2])
    mind.remember("until Friday", valid_to="2026-05-20")
    mind.record("talk", [Turn(key=str(n), speaker="Ann", text=f"turn {n}") for n in range(5)])
    return ids


HEAD = "(SELECT v.head FROM node_version v JOIN node n ON n.id = v.node WHERE v.known_to IS NULL AND n.uid = ?)"


@pytest.mark.parametrize(
    ("damage", "number"),
    [
        (f"DELETE FROM text_now WHERE rowid = {HEAD}", 3),
        (f"DELETE FROM text_past WHERE rowid = {HEAD}", 1),
        (f"INSERT INTO text_now (rowid, self, prev) SELECT {HEAD}, 'note 1 on the kiln', ''", 1),
        ("DELETE FROM text_now WHERE rowid IN (SELECT max(id) FROM frame WHERE turn_key IS NOT NULL) OR ? IS NULL", 3),
    ],
    ids=["lost from the current index", "lost from the past index", "in both", "a turn lost"],
)
def test_reindex_puts_texts_where_they_belong(mind, filled, damage, number):
    before = derived(mind.path)
    assert mind.upkeep.due()["reindex"] == 0
    with raw(mind.path) as sql:
        sql.execute(damage, (bytes.fromhex(filled[number].replace("-", "")),))
    assert mind.upkeep.due()["reindex"] == 1
    ran = mind.upkeep("reindex")
    assert (ran.changed, ran.after, ran.journals) == (1, 0, ())
    assert {k: v for k, v in derived(mind.path).items() if k.startswith(("words", "units"))} == {
        k: v for k, v in before.items() if k.startswith(("words", "units"))
    }
    assert mind.doctor().healthy


def test_reindex_moves_what_has_ended_since(mind, filled, clock):
    clock.advance(timedelta(days=30))
    assert mind.upkeep.due()["reindex"] == 1
    mind.upkeep("reindex")
    assert mind.upkeep.due()["reindex"] == 0
    assert mind.doctor().healthy
    assert filled


def test_reindex_in_steps_mends_all(mind, filled):
    with raw(mind.path) as sql:
        sql.execute("INSERT INTO text_now (text_now) VALUES ('delete-all')")
    due = mind.upkeep.due()["reindex"]
    assert due > 5
    runs = [mind.upkeep("reindex", limit=3).changed for _ in range(due // 3 + 1)]
    assert sum(runs) == due
    assert mind.doctor().healthy
    assert filled


def test_purge_is_finished_when_the_reader_is_gone(mind, filled):
    reader = apsw.Connection(str(mind.path))
    reader.execute("BEGIN; SELECT count(*) FROM frame").fetchall()
    assert isinstance(mind.purge(filled[3]), PurgePending)
    assert mind.upkeep.due()["purge"] == 1
    assert mind.upkeep("purge").changed == 0, "the reader is still there"
    reader.execute("COMMIT")
    reader.close()
    ran = mind.upkeep("purge")
    assert (ran.changed, ran.after) == (1, 0)
    assert b"note 3 on the kiln" not in mind.path.read_bytes()


def test_every_pass_runs_without_a_model_and_twice_does_no_more(mind, filled, clock):
    assert mind.status().duplicates == ("exact",)
    clock.advance(timedelta(days=100))
    for name in PASSES:
        assert mind.upkeep(name).status == "done"
    assert {name: mind.upkeep(name).changed for name in PASSES} == dict.fromkeys(PASSES, 0)
    assert {name: due for name, due in mind.upkeep.due().items() if due} == {}
    assert filled
