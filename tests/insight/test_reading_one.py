"""get, history, journal, tags, stats and status: what is known of one thing, and of the whole mind."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from noosphere import InvalidInput, Turn, plain
from observed import journal_texts


def test_a_memory_is_read_by_its_node_or_any_of_its_frames(mind):
    stored = mind.remember("a")
    revised = mind.revise(stored.id, "b")
    branch = mind.branch(stored.id, "c")
    read = [mind.get(i) for i in (stored.id, stored.frame, revised.frame, branch.frame)]
    assert {(m.id, m.text) for m in read} == {(stored.id, "b")}


def test_what_holds_is_told_with_its_dates(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2020")
    mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", valid_from="2030")
    memory = mind.get(first.id)
    assert (memory.holds_from, memory.holds_to) == (datetime(2020, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
    assert memory.current
    clock.set(datetime(2031, 1, 1, tzinfo=UTC))
    assert not mind.get(first.id).current


def test_a_memory_that_only_ended_began_before_it_was_recorded(mind):
    memory = mind.get(mind.remember("the old office", valid_to="2019").id)
    assert memory.valid_to == datetime(2019, 1, 1, tzinfo=UTC)
    assert not memory.current
    assert memory.holds_to == memory.valid_to
    assert plain(memory)["valid_from_basis"] == "stated"


def test_the_history_shows_every_version_text_and_spell(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    mind.revise(first.id, "Ann lives in Berlin-Mitte")
    mind.classify(first.id, importance="critical")
    second = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome")
    history = mind.history(first.id)
    assert [v.verb for v in history.versions] == ["remember", "revise", "classify"]
    assert [v.version for v in history.versions] == [1, 2, 3]
    assert history.versions[-1].known_to is None
    assert history.versions[2].state["importance"] == "critical"
    assert [t for _, t in history.texts] == ["Ann lives in Berlin", "Ann lives in Berlin-Mitte"]
    assert [s[0] for s in history.spells] == [first.id, second.id]
    assert history.spells[0][2] == history.spells[1][1]
    assert history.spells[1][2] is None
    assert mind.history(second.id).spells == history.spells


def test_a_turn_leads_to_the_history_of_its_conversation(mind):
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="x")])
    assert mind.history(recorded.added[0]).id == recorded.conversation
    assert mind.history(recorded.conversation).node_class == "conversation"


def test_the_journal_lists_the_newest_first_for_all_or_for_one(mind):
    first, second = mind.remember("a"), mind.remember("b")
    mind.classify(first.id, importance="critical")
    entries = mind.journal()
    assert [e.verb for e in entries] == ["classify", "remember", "remember"]
    assert [e.id for e in mind.journal(target=first.id)] == [entries[0].id, first.journal]
    assert [e.id for e in mind.journal(1)] == [entries[0].id]
    assert (entries[1].id, entries[1].target) == (second.journal, second.id)
    assert {(e.actor, e.channel) for e in entries} == {("user", "python")}
    assert entries[0].at > entries[1].at > entries[2].at


def test_the_journal_never_holds_a_word_of_what_was_said(mind):
    stored = mind.remember("tulipa", tags=["rosa"], title="lilia", metadata={"viola": "iris"}, evidence="malva:1",
                           slot="daphne.likes", value="dahlia")  # fmt: skip
    mind.append(stored.id, "primula")
    mind.branch(stored.id, "petunia", description="zinnia")
    mind.record("aster", [Turn(key="erica", speaker="flora", text="acacia", session="salvia")], participants=["flora"])
    mind.entity("magnolia", "person", properties={"kalmia": 1})
    mind.classify(stored.id, title="begonia", remove_tags=["rosa"])
    mind.forget(stored.id)
    mind.undo(mind.journal(1)[0].id)
    flowers = re.compile(
        "tulipa|rosa|lilia|viola|iris|malva|daphne|dahlia|primula|petunia|zinnia|aster|erica|flora|acacia|salvia|"
        "magnolia|kalmia|begonia"
    )
    for text in journal_texts(mind.path):
        assert not flowers.search(text)


@pytest.mark.parametrize("limit", [0, -1, 10_001, "5", 2.0, None, True])
def test_a_journal_has_a_sensible_length(mind, limit):
    with pytest.raises(InvalidInput, match="limit"):
        mind.journal(limit)


def test_tags_are_counted_over_what_is_in_use(mind):
    stored = [mind.remember(f"m{n}", tags=["all", f"only{n}"]) for n in range(3)]
    mind.entity("Ann", "person", tags=["all"])
    mind.record("chat", [], tags=["all"])
    mind.set_status(stored[1].id, "archived")
    mind.forget(stored[2].id)
    assert mind.tags() == {"all": 3, "only0": 1}
    assert next(iter(mind.tags())) == "all"


def test_stats_count_what_there_is(mind):
    mind.remember("a", role="fact", importance="critical", tags=["x"])
    forgotten = mind.remember("b")
    archived = mind.remember("c", source="import")
    mind.record("chat", [Turn(key=k, speaker="Ann", text=f"turn {k}") for k in "ab"])
    mind.entity("Ann", "person")
    mind.forget(forgotten.id)
    mind.set_status(archived.id, "archived")
    stats = mind.stats()
    assert (stats.memories, stats.forgotten, stats.past) == (2, 1, 1)
    assert (stats.conversations, stats.turns, stats.entities, stats.sessions) == (1, 2, 1, 2)
    assert (stats.frames, stats.journal, stats.tags, stats.edges) == (6, 7, 1, 0)
    assert stats.by_role == {"fact": 1, "note": 1}
    assert stats.by_status == {"active": 1, "archived": 1}
    assert stats.by_importance == {"critical": 1, "normal": 1}
    assert stats.by_source == {"import": 1, "user_stated": 1}
    assert stats.by_kind == {"semantic": 2}
    assert stats.pending == {}


def test_the_status_says_what_is_in_force_and_from_where(mind, tmp_path):
    status = mind.status()
    assert (status.mind, status.uuid, status.path) == ("scratch", mind.uuid, str(tmp_path / "scratch.db"))
    assert (status.zone, status.read_only, status.active_space, status.lanes) == (
        "UTC",
        False,
        None,
        ("keyword", "window", "hops"),
    )
    assert all("semantic" in problem for problem in status.off)
    settings = {s.name: (s.value, s.origin) for s in status.settings}
    assert settings["background"] == (False, "argument")
    assert settings["durability"] == ("normal", "default")
    assert plain(status)["settings"]


def test_every_answer_is_plain_json(mind):
    stored = mind.remember("a", tags=["t"], occurred="2026-05")
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="a")])
    person = mind.entity("Ann", "person")
    answers = [
        stored, recorded, person, mind.get(stored.id), mind.get(recorded.conversation), mind.get(recorded.added[0]),
        mind.get(person.id), mind.history(stored.id), mind.journal(), mind.rank("a"), mind.recall("a"), mind.stats(),
        mind.status(), mind.doctor(), mind.forget(stored.id), mind.sessions.list(),
    ]  # fmt: skip
    for answer in answers:
        assert json.loads(json.dumps(plain(answer))) == plain(answer)
