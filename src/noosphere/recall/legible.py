"""What a model can read of a text: words that it knows, where others come to it as pieces without a sense.

The vectors of what it cannot read lie close together, whatever it says: nonsense is near every text of a language that
the model never learned. So a cosine alone is no evidence there, unless the two share a part of a word.
"""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING

from noosphere.providers.ports import KnowsWords
from noosphere.store.words.fold import index_text
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.providers.ports import Embedder
    from noosphere.store.words.query import Term

READ = 400  # characters: what language a text is in shows early
ENOUGH = 0.75  # of the words: from so many on, a text is read
PART = 0.6  # of a word's letters are in its other forms too: Vertrag, Vertrages, Mietvertrag
LEAST_PART = 4  # letters that are hardly shared by chance
BEGINNING = 3  # letters, when they begin both words
WORD = re.compile(r"[^\W\d_]+")


def legible(embedder: Embedder, terms: Iterable[Term]) -> float:
    """How much of some words a model reads, 0 to 1; all of it when the model does not tell."""
    if not isinstance(embedder, KnowsWords):
        return 1.0
    words = [word for term in terms for word in _words(term)]
    known = sum(map(embedder.knows, words))
    return min(1.0, known / (ENOUGH * len(words))) if words else 0.0


def legible_text(embedder: Embedder, text: str) -> float:
    """How much of a text's words that say something a model reads, 0 to 1."""
    if not isinstance(embedder, KnowsWords):
        return 1.0
    terms = query_terms(text[:READ])
    return legible(embedder, [term for term in terms if not term.stop] or terms)


def akin(terms: Iterable[Term], text: str) -> bool:
    """Whether a text holds so much of one of the words that it may hold another form of it."""
    folded = f" {' '.join(WORD.findall(index_text(text).casefold()))}"
    return any(part in folded for term in terms for word in _words(term) for part in _parts(word))


def _words(term: Term) -> list[str]:
    return [word for word in term.match.strip('"*').split() if not word.isdecimal()]


def _parts(word: str) -> list[str]:
    """What another form of a word still has: a part of it, or of a short one its beginning."""
    size = ceil(PART * len(word))
    if size < LEAST_PART:
        return [f" {word[:BEGINNING]}"] if len(word) > BEGINNING else []
    return [word[at : at + size] for at in range(len(word) - size + 1)]
