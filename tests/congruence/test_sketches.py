"""Segments with sketches: whole scans answer as the oracle does, and what a sketch calls near holds what is near."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_vector_index import DAMAGES, QUERY, Library, damage, fill
from vector_shelf import Shelf

from noosphere.store import segment_build, segments, sketch, vector_index
from noosphere.store.fulltext import Era
from noosphere.store.index_recall import recall, spoiled


@pytest.fixture(autouse=True)
def small_sketches(monkeypatch):
    """Four rows make a sketched segment."""
    monkeypatch.setattr(segments, "SKETCHED_ROWS", 4)


@pytest.fixture
def few_scanned(monkeypatch):
    """A search looks at hardly more rows than it is asked for."""
    monkeypatch.setattr(vector_index, "NEAR", 1)
    monkeypatch.setattr(vector_index, "SPARE", 0)


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path / "mind.db", dim=6)
    yield made
    made.close()


class SketchedLibrary(Library):
    """Everything that can happen, with segments that have sketches."""


SketchedLibrary.TestCase.settings = Library.TestCase.settings
TestSketchedLibrary = SketchedLibrary.TestCase


@pytest.mark.parametrize("how", DAMAGES)
def test_a_sketched_segment_that_cannot_be_trusted_changes_no_answer(shelf, how):
    fill(shelf)
    (built,) = shelf.build()
    damage(shelf, [built], how)
    shelf.check(shelf.index(), Era.NOW, QUERY, 30)


SKETCH_AT = segments.HEADER_BYTES + 24 * 45  # behind what is told of 45 rows
SKETCH_BYTES = 8 * 45 + 4 * 6


@given(
    place=st.integers(0, SKETCH_BYTES - 1),
    byte=st.integers(1, 255),
    query=st.lists(st.integers(-9, 9), min_size=6, max_size=6),
)
def test_a_byte_that_changed_in_a_sketch_raises_nothing(tmp_path_factory, place, byte, query):
    shelf = Shelf(tmp_path_factory.mktemp("sketch") / "mind.db", dim=6)
    fill(shelf)
    (built,) = shelf.build()
    data = bytearray(built.read_bytes())
    assert len(data) == SKETCH_AT + SKETCH_BYTES + 45 * 18
    data[SKETCH_AT + place] ^= byte
    built.write_bytes(data)
    shelf.search(shelf.index(), query, 5)
    shelf.close()


@pytest.mark.parametrize("place", [0, 44 * 8, 45 * 8 + 3])
def test_a_changed_sketch_is_found_by_doctor_s_look_at_every_row(shelf, place):
    fill(shelf)
    (built,) = shelf.build()
    with shelf.mind.read() as sql:
        assert list(spoiled(shelf.mind, sql, shelf.pair[Era.NOW])) == []
    data = bytearray(built.read_bytes())
    data[SKETCH_AT + place] ^= 0x40
    built.write_bytes(data)
    with shelf.mind.read() as sql:
        assert list(spoiled(shelf.mind, sql, shelf.pair[Era.NOW])) == [built.name]


def test_what_died_is_not_found_among_the_near_and_the_living_are(shelf, few_scanned):
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


def test_as_many_as_are_asked_for_are_found_however_far_off_they_lie(shelf, few_scanned):
    fill(shelf)
    shelf.build()
    index = shelf.index()
    for k in range(1, 31):
        assert len(shelf.search(index, QUERY, k)) == k


def test_frames_to_choose_from_are_found_wherever_they_lie(shelf, few_scanned):
    fill(shelf)
    shelf.build()
    for some in (shelf.frames[:3], shelf.frames[5:25:4]):
        shelf.check(shelf.index(), Era.NOW, QUERY, 10, set(some))


def lifelike(count, dim, seed):
    """Rows of thirty topics that shade into each other, all somewhat in one direction."""
    chance = np.random.default_rng(seed)
    topics = chance.normal(size=(30, dim))
    rows = topics[chance.integers(0, 30, count)] + chance.normal(size=(count, dim)) + chance.normal(size=dim)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("dim", [250, 384])
def test_what_is_looked_at_holds_what_doctor_asks_for(tmp_path, few_scanned, monkeypatch, parts, dim):
    monkeypatch.setattr(segment_build, "MAX_ROWS", 6000 // parts)
    rows = lifelike(6000, dim, 1)
    shelf = Shelf(tmp_path / "mind.db", dim=dim, scale=float(127 / np.abs(rows).max()), size=1)
    shelf.put_many(rows)
    assert len(shelf.build()) == parts
    looked_at = []
    plain = sketch.Sketch.near
    monkeypatch.setattr(
        sketch.Sketch, "near", lambda self, *given: looked_at.append(plain(self, *given)) or looked_at[-1]
    )
    with shelf.mind.read() as sql:
        index = shelf.index()
        assert recall(sql, index) >= 0.97
        assert recall(sql, index, rows[:60]) >= 0.97
    assert all(near is not None and len(near) < 2000 for near in looked_at)
    shelf.close()


@pytest.mark.parametrize(("spread", "least", "most"), [(0.3, 0.03, 0.1), (30, 0.3, 1)])
def test_how_much_is_looked_at_depends_on_how_well_bits_tell_what_is_near(spread, least, most):
    chance = np.random.default_rng(3)
    centres = chance.normal(size=(300, 64))
    rows = centres[chance.integers(0, 300, 3000)] + spread * chance.normal(size=(3000, 64))
    made = sketch.draw((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16))
    assert least <= made.share <= most


def test_the_same_rows_give_the_same_sketch_and_rows_of_no_numbers_have_one():
    rows = lifelike(1000, 70, 2).astype(np.float16)
    rows[::50] = np.nan
    one, again = sketch.draw(rows), sketch.draw(rows)
    assert one.bits.shape == (2, 1000)
    assert (one.bits == again.bits).all()
    assert (one.middle == again.middle).all()
    assert one.is_sound()
    assert 0 < one.share == again.share <= 1
    assert one.holds(np.arange(1000), rows)


@given(
    count=st.integers(1, 300), dim=st.integers(1, 130), block=st.integers(1, 64), seed=st.integers(0, 99),
    least=st.integers(1, 100),
)  # fmt: skip
def test_rows_are_as_far_apart_as_their_signs_differ_and_the_near_are_the_nearest(count, dim, block, seed, least):
    chance = np.random.default_rng(seed)
    rows, query = chance.normal(size=(count, dim)).astype(np.float32), chance.normal(size=dim).astype(np.float32)
    middle = rows.mean(axis=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "BLOCK", block)
        made = sketch.Sketch(sketch.bits(rows, middle), middle, 0.01)
        apart, near = made.apart(query), made.near(query, least)
    right = ((rows > middle) != (query > middle)).sum(axis=1)
    assert apart.tolist() == right.tolist()
    if near is None:
        assert max(least, round(0.01 * count)) > sketch.MOST_SHARE * count
    else:
        assert near.tolist() == [n for n in range(count) if right[n] <= np.sort(right)[least - 1]]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_rows_are_all_looked_at(count):
    assert sketch.draw(np.ones((count, 5), np.float16)).near(np.ones(5, np.float32), 1) is None
