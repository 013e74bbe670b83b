"""The terms of a query: complete, always safe FTS5 expressions; no user text ever becomes syntax."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store.words.fold import graphemes
from noosphere.store.words.pieces import CLASSES, MAX_TOKEN, PHONETIC, pieces
from noosphere.store.words.spellings import asked_spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from noosphere.store.words.pieces import Piece, Token
    from noosphere.store.words.spellings import Spelling

MAX_TERMS = 192  # long Chinese questions need them: MemDaily R@10 is 86.5 with 64, 89.8 with 128, 91.2 from 192 on
MAX_READ = 32_768  # of a longer query (a pasted log) its two ends are read: people ask before or after what they paste
MAX_PARTS = 24  # tokens in one phrase: a URL, a path; a longer chain becomes several phrases

JOINT = re.compile(r"|[-_/.:@#&+~\\=]|://|:[:\\/]|[\\/]\.")  # what may stand between the parts of one id
LOOSE_JOINTS = frozenset("-/:&")  # what also joins ordinary words: long-term, client/server, status:done
SCHEMES = frozenset({"http", "https"})
SIGNS = frozenset("+#＋＃♯")  # the end of C++, C#, C♯
CLITICS = frozenset({"s", "ll", "re", "ve", "d", "m"})  # after an apostrophe: Maya's, I'll; nothing to look for
MIN_PART = 3  # letters: the "e" of "e-mail" finds nothing worth having


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        match: a complete FTS5 string expression: a quoted phrase of tokens, with * when its last is a beginning.
        shown: the query's own words for it.
        stop: too common to find anything by; worth searching only when nothing else is left.
        exact: an id, a path, a version, a name with signs in it: what was typed is what is meant.
        also: expressions of its other spellings, each of them as good a sign of it.
    """

    match: str
    shown: str
    stop: bool = False
    exact: bool = False
    also: tuple[str, ...] = ()

    @property
    def matches(self) -> tuple[str, ...]:
        """Every expression that finds it, as typed first."""
        return (self.match, *self.also)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query being read: where its first word starts, and its other spellings by start, the longest in characters."""

    text: str
    first: int
    shouted: bool
    spellings: tuple[Spelling, ...] = ()
    longest: int = 0

    def term(self, tokens: Sequence[Token], *, open_ended: bool = False, exact: bool = False) -> Term:
        """Make the term of some tokens in a row, of the first MAX_PARTS if they are more."""
        tokens = tokens[:MAX_PARTS]
        match = _match([word for word, _, _ in tokens], open_ended=open_ended)
        start, end = tokens[0][1], max(stop for _, _, stop in tokens)
        stop = not exact and self.is_stop(tokens)
        also = () if stop or open_ended else self._also(start, end, match)
        return Term(match, self.text[start:end], stop=stop, exact=exact, also=also)

    def _also(self, start: int, stop: int, match: str) -> tuple[str, ...]:
        """The other spellings of what holds a part of the query."""
        first = bisect_left(self.spellings, start - self.longest, key=_start)
        near = self.spellings[first : bisect_right(self.spellings, start, key=_start)]
        held = (each for each in near if stop <= each.stop)
        found = dict.fromkeys(_match(each.words, open_ended=each.beginning) for each in held)
        found.pop(match, None)
        return tuple(found)

    def is_stop(self, tokens: Iterable[Token]) -> bool:
        """Whether all of them are stop words as typed."""
        return all(self._is_stop(start, stop) for _, start, stop in tokens)

    def _is_stop(self, start: int, stop: int) -> bool:
        lists, typed = _stop_words(), self.text[start:stop]
        word, acronym = typed.casefold(), typed.isupper() and len(typed) > 1
        plain = self.shouted or (start == self.first and not acronym)
        if word in lists.english:
            return plain or typed not in lists.typed
        return word in lists.other and (plain or typed == word)


def query_terms(query: str) -> tuple[Term, ...]:
    """Read a query as terms, in its order and without repeats; nothing of it ever becomes FTS5 syntax.

    Joined with " OR " their `match` expressions are a valid FTS5 query. A script without spaces gives a term for
    each pair of graphemes, or three where letters are phonetic; an id gives one phrase of its parts, and the
    parts too when they are ordinary words (long-term). Of more than MAX_TERMS the ids and the longest words stay.
    """
    text = _ends(query)
    cut = list(pieces(text))
    asked = _with_spellings(_Asked(text, cut[0][1][0][1] if cut else 0, text.isupper()), cut)
    found: dict[str, Term] = {}
    for chain in _chains(cut, text.translate(CLASSES)):
        for term in _terms(asked, chain):
            found.setdefault(term.match, term)
    return _most_telling(tuple(found.values()))


def _with_spellings(asked: _Asked, cut: list[Piece]) -> _Asked:
    words = [tokens[0] for kind, tokens in cut if kind == "word" and len(tokens) == 1]
    found = asked_spellings(asked.text, words, [asked.is_stop([word]) for word in words])
    if not found:
        return asked
    longest = max(each.stop - each.start for each in found)
    return replace(asked, spellings=tuple(sorted(found, key=_start)), longest=longest)


def _start(spelling: Spelling) -> int:
    return spelling.start


def _ends(query: str) -> str:
    if len(query) > MAX_READ:
        query = " ".join(query.split())
    half = MAX_READ // 2
    return query if len(query) <= MAX_READ else f"{query[:half]} {query[-half:]}"


def _most_telling(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Keep MAX_TERMS: ids, then content words, long before short (long words are rare), then what is nearer an end."""
    last = len(terms) - 1
    if last < MAX_TERMS:
        return terms

    def rank(at: int) -> tuple[bool, bool, int, int]:
        term = terms[at]
        return term.stop, not term.exact, -len(term.shown), min(at, last - at)

    return tuple(terms[at] for at in sorted(sorted(range(len(terms)), key=rank)[:MAX_TERMS]))


