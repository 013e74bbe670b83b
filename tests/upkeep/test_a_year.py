"""Twelve months of daily upkeep: nothing important is lost, every change is listed, and all of it is undone again."""

import random
from datetime import timedelta

import pytest

from noosphere import Turn, Undone, restore_mind
from noosphere.ids import uid_text
from noosphere.testing.clocks import SequentialIds
from noosphere.testing.minds import FILE, scratch_mind
from noosphere.upkeep.passes import PASSES
from observed import derived, rows, seen

DAYS = 365
KEPT = ("critical", "important")
KINDS = (
    lambda n: {"text": f"The vault code word is item{n}", "importance": "critical"},
    lambda n: {"text": f"Remember the rule about item{n}", "importance": "important"},
    lambda n: {"text": f"Parking slip item{n}", "importance": "temporary"},
    lambda n: {"text": f"Somebody oiled the shelf of item{n // 20}", "importance": "important"},
    lambda n: {"text": f"somebody oiled the shelf of item{n // 20}!", "importance": "important"},
    lambda n: {"text": f"Machine item{n} is down"},
    lambda n: {"text": f"We plan to paint item{n}", "importance": "critical"},
    lambda n: {"text": f"Crate {n // 40} is in hall {n % 7}", "slot": f"crate {n // 40}.address", "value": f"{n % 7}"},
    lambda n: {"text": f"Item{n} is on loan", "valid_to": f"2027-{1 + n % 12:02}-11"},
    lambda n: {"text": f"A plain note on item{n}", "tags": [f"t{n % 5}"]},
)  # fmt: skip


def live(mind, clock, count, chance):
    """Fill a mind over half a year; returns the memories' ids by number."""
    ids, days = [], 180
    hubs = [mind.entity(f"Person {n}", "person").id for n in range(20)]
    for day in range(days):
        clock.advance(timedelta(days=1))
        for n in range(count * day // days, count * (day + 1) // days):
            ids.append(mind.remember(**KINDS[n % len(KINDS)](n)).id)
            if n % 41 == 0:
                mind.set_status(ids[-1], "canonical")
        if not ids:
            continue
        for _ in range(count // days // 4 + 1):
            one, two = chance.choice(ids), chance.choice([*ids, *hubs])
            by = chance.choice(["inferred", "explicit"])
            if one != two:
                mind.link(one, "relates_to", two, weight=round(chance.random(), 2), provenance=by)
    turns = [Turn(key=str(n), speaker="Ann", text=f"turn {n} on item{n}") for n in range(100)]
    mind.record("talk", turns)
    return ids


def keep_a_year(mind, clock, limit):
    """Run every pass every day; returns the entries that the runs say they wrote."""
    told = []
    for _ in range(DAYS):
        clock.advance(timedelta(days=1))
        for name in PASSES:
            told += mind.upkeep(name, limit=limit).journals
    return told


def state_of(mind, ids):
    """What must not be lost of each memory that matters."""
    things = {one: mind.get(one) for one in ids}
    return {
        one: (t.importance, t.text.lower().rstrip("!"), t.status)
        for one, t in things.items()
        if t.importance in KEPT or t.status == "canonical"
    }


def a_year(tmp_path, clock, count, limit):
    chance = random.Random(11)
    with scratch_mind(tmp_path, clock=clock) as mind:
        ids = live(mind, clock, count, chance)
        mattered = state_of(mind, ids)
        texts = rows(mind.path, "SELECT count(*), count(text) FROM frame")
        mind.backup(tmp_path / "before.db")
        first = rows(mind.path, "SELECT max(id) FROM journal")[0][0]
        told = keep_a_year(mind, clock, limit)
        assert state_of(mind, ids) == mattered, "nothing important is lost or changed"
        for one in chance.sample(sorted(mattered), 60):
            assert mind.rank(mattered[one][1], 5)[0].text.lower().rstrip("!") == mattered[one][1]
        assert rows(mind.path, "SELECT count(*), count(text) FROM frame") == texts, "nothing is deleted"
        every_change_is_listed(mind, first, told)
        counts_add_up(mind)
        assert mind.doctor().healthy
        for entry in reversed(told):
            assert isinstance(mind.undo(entry), Undone)
        untouched(tmp_path, clock)
        assert_equal(mind, tmp_path)


def every_change_is_listed(mind, first, told):
    wrote = rows(mind.path, "SELECT uid, verb FROM journal WHERE id > ? AND channel = 'upkeep' ORDER BY id", first)
    assert [uid_text(uid) for uid, _ in wrote] == told
    assert {verb for _, verb in wrote} >= {"upkeep.prune", "upkeep.retire", "upkeep.staleness", "duplicate.merge"}
    assert rows(mind.path, "SELECT count(*) FROM journal WHERE id > ? AND channel <> 'upkeep'", first) == [(0,)]
    unlisted = """SELECT count(*) FROM node_version AS v JOIN node AS n ON n.id = v.node
      JOIN journal AS j ON j.id = v.opened_by WHERE j.id > ? AND NOT EXISTS (
        SELECT 1 FROM json_each(j.detail, '$.nodes') AS d
        WHERE replace(d.value ->> 0, '-', '') = lower(hex(n.uid)) AND d.value ->> 1 = v.n)"""
    assert rows(mind.path, unlisted, first) == [(0,)]
    canonical = """SELECT count(*) FROM node_version AS v JOIN node_version AS b ON b.node = v.node AND b.n = v.n - 1
      JOIN journal AS j ON j.id = v.opened_by WHERE j.channel = 'upkeep' AND b.status = 'canonical'"""
    assert rows(mind.path, canonical) == [(0,)], "what is canonical is not touched"


def counts_add_up(mind):
    """Each run's counts follow from those of the runs before."""
    runs = [run for run in reversed(mind.upkeep.runs(10_000)) if run.status == "done"]
    assert len(runs) == DAYS * len(PASSES)
    assert all(run.changed <= run.taken <= run.limit for run in runs)
    before = runs[0].held_before
    for run in runs:
        assert run.held_before["memories"] <= before["memories"]
        before = run.held_after


def untouched(tmp_path, clock):
    """The same mind a year later, without upkeep: what expired by itself has moved."""
    (tmp_path / "twin").mkdir()
    restore_mind(tmp_path / "before.db", tmp_path / "twin" / FILE)
    with scratch_mind(tmp_path / "twin", clock=clock, ids=SequentialIds(10**9)) as twin, twin._file.write():
        pass


def assert_equal(mind, tmp_path):
    twin = tmp_path / "twin" / FILE
    left, right = seen(mind.path), seen(twin)
    for name in ("nodes", "tags", "edges", "spells", "paths", "now", "past"):
        assert getattr(left, name) == getattr(right, name), name
    # an edge keeps its evidence, and evidence that a merge gave is taken back
    assert left.evidence == right.evidence
    ours, theirs = derived(mind.path), derived(twin)
    for name in ("spell", "expiry", "words now", "words past", "units now", "units past", "supersedes"):
        assert ours[name] == theirs[name], name


@pytest.mark.slow
def test_a_year_of_daily_upkeep_loses_nothing_and_can_be_undone(tmp_path, clock):
    a_year(tmp_path, clock, 600, limit=20)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_year_of_daily_upkeep_on_ten_thousand_memories(tmp_path, clock):
    a_year(tmp_path, clock, 10_000, limit=100)
