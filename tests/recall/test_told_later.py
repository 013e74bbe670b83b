"""What was told later stands first when it probably tells what became of a better match."""

import pytest

from noosphere import Turn
from noosphere.model.trace import Outlived, Overtaken, Waiting
from noosphere.recall.overtaking import data, features, least, p, told
from noosphere.testing.minds import scratch_mind

OVERTAKEN = (
    ("What does our CI run on?", "CI runs on self-hosted Jenkins in the basement rack.",
     "Jenkins was switched off today, every pipeline is on GitHub Actions now."),
    ("Who looks after the runbook?", "Runbook owner for payments: Anjali.",
     "Anjali has moved to fraud, so Teo has got the payments runbook now."),
    ("How many requests may I send to the orders API?", "The orders API allows 60 requests a minute.",
     "The vendor agreed, our orders calls may go up to 200 a minute now."),
    ("When is the grant application due?", "The grant application is due 14 March.",
     "The funder extended it, we've now got till 28 March with the grant application."),
)  # fmt: skip
BESIDE = (
    ("Which school does my eldest go to?", "My eldest goes to the Montessori school.",
     "My youngest goes to the village school."),
    ("How much is the rent for the studio?", "Rent for the studio is 500 pounds.",
     "If the rent for the studio ever went to 600 I might be out."),
    ("What does Tess drink?", "Tess drinks oat milk.", "Should Tess perhaps try soy?"),
)  # fmt: skip


@pytest.fixture
def mind(tmp_path):
    with scratch_mind(tmp_path, semantic="encoder") as opened:
        yield opened


def asked(mind, question, *texts, **options):
    for month, text in enumerate(texts, start=1):
        mind.remember(text, said_at=f"2024-{month:02}-10")
    mind.flush()
    return mind.rank(question, unsure=True, **options)


@pytest.mark.parametrize(("question", "earlier", "later"), OVERTAKEN)
def test_what_became_of_a_thing_stands_before_how_it_was(mind, question, earlier, later):
    first, second, *_ = asked(mind, question, earlier, later)
    assert (first.text, second.text) == (later, earlier)
    assert second.overtaken_by == first.id
    assert first.overtaken_by is None
    assert first.score >= second.score


@pytest.mark.parametrize(("question", "earlier", "later"), BESIDE)
def test_a_thing_of_the_same_kind_or_a_mere_thought_stays_behind(mind, question, earlier, later):
    best = asked(mind, question, earlier, later)[0]
    assert best.text == earlier
    assert best.overtaken_by is None


def test_the_trace_and_the_text_say_what_was_put_first(mind):
    question, earlier, later = OVERTAKEN[0]
    asked(mind, question, earlier, later)
    answer = mind.recall(question, unsure=True)
    (step,) = [step for step in answer.trace.steps if isinstance(step, Overtaken)]
    ((newer, older, sureness),) = step.pairs
    assert (newer, older) == (answer.hits[0].id, answer.hits[1].id)
    assert sureness >= least()
    assert f"later: {newer} before {older}" in answer.explain()
    assert f"probably overtaken by {newer}" in answer.text


def test_the_earlier_one_stands_first_while_the_later_was_not_told(mind):
    question, earlier, later = OVERTAKEN[0]
    asked(mind, question, earlier, later)
    assert [hit.text for hit in mind.rank(question, as_of="2024-01-20", unsure=True)] == [earlier]


def test_who_asks_for_the_past_gets_the_best_match_first(mind):
    question, earlier, later = OVERTAKEN[0]
    assert asked(mind, question, earlier, later, include_past=True)[0].text == earlier


def test_the_order_of_arrival_does_not_matter(mind):
    question, earlier, later = OVERTAKEN[0]
    mind.remember(later, said_at="2024-02-10")
    mind.remember(earlier, said_at="2024-01-10")
    mind.flush()
    assert mind.rank(question, unsure=True)[0].text == later


def test_turns_stand_as_they_were_said(mind):
    question, earlier, later = OVERTAKEN[0]
    mind.record("talk", turns=[Turn(key=str(n), speaker="Ann", text=text) for n, text in enumerate((earlier, later))])
    mind.flush()
    assert all(hit.overtaken_by is None for hit in mind.rank(question, unsure=True))


