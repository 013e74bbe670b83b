"""Search by meaning: whatever was written, deleted, moved, put into segments or damaged, the oracle's answer."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from vector_shelf import Shelf

from noosphere import BrokenInvariant, Settings, open_mind
from noosphere.store import vectors
from noosphere.store.fulltext import Era
from noosphere.store.segments import FORMAT
from noosphere.testing.embedders import HashedEmbedder

small_numbers = st.integers(-4, 4)  # so that many scores are equal


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path / "mind.db", dim=6)
    yield made
    made.close()


@pytest.fixture
def no_segments(tmp_path):
    folder = tmp_path / "no segments here"
    folder.mkdir()
    return folder


def fill(shelf, seed=0, units=30, chunks=2):
    chance = np.random.default_rng(seed)
    for frame in shelf.frames[:units]:
        shelf.put(frame, chance.integers(-9, 10, (1 + frame % chunks, shelf.dim)))


QUERY = [3, -1, 2, 0, 5, -4]


def swapped(old, new):
    """A damage that writes something else into the header, or anywhere it stands."""
    return lambda shelf, data: data.replace(old(shelf).encode(), new(shelf).encode())


DAMAGES = {
    "missing": None,
    "empty": lambda *_: b"",
    "torn": lambda _, data: data[:-3],
    "only its header": lambda _, data: data[:4096],
    "too long": lambda _, data: data + b"\0",
    "a byte flipped in the newest row": lambda _, data: data[:-1] + bytes(byte ^ 0x55 for byte in data[-1:]),
    "no header": lambda _, data: b"[" * 4096 + data[4096:],
    "of another incarnation": swapped(lambda shelf: shelf.mind.incarnation, lambda _: "0" * 36),
    "of another dimension": swapped(lambda s: f'"dim": {s.dim}', lambda s: f'"dim": {s.dim - 1}'),
    "of another format": swapped(lambda _: f'"format": {FORMAT}', lambda _: '"format": 9'),
    "of other rows": swapped(lambda _: '"lo": ', lambda _: '"lo": 9'),
}


def damage(shelf, files, how):
    """Spoil what a crash, a copy or a bad disk could spoil."""
    for file in files:
        if how == "missing":
            file.unlink()
        else:
            file.write_bytes(DAMAGES[how](shelf, file.read_bytes()))


def three_segments(shelf):
    built = []
    for start in (0, 10, 20):
        fill_part = shelf.frames[start : start + 10]
        chance = np.random.default_rng(start)
        for frame in fill_part:
            shelf.put(frame, chance.integers(-9, 10, (2, shelf.dim)))
        built += shelf.build()
    assert len(built) == 3
    return built


@pytest.mark.parametrize("which", [[1], [0, 2]])
@pytest.mark.parametrize("how", DAMAGES)
def test_a_segment_that_cannot_be_trusted_changes_no_answer(shelf, how, which):
    built = three_segments(shelf)
    damage(shelf, [built[n] for n in which], how)
    index = shelf.index()
    for k in (1, 7, 100):
        shelf.check(index, Era.NOW, QUERY, k)
    with shelf.mind.read() as sql:
        assert index.unusable(sql) == tuple(path.name for path in built[which[0] :])


@pytest.mark.parametrize("which", [[0], [1], [0, 1, 2]])
@pytest.mark.parametrize("how", ["missing", "torn", "a byte flipped in the newest row"])
def test_building_again_replaces_what_cannot_be_trusted(shelf, no_segments, how, which):
    built = three_segments(shelf)
    damage(shelf, [built[n] for n in which], how)
    shelf.put(shelf.frames[35], [1, 1, 1, 1, 1, 1])
    assert shelf.build()
    index = shelf.index()
    shelf.check(index, Era.NOW, QUERY, 100)
    shelf.check(shelf.index(folder=no_segments), Era.NOW, QUERY, 100)
    with shelf.mind.read() as sql:
        assert index.unusable(sql) == ()
        known = {file for (file,) in sql.execute("SELECT file FROM segment")}
    assert {path.name for path in shelf.path.parent.glob("*.q8*")} == known


def test_a_folder_in_place_of_a_segment_changes_no_answer(shelf):
    built = three_segments(shelf)
    built[1].unlink()
    built[1].mkdir()
    shelf.check(shelf.index(), Era.NOW, QUERY, 100)


def test_a_segment_under_another_s_name_is_not_trusted(shelf):
    built = three_segments(shelf)
    shutil.copy(built[0], built[1])
    shelf.check(shelf.index(), Era.NOW, QUERY, 100)


def test_a_manifest_with_a_gap_loses_no_row(shelf):
    built = three_segments(shelf)
    with shelf.mind.write() as tx:
        tx.sql.execute("DELETE FROM segment WHERE file = ?", (built[1].name,))
    shelf.check(shelf.index(), Era.NOW, QUERY, 100)


def test_stray_and_unfinished_files_are_not_read_and_are_swept_when_the_next_is_built(shelf):
    built = three_segments(shelf)
    stray = built[2].with_name(built[2].name.replace(".q8", "9.q8"))
    unfinished = built[2].with_name(f"{built[2].name}.4242.tmp")
    other = built[2].with_name("notes.q8")
    for file in (stray, unfinished, other):
        shutil.copy(built[0], file)
    shelf.check(shelf.index(), Era.NOW, QUERY, 100)
    shelf.put(shelf.frames[36], [1, 1, 1, 1, 1, 1])
    shelf.build()
    assert not stray.exists()
    assert not unfinished.exists()
    assert other.exists(), "what is not ours stays"


def test_what_was_deleted_or_moved_after_a_segment_was_built_is_not_found_in_it(shelf):
    fill(shelf)
    shelf.build()
    index, past = shelf.index(), shelf.index(Era.PAST)
    shelf.check(index, Era.NOW, QUERY, 100)
    for number, frame in enumerate(shelf.frames[:30:3]):
        if number % 2:
            shelf.drop(frame)
        else:
            shelf.move(frame, Era.PAST)
    for each, era in ((index, Era.NOW), (shelf.index(), Era.NOW), (past, Era.PAST), (shelf.index(Era.PAST), Era.PAST)):
        shelf.check(each, era, QUERY, 100)
    for frame in shelf.frames[:30:6]:
        shelf.move(frame, Era.NOW)
    shelf.build()
    for each, era in ((index, Era.NOW), (shelf.index(), Era.NOW), (past, Era.PAST), (shelf.index(Era.PAST), Era.PAST)):
        shelf.check(each, era, QUERY, 100)


def test_a_segment_whose_every_row_died_gives_nothing(shelf):
    fill(shelf, units=10)
    shelf.build()
    for frame in list(shelf.units):
        shelf.drop(frame)
    index = shelf.index()
    assert shelf.search(index, QUERY, 10) == []
    shelf.put(shelf.frames[3], QUERY)
    shelf.check(index, Era.NOW, QUERY, 10)


def test_a_unit_of_many_near_chunks_does_not_crowd_out_the_others(shelf):
    shelf.put(shelf.frames[0], [QUERY] * 500)
    for frame in shelf.frames[1:12]:
        shelf.put(frame, [0, 0, 0, 0, 1, 0])
    shelf.check(shelf.index(), Era.NOW, QUERY, 12)
    shelf.build()
    shelf.check(shelf.index(), Era.NOW, QUERY, 12)


@pytest.mark.parametrize("among", [[], [10**9], "one", "some", "all"])
def test_only_units_asked_for_are_found(shelf, among):
    fill(shelf)
    shelf.build()
    fill(shelf, seed=5, units=15)
    chosen = {"one": shelf.frames[4:5], "some": shelf.frames[3:20:2], "all": shelf.frames}.get(str(among), among)
    for k in (1, 5, 100):
        shelf.check(shelf.index(), Era.NOW, QUERY, k, set(chosen))


def test_another_connection_s_changes_are_seen_at_the_next_search(shelf):
    fill(shelf, units=10)
    index = shelf.index()
    shelf.check(index, Era.NOW, QUERY, 100)
    other = Shelf(shelf.path, dim=6, size=0, units=shelf.units)
    for frame in shelf.frames[10:14]:
        other.put(frame, QUERY)
        shelf.check(index, Era.NOW, QUERY, 100)
    other.drop(shelf.frames[0])
    shelf.check(index, Era.NOW, QUERY, 100)
    other.build()
    other.move(shelf.frames[1], Era.PAST)
    shelf.check(index, Era.NOW, QUERY, 100)
    other.mind.close()


def test_another_process_s_changes_are_seen_at_the_next_search(tmp_path):
    path = tmp_path / "mind.db"
    options = {"embedder": HashedEmbedder(32), "settings": Settings(background=False)}
    script = (
        "import sys; from noosphere import *; from noosphere.testing.embedders import HashedEmbedder\n"
        "mind = open_mind(sys.argv[1], embedder=HashedEmbedder(32), settings=Settings(background=False))\n"
        "if sys.argv[2] == 'forget': mind.forget(sys.argv[3])\n"
        "else: print(mind.remember(sys.argv[3], wait=True).id)\n"
    )

    def elsewhere(*arguments):
        done = subprocess.run([sys.executable, "-c", script, str(path), *arguments], check=True, capture_output=True)
        return done.stdout.decode().strip()

    def nearest(mind, question):
        embedder = HashedEmbedder(32)
        with mind._file.read() as sql:
            index = mind._file.index(mind._file.spaces()["hashed-32"][Era.NOW])
            return [found.frame for found in index.search(sql, embedder.embed_query(question), 3) if found.score > 0.9]

    with open_mind(path, **options) as mind:
        mind.remember("an apple a day", wait=True)
        assert nearest(mind, "blue whales sing") == []
        found = elsewhere("remember", "blue whales sing")
        assert len(nearest(mind, "blue whales sing")) == 1
        elsewhere("forget", found)
        assert nearest(mind, "blue whales sing") == []
        assert len(nearest(mind, "an apple a day")) == 1


def test_a_search_inside_a_write_transaction_is_refused_and_leaves_no_trace(shelf):
    fill(shelf, units=10)
    index = shelf.index()
    shelf.check(index, Era.NOW, QUERY, 100)
    with shelf.mind.write() as tx:
        vectors.drop(tx, shelf.frames[0])
        with pytest.raises(BrokenInvariant, match="write transaction"):
            shelf.search(index, QUERY, 5)
        assert index.unusable(tx.sql) == ()
    shelf.units.pop(shelf.frames[0])
    shelf.check(index, Era.NOW, QUERY, 100)


def test_rows_that_were_rolled_back_are_never_found(shelf):
    fill(shelf, units=10)
    index = shelf.index()

    def move_and_fail(frame):
        with shelf.mind.write() as tx:
            vectors.move(tx, frame, Era.PAST)
            index.unusable(tx.sql)
            raise KeyboardInterrupt

    for number in range(3):
        with pytest.raises(KeyboardInterrupt):
            move_and_fail(shelf.frames[number])
        shelf.check(index, Era.NOW, QUERY, 100)
        shelf.check(shelf.index(Era.PAST), Era.PAST, QUERY, 100)
        shelf.put(shelf.frames[20 + number], QUERY)
        shelf.check(index, Era.NOW, QUERY, 100)


@given(
    seed=st.integers(0, 10**6),
    dim=st.sampled_from([3, 8, 64, 384]),
    count=st.integers(1, 300),
    k=st.sampled_from([1, 10, 40]),
    split=st.floats(0, 1),
)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_unit_vectors_come_back_as_near_as_their_rounding_allows(seed, dim, count, k, split):
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(count, dim)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    query = rows[0] + chance.normal(size=dim).astype(np.float32) * 0.3 / dim**0.5
    query = (query / np.linalg.norm(query)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "mind.db", dim=dim, scale=float(127 / np.abs(rows).max()), size=count)
        for number, (frame, row) in enumerate(zip(shelf.frames, rows, strict=True)):
            shelf.put(frame, row)
            if number == int(split * count):
                shelf.build()
        found = shelf.search(shelf.index(), query, k)
        shelf.close()
    exact = rows.astype(np.float64) @ query
    best = np.sort(exact)[::-1][:k]
    assert len(found) == len(best)
    for place, hit in enumerate(found):
        assert abs(hit.score - exact[shelf.frames.index(hit.frame)]) < 2e-3
        assert hit.score >= best[place] - 0.02


class Library(RuleBasedStateMachine):
    """Everything that can happen to vectors and segments, with old and new indexes compared after every step."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.empty = tempfile.TemporaryDirectory()
        self.shelf = Shelf(Path(self.folder.name) / "mind.db", dim=3, size=25)
        self.old = {era: self.shelf.index(era) for era in Era}

    @rule(
        place=st.integers(0, 24),
        rows=st.lists(st.tuples(small_numbers, small_numbers, small_numbers), min_size=1, max_size=3),
        era=st.sampled_from(Era),
    )
    def put(self, place, rows, era):
        self.shelf.put(self.shelf.frames[place], rows, era)

    @rule(place=st.integers(0, 24))
    def drop(self, place):
        self.shelf.drop(self.shelf.frames[place])

    @rule(place=st.integers(0, 24), era=st.sampled_from(Era))
    def move(self, place, era):
        frame = self.shelf.frames[place]
        if frame in self.shelf.units and self.shelf.units[frame].era is not era:
            self.shelf.move(frame, era)

    @rule(min_rows=st.sampled_from([1, 3]))
    def build(self, min_rows):
        self.shelf.build(min_rows)

    @rule(how=st.sampled_from(sorted(DAMAGES)), choice=st.integers(0, 9))
    def spoil(self, how, choice):
        files = sorted(p for p in self.shelf.path.parent.glob("*.q8") if p.is_file())
        if files:
            damage(self.shelf, [files[choice % len(files)]], how)
            self.reopen()  # a file that is mapped is never changed by us

    @rule()
    def reopen(self):
        self.old = {era: self.shelf.index(era) for era in Era}

    @rule(
        query=st.tuples(small_numbers, small_numbers, small_numbers),
        k=st.sampled_from([1, 2, 5, 30]),
        among=st.none() | st.sets(st.integers(0, 24)),
    )
    def ask(self, query, k, among):
        chosen = None if among is None else {self.shelf.frames[n] for n in among}
        for era in Era:
            answers = [
                self.shelf.search(index, query, k, chosen)
                for index in (self.old[era], self.shelf.index(era), self.shelf.index(era, Path(self.empty.name)))
            ]
            assert answers[0] == answers[1] == answers[2]
            self.shelf.check(self.old[era], era, query, k, chosen)

    def teardown(self):
        self.shelf.close()
        self.folder.cleanup()
        self.empty.cleanup()


Library.TestCase.settings = settings(max_examples=8, stateful_step_count=25, deadline=None)
TestLibrary = Library.TestCase


class LongLibrary(Library):
    """The same for longer."""


LongLibrary.TestCase.settings = settings(max_examples=200, stateful_step_count=60, deadline=None)
TestLongLibrary = pytest.mark.soak(LongLibrary.TestCase)
