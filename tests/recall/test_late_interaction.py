"""Late interaction: the vectorised score is the plain one, stored and made tokens agree, and the cap holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import Turn
from noosphere.model.trace import Degraded, Reranked
from noosphere.providers.embed.encoder import LATE_TOKENS, Encoder
from noosphere.providers.embed.projection import DIM, pack, unpack
from noosphere.recall.interaction import BLOCK, scores
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind

TALK = ["Where did you go last weekend?", "We hiked up the mountain and it rained all day.", "Do you still have a dog?",
        "No, he died in March, we adopted a cat."]  # fmt: skip


@pytest.fixture(scope="module")
def encoder():
    return Encoder()


def plainly(query, weights, unit):
    """One unit's score, window by window."""
    rows = unpack(unit)
    starts = range(0, max(len(rows) - BLOCK, 1), BLOCK)
    best = [(query @ rows[a : a + 2 * BLOCK].T).max(axis=1) for a in starts]
    return max(float(weights @ each / weights.sum()) for each in best)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_the_score_of_a_pool_is_that_of_each_unit_alone(lengths, seed):
    draw = np.random.default_rng(seed)
    query = unpack(draw.integers(-127, 128, (5, DIM), np.int8))
    weights = draw.random(5).astype(np.float32) + 0.1
    units = [draw.integers(-127, 128, (n, DIM), np.int8) for n in lengths]
    found = scores(query, weights, units)
    for unit, score in zip(units, found, strict=True):
        if len(unit):
            assert score == pytest.approx(plainly(query, weights, unit), abs=1e-5)
        else:
            assert score is None


def test_packing_keeps_the_direction_of_a_row():
    rows = unpack(np.random.default_rng(1).integers(-127, 128, (50, DIM), np.int8))
    assert float((unpack(pack(rows)) * rows).sum(axis=1).min()) > 0.999


def test_a_unit_keeps_its_own_tokens_and_not_those_before_it(encoder):
    alone, after = encoder.late_document("a cat", ""), encoder.late_document("a cat", "Do you have a pet?")
    assert alone.shape == after.shape == (2, DIM)
    assert not np.array_equal(alone, after)
    assert encoder.late_document("word " * 5000, "before " * 5000).shape == (LATE_TOKENS, DIM)
    assert encoder.late_document("", "").shape == (0, DIM)


def test_a_long_question_is_read_by_its_first_window(encoder):
    found = encoder.late_query("word " * 5000)
    assert len(found.rows) == len(found.offsets) < 256


def filled(folder, encoder, **options):
    mind = scratch_mind(folder, embedder=encoder, rerank="deep", **options)
    mind.record("c", [Turn(key=str(n), speaker="BA"[n % 2], text=text) for n, text in enumerate(TALK)])
    mind.flush()
    return mind


def kept_tokens(sql):
    return sql.execute("SELECT count(*) FROM token_rows").get


def reranked(mind, question, **options):
    ranked = mind.ranked(question, **options)
    return ranked, next(s for s in ranked.trace.steps if isinstance(s, Reranked))


def test_stored_and_made_tokens_give_the_same_order_and_scores(tmp_path, encoder):
    with filled(tmp_path, encoder) as mind:
        stored, first = reranked(mind, "which pet is there now?")
        assert (first.stored, first.computed) == (len(stored.hits), 0)
        with mind._file.write() as tx:
            tx.sql.execute("DELETE FROM token_rows")
        made, second = reranked(mind, "which pet is there now?")
        assert (second.stored, second.computed) == (0, len(made.hits))
        assert [(h.id, h.score) for h in made.hits] == [(h.id, pytest.approx(h.score)) for h in stored.hits]


def test_the_tokens_of_the_newest_units_are_kept_up_to_the_cap_and_go_with_their_unit(tmp_path, encoder):
    with filled(tmp_path, encoder, token_units=2) as mind:
        kept = [h.turn_key for h in mind.rank("hiked cat dog weekend", unsure=True)]
        with mind._file.read() as sql:
            assert kept_tokens(sql) == 2
        _, step = reranked(mind, "hiked cat dog weekend", unsure=True)
        assert (step.stored, step.computed) == (2, len(kept) - 2)
        mind.forget(next(h.id for h in mind.rank("adopted a cat") if h.turn_key == "3"))
        with mind._file.read() as sql:
            assert kept_tokens(sql) == 1


def test_a_model_that_shows_no_tokens_is_named_and_the_answer_comes_without(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(), rerank="deep") as mind:
        mind.remember("the heron nests by the weir")
        mind.flush()
        ranked = mind.ranked("heron weir")
        assert len(ranked.hits) == 1
        assert any(isinstance(s, Degraded) and s.part == "deep" for s in ranked.trace.steps)
