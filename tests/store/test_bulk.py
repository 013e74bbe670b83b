"""Many large transactions: the WAL may grow meanwhile, and everything is as before afterwards."""

import pytest

from noosphere import open_mind
from noosphere.store.connection import BULK_PAGES, CHECKPOINT_PAGES


def checkpoint_at(db):
    with db.use() as connection:
        return connection.pragma("wal_autocheckpoint")


@pytest.fixture
def mind(tmp_path):
    with open_mind(tmp_path / "mind.db") as mind:
        yield mind


def test_the_wal_may_grow_for_as_long_as_it_lasts(mind):
    db = mind._file.db
    assert checkpoint_at(db) == CHECKPOINT_PAGES
    with db.bulk():
        assert checkpoint_at(db) == BULK_PAGES
    assert checkpoint_at(db) == CHECKPOINT_PAGES


def test_it_ends_with_an_error_too(mind):
    db = mind._file.db
    with pytest.raises(KeyError), db.bulk():
        raise KeyError
    assert checkpoint_at(db) == CHECKPOINT_PAGES


def test_what_was_written_is_in_the_file_at_its_end(mind):
    db = mind._file.db
    with db.bulk():
        mind.remember("The kettle holds one litre " * 2000)
        before = mind.path.stat().st_size
    assert mind.path.stat().st_size > before
    assert mind.rank("kettle")


def test_a_mind_that_is_closed_meanwhile_stays_closed(mind):
    with mind._file.db.bulk():
        mind.close()
