"""Without runtimes, models or a network it still works, and says what is off; there is no mock."""

import json
import subprocess
import sys
import textwrap

import pytest

from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import rows

CHILD = """
import json, socket, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def no_network(*args, **kwargs):
    raise OSError("there is no network here")

BLOCKED = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Blocked())
socket.socket.connect = socket.create_connection = socket.getaddrinfo = no_network
from noosphere import Settings, open_mind, plain
from pathlib import Path
folder = Path(sys.argv[2])
with open_mind(folder / "mind.db", settings=Settings(background=False, home=folder)) as mind:
    stored = mind.remember("we moved the database to PostgreSQL")
    mind.remember("the cat sat on the mat")
    flushed = mind.flush()
    answer = mind.recall("where is the database")
    print(json.dumps(plain({
        "id": stored.id, "hits": answer.hits, "degraded": answer.trace.degraded(), "said": answer.explain(),
        "status": mind.status(), "flushed": flushed, "healthy": mind.doctor().healthy,
        "loaded": sorted(m for m in ("numpy", "onnxruntime", "tokenizers", "numkong") if m in sys.modules),
    })))
"""


def without(blocked, folder):
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(CHILD), json.dumps(blocked), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def lanes(told):
    return {lane["name"] for hit in told["hits"] for lane in hit["lanes"]}


def test_without_onnxruntime_the_static_model_stands_in_and_that_is_said(tmp_path):
    told = without(["onnxruntime"], tmp_path)
    assert told["hits"][0]["id"] == told["id"]
    assert lanes(told) == {"keyword", "semantic"}
    assert [d["part"] for d in told["degraded"]] == ["encoder"]
    assert "degraded: encoder" in told["said"]
    assert any("onnxruntime" in problem for problem in told["status"]["off"])
    assert told["status"]["lanes"] == ["keyword", "semantic", "window", "hops"]
    assert any("onnxruntime" in problem for problem in told["flushed"]["unavailable"])
    assert told["healthy"]


def test_without_numkong_numpy_takes_over_and_nothing_is_off(tmp_path):
    told = without(["numkong", "onnxruntime"], tmp_path)
    assert lanes(told) == {"keyword", "semantic"}
    assert told["healthy"]
    assert "numkong" not in told["loaded"]


@pytest.mark.parametrize("blocked", [["tokenizers"], ["numpy"], ["numpy", "onnxruntime", "tokenizers", "numkong"]])
def test_without_any_model_the_keyword_lane_answers_and_that_is_said(tmp_path, blocked):
    told = without(blocked, tmp_path)
    assert told["hits"][0]["id"] == told["id"]
    assert lanes(told) == {"keyword"}
    assert {"encoder", "static", "semantic"} <= {d["part"] for d in told["degraded"]}
    assert "keywords only" in told["said"]
    assert told["status"]["lanes"] == ["keyword", "window", "hops"]
    assert len(told["status"]["off"]) == 2
    assert told["flushed"]["embedded"] == 0
    assert told["healthy"]


@pytest.mark.slow
def test_with_everything_nothing_is_degraded(tmp_path):
    told = without([], tmp_path)
    assert told["hits"][0]["id"] == told["id"]
    assert lanes(told) == {"keyword", "semantic"}
    assert told["degraded"] == []
    assert told["status"]["off"] == []
    assert told["flushed"]["pending"] == {}
    assert told["healthy"]


def test_what_could_not_be_embedded_waits_for_a_process_that_can(tmp_path):
    told = without(["tokenizers"], tmp_path)
    assert told["flushed"]["pending"]
    again = without(["onnxruntime"], tmp_path)
    assert again["flushed"]["embedded"] >= 1
    assert lanes(again) == {"keyword", "semantic"}


def test_a_mind_made_with_another_model_says_so_and_keeps_its_vectors(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(32)) as mind:
        stored = mind.remember("the quick fox")
        mind.flush()
    vectors = rows(tmp_path / "scratch.db", "SELECT space, frame, q FROM vec ORDER BY seq")
    for semantic in ("off", "static"):
        with scratch_mind(tmp_path, semantic=semantic) as mind:
            assert [h.id for h in mind.rank("fox")] == [stored.id]
            assert mind.recall("fox").trace.degraded()
            assert any("switched off" in problem for problem in mind.status().off)
            assert mind.status().active_space == "hashed-32"
    assert rows(tmp_path / "scratch.db", "SELECT space, frame, q FROM vec ORDER BY seq") == vectors
    with scratch_mind(tmp_path, embedder=HashedEmbedder(32)) as mind:
        assert mind.recall("fox").trace.degraded() == ()
        assert {lane.name for lane in mind.rank("fox")[0].lanes} == {"keyword", "semantic"}


def test_vectors_of_two_spaces_are_never_compared(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(32)) as mind:
        mind.remember("the quick fox")
        mind.flush()
    with scratch_mind(tmp_path, embedder=HashedEmbedder(64)) as mind:
        mind.remember("the lazy dog")
        flushed = mind.flush()
        assert any("hashed-32" in problem for problem in flushed.unavailable)
        sizes = rows(
            mind.path, "SELECT DISTINCT s.name, s.dim, length(v.q) FROM vec AS v JOIN space AS s ON s.id = v.space"
        )
        assert all(dim == length for _, dim, length in sizes)
        assert mind.rank("fox")
        assert mind.rank("dog")


def test_semantic_off_is_said_by_status_trace_and_answer(mind):
    mind.remember("the quick fox")
    answer = mind.recall("fox")
    assert [d.part for d in answer.trace.degraded()] == ["encoder", "static", "semantic"]
    assert 'switched off by semantic = "off"' in answer.explain()
    assert {lane.name for hit in answer.hits for lane in hit.lanes} == {"keyword"}
    assert mind.status().lanes == ("keyword", "window", "hops")
