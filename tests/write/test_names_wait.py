"""Names are tied after the commit: nothing is lost, nobody sees a gap, and they go and come back with their memory."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from noosphere import Refused, Settings, open_mind
from noosphere.testing.minds import scratch_mind
from observed import rows

SAYING = (
    "Ana Kos leads Project Heron.",
    "Ana Kos lives in Zagreb.",
    "Project Heron is led by Ana Kos and uses Postgres.",
    "Everyone here adores Falcon.",
    "Project Falcon uses Redis.",
    "we ported the heron tests to redis",
)
WAITING = "SELECT count(*) FROM unnamed"
ENTITIES = "SELECT count(*) FROM node WHERE class = 'entity'"
EDGES = """SELECT e.type, coalesce(s.norm_name, s.fold_hash), coalesce(d.norm_name, d.fold_hash), e.weight,
    (SELECT count(*) FROM evidence WHERE target = e.uid AND retracted_by IS NULL)
  FROM edge AS e JOIN node_version AS s ON s.node = e.src AND s.known_to IS NULL
  JOIN node_version AS d ON d.node = e.dst AND d.known_to IS NULL WHERE e.known_to IS NULL"""


def waiting(mind):
    return rows(mind.path, WAITING)[0][0]


def test_a_commit_ties_no_name_and_the_next_question_does(mind):
    mind.remember(SAYING[0])
    assert rows(mind.path, ENTITIES) == [(0,)]
    assert mind.status().unnamed == 1
    assert [e.name for e in mind.entity("Heron")] == ["Project Heron"]
    assert mind.status().unnamed == 0


def test_flush_ties_what_waits(mind):
    mind.remember_many(SAYING)
    mind.flush()
    assert waiting(mind) == 0


def test_a_ranking_sees_what_was_just_said(mind):
    mind.remember(SAYING[0])
    mind.rank("Who leads Heron?")
    assert waiting(mind) == 0


def test_the_graph_is_the_same_whenever_names_are_tied(tmp_path, clock, ids):
    graphs = []
    for name, at_once in (("once", True), ("later", False)):
        (tmp_path / name).mkdir()
        with scratch_mind(tmp_path / name, clock=clock, ids=ids) as mind:
            for text in SAYING:
                mind.remember(text)
                if at_once:
                    mind.stats()
            mind.stats()
            graphs.append(sorted(rows(mind.path, EDGES)))
    assert graphs[0]
    assert graphs[0] == graphs[1]


@pytest.mark.parametrize(
    "change", [lambda mind: mind.flush(), lambda mind: mind.entity("Ada", "person")], ids=["flush", "a change"]
)
def test_what_a_process_left_waiting_is_left_by_reads_and_tied_by_the_next_change(tmp_path, change):
    path, quiet = tmp_path / "m.db", Settings(background=False, semantic="off")
    with open_mind(path, settings=quiet) as mind:
        mind.remember(SAYING[0])
    with open_mind(path, settings=quiet) as mind:
        assert mind.entity("Heron") == []
        assert waiting(mind) == 1
        change(mind)
        assert waiting(mind) == 0
        assert len(mind.entity("Heron")) == 1


def test_a_mind_that_is_read_only_goes_on_with_what_is_there(tmp_path):
    path, quiet = tmp_path / "m.db", Settings(background=False, semantic="off")
    with open_mind(path, settings=quiet) as mind:
        stored = mind.remember(SAYING[0])
    with open_mind(path, settings=quiet, read_only=True) as mind:
        assert mind.entity("Heron") == []
        assert [hit.id for hit in mind.rank("Who leads Heron?")] == [stored.id]
        assert mind.status().unnamed == 1


def test_two_threads_that_tie_the_same_tie_it_once(mind):
    mind.remember_many(SAYING)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: mind.stats(), range(8)))
    assert rows(mind.path, "SELECT count(*), count(DISTINCT target) FROM journal WHERE verb = 'name'") == [(6, 6)]


def test_undone_before_its_names_were_tied_a_memory_comes_back_with_them(mind):
    stored = mind.remember(SAYING[0])
    undone = mind.undo(stored.journal)
    assert mind.entity("Heron") == []
    mind.undo(undone.journal)
    assert len(mind.entity("Heron")) == 1


def test_undone_after_its_names_were_tied_a_memory_takes_them_along(mind):
    stored = mind.remember(SAYING[0])
    assert len(mind.entity("Heron")) == 1
    undone = mind.undo(stored.journal)
    assert undone.undone == (stored.journal,)
    assert mind.entity("Heron") == []
    mind.undo(undone.journal)
    assert len(mind.entity("Heron")) == 1


def test_forgotten_before_its_names_were_tied_a_memory_comes_back_with_them(mind):
    stored = mind.remember(SAYING[0])
    done = mind.forget(stored.id)
    assert mind.connections(stored.id) == []
    mind.undo(done.journal)
    assert {c.text for c in mind.connections(stored.id)} == {"Ana Kos", "Project Heron"}


def test_revised_before_its_names_were_tied_a_memory_mentions_what_it_says_now(mind):
    stored = mind.remember(SAYING[0])
    mind.revise(stored.id, "Ben Okoro leads Project Heron.")
    assert {c.text for c in mind.connections(stored.id)} == {"Ben Okoro", "Project Heron"}


def test_purged_before_its_names_were_tied_a_memory_names_nothing(mind):
    gone = mind.remember("Ana Kos hid the key under Quillback Bridge.")
    mind.purge(gone.id)
    assert waiting(mind) == 0
    assert mind.entity("Quillback Bridge") == []
    assert b"Quillback" not in mind.path.read_bytes()


def test_what_holds_a_secret_never_waits(mind):
    mind.remember("The API key of Ana Kos is sk-proj-4fR8sT2bQ9xW7mN1kL5vP3cZ6yH0jD4a.")
    assert waiting(mind) == 0


def test_the_entry_of_names_is_undone_with_its_memory_alone(mind):
    mind.remember(SAYING[0])
    mind.stats()
    (entry,) = [e for e in mind.journal(10) if e.verb == "name"]
    refused = mind.undo(entry.id)
    assert isinstance(refused, Refused)
    assert refused.reason == "nothing_to_undo"


def test_what_rests_on_a_named_entity_is_undone_as_if_it_was_named_at_once(mind):
    made = mind.entity("Ana Kos", "person")
    stored = mind.remember(SAYING[1])
    mind.stats()
    refused = mind.undo(made.journal)
    assert isinstance(refused, Refused)
    assert refused.blocked_by == (stored.journal,)


def test_rules_that_names_break_are_told_by_who_learns(mind):
    done = mind.cognify({"user": "I decided that Project Heron uses Postgres.", "assistant": "Noted."})
    assert done.learnt
    assert waiting(mind) == 0


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_name_goes_with_its_memory_however_often_that_was_brought_back(mind, times):
    stored = mind.remember("Ana Kos works at Globex.")
    mind.flush()
    for _ in range(times):
        undone = mind.undo(stored.journal)
        assert mind.search_entities("Globex") == []
        mind.undo(undone.journal)
        assert [e.name for e in mind.search_entities("Globex")] == ["Globex"]
    mind.undo(stored.journal)
    assert mind.search_entities("Globex") == []


def test_what_comes_back_finds_that_another_says_the_same_by_now(mind):
    for name, type_ in (("Ana Kos", "person"), ("Project Heron", "project")):
        mind.entity(name, type_)
    first = mind.remember("Ana Kos leads Project Heron.")
    mind.flush()
    undone = mind.undo(first.journal)
    mind.remember("Project Heron is led by Ana Kos.")
    mind.flush()
    said = sorted(rows(mind.path, EDGES))
    mind.undo(undone.journal)
    assert {row[:4] for row in said} <= {row[:4] for row in rows(mind.path, EDGES)}
    assert mind.doctor().healthy
