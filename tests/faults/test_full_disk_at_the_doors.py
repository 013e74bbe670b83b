"""A disk that fails under what makes whole minds, writes files, or runs after the call: nothing half, and a way on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_failing_disk import WAYS, check_sound, fail_and_go_on, way_at

from minds import found, hashed, open_on
from noosphere import StorageError
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store.registry import Registry
from noosphere.testing.minds import scratch_noosphere

MOST = 2000


def told(folder):
    """A home whose workspace acme knows something; what is in it lies in a backup and an export too."""
    with scratch_noosphere(folder / "home", ids=Uuid7(SystemClock())) as home:
        home.workspaces.create("acme")
        with home.changing("acme") as mind:
            mind.remember("The vault code of acme is 4711")
            mind.backup(folder / "acme.db")
            mind.export(folder / "acme.jsonl")


MAKING = {
    "fork": lambda home, _: home.workspaces.fork("acme", "twin"),
    "import of a backup": lambda home, folder: home.workspaces.import_mind(folder / "acme.db", "twin"),
    "import of an export": lambda home, folder: home.workspaces.import_mind(folder / "acme.jsonl", "twin"),
}


def home_of(folder, kind):
    """Fork where it is known; import into a home that does not have it."""
    return folder / ("home" if kind == "fork" else "other")


def check_making(folder, disk, kind, at, way):
    """Make a mind with the disk failing at one write, then on a good disk; returns whether it failed."""
    with scratch_noosphere(home_of(folder, kind), ids=Uuid7(SystemClock())) as home:
        before = minds_in(home)
        disk.fail(at, **way_at(way, at))
        error = None
        try:
            MAKING[kind](home, folder)
        except StorageError as problem:
            error = problem
        finally:
            disk.mend()
        if error is None:
            assert not disk.failed
            return False
        assert minds_in(home) == before, "a mind that nobody knows was left"
        assert home.workspaces.list() == [w for w in home.workspaces.list() if w.id != "twin"]
        MAKING[kind](home, folder)
        assert [hit.text for hit in home.ranked("vault code", minds="twin").hits] == ["The vault code of acme is 4711"]
    return True


def minds_in(home):
    """Which folders hold the file of a mind."""
    return sorted(p.parent.name for p in (home.settings.home / "minds").glob("*/mind.db"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKING)
@pytest.mark.parametrize("way", WAYS)
def test_a_mind_made_of_another_is_there_whole_and_known_or_not_at_all(tmp_path, disk, kind, way):
    failed, at = 0, 1
    (tmp_path / "origin").mkdir()
    told(tmp_path / "origin")
    with disk.everywhere():
        while at < MOST:
            folder = tmp_path / str(at)
            shutil.copytree(tmp_path / "origin", folder)
            if not check_making(folder, disk, kind, at, way):
                break
            failed, at = failed + 1, at + 1 + at // 2
    assert failed > 5


def test_an_import_that_was_killed_before_the_mind_was_known_can_be_made_again(tmp_path, monkeypatch):
    told(tmp_path)

    class Killed(BaseException):
        pass

    def die(*_):
        raise Killed

    with scratch_noosphere(tmp_path / "other") as home, monkeypatch.context() as patched:
        patched.setattr(Registry, "add", die)
        patched.setattr("noosphere.store.removal.remove", die)
        with pytest.raises(Killed):
            home.workspaces.import_mind(tmp_path / "acme.db", "twin")
    with scratch_noosphere(tmp_path / "other") as home:
        assert home.workspaces.import_mind(tmp_path / "acme.db", "twin").id == "twin"
        assert home.ranked("vault code", minds="twin").hits


@pytest.fixture
def path(tmp_path):
    with open_on(tmp_path / "mind.db", embedder=hashed()) as mind:
        mind.remember_many([f"memory{n}x of Ann Nordlund at Quillfeather" for n in range(9)])
        mind.flush()
    return tmp_path / "mind.db"


def test_a_question_is_answered_where_the_disk_has_no_room_to_tie_the_names_of_what_was_written(path, disk):
    with open_on(path, disk, embedder=hashed()) as mind:
        mind.remember("memory77x: Bob Lindqvist lives in Tromsdal")
        disk.fail(1, kind="full", lasting=True)
        assert found(mind, "memory77x")
        assert mind.stats().memories == 10
        disk.mend()
        assert found(mind, "memory77x")
    check_sound(path)


def test_a_mind_with_uses_to_count_closes_on_a_full_disk(path, disk):
    with open_on(path, disk, embedder=hashed()) as mind:
        mind.used([found(mind, "memory5x")[0]])
        disk.fail(1, kind="full", lasting=True)
        mind.close()
    disk.mend()
    check_sound(path)


def test_a_file_is_taken_in_again_where_the_disk_failed(tmp_path, path, disk):
    notes = tmp_path / "notes.md"
    notes.write_text("".join(f"# Part {n}\n\nThe pump number {n} stands in hall {n * 3}.\n\n" for n in range(12)))
    at, failed = 1, 0
    while at < MOST:
        with open_on(path, disk, embedder=hashed()) as mind:
            error = fail_and_go_on(mind, disk, at, "one error", lambda mind: mind.harvest(notes))
            if error is None:
                break
        check_sound(path)
        failed, at = failed + 1, at * 2
    assert failed
    with open_on(path, embedder=hashed()) as mind:
        mind.harvest(notes)
        before = mind.stats()
        mind.harvest(notes)
        assert (mind.stats().memories, mind.stats().turns) == (before.memories, before.turns)
        assert [len(found(mind, f"number {n} stands")) for n in (0, 11)] == [1, 1]


LIMITED = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from minds import open_on
from noosphere import StorageError
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
with open_on(sys.argv[2]) as mind:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), resource.RLIM_INFINITY))
    try:
        mind.export(sys.argv[3], sys.argv[5])
    except StorageError as error:
        print(error)
"""


@pytest.mark.parametrize(("form", "name"), [("jsonl", "copy.jsonl"), ("markdown", "pages")])
def test_an_export_that_finds_no_room_is_a_named_error_and_leaves_nothing(path, form, name):
    target = path.with_name(name)
    call = [sys.executable, "-c", LIMITED, str(Path(__file__).parent), str(path), str(target)]
    ended = subprocess.run([*call, "100", form], capture_output=True, text=True, check=True)
    assert name in ended.stdout
    assert not target.exists()
    assert not list(path.parent.glob(f"{name}.*"))
    with open_on(path) as mind:
        assert mind.export(target, form).path == str(target)


def test_a_fork_of_a_process_with_an_open_mind_works_on_by_itself(path):
    with open_on(path, embedder=hashed()) as mind:
        mind.used([found(mind, "memory5x")[0]])
        mind.remember("memory80x of Carla Osei at Bramblewick")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                mind.remember("memory81x of the child")
                code = 0 if found(mind, "memory81x") and found(mind, "memory80x") and mind.doctor().healthy else 2
                mind.close()
            finally:
                os._exit(code)
        mind.remember("memory82x of the parent")
        assert os.waitpid(child, 0)[1] == 0
        assert [bool(found(mind, f"memory{n}x")) for n in (80, 81, 82)] == [True] * 3
        assert mind.flush().pending == {}
        assert mind.doctor().healthy
