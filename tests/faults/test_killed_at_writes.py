"""Killed in the middle of any write to the disk: what was told is there, nothing is half there, all goes on."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dying_at_writes import KINDS, OLD

from minds import found, half_records, hashed, open_on, turns, whole
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store.backup import inspect, restore
from noosphere.store.segment_build import build_segments

SCRIPT = Path(__file__).with_name("dying_at_writes.py")


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """A mind with a needle among others, segments of all of it, and a WAL that was not moved into it."""
    folder = tmp_path_factory.mktemp("origin")
    (folder / "here").mkdir()
    with open_on(folder / "here" / "mind.db", embedder=hashed()) as mind:
        mind.remember_many([f"other{n}x is one of many" for n in range(20)])
        mind.remember(f"{OLD} lies under the third stone, QUOKKA says")
        mind.record("talk", turns(0, 10))
        mind.flush()
        build_segments(mind._file, min_rows=1)
        shutil.copytree(folder / "here", folder / "there")
    return folder / "there"


@pytest.fixture(scope="module")
def killer():
    process = subprocess.Popen([sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(kind, path, last):
        process.stdin.write(f"{kind}\t{path}\t{last}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    yield run
    process.stdin.close()
    process.wait()
    process.stdout.close()


def look(path, kind):
    with open_on(path, embedder=hashed()) as mind:
        assert whole(path) == ["ok"]
        mind.flush()
        assert half_records(path) == {}
        assert mind.doctor(fix=kind == "purge").healthy
        assert len(found(mind, "other7x")) == 1
        assert mind.stats().turns == 10
        needles = found(mind, OLD)
        if kind == "purge":
            if needles:
                mind.purge(needles[0])
                assert not found(mind, OLD)
        else:
            assert len(needles) == 1
        copy = path.with_name("copy.db")
        if copy.exists():
            assert inspect(copy).nodes == inspect(path).nodes
            for file in path.parent.glob("copy.db*"):  # who was killed while it looked at the copy left a WAL, empty
                file.unlink()
        if kind == "restore":  # each clears away what an earlier one left
            assert restore(path, copy, Uuid7(SystemClock())).nodes == inspect(path).nodes
        else:
            assert mind.backup(copy).nodes == inspect(path).nodes
        assert mind.remember("told9z is told after").journal
    assert not [*path.parent.glob("*part-*"), *path.parent.glob("*restoring-*")]
    if kind == "purge":
        assert not [file.name for file in path.parent.iterdir() if b"QUOKKA" in file.read_bytes()]


def kill_at(killer, origin, folder, kind, most, seed=0):
    """Kill a child at so many of the writes of a verb, all of them if there are no more; returns how many died."""
    died, places = 0, [0]
    while places:
        last = places.pop()
        shutil.copytree(origin, folder / "here")
        said = killer(kind, folder / "here" / "mind.db", last)
        assert said not in ("failed", "")
        if last == 0:
            total = int(said)
            assert total > 2
            places = sorted(random.Random(f"{kind}{seed}").sample(range(1, total + 1), min(most, total)))
        else:
            died += said == "killed"
            look(folder / "here" / "mind.db", kind)
        shutil.rmtree(folder / "here")
    return died


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_process_that_is_killed_at_any_write_to_the_disk_loses_nothing(killer, origin, tmp_path, kind):
    assert kill_at(killer, origin, tmp_path, kind, 8) >= 2


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_kills_at_writes_to_the_disk(killer, origin, tmp_path, kind):
    assert kill_at(killer, origin, tmp_path, kind, 100, 1) >= 2
