"""What every embedder promises, asked of each of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noosphere.testing.embedders import HashedEmbedder

TEXTS = [
    "Marko moved to Ljubljana in May.",
    "We decided to charge per seat, not per workspace.",
    "ok",
    "The build fails with error E1234 because the lock file is stale; delete it and run make again. " * 3,
    "Ana's favourite tea is rooibos with a slice of orange",
    "日本語のメモ",
]
NOTHING = ["", "   ", "\n\t\u3000", "\0\u200b"]


@pytest.fixture(params=["encoder", "static", "hashed"])
def embedder(request):
    return HashedEmbedder() if request.param == "hashed" else request.getfixturevalue(request.param)


def test_documents_come_as_unit_rows_in_their_order(embedder):
    rows = embedder.embed_documents(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), embedder.space.dim)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    backwards = embedder.embed_documents(TEXTS[::-1])
    assert np.array_equal(backwards[::-1], rows)


def test_no_documents_are_an_array_without_rows(embedder):
    assert embedder.embed_documents([]).shape == (0, embedder.space.dim)


def test_a_query_is_a_unit_vector(embedder):
    vector = embedder.embed_query("where does Marko live?")
    assert vector.dtype == np.float32
    assert vector.shape == (embedder.space.dim,)
    assert abs(np.linalg.norm(vector) - 1) < 1e-6


@pytest.mark.parametrize("nothing", NOTHING)
def test_a_text_with_nothing_in_it_is_zeros(embedder, nothing):
    assert not embedder.embed_documents([nothing, TEXTS[0]])[0].any()
    assert not embedder.embed_query(nothing).any()


def test_a_text_of_spaces_has_no_chunks(embedder):
    assert embedder.chunk(" \n\t ") == []


def test_a_vector_depends_on_its_text_alone(embedder):
    together = embedder.embed_documents(TEXTS)
    for text, row in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.embed_documents([text])[0], row)
        assert np.array_equal(embedder.embed_query(text), row)


def test_threads_get_the_same_vectors(embedder):
    expected = embedder.embed_documents(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(embedder.embed_documents, [TEXTS] * 8):
            assert np.array_equal(rows, expected)


def test_a_lone_surrogate_does_not_matter(embedder):
    broken = "half an emoji \ud83d at the end of a line"
    assert np.array_equal(embedder.embed_query(broken), embedder.embed_query("half an emoji   at the end of a line"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=[]), max_size=300))
def test_whatever_the_text_the_vector_is_unit_or_zeros(embedder, text):
    chunks = [text[chunk.start : chunk.stop] for chunk in embedder.chunk(text)]
    rows = np.vstack([embedder.embed_documents(chunks), embedder.embed_query(text)])
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


def test_a_query_may_be_longer_than_any_window(embedder):
    story = "Marko moved to Ljubljana in May and bought a red bicycle. " * 100
    vector = embedder.embed_query(story)
    assert abs(np.linalg.norm(vector) - 1) < 1e-5
    told = embedder.embed_query("Marko moved to Ljubljana in May and bought a red bicycle.")
    assert vector @ told > vector @ embedder.embed_query("Interest rates rise again, says bank") + 0.4


def test_the_int8_form_keeps_the_direction(embedder):
    rows = embedder.embed_documents(TEXTS)
    small = np.clip(np.rint(rows * embedder.space.scale), -127, 127)
    cosines = (small * rows).sum(axis=1) / np.linalg.norm(small, axis=1)
    assert cosines.min() > 0.998


@pytest.mark.parametrize("name", ["encoder", "static"])
@pytest.mark.parametrize(
    ("said", "meant", "unrelated"),
    [
        ("My cat chased a mouse through the garden", "A kitten was hunting rodents outside", "The bank raised rates"),
        ("We charge customers per seat", "Pricing is based on the number of users", "The hike took six hours"),
        ("She was born in Vienna", "Her birthplace is the Austrian capital", "The printer is out of paper"),
        ("Deploy failed: out of memory", "The release crashed for lack of RAM", "He likes strawberry jam"),
    ],
)
def test_a_paraphrase_is_nearer_than_an_unrelated_sentence(name, said, meant, unrelated, request):
    rows = request.getfixturevalue(name).embed_documents([said, meant, unrelated])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


def test_the_hashed_embedder_sees_shared_words_and_nothing_more():
    rows = HashedEmbedder().embed_documents(["red bicycle shop", "the bicycle is red", "a car", "an automobile"])
    assert rows[0] @ rows[1] > 0.4
    assert abs(rows[2] @ rows[3]) < 0.4


def test_the_tokens_of_a_text_are_unit_rows_with_their_places(encoder):
    text = "Zoë’s cat\ud83d sat"
    tokens = encoder.token_vectors(text)
    assert [text[start:stop] for start, stop in tokens.offsets] == ["Zoë", "’", "s", "cat", "sat"]
    assert tokens.ids.dtype == np.int32
    assert tokens.ids.shape == (5,)
    assert tokens.rows.shape == (5, encoder.space.dim)
    assert tokens.rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(tokens.rows, axis=1), 1, atol=1e-5)


def test_a_text_with_nothing_in_it_has_no_tokens(encoder):
    tokens = encoder.token_vectors("  ")
    assert tokens.ids.shape == (0,)
    assert tokens.rows.shape == (0, encoder.space.dim)
    assert tokens.offsets == []
