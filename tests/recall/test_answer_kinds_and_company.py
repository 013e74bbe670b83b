"""Who tells and who asks: what a turn gains by the kind of answer it holds, and by the turns around it."""

import pytest

from noosphere import Turn
from noosphere.model.trace import Ordered
from noosphere.recall.answer_kinds import count_names
from noosphere.recall.asking import asking
from noosphere.recall.company import company
from noosphere.recall.gathering import gather_all
from noosphere.recall.lead import lead


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


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("How are you?", 1.0),
        ("I am well. How are you?", 0.5),
        ("Wo? Da!", 0.5),
        ("お元気ですか？", 1.0),
        ("I am well.", 0.0),
        ("", 0.0),
        ("?", 0.0),
    ],
)
def test_how_much_of_a_text_asks(text, share):
    assert asking(text) == pytest.approx(share, abs=0.12)


def test_between_people_what_mostly_asks_steps_back(mind):
    mind.record("asks", [said("q", "I see. Which bakery of the town would you choose?", "2024-05-01")])
    mind.record("tells", [said("t", "I choose the bakery of the town. Which would you?", "2024-05-02")])
    found = parts(mind, "bakery of the town")
    assert found["q"]["asking"] < found["t"]["asking"] < 0
    assert mind.rank("bakery of the town", unsure=True)[0].turn_key == "t"


def test_the_lead_of_the_turn_before_is_how_far_it_is_ahead():
    assert lead([None, 0, 1], [2.0, 0.5, 3.0]) == [0.0, 1.5, 0.0]


def exchange(first, second, roles=(None, None)):
    speakers = [("Ann", roles[0]), ("Ben", roles[1])]
    return [
        said(key, text, f"2024-05-01T1{n}:00Z", session="one", speaker=who, role=role)
        for n, (key, text, (who, role)) in enumerate(zip("12", (first, second), speakers, strict=True))
    ]


def test_between_people_a_turn_that_takes_up_what_matches_better_shares_its_lead(mind):
    mind.record("talk", exchange("My heron nests by the old lock!", "The nests? We saw four eggs in it."))
    found = parts(mind, "heron nests at the old lock")
    assert found["2"]["lead"] > 0
    assert "lead" not in found["1"]


def test_beside_an_assistant_no_turn_shares_the_lead_of_the_one_before(mind):
    mind.record("talk", exchange("My heron nests by the old lock!", "Nests are nice.", ("user", "assistant")))
    assert all("lead" not in terms for terms in parts(mind, "heron nests at the old lock").values())


@pytest.mark.parametrize(
    ("question", "preferred"),
    [
        ("Which heron nests are there?", {"1"}),
        ("Can you give me a summary of the heron nests?", {"2"}),
        ("How did we count the heron nests?", set()),
    ],
)
def test_beside_an_assistant_the_question_tells_whose_turns_answer_it(mind, question, preferred):
    mind.record("talk", exchange("I count heron nests.", "Heron nests are counted in May.", ("user", "assistant")))
    found = parts(mind, question)
    assert {key for key, terms in found.items() if "role" in terms} == preferred
    assert ("opens" in found["1"]) == (preferred == {"1"})
