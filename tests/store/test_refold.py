"""A mind whose full text was made by an older fold is made anew at opening, or says so until somebody does."""

import apsw
import pytest

from noosphere import Settings, open_mind
from noosphere.store import refold
from noosphere.store.words.fold import index_text
from observed import rows

QUIET = Settings(background=False, semantic="off")
LINES = ["ticket PROJ-8841 is open", "Herr Müller kam", "the budget is 900 euros", "data base"]


def opened(path, **more):
    return open_mind(path, settings=QUIET, **more)


def change(path, *statements):
    sql = apsw.Connection(str(path))
    for statement, *bindings in statements:
        sql.execute(statement, *bindings).fetchall()
    sql.close()


@pytest.fixture
def path(tmp_path):
    """A mind as the first fold left it: the texts as they are, and no word of who folded them."""
    made = tmp_path / "mind.db"
    with opened(made) as mind:
        mind.remember_many(LINES)
    found = rows(made, "SELECT id, text FROM frame WHERE text IS NOT NULL")
    change(
        made,
        ("DELETE FROM text_now",),
        *(
            ("INSERT INTO text_now (rowid, self, prev) VALUES (?, ?, '')", (frame, index_text(text)))
            for frame, text in found
        ),
        ("DELETE FROM meta WHERE key = 'fold'",),
    )
    return made


def fold_of(path):
    return rows(path, "SELECT value FROM meta WHERE key = 'fold'")


def warnings(mind, query):
    steps = mind.recall(query).trace.steps
    return [step.part for step in steps if step.step == "degraded" and step.part == "keyword"]


def test_a_new_mind_is_of_todays_fold(tmp_path):
    opened(tmp_path / "mind.db").close()
    assert fold_of(tmp_path / "mind.db") == [(str(refold.FOLD),)]


def test_a_small_mind_of_an_older_fold_is_made_anew_at_opening(path):
    journal = rows(path, "SELECT count(*) FROM journal")
    with opened(path) as mind:
        assert [mind.rank(q)[0].text for q in ("proj8841", "mueller")] == LINES[:2]
        assert not warnings(mind, "proj8841")
        assert mind.doctor().healthy
    assert fold_of(path) == [(str(refold.FOLD),)]
    assert rows(path, "SELECT count(*) FROM journal") == journal


def test_a_large_one_says_so_until_doctor_makes_it_anew(path, monkeypatch):
    monkeypatch.setattr(refold, "AT_ONCE", 3)
    with opened(path) as mind:
        assert not mind.rank("mueller")
        assert mind.rank("PROJ-8841")[0].text == LINES[0]
        assert warnings(mind, "proj8841") == ["keyword"]
        mind.remember("Frau Köhler kam")
        assert mind.rank("koehler")[0].text == "Frau Köhler kam"
        told = mind.doctor()
        assert not told.healthy
        assert "the full text is of this version's fold" in {broken.rule for broken in told.broken}
        with opened(path) as other:
            assert other.doctor(fix=True).healthy
        assert not warnings(mind, "proj8841")
        assert mind.rank("mueller")[0].text == LINES[1]
    assert fold_of(path) == [(str(refold.FOLD),)]


def test_a_mind_that_may_not_be_written_says_so(path):
    with opened(path, read_only=True) as mind:
        assert warnings(mind, "PROJ-8841") == ["keyword"]
        assert mind.rank("PROJ-8841")[0].text == LINES[0]
    assert fold_of(path) == []


def test_a_newer_fold_is_left_alone(path):
    change(path, ("INSERT INTO meta (key, value) VALUES ('fold', ?)", (str(refold.FOLD + 1),)))
    before = rows(path, "SELECT count(*), max(id) FROM text_now_docsize")
    with opened(path) as mind:
        assert not mind.rank("mueller")
    assert fold_of(path) == [(str(refold.FOLD + 1),)]
    assert rows(path, "SELECT count(*), max(id) FROM text_now_docsize") == before


def test_one_that_another_process_is_writing_to_is_opened_as_it_is(path):
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    try:
        with opened(path) as mind:
            assert warnings(mind, "PROJ-8841") == ["keyword"]
            assert mind.rank("PROJ-8841")[0].text == LINES[0]
    finally:
        other.execute("ROLLBACK")
        other.close()
    with opened(path) as mind:
        assert mind.rank("mueller")[0].text == LINES[1]


def test_a_damaged_index_of_an_older_fold_is_mended_at_opening(path):
    change(path, ("DELETE FROM text_now_data WHERE id > 10",))
    with opened(path) as mind:
        assert mind.rank("mueller")[0].text == LINES[1]
        assert mind.doctor().healthy


def test_a_restored_backup_of_an_older_fold_is_made_anew(path, tmp_path):
    (tmp_path / "copy.db").write_bytes(path.read_bytes())
    with opened(tmp_path / "copy.db") as mind:
        assert mind.rank("mueller")[0].text == LINES[1]
