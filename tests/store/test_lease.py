"""Leases: one living owner, until when; a dead owner's is free at once."""

import os
import subprocess
import sys

import pytest

from noosphere.clock import MINUTE
from noosphere.store import lease
from noosphere.store.connection import Db

NOW = 1_800_000_000_000_000


@pytest.fixture
def sql(tmp_path):
    db = Db(tmp_path / "file.db", admit=lambda *_: None)
    with db.write() as sql:
        sql.execute("CREATE TABLE lease (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL)")
        yield sql
    db.close()


@pytest.fixture
def other():
    """Another process, and the name it has as an owner."""
    script = "from noosphere.store import lease; import sys; print(lease.me(), flush=True); sys.stdin.readline()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.name = process.stdout.readline().decode().strip()
        yield process
        process.kill()


def give(sql, owner, until):
    sql.execute("INSERT OR REPLACE INTO lease VALUES ('work', ?, ?)", (owner, until))


def owners(sql):
    return [owner for (owner,) in sql.execute("SELECT owner FROM lease WHERE name = 'work'")]


def test_a_free_lease_is_taken_renewed_and_given_back(sql):
    assert lease.take(sql, "work", NOW)
    assert owners(sql) == [lease.me()]
    assert lease.take(sql, "work", NOW + MINUTE)
    assert sql.execute("SELECT until FROM lease").get == NOW + MINUTE + lease.TERM
    assert lease.take(sql, "other work", NOW)
    lease.release(sql, "work")
    assert owners(sql) == []


def test_a_living_owner_keeps_its_lease_until_it_ends(sql, other):
    give(sql, other.name, NOW + 1)
    assert lease.lives(other.name)
    assert not lease.take(sql, "work", NOW)
    assert lease.held_elsewhere(sql, "work", NOW)
    lease.release(sql, "work")
    assert owners(sql) == [other.name]
    assert lease.take(sql, "work", NOW + 1)
    assert owners(sql) == [lease.me()]


def test_a_lease_of_far_longer_than_a_term_was_taken_before_the_clock_was_set_back_and_holds_nobody_up(sql, other):
    give(sql, other.name, NOW + 1 + lease.SET_BACK * lease.TERM)
    assert lease.lives(other.name)
    assert lease.take(sql, "work", NOW)


def test_a_clock_that_was_put_right_by_a_little_leaves_a_lease_where_it_is(sql, other):
    give(sql, other.name, NOW + 1_000 + lease.TERM)
    assert not lease.take(sql, "work", NOW)


def test_a_dead_owner_s_lease_is_free_at_once(sql, other):
    give(sql, other.name, NOW + lease.TERM)
    other.kill()
    other.wait()
    assert not lease.lives(other.name)
    assert lease.take(sql, "work", NOW)


def test_a_dead_owner_that_nobody_waited_for_is_dead(sql, other):
    give(sql, other.name, NOW + lease.TERM)
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert lease.take(sql, "work", NOW)


def test_a_new_process_with_the_id_of_a_dead_owner_is_another(sql, other):
    pid, started, rest = other.name.split(":", 2)
    earlier = f"{pid}:{int(started) - 1}:{rest}"
    give(sql, earlier, NOW + lease.TERM)
    assert lease.lives(other.name)
    assert not lease.lives(earlier)
    assert lease.take(sql, "work", NOW)


def test_an_owner_of_another_boot_is_dead(sql):
    pid, started, _, where = lease.me().split(":", 3)
    give(sql, f"{pid}:{started}:before the restart:{where}", NOW + lease.TERM)
    assert lease.take(sql, "work", NOW)


def test_an_owner_in_another_container_is_believed_until_its_lease_ends(sql, other):
    pid, started, boot, _ = other.name.split(":", 3)
    other.kill()
    other.wait()
    give(sql, f"{pid}:{started}:{boot}:pid:[1]", NOW + lease.TERM)
    assert not lease.take(sql, "work", NOW)
    assert lease.take(sql, "work", NOW + lease.TERM)


def test_a_process_with_the_same_id_in_another_container_is_another(sql):
    pid, started, boot, _ = lease.me().split(":", 3)
    give(sql, f"{pid}:{started}:{boot}:pid:[1]", NOW + lease.TERM)
    assert not lease.take(sql, "work", NOW)


def test_a_living_process_of_another_user_is_alive(sql):
    assert lease._runs(1), "the first process always runs, and is not ours"
