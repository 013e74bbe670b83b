"""Where a mind may lie and what may be wrong with the place: odd names, links, no rights, files that vanish."""

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from minds import digest, found, hashed, open_on
from nobody import needs_nobody
from noosphere import InvalidInput, NotFound, Settings, StorageError, open_mind
from noosphere.store.segment_build import build_segments

NAMES = [
    "with space.db",
    "ünïcode-記憶-🧠.db",
    "per%cent%20.db",
    "what?.db",
    "a#b.db",
    "a&b=c;d.db",
    "file:x.db",
    ":memory:",
    'it\'s "quoted".db',
    "back\\slash.db",
    "new\nline.db",
    "-wal",
    "?mode=memory",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_file(tmp_path, name):
    path = tmp_path / name
    with open_on(path, embedder=hashed()) as mind:
        memory = mind.remember("memory1x of the file", wait=True).id
        assert build_segments(mind._file, min_rows=1)
    assert path.is_file()
    for read_only in (False, True):
        with open_on(path, embedder=hashed(), read_only=read_only) as mind:
            assert found(mind, "memory1x") == [memory]
            assert mind.doctor().healthy
            copy = mind.backup(tmp_path / f"copy {read_only} {name}")
            assert Path(copy.path).is_file()
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".q8" and name not in p.name] == []


def test_a_long_name_is_a_named_error(tmp_path):
    deep = tmp_path.joinpath(*["d" * 200] * 4)
    deep.mkdir(parents=True)
    for path in (tmp_path / ("n" * 300), deep / "mind.db"):
        for options in ({}, {"read_only": True}, {"create": False}):
            with pytest.raises((StorageError, NotFound)):
                open_on(path, **options)
    with open_on(tmp_path / "mind.db") as mind, pytest.raises(StorageError):
        mind.backup(tmp_path / ("n" * 300))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d" * 200, "mind.db"]


@pytest.mark.parametrize("length", range(202, 248, 5))
def test_a_long_name_that_leaves_room_for_the_files_beside_it_is_a_mind(tmp_path, length):
    path = tmp_path / ("n" * length)
    with open_on(path) as mind:
        mind.remember("memory1x")
    with open_on(path) as mind:
        assert found(mind, "memory1x")
        assert mind.doctor().healthy


@pytest.mark.parametrize("length", range(248, 256))
def test_a_name_with_no_room_for_the_files_beside_it_says_so(tmp_path, length):
    with pytest.raises(StorageError, match="shorter name"):
        open_on(tmp_path / ("n" * length))


def path_of(folder, length):
    """A path of so many bytes in a folder."""
    while (left := length - len(str(folder)) - 1) > 201:
        folder /= "d" * min(200, left - 2)
    folder.mkdir(parents=True)
    return folder / ("m" * left)


@pytest.mark.parametrize("length", [400, 503, 504])
def test_the_longest_path_that_sqlite_opens_is_a_mind(tmp_path, length):
    path = path_of(tmp_path, length)
    with open_on(path, embedder=hashed()) as mind:
        memory = mind.remember("memory1x", wait=True).id
        assert build_segments(mind._file, min_rows=1)
        assert found(mind, "memory1x") == [memory]
        assert mind.doctor().healthy


@pytest.mark.parametrize("length", [505, 511, 512, 600, 2000])
def test_a_path_that_is_too_long_for_sqlite_says_so(tmp_path, length):
    with pytest.raises(StorageError, match=f"a path of {length} bytes"):
        open_on(path_of(tmp_path, length))


@pytest.mark.parametrize("name", ["nul\0.db", "~nobody-has-this-name/mind.db", "\udcff.db"])
def test_what_cannot_name_a_file_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput, match="path"):
        open_mind(name if name.startswith("~") else tmp_path / name)


def test_a_folder_in_place_of_the_file_is_a_named_error(tmp_path):
    (tmp_path / "mind.db").mkdir()
    for read_only in (False, True):
        with pytest.raises(StorageError, match=r"mind\.db"):
            open_on(tmp_path / "mind.db", read_only=read_only)
    with pytest.raises(StorageError):
        open_on(tmp_path / "no such folder" / "mind.db")
    with pytest.raises(NotFound, match="create=True"):
        open_on(tmp_path / "missing.db", create=False)
    assert [p.name for p in tmp_path.iterdir()] == ["mind.db"]
    assert list((tmp_path / "mind.db").iterdir()) == []


