"""doctor, backup and restore, stats and status."""

import sqlite3
from pathlib import Path

import apsw
import pytest


@pytest.fixture
def mind(cli, tmp_path):
    path = tmp_path / "mind.db"
    for n in range(8):
        assert cli("remember", f"The kettle number {n} is blue", "--mind", path).code == 0
    return path


def test_doctor_finds_what_is_broken_and_mends_it_with_the_same_counts(cli, mind):
    assert cli("doctor", "--mind", mind).code == 0
    damaged = apsw.Connection(str(mind))
    damaged.execute("DROP TABLE text_now; DROP TABLE text_past; DELETE FROM leaf; DELETE FROM expiry")
    damaged.close()
    sick = cli("doctor", "--mind", mind, "--json")
    assert (sick.code, sick.document["healthy"]) == (1, False)
    assert cli("doctor", "--mind", mind).out.startswith("not healthy\n")
    mended = cli("doctor", "--fix", "--mind", mind, "--json")
    assert (mended.code, mended.document["healthy"], mended.document["fixed"]) == (0, True, True)
    assert mended.document["before"]["memories"] == mended.document["after"]["memories"] == 8
    assert mended.document["sampled"] == 8
    assert len(cli("recall", "kettle", "--mind", mind, "--json").document["hits"]) == 8


def test_doctor_says_the_counts_before_and_after(cli, mind):
    out = cli("doctor", "--fix", "--mind", mind).out
    assert out.startswith("healthy\n")
    assert "memories         8 before, 8 after" in out
    assert "8 looked up, 0 not found" in out


def test_a_backup_is_restored_elsewhere_with_all_that_it_held(cli, mind, tmp_path):
    copy = cli("backup", tmp_path / "copy.db", "--mind", mind, "--json").document
    assert (copy["outcome"], copy["nodes"], copy["path"]) == ("backed_up", 8, str(tmp_path / "copy.db"))
    cli("remember", "after the backup", "--mind", mind)
    made = cli("restore", tmp_path / "copy.db", tmp_path / "made.db", "--json").document
    assert (made["outcome"], made["nodes"], made["mind"]) == ("restored", 8, copy["mind"])
    assert made["incarnation"] != copy["incarnation"]
    assert cli("stats", "--mind", tmp_path / "made.db", "--json").document["memories"] == 8
    assert cli("recall", "kettle", "--mind", tmp_path / "made.db").code == 0


def test_backup_and_restore_never_overwrite(cli, mind, tmp_path):
    cli("backup", tmp_path / "copy.db", "--mind", mind)
    before = (tmp_path / "copy.db").read_bytes()
    assert cli("backup", tmp_path / "copy.db", "--mind", mind).code == 3
    assert cli("restore", tmp_path / "copy.db", mind).code == 3
    assert (tmp_path / "copy.db").read_bytes() == before
    assert cli("stats", "--mind", mind, "--json").document["memories"] == 8


@pytest.mark.parametrize("content", [None, b"", b"not a mind" * 500], ids=["missing", "empty", "text"])
def test_what_is_no_backup_is_not_restored(cli, tmp_path, content):
    if content is not None:
        (tmp_path / "copy.db").write_bytes(content)
    answer = cli("restore", tmp_path / "copy.db", tmp_path / "made.db")
    assert (answer.code, "Traceback" in answer.err) == (3, False)
    assert not (tmp_path / "made.db").exists()


def test_status_says_what_is_in_force_and_from_where(cli, tmp_path):
    (tmp_path / ".noosphere.toml").write_text('zone = "Europe/Berlin"\n')
    settings = {s["name"]: s for s in cli("status", "--actor", "ann", "--json").document["settings"]}
    assert settings["semantic"] == {"name": "semantic", "value": "off", "origin": "environment"}
    assert settings["actor"]["value"] == "ann"
    assert settings["zone"]["origin"] == f"file {tmp_path / '.noosphere.toml'}"
    out = cli("status").out
    assert "Europe/Berlin" in out
    assert "switched off" in out


def test_stats_count_what_is_there(cli, mind):
    assert cli("stats", "--mind", mind, "--json").document["memories"] == 8
    assert "  memories         8\n" in cli("stats", "--mind", mind).out


def test_a_mind_is_left_closed(cli, mind):
    assert not Path(f"{mind}-wal").exists()
    assert sqlite3.connect(mind).execute("SELECT count(*) FROM node").fetchone() == (8,)
