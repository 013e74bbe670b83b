"""Sentences without a time get none, and the sentences whose times are known keep what was reached."""

import pytest
from evals.dates import HERE, SETS, false_times
from evals.dates.cases import dated, ordinary
from evals.dates.score import score


@pytest.mark.parametrize("name", SETS)
def test_no_ordinary_sentence_is_dated(name):
    sentences = ordinary(HERE / name / "ordinary.jsonl")
    assert len(sentences) > 160
    assert [(text, found) for text in sentences if (found := false_times(text))] == []


@pytest.mark.parametrize("name", ["own", "independent"])
def test_the_known_times_of_sentences_are_read(name):
    found = score(dated(HERE / name / "dated.jsonl"))
    total = found.total(found.by_type)
    assert total.precision >= 0.99, found.mistakes
    assert total.recall >= 0.98, found.mistakes
