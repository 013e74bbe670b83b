"""Upkeep's passes: bounded, resumable, counted, journalled, undone again; and nothing but what they name is touched."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput
from observed import rows

STANDING = "SELECT hex(uid), weight, provenance FROM edge WHERE known_to IS NULL ORDER BY uid"
MEMORIES = (
    "SELECT hex(n.uid), v.status, v.importance FROM node n JOIN node_version v ON v.node = n.id AND v.known_to IS NULL"
)


@pytest.fixture
def hub(mind):
    """A memory with six inferred edges, three of them weak, one weak explicit edge, and one that is strong."""
    hub = mind.remember("hub", importance="critical").id
    for n, weight in enumerate((0.0, 0.1, 0.29, 0.3, 0.5, 1.0)):
        mind.link(hub, "relates_to", mind.remember(f"spoke {n}").id, weight=weight, provenance="inferred")
    mind.link(hub, "relates_to", mind.remember("by hand").id, weight=0.05)
    return hub


def test_prune_retires_weak_inferred_edges_after_a_week_and_no_others(mind, hub, clock):
    assert mind.upkeep.due()["prune"] == 0
    clock.advance(timedelta(days=8))
    ran = mind.upkeep("prune")
    assert (ran.changed, ran.before, ran.after) == (3, 3, 0)
    assert sorted(weight for _, weight, _ in rows(mind.path, STANDING)) == [0.05, 0.3, 0.5, 1.0]
    assert len(mind.connections(hub)) == 4
    assert mind.doctor().healthy


def test_a_limit_holds_and_the_next_run_goes_on(mind, hub, clock):
    clock.advance(timedelta(days=8))
    assert [mind.upkeep("prune", limit=2).changed for _ in range(3)] == [2, 1, 0]
    assert hub


def test_every_run_is_listed_and_undone_to_an_equal_state(mind, hub, clock):
    before = rows(mind.path, STANDING), rows(mind.path, MEMORIES)
    clock.advance(timedelta(days=8))
    ran = mind.upkeep("prune", limit=2)
    rest = mind.upkeep("prune")
    listed = [entry.id for entry in mind.journal(2)]
    assert listed == [*rest.journals, *ran.journals]
    for journal in listed:
        mind.undo(journal)
    assert (rows(mind.path, STANDING), rows(mind.path, MEMORIES)) == before
    assert len(mind.hops(hub)) == 7


def test_an_edge_that_undo_brought_back_has_another_week(mind, hub, clock):
    clock.advance(timedelta(days=8))
    mind.undo(mind.upkeep("prune").journals[0])
    assert mind.upkeep.due()["prune"] == 0
    clock.advance(timedelta(days=8))
    assert mind.upkeep.due()["prune"] == 3
    assert hub


def outlives(mind, hub, clock, days):
    before = rows(mind.path, MEMORIES)
    for _ in range(days):
        clock.advance(timedelta(days=1))
        for name in mind.upkeep.due():
            mind.upkeep(name)
    assert rows(mind.path, MEMORIES) == before
    assert mind.rank("hub")[0].id == hub


def test_an_untouched_important_memory_outlives_a_hundred_days_of_upkeep(mind, hub, clock):
    outlives(mind, hub, clock, 100)


@pytest.mark.slow
def test_an_untouched_important_memory_outlives_two_years_of_daily_upkeep(mind, hub, clock):
    """730 times."""
    outlives(mind, hub, clock, 730)


def test_reembed_embeds_what_is_pending_up_to_its_limit(thinking):
    for n in range(5):
        thinking.remember(f"thought {n}")
    waiting = thinking.upkeep.due()["reembed"]
    first = thinking.upkeep("reembed", limit=2)
    assert first.before == waiting > first.after > 0
    thinking.upkeep("reembed")
    assert thinking.upkeep.due()["reembed"] == 0


def test_an_unknown_pass_or_limit_is_refused_with_the_names(mind):
    with pytest.raises(InvalidInput, match="prune"):
        mind.upkeep("prunes")
    with pytest.raises(InvalidInput, match="limit"):
        mind.upkeep("prune", limit=0)
