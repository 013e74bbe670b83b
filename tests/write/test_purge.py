"""purge: gone from every read, every index, every file; a search of bytes of our own agrees."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere import InvalidInput, NotFound, Purged, PurgePending, Reason, Refused, Turn
from noosphere.store.connection import Db
from noosphere.store.migrations import check
from noosphere.store.segment_build import build_segments
from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind

VAULT = "the vault of the xylograph opens with 73914-QUOKKA"


def bytes_of(folder):
    """All that lies in the mind's folder. The mind must be closed: reading the file drops the locks of a process."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_purged_memory_is_in_no_view_and_in_no_byte(tmp_path, clock, ids):
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as mind:
        mind.remember("harmless words stay")
        stored = mind.remember(VAULT, title="Xylograph vault", metadata={"hint": "wombat-4471"}, tags=["safe"])
        mind.append(stored.id, "and the spare is a BANDICOOT-5582")
        mind.branch(stored.id, "or it opens with NUMBAT-6693", description="a PANGOLIN guess")
        mind.revise(stored.id, VAULT + ", since May")
        mind.flush()
        outcome = mind.purge(stored.id)
        assert isinstance(outcome, Purged), outcome
        assert outcome.ids == (stored.id,)
        assert outcome.pieces > 5
        assert (outcome.shared, outcome.backups) == ((), ())
        assert mind.rank("xylograph vault quokka", include_past=True) == []
        assert len(mind.rank("harmless words")) == 1
        assert mind.get(stored.id).text == ""
        assert mind.doctor().healthy
    found = bytes_of(tmp_path)
    for word in (
        "QUOKKA",
        "quokka",
        "xylograph",
        "Xylograph",
        "wombat",
        "BANDICOOT",
        "bandicoot",
        "NUMBAT",
        "PANGOLIN",
    ):
        assert word.encode() not in found, word
    assert b"harmless" in found


def test_no_undo_brings_it_back(mind):
    stored = mind.remember(VAULT)
    forgotten = mind.forget(stored.id)
    purged = mind.purge(stored.id)
    assert isinstance(purged, Purged)
    for entry in (purged.journal, forgotten.journal, stored.journal):
        for cascade in (False, True):
            assert isinstance(mind.undo(entry, cascade=cascade), Refused)
    assert mind.get(stored.id).text == ""
    again = mind.purge(stored.id)
    assert isinstance(again, Refused)
    assert again.reason is Reason.UNCHANGED


def test_the_context_of_the_turn_after_it_is_written_anew(tmp_path, clock, ids):
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as mind:
        turns = [
            Turn(key="1", speaker="Ann", text="hello there"),
            Turn(key="2", speaker="Ann", text=VAULT),
            Turn(key="3", speaker="Bo", text="thanks, noted"),
        ]
        recorded = mind.record("talk", turns)
        mind.flush()
        outcome = mind.purge(recorded.added[1])
        assert isinstance(outcome, Purged), outcome
        assert mind.rank("xylograph quokka", include_past=True) == []
        assert mind.rank("thanks noted")[0].id == recorded.added[2]
        assert mind.doctor().healthy
        again = mind.record("talk", turns)
        assert (again.added, again.changed, again.known) == ((), (), 3)
    found = bytes_of(tmp_path)
    assert b"QUOKKA" not in found
    assert b"quokka" not in found


def test_what_was_drawn_from_it_is_listed_or_goes_with_it(mind):
    source, other = mind.remember(VAULT), mind.remember("the door is blue and heavy")
    mind.link(other.id, "drawn_from", source.id)
    third, fourth = mind.remember("plain source of a thing"), mind.remember("thing drawn from plain")
    mind.link(fourth.id, "drawn_from", third.id)
    assert mind.purge(source.id).drawn == (other.id,)
    assert mind.get(other.id).text == "the door is blue and heavy"
    assert set(mind.purge(third.id, drawn=True).ids) == {third.id, fourth.id}
    assert mind.get(fourth.id).text == ""


def test_what_others_say_with_the_same_words_stays_and_is_named(mind):
    stored = mind.remember(VAULT)
    other = mind.remember("Ann said: " + VAULT)
    outcome = mind.purge(stored.id)
    assert isinstance(outcome, Purged)
    assert outcome.shared == (other.frame,)
    assert mind.get(other.id).text.endswith("QUOKKA")


def test_a_name_that_only_purged_memories_said_goes_with_the_last_of_them(tmp_path, clock, ids):
    with scratch_mind(tmp_path, clock=clock, ids=ids) as mind:
        told = [mind.remember(text) for text in ("Xyloph Quorblat leads Project Heron", "Xyloph Quorblat is away")]
        mind.flush()
        mind.purge(told[0].id)
        assert [e.name for e in mind.entity("Xyloph Quorblat")] == ["Xyloph Quorblat"]
        mind.purge(told[1].id)
        assert mind.search_entities("Quorblat") == []
        assert mind.doctor().healthy
    assert b"quorblat" not in bytes_of(tmp_path).lower()


