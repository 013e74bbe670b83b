"""Many processes and threads on one mind: nothing is lost, nobody fails, everything is there once."""

import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from minds import HASHED, contents, found, half_records, hashed, open_on, turns, whole
from noosphere import ClosedMind, Duplicate, Settings, Stored, open_mind
from noosphere.store.registry import Registry

STOP = 9


def run_together(start, path, writers, count):
    """So many processes store so many things each, while one reads; returns what they stored and how often it read."""
    with open_on(path) as mind:
        mind.remember("the first memory")
    reader = start("read", path, writers % 2)
    assert reader.next_of("reading")
    children = [start("contend", path, n + 1, COUNT=str(count)) for n in range(writers)]
    stored = [child.next_of("stored") for child in children]
    assert [child.finish() for child in children] == [0] * writers
    reader.tell(STOP)
    rounds = reader.next_of("read")["rounds"]
    assert reader.finish() == 0
    return [tuple(pair) for said in stored for pair in said["ids"]], rounds


def check_all_there(path, stored, sample):
    with open_on(path) as mind:
        totals = mind.stats()
        assert totals.memories + totals.turns == len(stored) + 1
        assert mind.doctor().healthy
        for thing, word in stored[::sample]:
            assert mind.get(thing).id == thing
            assert found(mind, word) == [thing]
    assert whole(path) == ["ok"]
    assert half_records(path) == {}


@pytest.mark.slow
def test_four_writers_and_a_reader_lose_nothing(start, tmp_path):
    stored, rounds = run_together(start, tmp_path / "mind.db", 4, 25)
    assert len(set(stored)) == 100
    assert rounds > 0
    check_all_there(tmp_path / "mind.db", stored, 1)


@pytest.mark.slow
def test_eight_writers_lose_nothing(start, tmp_path):
    stored, rounds = run_together(start, tmp_path / "mind.db", 8, 150)
    assert len(set(stored)) == 1200
    assert rounds > 0
    check_all_there(tmp_path / "mind.db", stored, 7)


@pytest.mark.soak
def test_eight_writers_beside_four_readers_are_quick_and_lose_nothing(start, tmp_path, record_property):
    path = tmp_path / "mind.db"
    with open_on(path) as mind:
        mind.remember("the first memory")
    readers = [start("read", path, n, folder=tmp_path) for n in range(4)]
    assert all(reader.next_of("reading") for reader in readers)
    writers = [start("contend", path, 10 + n, COUNT="500") for n in range(8)]
    said = [writer.next_of("stored") for writer in writers]
    assert [writer.finish() for writer in writers] == [0] * 8
    for reader in readers:
        reader.tell(STOP)
        assert reader.next_of("read")["rounds"] > 0
        assert reader.finish() == 0
    took = sorted(each for one in said for each in one["took"])
    record_property("p50, p99, worst ms", (took[2000], took[3960], took[-1]))
    check_all_there(path, [tuple(pair) for one in said for pair in one["ids"]], 11)
    assert took[3960] < 500


@pytest.mark.soak
@pytest.mark.parametrize("round", range(5))
def test_sixteen_writers_lose_nothing(start, tmp_path, round):
    stored, _ = run_together(start, tmp_path / "mind.db", 16 + round % 2, 300)
    assert len(set(stored)) == 300 * (16 + round % 2)
    check_all_there(tmp_path / "mind.db", stored, 11)


def race(start, task, path, folder, racers):
    """So many processes begin at once; returns what each stored."""
    folder.mkdir()
    children = [start(task, path, n, folder=folder) for n in range(racers)]
    for child in children:
        assert child.next_of("ready")
    for child in children:
        child.start()
    stored = [child.next_of("stored") for child in children]
    assert [child.finish() for child in children] == [0] * racers
    return stored


def check_creation_race(start, tmp_path, rounds):
    for number in range(rounds):
        path = tmp_path / f"mind{number}.db"
        stored = race(start, "create", path, tmp_path / str(number), 8)
        assert len({(s["mind"], s["incarnation"]) for s in stored}) == 1
        with open_on(path, embedder=hashed()) as mind:
            assert mind.stats().memories == 8
            assert mind.flush().pending == {}
            assert mind.doctor().healthy


def check_home_race(start, tmp_path, rounds):
    for number in range(rounds):
        home = tmp_path / f"home{number}"
        stored = race(start, "settle", home, tmp_path / str(number), 8)
        assert len({(s["mind"], s["path"]) for s in stored}) == 1
        assert len(list((home / "minds").iterdir())) == 1
        with open_mind(settings=Settings(home=home, semantic="off", background=False)) as mind:
            assert mind.stats().memories == 8


@pytest.mark.slow
def test_processes_that_make_the_same_mind_at_once_make_one(start, tmp_path):
    check_creation_race(start, tmp_path, 3)


@pytest.mark.slow
def test_processes_that_make_the_same_home_at_once_make_one_personal_mind(start, tmp_path):
    check_home_race(start, tmp_path, 3)


@pytest.mark.soak
def test_making_the_same_mind_or_home_at_once_forty_times(start, tmp_path):
    (tmp_path / "minds").mkdir()
    (tmp_path / "homes").mkdir()
    check_creation_race(start, tmp_path / "minds", 40)
    check_home_race(start, tmp_path / "homes", 40)


