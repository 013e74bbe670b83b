"""The timeline of a functional slot follows from its assertions alone, whatever order they came in."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noosphere.clock import DAY
from noosphere.model.timeline import CANONICAL_STRENGTH, DRAFT_STRENGTH, NEWS, Assertion, strength, timeline
from noosphere.model.vocabulary import Source, Status
from noosphere.model.when import FOREVER

HORIZON = 14  # beyond every start and end that is drawn


def said(node, start, value, end=FOREVER, by=3):
    return Assertion(node, start, end, value, by, node.to_bytes(2))


@st.composite
def assertion_sets(draw, strengths=(0, 1, 2, 3, 13, -1)):
    found = []
    for node in range(1, draw(st.integers(1, 7)) + 1):
        start = draw(st.integers(0, 9))
        end = draw(st.just(FOREVER) | st.integers(start + 1, 12))
        found.append(said(node, start, draw(st.sampled_from("abc")), end, draw(st.sampled_from(strengths))))
    return found


def oracle(assertions):
    """The spells as domain.md says them, one moment at a time: node to (start, end, conflict), or None when empty."""
    spells = {}
    for own in sorted(assertions, key=lambda a: -a.strength):
        peers = [a for a in assertions if a.strength == own.strength and a is not own]
        stronger = [spells[a.node] for a in assertions if a.strength > own.strength and spells[a.node]]

        def held(at, stronger=stronger):
            return any(s[0] <= at < s[1] for s in stronger)

        begin = own.start
        while begin <= HORIZON and held(begin):
            begin += 1
        stop = begin
        while stop <= HORIZON and not ends(own, peers, stop) and not held(stop):
            stop += 1
        conflict = any(p.start == own.start and p.value != own.value for p in peers)
        spells[own.node] = None if stop == begin or begin > HORIZON else (
            begin, FOREVER if stop > HORIZON else stop, conflict
        )  # fmt: skip
    return spells


def ends(own, peers, at):
    """Whether an assertion no longer holds at a moment for reasons of its own strength."""
    if at >= own.end:
        return True
    return any(
        own.start < p.start <= at
        or (p.start == own.start and p.value == own.value and (p.end, p.uid) > (own.end, own.uid))
        for p in peers
    )


def as_oracle(assertions):
    return {
        s.node: None if s.start >= s.end else (s.start, FOREVER if s.end == FOREVER else s.end, s.conflict)
        for s in timeline(assertions)
    }


@given(assertion_sets())
@example([said(1, 4, "a", 10), said(2, 3, "b", 5, by=1), said(3, 5, "c", 8, by=1), said(4, 6, "a", by=1)])
@example([said(1, 0, "a", 5), said(2, 0, "b", 9), said(3, 2, "c", by=2)])
def test_the_spells_are_those_of_the_sentences_in_the_design(assertions):
    assert as_oracle(assertions) == oracle(assertions)


@given(assertion_sets().flatmap(lambda a: st.tuples(st.just(a), st.permutations(a))))
def test_any_order_of_arrival_gives_the_same_timeline(pair):
    first, second = pair
    assert timeline(first) == timeline(second)


@given(assertion_sets())
def test_two_spells_overlap_only_in_a_conflict_of_equal_starts(assertions):
    by_node = {a.node: a for a in assertions}
    spells = [s for s in timeline(assertions) if s.start < s.end]
    for n, one in enumerate(spells):
        for other in spells[n + 1 :]:
            if one.start < other.end and other.start < one.end:
                a, b = by_node[one.node], by_node[other.node]
                assert (a.strength, a.start) == (b.strength, b.start)
                assert a.value != b.value
                assert one.conflict
                assert other.conflict


@given(assertion_sets())
def test_a_weaker_source_never_moves_a_stronger_one(assertions):
    weakest = min(a.strength for a in assertions)
    stronger = [a for a in assertions if a.strength > weakest]
    alone = {s.node: s for s in timeline(stronger)}
    assert {s.node: s for s in timeline(assertions) if s.node in alone} == alone


@given(assertion_sets())
def test_a_stated_end_holds_and_nothing_begins_before_it_was_stated(assertions):
    for own, spell in ((a, s) for s in timeline(assertions) for a in assertions if a.node == s.node):
        assert spell.start >= own.start
        assert spell.start >= spell.end or spell.end <= own.end


@given(assertion_sets())
def test_what_cut_a_spell_short_is_named_and_starts_where_it_ends(assertions):
    spells = {s.node: s for s in timeline(assertions)}
    by_node = {a.node: a for a in assertions}
    for node, spell in spells.items():
        if spell.start >= spell.end:
            continue
        if spell.end < by_node[node].end:
            assert spell.replaced_by is not None
            newer = by_node[spell.replaced_by]
            assert spell.end in {newer.start, spells[newer.node].start}
            assert newer.strength >= by_node[node].strength
        else:
            assert spell.replaced_by is None


@given(assertion_sets(), st.integers(1, 5))
def test_nothing_depends_on_when_time_began(assertions, by):
    moved = [replace(a, start=a.start + by, end=a.end if a.end == FOREVER else a.end + by) for a in assertions]
    assert [(s.node, s.start - by, s.conflict) for s in timeline(moved) if s.start < FOREVER] == [
        (s.node, s.start, s.conflict) for s in timeline(assertions) if s.start < FOREVER
    ]


def spans(*assertions):
    return {s.node: (s.start, s.end) for s in timeline(assertions) if s.start < s.end}


def test_no_assertion_gives_no_spell():
    assert timeline([]) == []


def test_a_value_holds_until_the_next_one_starts():
    assert spans(said(1, 1, "berlin"), said(2, 3, "lisbon")) == {1: (1, 3), 2: (3, FOREVER)}


def test_a_stated_end_leaves_a_gap_rather_than_reach_for_the_next_start():
    assert spans(said(1, 1, "berlin", 2), said(2, 5, "lisbon")) == {1: (1, 2), 2: (5, FOREVER)}


def test_a_value_can_come_back():
    assert spans(said(1, 1, "berlin"), said(2, 3, "lisbon"), said(3, 6, "berlin")) == {
        1: (1, 3), 2: (3, 6), 3: (6, FOREVER)
    }  # fmt: skip


def test_equal_starts_with_different_values_are_a_conflict_and_both_hold():
    one, other = timeline([said(1, 1, "berlin"), said(2, 1, "lisbon")])
    assert (one.conflict, other.conflict) == (True, True)
    assert spans(said(1, 1, "berlin"), said(2, 1, "lisbon")) == {1: (1, FOREVER), 2: (1, FOREVER)}


def test_a_later_value_ends_both_sides_of_a_conflict():
    found = timeline([said(1, 1, "berlin"), said(2, 1, "lisbon"), said(3, 4, "rome")])
    assert [(s.end, s.replaced_by) for s in found] == [(4, 3), (4, 3), (FOREVER, None)]


def test_the_same_value_from_the_same_start_holds_once():
    assert spans(said(1, 1, "berlin"), said(2, 1, "berlin")) == {2: (1, FOREVER)}


def test_a_weaker_value_waits_until_the_stronger_one_is_over():
    assert spans(said(1, 1, "berlin", 5), said(2, 3, "lisbon", by=1)) == {1: (1, 5), 2: (5, FOREVER)}


def test_a_weaker_value_that_a_stronger_one_always_covers_never_holds():
    assert spans(said(1, 1, "berlin"), said(2, 3, "lisbon", by=1)) == {1: (1, FOREVER)}


def test_a_weaker_value_ends_where_a_stronger_one_starts():
    found = {s.node: s for s in timeline([said(1, 1, "lisbon", by=1), said(2, 3, "berlin")])}
    assert (found[1].end, found[1].replaced_by) == (3, 2)


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        (Source.SYSTEM, Source.AGENT_INFERRED),
        (Source.AGENT_INFERRED, Source.IMPORT),
        (Source.IMPORT, Source.USER_STATED),
        (Source.IMPORT, Source.TOOL_VERIFIED),
    ],
)
def test_sources_bind_in_the_order_of_the_design(weaker, stronger):
    assert strength(weaker, Status.ACTIVE) < strength(stronger, Status.ACTIVE)


def test_a_user_and_a_tool_bind_equally():
    assert strength(Source.USER_STATED, Status.ACTIVE) == strength(Source.TOOL_VERIFIED, Status.ACTIVE)


@pytest.mark.parametrize("source", Source)
def test_canonical_is_above_every_source_and_a_draft_below(source):
    assert strength(source, Status.CANONICAL) >= CANONICAL_STRENGTH > strength(Source.TOOL_VERIFIED, Status.ACTIVE)
    assert strength(source, Status.DRAFT) == DRAFT_STRENGTH < strength(Source.SYSTEM, Status.ACTIVE)


def held_at(assertions, at):
    by_node = {a.node: a.value for a in assertions}
    return [by_node[s.node] for s in timeline(assertions) if s.start <= at < s.end]


BERLIN = replace(said(1, 100 * DAY, "berlin"), said=100 * DAY, dated=False)
LISBON = replace(said(2, 70 * DAY, "lisbon"), said=101 * DAY)


def test_a_change_that_is_told_as_news_ends_what_was_told_before_it_without_a_start():
    graz = replace(said(3, 99 * DAY, "graz"), said=99 * DAY, dated=False)
    for told in permutations([BERLIN, LISBON, graz]):
        assert held_at(told, 200 * DAY) == ["lisbon"]
        assert held_at(told, 70 * DAY) == ["lisbon"]
        assert not any(spell.conflict for spell in timeline(told))


@pytest.mark.parametrize(
    "change",
    [
        replace(LISBON, said=99 * DAY),  # told before it
        replace(LISBON, start=100 * DAY - NEWS - 1),  # history
        replace(LISBON, end=90 * DAY),  # over before it
        replace(LISBON, strength=BERLIN.strength - 1),
        replace(LISBON, ends=True),
        replace(LISBON, dated=False),
    ],
)
def test_what_is_no_news_leaves_what_was_told_in_its_place(change):
    assert "berlin" in held_at([BERLIN, change], 200 * DAY)
