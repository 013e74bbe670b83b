"""What a process may run into by itself: forks beside busy threads, too many open files, and marks nobody wrote."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from minds import hashed, open_on
from noosphere import Settings, StorageError, open_noosphere
from noosphere.store import lease

FORKING = Path(__file__).with_name("forking.py")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["mind", "noosphere"])
def test_forks_beside_busy_threads_can_write_and_read(tmp_path, what):
    called = [sys.executable, "-W", "ignore::DeprecationWarning", str(FORKING), what, str(tmp_path)]
    ended = subprocess.run(called, capture_output=True, text=True, check=True, timeout=200)
    assert ended.stdout == "8 went well, lost [], healthy True\n"
    assert "Traceback" not in ended.stderr


@pytest.fixture
def few_files():
    """A process that may have few files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield lambda count: resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_more_minds_than_files_may_be_open_is_a_named_error_and_one_of_them_still_works(tmp_path, few_files):
    with open_noosphere(settings=Settings(home=tmp_path, semantic="off", background=False)) as noosphere:
        for number in range(30):
            noosphere.workspaces.create(f"w{number}")
            with noosphere.changing(f"w{number}") as mind:
                mind.remember(f"memory{number}x")
        taken = len(list(Path("/proc/self/fd").iterdir()))
        for more in range(5, 25):
            few_files(taken + more)
            with pytest.raises(StorageError, match="ulimit -n"):
                noosphere.ranked("memory7x", minds="all")
            few_files(taken + 100)
            assert len(list(Path("/proc/self/fd").iterdir())) <= taken + 8, "what was opened in vain is closed"
        few_files(1000)
        assert noosphere.ranked("memory7x", minds="all").hits[0].text == "memory7x"


NO_OWNERS = ["garbage", "1:2", "x:y:z", "1", f"{'9' * 30}:1:{lease.boot_id()}:{lease.namespace()}",
             f"-1:1:{lease.boot_id()}:{lease.namespace()}", f"²:1:{lease.boot_id()}:{lease.namespace()}"]  # fmt: skip


@pytest.mark.parametrize("owner", NO_OWNERS)
def test_what_no_process_wrote_holds_nothing_up(tmp_path, owner):
    assert not lease.lives(owner)
    (tmp_path / "copy.db.part-1-1").write_bytes(b"half a copy")
    (tmp_path / "copy.db.part-1-1.by").write_text(owner, encoding="utf-8")
    with open_on(tmp_path / "mind.db", embedder=hashed()) as mind:
        mind.remember("memory1x", wait=True)
        assert mind.backup(tmp_path / "copy.db").frames == 1
    assert not list(tmp_path.glob("*part*"))


LIMITED = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from minds import open_on
from noosphere import StorageError
with open_on(sys.argv[2]) as mind:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), resource.RLIM_INFINITY))
    try:
        mind.backup(sys.argv[3])
    except StorageError as error:
        print(error)
"""


@pytest.mark.parametrize("room", [0, 10, 4096, 100_000])
def test_a_backup_that_finds_no_room_leaves_nothing_not_even_a_mark(tmp_path, room):
    with open_on(tmp_path / "mind.db") as mind:
        mind.remember_many([f"memory{n}x" for n in range(50)])
    (tmp_path / "backups").mkdir()
    called = [
        sys.executable,
        "-c",
        LIMITED,
        str(FORKING.parent),
        str(tmp_path / "mind.db"),
        str(tmp_path / "backups/c"),
    ]
    ended = subprocess.run([*called, str(room)], capture_output=True, text=True, check=True)
    assert "backups/c" in ended.stdout
    assert list((tmp_path / "backups").iterdir()) == []
