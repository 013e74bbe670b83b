"""The duplicate guard: the same words become one memory, alike ones are flagged, a detail that differs keeps two."""

import pytest

from noosphere import Duplicate, Refused, Stored, Superseded
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import rows

FLAGGED = """SELECT count(*) FROM node_version WHERE known_to IS NULL AND duplicate_candidate = 1"""
CURRENT = """SELECT count(*) FROM node_version WHERE known_to IS NULL AND merged_into IS NULL AND entity_type IS NULL"""
FIRST, AGAIN = "the staging server runs in Frankfurt", "The staging server runs in Frankfurt!"
STATE = """SELECT hex(n.uid), v.status, v.merged_into, v.duplicate_candidate, v.head FROM node n
  JOIN node_version v ON v.node = n.id AND v.known_to IS NULL ORDER BY n.uid"""


def count(mind, query):
    return rows(mind.path, query)[0][0]


def test_the_same_words_with_a_wait_are_a_duplicate_and_evidence(thinking):
    first = thinking.remember(FIRST, wait=True)
    again = thinking.remember(AGAIN, wait=True, tags=["ops"])
    assert isinstance(first, Stored)
    assert isinstance(again, Duplicate)
    assert (again.id, again.frame, again.evidence_count) == (first.id, first.frame, 2)
    assert thinking.get(first.id).tags == ("ops",)
    assert len(thinking.rank("staging server")) == 1
    assert thinking.doctor().healthy


def test_without_a_wait_the_merge_follows_and_the_old_id_leads_to_the_survivor(thinking):
    first, again = thinking.remember(FIRST), thinking.remember(AGAIN)
    assert isinstance(again, Stored)
    thinking.flush()
    assert thinking.get(again.id).id == first.id
    assert thinking.get(first.id).evidence_count == 2


def test_it_can_be_switched_off_and_words_told_again_are_one_still(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(), semantic_dedup=False) as mind:
        assert mind.status().duplicates == ("exact",)
        first, again = mind.remember(FIRST, wait=True), mind.remember(AGAIN, wait=True)
        assert mind.get(again.id).id == again.id != first.id
        assert isinstance(mind.remember(FIRST), Duplicate)
    with scratch_mind(tmp_path) as mind:
        assert count(mind, FLAGGED) == 0


def test_a_merge_is_journalled_undone_and_not_made_again(thinking):
    first = thinking.remember(FIRST, wait=True)
    second = thinking.remember(AGAIN)
    before = rows(thinking.path, STATE)
    thinking.flush()
    merge = thinking.journal(1)[0]
    assert merge.verb == "duplicate.merge"
    assert isinstance(thinking.undo(second.journal), Refused)
    thinking.undo(merge.id)
    thinking.flush()
    assert rows(thinking.path, STATE) == before
    (shown,) = thinking.rank("staging server")
    assert {shown.id, *shown.also} == {first.id, second.id}
    assert thinking.doctor().healthy


def test_alike_texts_are_flagged_and_linked_and_give_no_evidence(thinking):
    first = thinking.remember("the nightly build of the parser is broken on our old machines")
    second = thinking.remember("the nightly build of the parser breaks on our old machines", wait=True)
    assert isinstance(second, Stored)
    assert count(thinking, FLAGGED) == 1
    assert thinking.get(first.id).evidence_count == 1
    assert [one.edge.type for one in thinking.connections(first.id)] == ["relates_to"]
    assert thinking.journal(1)[0].verb == "duplicate.flag"
    thinking.undo(thinking.journal(1)[0].id)
    assert count(thinking, FLAGGED) == 0
    assert thinking.connections(first.id) == []


def test_what_says_the_same_in_another_order_is_flagged_too(thinking):
    said = ["rain fell on 3 tents during the night", "during the night rain fell on 3 tents"]
    thinking.remember_many(said, wait=True)
    assert (count(thinking, CURRENT), count(thinking, FLAGGED)) == (2, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("widget 7 is in bin 12", "widget 8 is in bin 13"),
        ("the big red box goes to shelf 3 then 4", "the big red box goes to shelf 4 then 3"),
        ("the weekly planning meeting with Ann is cancelled", "the weekly planning meeting with Bob is cancelled"),
        ("the weekly planning meeting is on Monday at nine", "the weekly planning meeting is on Friday at nine"),
        ("the cache in front of the search is used", "the cache in front of the search is not used"),
        ("dogs chase cats", "cats chase dogs"),
    ],
)
def test_two_facts_that_differ_in_a_detail_stay_two_and_unflagged(thinking, one, other):
    thinking.remember_many([one, other], wait=True)
    assert count(thinking, CURRENT) == 2
    assert count(thinking, FLAGGED) == 0
    assert thinking.doctor().healthy


@pytest.mark.parametrize(
    "about", [{"role": "decision"}, {"importance": "critical"}, {"status": "canonical"}, {"title": "Servers"},
              {"valid_from": "2020"}, {"subject": "ops"}, {"source": "tool_verified"}]
)  # fmt: skip
def test_a_memory_that_is_described_otherwise_is_never_merged(thinking, about):
    thinking.remember(FIRST, wait=True)
    assert not isinstance(thinking.remember(AGAIN, wait=True, **about), Duplicate)
    assert count(thinking, CURRENT) == 2


def test_values_of_one_slot_supersede_and_are_no_duplicates(thinking):
    thinking.remember("the price of the plan is high now", slot="plan.price", value="high", functional=True, wait=True)
    new = thinking.remember(
        "the price of a plan is high now", slot="plan.price", value="very high", functional=True, wait=True
    )
    assert isinstance(new, Superseded)
    assert count(thinking, CURRENT) == 2


def test_a_forgotten_memory_takes_no_evidence(thinking):
    first = thinking.remember(FIRST, wait=True)
    thinking.forget(first.id)
    assert isinstance(thinking.remember(AGAIN, wait=True), Stored)


def test_without_an_embedder_only_the_exact_key_holds(mind):
    mind.remember(FIRST)
    assert isinstance(mind.remember(AGAIN, wait=True), Stored)
    assert isinstance(mind.remember(FIRST, wait=True), Duplicate)
    assert count(mind, CURRENT) == 2


def test_status_says_how_duplicates_are_known(mind):
    assert mind.status().duplicates == ("exact",)


def test_status_names_meaning_when_an_embedder_works(thinking):
    assert thinking.status().duplicates == ("exact", "meaning")
