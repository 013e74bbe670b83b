"""Whatever a text is made of, its names, relations and sentences take little time."""

import time

import pytest

from noosphere.graph.said import said
from noosphere.write.cognify.spoken import sentences

TILES = (
    "?",
    ".",
    "a.",
    "A.B.",
    "-/",
    "a/",
    "since May ",
    "and Ana and Bor ",
    "Ana's Bor's ",
    "every Monday at ",
    "and I ",
)
LIMIT = 4.0  # seconds of 20 000 characters; each took up to 8, and what is usual takes a tenth


@pytest.mark.slow
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("read", [said, sentences])
def test_twenty_thousand_characters_take_little_time(tile, read):
    read("Ana leads Heron.")
    text = (tile * 20_000)[:20_000]
    start = time.process_time()
    read(text)
    assert time.process_time() - start < LIMIT


@pytest.mark.parametrize("mark", ["?!", "...", "!" * 40])
def test_a_row_of_marks_ends_a_sentence(mark):
    assert [s.strip() for s in sentences(f"I live in Bor now{mark} My cat is old.")][-1] == "My cat is old."
