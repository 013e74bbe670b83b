"""Between people, a turn that holds the kind of answer asked for comes first, and one whose session was about it."""

import pytest

from noosphere import Turn
from noosphere.model.trace import Ordered
from noosphere.recall.answer_kinds import count_names
from noosphere.recall.company import company
from noosphere.recall.gathering import gather_all


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We went to Paris and then to Lyon.", 2),
        ("Paris was lovely. The food was great.", 0),
        ("I just finished reading “The Long Way” with Ann.", 2),
        ("I think I am OK, and I like TV.", 0),
        ("we took the Sonnenweg up, then the Sonnenweg down", 1),
    ],
)
def test_a_name_is_a_capital_inside_a_sentence_or_a_quoted_title(text, names):
    assert count_names(text) == names


def test_names_the_question_holds_do_not_count():
    assert count_names("we met Ann in Paris", {"ann"}) == 1


def said(key, text, at, session=None, speaker="Ann", role=None):
    return Turn(key=key, speaker=speaker, text=text, at=at, speaker_role=role, session=session)


def parts(mind, question):
    """What each turn's place is the sum of."""
    order = next(step for step in mind.recall(question, unsure=True).trace.steps if isinstance(step, Ordered))
    shown = {hit.id: hit.turn_key for hit in mind.rank(question, 50, unsure=True)}
    return {shown[uid]: dict(terms) for uid, _, terms in order.rows}


@pytest.mark.parametrize(
    ("question", "plain", "telling"),
    [
        ("Which city did Ann visit?", "On the city trip we visited everything.", "On the city trip we visited Porto."),
        ("When was the trip?", "We left for the trip in good spirits.", "We left for the trip last Friday."),
        ("How many guests came?", "To the party came lovely guests.", "To the party came twelve guests."),
    ],
)
def test_the_kind_of_answer_asked_for_decides_between_near_matches(mind, question, plain, telling):
    texts = {"plain": plain, "telling": telling}
    for day, (key, text) in enumerate(texts.items(), 1):
        mind.record(key, [said(key, text, f"2024-05-0{day}")])
    assert mind.rank(question, unsure=True)[0].turn_key == "telling"


def test_an_assistants_turn_gains_nothing_by_its_names(mind):
    turns = [said("u", "Where is the heron?", "2024-05-01", role="user")]
    turns += [said("a", "The heron is in Porto with Ben.", "2024-05-01", speaker="Bot", role="assistant")]
    mind.record("talk", turns)
    assert "names" not in parts(mind, "Where is the heron?")["a"]


def test_a_turn_has_company_when_others_of_its_session_match_too(mind):
    for hour, text in enumerate(["The heron came.", "A heron again!", "Two herons today."]):
        mind.record("birds", [said(f"b{hour}", text, f"2024-05-01T1{hour}:00Z", session="one")])
    mind.record("else", [said("e", "My heron mug broke.", "2024-06-01", session="two")])
    mind.remember("A heron is a bird.")
    found = parts(mind, "heron")
    assert all(found[key]["company"] > 0 for key in ("b0", "b1", "b2"))
    assert "company" not in found["e"]
    assert "company" not in found[None]


def test_company_is_that_of_the_others_and_grows_with_their_places(mind):
    for n in range(3):
        mind.record("birds", [said(f"b{n}", f"heron {n}", f"2024-05-01T1{n}:00Z", session="one")])
    units = gather_all([mind.reader], mind.plan("heron", 5), []).pool.units
    beside = company(units, [3.0, 2.0, 1.0])
    assert beside[0] < beside[1] < beside[2]
    assert company([], []) == []
