"""A disk that fails at the N-th write, for every N: a named error, nothing half-written, the next call works."""

import shutil
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle, islice
from typing import Any

import pytest
from failing_disk import FailingDisk, failing_opener

from minds import contents, difference, found, half_records, hashed, open_on, turns, whole
from noosphere import Draft, StorageError
from noosphere.clock import SystemClock, moment
from noosphere.ids import Uuid7
from noosphere.providers.embed.files import STATIC
from noosphere.store.backup import inspect, restore
from noosphere.store.segment_build import build_segments
from noosphere.testing.clocks import FrozenClock

WAYS = {
    "one error": {"kind": "error"},
    "a torn write": {"kind": "error", "torn": True},
    "a disk that stays full": {"kind": "full", "lasting": True},
}
IN_TURN = "each way in turn"
MOST = 4000  # an operation with more writes than this never ends


def way_at(way, at):
    """How the disk fails at its `at`-th write."""
    return WAYS[way] if way in WAYS else next(islice(cycle(WAYS.values()), at, None))


every_way = pytest.mark.parametrize(
    "way",
    [pytest.param(IN_TURN, marks=pytest.mark.slow), *(pytest.param(w, marks=pytest.mark.soak) for w in WAYS)],
)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A small mind with memories, a conversation, a revised and a forgotten memory; all of it is embedded."""
    path = tmp_path_factory.mktemp("template") / "mind.db"
    with open_on(path, embedder=hashed()) as mind:
        kept = [mind.remember(f"memory{n}x of the template", tags={"old"}) for n in range(9)]
        mind.record("talk", turns(0, 4))
        mind.revise(kept[0].id, "revised0x of the template")
        mind.forget(kept[1].id)
        for value in ("Oslo", "Faro"):
            mind.remember(
                f"the town is {value}", slot="plan.town", value=value, valid_from="2026-03-01", functional=True
            )
        mind.flush()
    return path


@pytest.fixture(scope="module")
def waiting(template, tmp_path_factory):
    """The same mind with units that wait to be embedded."""
    path = tmp_path_factory.mktemp("waiting") / "mind.db"
    shutil.copy(template, path)
    with open_on(path, embedder=hashed()) as mind:
        mind.record("talk", turns(4, 12))
    return path


def fail_and_go_on(mind, disk, at, way, call):
    """Call with the disk failing at one write; None when the call did not get that far."""
    disk.fail(at, **way_at(way, at))
    try:
        call(mind)
    except StorageError as error:
        return error
    finally:
        disk.mend()
    assert not disk.failed
    return None


def check_sound(path):
    """Reopen a mind on a good disk and look at it from all sides."""
    with open_on(path, embedder=hashed()) as mind:
        diagnosis = mind.doctor()
        assert diagnosis.healthy, diagnosis
        assert found(mind, "memory7x")
    assert whole(path) == ["ok"]
    assert half_records(path) == {}


def every_n(folder, template, check):
    """Run a check with the fault at the first write, at the second, … until the operation succeeds."""
    for at in range(1, MOST):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if template is not None:
            shutil.copy(template, folder / "mind.db")
        if not check(folder / "mind.db", at):
            return at - 1
    pytest.fail("it never succeeded")


@dataclass
class Verb:
    """Something that writes in one transaction, and the word by which it is found afterwards."""

    call: Any
    finds: str | None = None
    writes: int = 11  # at least, each of which fails once


VERBS = {
    "remember": Verb(
        lambda m: m.remember("fresh9x thought", tags={"new"}, slot="user.home_city", value="Oslo"), "fresh9x"
    ),
    "record": Verb(lambda m: m.record("talk", turns(6, 40)), "turn39x"),
    "a new conversation": Verb(lambda m: m.record("chat", turns(0, 3, "chat")), "chat2x"),
    "revise": Verb(lambda m: m.revise(found(m, "memory5x")[0], "mended5x thought"), "mended5x"),
    "append": Verb(lambda m: m.append(found(m, "memory5x")[0], "added5x thought"), "added5x"),
    "classify": Verb(lambda m: m.classify(found(m, "memory5x")[0], status="deprecated", tags=["other"])),
    "forget": Verb(lambda m: m.forget(found(m, "memory5x")[0])),
    "undo": Verb(lambda m: m.undo(next(e.id for e in m.journal(40) if e.verb == "forget")), "memory1x"),
    "link": Verb(lambda m: m.link(found(m, "memory5x")[0], "relates_to", found(m, "memory6x")[0])),
    "merge": Verb(
        lambda m: m.merge([found(m, "memory5x")[0], found(m, "memory6x")[0]], "joined5x thought"), "joined5x"
    ),
    "archive": Verb(lambda m: m.archive(found(m, "memory5x")[0])),
    "relate": Verb(
        lambda m: m.relate("Ann Nordlund", "reports_to", "Carla Osei", src_type="person", dst_type="person")
    ),
    "settle": Verb(lambda m: m.review.settle(m.review.conflicts()[0].id, "both")),
    "reembed": Verb(lambda m: m.models.reembed(), writes=4),
}


def check_verb(path, disk, verb, at, way, look):
    """Fail a verb at one write, look, and do it again with the same mind; returns whether it failed."""
    with open_on(path, disk, embedder=hashed()) as mind:
        before = contents(path)
        error = fail_and_go_on(mind, disk, at, way, VERBS[verb].call)
        if error is None:
            return False
        assert str(error).endswith("nothing was written")
        assert difference(before, contents(path)) == []
        assert found(mind, "memory7x")
        assert hasattr(VERBS[verb].call(mind), "journal")
        assert VERBS[verb].finds is None or found(mind, VERBS[verb].finds)
    look(path)
    return True


def test_a_memory_is_stored_whole_or_not_at_all(tmp_path, template, disk):
    def check(path, at):
        return check_verb(path, disk, "remember", at, "one error", lambda path: whole(path) == ["ok"])

    assert every_n(tmp_path / "m", template, check) > 10


@every_way
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_writes_all_or_nothing(tmp_path, template, disk, verb, way):
    def check(path, at):
        return check_verb(path, disk, verb, at, way, check_sound)

    assert every_n(tmp_path / "m", template, check) >= VERBS[verb].writes


def check_steps(path, disk, at, way, call):
    """Fail something that takes several transactions; each is whole, and the next call finishes."""
    with open_on(path, disk, embedder=hashed()) as mind:
        if (error := fail_and_go_on(mind, disk, at, way, call)) is None:
            return False
        assert error.problem
        assert half_records(path) == {}
        assert found(mind, "memory7x")
        call(mind)
        assert mind.flush().pending == {}
    check_sound(path)
    return True


@every_way
def test_embedding_goes_on_where_the_disk_failed(tmp_path, waiting, disk, way):
    def check(path, at):
        return check_steps(path, disk, at, way, lambda mind: mind.flush())

    assert every_n(tmp_path / "m", waiting, check) > 10


@every_way
def test_a_rebuild_that_fails_changes_nothing_and_can_be_run_again(tmp_path, waiting, disk, way):
    def check(path, at):
        return check_steps(path, disk, at, way, lambda mind: mind.doctor(fix=True))

    assert every_n(tmp_path / "m", waiting, check) > 10


def change_model(mind):
    """Choose another model and embed until it serves."""
    mind.models.use("static")
    while mind.status().active_space != STATIC.name:
        assert mind.flush().pending


@every_way
def test_a_change_of_models_that_the_disk_failed_goes_on_where_it_was(tmp_path, template, disk, way):
    def check(path, at):
        return check_steps(path, disk, at, way, change_model)

    assert every_n(tmp_path / "m", template, check) > 10


@pytest.fixture(scope="module")
def untidy(tmp_path_factory):
    """A mind with something to do for the passes of upkeep: temporary memories of long ago, and turns to embed."""
    path = tmp_path_factory.mktemp("untidy") / "mind.db"
    clock = FrozenClock(moment(SystemClock().now()) - timedelta(days=100))
    with open_on(path, embedder=hashed(), clock=clock) as mind:
        mind.remember("memory7x of long ago")
        mind.remember_many([Draft(text=f"scrap{n}x of paper", importance="temporary") for n in range(3)])
        mind.record("talk", turns(4, 8))
    return path


@every_way
def test_upkeep_that_the_disk_failed_has_done_whole_steps_and_does_the_rest(tmp_path, untidy, disk, way):
    def run_all(mind):
        for name in ("retire", "reembed"):
            assert mind.upkeep(name).status == "done"

    def check(path, at):
        if not check_steps(path, disk, at, way, run_all):
            return False
        with open_on(path, embedder=hashed()) as mind:
            assert not found(mind, "scrap1x"), "it was archived"
            assert mind.upkeep.due()["retire"] == 0
        return True

    assert every_n(tmp_path / "m", untidy, check) > 10


def outcome(call):
    """What a call returns, or the storage error it raises."""
    try:
        return call()
    except StorageError as error:
        return error


def check_creation(path, disk, at, way):
    disk.fail(at, **way_at(way, at))
    made = outcome(lambda: open_on(path, disk, embedder=hashed()))
    disk.mend()
    if not isinstance(made, StorageError):
        made.close()
        assert not disk.failed
        return False
    assert made.path == str(path)
    with open_on(path, disk, embedder=hashed()) as mind:
        mind.remember("memory7x, the first of all")
    check_sound(path)
    return True


@every_way
def test_a_new_mind_is_made_whole_or_left_as_an_empty_file(tmp_path, disk, way):
    assert every_n(tmp_path / "m", None, lambda path, at: check_creation(path, disk, at, way)) > 100


def build(opener=None):
    """Put what is embedded into segments, however little it is."""
    return lambda mind: build_segments(mind._file, min_rows=1, opener=opener)


@every_way
def test_segments_are_built_whole_or_not_at_all_when_the_database_fails(tmp_path, template, disk, way):
    def check(path, at):
        return check_steps(path, disk, at, way, build())

    assert every_n(tmp_path / "m", template, check) > 5


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_segments_are_built_whole_or_not_at_all_when_their_files_fail(tmp_path, template, disk, way):
    files = FailingDisk()

    def check(path, at):
        with open_on(path, disk, embedder=hashed()) as mind:
            error = fail_and_go_on(mind, files, at, way, build(failing_opener(files)))
            if error is None:
                return False
            assert error.path.endswith(".q8")
            assert not list(path.parent.glob("*.tmp"))
            assert found(mind, "memory7x")
            assert build()(mind)
        check_sound(path)
        return True

    assert every_n(tmp_path / "m", template, check) >= 6


def check_backup(path, disk, at, way):
    target = path.parent / "copy.db"
    with open_on(path, disk, embedder=hashed()) as mind:
        before = contents(path)
        if (error := fail_and_go_on(mind, disk, at, way, lambda m: m.backup(target))) is None:
            return False
        assert error.path == str(target)
        assert sorted(p.name for p in path.parent.iterdir() if "copy" in p.name) == []
        assert mind.backup(target).path == str(target)
        assert difference(before, contents(target)) == []
    check_sound(path)
    return True


@every_way
def test_a_backup_is_there_whole_or_not_at_all(tmp_path, template, disk, way):
    assert every_n(tmp_path / "m", template, lambda path, at: check_backup(path, disk, at, way)) > 10


def check_restore(path, disk, at, way):
    target = path.parent / "again.db"
    disk.fail(at, **way_at(way, at))
    with disk.everywhere():
        made = outcome(lambda: restore(path, target, Uuid7(SystemClock())))
    disk.mend()
    if not isinstance(made, StorageError):
        assert not disk.failed
        assert made.incarnation == inspect(target).incarnation != inspect(path).incarnation
        return False
    assert made.problem
    assert not list(path.parent.glob("again*"))
    restore(path, target, Uuid7(SystemClock()))
    check_sound(target)
    return True


@every_way
def test_a_mind_is_restored_whole_or_not_at_all(tmp_path, template, disk, way):
    assert every_n(tmp_path / "m", template, lambda path, at: check_restore(path, disk, at, way)) > 10


READS = {
    "rank": lambda m: m.rank("memory5x"),
    "get": lambda m: m.get(m.journal(1)[0].target),
    "history": lambda m: m.history(m.journal(1)[0].target),
    "stats": lambda m: m.stats(),
    "doctor": lambda m: m.doctor(),
    "remember": lambda m: m.remember("a thought with reads"),
}


@pytest.mark.parametrize("verb", [pytest.param(v, marks=[pytest.mark.slow] * (v == "doctor")) for v in READS])
def test_a_read_that_the_disk_refuses_is_a_named_error_and_the_next_one_works(tmp_path, template, disk, verb):
    def check(path, at):
        with open_on(path, disk, embedder=hashed()) as mind:
            disk.fail(at, reads=True)
            try:
                READS[verb](mind)
            except StorageError:
                disk.mend()
                READS[verb](mind)
                return True
            finally:
                disk.mend()
            assert not disk.failed
            return False

    assert every_n(tmp_path / "m", template, check) > 0
