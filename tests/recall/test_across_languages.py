"""A question in one language, its answer in another: cosines are leveled, meaning speaks where no word can."""

from dataclasses import replace

import numpy as np
import pytest

from noosphere import Settings, open_mind
from noosphere.providers.embed.neutral import Neutral
from noosphere.testing.embedders import HashedEmbedder

GERMAN = "Der Elternabend findet in der Turnhalle statt und ist nicht für Kinder"
ENGLISH = "At the parents' evening I have to say that the lunches are cold"


def sureness(tmp_path, across, question):
    embedder = HashedEmbedder()
    embedder.space = replace(embedder.space, across=across)
    with open_mind(
        tmp_path / f"{across}.db", settings=Settings(background=False, home=tmp_path), embedder=embedder
    ) as mind:
        mind.remember_many([GERMAN, ENGLISH])
        mind.flush()
        ranked = mind.rank(question, 2, unsure=True)
        return {hit.text: hit.p for hit in ranked}


def test_only_the_text_in_another_language_becomes_surer_when_the_model_reads_both(tmp_path):
    question = "Was ist beim Elternabend mit the lunches"
    alone, leveled = (sureness(tmp_path, across, question) for across in (1.0, 2.0))
    assert leveled[GERMAN] == alone[GERMAN]
    assert leveled[ENGLISH] > alone[ENGLISH]


def test_a_question_in_no_telling_language_levels_nothing(tmp_path):
    assert sureness(tmp_path, 1.0, "Elternabend lunches") == sureness(tmp_path, 2.0, "Elternabend lunches")


def test_what_tells_the_language_is_taken_out_and_zeros_stay():
    mean = np.array([0.6, 0, 0, 0.8], np.float32)
    neutral = Neutral(mean, -mean, np.array([[0, 1, 0, 0]], np.float32))
    german, english = (np.array([0.6, way, 0.5, 0.8], np.float32) for way in (0.4, -0.4))
    assert neutral.of(german, neutral.query) == pytest.approx([0, 0, 1, 0])
    assert neutral.of(english, neutral.query) == pytest.approx([0, 0, 1, 0])
    assert not neutral.of(np.zeros(4, np.float32), neutral.document).any()
