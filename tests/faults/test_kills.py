"""Children killed at any moment: what they were told was stored is there, whole; nothing else is half there."""

import random
import shutil
from collections import Counter

import apsw
import pytest
from child import BEFORE_MANIFEST, COMMITTING, EMBEDDING, INSIDE, OUTSIDE, WRITING_FILE

from minds import found, half_records, hashed, open_on, whole
from noosphere.store.segment_build import build_segments
from noosphere.store.vector_index import VectorIndex

ENOUGH = 50  # ids a child must have been told of before it is killed


class Ledger:
    """What a child said it stored, id by id, and what it was doing when it died."""

    def __init__(self):
        self.words = {}  # id to the word it is found by; None when it was forgotten
        self.doing = None

    def follow(self, child):
        """Take in all that a dead child said."""
        for said in child.said:
            if said["say"] == "begin":
                self.doing = said
            elif said["say"] == "done":
                self._done(self.doing, said["ids"])
                self.doing = None

    def _done(self, began, ids):
        assert ids
        for thing, word in zip(ids, began["words"], strict=True):
            self.words[thing] = None if began["verb"] == "forget" else word

    def check(self, mind):
        """Every id that was acknowledged is read by `get` and found by its own word."""
        touched = self.doing["id"] if self.doing and "id" in self.doing else None
        for thing, word in self.words.items():
            assert mind.get(thing).id == thing
            if thing == touched:
                self._check_doing(mind, thing)
            elif word is None:
                assert thing not in [hit.id for hit in mind.rank(thing)]
            else:
                assert found(mind, word) == [thing], word
        if self.doing and touched is None:
            there = [bool(found(mind, word)) for word in self.doing["words"]]
            assert len(set(there)) == 1, "a part of a transaction is there"

    def _check_doing(self, mind, thing):
        """What was under way is done or not, and nothing between."""
        doing = self.doing
        if doing["verb"] == "revise":
            assert [bool(found(mind, w)) for w in (doing["old"], *doing["words"])] in ([True, False], [False, True])
        else:
            assert found(mind, doing["words"][0]) in ([], [thing])


def look_around(path, ledger):
    """Open a mind after a kill and check it from all sides."""
    with open_on(path) as mind:
        assert whole(path) == ["ok"]
        assert half_records(path) == {}
        diagnosis = mind.doctor()
        assert diagnosis.healthy, diagnosis
        ledger.check(mind)
        assert mind.remember(f"a memory after {len(ledger.words)}").journal


MOMENTS = (
    lambda child, chance: child.kill_when(INSIDE, chance.randrange(3000)),
    lambda child, chance: child.kill_when(INSIDE, chance.randrange(300)),
    lambda child, _: child.kill_when(COMMITTING),
    lambda child, chance: child.kill_when(INSIDE, chance.randrange(10000)),
    lambda child, _: child.kill(),
)


def kill_writers(start, path, chance, times):
    """Kill so many writers of one mind, most of them inside a transaction; returns where they died."""
    died = Counter()
    for number in range(times):
        ledger = Ledger()
        child = start("write", path, chance.randrange(10**9))
        stored = 0
        while stored < ENOUGH + chance.randrange(30):
            stored += len(child.next_of("done")["ids"])
        where = MOMENTS[number % len(MOMENTS)](child, chance)
        died[where] += 1
        ledger.follow(child)
        assert len(ledger.words) >= ENOUGH // 2
        look_around(path, ledger)
    return died


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_was_acknowledged_survives_a_kill_and_nothing_is_half_there(start, tmp_path, seed, record_property):
    died = kill_writers(start, tmp_path / "mind.db", random.Random(seed), 5)
    record_property("died", dict(died))
    assert died[INSIDE] + died[COMMITTING] >= 3


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_hundred_kills(start, tmp_path, seed, record_property):
    died = kill_writers(start, tmp_path / "mind.db", random.Random(seed), 5)
    record_property("died", dict(died))
    assert died[INSIDE] + died[COMMITTING] >= 3


def rows_of(path, query):
    sql = apsw.Connection(str(path))
    try:
        return sql.execute(query).fetchall()
    finally:
        sql.close()


