"""Models of a mind: a new one fills a space of its own while the old one serves, then takes its place, whole."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from hosted import serving
from noosphere import InvalidInput, ModelUnavailable, Refused, Settings, Turn, open_mind
from noosphere.store.vectors import MAX_TRIES
from noosphere.testing.embedders import HashedEmbedder
from observed import rows

NEW, OLD = "openai:mine", "hashed-16"


@pytest.fixture
def host():
    with serving(48) as running:
        yield running


def settings(host, **more):
    values = {"providers": NEW, "openai_url": host.url, "background": False, **more}
    return Settings().override("argument", values)


def opened(tmp_path, host, **more):
    return open_mind(tmp_path / "mind.db", embedder=HashedEmbedder(16), settings=settings(host, home=tmp_path, **more))


def state(mind):
    return {model.name: (model.state, model.embedded, model.pending) for model in mind.models.list() if model.dim}


def dimensions(path):
    """Every pair of a space's dimension and the size of a vector in it."""
    return set(rows(path, "SELECT s.dim, length(v.q) FROM vec AS v JOIN space AS s ON s.id = v.space"))


def test_the_old_model_serves_until_the_new_one_is_whole(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x of many" for n in range(300)])
        mind.flush()
        chosen = mind.models.use(NEW)
        assert (chosen.active, chosen.pending) == (False, 300)
        assert mind.flush(100).pending == {NEW: 200}
        assert mind.status().active_space == OLD
        mind.remember("said in between")
        assert mind.recall("memory7x").trace.degraded() == ()
        mind.flush()
        assert mind.status().active_space == NEW
        assert state(mind)[NEW] == ("active", 301, 0)
        assert state(mind)[OLD] == ("resting", 301, 0)
        hit = mind.rank("said in between", 1)[0]
        assert {lane.name for lane in hit.lanes} == {"keyword", "semantic"}
        mind.remember("said afterwards", wait=True)
        assert state(mind)[OLD] == ("resting", 301, 0), "a model that was replaced costs nothing any more"
        assert mind.doctor().healthy
        assert dimensions(mind.path) == {(16, 16), (48, 48), (256, 256)}


def test_a_model_that_rested_needs_only_what_it_missed(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x" for n in range(20)])
        mind.flush()
        mind.models.use(NEW)
        mind.flush()
        mind.remember("new meanwhile")
        mind.flush()
        assert mind.models.use(OLD).pending == 1
        mind.flush()
        assert state(mind)[OLD] == ("active", 21, 0)
        assert mind.models.use("static").active, "the static space is always whole"
        assert state(mind)["static-256.int8"][0] == "active"
        assert mind.rank("memory7x", 1)[0].text == "memory7x"


def test_choosing_the_model_that_serves_gives_up_the_one_being_filled(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember("one")
        mind.flush()
        mind.models.use(NEW)
        assert mind.models.use(OLD).active
        mind.flush()
        assert (state(mind)[OLD][0], state(mind)[NEW][0]) == ("active", "resting")


def test_a_killed_process_loses_nothing_of_what_was_filled(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x" for n in range(400)])
        mind.flush()
    child = f"""
import os, sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}
from pathlib import Path
from test_models import NEW, opened
class Host: url = {host.url!r}
mind = opened(Path({str(tmp_path)!r}), Host)
mind.models.use(NEW)
mind.flush(256)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", child], capture_output=True, check=False, timeout=60)
    assert done.returncode == -9, done.stderr.decode()
    with opened(tmp_path, host) as mind:
        assert state(mind)[NEW] == ("filling", 256, 144)
        assert mind.status().active_space == OLD
        assert mind.doctor().healthy
        mind.flush()
        assert state(mind)[NEW] == ("active", 400, 0)


def test_a_swap_under_readers_and_writers_fails_no_call_and_never_empties_an_answer(tmp_path, host):
    with opened(tmp_path, host, background=True) as mind:
        mind.remember_many([f"memory{n}x of the mind that is swapped" for n in range(2000)])
        mind.flush()
        stop, troubles, answers = threading.Event(), [], []

        def read():
            n = 0
            while not stop.is_set():
                n += 1
                try:
                    recalled = mind.recall(f"memory{n % 2000}x of the mind")
                    answers.append((len(recalled.hits), len(recalled.trace.degraded())))
                except Exception as problem:  # noqa: BLE001  (the test looks at it)
                    troubles.append(problem)

        def write():
            n = 0
            while not stop.is_set() and n < 500:
                n += 1
                try:
                    mind.record("talk", [Turn(key=str(n), speaker="Ann", text=f"turn{n}x")])
                except Exception as problem:  # noqa: BLE001
                    troubles.append(problem)

        threads = [threading.Thread(target=work) for work in (read, write)]
        for thread in threads:
            thread.start()
        mind.models.use(NEW)
        while mind.status().active_space != NEW:
            mind.flush(256)
        stop.set()
        for thread in threads:
            thread.join()
        assert troubles == []
        assert len(answers) > 5
        assert all(hits > 0 and degraded == 0 for hits, degraded in answers)
        mind.flush()
        assert mind.doctor().healthy
        assert dimensions(mind.path) == {(16, 16), (48, 48), (256, 256)}


def test_a_text_that_the_model_refuses_stays_pending_and_holds_up_neither_the_others_nor_the_swap(tmp_path, host):
    host.trouble = lambda texts: (400, {}) if any("poison" in text for text in texts) else None
    with opened(tmp_path, host) as mind:
        mind.remember_many([*(f"memory{n}x" for n in range(40)), "poison", "poison ivy"])
        mind.flush()
        mind.models.use(NEW)
        for _ in range(MAX_TRIES):
            mind.flush()
        assert state(mind)[NEW] == ("active", 40, 2)
        assert [hit.text for hit in mind.rank("poison ivy", 1)] == ["poison ivy"], "found by its words"
        host.trouble = lambda _: None
        mind.doctor(fix=True)
        assert state(mind)[NEW] == ("active", 42, 0)


def test_a_server_that_dies_midway_leaves_the_rest_pending_and_nothing_refused(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x" for n in range(300)])
        mind.flush()
        mind.models.use(NEW)
        sent = []
        host.trouble = lambda texts: sent.extend(texts) or ((401, {}) if len(sent) > 150 else None)
        flushed = mind.flush()
        assert any("answered 401" in problem for problem in flushed.unavailable)
        assert flushed.pending == {NEW: 172}
        assert rows(mind.path, "SELECT max(tries) FROM pending") == [(0,)]
        answer = mind.recall("memory7x")
        assert answer.hits
        assert answer.trace.degraded() == (), "the old model serves"


def test_a_server_that_is_down_is_said_by_recall_and_the_static_model_stands_in(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember("the quick fox")
        mind.flush()
        mind.models.use(NEW)
        mind.flush()
        host.trouble = lambda _: (403, {})
        answer = mind.recall("quick fox")
        assert [(d.part, "403" in d.reason) for d in answer.trace.degraded()] == [(NEW, True)]
        assert {lane.name for lane in answer.hits[0].lanes} == {"keyword", "semantic"}


def test_embedding_again_replaces_every_vector_and_serves_meanwhile(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x" for n in range(10)])
        mind.flush()
        before = rows(mind.path, "SELECT max(seq) FROM vec")[0][0]
        assert mind.models.reembed().pending == 10
        assert mind.recall("memory7x").trace.degraded() == ()
        mind.flush()
        assert state(mind)[OLD] == ("active", 10, 0)
        assert rows(mind.path, "SELECT min(v.seq) FROM vec AS v JOIN space AS s ON s.id = v.space WHERE s.dim = 16") > [
            (before,)
        ]
        with pytest.raises(InvalidInput, match="Choose it first"):
            mind.models.reembed(NEW)


def test_a_model_by_a_wrong_name_or_that_cannot_run_is_refused_and_nothing_changes(tmp_path, host):
    with opened(tmp_path, host, tier="free") as mind:
        before = state(mind)
        with pytest.raises(InvalidInput, match="Did you mean multilingual"):
            mind.models.use("multilingal")
        with pytest.raises(ModelUnavailable, match="the tier free may not reach openai"):
            mind.models.use(NEW)
        assert state(mind) == before
    assert host.asked == []


def test_no_provider_is_asked_because_a_key_is_there(tmp_path, host, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    chosen = Settings().override("argument", {"openai_url": host.url, "background": False, "home": tmp_path})
    with open_mind(tmp_path / "mind.db", embedder=HashedEmbedder(16), settings=chosen) as mind:
        mind.remember("a private thing", wait=True)
        mind.recall("private")
        assert "openai:text-embedding-3-small" not in {model.name for model in mind.models.list()}
    assert host.asked == []


def test_a_mind_made_with_the_static_model_gets_the_encoder_s_place_filled_when_one_comes(tmp_path):
    quiet = Settings(background=False, home=tmp_path)
    path = tmp_path / "mind.db"
    with open_mind(path, settings=quiet.override("test", {"semantic": "static"})) as mind:
        mind.remember("the quick fox", wait=True)
        assert mind.status().active_space == "static-256.int8"
    with open_mind(path, settings=quiet, embedder=HashedEmbedder(16)) as mind:
        assert mind.status().active_space == "static-256.int8"
        mind.flush()
        assert mind.status().active_space == OLD
        assert mind.recall("fox").trace.degraded() == ()


def test_a_model_of_the_same_name_with_other_weights_is_never_mixed_with_the_first(tmp_path):
    quiet, path = Settings(background=False, home=tmp_path), tmp_path / "mind.db"
    with open_mind(path, settings=quiet, embedder=HashedEmbedder(16)) as mind:
        mind.remember("the quick fox", wait=True)
    other = HashedEmbedder(16)
    other.space = replace(other.space, fingerprint="hashed.2.16")
    with open_mind(path, settings=quiet, embedder=other) as mind:
        mind.remember("the lazy dog")
        assert any("another model of this name" in problem for problem in mind.flush().unavailable)
        answer = mind.recall("fox")
        assert answer.hits
        assert [d.part for d in answer.trace.degraded()] == [OLD]


def verbs(mind):
    return [(entry.verb, entry.id) for entry in mind.journal() if entry.verb in ("model.use", "undo")]


def test_a_choice_is_journalled_once_and_undo_chooses_what_was_chosen_before(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember_many([f"memory{n}x" for n in range(20)])
        mind.flush()
        assert mind.models.use(OLD).journal is None, "it is the choice already"
        chosen = mind.models.use(NEW)
        assert mind.models.use(NEW).journal is None
        assert verbs(mind) == [("model.use", chosen.journal)]
        mind.flush()
        mind.remember("said since")
        taken_back = mind.undo(chosen.journal)
        assert taken_back.undone == (chosen.journal,)
        assert mind.status().active_space == NEW, "it serves until the other is whole again"
        mind.flush()
        assert state(mind)[OLD] == ("active", 21, 0)
        assert state(mind)[NEW][0] == "resting"
        mind.undo(taken_back.journal)
        mind.flush()
        assert state(mind)[NEW] == ("active", 21, 0)
        assert mind.doctor().healthy


def test_a_choice_that_nothing_was_embedded_for_is_undone_at_once(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember("one")
        mind.flush()
        chosen = mind.models.use(NEW)
        mind.undo(chosen.journal)
        assert (state(mind)[OLD][0], state(mind)[NEW][0]) == ("active", "resting")
        static = mind.models.use("static")
        assert (static.active, mind.status().active_space) == (True, "static-256.int8")
        mind.undo(static.journal)
        mind.flush()
        assert mind.status().active_space == OLD


def test_a_later_choice_stands_in_the_way_of_an_undo_or_goes_with_it(tmp_path, host):
    with opened(tmp_path, host) as mind:
        mind.remember("one")
        mind.flush()
        first, second = mind.models.use(NEW).journal, mind.models.use("static").journal
        refused = mind.undo(first)
        assert (type(refused), refused.blocked_by) == (Refused, (second,))
        assert mind.undo(first, cascade=True).undone == (second, first)
        mind.flush()
        assert mind.status().active_space == OLD
        assert mind.doctor().healthy
