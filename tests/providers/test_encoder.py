"""The encoder: its window, what it does with symbols it does not know, its threads."""

from __future__ import annotations

import numpy as np
import pytest

from noosphere.errors import InvalidInput
from noosphere.providers.embed.encoder import WINDOW, Encoder
from noosphere.providers.ports import Space

FITS = "tea " * (WINDOW - 2)


def test_its_space_is_the_one_on_disk_in_older_minds(encoder):
    assert encoder.space == Space("minilm-l6-v2.int8", "c6891b27c3d65103", 384, 400.0)


def test_a_text_that_fills_the_window_is_embedded(encoder):
    assert encoder.embed_documents([FITS])[0].any()


def test_a_text_longer_than_the_window_is_refused_and_not_cut(encoder):
    with pytest.raises(InvalidInput, match=r"texts\[1\]: 257 tokens, the window holds 256\. Cut it with chunk"):
        encoder.embed_documents(["short", FITS + "tea"])
    with pytest.raises(InvalidInput, match="257 tokens"):
        encoder.token_vectors(FITS + "tea")


def test_the_end_of_a_long_query_counts(encoder):
    padding = "The weather was mild and nothing else happened on that day. " * 40
    about = encoder.embed_query("Volcanoes erupt in Iceland.")
    with_end = encoder.embed_query(padding + "Volcanoes erupt in Iceland. Lava flows in Iceland." * 10)
    assert about @ with_end > about @ encoder.embed_query(padding) + 0.1


@pytest.mark.parametrize("unknown", ["😀", "😀 🎉", "ǅ"])
def test_a_text_of_unknown_symbols_only_is_zeros(encoder, unknown):
    assert not encoder.embed_query(unknown).any()
    assert not encoder.embed_documents([unknown]).any()


def test_marks_of_the_model_typed_by_somebody_are_plain_text(encoder):
    assert len(encoder.token_vectors("[SEP] [MASK] [PAD]").ids) == 9


def test_a_token_is_embedded_in_its_context(encoder):
    river = encoder.token_vectors("the bank of the river").rows[1]
    money = encoder.token_vectors("the bank raised its rates").rows[1]
    assert river @ money < 0.95


def test_unknown_tokens_keep_their_place_among_the_others(encoder):
    assert encoder.token_vectors("so 😀 happy").offsets == [(0, 2), (3, 4), (5, 10)]


def test_a_query_is_not_padded(encoder):
    assert encoder._run(encoder._tokens.encode("tea", special=True).ids).shape == (3, 384)


def test_two_threads_give_the_same_vectors(encoder):
    texts = ["a longer sentence about tea and its makers in the north", "short", "", "one more"] * 5
    assert np.array_equal(Encoder(threads=2).embed_documents(texts), encoder.embed_documents(texts))