def kill_embedders(start, path, chance, states):
    """Kill one embedding child in each of the states; what waits is finished by the next opening."""
    leases = 0
    for state in states:
        ledger = Ledger()
        child = start("embed", path, chance.randrange(10**9))
        stored = 0
        while stored < ENOUGH:
            stored += len(child.next_of("done")["ids"])
        child.kill_when(state, chance.randrange(300))
        ledger.follow(child)
        assert half_records(path) == {}
        held = rows_of(path, "SELECT owner FROM lease WHERE name LIKE 'embed:%'")
        leases += any(owner.startswith(f"{child.pid}:") for (owner,) in held)
        with open_on(path, embedder=hashed()) as mind:
            assert mind.flush().pending == {}
            assert rows_of(path, "SELECT count(*) FROM pending") == [(0,)]
            assert mind.doctor().healthy
        look_around(path, ledger)
    return leases


@pytest.mark.slow
def test_what_waits_to_be_embedded_survives_a_kill_and_the_lease_of_the_dead_is_free(start, tmp_path):
    leases = kill_embedders(
        start, tmp_path / "mind.db", random.Random(5), [EMBEDDING, INSIDE, EMBEDDING, OUTSIDE, EMBEDDING]
    )
    assert leases >= 3


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_embedding_survives_many_kills(start, tmp_path, seed):
    assert kill_embedders(start, tmp_path / "mind.db", random.Random(seed), [EMBEDDING, INSIDE] * 3) >= 3


def test_a_dead_owner_that_nobody_waited_for_holds_no_lease(start, tmp_path):
    path = tmp_path / "mind.db"
    child = start("hold", path)
    child.next_of("embedding")
    with open_on(path, embedder=hashed()) as mind:
        mind.remember("one more to embed")
        assert mind.flush().pending["hashed-32"] == 2, "a living owner keeps its lease"
        child.kill_unreaped()
        assert rows_of(path, "SELECT count(*) FROM lease WHERE name = 'embed:hashed-32'") == [(1,)]
        assert mind.flush().pending == {}
    child.finish()


def answers(mind, folder):
    """What every space answers to some questions, read through the segments of a folder."""
    found = {}
    with mind._file.read() as sql:
        for name, pair in mind._file.spaces().items():
            for era, space in pair.items():
                index = VectorIndex(space, folder, mind._file.incarnation)
                query = hashed().embed_query("one of many w1q1x") if name.startswith("hashed") else None
                if query is not None:
                    found[name, era] = index.search(sql, query, 20)
    return found


def litter(path):
    """Segment files that no manifest row names."""
    known = {file for (file,) in rows_of(path, "SELECT file FROM segment")}
    return sorted(p.name for p in path.parent.iterdir() if ".q8" in p.name and p.name not in known)


def kill_builders(start, path, chance, states):
    """Kill one building child in each of the states; returns how often it left a file that nobody knows."""
    left = 0
    empty = path.parent / "no segments here"
    empty.mkdir()
    for number, state in enumerate(states):
        child = start("segments", path, chance.randrange(10**9))
        child.next_of("built")
        child.kill_when(state, chance.randrange(300))
        left += bool(litter(path))
        with open_on(path, embedder=hashed()) as mind:
            assert answers(mind, path.parent) == answers(mind, empty)
            if number % 2:
                assert mind.doctor(fix=True).healthy
            else:
                mind.flush()
                build_segments(mind._file, min_rows=1)
            assert litter(path) == []
            assert mind.doctor().healthy
            assert answers(mind, path.parent) == answers(mind, empty)
    return left


@pytest.mark.slow
def test_segments_a_dead_builder_left_are_never_trusted_and_are_cleared_away(start, tmp_path):
    states = [WRITING_FILE, BEFORE_MANIFEST, WRITING_FILE, BEFORE_MANIFEST, OUTSIDE, WRITING_FILE]
    assert kill_builders(start, tmp_path / "mind.db", random.Random(7), states) >= 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_building_survives_many_kills(start, tmp_path, seed):
    states = [WRITING_FILE, BEFORE_MANIFEST] * 4
    assert kill_builders(start, tmp_path / "mind.db", random.Random(seed), states) >= 3


@pytest.mark.slow
def test_a_kill_in_the_middle_of_making_a_mind_leaves_a_file_that_opens(start, tmp_path):
    chance = random.Random(3)
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        child = start("write", folder / "mind.db", 1)
        child.kill_when(INSIDE, chance.randrange(3000))
        with open_on(folder / "mind.db") as mind:
            assert mind.doctor().healthy
            mind.remember("the first")
        assert whole(folder / "mind.db") == ["ok"]
        shutil.rmtree(folder)