def test_backups_that_hold_it_are_named(mind, tmp_path):
    stored = mind.remember(VAULT)
    away = tmp_path / "away"
    away.mkdir()
    near, far = mind.path.with_name("near.db"), away / "far.db"
    mind.backup(near)
    mind.backup(far)
    outcome = mind.purge(stored.id, backups=[away])
    assert outcome.backups == (str(near), str(far))


def test_an_import_never_brings_it_back(mind, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "vault.md").write_text(VAULT + "\n", encoding="utf-8")
    mind.harvest(notes)
    (hit,) = mind.rank("xylograph quokka")
    with mind._file.read() as sql:
        before = sql.execute("SELECT digest FROM harvest_items").get
    assert isinstance(mind.purge(hit.id), Purged)
    with mind._file.read() as sql:
        assert sql.execute("SELECT digest FROM harvest_items").get != before
    assert mind.harvest(notes).forgotten == 1
    assert mind.rank("xylograph quokka", include_past=True) == []


def test_a_reader_of_an_older_state_makes_it_pending_until_it_is_done_again(mind):
    stored = mind.remember(VAULT)
    reader = Db(mind.path, admit=check, read_only=True)
    with reader.read() as sql:
        sql.execute("SELECT count(*) FROM frame").fetchall()
        pending = mind.purge(stored.id)
        assert isinstance(pending, PurgePending)
        assert pending.holders
        assert mind.get(stored.id).text == ""
    reader.close()
    assert isinstance(mind.purge(stored.id), Purged)
    assert isinstance(mind.purge(stored.id), Refused)


def test_segments_that_held_its_vectors_are_gone(thinking):
    stored = [thinking.remember(f"number {n} of the quiet words") for n in range(30)]
    thinking.flush()
    with thinking._file.read() as sql:
        before = sql.execute("SELECT count(*) FROM vec").get
    assert build_segments(thinking._file, min_rows=1)
    assert list(thinking.path.parent.glob("*.q8"))
    outcome = thinking.purge(stored[7].id)
    assert isinstance(outcome, Purged), outcome
    assert not list(thinking.path.parent.glob("*.q8"))
    with thinking._file.read() as sql:
        assert sql.execute("SELECT count(*) FROM vec").get == before * 29 // 30
    assert len(thinking.rank("number 8 of the quiet words")) > 0
    assert thinking.doctor().healthy


def test_what_cannot_be_purged_is_told(mind):
    recorded = mind.record("talk", [Turn(key="1", speaker="Ann", text="hello")])
    with pytest.raises(InvalidInput, match="conversation"):
        mind.purge(recorded.conversation)
    with pytest.raises(NotFound):
        mind.purge("01890a5d-ac96-774b-bcce-b302099a8057")


@settings(max_examples=15)
@given(st.text(min_size=1, max_size=600).filter(lambda text: len(text.strip().encode("utf-8", "ignore")) >= 12))
def test_of_any_text_nothing_is_left(tmp_path_factory, text):
    with scratch_mind(tmp_path_factory.mktemp("any"), clock=FrozenClock(), ids=SequentialIds()) as mind:
        stored = mind.remember(text)
        if isinstance(stored, Refused):
            return
        mind.remember("something else")
        outcome = mind.purge(stored.id)
        assert isinstance(outcome, Purged), outcome
        assert not outcome.shared
        assert mind.get(stored.id).text == ""
        assert mind.doctor().healthy


def test_what_stood_in_a_tag_or_in_the_address_of_evidence_goes_too(tmp_path, clock, ids):
    with scratch_mind(tmp_path, clock=clock, ids=ids) as mind:
        words = "quokka-73914-wombat"
        kept = mind.remember("The gate is green", tags=["garden"])
        gone = mind.remember("The gate opens", tags=[words, "garden"], evidence=f"https://a.example/{words}")
        also = mind.remember("The barn opens", evidence=f"note-{words}")
        mind.classify(gone.id, tags=["garden"])
        assert [type(mind.purge(one.id)) for one in (gone, also)] == [Purged, Purged]
        assert mind.get(kept.id).tags == ("garden",)
        assert mind.doctor().healthy
    found = bytes_of(tmp_path)
    assert b"wombat" not in found
    assert b"garden" in found


def test_an_export_beside_the_mind_that_holds_it_is_named(mind, tmp_path):
    stored = mind.remember(VAULT)
    mind.export(tmp_path / "told.jsonl")
    (tmp_path / "diary.txt").write_text("other words", encoding="utf-8")
    outcome = mind.purge(stored.id)
    assert outcome.backups == (str(tmp_path / "told.jsonl"),)