def _match(words: Sequence[str], *, open_ended: bool) -> str:
    whole = next((at for at, word in enumerate(words) if len(word) > MAX_TOKEN), None)
    if whole is not None:
        words, open_ended = [*words[:whole], words[whole][:MAX_TOKEN]], True
    return f'"{" ".join(words)}"{"*" * open_ended}'


def _chains(pieces: list[Piece], classes: str) -> Iterator[list[Piece]]:
    """Group what is typed without a space: the words of an id, or a number and the counter after it (5月)."""
    chain: list[Piece] = []
    for piece in pieces:
        if chain and (len(chain) == MAX_PARTS or not _joined(chain[-1], piece, classes)):
            yield chain
            chain = []
        chain.append(piece)
    if chain:
        yield chain


def _joined(before: Piece, after: Piece, classes: str) -> bool:
    (left, left_tokens), (right, right_tokens) = before, after
    if left != "word" or right == "emoji":
        return False
    (word, _, stop), (following, start, _) = left_tokens[-1], right_tokens[0]
    gap = classes[stop:start]
    if right == "run":
        return not gap and word.isdigit() and len(right_tokens) == 1
    return JOINT.fullmatch(gap) is not None or (gap == "," and word.isdigit() and following.isdigit())


def _terms(asked: _Asked, chain: list[Piece]) -> Iterator[Term]:
    *words, (kind, tokens) = chain
    if kind == "word":
        words = chain
    if words:
        yield from _id_terms(asked, words) if words[1:] else _word_terms(asked, words[0][1])
    if kind == "emoji":
        yield asked.term(tokens)
    elif kind == "run" and words:  # a number and its counter, open: "5 月"* finds 5月份
        yield asked.term((words[-1][1][-1], *tokens), open_ended=True)
    elif kind == "run":
        yield from _run_terms(asked, tokens)


def _run_terms(asked: _Asked, tokens: list[Token]) -> Iterator[Term]:
    """Windows over a run: pairs, or three graphemes where they are letters; a lone one is a beginning."""
    single = [len(graphemes(word)) == 1 for word, _, _ in tokens] + [True]
    covered = False
    for at, token in enumerate(tokens):
        wide = not single[at] and not single[at + 1] and PHONETIC.fullmatch(token[0] + tokens[at + 1][0])
        if wide:
            yield asked.term(tokens[at : at + 2])
        elif single[at] and single[at - 1]:  # not the end of a run; before the first stands the True at the end
            yield asked.term([token], open_ended=True)
        elif not single[at] and not covered:
            yield asked.term([token])
        covered = bool(wide)


def _word_terms(asked: _Asked, tokens: list[Token]) -> Iterator[Term]:
    if asked.text[tokens[0][1]] == "." or asked.text[tokens[-1][2] - 1] in SIGNS:
        yield asked.term(tokens, exact=True)
        return
    for token in tokens[:1] + [token for token in tokens[1:] if token[0] not in CLITICS]:
        term = asked.term([token], exact=_has_digit_and_letter(token[0]))
        elided = len(tokens) > 1 and token[0] in _stop_words().elided
        yield replace(term, stop=True) if elided else term


def _id_terms(asked: _Asked, chain: list[Piece]) -> Iterator[Term]:
    tokens = [token for _, found in chain for token in found]
    if tokens[0][0] in SCHEMES and tokens[2:]:
        del tokens[0]  # a page is the same page with and without https://
    if tokens[-1][0] in CLITICS and len(chain[-1][1]) > 1:
        del tokens[-1]
    loose = _is_loose(asked, tokens)
    if not (loose and asked.is_stop(tokens)):
        yield asked.term(tokens, exact=True)
    for token in tokens if loose else ():
        part = asked.term([token])
        if part.stop or len(token[0]) >= MIN_PART:
            yield part


def _is_loose(asked: _Asked, tokens: list[Token]) -> bool:
    """Whether joined words are ordinary words in a row rather than an id."""
    gaps = {asked.text[stop:start] for (_, _, stop), (_, start, _) in pairwise(tokens)}
    return gaps <= LOOSE_JOINTS and all(word.isalpha() for word, _, _ in tokens)


def _has_digit_and_letter(word: str) -> bool:
    return not word.isdigit() and any("0" <= char <= "9" for char in word)


@dataclass(frozen=True, slots=True)
class _StopWords:
    english: frozenset[str]
    other: frozenset[str]
    typed: frozenset[str]
    elided: frozenset[str]


@cache
def _stop_words() -> _StopWords:
    data = tomllib.loads(
        resources.files("noosphere.store.words").joinpath("stopwords.toml").read_text(encoding="utf-8")
    )
    english, *others = data["list"]
    return _StopWords(
        english=frozenset(english["words"].split()),
        other=frozenset(word for each in others for word in each["words"].split()),
        typed=frozenset(english["typed"].split()),
        elided=frozenset(data["elision"]["words"].split()),
    )