def test_a_link_leads_to_the_mind_itself(tmp_path):
    real, link = tmp_path / "real" / "mind.db", tmp_path / "elsewhere" / "link.db"
    real.parent.mkdir()
    link.parent.mkdir()
    link.symlink_to(real)
    with open_on(link, embedder=hashed()) as mind:
        first = mind.remember("memory1x by the link", wait=True).id
        assert build_segments(mind._file, min_rows=1)
        assert mind.path == real
        with open_on(link, read_only=True) as reader:
            assert found(reader, "memory1x") == [first], "what is still in the WAL is seen through the link"
        with open_on(real, embedder=hashed()) as other:
            second = other.remember("memory2x by the file", wait=True).id
        assert found(mind, "memory2x") == [second]
        assert mind.doctor().healthy
    assert [p.name for p in link.parent.iterdir()] == ["link.db"]
    with open_on(real, embedder=hashed()) as mind:
        assert mind.doctor().healthy
        assert mind.stats().memories == 2


def test_a_link_that_leads_nowhere_makes_the_mind_where_it_leads(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "made.db")
    with open_on(tmp_path / "link.db") as mind:
        mind.remember("the first")
    assert (tmp_path / "made.db").is_file()
    (tmp_path / "loop.db").symlink_to(tmp_path / "loop.db")
    with pytest.raises(StorageError):
        open_on(tmp_path / "loop.db")


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_nothing_is_written_to_a_file_that_lost_its_name(tmp_path, how):
    path = tmp_path / "mind.db"
    with open_on(path) as mind:
        mind.remember("memory1x before")
        if how == "deleted":
            path.unlink()
        else:
            path.rename(tmp_path / "moved.db")
        if how == "replaced":
            with open_on(tmp_path / "other.db") as other:
                other.remember("another mind")
            shutil.copy(tmp_path / "other.db", path)
        with pytest.raises(StorageError, match="moved, deleted or replaced"):
            mind.remember("memory2x after")
        assert found(mind, "memory1x"), "what was open can still be read"
    if how == "replaced":
        with open_on(path) as mind:
            assert mind.stats().memories == 1
            assert mind.doctor().healthy


@pytest.mark.parametrize("how", ["deleted", "replaced", "its folder moved"])
def test_no_thread_goes_over_to_another_file_in_its_place(tmp_path, how):
    path = tmp_path / "folder" / "mind.db"
    path.parent.mkdir()
    with open_on(path) as mind, ThreadPoolExecutor(1) as other_thread:
        mind.remember("memory1x before")
        if how == "its folder moved":
            path.parent.rename(tmp_path / "moved")
        else:
            for file in path.parent.iterdir():
                file.unlink()
        if how == "replaced":
            with open_on(path) as other:
                other.remember("memory1x of another mind")
        for call in (lambda: mind.remember("memory2x after"), lambda: mind.rank("memory1x"), mind.doctor):
            with pytest.raises(StorageError, match="moved, deleted or replaced"):
                other_thread.submit(call).result()
        assert found(mind, "memory1x"), "what was open can still be read"
    assert path.exists() == (how == "replaced")
    if how == "replaced":
        with open_on(path) as other:
            assert [hit.text for hit in other.rank("memory1x")] == ["memory1x of another mind"]
            assert other.stats().memories == 1


def test_nothing_is_written_to_a_wal_that_another_process_took_away(start, tmp_path):
    path = tmp_path / "mind.db"
    with open_on(path) as mind:
        mind.remember("memory1x before")
        for each in tmp_path.iterdir():
            each.read_bytes()  # past SQLite, which drops this process's locks
        child = start("contend", path, 1, COUNT="10")
        assert child.next_of("stored")
        assert child.finish() == 0
        with pytest.raises(StorageError, match="or its WAL"):
            mind.remember("memory2x after")
    with open_on(path) as mind:
        assert mind.stats().memories == 9
        assert mind.doctor().healthy


@pytest.mark.slow
def test_harvesting_the_folder_a_mind_lies_in_loses_nothing_silently(start, tmp_path):
    path = tmp_path / "mind.db"
    (tmp_path / "note.md").write_text("# A note\n\nmemory3x of the note\n")
    stored = 0
    with open_on(path) as mind:
        mind.remember("memory1x before")
        assert mind.harvest(tmp_path).notes == 1
        child = start("contend", path, 1, COUNT="10")
        assert child.next_of("stored")
        assert child.finish() == 0
        with suppress(StorageError):
            mind.remember("memory2x after")
            stored = 1
        child = start("contend", path, 2, COUNT="10")
        assert child.next_of("stored")
        assert child.finish() == 0
    with open_on(path) as mind:
        assert mind.stats().memories == 18 + stored
        assert mind.doctor().healthy


