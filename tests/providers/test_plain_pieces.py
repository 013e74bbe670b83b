"""Plain text has the same tokens with the vocabulary alone as with the tokenizer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.providers.embed import files
from noosphere.providers.embed.plain import PlainPieces
from noosphere.providers.embed.wordpiece import WordPieces

MODELS = {model.name: model for model in (files.ENCODER, files.STATIC)}
WORDS = ("the", "unaffable", "[SEP]", "[UNK]", "##ing", "don't", "http://a.b/c?d=e", "x" * 101, "y" * 100, "3,000.5")
TEXTS = st.one_of(
    st.text(st.characters(max_codepoint=127), max_size=60),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text("abcdeinrst-'", max_size=12)), max_size=12).map(" ".join),
)


@pytest.fixture(scope="module", params=list(MODELS))
def both(request):
    model = MODELS[request.param]
    whole = WordPieces(model, files.folder())
    assert whole.encode("a").ids  # it is loaded from here on
    return PlainPieces(files.folder() / model.tokenizer), whole


@given(TEXTS)
def test_ascii_has_the_tokens_of_the_tokenizer(both, text):
    plain, whole = both
    assert plain.of(text) == whole.encode(text).ids


def test_every_ascii_character_alone_and_inside_a_word(both):
    plain, whole = both
    for code in range(128):
        for text in (chr(code), f"ab{chr(code)}cd", f"a {chr(code)} b"):
            assert plain.of(text) == whole.encode(text).ids, code


@pytest.mark.parametrize("text", ["what did we decide?", "Où était-ce ?", "日本", ""])
@pytest.mark.parametrize("special", [False, True])
def test_the_tokens_are_the_same_before_and_after_the_tokenizer_is_loaded(text, special):
    pieces = WordPieces(files.ENCODER, files.folder())
    first = pieces.ids(text, special=special)
    assert pieces.encode(text, special=special).ids == first
    assert pieces.ids(text, special=special) == first


def test_plain_text_loads_no_tokenizer(in_a_child):
    script = (
        "import sys; from noosphere.providers.embed.static import Static; Static().embed_query('plain text');"
        "print('tokenizers' in sys.modules); Static().embed_query('Où'); print('tokenizers' in sys.modules)"
    )
    assert in_a_child(script) == "False\nTrue\n"


@pytest.mark.parametrize("part", ["model", "normalizer", "pre_tokenizer"])
def test_a_tokenizer_of_another_kind_is_refused(part, tmp_path):
    given_file = json.loads((files.folder() / files.STATIC.tokenizer).read_text())
    given_file[part]["type"] = "Other"
    (tmp_path / "tokenizer.json").write_text(json.dumps(given_file))
    with pytest.raises(ValueError, match=f"its {part} is of another kind"):
        PlainPieces(tmp_path / "tokenizer.json")
