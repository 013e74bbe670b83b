"""A damaged mind: what can be read of it becomes a new mind, which is sound, and what cannot is counted."""

import random
import shutil
from itertools import pairwise

import apsw
import pytest

from minds import digest, open_on, turns
from noosphere import DamagedMind, Draft, salvage

TABLES = ("frame", "node", "node_version", "edge", "evidence", "journal", "session", "frame_version", "tag", "usage")
SEEDS = range(8)


@pytest.fixture(scope="module")
def mind_path(tmp_path_factory):
    """A mind with every kind of record, several pages of each."""
    path = tmp_path_factory.mktemp("sound") / "mind.db"
    with open_on(path) as mind:
        stored = [
            outcome.id
            for outcome in mind.remember_many(
                [Draft(text=f"widget{n}x is in bin {n} beside the {'old ' * 20} door") for n in range(300)]
            )
        ]
        for one, other in pairwise(stored[:121]):
            mind.link(one, "relates_to", other)
        for id_ in stored[:40]:
            mind.revise(id_, f"revised{stored.index(id_)}y is its name now")
        for id_ in stored[40:60]:
            mind.forget(id_)
        for n in range(6):
            mind.record(f"talk-{n}", turns(n * 30, n * 30 + 30))
    sql = apsw.Connection(str(path))
    sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    sql.close()
    return path


def rows(path, query):
    sql = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    try:
        return sql.execute(query).fetchall()
    finally:
        sql.close()


def pages_of_tables(path, *tables):
    """The leaf pages of tables, found through a walk of their b-trees."""
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    found = {}
    for table in tables:
        todo, leaves = [rows(path, f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")[0][0]], []
        while todo:
            page = todo.pop()
            at = (page - 1) * size
            kind, cells = data[at], int.from_bytes(data[at + 3 : at + 5], "big")
            if kind in (2, 5):
                pointers = [int.from_bytes(data[at + 12 + 2 * i : at + 14 + 2 * i], "big") for i in range(cells)]
                todo += [int.from_bytes(data[at + p : at + p + 4], "big") for p in pointers]
                todo.append(int.from_bytes(data[at + 8 : at + 12], "big"))
            else:
                leaves.append(page)
        found[table] = sorted(leaves)
    return found, size


def overwritten(origin, path, pages, size, chance):
    shutil.copy(origin, path)
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(chance.randbytes(size))
    return path


def assert_sound(path):
    with open_on(path) as mind:
        found = mind.doctor(fix=False)
    assert found.healthy, (found.broken, found.lost)


def texts(path):
    return dict(rows(path, "SELECT uid, text FROM frame WHERE text IS NOT NULL"))


def test_a_whole_mind_comes_out_as_it_went_in(mind_path, tmp_path):
    done = salvage(mind_path, tmp_path / "new.db")
    assert (done.whole, done.lost, done.standing, done.dropped, done.torn) == (True, {}, 0, 0, ())
    for table in TABLES:
        assert rows(tmp_path / "new.db", f"SELECT * FROM {table}") == rows(mind_path, f"SELECT * FROM {table}"), table
    assert_sound(tmp_path / "new.db")


@pytest.mark.parametrize("table", TABLES)
def test_a_damaged_page_of_a_table_costs_what_lay_on_it(mind_path, tmp_path, table):
    leaves, size = pages_of_tables(mind_path, table)
    chance = random.Random(table)
    damaged = overwritten(mind_path, tmp_path / "bad.db", [chance.choice(leaves[table])], size, chance)
    before = digest(damaged)
    done = salvage(damaged, tmp_path / "new.db")
    assert digest(damaged) == before
    assert not done.whole
    assert table in done.torn
    assert_sound(tmp_path / "new.db")
    kept, there = texts(tmp_path / "new.db"), texts(mind_path)
    assert kept.items() <= there.items()
    if table != "frame":
        assert kept == there
    else:
        assert done.lost["frame"] == len(there) - len(kept) > 0
        assert len(kept) > len(there) / 2


def test_what_was_forgotten_does_not_come_back_when_its_state_is_lost(mind_path, tmp_path):
    leaves, size = pages_of_tables(mind_path, "node_version")
    damaged = overwritten(mind_path, tmp_path / "bad.db", leaves["node_version"], size, random.Random(1))
    salvage(damaged, tmp_path / "new.db")
    assert_sound(tmp_path / "new.db")
    with open_on(tmp_path / "new.db") as mind:
        assert not [hit for hit in mind.rank("widget45x", 10) if "widget45x" in hit.text]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_pages_overwritten_give_a_sound_mind_or_a_clear_refusal(mind_path, tmp_path, seed):
    chance = random.Random(seed)
    size = pages_of_tables(mind_path, "frame")[1]
    count = mind_path.stat().st_size // size
    pages = chance.sample(range(2, count + 1), chance.randint(1, 12))
    damaged = overwritten(mind_path, tmp_path / "bad.db", pages, size, chance)
    before = digest(damaged)
    try:
        salvage(damaged, tmp_path / "new.db")
    except DamagedMind:
        assert not (tmp_path / "new.db").exists()
        return
    finally:
        assert digest(damaged) == before
    assert_sound(tmp_path / "new.db")
    assert texts(tmp_path / "new.db").items() <= texts(mind_path).items()


def inner_page(path, table):
    """The root of a table, which is an inner page when the table has several."""
    root = rows(path, f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")[0][0]
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    assert data[(root - 1) * size] in (2, 5)
    return root, size


@pytest.mark.parametrize("table", ["frame", "node_version", "journal", "edge", "evidence"])
def test_a_lost_inner_page_costs_little_of_what_lay_below_it(mind_path, tmp_path, table):
    root, size = inner_page(mind_path, table)
    damaged = overwritten(mind_path, tmp_path / "bad.db", [root], size, random.Random(table))
    before = digest(damaged)
    done = salvage(damaged, tmp_path / "new.db")
    assert digest(damaged) == before
    assert table in done.torn
    assert_sound(tmp_path / "new.db")
    there = set(rows(mind_path, f"SELECT * FROM {table}"))
    kept = set(rows(tmp_path / "new.db", f"SELECT * FROM {table}"))
    assert len(there & kept) >= 0.9 * len(there)
    assert texts(tmp_path / "new.db").items() <= texts(mind_path).items()


@pytest.mark.parametrize("share", [0.8, 0.9, 0.99])
def test_a_file_that_was_cut_short_gives_what_stands_before_the_cut(mind_path, tmp_path, share):
    damaged = tmp_path / "bad.db"
    whole = mind_path.read_bytes()
    damaged.write_bytes(whole[: int(len(whole) * share)])
    before = digest(damaged)
    done = salvage(damaged, tmp_path / "new.db")
    assert digest(damaged) == before
    assert_sound(tmp_path / "new.db")
    kept, there = texts(tmp_path / "new.db"), texts(mind_path)
    assert kept.items() <= there.items()
    assert kept == there or not done.whole
    assert len(kept) > len(there) / 2
