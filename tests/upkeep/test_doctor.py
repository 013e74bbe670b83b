"""doctor over a whole mind: counts before and after, and samples looked up by word and by meaning."""

import random
from itertools import product

import pytest

from noosphere import Turn
from noosphere.store.segment_build import build_segments
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import derived, raw, rows, truth

WORDS = (
    "amber", "basil", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jade", "knoll", "larch", "mesa",
    "notch", "oasis", "peat", "quartz", "reed",
)  # fmt: skip
DERIVED_TABLES = (
    "text_now_terms", "text_past_terms", "text_now", "text_past", "spell", "expiry", "leaf", "off_path", "pending",
    "segment", "vec_tomb", "vec",
)  # fmt: skip


def fill(mind, count):
    """Memories, turns, edits, slots and forgotten ones: everything that has a derived side."""
    rng = random.Random(7)
    texts = [f"note {n} about {' '.join(rng.sample(WORDS, 4))}" for n in range(count)]
    stored = [o.id for o in mind.remember_many(texts)]
    turns = [Turn(key=str(n), speaker="Ann", text=f"turn {n} on {' '.join(rng.sample(WORDS, 3))}") for n in range(200)]
    mind.record("chat", turns)
    mind.record("chat", [Turn(key="7", speaker="Ann", text="said otherwise")])
    for n in range(0, count, count // 20):
        mind.revise(stored[n], f"note {n} edited about {rng.choice(WORDS)}")
    for n in range(1, count, count // 10):
        mind.forget(stored[n])
    for n in range(10):
        mind.remember(f"Ann lives in {WORDS[n]}", slot="ann.home_city", value=WORDS[n], valid_from=f"20{10 + n}")
    mind.remember("until June", valid_to="2026-06-01")
    return stored


def drop_everything_derived(mind):
    with raw(mind.path) as sql:
        sql.pragma("foreign_keys", False)
        for table in DERIVED_TABLES:
            sql.execute(f"DROP TABLE {table}")
    for segment in mind.path.parent.glob("*.q8"):
        segment.unlink()


def losing_and_mending(tmp_path, count):
    with scratch_mind(tmp_path, embedder=HashedEmbedder()) as mind:
        stored = fill(mind, count)
        mind.flush()
        build_segments(mind._file, min_rows=500)
        assert rows(mind.path, "SELECT count(*) FROM segment") != [(0,)]
        whole = mind.doctor()
        assert whole.healthy
        before = derived(mind.path), truth(mind.path)
        drop_everything_derived(mind)
        lost = mind.doctor()
        assert not lost.healthy
        assert (lost.before["memories"], lost.before["text_now"], lost.before["vectors"]) == (count + 11, -1, -1)
        mended = mind.doctor(fix=True)
        assert mended.healthy, mended
        assert mended.lost == ()
        assert mended.sampled == 50
        for name in (
            "nodes",
            "memories",
            "frames",
            "turns",
            "edges",
            "tags",
            "text_now",
            "text_past",
            "vectors",
            "spells",
        ):
            assert mended.after[name] == whole.before[name], name
        assert mended.after["pending"] == 0
        after = derived(mind.path), truth(mind.path)
        assert after[1] == before[1]
        assert {k: v for k, v in after[0].items() if k != "vectors"} == {
            k: v for k, v in before[0].items() if k != "vectors"
        }  # fmt: skip
        assert sorted(v[1:] for v in after[0]["vectors"]) == sorted(v[1:] for v in before[0]["vectors"])
        for node in stored[3 : count : count // 50]:
            text = mind.get(node).text
            for lane in ("keyword", "semantic"):
                assert node in {h.id for h in mind.rank(text, 20, lanes=[lane])}, (lane, text)


def test_everything_derived_can_be_lost_and_is_made_again(tmp_path):
    losing_and_mending(tmp_path, 1000)


@pytest.mark.slow
def test_everything_derived_can_be_lost_in_a_larger_mind(tmp_path):
    losing_and_mending(tmp_path, 3000)


@pytest.mark.soak
def test_everything_derived_can_be_lost_in_a_large_mind(tmp_path):
    losing_and_mending(tmp_path, 12_345)


def test_a_mind_without_a_model_mends_its_words(mind):
    fill(mind, 300)
    before = derived(mind.path)
    drop_everything_derived(mind)
    assert mind.doctor(fix=True).healthy
    assert derived(mind.path) == before


def test_what_cannot_be_found_again_is_unhealthy(thinking):
    """A vector that is no longer what its rescore holds: its unit is found by word, but not by meaning."""
    thinking.remember_many([f"note {n} about {w} and {v}" for n, (w, v) in enumerate(product(WORDS, WORDS))])
    thinking.flush()
    assert thinking.doctor().healthy
    with raw(thinking.path) as sql:
        sql.execute("UPDATE vec SET q = zeroblob(length(q)) WHERE frame % 4 = 1")
    with scratch_mind(thinking.path.parent, embedder=HashedEmbedder()) as mind:
        diagnosis = mind.doctor()
        assert not diagnosis.healthy
        assert {b.rule[:22] for b in diagnosis.broken} == {"both forms of a vector"}
        assert diagnosis.lost
        assert all(what.endswith("by meaning") for what in diagnosis.lost)


@pytest.mark.parametrize(
    ("tampering", "rule"),
    [
        ("DELETE FROM vec WHERE frame = (SELECT max(frame) FROM vec)", "have vectors or wait"),
        ("UPDATE vec SET q = x'00' WHERE seq = (SELECT min(seq) FROM vec)", "have its size"),
        ("INSERT INTO pending (space, frame) SELECT min(id), 1 FROM space", "only units wait"),
        (
            """UPDATE vec SET space = (SELECT p.id FROM space AS s JOIN space AS p ON p.name = s.name AND p.era = 'past'
                 WHERE s.id = vec.space) WHERE frame = (SELECT max(frame) FROM vec)""",
            "have vectors or wait",
        ),
    ],
)
def test_vectors_that_are_amiss_are_named_and_made_again(thinking, tampering, rule):
    first = thinking.remember("note about amber")
    thinking.forget(first.id)
    thinking.remember_many([f"note about {w}" for w in WORDS])
    thinking.flush()
    before = rows(thinking.path, "SELECT count(*) FROM vec")
    with raw(thinking.path) as sql:
        sql.execute(tampering.replace(", 1 FROM", f", {frame_of(thinking, first.frame)} FROM"))
    named = thinking.doctor()
    assert any(rule in b.rule and b.derived for b in named.broken)
    assert thinking.doctor(fix=True).healthy
    assert rows(thinking.path, "SELECT count(*) FROM vec") == before


def frame_of(mind, uid):
    return rows(mind.path, "SELECT id FROM frame WHERE uid = ?", bytes.fromhex(uid.replace("-", "")))[0][0]


def test_a_diagnosis_counts_before_and_after(mind):
    fill(mind, 100)
    diagnosis = mind.doctor()
    assert diagnosis.before == diagnosis.after
    assert diagnosis.before["memories"] == 111
    assert not diagnosis.fixed
    assert mind.doctor(fix=True).fixed


def test_many_findings_are_counted_and_some_are_named(mind):
    fill(mind, 100)
    with raw(mind.path) as sql:
        sql.execute("INSERT INTO text_now (text_now) VALUES ('delete-all')")
    broken = next(b for b in mind.doctor().broken if "holds what belongs" in b.rule)
    assert broken.count > 250
    assert len(broken.examples) == 20


def test_doctor_of_a_read_only_mind_reads(tmp_path):
    with scratch_mind(tmp_path) as mind:
        fill(mind, 100)
    with scratch_mind(tmp_path, read_only=True) as mind:
        assert mind.doctor().healthy


def test_a_segment_whose_bytes_changed_is_named_and_built_again(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder()) as mind:
        mind.remember_many([f"note {n} about {WORDS[n % 18]}" for n in range(120)])
        mind.flush()
        (path, *_) = build_segments(mind._file, min_rows=1)
        assert mind.doctor().healthy
        with path.open("r+b") as file:
            file.seek(path.stat().st_size - 40)
            before = file.read(1)
            file.seek(-1, 1)
            file.write(bytes([before[0] ^ 64]))
        found = mind.doctor()
        assert [(b.rule, b.examples) for b in found.broken] == [("segments hold what the rows hold", (path.name,))]
        assert mind.doctor(fix=True).healthy
        assert mind.doctor().healthy
        assert len(mind.rank("note 7 about amber")) > 0


FLIPS = {
    "a bit of the scanned form": ("q", lambda row: bytes([row[0], row[1] ^ 32, *row[2:]])),
    "a bit of the exact form": ("f", lambda row: bytes([*row[:3], row[3] ^ 64, *row[4:]])),
    "no numbers any more": ("f", lambda row: b"\xff" * len(row)),
    "an endless number": ("f", lambda row: bytes([0, 0x7C, *row[2:]])),
}


@pytest.mark.parametrize("segmented", [False, True])
@pytest.mark.parametrize("flip", FLIPS)
def test_a_vector_whose_bytes_changed_is_named_and_made_again(tmp_path, flip, segmented):
    column, change = FLIPS[flip]
    with scratch_mind(tmp_path, embedder=HashedEmbedder()) as mind:
        mind.remember_many([f"note {n} about {WORDS[n % 18]}" for n in range(120)])
        mind.flush()
        before = rows(mind.path, "SELECT space, frame, chunk, q, f FROM vec ORDER BY 1, 2, 3")
        if segmented:
            assert build_segments(mind._file, min_rows=1)
        (found,) = rows(mind.path, f"SELECT seq, {column} FROM vec ORDER BY seq LIMIT 1 OFFSET 70")
        with raw(mind.path) as sql:
            sql.execute(f"UPDATE vec SET {column} = ? WHERE seq = ?", (change(found[1]), found[0]))
        mind._file.forget_indexes()
        assert mind.rank("note 7 about larch", 3), "the others are found all the same"
        ill = mind.doctor()
        assert ("both forms of a vector", (f"vec {found[0]}",)) in [(b.rule[:22], b.examples) for b in ill.broken]
        assert all(b.derived for b in ill.broken)
        assert mind.doctor(fix=True).healthy
        mind.flush()
        assert mind.doctor().healthy
        assert rows(mind.path, "SELECT space, frame, chunk, q, f FROM vec ORDER BY 1, 2, 3") == before


def test_an_index_that_misses_what_an_exact_search_finds_is_unhealthy(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder()) as mind:
        mind.remember_many([f"note {n} about {WORDS[n % 18]} and {WORDS[n % 7]}" for n in range(400)])
        mind.flush()
        assert mind.doctor().index_recall == 1.0
        with raw(mind.path) as sql:
            sql.execute("UPDATE vec SET q = zeroblob(length(q)) WHERE seq % 3 > 0")
        mind._file.forget_indexes()
        found = mind.doctor()
        assert found.index_recall < 0.97
        assert not found.healthy


def test_a_mind_without_vectors_has_no_index_to_hold_against_anything(mind):
    mind.remember("words alone")
    found = mind.doctor()
    assert (found.index_recall, found.rehearsal, found.healthy) == (None, (), True)


def test_doctor_says_when_a_scratch_mind_cannot_be_used(mind, monkeypatch, tmp_path):
    mind.remember("words alone")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    found = mind.doctor()
    assert not found.healthy
    assert found.broken == ()
    assert "scratch" in found.rehearsal[0]


def test_doctor_says_which_step_of_the_rehearsal_went_wrong(mind, monkeypatch):
    mind.remember("words alone")
    monkeypatch.setattr("noosphere.mind.changing.Changing.forget", lambda *_: None)
    assert mind.doctor().rehearsal == ("what was forgotten is still found",)


def test_a_torn_record_of_the_full_text_index_is_named_and_made_again(mind):
    mind.remember("words alone")
    with raw(mind.path) as sql:
        sql.execute("UPDATE text_now_docsize SET sz = x'2dff'")
    assert not mind.doctor().healthy
    assert mind.doctor(fix=True).healthy
