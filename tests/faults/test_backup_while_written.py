"""A backup taken while another process writes: a moment of the mind inside the window, whole."""

import apsw
import pytest

from minds import contents, found, half_records, hashed, open_on, whole
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store.backup import restore

BY_JOURNAL = ("journal", "session", "node", "frame", "edge", "tag", "node_version", "evidence")
WRITTEN_BY = {"journal": "id", "edge": "opened_by", "tag": "opened_by", "node_version": "opened_by"}


def rows(path, query, *values):
    sql = apsw.Connection(str(path))
    try:
        return sql.execute(query, values).fetchall()
    finally:
        sql.close()


def written_until(path, table, last):
    """What of a table the journal's first entries wrote, as it was before any later one closed it."""
    columns = [c for (c,) in rows(path, "SELECT name FROM pragma_table_info(?)", table)]
    closed = [
        f"CASE WHEN closed_by > {last} THEN NULL ELSE {c} END" if c in ("known_to", "closed_by") else c for c in columns
    ]
    kept = ", ".join(closed if "closed_by" in columns else columns)
    return rows(path, f"SELECT {kept} FROM {table} WHERE {WRITTEN_BY.get(table, 'journal')} <= ? ORDER BY 1, 2", last)


def check_moment(copy, path):
    """The copy holds what some first part of the journal wrote, and nothing else."""
    last = rows(copy, "SELECT max(id) FROM journal")[0][0]
    for table in BY_JOURNAL:
        assert written_until(copy, table, last) == written_until(path, table, last), table
        assert rows(copy, f"SELECT count(*) FROM {table}") == [(len(written_until(path, table, last)),)], table
    return last


@pytest.mark.slow
@pytest.mark.parametrize("task", ["write", "embed"])
def test_a_backup_equals_a_moment_inside_its_window(start, tmp_path, task):
    path = tmp_path / "mind.db"
    child = start(task, path, 5)
    moments = []
    for number in range(3):
        assert child.catch_up()
        before = [thing for said in child.said if said["say"] == "done" for thing in said["ids"]]
        with open_on(path, embedder=hashed()) as mind:
            copy = mind.backup(tmp_path / f"copy{number}.db")
        moments.append((copy, before))
    child.kill()
    lasts = []
    for copy, before in moments:
        lasts.append(check_moment(copy.path, path))
        assert whole(copy.path) == ["ok"]
        assert half_records(copy.path) == {}
        with open_on(copy.path, embedder=hashed()) as mind:
            assert all(mind.get(thing).id == thing for thing in before), "what was acknowledged before is in it"
            assert mind.doctor().healthy
    assert lasts == sorted(set(lasts))
    check_restored(tmp_path, moments[-1][0])


def check_restored(tmp_path, copy):
    """Restored elsewhere, it is the same mind under another incarnation."""
    again = restore(tmp_path / "copy2.db", tmp_path / "elsewhere.db", Uuid7(SystemClock()))
    assert (again.mind, again.frames, again.nodes) == (copy.mind, copy.frames, copy.nodes)
    assert again.incarnation != copy.incarnation
    one, other = contents(copy.path), contents(again.path)
    assert [t for t in one if one[t] != other[t]] in (["meta"], ["meta", "segment"])
    with open_on(again.path, embedder=hashed()) as mind:
        assert mind.flush().pending == {}
        assert mind.doctor().healthy
        mind.remember("memory1x after the restore")
        assert found(mind, "memory1x")
