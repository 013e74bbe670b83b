"""Whether a text may deny something is told by its words: a quick look says what the whole look would."""

from hypothesis import example, given
from hypothesis import strategies as st

from noosphere.graph.likeness import negations
from noosphere.write.denials import MARKS, _may_deny

PARTS = ["not", "no", "don", "t", "can", "isn", "NEVER", "x", "'", "''", "’", " ", "-", "_", ".", "(", "\n", "é", "K"]


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
@example("It's don't")
@example("d'on't")
@example("'no")
@example("no-one's")
def test_a_text_may_deny_where_one_of_its_words_does(text):
    words = text.casefold().translate(MARKS).split()
    assert _may_deny(text) is (not negations().isdisjoint(words))
