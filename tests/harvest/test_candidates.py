"""What a harvest learns joins what it repeats, and goes to review when it may contradict something that matters."""

import pytest

ROLES = ("decision", "preference", "decision", "preference")
PAIRS = [
    (
        "We decided to host the billing service on Kestrel.",
        "We decided to host the billing service on Ospreya.",
        "a name",
    ),
    ("We decided to order 300 tiles for the hall.", "We decided to order 450 tiles for the hall.", "a number"),
    ("We decided to open the tea shop in March.", "We decided to open the tea shop in June.", "a date"),
    ("Always answer in metric units.", "Never answer in metric units.", "a word and its opposite"),
]


def talk(folder, name, said, day="2026-03-10"):
    path = folder / name
    path.write_text("".join(f"{day} 10:{n:02d} {who}: {text}\n" for n, (who, text) in enumerate(said)), "utf-8")
    return path


def told(*texts):
    said = [line for text in texts for line in (("Ann", text), ("Bo", "Good to know."))]
    return [("Bo", "Hello there."), ("Ann", "Hello."), *said]


def learn(mind, *paths):
    mind.harvest(*paths)
    return mind.harvest.learn()


def sides(mind):
    return [[side.text for side in one.sides] for one in mind.review.conflicts()]


@pytest.mark.parametrize(("old", "new", "detail"), PAIRS)
def test_what_differs_in_a_detail_is_kept_and_listed_with_the_reason(mind, tmp_path, old, new, detail):
    found = learn(mind, talk(tmp_path, "a.txt", told(old)))
    assert found.candidates == 0
    found = learn(mind, talk(tmp_path, "b.txt", told(new), "2026-05-02"))
    assert (found.added, found.candidates) == (1, 1)
    (waits,) = mind.review.conflicts()
    assert waits.cause == "candidate"
    assert detail in waits.why
    assert [side.text for side in waits.sides] == [old, new]
    assert all(side.current for side in waits.sides)
    assert mind.review() == [waits]
    assert mind.doctor().healthy


def test_what_comes_in_together_is_compared_too(mind, tmp_path):
    old, new, _ = PAIRS[0]
    assert learn(mind, talk(tmp_path, "a.txt", told(old, new))).candidates == 1
    assert sides(mind) == [[old, new]]


def test_what_somebody_told_before_is_compared_with_an_import(mind, tmp_path):
    old, new, _ = PAIRS[0]
    mind.remember(old, importance="critical", said_at="2026-01-05")
    learn(mind, talk(tmp_path, "a.txt", told(new)))
    assert sides(mind) == [[old, new]]


def test_a_harvest_again_or_in_two_parts_asks_once(mind, tmp_path):
    old, new, _ = PAIRS[0]
    paths = talk(tmp_path, "a.txt", told(old)), talk(tmp_path, "b.txt", told(new), "2026-05-02")
    learn(mind, *paths)
    again = learn(mind, *paths, talk(tmp_path, "c.txt", told(new), "2026-05-03"))
    assert (again.added, again.candidates, len(mind.review())) == (0, 0, 1)


@pytest.mark.parametrize("keep", ["both", "new", "old"])
def test_it_is_settled_by_the_verbs_that_are_there_and_undone(mind, tmp_path, keep):
    old, new, _ = PAIRS[0]
    learn(mind, talk(tmp_path, "a.txt", told(old)), talk(tmp_path, "b.txt", told(new), "2026-05-02"))
    (waits,) = mind.review.conflicts()
    first, second = (side.id for side in waits.sides)
    settled = mind.review.settle(waits.id, {"old": first}.get(keep, keep))
    assert mind.review() == []
    current = {text for one, text in ((first, old), (second, new)) if mind.get(one).current}
    assert current == {"both": {old, new}, "new": {new}, "old": {old}}[keep]
    if keep == "new":  # what was decided first held until the other was
        assert settled.ended == (first,)
        assert old in {hit.text for hit in mind.rank("billing service host", as_of="2026-04-01")}
    mind.undo(settled.journal)
    assert len(mind.review()) == 1
    mind.forget(second)
    assert mind.review() == []


def test_the_mark_itself_is_undone_and_not_set_again(mind, tmp_path):
    old, new, _ = PAIRS[0]
    learn(mind, talk(tmp_path, "a.txt", told(old, new)))
    (mark,) = (entry for entry in mind.journal(50) if entry.verb == "contradict")
    mind.undo(mark.id)
    assert mind.review() == []
    learn(mind, talk(tmp_path, "c.txt", told(new), "2026-05-03"))
    assert mind.review() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We decided to host the billing service on Kestrel.", "We decided to paint the fence of the garden green."),
        ("Ann decided to lease the small van for deliveries.", "Bob decided to lease the small van for deliveries."),
        ("I need to call the plumber by Friday.", "I need to call the plumber by Monday."),
        ("I prefer the narrow notebook for sketches.", "I prefer the narrow notebook for sketches, if it is lined."),
    ],
)
def test_what_is_another_thing_is_not_asked_about(mind, tmp_path, old, new):
    learn(mind, talk(tmp_path, "a.txt", told(old, new)))
    assert mind.review() == []


def test_two_people_may_prefer_different_things(mind, tmp_path):
    said = [
        ("Ann", PAIRS[3][0]),
        ("Bo", "I always answer letters in Dutch."),
        ("Ann", "I never answer letters in Dutch."),
    ]
    learn(mind, talk(tmp_path, "a.txt", [*said, ("Bo", "Fine.")]))
    assert mind.review() == []


@pytest.mark.parametrize("importance", ["normal", "temporary"])
def test_what_does_not_matter_is_not_asked_about(mind, tmp_path, importance):
    mind.remember("The red kettle is in locker 14 downstairs", importance=importance)
    learn(mind, talk(tmp_path, "a.txt", told("The red kettle is in locker 15 downstairs.")))
    assert mind.review() == []


def test_a_repetition_in_nearly_the_same_words_is_evidence_and_no_second_memory(mind, tmp_path):
    said = "I'll definitely thank Linda and mention the sections she helped with."
    first = learn(mind, talk(tmp_path, "a.txt", told(said)))
    again = learn(mind, talk(tmp_path, "b.txt", told(said.replace("definitely ", "")), "2026-05-02"))
    assert (first.added, again.added, again.known) == (1, 0, 1)
    (memory,) = [one for one in map(mind.get, (m.id for m in mind.list_recent(20))) if "learnt" in one.tags]
    assert (memory.text, memory.evidence_count) == (said, 2)
    (merge,) = (entry for entry in mind.journal(50) if entry.verb == "duplicate.merge")
    mind.undo(merge.id)
    assert mind.get(memory.id).evidence_count == 1


def test_a_note_that_contradicts_what_matters_is_listed_and_stays_a_note_of_its_own(mind, tmp_path):
    old, new, _ = PAIRS[0]
    mind.remember(old, importance="important", said_at="2026-01-05")
    (tmp_path / "billing.md").write_text(f"{new}\n", "utf-8")
    assert mind.harvest(tmp_path / "billing.md").added == 1
    assert sides(mind) == [[old, new]]
    assert mind.harvest(tmp_path / "billing.md").added == 0