def together(tasks):
    """Run tasks in threads that begin at once; returns what each returned or raised."""
    barrier = threading.Barrier(len(tasks))
    results = [None] * len(tasks)

    def run(number, task):
        barrier.wait()
        try:
            results[number] = task()
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            results[number] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_threads_share_one_mind_object(tmp_path):
    def task(mind, n):
        ids = [mind.remember(f"thread{n}q{i}x thought").id for i in range(10)]
        mind.record("shared talk", turns(n * 10, n * 10 + 5))
        assert [found(mind, f"thread{n}q{i}x") for i in range(10)] == [[each] for each in ids]
        assert mind.flush().pending is not None
        return ids

    with open_on(tmp_path / "mind.db", embedder=hashed()) as mind:
        results = together([lambda n=n: task(mind, n) for n in range(8)])
        assert len({each for ids in results for each in ids}) == 80
        assert mind.stats().turns == 40
        assert mind.flush().pending == {}
        assert mind.doctor().healthy


def test_the_same_thought_from_many_threads_is_stored_once(tmp_path):
    with open_on(tmp_path / "mind.db") as mind:
        results = together([lambda: mind.remember("the same thought")] * 8)
        assert Counter(type(r) for r in results) == {Stored: 1, Duplicate: 7}
        assert len({r.id for r in results}) == 1
        assert mind.get(results[0].id).evidence_count == 8


@pytest.mark.parametrize("round", range(3))
def test_closing_while_others_work_ends_their_calls_whole_or_with_a_named_error(tmp_path, round):
    path = tmp_path / "mind.db"
    mind = open_on(path, embedder=hashed(), settings=HASHED.override("test", {"background": True}))
    stored, begun = [[] for _ in range(6)], threading.Semaphore(0)

    def work(n):
        while True:
            stored[n].append(mind.remember(f"thread{n}q{len(stored[n])}x thought").id)
            mind.rank(f"thread{n}q0x")
            begun.release()

    def close():
        for _ in range(6 + 3 * round):
            begun.acquire()
        mind.close()

    *errors, closed = together([*(lambda n=n: work(n) for n in range(6)), close])
    assert closed is None
    assert {type(e) for e in errors} == {ClosedMind}, errors
    with open_on(path, embedder=hashed()) as again:
        assert again.stats().memories >= sum(map(len, stored))
        assert all(again.get(each).id == each for ids in stored for each in ids)
        assert again.flush().pending == {}
        assert again.doctor().healthy


def test_threads_that_ended_leave_no_open_files(tmp_path):
    with open_on(tmp_path / "mind.db") as mind:
        mind.remember("a thought")
        together([lambda: mind.rank("thought")] * 4)
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(30):
            together([lambda: mind.rank("thought")] * 2)
        assert len(list(Path("/proc/self/fd").iterdir())) <= before + 4


def test_a_mind_that_was_closed_says_so(tmp_path):
    mind = open_on(tmp_path / "mind.db")
    mind.close()
    mind.close()
    for call in (lambda: mind.remember("late"), lambda: mind.rank("late"), mind.stats, mind.flush):
        with pytest.raises(ClosedMind, match="open_mind"):
            call()


def test_two_minds_on_one_file_in_one_process_see_each_other(tmp_path):
    path = tmp_path / "mind.db"
    with open_on(path, embedder=hashed()) as one, open_on(path, embedder=hashed()) as other:
        memory = one.remember("seen by the other", wait=True).id
        assert found(other, "seen") == [memory]
        other.forget(memory)
        assert found(one, "seen") == []
        results = together([lambda: one.remember_many([f"one{n}x" for n in range(50)], wait=True),
                            lambda: other.remember_many([f"other{n}x" for n in range(50)], wait=True)])  # fmt: skip
        assert [len(r) for r in results] == [50, 50]
        one.flush()
        assert one.doctor().healthy
        assert contents(path)["pending"] == []


@pytest.mark.parametrize("make", [Registry, lambda folder: open_on(folder / "mind.db", embedder=hashed())])
def test_many_threads_make_the_same_file_at_once(tmp_path, make):
    for number in range(8):
        (tmp_path / str(number)).mkdir()
        made = together([lambda folder=tmp_path / str(number): make(folder)] * 6)
        assert not [m for m in made if isinstance(m, Exception)]
        for each in made:
            each.close()


FORK = """
import os, sys
sys.path.insert(0, sys.argv[2])
from minds import hashed, open_on, found
mind = open_on(sys.argv[1], embedder=hashed())
mind.remember("memory0x of the parent")
children = []
for n in range(3):
    if (pid := os.fork()) == 0:
        for i in range(30):
            mind.remember(f"child{n}q{i}x thought")
        assert found(mind, f"child{n}q7x")
        mind.close()
        os._exit(0)
    children.append(pid)
for i in range(30):
    mind.remember(f"parent{i}x thought")
assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0, 0]
mind.remember("memory1x of the parent")
mind.close()
"""


LATE_CHILD = """
import os, sys
sys.path.insert(0, sys.argv[2])
from minds import hashed, open_on
mind = open_on(sys.argv[1], embedder=hashed())
mind.remember("memory0x of the parent")
hear, tell = os.pipe()
if (pid := os.fork()) == 0:
    os.read(hear, 1)
    mind.remember("memory2x of the child")
    mind.close()
    os._exit(0)
mind.remember("memory1x of the parent")
os.write(tell, b"x")
assert os.waitpid(pid, 0)[1] == 0
mind.close()
"""


def test_a_fork_remembers_nothing_of_a_session_that_went_on_without_it(tmp_path):
    path = tmp_path / "mind.db"
    subprocess.run([sys.executable, "-c", LATE_CHILD, str(path), str(Path(__file__).parent)], check=True)
    with open_on(path, embedder=hashed()) as mind:
        assert mind.stats().memories == 3


@pytest.mark.slow
def test_a_fork_has_connections_of_its_own(tmp_path):
    path = tmp_path / "mind.db"
    subprocess.run([sys.executable, "-c", FORK, str(path), str(Path(__file__).parent)], check=True)
    with open_on(path, embedder=hashed()) as mind:
        assert mind.stats().memories == 122
        assert mind.doctor().healthy
