"""Filters through the whole pipeline: each field, narrowing and widening, and lanes that obey the one predicate."""

from datetime import UTC, datetime

import pytest

from noosphere import Turn
from noosphere.model.trace import Gathered
from noosphere.recall.weights import POOL
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind


@pytest.fixture
def filled(mind):
    mind.remember("topic one", role="decision", kind="episodic", tags=["work", "money"], subject="Apollo")
    mind.remember("topic two", importance="critical", source="import", claim="verified", status="canonical")
    mind.remember("topic three", volatility="state", occurred="2024-03", role="event")
    mind.record("chat", [
        Turn(key="a", speaker="Ann", text="topic four", at="2025-01-01T10:00:00Z", session="s1"),
        Turn(key="b", speaker="Bob", text="topic five", at="2025-06-01T10:00:00Z", session="s2"),
    ], participants=["Ann", "Bob"], tags=["talk"])  # fmt: skip
    mind.record("other", [Turn(key="x", speaker="Ann", text="topic six", at="2025-02-01T10:00:00Z")],
                participants=["Ann", "Cy"])  # fmt: skip
    return mind


def found(mind, **asked):
    return {h.text.removeprefix("topic ") for h in mind.rank("topic", k=50, filters=asked)}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, {"one", "two", "three", "four", "five", "six"}),
        ({"tag": "work"}, {"one"}),
        ({"tags": ["work", "money"]}, {"one"}),
        ({"tags": ["work", "talk"]}, set()),
        ({"tag": "talk"}, {"four", "five"}),
        ({"tag": "nobody uses this"}, set()),
        ({"kind": "episodic"}, {"one", "three", "four", "five", "six"}),
        ({"status": "canonical"}, {"two"}),
        ({"status": ["canonical", "active"]}, {"one", "two", "three", "four", "five", "six"}),
        ({"volatility": "state"}, {"three"}),
        ({"class": "conversation"}, {"four", "five", "six"}),
        ({"class": "memory"}, {"one", "two", "three"}),
        ({"role": "decision"}, {"one"}),
        ({"role": ["decision", "event"]}, {"one", "three"}),
        ({"role": "turn"}, {"four", "five", "six"}),
        ({"importance": "critical"}, {"two"}),
        ({"source": "import"}, {"two"}),
        ({"claim": "verified"}, {"two"}),
        ({"speaker": "ANN"}, {"four", "six"}),
        ({"speaker": ["Ann", "Bob"]}, {"four", "five", "six"}),
        ({"participant": "Cy"}, {"six"}),
        ({"participants": ["Ann", "Bob"]}, {"four", "five"}),
        ({"conversation": "chat"}, {"four", "five"}),
        ({"conversation": "nobody"}, set()),
        ({"session": "s2"}, {"five"}),
        ({"subject": "apollo"}, {"one"}),
        ({"since": "2025-02"}, {"one", "two", "five", "six"}),
        ({"until": "2025-01"}, {"three", "four"}),
        ({"since": "2025", "until": "2025-03"}, {"four", "six"}),
        ({"speaker": "Ann", "conversation": "other"}, {"six"}),
        ({"tag": "talk", "speaker": "Bob"}, {"five"}),
    ],
)
def test_each_filter_leaves_what_it_names(filled, asked, expected):
    assert found(filled, **asked) == expected


def test_a_conversation_and_a_session_are_named_by_key_or_id(filled):
    hit = filled.rank("topic four", filters={"conversation": "chat", "session": "s1"})[0]
    assert {
        found(filled, conversation=hit.node) == {"four", "five"},
        found(filled, session=hit.session) == {"four"},
    } == {True}


def test_a_key_that_looks_like_an_id_is_found_as_a_key(mind):
    key, room = "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"
    mind.record(key, [Turn(key="a", speaker="Ann", text="topic", session=room)])
    assert found(mind, conversation=key) == {"topic"}
    assert found(mind, session=room) == {"topic"}
    assert found(mind, conversation=room) == set()


@pytest.mark.parametrize("status", ["archived", "deprecated"])
def test_a_status_that_is_kept_in_the_past_is_found_when_it_is_asked_for(filled, status):
    shelved = filled.remember("topic seven", status=status)
    assert found(filled) == {"one", "two", "three", "four", "five", "six"}
    assert found(filled, status=status) == {"seven"}
    assert found(filled, status=["active", status]) == {"one", "three", "four", "five", "six", "seven"}
    filled.forget(shelved.id)
    assert found(filled, status=status) == set()


def test_a_filter_of_another_mind_finds_nothing(filled):
    """Names with wild cards match nothing but themselves."""
    for wild in ("a_b", "%", "wor_", "*", "work' OR '1'='1", "../work"):
        assert found(filled, tag=wild) == set()
        assert found(filled, conversation=wild) == set()
        assert found(filled, session=wild) == set()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """5,000 memories about one thing, three of them critical and said last."""
    with scratch_mind(tmp_path_factory.mktemp("large")) as opened:
        drafts = [f"topic number {n} of many" for n in range(4997)]
        opened.remember_many(drafts)
        for n in range(3):
            opened.remember(
                f"topic in passing {n} " + "and much else besides " * 10, importance="critical", tags=["rare"]
            )
        yield opened


