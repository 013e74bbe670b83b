"""What a mind learns from an exchange."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import InvalidInput, open_mind
from noosphere.model.exchange import Exchange
from noosphere.write.cognify.spoken import sentences


@pytest.fixture
def mind(tmp_path):
    with open_mind(tmp_path / "mind.db", embedder=None) as mind:
        yield mind


def learnt(report):
    return {one.text: one for one in report.learnt}


def test_sentences_are_kept_word_for_word_with_their_turn_as_evidence(mind):
    report = mind.cognify(
        {"user": "Nice lunch today! The coffee-shop project uses Postgres. Thanks.", "assistant": "Noted."}
    )
    assert list(learnt(report)) == ["The coffee-shop project uses Postgres."]
    one = report.learnt[0]
    assert (one.role, one.target, one.source) == ("fact", "workspace", "user_stated")
    assert one.evidence == report.turns[0]
    assert mind.get(one.evidence).text.startswith("Nice lunch")
    assert mind.get(one.id).text == one.text


def test_several_things_in_one_exchange_are_each_a_memory(mind):
    text = "Let's go with Kafka for the event stream. I prefer short answers. Always cite the source. We agreed on May."
    report = mind.cognify(Exchange(user=text))
    assert [one.role for one in report.learnt] == ["decision", "preference", "preference", "decision"]


def test_what_an_assistant_says_is_never_stated_by_the_user(mind):
    report = mind.cognify(
        {"user": "Why did it fail?", "assistant": "The root cause was a stale DNS record. I live in Rome."}
    )
    assert [(one.text, one.source) for one in report.learnt] == [
        ("The root cause was a stale DNS record.", "agent_inferred")
    ]
    assert mind.get(report.learnt[0].id).source == "agent_inferred"


def test_a_new_value_ends_the_old_one(mind):
    first = mind.cognify({"user": "I live in Berlin.", "said_at": "2026-01-05"})
    second = mind.cognify({"user": "I moved to Lisbon.", "said_at": "2026-03-05"})
    assert second.learnt[0].old == (first.learnt[0].id,)


def test_nothing_is_learnt_from_code_logs_questions_tools_and_recalled_text(mind):
    text = (
        "Do I live in Rome?\n```\nWe decided to go.\n```\n2026-03-02 10:00:01 INFO we decided to use port 80\n"
        '<recalled-memories mind="x" now="y">\nMy dog is called Rex.\n</recalled-memories>\n'
        "If I lived in Rome, I'd own a cat."
    )
    report = mind.cognify({"user": text, "tools": ["We decided to use Kafka."], "assistant": "Hello!"})
    assert report.learnt == ()
    assert len(report.turns) == 3


def test_an_exchange_told_again_adds_no_turn_and_no_memory(mind):
    exchange = Exchange(user="My dog is called Rex.", assistant="Lovely.", said_at="2026-03-05")
    first, again = mind.cognify(exchange), mind.cognify(exchange)
    assert again.turns == first.turns
    assert again.learnt[0].outcome == "duplicate"
    assert mind.stats().turns == 2


def test_an_exchange_of_the_wrong_form_is_told_apart(mind):
    for wrong in ({"user": 3}, {"used": "x"}, {}, "text", {"user": "x", "tools": [1]}):
        with pytest.raises(InvalidInput):
            mind.cognify(wrong)


@given(st.text(alphabet="ab.!?\n`~<>/ Iliven\"'{}=-", max_size=300))
def test_sentences_stand_in_the_text_and_are_cut_once(text):
    found = sentences(text)
    assert all(s == s.strip() and s for s in found)
    assert sum(map(len, found)) <= len(text)


def test_a_turn_of_one_mark_over_and_over_costs_little():
    for mark in ("```", "<memory>", "> ", "I I I ", "- ", "a, not ", "we will by "):
        assert len(sentences(mark * 20_000)) <= 20_000


def test_a_bare_yes_is_kept_with_the_proposal_it_takes_up(mind):
    said = {
        "user": "Yes, do that.",
        "assistant": "Done.",
        "previous": "Fine. I propose that we open at nine on Sundays.",
    }
    [one] = mind.cognify(said).learnt
    assert (one.role, one.source, one.text) == ("decision", "user_stated", "Yes, do that.")
    assert mind.get(one.id).title == "I propose that we open at nine on Sundays."
    assert [hit.id for hit in mind.recall("when do we open on Sundays").hits][:1] == [one.id]


def test_a_bare_yes_to_anything_else_is_nothing(mind):
    said = {"user": "Yes, do that.", "assistant": "Done.", "previous": "The sea is calm in the bay today."}
    assert mind.cognify(said).learnt == ()


def test_a_clause_gives_its_sentence_away(mind):
    text = "ok merci, btw I'm lactose intolerant so no cream. In summer I work from the boat."
    assert [one.role for one in mind.cognify({"user": text}).learnt] == ["fact", "fact"]


def test_what_an_assistant_writes_for_the_user_is_not_its_work(mind):
    said = {
        "user": "Can you help me write a motivation letter?",
        "assistant": "Of course.\n\nI have applied for the scholarship in Graz and finished two courses in May.",
    }
    assert mind.cognify(said).learnt == ()
