"""Clauses are cut where the plain pattern says; the one in use says the same and is looked for quicker."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from noosphere.graph.facts import clauses, frames

PLAIN = re.compile(
    r",? (?:but|however|although|though|while|whereas|so|and then)(?= )|, and(?= )|\s[-–—]+\s|: |"
    r" and(?= (?:I|we|he|she|they|it|my|our|her|his|their|the|now|just|has|have|is|joined|moved|started|left)\b)|"
    r" and(?= [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? (?:now )?(?!is\b|has\b)[a-z]+s (?:the|our|my|his|her|their) )|"
    r", (?=(?:today |now )?(?:I|we|he|she|they|it|my|our|now)(?:['’]\w+)? |the [\w-]+(?: [\w-]+)? (?:is|are|has)\b)|"
    r"\.\.\. |"
    r"(?<=[a-z]), (?=from (?:today|now|this|\d)|as of )|, (?=[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2} (?:is|has|have|will|"
    r"now|moved|costs|lives|works)\b)",
)
PARTS = [
    ", ", " ", "but ", "so ", "and ", "and then ", "although", "I ", "we", "the ", "report", "is ", "Ann ", "Lee ",
    "leads ", "from today", "as of ", "now ", ": ", "- ", "—", "...", "\n", "\t", "our ", "dont ", "im ", "Id", "didnt",
    "_", "é", "x", "for ", "uses ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=14).map("".join)


@given(TEXTS)
@example("I left, but Ann Lee leads the team and Bo runs our shop, from now on: the new plan is on - or not")
def test_clauses_are_cut_where_the_plain_pattern_cuts(text):
    assert clauses.CLAUSE.split(text) == PLAIN.split(text)


@given(TEXTS)
def test_a_sentence_is_signed_where_a_sign_stands(text):
    assert clauses.signed(text) is (clauses.SIGN.search(text) is not None)


@given(TEXTS)
def test_an_apostrophe_is_put_in_wherever_one_was_left_out(text):
    assert clauses._with_apostrophes(text) == clauses.WITHOUT_APOSTROPHE.sub(clauses._apostrophe, text)


@given(TEXTS)
@example("for tickets we use Zendesk is")
@example("for the report uses I")
def test_words_are_taken_whole_where_a_subject_does_not_come_first(text):
    letter_by_letter = re.compile(frames.ROTATED.pattern.replace("++", "+"))
    whole, parts = frames.ROTATED.match(text), letter_by_letter.match(text)
    assert (whole and whole.groupdict()) == (parts and parts.groupdict())
