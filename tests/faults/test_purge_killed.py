"""A purge killed at any statement has happened or has not; done again, it leaves nothing in the files."""

import subprocess
import sys
from pathlib import Path

import pytest

from minds import hashed, open_on
from noosphere import Purged, Refused
from noosphere.store.segment_build import build_segments

SCRIPT = Path(__file__).with_name("purging.py")
VAULT = "the vault of the xylograph opens with 73914-QUOKKA"
POINTS = 8


def purge_in_a_child(path, memory, last=0):
    """Run the child; returns the statements it took, or None when it was killed."""
    child = [sys.executable, str(SCRIPT), str(path), memory, str(last)]
    ended = subprocess.run(child, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, -9), ended.stderr
    return int(ended.stdout) if ended.returncode == 0 else None


def filled(path):
    """A mind with a secret, a neighbour and a segment that holds the vectors of both."""
    with open_on(path, embedder=hashed()) as mind:
        stored = mind.remember(VAULT, title="Xylograph vault")
        mind.remember("harmless words stay")
        mind.flush()
        build_segments(mind._file, min_rows=1)
    return stored.id


@pytest.mark.slow
def test_a_purge_killed_at_any_statement_is_finished_by_the_next(tmp_path):
    measured = tmp_path / "measured"
    measured.mkdir()
    total = purge_in_a_child(measured / "mind.db", filled(measured / "mind.db"))
    for point in range(POINTS):
        folder = tmp_path / str(point)
        folder.mkdir()
        path = folder / "mind.db"
        memory = filled(path)
        last = 1 + point * (total - 1) // (POINTS - 1)
        assert purge_in_a_child(path, memory, last) is None
        with open_on(path, embedder=hashed()) as mind:
            assert mind.get(memory).text in (VAULT, "")
            assert bool(mind.rank("xylograph")) == (mind.get(memory).text == VAULT)
            again = mind.purge(memory)
            assert isinstance(again, Purged) or (isinstance(again, Refused) and last > total // 2), (last, total, again)
            assert mind.get(memory).text == ""
            assert mind.doctor().healthy
        held = b"".join(file.read_bytes() for file in folder.iterdir())
        assert b"QUOKKA" not in held, last
        assert b"xylograph" not in held, last
        assert b"harmless" in held
