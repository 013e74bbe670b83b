"""retire and compact: what they take, what they leave, and that all of it comes back."""

from datetime import timedelta

import pytest

from observed import derived, rows, seen

MONTH = timedelta(days=31)


def test_temporary_memories_are_archived_after_a_month(mind, clock):
    scrap = mind.remember("parking spot 14", importance="temporary").id
    clock.advance(timedelta(days=29))
    assert mind.upkeep.due()["retire"] == 0
    clock.advance(timedelta(days=2))
    assert mind.upkeep("retire").changed == 1
    assert mind.get(scrap).status == "archived"
    assert mind.rank("parking spot") == []
    assert mind.rank("parking spot", include_past=True)[0].id == scrap


@pytest.mark.parametrize("importance", ["critical", "important", "normal"])
def test_nothing_else_is_ever_archived(mind, clock, importance):
    one = mind.remember("parking spot 14", importance=importance).id
    clock.advance(timedelta(days=4000))
    assert mind.upkeep("retire").changed == 0
    assert mind.get(one).importance == importance


@pytest.mark.parametrize(
    "needed",
    [
        lambda m, one: m.set_status(one, "canonical"),
        lambda m, one: m.check(one),
        lambda m, _: m.remember("parking spot 14", importance="temporary"),
        lambda m, one: m.append(one, "on level 2"),
        lambda m, one: (m.used([one]), m.flush()),
    ],
    ids=["canonical", "checked", "told again", "appended to", "used"],
)
def test_what_somebody_needed_stays(mind, clock, needed):
    one = mind.remember("parking spot 14", importance="temporary").id
    clock.advance(timedelta(days=20))
    needed(mind, one)
    clock.advance(timedelta(days=20))
    assert mind.upkeep("retire").changed == 0


def test_each_comes_back_by_itself_and_has_another_month(mind, clock):
    ids = [mind.remember(f"parking spot {n}", importance="temporary").id for n in range(3)]
    clock.advance(MONTH)
    before, kept = seen(mind.path), derived(mind.path)
    ran = mind.upkeep("retire")
    mind.undo(ran.journals[1])
    assert [mind.get(one).status for one in ids] == ["archived", "active", "archived"]
    mind.undo(ran.journals[0])
    mind.undo(ran.journals[2])
    assert seen(mind.path) == before
    assert derived(mind.path) == kept
    assert mind.upkeep.due()["retire"] == 0
    clock.advance(MONTH)
    assert mind.upkeep.due()["retire"] == 3


SAME = [
    ("The shed smells of tar.", "the shed smells of tar"),
    ("The kiln hums at dawn", "Kiln hums at dawn!"),
    ("Ann said: the door, it sticks", "Ann said the door it sticks."),
]
OTHER = [
    ("widget 7 is in bin 12", "widget 8 is in bin 13"),
    ("Ann likes tea", "Bob likes tea"),
    ("The shed has a door", "The shed has no door"),
    ("PROJ-8841 is open", "PROJ-8814 is open"),
    ("Deploy on Monday, test on Friday", "Test on Monday, deploy on Friday"),
    ("The kiln hums", "The kiln hums and the roof leaks"),
]


@pytest.mark.parametrize(("first", "again"), SAME)
def test_the_same_words_become_one_without_a_model(mind, first, again):
    one, two = mind.remember(first, tags=["red"]).id, mind.remember(again, tags=["blue"]).id
    ran = mind.upkeep("compact")
    assert (ran.taken, ran.changed) == (2, 1)
    assert mind.get(two).id == one
    assert (mind.get(one).text, mind.get(one).evidence_count, mind.get(one).tags) == (first, 2, ("blue", "red"))
    assert len(mind.rank(first)) == 1


@pytest.mark.parametrize(("first", "again"), OTHER)
def test_other_facts_stay_two(mind, first, again):
    mind.remember_many([first, again])
    assert mind.upkeep("compact").changed == 0
    assert {m.text for m in mind.list_recent()} == {first, again}


@pytest.mark.parametrize(
    "about",
    [
        {"importance": "critical"}, {"status": "canonical"}, {"kind": "episodic"}, {"subject": "kiln"},
        {"valid_to": "2027"}, {"occurred": "2026-05-01"}, {"metadata": {"a": 1}}, {"confidence": 0.5},
        {"source": "agent_inferred"}, {"claim": "verified"}, {"role": "fact"},
    ],
    ids=lambda about: next(iter(about)),
)  # fmt: skip
def test_the_same_words_described_otherwise_stay_two(mind, about):
    mind.remember("the kiln hums at dawn")
    mind.remember("The kiln hums at dawn.", **about)
    assert mind.upkeep("compact").changed == 0


def test_what_is_canonical_is_not_merged_away(mind):
    for text in ("the kiln hums at dawn", "The kiln hums at dawn."):
        mind.set_status(mind.remember(text).id, "canonical")
    assert mind.upkeep("compact").changed == 0


def test_compaction_goes_through_the_texts_once_and_takes_up_new_ones(mind):
    ids = [mind.remember(f"note {n} on the kiln").id for n in range(10)]
    assert [mind.upkeep("compact", limit=4).taken for _ in range(4)] == [4, 4, 2, 0]
    mind.revise(ids[3], "Note 5 on the kiln.")
    ran = mind.upkeep("compact")
    assert (ran.before, ran.changed) == (1, 1)
    assert mind.get(ids[5]).id == ids[3], "the earlier memory stays, whichever text is newer"


def test_a_merge_is_undone_and_not_made_again(mind):
    one, two = mind.remember("the kiln hums at dawn", tags=["red"]).id, mind.remember("The kiln hums at dawn.").id
    before, kept = seen(mind.path), derived(mind.path)
    ran = mind.upkeep("compact")
    mind.undo(ran.journals[0])
    assert seen(mind.path) == before
    assert derived(mind.path) == kept
    assert mind.get(two).id == two
    mind.append(two, "since May")
    mind.revise(two, "the kiln hums at dawn!")
    assert mind.upkeep("compact").changed == 0, "somebody parted them"
    assert one


def test_nothing_is_deleted(mind, clock):
    for n in range(5):
        mind.remember_many([f"scrap {n}", f"Scrap {n}."])
    counts = "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM frame), (SELECT count(text) FROM frame)"
    before = rows(mind.path, counts)
    clock.advance(MONTH)
    for name in mind.upkeep.due():
        mind.upkeep(name)
    assert rows(mind.path, counts) == before
