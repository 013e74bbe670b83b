"""Rare words find, common ones add to what those found, with the scores that a search for all of them gives."""

import random

import pytest

from noosphere import Settings, open_mind
from noosphere.model.query import NO_FILTERS, View
from noosphere.recall.lanes import keyword
from noosphere.recall.lanes.keyword import Keyword
from noosphere.recall.plan import make_plan
from noosphere.store import fulltext
from noosphere.store.frequencies import Frequencies
from noosphere.store.fulltext import Era
from noosphere.store.words.query import query_terms

WORDS = ["heron", "kettle", "lantern", "meadow", "orchard", "pebble", "quarry", "saddle"]  # the first are the rarest


@pytest.fixture
def mind(tmp_path):
    with open_mind(tmp_path / "mind.db", settings=Settings(semantic="off", background=False)) as made:
        yield made


@pytest.fixture
def shelf(mind):
    """Sixty units of words, of which the later ones are in more and more units, some only in the text before."""
    chance = random.Random(7)
    with mind._file.write() as tx:
        for frame in range(1001, 1061):
            own = [w for n, w in enumerate(WORDS) if chance.random() < (n + 1) / 10] * chance.randint(1, 3)
            before = [w for n, w in enumerate(WORDS) if chance.random() < (n + 1) / 12]
            fulltext.add(tx.sql, Era.NOW, frame, " ".join([*own, "filler"]), " ".join(before))
    return mind


def asked(mind, query):
    return make_plan(query, view=View(mind._file.clock.now()), zone=mind._file.zone, filters=NO_FILTERS, k=10)


def quoted(words):
    return [f'"{word}"' for word in words]


@pytest.mark.parametrize("rare", range(1, len(WORDS)))
@pytest.mark.parametrize("k", [1, 7, 100])
def test_what_rare_terms_found_has_the_scores_and_the_order_of_a_search_for_all_terms(shelf, rare, k):
    with shelf._file.read() as sql:
        every = fulltext.search(sql, Era.NOW, " OR ".join(quoted(WORDS)), 100)
        holders = dict(fulltext.search(sql, Era.NOW, " OR ".join(quoted(WORDS[:rare])), 100))
        found = fulltext.search_rare(sql, Era.NOW, quoted(WORDS[:rare]), quoted(WORDS[rare:]), k)
    right = sorted((one for one in every if one[0] in holders), key=lambda one: (-one[1], one[0]))[:k]
    assert [frame for frame, _ in found] == [frame for frame, _ in right]
    assert [score for _, score in found] == pytest.approx([score for _, score in right], rel=1e-12)


def test_common_words_find_nothing_more_once_rare_ones_found_as_much_as_is_wanted(mind, monkeypatch):
    monkeypatch.setattr(keyword, "ENOUGH", 1)
    monkeypatch.setattr(keyword, "LITTLE", 0)
    with mind._file.write() as tx:
        texts = ["heron " + "filler " * 300 + "saddle" * (n % 2) for n in range(8)] + ["saddle quarry"] * 20
        for frame, text in enumerate([*texts, *["filler"] * 200], start=1):
            fulltext.add(tx.sql, Era.NOW, frame, text, "")
    plan = asked(mind, "heron saddle quarry")
    with mind._file.read() as sql:
        found = Keyword(plan, Frequencies()).find(sql, 8)
        every = fulltext.search(sql, Era.NOW, " OR ".join(term.match for term in plan.content), 100)
    assert any(frame > 8 for frame, _ in every[:8])
    assert {one.frame: one.score for one in found} == pytest.approx({f: score for f, score in every if f <= 8})


def test_common_words_find_units_where_rare_ones_find_too_few(shelf, monkeypatch):
    monkeypatch.setattr(keyword, "ENOUGH", 0)
    monkeypatch.setattr(keyword, "LITTLE", 0)
    plan = asked(shelf, "heron kettle saddle quarry")
    with shelf._file.read() as sql:
        every = fulltext.search(sql, Era.NOW, " OR ".join(term.match for term in plan.content), 100)
        found = Keyword(plan, Frequencies()).find(sql, 45)
    assert [(one.frame, one.score) for one in found] == sorted(every, key=lambda one: (-one[1], one[0]))[:45]


def test_terms_are_counted_together_as_one_by_one_and_what_nobody_said_is_counted_as_none(shelf):
    terms = query_terms("heron kettle-saddle quarries nonesuch filler")
    together, single = Frequencies(), Frequencies()
    with shelf._file.read() as sql:
        counts = together.of_all(sql, terms, (Era.NOW, Era.PAST))
        assert counts == [single.of(sql, term, (Era.NOW, Era.PAST)) for term in terms]
        assert counts == together.of_all(sql, terms, (Era.NOW, Era.PAST))
        by_word = {term.match: count for term, count in zip(terms, counts, strict=True)}
        for word in ("heron", "filler"):
            rows = sql.execute("SELECT count(*) FROM text_now WHERE text_now MATCH ?", (word,)).get
            assert by_word[f'"{word}"'] == rows
    assert by_word['"nonesuch"'] == 0
    assert by_word['"quarries"'] > 0
