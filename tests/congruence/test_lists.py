"""Segments in lists: whole scans answer as the oracle does, and near lists alone find nearly all that is near."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_vector_index import DAMAGES, QUERY, Library, damage, fill
from vector_shelf import Shelf

from noosphere.store import lists, segment_build, segments, vector_index
from noosphere.store.fulltext import Era
from noosphere.store.index_recall import recall, spoiled


@pytest.fixture(autouse=True)
def small_lists(monkeypatch):
    """Three rows make a list, and four a listed segment."""
    monkeypatch.setattr(segments, "LISTED_ROWS", 4)
    monkeypatch.setattr(lists, "LIST_ROWS", 3)


@pytest.fixture
def few_scanned(monkeypatch):
    """No space is so small that all of it is scanned."""
    monkeypatch.setattr(vector_index, "WHOLE_BYTES", 0)


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path / "mind.db", dim=6)
    yield made
    made.close()


class ListedLibrary(Library):
    """Everything that can happen, with segments in lists."""


ListedLibrary.TestCase.settings = Library.TestCase.settings
TestListedLibrary = ListedLibrary.TestCase


@pytest.mark.parametrize("how", DAMAGES)
def test_a_listed_segment_that_cannot_be_trusted_changes_no_answer(shelf, how):
    fill(shelf)
    (built,) = shelf.build()
    damage(shelf, [built], how)
    shelf.check(shelf.index(), Era.NOW, QUERY, 30)


@given(
    place=st.integers(0, 10**6), byte=st.integers(1, 255), query=st.lists(st.integers(-9, 9), min_size=6, max_size=6)
)
def test_a_byte_that_changed_among_the_lists_raises_nothing(tmp_path_factory, place, byte, query):
    shelf = Shelf(tmp_path_factory.mktemp("lists") / "mind.db", dim=6)
    fill(shelf)
    (built,) = shelf.build()
    data = bytearray(built.read_bytes())
    first = segments.HEADER_BYTES + 24 * 45
    assert len(data) == first + 45 * 4 + 16 * 4 + 15 * 6 * 4 + 45 * 18
    data[first + place % (45 * 4 + 16 * 4 + 15 * 6 * 4)] ^= byte
    built.write_bytes(data)
    shelf.search(shelf.index(), query, 5)
    shelf.close()


def test_a_changed_order_of_the_lists_is_found_by_doctor_s_look_at_every_row(shelf):
    fill(shelf)
    (built,) = shelf.build()
    with shelf.mind.read() as sql:
        assert list(spoiled(shelf.mind, sql, shelf.pair[Era.NOW])) == []
    data = bytearray(built.read_bytes())
    at = segments.HEADER_BYTES + 24 * 45
    data[at : at + 4], data[at + 4 : at + 8] = data[at + 4 : at + 8], data[at : at + 4]
    built.write_bytes(data)
    with shelf.mind.read() as sql:
        assert list(spoiled(shelf.mind, sql, shelf.pair[Era.NOW])) == [built.name]


def test_what_died_is_not_found_in_near_lists_and_the_living_are(shelf, few_scanned):
    near = [[9, 9, 9, 0, 0, n % 3] for n in range(20)]
    for frame, row in zip(shelf.frames, near, strict=False):
        shelf.put(frame, row)
    for number, frame in enumerate(shelf.frames[20:]):
        shelf.put(frame, [-9, number % 5, -9, 9, 0, 0])
    shelf.build()
    index = shelf.index()
    for frame in shelf.frames[:18]:
        shelf.drop(frame)
    found = shelf.search(index, [1, 1, 1, 0, 0, 0], 2)
    assert {each.frame for each in found} == set(shelf.frames[18:20])


def test_frames_to_choose_from_are_found_wherever_they_lie(shelf, few_scanned):
    fill(shelf)
    shelf.build()
    for some in (shelf.frames[:3], shelf.frames[5:25:4]):
        shelf.check(shelf.index(), Era.NOW, QUERY, 10, set(some))


def lifelike(count, dim, seed):
    """Rows of thirty topics that shade into each other."""
    chance = np.random.default_rng(seed)
    weights = 1 / np.sqrt(np.arange(dim) + 4)
    rows = (chance.normal(size=(30, dim)) * weights)[chance.integers(0, 30, count)] + chance.normal(
        size=(count, dim)
    ) * weights
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("parts", [1, 3])
def test_the_lists_that_are_looked_at_find_what_doctor_asks_for(tmp_path, few_scanned, monkeypatch, parts):
    monkeypatch.setattr(lists, "LIST_ROWS", 40)
    monkeypatch.setattr(segment_build, "MAX_ROWS", 6000 // parts)
    rows = lifelike(6000, 32, 1)
    shelf = Shelf(tmp_path / "mind.db", dim=32, scale=float(127 / np.abs(rows).max()), size=1)
    shelf.put_many(rows)
    assert len(shelf.build()) == parts
    with shelf.mind.read() as sql:
        index = shelf.index()
        assert recall(sql, index) >= 0.97
        assert recall(sql, index, rows[:60]) >= 0.97
    shelf.close()


@pytest.mark.parametrize(("spread", "least", "most"), [(0.1, 0, 0.2), (30, 0.4, 1)])
def test_how_much_is_looked_at_depends_on_how_well_the_rows_part(spread, least, most):
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(30, 24))[chance.integers(0, 30, 3000)] + spread * chance.normal(size=(3000, 24))
    made = lists.group((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16), 30)
    assert least <= made.share <= most


def test_the_same_rows_give_the_same_lists_and_every_row_lies_in_one():
    rows = lifelike(1000, 16, 2).astype(np.float16)
    rows[::50] = np.nan
    one, again = lists.group(rows, 40), lists.group(rows, 40)
    assert (one.order == again.order).all()
    assert (one.centres == again.centres).all()
    assert sorted(one.order.tolist()) == list(range(1000))
    assert one.is_sound(1000)
    assert 0 < one.share == again.share <= 1
    assert np.diff(one.starts).sum() == 1000


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 400))
def test_near_lists_hold_as_many_rows_as_asked_for(keep, rows):
    sizes = [10 + n for n, _ in enumerate(keep)]
    starts = np.cumsum([0, *sizes]).astype(np.int32)
    centres = np.array([[1.0 if kept else 0.0] for kept in keep], np.float32)
    each = lists.Lists(np.arange(starts[-1], dtype=np.int32), starts, centres)
    taken = lists.near([each, each], np.ones(1, np.float32), rows)
    held = sum(stop - start for stretches in taken for start, stop in stretches)
    assert held >= min(rows, 2 * starts[-1])
    assert held < rows + max(sizes)
    assert all(a[1] < b[0] for stretches in taken for a, b in pairwise(stretches))
