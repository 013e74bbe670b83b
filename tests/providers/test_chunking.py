"""Chunks: the rule over offsets, then the same rule with the real tokenizers."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from noosphere.providers.chunking import LIMIT, OVERLAP, PIECE, WIDEST, Word, cut, legible, pieces, words_of
from noosphere.providers.embed.encoder import WINDOW
from noosphere.testing.embedders import HashedEmbedder

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # lone surrogates and controls included
PROSE = st.lists(
    st.sampled_from(["tea", "Pots", "x", "end.", "why?", "\n", "\n\n", "  ", "日本。", "e\u0301", "…\u200b"])
)
LONG_TEXT = st.builds(
    lambda parts, times, glue: glue.join(parts) * times, PROSE, st.integers(0, 60), st.sampled_from(["", " "])
)
PATIENT = settings(deadline=None)
SLOW_MODELS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def bare_words(text, costs=(1,)):
    return [Word(*m.span(), costs[i % len(costs)]) for i, m in enumerate(re.finditer(r"\S+", text))]


def texts_of(text, chunks):
    return [text[chunk.start : chunk.stop] for chunk in chunks]


def assert_covers(text, chunks):
    spans = [(chunk.start, chunk.stop) for chunk in chunks]
    assert spans == sorted(spans)
    covered = 0
    for start, stop in spans:
        assert 0 <= start < stop <= len(text)
        assert not text[covered:start].strip()
        assert stop > covered
        covered = stop
    assert not text[covered:].strip()


@PATIENT
@example(text="tea end. tea" * 3, costs=[0, 1, 240])  # a sentence ends inside the overlap
@given(LONG_TEXT, st.lists(st.integers(0, 300), min_size=1))
def test_every_character_that_is_no_space_is_in_a_chunk_and_no_chunk_is_inside_another(text, costs):
    assert_covers(text, list(cut(text, bare_words(text, costs))))


@PATIENT
@given(LONG_TEXT, st.lists(st.integers(0, 30), min_size=1), st.integers(1, 50))
def test_a_chunk_stays_within_the_limit_unless_it_is_one_word(text, costs, limit):
    words = bare_words(text, costs)
    for chunk in cut(text, words, limit=limit, overlap=limit // 6):
        inside = [word for word in words if chunk.start <= word.start and word.stop <= chunk.stop]
        assert inside[0].start == chunk.start
        assert inside[-1].stop == chunk.stop
        assert len(inside) == 1 or sum(word.tokens for word in inside) <= limit


@PATIENT
@given(LONG_TEXT, st.lists(st.integers(1, 100), min_size=1))
def test_neighbours_share_no_more_than_the_overlap(text, costs):
    words = bare_words(text, costs)
    chunks = list(cut(text, words))
    for before, after in pairwise(chunks):
        shared = [word.tokens for word in words if word.start >= after.start and word.stop <= before.stop]
        assert sum(shared) <= OVERLAP


def test_neighbours_without_sentences_share_the_whole_overlap():
    text = "word " * 1000
    chunks = list(cut(text, bare_words(text)))
    assert {before.stop - after.start for before, after in pairwise(chunks)} == {OVERLAP * 5 - 1}
    assert {chunk.stop - chunk.start for chunk in chunks[:-1]} == {LIMIT * 5 - 1}


def test_a_short_text_is_one_chunk_without_the_spaces_around_it():
    text = "  \n a short text. Of two sentences. \t"
    assert texts_of(text, cut(text, bare_words(text))) == ["a short text. Of two sentences."]


def test_a_chunk_rather_ends_with_a_sentence_and_the_next_begins_with_one():
    text = "One two three four five six seven eight nine ten. " * 100
    chunks = texts_of(text, cut(text, bare_words(text)))
    assert len(chunks) > 3
    assert all(chunk.startswith("One") and chunk.endswith("ten.") for chunk in chunks)


def test_a_chunk_rather_ends_with_a_paragraph_than_with_a_later_sentence():
    paragraph = "w " * 209 + "end."
    text = paragraph + "\n\n" + "More to say. " * 200
    assert next(cut(text, bare_words(text))).stop == len(paragraph)


def test_a_paragraph_too_far_back_is_not_worth_a_short_chunk():
    text = "w " * 100 + "\n\n" + "w " * 500
    first = next(cut(text, bare_words(text)))
    assert len(text[first.start : first.stop].split()) == LIMIT


@pytest.mark.parametrize("stop", ['so."', "so!)", "so?”", "so…"])
def test_a_full_stop_behind_quotes_still_ends_a_sentence(stop):
    text = "w " * 219 + stop + " " + "w " * 100
    first = next(cut(text, bare_words(text)))
    assert text[: first.stop].endswith(stop)


def test_chinese_sentences_end_without_a_space():
    text = "一二三四五六七八九。" * 60
    words = [Word(i, i + 1, 1) for i in range(len(text))]
    assert all(chunk.endswith("。") for chunk in texts_of(text, cut(text, words)))


def test_a_point_inside_a_number_does_not_end_a_sentence():
    text = "w " * 200 + "3.1415 " + "w " * 100
    words = [Word(*m.span(), 1) for m in re.finditer(r"\w+|\.", text)]
    first = next(cut(text, words))
    assert text[first.start : first.stop].endswith("w")


def test_words_of_few_tokens_and_many_characters_do_not_make_a_chunk_endless():
    text = ("x" * PIECE + " ") * 20
    chunks = list(cut(text, bare_words(text)))
    assert_covers(text, chunks)
    assert max(chunk.stop - chunk.start for chunk in chunks) <= WIDEST


@PATIENT
@given(ANY_TEXT, st.integers(0, 500))
def test_pieces_join_to_the_text_again(part, times):
    text = part * times
    spans = list(pieces(text))
    assert "".join(text[start:stop] for start, stop in spans) == text
    assert all(0 < stop - start <= PIECE for start, stop in spans)


def test_a_piece_ends_at_a_space_where_there_is_one():
    text = "lemon " * 3000
    assert all(text[start:stop].startswith("lemon") and text[stop - 1] == " " for start, stop in pieces(text))


def test_what_the_tokenizer_drops_goes_with_a_neighbouring_word():
    text = "\0\0ab\0cd \0 ef\0 "
    words = list(words_of(text, (0, len(text)), [(2, 4), (5, 7), (10, 12)], [0, 1, 2]))
    assert [(text[word.start : word.stop], word.tokens) for word in words] == [
        ("\0\0ab\0", 1),
        ("cd \0", 1),
        ("ef\0", 1),
    ]


def test_the_tokens_of_one_word_stay_together():
    assert list(words_of("unbelievable x", (0, 14), [(0, 2), (2, 12), (13, 14)], [0, 0, 1])) == [
        Word(0, 12, 2),
        Word(13, 14, 1),
    ]


def test_a_piece_without_tokens_is_a_word_that_costs_nothing():
    assert list(words_of("  \0\0 ", (0, 5), [], [])) == [Word(2, 4, 0)]
    assert list(words_of("     ", (0, 5), [], [])) == []


@PATIENT
@given(ANY_TEXT)
def test_a_legible_text_can_be_encoded_and_has_the_same_length(text):
    assert len(legible(text).encode().decode()) == len(text)


def test_a_lone_surrogate_separates_words_and_nothing_else_changes():
    assert legible("na\u00efve \ud83d\ude00 half\ud83dpair 😀") == "na\u00efve    half pair 😀"


@pytest.mark.parametrize("name", ["encoder", "static"])
@SLOW_MODELS
@given(text=ANY_TEXT | LONG_TEXT | st.builds(lambda part, times: part * times, ANY_TEXT, st.integers(100, 2000)))
def test_real_chunks_cover_any_text_and_fit_the_window_when_read_alone(name, text, request):
    embedder = request.getfixturevalue(name)
    chunks = embedder.chunk(text)
    assert_covers(text, chunks)
    for part in texts_of(text, chunks):
        assert len(embedder._tokens.encode(part, special=True).ids) <= WINDOW


@pytest.mark.parametrize("name", ["encoder", "static"])
def test_a_document_of_60_kb_is_chunked_and_every_chunk_embedded(name, request):
    embedder = request.getfixturevalue(name)
    text = "".join(f"On day {day} we talked about plan {day * 7 % 31}, then had tea. \n" for day in range(1200))[
        :60_000
    ]
    chunks = embedder.chunk(text)
    assert_covers(text, chunks)
    assert 60_000 / 1200 < len(chunks) < 60_000 / 300
    sample = texts_of(text, chunks)[::20]
    assert embedder.embed_documents(sample).shape == (len(sample), embedder.space.dim)


@pytest.mark.parametrize("letter", ["a", "日", "é", "한", "ก", "\0", "a.", "\ud800"])
def test_a_line_of_a_megabyte_without_spaces_is_chunked(letter, static):
    text = letter * (1_000_000 // len(letter.encode("utf-8", "replace")))
    chunks = static.chunk(text)
    assert_covers(text, chunks)
    assert max(chunk.stop - chunk.start for chunk in chunks) <= WIDEST


@pytest.mark.slow
def test_a_megabyte_is_chunked_in_little_memory(in_a_child):
    grown = in_a_child(
        "import resource\n"
        "from noosphere.providers.embed.static import Static\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "static = Static(); text = '\\u65e5' * 1_000_000; static.chunk(text[:5000]); before = peak()\n"
        "static.chunk(text); print((peak() - before) // 1024)\n"
    )
    assert int(grown) < 30


def test_the_hashed_embedder_chunks_by_the_same_rule():
    text = "One two three. " * 400
    chunks = HashedEmbedder().chunk(text)
    assert_covers(text, chunks)
    assert max(len(part.split()) for part in texts_of(text, chunks)) <= LIMIT
