"""Rules of facts that a text cannot meet are not tried; what is found is what trying all of them finds."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noosphere.graph.facts import detect, found_correction, found_endings, found_slots, frames, stating
from noosphere.graph.facts.clauses import sentences
from noosphere.graph.facts.rulebook import data, rulebook
from noosphere.model.needs import Needs, Sought

NOW = datetime(2025, 5, 14, tzinfo=UTC)
WAYS = rulebook().ways
EXAMPLES = [
    *(said[0] for rule in rulebook().rules for said in rule.yes),
    *(said for rule in rulebook().rules for said in rule.no),
    *(said for cue in data()["correction"] for said in (*cue["yes"], *cue["no"])),
]
JOINTS = [
    ". ",
    " and ",
    ", but ",
    "; ",
    "\n",
    "—",
    " – ",
    ": ",
    "…",
    "? ",
    ' "',
    " in May 2024, ",
    " (since 2020) ",
    "ı",
    "K",
    "ſ",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_are_found_as_by_trying_every_rule(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _same(text, monkeypatch)
    _same(text.upper(), monkeypatch)


@given(st.sampled_from(EXAMPLES), st.sampled_from(JOINTS), st.sampled_from(EXAMPLES), st.integers(0, 80))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_joined_and_cut_texts_too(monkeypatch: pytest.MonkeyPatch, one: str, joint: str, other: str, cut: int) -> None:
    _same(one + joint + other, monkeypatch, also=_pointing_and_over)
    _same(one[cut:] + joint + other[:cut], monkeypatch)


@given(st.integers(0, len(WAYS) - 1), st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_a_clause_that_a_form_matches_leaves_the_form_open(number: int, draw: st.DataObject) -> None:
    rule, form = WAYS[number]
    clause = draw.draw(st.from_regex(form.compiled))
    if form.compiled.match(clause) and _calls(rulebook().rules[rule].on, clause):
        assert form in rulebook().open(clause).get(rule, [])


def _calls(words: tuple[str, ...], clause: str) -> bool:
    return not set(words).isdisjoint(re.findall(r"[\w'’-]+", clause.lower().replace("’", "'")))


def _same(
    text: str, monkeypatch: pytest.MonkeyPatch, also: Callable[[str], tuple[object, ...]] = lambda _text: ()
) -> None:
    quick = found_slots(text, "user", NOW), found_correction(text), also(text)
    with monkeypatch.context() as patch:
        patch.setattr(Sought, "may_match", lambda *_given: True)
        patch.setattr(Needs, "open", lambda self, _told: range(self.count))
        patch.setattr(Needs, "among", lambda self, _held: range(self.count))
        patch.setattr(detect, "stating", _every_sentence)
        patch.setattr(frames, "_words", lambda _clause: frames.FINDING.union(frames.agents()))
        assert (found_slots(text, "user", NOW), found_correction(text), also(text)) == quick


def _pointing_and_over(text: str) -> tuple[object, ...]:
    return found_slots(text, "Ann", None, "Bob", "the rent"), found_endings(text, "user", NOW)


def _every_sentence(text: str, _thing: str | None) -> list[stating.Sentence]:
    """Every sentence that is no question, as one of which nothing is known before it is read."""
    told: list[stating.Sentence] = []
    asked = ""
    for start, end in sentences(text):
        said, asked = f"{asked}{text[start:end]}", ""
        if said.rstrip("\"'”) ").endswith("?"):
            asked = f"{said.rstrip(' ?')}: " if stating.TOPICAL.match(said) else ""
        else:
            told.append(stating.Sentence(said, (start, end), None, framed=True, dated=True))
    return told


def test_words_in_capitals_are_read_as_quickly_as_others():
    said = "THE COPYRIGHT HOLDERS AND CONTRIBUTORS PROVIDE THIS SOFTWARE AS IS WITHOUT ANY WARRANTY OF WHATEVER KIND"
    assert found_slots(said) == []  # a form that reads each letter as a word of its own takes hours for it