@pytest.fixture
def shared():
    """A folder that everybody may enter."""
    with tempfile.TemporaryDirectory(prefix="noosphere-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def shelved(shared):
    """A mind with some memories in a folder of its own."""
    path = shared / "shelf" / "mind.db"
    path.parent.mkdir()
    path.parent.chmod(0o777)
    with open_on(path, embedder=hashed()) as mind:
        mind.remember_many([f"memory{n}x from before" for n in range(20)], wait=True)
    return path


RIGHTS = {
    "nothing may be written": (0o444, 0o555),
    "the folder may not be written": (0o666, 0o555),
    "the file may not be written": (0o444, 0o777),
}


def without_rights(start, task, path):
    """Let nobody do something; returns what it said, by name."""
    child = start(task, path, folder=path.parents[1])
    assert child.next_of("ready")
    child.start()
    assert child.finish() == 0
    return {said["say"]: said for said in child.said}


@needs_nobody
@pytest.mark.parametrize("rights", RIGHTS)
def test_without_the_right_to_write_reads_work_and_writes_are_refused(start, shelved, rights):
    file, folder = RIGHTS[rights]
    before = digest(shelved)
    shelved.chmod(file)
    shelved.parent.chmod(folder)
    said = without_rights(start, "look_as_nobody", shelved)
    reading, writing = said["reading"]["opened"], said["writing"]["opened"]
    assert reading["ranked"][0].endswith("from before")
    assert reading["got"].endswith("from before")
    assert reading["healthy"] is True
    assert reading["remembered"][0] == reading["fixed"][0] == "ReadOnlyMind"
    refused = writing["remembered"] if isinstance(writing, dict) else writing  # at the first write, if not at once
    assert refused[0] == "ReadOnlyMind"
    assert "permissions" in refused[1]
    if folder == 0o555:
        assert said["made"]["made"][0] == "StorageError"
        assert reading["backed up"][0] == "StorageError"
        assert [p.name for p in shelved.parent.iterdir()] == ["mind.db"]
    assert digest(shelved) == before
    shelved.parent.chmod(0o777)
    with open_on(shelved, embedder=hashed()) as mind:
        assert mind.stats().memories == 20
        assert mind.doctor().healthy


@needs_nobody
def test_who_may_only_read_sees_what_the_owner_writes(start, shelved):
    shelved.parent.chmod(0o555)
    child = start("watch_as_nobody", shelved, folder=shelved.parents[1])
    assert child.next_of("ready")
    child.start()
    assert child.next_of("seen")["memories"] == 20
    with open_on(shelved, embedder=hashed()) as owner:
        for number in range(3):
            owner.remember_many([f"memory{number}q{n}x from before" for n in range(200)])
            child.start()
            seen = child.next_of("seen")
            assert seen["memories"] == 20 + 200 * (number + 1)
            assert all(text.endswith("from before") for text in seen["texts"])
    child.start()
    assert child.next_of("seen")["memories"] == 620
    with open_on(shelved) as owner:
        owner.remember("one more from before")
    child.start()
    assert child.next_of("seen")["memories"] == 621


@needs_nobody
@pytest.mark.parametrize("memory", ["with its shared memory", "without"])
def test_a_wal_in_a_folder_that_may_not_be_written_is_read_or_refused_with_the_way_out(start, shelved, memory):
    with open_on(shelved) as owner:
        owner.remember("in the WAL, from before")
        copy = shelved.parents[1] / "copy"
        copy.mkdir()
        for name in ("mind.db", "mind.db-wal", *(["mind.db-shm"] if memory != "without" else [])):
            shutil.copy(shelved.parent / name, copy / name)
            (copy / name).chmod(0o444)
        copy.chmod(0o555)
    said = without_rights(start, "look_as_nobody", copy / "mind.db")["reading"]["opened"]
    if memory != "without":
        assert said["ranked"][0].endswith("from before")
    else:
        assert said[0] == "StorageError"
        assert "Copy it with its WAL" in said[1]
    copy.chmod(0o755)


@needs_nobody
def test_a_home_that_may_not_be_written_can_be_read(start, shared):
    home = shared / "home"
    with open_mind(settings=Settings(home=home, semantic="off", background=False)) as mind:
        mind.remember("memory1x from before")
        folder = mind.path.parent
    for place in (folder, home / "minds", home):
        place.chmod(0o555)
    said = without_rights(start, "visit_as_nobody", home)
    assert said["read"]["texts"] == ["memory1x from before"]
    assert said["made"]["made"][0] == "StorageError"


@pytest.mark.parametrize("path", [None, 5])
def test_what_is_no_path_is_refused_by_every_door_to_files(tmp_path, path):
    with open_on(tmp_path / "mind.db") as mind:
        for door in (mind.backup, mind.export):
            with pytest.raises(InvalidInput, match="path"):
                door(path)
