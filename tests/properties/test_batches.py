"""Memories stored in one batch are stored as one by one: the same outcomes, the same rows, the same answers."""

import string
from contextlib import ExitStack
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noosphere.model.draft import Draft
from noosphere.store import fulltext
from noosphere.store.transaction import Touched
from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.minds import scratch_mind
from observed import TRUTH, rows

SAID = [
    "The gate code of the shed is under the mat",
    "The gate code of the shed is not under the mat",
    "Gate codes of sheds are never under mats",
    "I live in Berlin",
    "I moved to Lisbon",
    "I no longer live in Berlin",
    "I like green tea",
    "I like black coffee",
    "I don't like green tea",
    "I stopped drinking green tea",
    "My employer is Acme and my sister lives in Rome",
    "Actually, I live in Porto",
    "The launch is on Monday",
    "Café Müller opens at nine",
    "Café Müller does not open at nine",
]
DRAFTS = st.sampled_from(SAID).map(lambda text: Draft(text=text)) | st.builds(
    Draft,
    text=st.sampled_from(SAID),
    tags=st.sampled_from([None, ("home",)]),
    said_at=st.sampled_from([None, "2026-05-01", "2026-06-01"]),
    slot=st.sampled_from([None, None, "shed.gate_code"]),
    source=st.sampled_from([None, "agent_inferred"]),
)
DERIVED = ("spell", "expiry", "unnamed")


def written(drafts, *, at_once):
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        mind = stack.enter_context(scratch_mind(folder, clock=FrozenClock(), ids=SequentialIds()))
        outcomes = mind.remember_many(drafts) if at_once else [mind.remember_many([one])[0] for one in drafts]
        kept = {table: sorted(rows(mind.path, f"SELECT * FROM {table}"), key=repr) for table in (*TRUTH, *DERIVED)}
        edges = sorted(rows(mind.path, "SELECT src, dst, type, known_from, known_to, opened_by FROM edge"), key=repr)
        answers = [hit.text for said in SAID for hit in mind.rank(said)]
        assert mind.doctor().healthy
        return outcomes, kept, edges, answers


def alike(drafts):
    batch, singles = (written(drafts, at_once=at_once) for at_once in (True, False))
    assert batch == singles


batches = st.lists(DRAFTS, min_size=2, max_size=8)


@settings(max_examples=15)
@example([Draft(text=text) for text in SAID])
@example([Draft(text=text) for text in SAID[::-1]])
@given(batches)
def test_a_batch_is_stored_as_one_by_one(drafts):
    alike(drafts)


@pytest.mark.slow
@settings(max_examples=150)
@given(batches)
def test_any_of_many_batches_is_stored_as_one_by_one(drafts):
    alike(drafts)


ENDINGS = (
    *("", "s", "es", "ies", "ed", "ing", "ational", "tional", "enci", "anci", "izer", "bli", "alli", "entli", "eli"),
    *("ousli", "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti"),
    *("logi", "icate", "native", "alize", "iciti", "ical", "ful", "ness", "ement", "ment", "ent", "ion", "y", "ll"),
)  # what porter takes off or puts another in place of


@settings(max_examples=500)
@given(st.text(string.ascii_letters, min_size=1, max_size=12), st.sampled_from(ENDINGS))
def test_the_stem_of_a_word_begins_as_the_word_does(scratch_sql, word, ending):
    for stem in fulltext.stems(scratch_sql, word + ending):
        assert (word + ending).lower().startswith(stem[:-1])


@pytest.fixture(scope="module")
def scratch_sql():
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        with stack.enter_context(scratch_mind(folder))._file.read() as sql:
            yield sql


def test_what_an_entry_touched_has_no_list_of_an_unknown_name():
    touched = Touched()
    with pytest.raises(AttributeError):
        touched.nodez.append(1)
    touched.nodes.append([1, 2])
    assert (touched.written, touched.detail()) == (True, '{"nodes": [[1, 2]]}')
