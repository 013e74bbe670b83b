"""A mind of an earlier state of the schema is brought to today's at opening, or refused with what to do."""

import apsw
import pytest

from noosphere import NotFound, OlderMind, Settings, open_mind, salvage
from noosphere.store import layout, schema
from noosphere.testing.embedders import HashedEmbedder
from observed import rows

QUIET = Settings(background=False)


@pytest.fixture
def path(tmp_path):
    """A mind with something in it, that says it is of another layout."""
    made = tmp_path / "mind.db"
    with open_mind(made, settings=QUIET, embedder=HashedEmbedder(16)) as mind:
        mind.remember_many([f"memory{n}x of many" for n in range(12)], wait=True)
    change(made, "UPDATE meta SET value = 'of before' WHERE key = 'layout'")
    return made


def change(path, statements):
    sql = apsw.Connection(str(path))
    sql.pragma("foreign_keys", False)
    sql.execute(statements).fetchall()
    sql.close()


def opened(path, **more):
    return open_mind(path, settings=QUIET, embedder=HashedEmbedder(16), **more)


def test_a_new_mind_is_of_todays_layout(tmp_path):
    opened(tmp_path / "mind.db").close()
    assert rows(tmp_path / "mind.db", "SELECT value FROM meta WHERE key = 'layout'") == [(layout.mark(),)]


def test_tables_indexes_and_triggers_that_came_since_are_made_at_opening(path):
    change(path, "DROP TABLE quarantine; DROP TABLE awareness; DROP TABLE leaf; DROP INDEX frame_node")
    change(path, "DROP TRIGGER node_no_update; CREATE TRIGGER node_no_update BEFORE UPDATE ON node BEGIN SELECT 1; END")
    with opened(path) as mind:
        assert mind.awareness.list() == []
        assert mind.rank("memory7x")[0].text == "memory7x of many"
        assert mind.doctor().healthy
    sql = apsw.Connection(str(path))
    assert schema.present(sql) == schema.expected()
    sql.close()
    assert rows(path, "SELECT value FROM meta WHERE key = 'layout'") == [(layout.mark(),)]


def test_derived_tables_that_were_missing_are_filled(path):
    change(path, "DROP TABLE text_now_terms; DROP TABLE text_now; DROP TABLE expiry")
    with opened(path) as mind:
        assert mind.rank("memory7x")[0].text == "memory7x of many"
        assert mind.doctor().healthy


def test_a_mind_that_only_says_so_is_left_as_it_is(path):
    before = rows(path, "SELECT count(*) FROM journal")
    with opened(path) as mind:
        assert mind.doctor().healthy
    assert rows(path, "SELECT count(*) FROM journal") == before
    assert rows(path, "SELECT value FROM meta WHERE key = 'layout'") == [(layout.mark(),)]


def test_a_table_of_other_columns_is_named_with_the_way_out_and_nothing_is_written(path, tmp_path):
    change(path, "ALTER TABLE evidence ADD COLUMN of_before TEXT; DROP TABLE awareness")
    before = path.read_bytes()
    with pytest.raises(OlderMind, match=r"evidence.*noosphere salvage") as raised:
        opened(path)
    assert raised.value.names == ("evidence",)
    assert path.read_bytes() == before
    salvage(path, tmp_path / "new.db")
    with opened(tmp_path / "new.db") as mind:
        assert mind.stats().memories == 12
        assert mind.rank("memory7x")[0].text == "memory7x of many"
        assert mind.flush().pending == {}
        assert mind.doctor().healthy


def test_a_read_only_opening_of_what_lacks_a_table_says_what_to_do(path):
    with opened(path, read_only=True) as mind:
        assert mind.rank("memory7x")
    change(path, "DROP TABLE awareness")
    with pytest.raises(OlderMind, match=r"awareness.*may be written"):
        opened(path, read_only=True)
    opened(path).close()
    with opened(path, read_only=True) as mind:
        assert mind.rank("memory7x")


def test_what_is_not_there_is_still_not_there(tmp_path):
    with pytest.raises(NotFound):
        opened(tmp_path / "none.db", create=False)