def test_every_feature_has_a_weight_and_every_way_is_written_as_it_is_looked_for():
    weights = data()["weights"]
    values = features(told("Who?"), told("Ann."), told("Now Ben."), 0.5)
    assert weights.keys() - {"base"} == values.keys()
    assert 0 < p(values) < 1
    ways = [way for of in data()["ways"].values() for way in of]
    assert all(way == " ".join(way.casefold().split()) for way in ways)
    assert len(ways) == len(set(ways))


EXCHANGES = (
    ("where do I work?", "I work at Bluefin.", "I left Bluefin, I work at Marlowe now."),
    ("where do I live?", "I live in Berlin.", "I moved to Lisbon last week."),
    ("who is my manager?", "My manager is Dana Roe.", "My manager is Tom Ashe now."),
)


@pytest.mark.parametrize(("question", "earlier", "later"), EXCHANGES)
def test_a_turn_of_which_nothing_holds_stands_behind_what_took_its_place(mind, question, earlier, later):
    for month, text in enumerate((earlier, later), start=1):
        mind.cognify(
            {"conversation": "talk", "key": str(month), "user": text, "assistant": "Noted, thanks for telling me.",
             "said_at": f"2024-{month:02}-10T10:00Z"}
        )  # fmt: skip
    mind.flush()
    hits = mind.rank(question, unsure=True)
    assert hits[0].text == later
    (old,) = [hit for hit in hits if hit.text == earlier]
    (fact,) = [hit for hit in hits if hit.text == later and hit.conversation is None]
    assert old.overtaken_by == fact.id
    answer = mind.recall(question, unsure=True)
    (step,) = [step for step in answer.trace.steps if isinstance(step, Outlived)]
    assert step.pairs == ((old.id, fact.id),)
    assert f"nothing of {old.id} holds any more, {fact.id} took its place" in answer.explain()
    then = mind.rank(question, as_of="2024-01-20", unsure=True)
    assert then[0].text == earlier
    assert then[0].overtaken_by is None


def test_a_turn_that_also_tells_what_still_holds_stays_where_it_is(mind):
    texts = ("I work at Bluefin. My sister Ann lives in Oslo.", "I left Bluefin, I work at Marlowe now.")
    for month, text in enumerate(texts, start=1):
        mind.cognify({"conversation": "talk", "key": str(month), "user": text, "said_at": f"2024-{month:02}-10T10:00Z"})
    mind.flush()
    assert all(hit.overtaken_by is None for hit in mind.rank("where does Ann live?", unsure=True))


def test_who_asks_what_is_to_come_is_shown_what_waits_behind_what_holds(mind):
    now = mind.remember("I work at Bosch.", said_at="2024-01-01")
    later = mind.remember("I start at Siemens on 4 March.", said_at="2024-02-01")
    mind.flush()
    answer = mind.recall("Where will I work?", now="2024-02-10", unsure=True)
    assert [hit.id for hit in answer.hits] == [now.id, later.id]
    assert [hit.current for hit in answer.hits] == [True, False]
    assert answer.hits[1].begins.date().isoformat() == "2024-03-04"
    assert "not yet, from 2024-03-04" in answer.text
    assert [hit.id for hit in mind.rank("Where do I work?", now="2024-02-10")] == [now.id]
    assert mind.rank("When do I start at Siemens?", now="2024-02-10")[0].id == later.id
    assert [hit.id for hit in mind.rank("Where do I work?", now="2024-03-10")] == [later.id]


def test_the_trace_says_what_was_put_behind_because_it_waits(mind):
    mind.remember("The standup is at 9:30.", said_at="2024-01-01")
    later = mind.remember("From 4 March the standup is at 10:15.", said_at="2024-02-01")
    mind.flush()
    answer = mind.recall("When is the standup?", now="2024-02-10", unsure=True)
    assert answer.hits[-1].id == later.id
    (step,) = [step for step in answer.trace.steps if isinstance(step, Waiting)]
    assert step.ids == (later.id,)
    assert "waiting: 1 do not hold yet" in answer.explain()
