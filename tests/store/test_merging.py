"""Merging: small segments become large ones, what is gone leaves them, and whoever has them open goes over."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import Settings, open_mind
from noosphere.store import merging, segment_build
from noosphere.store.fulltext import Era
from noosphere.store.merging import FAN, Listed, due
from noosphere.store.segment_build import build_segments
from noosphere.store.segments import FORMAT
from noosphere.store.vector_index import VectorIndex
from noosphere.testing.embedders import HashedEmbedder
from observed import rows

OURS = "hashed-16"


def made(sizes):
    return [Listed(n * 1000, n * 1000 + 999, rows, living, f"{n}") for n, (rows, living) in enumerate(sizes)]


def names(segments):
    return [int(one.file) for one in segments]


@pytest.mark.parametrize(
    ("sizes", "chosen"),
    [
        ([], []),
        ([5], []),
        ([5, 5, 5], []),
        ([5, 5, 5, 5], [0, 1, 2, 3]),
        ([100, 5, 5, 5], []),
        ([100, 5, 5, 5, 5], [1, 2, 3, 4]),
        ([5, 5, 5, 5, 100, 5, 5], [0, 1, 2, 3]),
        ([20, 20, 20, 20, 5], [0, 1, 2, 3, 4]),
        ([100, 100, 100, 100], []),
        ([60, 60, 60, 60], [0, 1]),
        ([5] * 30, list(range(26))),
    ],
)
def test_neighbours_of_one_size_become_one_up_to_the_largest(sizes, chosen):
    assert names(due(made([(size, size) for size in sizes]), 4, 130)) == chosen


def test_a_segment_of_which_much_is_gone_is_written_anew_alone():
    assert names(due(made([(100, 100), (100, 74), (100, 75)]), 4, 130)) == [1]
    assert names(due(made([(100, 0)]), 4, 130)) == [0]


@given(st.lists(st.integers(1, 30), max_size=200))
def test_however_rows_come_few_segments_stay_and_each_row_is_rarely_written_again(arrivals):
    standing, written = [], 0
    for n, count in enumerate(arrivals):
        standing.append(Listed(n, n, count, count, str(n)))
        while ones := due(standing, 4, 300):
            total = sum(one.living for one in ones)
            written += total
            first = standing.index(ones[0])
            standing[first : first + len(ones)] = [Listed(ones[0].lo, ones[-1].hi, total, total, f"{n}:{total}")]
    total = sum(arrivals)
    assert sum(one.living for one in standing) == total
    assert len(standing) <= total / 150 + 4 * FAN + 1
    assert written <= 6 * total


@pytest.fixture
def thinking(tmp_path, monkeypatch):
    """A mind in which four rows are a small segment."""
    monkeypatch.setattr(segment_build, "MIN_ROWS", 4)
    settings = Settings(background=False, autolink=False)
    with open_mind(tmp_path / "mind.db", embedder=HashedEmbedder(16), settings=settings) as mind:
        yield mind


def add(mind, count, *, start=0):
    stored = mind.remember_many([f"memory{start + n}x of many" for n in range(count)], wait=True)
    build_segments(mind._file, min_rows=1)
    return [outcome.id for outcome in stored]


def listed(mind):
    query = "SELECT s.rows, s.file FROM segment AS s JOIN space AS p ON p.id = s.space WHERE p.name = ? ORDER BY s.lo"
    with mind._file.read() as sql:
        return sql.execute(query, (OURS,)).fetchall()


def on_disk(mind):
    return sorted(path.name for path in mind.path.parent.glob("*.q8*"))


def found(mind, index, word):
    with mind._file.read() as sql:
        return [each.frame for each in index.search(sql, HashedEmbedder(16).embed_query(word), 100)]


def test_small_segments_become_one_file_and_nothing_is_left_beside_it(thinking):
    for n in range(3):
        add(thinking, 5, start=10 * n)
    assert [count for count, _ in listed(thinking)] == [5, 5, 5]
    add(thinking, 5, start=30)
    assert [count for count, _ in listed(thinking)] == [20]
    every = [file for (file,) in rows(thinking.path, "SELECT file FROM segment")]
    assert on_disk(thinking) == sorted(every)
    assert len(found(thinking, thinking._file.index(thinking._file.spaces()[OURS][Era.NOW]), "memory7x")) == 20
    assert thinking.doctor().healthy


def test_what_is_gone_leaves_the_segments_and_its_tombstones_leave_the_mind(thinking):
    ids = add(thinking, 20)
    space = thinking._file.spaces()[OURS][Era.NOW]
    early = thinking._file.index(space)
    assert len(found(thinking, early, "memory7x")) == 20
    for memory in ids[:6]:
        thinking.forget(memory)
    assert len(found(thinking, early, "memory7x")) == 14
    assert rows(thinking.path, f"SELECT count(*) FROM vec_tomb WHERE space = {space.id}") == [(6,)]
    build_segments(thinking._file, min_rows=1)
    assert [count for count, _ in listed(thinking)] == [14]
    assert rows(thinking.path, f"SELECT count(*) FROM vec_tomb WHERE space = {space.id}") == [(0,)]
    late = VectorIndex(space, thinking.path.parent, thinking._file.incarnation)
    assert found(thinking, early, "memory7x") == found(thinking, late, "memory7x")
    assert len(found(thinking, late, "memory7x")) == 14
    assert thinking.doctor().healthy


def test_a_segment_whose_every_row_is_gone_goes_and_the_index_finds_nothing_in_it(thinking):
    ids = add(thinking, 6)
    index = thinking._file.index(thinking._file.spaces()[OURS][Era.NOW])
    for memory in ids:
        thinking.forget(memory)
    build_segments(thinking._file, min_rows=1)
    assert listed(thinking) == []
    assert found(thinking, index, "memory3x") == []
    add(thinking, 3, start=50)
    assert len(found(thinking, index, "memory51x")) == 3
    assert thinking.doctor().healthy


def test_an_index_that_stays_open_goes_over_to_new_segments_and_keeps_no_tail(thinking):
    add(thinking, 5)
    index = thinking._file.index(thinking._file.spaces()[OURS][Era.NOW])
    assert len(found(thinking, index, "memory3x")) == 5
    for n in range(1, 9):
        thinking.remember_many([f"memory{10 * n + m}x" for m in range(5)], wait=True)
        assert len(found(thinking, index, "memory3x")) == 5 * (n + 1)
        build_segments(thinking._file, min_rows=1)
        assert len(found(thinking, index, "memory3x")) == 5 * (n + 1)
        assert index._tail.count == 0
    assert set(index._parts) == {file for _, file in listed(thinking)}


def test_a_segment_struck_while_it_was_being_merged_stays_struck(thinking, monkeypatch):
    for n in range(3):
        add(thinking, 5, start=10 * n)
    real = segment_build._write

    def strike_then_write(mind, space, segment, opener):
        if len(segment.seqs) > 5:
            with mind.write() as tx:
                tx.sql.execute("DELETE FROM segment WHERE space = ? AND lo >= ?", (space.id, segment.lo))
        return real(mind, space, segment, opener)

    monkeypatch.setattr(segment_build, "_write", strike_then_write)
    add(thinking, 5, start=30)
    assert listed(thinking) == []
    monkeypatch.undo()
    monkeypatch.setattr(segment_build, "MIN_ROWS", 4)
    build_segments(thinking._file, min_rows=1)
    assert sum(count for count, _ in listed(thinking)) == 20
    assert sorted(on_disk(thinking)) == sorted(f for (f,) in rows(thinking.path, "SELECT file FROM segment"))
    assert thinking.doctor().healthy


def test_a_file_that_cannot_be_deleted_yet_is_swept_by_the_next_to_build(thinking, monkeypatch):
    for n in range(3):
        add(thinking, 5, start=10 * n)
    real = os.unlink

    def in_use(path, *more, **named):
        if str(path).endswith(".q8"):
            raise PermissionError(13, "in use")
        real(path, *more, **named)

    monkeypatch.setattr(os, "unlink", in_use)
    add(thinking, 5, start=30)
    monkeypatch.setattr(os, "unlink", real)
    assert [count for count, _ in listed(thinking)] == [20]
    assert len(on_disk(thinking)) > len(rows(thinking.path, "SELECT file FROM segment"))
    add(thinking, 5, start=40)
    assert sorted(on_disk(thinking)) == sorted(f for (f,) in rows(thinking.path, "SELECT file FROM segment"))


def test_segments_that_cannot_be_used_are_built_again_by_the_next_opening_though_nothing_is_new(thinking):
    add(thinking, 20)
    torn, foreign = sorted(thinking.path.parent.glob("*.q8"))
    os.truncate(torn, 5000)
    foreign.write_bytes(foreign.read_bytes().replace(b'"format": %d' % FORMAT, b'"format": 2'))
    with open_mind(thinking.path, embedder=HashedEmbedder(16), settings=Settings(background=False)) as again:
        assert again.doctor().healthy is False
        assert len(build_segments(again._file, min_rows=1)) == 2
        assert again.doctor().healthy
        torn.unlink()
        assert build_segments(again._file, min_rows=1) == [], "it is looked for once"


def test_the_size_of_a_segment_is_bounded_by_its_bytes_too(thinking):
    space = thinking._file.spaces()[OURS][Era.NOW]
    assert segment_build.most_rows(space) == segment_build.MAX_ROWS
    wide = type(space)(1, "wide", Era.NOW, "f", 4096, 1.0)
    assert 20_000 < segment_build.most_rows(wide) < 25_000


def test_merging_looks_only_at_segments_of_this_incarnation(thinking):
    add(thinking, 5)
    space = thinking._file.spaces()[OURS][Era.NOW]
    with thinking._file.read() as sql:
        assert len(merging.listed(sql, space.id, thinking._file.incarnation)) == 1
        assert merging.listed(sql, space.id, "another") == []
    assert np.isfinite(space.scale)
