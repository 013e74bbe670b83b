"""Every script is found by a part of it, and no question is syntax."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere.testing.minds import scratch_mind

STORED = [
    "我们决定把数据库迁移到PostgreSQL",
    "サンドボックス環境を用意した",
    "重跑gen-itgc后一切正常",
    "the party was great 🎉 and loud",
    "ทีมตัดสินใจย้ายฐานข้อมูล",
    "우리는 데이터베이스를 옮겼다",
    "Команда перенесла базу данных",
    "הצוות העביר את מסד הנתונים",
    "η ομάδα μετέφερε τη βάση",
    "we moved the database to PostgreSQL in May",
    "sandbox environments are cheap",
    "naïve café in Łódź on Straße 5",
    "C++ and C# are languages, .NET is a platform",
    "status: done for PROJ-8841 at https://example.org/a/b?q=1",
    "don't panic: Maya's list says so",
    "error E0382 in src/main.rs:42",
]
ASKED = [
    ("迁移", 0), ("数据库", 0), ("PostgreSQL 迁移", 0), ("サンド", 1), ("ボックス", 1), ("itgc", 2), ("gen-itgc", 2),
    ("重跑", 2), ("🎉", 3), ("ฐานข้อมูล", 4), ("데이터베이스", 5), ("команда", 6), ("הצוות", 7), ("ομάδα", 8),
    ("ΟΜΑΔΑ", 8), ("database in May", 9), ("sandbox", 10), ("cafe", 11), ("Lodz", 11), ("strasse", 11), ("C++", 12),
    ("C#", 12), (".NET", 12), ("proj-8841", 13), ("PROJ-8841 status", 13), ("https://example.org/a/b?q=1", 13),
    ("dont panic", 14), ("don’t panic", 14), ("Maya", 14), ("E0382", 15), ("src/main.rs:42", 15), ("main.rs", 15),
]  # fmt: skip


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory):
    with scratch_mind(tmp_path_factory.mktemp("scripts")) as opened:
        opened.remember_many(STORED)
        yield opened


@pytest.mark.parametrize(("query", "expected"), ASKED)
def test_a_part_of_it_finds_its_own_line_first(polyglot, query, expected):
    assert polyglot.rank(query)[0].text == STORED[expected]


@pytest.mark.parametrize(
    "query",
    [
        "status: done", 'don\'t "x', "C++ AND (", "a/b", "*", "-", "", " ", "\0", "\ud800", '"', '""', "NEAR(a b)",
        "self:x", "prev : x", "{self prev}: x", "a OR", "NOT", "^a", "a*b", "(((", "'; DROP TABLE frame; --", "%", "_",
        "\u202e", "\U0010ffff", "a" * 5000, "👩‍👩‍👧‍👦" * 500, "a" * 1_000_000, "word " * 200_000, "数" * 300_000,
    ],
    ids=lambda q: f"{q:.12}" if q.isprintable() else ascii(q)[:12],
)  # fmt: skip
def test_no_question_is_syntax(polyglot, query):
    hits = polyglot.rank(query)
    assert len(hits) <= 10
    answer = polyglot.recall(query)
    assert len(answer.text) <= 12_000
    polyglot.rank(query, include_past=True, as_of="2026", filters={"tag": "x"})


def test_punctuation_leaves_the_words_their_plain_meaning(polyglot):
    for query in ("status: done", '"status" done', "status AND done", "(status) OR (done)", "status* -done"):
        assert polyglot.rank(query)[0].text == STORED[13]


def test_only_signs_find_nothing(polyglot):
    for query in ("*", "-", "", "...", "()", '""'):
        assert polyglot.rank(query) == []


@settings(max_examples=150)
@given(st.text(max_size=80))
def test_any_question_is_answered_the_same_twice(polyglot, query):
    first = polyglot.ranked(query)
    again = polyglot.ranked(query)
    assert (first.hits, first.trace) == (again.hits, again.trace)


@settings(max_examples=25)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=5))
def test_any_text_is_stored_and_its_first_word_finds_it(tmp_path_factory, texts):
    with scratch_mind(tmp_path_factory.mktemp("any")) as mind:
        stored = [o.id for o in mind.remember_many([f"{t} quokka{n}" for n, t in enumerate(texts)])]
        for n, node in enumerate(stored):
            assert mind.rank(f"quokka{n}")[0].id == node
        assert mind.doctor().healthy
