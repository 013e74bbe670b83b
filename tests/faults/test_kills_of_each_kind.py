"""One verb, killed at any tick: what was there before is there after, the verb has happened or has not."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dying import KINDS

from minds import found, half_records, hashed, open_on, turns, whole
from noosphere import Purged, Refused
from noosphere.store.backup import inspect
from noosphere.store.segment_build import build_segments

SCRIPT = Path(__file__).with_name("dying.py")
TOLD = "needle7x lies under the third stone, QUOKKA says"
OLD, NEW = "needle7x", "revised7y"


class Killer:
    """The process that forks the children."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, kind, path, memory, last=0):
        """Let one child do it; returns how many ticks it took, or None when it was killed."""
        self._process.stdin.write(f"{kind}\t{path}\t{memory}\t{last}\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline().strip()
        assert said not in ("", "failed")
        return None if said == "killed" else int(said)

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def killer():
    started = Killer()
    yield started
    started.close()


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """A mind with a needle among others, and segments of all of it."""
    folder = tmp_path_factory.mktemp("origin")
    with open_on(folder / "mind.db", embedder=hashed()) as mind:
        stored = mind.remember_many([f"other{n}x is one of many" for n in range(30)])
        memory = mind.remember(TOLD)
        mind.record("talk", turns(0, 20))
        mind.flush()
        build_segments(mind._file, min_rows=1)
    return folder, memory.id, [outcome.id for outcome in stored]


def look(path, kind, memory, others):
    """After a kill: whole, nothing half there, what was told is there, and the verb can be done."""
    with open_on(path, embedder=hashed()) as mind:
        assert whole(path) == ["ok"]
        mind.flush()
        assert half_records(path) == {}
        diagnosis = mind.doctor()
        if kind != "purge":  # one that was cut off may leave a segment to be built again
            assert diagnosis.healthy, diagnosis
        for number in range(0, len(others), 9):
            assert found(mind, f"other{number}x") == [others[number]]
        assert mind.stats().turns == 20
        AFTER[kind](mind, memory, path)
        assert kind != "purge" or mind.doctor(fix=True).healthy
    assert not list(path.parent.glob("*.part-*"))


def after_revise(mind, memory, _):
    assert [bool(found(mind, OLD)), bool(found(mind, NEW))] in ([True, False], [False, True])
    assert mind.revise(memory, "revised7y lies elsewhere for good").journal


def after_forget(mind, memory, _):
    assert found(mind, OLD) in ([], [memory])
    mind.forget(memory)
    assert found(mind, OLD) == []


def after_undo(mind, memory, _):
    assert found(mind, OLD) in ([], [memory])


def after_purge(mind, memory, path):
    again = mind.purge(memory)
    assert isinstance(again, (Purged, Refused))
    assert mind.get(memory).text == ""
    assert not [file for file in path.parent.iterdir() if b"QUOKKA" in file.read_bytes()]


def after_reembed(mind, memory, _):
    assert found(mind, OLD) == [memory]
    assert mind.flush().pending == {"hashed-32": 0} or not any(mind.flush().pending.values())


def after_swap(mind, memory, _):
    """Whichever model serves, everything is found, and the first one can be had back."""
    assert found(mind, OLD) == [memory]
    assert len(found(mind, "new8z")) == mind.stats().memories - 31
    mind.models.use("hashed-32")
    assert mind.flush().pending == {}
    assert mind.status().active_space == "hashed-32"
    assert found(mind, OLD) == [memory]
    assert mind.doctor().healthy


def after_backup(mind, _, path):
    copy = path.with_name("copy.db")
    if copy.exists():
        assert inspect(copy).frames == inspect(path).frames
        copy.unlink()
    assert mind.backup(copy).nodes == inspect(path).nodes
    copy.unlink()


AFTER = {
    "revise": after_revise, "forget": after_forget, "undo": after_undo, "purge": after_purge,
    "reembed": after_reembed, "swap": after_swap, "backup": after_backup,
}  # fmt: skip


def kill_many(killer, origin, folder, kind, seed, times):
    """Kill so many children at random ticks; most of them before they have done."""
    source, memory, others = origin
    chance = random.Random(f"{kind}{seed}")
    total, died = None, 0
    for number in range(times + 1):
        here = folder / str(number)
        shutil.copytree(source, here)
        path = here / "mind.db"
        if total is None:
            total = killer.run(kind, path, memory)
            assert total > 1
        else:
            died += killer.run(kind, path, memory, 1 + chance.randrange(total)) is None
            look(path, kind, memory, others)
        shutil.rmtree(here)
    return died


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_twenty_kills_of_each_kind(killer, origin, tmp_path, kind):
    assert kill_many(killer, origin, tmp_path, kind, 0, 20) >= 15


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_kills_of_each_kind(killer, origin, tmp_path, kind, seed):
    assert kill_many(killer, origin, tmp_path, kind, seed, 20) >= 15
