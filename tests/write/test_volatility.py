"""How quickly a statement goes stale, when its caller does not say: the rule file's examples, and how it is used."""

import pytest

from noosphere.model.vocabulary import Volatility
from noosphere.write.volatility import data, rules, volatility_of

RULES = {rule.id: rule for rule in rules()}
YES = [(rule["id"], text) for rule in data()["rule"] for text in rule["yes"]]
NO = [(rule["id"], text) for rule in data()["rule"] for text in rule["no"]]


@pytest.mark.parametrize(("rule", "text"), YES)
def test_a_rule_meets_its_examples_and_none_before_it_says_otherwise(rule, text):
    assert RULES[rule].meets(text)
    assert volatility_of(text) is RULES[rule].gives


@pytest.mark.parametrize(("rule", "text"), NO)
def test_a_rule_leaves_its_counterexamples(rule, text):
    assert not RULES[rule].meets(text)


def test_every_rule_has_a_reason_and_examples_both_ways():
    assert all(rule["reason"] and len(rule["yes"]) > 2 and len(rule["no"]) > 1 for rule in data()["rule"])
    assert len(RULES) == len(rules())


@pytest.mark.parametrize(
    "text", ["The Danube flows into the Black Sea.", "我们决定把数据库迁移到PostgreSQL", "🚀", "x" * 100_000]
)
def test_what_no_rule_meets_is_durable(text):
    assert volatility_of(text) is Volatility.DURABLE


def test_rules_fill_in_what_the_caller_left_out_and_nothing_else(mind):
    assert mind.get(mind.remember("The staging server is down").id).volatility == "volatile"
    assert mind.get(mind.remember("Maya lives in Graz").id).volatility == "state"
    assert mind.get(mind.remember("Ben is on vacation", volatility="durable").id).volatility == "durable"


def test_that_something_happened_does_not_go_stale(mind):
    assert mind.get(mind.remember("The server is down since noon", role="event").id).volatility == "durable"
    assert mind.get(mind.remember("We moved to Lisbon today", kind="episodic").id).volatility == "durable"


def test_a_fact_drawn_from_a_text_has_the_volatility_of_its_own_sentence(mind):
    stored = mind.remember("Notes of the visit. My birthday is 4 May 1990. I live in Graz. The garden was in bloom.")
    told = {mind.get(fact).attribute: mind.get(fact).volatility for fact in stored.drawn}
    assert told["home_city"] == "state"
    assert told["birthday"] == "durable"
