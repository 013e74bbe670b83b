"""What is said in several wordings is brought to one before it is compared, and nothing in it is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.graph.paraphrase import restates, statement
from noosphere.graph.wording import data, in_one_wording, rewritten, rules

RULES = list(zip(data()["rule"], rules().patterns, rules().into, strict=True))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule[0]["example"][0])
def test_each_rule_makes_of_its_example_what_is_written_beside_it(rule):
    about, pattern, into = rule
    given_text, made = about["example"]
    assert pattern.sub(lambda found: rewritten(found, into), given_text) == made


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule[0]["example"][0])
def test_both_wordings_of_an_example_say_one_thing(rule):
    text = rule[0]["example"][0]
    one, other = statement(text), statement(rule[0]["example"][1])
    assert restates(one, other)
    assert restates(other, one)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("at 3 pm", "15:00"),
        ("at 3 in the morning", "3:00"),
        ("at 12 am", "0:00"),
        ("at 12:30 p.m.", "12:30"),
        ("at 7 o'clock in the evening", "19:00"),
        ("at 9 o'clock", "9:00"),
        ("at 15 pm", "15 pm"),
    ],
)
def test_a_time_of_day_is_read_off_one_clock(text, clock):
    assert in_one_wording(text).endswith(clock)


def test_a_word_stands_for_its_synonyms_and_for_nothing_else():
    assert in_one_wording("our staging DB") == in_one_wording("our staging database")
    assert in_one_wording("our staging host") != in_one_wording("our staging database")
    assert in_one_wording("It runs on Postgres").casefold() == in_one_wording("It runs on PostgreSQL").casefold()
    one, other = statement("The billing database is Postgres"), statement("Our billing DB is PostgreSQL")
    assert restates(one, other)


@given(st.text(max_size=80))
def test_any_text_is_brought_to_some_wording(text):
    assert isinstance(in_one_wording(text), str)


@given(st.text(alphabet="{}<>[]%\\ abyiswho'’", max_size=40))
def test_what_a_text_holds_is_never_read_as_a_form(text):
    assert in_one_wording(f"The owner of {text}x is Tom").startswith("Tom owns")


def test_a_letter_that_patterns_take_for_another_stays_as_it_is():
    assert in_one_wording("The maıntainer of the parser is Dana") == "Dana maıntainer the parser"
