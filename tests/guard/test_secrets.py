"""Secrets are found in their known shapes, told from what only looks like them, and taken out whole."""

import random
import string
import time
import tomllib
from importlib import resources
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.guard.secrets import find_secrets, is_card, is_random, redact, secret_rules

RULES = tomllib.loads(resources.files("noosphere.guard").joinpath("secrets.toml").read_text(encoding="utf-8"))["rule"]


def real(example):
    return example.replace("~", "")


@pytest.mark.parametrize(("rule", "text"), [(r["id"], text) for r in RULES for text in r["yes"]])
def test_an_example_is_found(rule, text):
    assert rule in {secret.rule for secret in find_secrets(f"note: {real(text)} end")} | {
        secret.rule for secret in find_secrets(real(text))
    }


@pytest.mark.parametrize("text", [text for r in RULES for text in r["no"]])
def test_what_only_looks_like_a_secret_is_left_alone(text):
    assert find_secrets(text) == ()


@pytest.mark.parametrize("text", [text for r in RULES for text in r["yes"]])
def test_nothing_is_left_to_find_once_secrets_are_taken_out(text):
    out, rules = redact(real(text))
    assert rules
    assert find_secrets(out) == ()


def test_every_rule_says_what_it_is_and_has_examples():
    assert len({r["id"] for r in RULES}) == len(RULES) == len(secret_rules())
    assert all(r["reason"] and r["yes"] and r["no"] for r in RULES)


def test_the_words_around_a_secret_stay():
    out, rules = redact("Deploy with DB_PASSWORD=hunter2! on Monday, card 4111 1111 1111 1111.")
    assert out == "Deploy with DB_PASSWORD=[redacted: password.assigned] on Monday, card [redacted: card.number]."
    assert rules == ("password.assigned", "card.number")


@given(st.text(max_size=300))
def test_any_text_can_be_redacted_and_what_is_found_lies_in_it(text):
    secrets = find_secrets(text)
    assert all(0 <= s.start < s.end <= len(text) for s in secrets)
    assert all(a.end <= b.start for a, b in pairwise(secrets))
    assert (redact(text)[0] == text) == (not secrets)


@given(st.integers(0, 2**32), st.sampled_from(["ghp_", "sk-", "hf_", "xoxb-", "glpat-", "sk_live_"]))
def test_any_random_key_behind_a_known_prefix_is_found(seed, prefix):
    dice = random.Random(seed)
    key = prefix + "".join(dice.choices(string.ascii_letters + string.digits, k=34)) + "7q2"
    assert [s.rule for s in find_secrets(f"use {key}, please")] == ["key.prefixed"]


@given(st.integers(10**14, 10**15 - 1))
def test_of_ten_numbers_that_differ_in_the_last_digit_one_at_most_is_a_card(start):
    assert sum(is_card(f"{start}{digit}") for digit in range(10)) <= 1


@pytest.mark.parametrize("word", ["internationalization", "2024-05-14-meeting-notes", "a" * 40, "1" * 40])
def test_words_names_and_runs_are_not_random(word):
    assert not is_random(word)


@pytest.mark.slow
@pytest.mark.parametrize(
    "tile",
    [
        "password ",
        "password: ",
        "4111 ",
        "eyJa.",
        "a://b:",
        "seed phrase ",
        "sk-",
        "key=",
        "-----BEGIN PRIVATE KEY-----",
        "?sig=",
        "1",
        "private key ",
    ],
)
def test_eight_times_the_text_takes_about_eight_times_as_long(tile):
    find_secrets("warm")
    taken = []
    for size in (20_000, 160_000):
        text = (tile * (size // len(tile) + 1))[:size]
        start = time.process_time()
        find_secrets(text)
        taken.append(time.process_time() - start)
    assert taken[1] < 0.05 + 25 * taken[0]
    assert taken[1] < 2
