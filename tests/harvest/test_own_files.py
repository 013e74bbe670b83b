"""A mind's own files are never opened past SQLite, which would take the process's locks on them away."""

import os
import subprocess
import sys

import pytest

from noosphere import Settings, open_mind
from noosphere.harvest.items import Omission

FIRST_LOCK = 128  # of the shared memory: held by every process that has the database open (sqlite.org/walformat)
TRY_LOCK = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(sys.argv[2]))
    except OSError:
        sys.exit(1)
"""


def is_locked(path):
    """Whether this process holds SQLite's lock on the shared memory of a database, as another process sees it."""
    done = subprocess.run([sys.executable, "-c", TRY_LOCK, f"{path}-shm", str(FIRST_LOCK)], check=False)
    return done.returncode == 1


@pytest.fixture(params=["mind.db", "notes.sqlite"])
def own(request, tmp_path):
    """An open mind, in a folder with a note; with one writer alone there is no file of those who wait."""
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a.md").write_text("The kettle is blue.")
    with open_mind(tmp_path / "box" / request.param, settings=Settings(background=False)) as mind:
        mind.remember("Tea is at four.")
        yield mind


def test_the_folder_of_a_mind_is_harvested_around_its_own_files(own, tmp_path):
    (tmp_path / "box" / f"{own.status().mind}.x.y.1-2.q8").write_text("a segment")
    assert is_locked(own.path)
    done = own.harvest(tmp_path / "box")
    assert (done.added, done.rejects) == (1, ())
    assert done.left == {Omission.UNKNOWN_FILE.value: 4}
    assert is_locked(own.path)
    own.remember("Still written.")


def test_a_mind_under_another_name_is_known(own, tmp_path):
    os.link(own.path, tmp_path / "box" / "copy.txt")
    (tmp_path / "way").symlink_to(own.path)
    for place in (own.path, tmp_path / "way", tmp_path / "box" / "copy.txt", f"{own.path}-wal"):
        assert own.harvest(place).left == {Omission.UNKNOWN_FILE.value: 1}
        assert own.harvest.preview(place).left == {Omission.UNKNOWN_FILE.value: 1}
    assert is_locked(own.path)


def test_another_mind_open_in_this_process_is_left_alone_until_it_is_closed(own, tmp_path):
    other = open_mind(tmp_path / "other.txt")
    other.remember("Elsewhere.")
    own.harvest(tmp_path / "other.txt")
    assert is_locked(other.path)
    other.close()
    assert own.harvest(tmp_path / "other.txt").left == {Omission.UNKNOWN_FILE.value: 1}  # a database is no text
