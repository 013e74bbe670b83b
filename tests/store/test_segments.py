"""Segment files: written whole or not at all, trusted only when everything about them is right."""

import json
import os
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere import Settings, StorageError, open_mind
from noosphere.clock import MINUTE
from noosphere.store import lease, segment_build, segment_files
from noosphere.store.fulltext import Era
from noosphere.store.segment_build import build_segments
from noosphere.store.segments import HEADER_BYTES, Segment, file_name, open_segment, write_segment
from noosphere.testing.embedders import HashedEmbedder

INCARNATION = "01890a5d-ac96-774b-bcce-b302099a8057"
DIM = 5


ROW_BYTES = 16 + 8 + 2 * DIM + DIM  # seq and frame, start and stop, float16 and int8


def made(count=7, step=1):
    """A segment of every `step`-th of some rows."""
    seqs = np.arange(3, 3 + 2 * count, 2, dtype=np.int64)
    rows = (np.arange(count * DIM) % 255 - 127).astype(np.int8).reshape(count, DIM)
    spans = np.stack([seqs, seqs + 7], axis=1).astype(np.int32)
    parts = (seqs, seqs * 10, spans, (rows / 127).astype(np.float16), rows)
    return Segment(3, int(seqs[-1]), *(part[::step] for part in parts))


def write(path, count=7, **options):
    write_segment(path, made(count), incarnation=INCARNATION, **options)


def opened(path, **options):
    return open_segment(path, **{"incarnation": INCARNATION, "dim": DIM, **options})


def assert_same(one, other):
    assert (one.lo, one.hi) == (other.lo, other.hi)
    for name in ("seqs", "frames", "spans", "exact", "rows"):
        assert getattr(one, name).dtype == getattr(other, name).dtype
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize("count", [1, 7])
def test_what_was_written_is_read_back(tmp_path, count):
    path = tmp_path / "a.q8"
    write(path, count)
    segment = opened(path)
    assert_same(segment, made(count))
    assert not segment.rows.flags.writeable
    assert [p.name for p in tmp_path.iterdir()] == ["a.q8"]


def test_rows_that_do_not_lie_together_are_written_as_they_are(tmp_path):
    write_segment(tmp_path / "a.q8", made(8, step=2), incarnation=INCARNATION)
    assert_same(opened(tmp_path / "a.q8"), made(8, step=2))


@pytest.mark.parametrize("other", [{"incarnation": INCARNATION[:-1] + "8"}, {"dim": DIM + 1}, {"dim": DIM - 1}])
def test_a_segment_of_another_incarnation_or_dimension_is_not_opened(tmp_path, other):
    write(tmp_path / "a.q8")
    assert opened(tmp_path / "a.q8", **other) is None


def test_what_is_not_there_is_not_opened(tmp_path):
    assert opened(tmp_path / "a.q8") is None
    assert opened(tmp_path) is None


@given(size=st.integers(0, HEADER_BYTES + 7 * ROW_BYTES - 1))
@settings(max_examples=30)
def test_a_torn_segment_is_not_opened(tmp_path_factory, size):
    path = tmp_path_factory.mktemp("torn") / "a.q8"
    write(path)
    os.truncate(path, size)
    assert opened(path) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(
    field=st.sampled_from(["magic", "format", "incarnation", "rows", "dim", "lo", "hi", "words", "share", None]),
    value=json_values,
)
@settings(max_examples=40)
def test_a_header_of_any_other_content_is_refused_or_harmless(tmp_path_factory, field, value):
    path = tmp_path_factory.mktemp("headers") / "a.q8"
    write(path)
    data = path.read_bytes()
    header = json.loads(data[:HEADER_BYTES])
    if field is None:
        header = value
    elif value is None:
        del header[field]
    else:
        header[field] = value
    path.write_bytes(json.dumps(header).encode().ljust(HEADER_BYTES)[:HEADER_BYTES] + data[HEADER_BYTES:])
    segment = opened(path)
    assert (
        segment is None
        or (field in ("lo", "hi", "share") and len(segment.seqs) == 7)
        or header == json.loads(data[:HEADER_BYTES])
    )


@given(noise=st.binary(max_size=200))
@settings(max_examples=60)
def test_noise_is_not_opened(tmp_path_factory, noise):
    path = tmp_path_factory.mktemp("noise") / "a.q8"
    path.write_bytes(noise.ljust(HEADER_BYTES, b"["))
    assert opened(path) is None


def test_names_tell_minds_incarnations_spaces_and_rows_apart():
    mind = "01890a5d-0000-774b-bcce-b302099a0000"
    near = INCARNATION[:-1] + "8"  # made in the same minute: its beginning is the same
    names = {
        file_name(mind, incarnation, space, lo, 9, 9)
        for incarnation in (INCARNATION, near) for space in (1, 2, 11) for lo in (1, 2)
    }  # fmt: skip
    assert len(names) == 12