def gathered(ranked, lane="keyword"):
    return next(s for s in ranked.trace.steps if isinstance(s, Gathered) and s.lane == lane)


def test_a_filter_that_leaves_3_of_5000_still_finds_them_and_the_trace_says_how(large):
    ranked = large.ranked("topic", 10, filters={"importance": "critical"})
    assert {h.importance for h in ranked.hits} == {"critical"}
    assert len(ranked.hits) == 3
    step = gathered(ranked)
    assert step.widened >= 2
    assert step.exhausted
    assert dict(step.hidden) == {"left out by a filter": 4997}
    assert "widened" in ranked.trace.explain()
    assert "4997 left out by a filter" in ranked.trace.explain()


def test_a_tag_narrows_before_the_lane_looks(large):
    ranked = large.ranked("topic", 10, filters={"tag": "rare"})
    assert len(ranked.hits) == 3
    assert (gathered(ranked).widened, gathered(ranked).hidden) == (0, ())


def test_without_a_filter_nothing_widens(large):
    ranked = large.ranked("topic", 10)
    assert gathered(ranked).widened == 0
    assert len(gathered(ranked).found) == POOL["fast"]


@pytest.fixture
def sorts(thinking):
    """One memory for every reason to be hidden, all with the same words, embedded."""
    made = {
        "current": thinking.remember("quagga shown", title="current"),
        "forgotten": thinking.remember("quagga hidden 1"),
        "archived": thinking.remember("quagga hidden 2", status="archived"),
        "ended": thinking.remember("quagga hidden 3", valid_from="2020", valid_to="2021"),
        "later": thinking.remember("quagga hidden 4", valid_from="2030"),
        "edited": thinking.remember("quagga hidden 5"),
        "weaker": thinking.remember("quagga hidden 6", slot="x.status", value="b", source="agent_inferred"),
    }
    thinking.forget(made["forgotten"].id)
    thinking.revise(made["edited"].id, "okapi now")
    thinking.remember("quagga shown too", slot="x.status", value="a", valid_from="2020")
    turns = thinking.record("chat", [Turn(key=k, speaker="Ann", text=f"quagga {k}") for k in ("shown", "hidden")])
    thinking.forget(turns.added[1])
    thinking.flush()
    return thinking


@pytest.mark.parametrize("lane", ["keyword", "semantic"])
def test_every_lane_shows_only_what_may_be_shown(sorts, lane):
    ranked = sorts.ranked("quagga shown hidden", 50, lanes=[lane])
    texts = {h.text for h in ranked.hits if "quagga" in h.text}
    assert texts == {"quagga shown", "quagga shown too"}
    step = gathered(ranked, lane)
    assert {reason for reason, _ in step.hidden} <= {"not true yet"}


@pytest.mark.parametrize("lane", ["keyword", "semantic"])
def test_every_lane_looks_into_the_past_when_asked(sorts, lane):
    ranked = sorts.ranked("quagga shown hidden", 50, lanes=[lane], include_past=True)
    texts = {h.text for h in ranked.hits if "quagga" in h.text}
    assert texts == {
        "quagga shown", "quagga shown too", "quagga hidden 2", "quagga hidden 3", "quagga hidden 5"
    }  # fmt: skip
    assert {h.text for h in ranked.hits if "quagga" in h.text and not h.current} == {
        "quagga hidden 2", "quagga hidden 3", "quagga hidden 5"
    }  # fmt: skip


@pytest.mark.parametrize("lane", ["keyword", "semantic"])
def test_every_lane_answers_as_of_another_time(sorts, lane):
    ranked = sorts.ranked("quagga shown hidden", 50, lanes=[lane], as_of="2020-06-01")
    assert {h.text for h in ranked.hits} == {"quagga hidden 3", "quagga shown too"}
    later = sorts.ranked("quagga shown hidden", 50, lanes=[lane], as_of=datetime(2031, 1, 1, tzinfo=UTC))
    assert "quagga hidden 4" in {h.text for h in later.hits}


def test_what_was_forgotten_is_in_no_lane_of_any_view(sorts):
    for view in ({"include_past": True}, {"as_of": "2026-05-15"}, {"known_at": "2026-05-15"}):
        texts = {h.text for h in sorts.rank("quagga hidden", 50, **view)}
        assert not texts & {"quagga hidden 1", "quagga hidden"}


def test_many_chunks_of_long_documents_do_not_crowd_out_a_filtered_one(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(), semantic="encoder") as mind:
        long = " ".join(["quagga stripes"] * 4000)
        mind.remember_many([f"{n} {long}" for n in range(12)])
        wanted = mind.remember("quagga " + "other words entirely " * 3, importance="critical")
        mind.flush()
        ranked = mind.ranked("quagga stripes", 5, lanes=["semantic"], filters={"importance": "critical"}, unsure=True)
        assert [h.id for h in ranked.hits] == [wanted.id]
