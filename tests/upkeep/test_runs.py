"""Runs of upkeep: each on record with counts, bounded, alone, and right after a kill."""

import os
import subprocess
import sys
from datetime import timedelta

import apsw
import pytest

from noosphere import Refused
from noosphere.clock import MINUTE
from noosphere.store import untidy
from noosphere.testing.minds import scratch_mind
from observed import raw, rows

CHILD = """
import os, signal, sys
from noosphere.testing.minds import scratch_mind
from noosphere.testing.clocks import FrozenClock
from noosphere.ids import Uuid7
from noosphere.upkeep import run
from datetime import timedelta

run.BATCH = 5
clock = FrozenClock()
clock.advance(timedelta(days=40))
with scratch_mind(sys.argv[1], clock=clock, ids=Uuid7(clock)) as mind:
    made, at = run.Run.step, int(sys.argv[2])
    steps = []

    def step(self):
        steps.append(self)
        if len(steps) > at:
            os.kill(os.getpid(), signal.SIGKILL)
        return made(self)

    run.Run.step = step
    mind.upkeep("retire")
"""


@pytest.fixture
def scraps(mind, clock):
    """Twenty temporary memories, forty days old."""
    ids = [mind.remember(f"scrap {n} of paper", importance="temporary").id for n in range(20)]
    clock.advance(timedelta(days=40))
    return ids


def test_a_run_is_on_record_with_counts_before_and_after(mind, scraps):
    ran = mind.upkeep("retire", limit=15)
    assert (ran.before, ran.taken, ran.changed, ran.after) == (20, 15, 15, 5)
    assert ran.held_before == {"memories": 20, "entities": 0, "edges": 0}
    assert ran.held_after == {"memories": 5, "entities": 0, "edges": 0}
    assert len(ran.journals) == 15
    kept = mind.upkeep.runs(1)[0]
    assert (kept.id, kept.status, kept.limit, kept.changed, kept.actor) == (ran.id, "done", 15, 15, "user")
    assert scraps


def test_a_run_that_found_nothing_is_on_record_too(mind):
    assert (mind.upkeep("prune").changed, mind.upkeep("compact").before) == (0, 0)
    assert [run.name for run in mind.upkeep.runs()] == ["compact", "prune"]


def test_the_record_only_grows(mind, scraps):
    mind.upkeep("retire")
    with raw(mind.path) as sql:
        for change in ("DELETE FROM", "UPDATE"):
            with pytest.raises(apsw.ConstraintError):
                sql.execute(f"{change} upkeep_runs" + (" SET changed = 0" if change == "UPDATE" else ""))
    assert scraps


def test_what_upkeep_writes_says_so_in_the_journal(mind, scraps):
    mind.upkeep("retire", limit=1)
    entry = mind.journal(1)[0]
    assert (entry.verb, entry.channel, entry.target) == ("upkeep.retire", "upkeep", scraps[0])


def test_another_process_at_the_same_pass_is_left_alone(mind, scraps, clock):
    hold = "INSERT INTO lease (name, owner, until) VALUES ('upkeep:retire', ?, ?)"
    owner = f"{os.getppid()}:0:elsewhere"
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as child:
        code = "import noosphere.store.lease as l, os, sys; os.getpid = lambda: int(sys.argv[1]); print(l.me())"
        owner = subprocess.run(
            [sys.executable, "-c", code, str(child.pid)], capture_output=True, text=True, check=True
        ).stdout.strip()
        with raw(mind.path) as sql:
            sql.execute(hold, (owner, clock.now() + MINUTE))
        refused = mind.upkeep("retire")
        assert isinstance(refused, Refused)
        assert "another process" in refused.message
        assert mind.upkeep("prune").status == "done", "the other passes go on"
        child.communicate(b"")
    assert mind.upkeep("retire").changed == len(scraps), "the lease of a dead process is free"


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_killed_run_has_done_what_its_row_says_and_the_next_does_the_rest(tmp_path, clock, ids, steps):
    with scratch_mind(tmp_path, clock=clock, ids=ids) as mind:
        for n in range(20):
            mind.remember(f"scrap {n} of paper", importance="temporary")
    killed = subprocess.run([sys.executable, "-c", CHILD, str(tmp_path), str(steps)], check=False, timeout=60)
    assert killed.returncode == -9
    clock.advance(timedelta(days=41))
    with scratch_mind(tmp_path, clock=clock, ids=ids) as mind:
        cut = mind.upkeep.runs()[0]
        assert (cut.status, cut.taken, cut.ended_at) == ("interrupted", 5 * steps, None)
        assert mind.upkeep.due()["retire"] == 20 - 5 * steps
        assert mind.upkeep("retire").changed == 20 - 5 * steps
        assert rows(mind.path, "SELECT count(*) FROM journal WHERE verb = 'upkeep.retire'") == [(20,)]
        assert mind.doctor().healthy


def test_a_run_that_met_trouble_says_which(mind, scraps, monkeypatch):
    def broken(*_):
        raise OSError("no space")

    monkeypatch.setattr(untidy, "unneeded", broken)
    with pytest.raises(OSError, match="no space"):
        mind.upkeep("retire")
    run = mind.upkeep.runs()[0]
    assert (run.status, run.problem, run.after) == ("failed", "OSError", None)
    monkeypatch.undo()
    assert mind.upkeep("retire").changed == len(scraps)


def test_runs_survive_an_export(mind, scraps, tmp_path):
    from noosphere import import_mind

    mind.upkeep("retire", limit=3)
    mind.export(tmp_path / "mind.jsonl")
    copy = import_mind(tmp_path / "mind.jsonl", tmp_path / "copy.db")
    assert rows(copy.path, "SELECT pass, changed FROM upkeep_runs") == [("retire", 3)]
    assert scraps