@pytest.fixture
def thinking(tmp_path):
    """A mind with thirty embedded memories."""
    with open_mind(
        tmp_path / "mind.db", embedder=HashedEmbedder(16), settings=Settings(background=False)
    ) as mind:  # fmt: skip
        mind.remember_many([f"memory{n}x of many" for n in range(30)], wait=True)
        yield mind


def files(mind):
    return sorted(p.name for p in mind.path.parent.iterdir() if ".q8" in p.name)


def listed(mind):
    with mind._file.read() as sql:
        return sql.execute("SELECT space, lo, hi, rows, file FROM segment ORDER BY space, lo").fetchall()


def test_too_few_rows_build_nothing(thinking):
    assert build_segments(thinking._file, min_rows=31) == []
    assert files(thinking) == []


def test_each_space_gets_segments_without_gap_or_overlap(thinking, monkeypatch):
    monkeypatch.setattr(segment_build, "MAX_ROWS", 8)
    built = build_segments(thinking._file, min_rows=1)
    assert len(built) == 8
    thinking.remember_many([f"another{n}x" for n in range(3)], wait=True)
    assert len(build_segments(thinking._file, min_rows=1)) == 2
    rows = listed(thinking)
    assert sorted(row[4] for row in rows) == files(thinking)
    for space in {row[0] for row in rows}:
        mine = [row for row in rows if row[0] == space]
        assert sum(row[3] for row in mine) == 33
        assert all(a[2] < b[1] for a, b in pairwise(mine))
    assert build_segments(thinking._file, min_rows=1) == []
    assert thinking.doctor().healthy


def test_a_disk_that_refuses_is_named_and_gives_the_lease_back(thinking):
    def opener(path):
        raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="No space left"):
        build_segments(thinking._file, min_rows=1, opener=opener)
    with thinking._file.read() as sql:
        assert sql.execute("SELECT count(*) FROM lease").get == 0
    assert thinking.doctor().healthy
    assert build_segments(thinking._file, min_rows=1)


def hold_leases(mind, owner):
    with mind._file.write() as tx:
        for (space,) in tx.sql.execute("SELECT id FROM space").fetchall():
            tx.sql.execute("INSERT INTO lease VALUES (?, ?, ?)", (f"segment:{space}", owner, tx.clock_now + MINUTE))


def test_while_another_process_builds_nobody_else_builds_or_sweeps(thinking):
    stray = thinking.path.parent / file_name(thinking.uuid, thinking._file.incarnation, 1, 1, 2, 2)
    stray.write_bytes(b"being written")
    first = f"1:{lease._started(1)}:{lease.boot_id()}"  # a process that surely lives
    hold_leases(thinking, first)
    assert build_segments(thinking._file, min_rows=1) == []
    assert thinking.doctor().healthy, "what is being built is no stray"
    segment_files.sweep(thinking._file)
    assert stray.exists()


def test_what_a_dead_builder_left_is_named_and_swept(thinking):
    stray = thinking.path.parent / file_name(thinking.uuid, thinking._file.incarnation, 1, 1, 2, 2)
    for path in (stray, stray.with_name(f"{stray.name}.4242.tmp")):
        path.write_bytes(b"left")
    hold_leases(thinking, "4194304:1:before the restart")
    ill = thinking.doctor()
    assert [b.rule for b in ill.broken] == ["segment files are in the manifest"]
    assert ill.broken[0].count == 2
    assert thinking.doctor(fix=True).healthy
    assert not list(thinking.path.parent.glob("*.q8*"))


def test_doctor_looks_at_the_files_as_they_are_now(thinking):
    built = build_segments(thinking._file, min_rows=1)
    assert thinking.rank("memory3x")
    built[0].unlink()
    ill = thinking.doctor()
    assert [(b.rule, b.examples) for b in ill.broken] == [("segments hold what the rows hold", (built[0].name,))]
    assert thinking.doctor(fix=True).healthy
    assert built[0].name not in [row[4] for row in listed(thinking)]


def test_a_repair_that_strikes_a_segment_from_the_middle_loses_no_row(thinking, monkeypatch):
    monkeypatch.setattr(segment_build, "MAX_ROWS", 8)
    built = build_segments(thinking._file, min_rows=1)
    built[1].unlink()
    assert thinking.doctor(fix=True).healthy
    space = thinking._file.spaces()["hashed-16"][Era.NOW]
    with thinking._file.read() as sql:
        query = HashedEmbedder(16).embed_query("memory12x of many")
        assert len(thinking._file.index(space).search(sql, query, 100)) == 30


def test_the_segments_of_a_mind_in_the_same_folder_are_left_alone(thinking):
    build_segments(thinking._file, min_rows=1)
    with open_mind(
        thinking.path.with_name("other.db"), embedder=HashedEmbedder(16), settings=Settings(background=False)
    ) as other:
        other.remember("one of another mind", wait=True)
        build_segments(other._file, min_rows=1)
        assert other.doctor(fix=True).healthy
        assert thinking.doctor(fix=True).healthy
        assert other.doctor().healthy
