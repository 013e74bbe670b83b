"""The cross rerank: a model of one's own orders the best units; without one the answer comes as it was, and says so."""

import json
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from noosphere.errors import ModelUnavailable
from noosphere.model.trace import Degraded, Reranked
from noosphere.providers.embed import files
from noosphere.providers.embed.wordpiece import WordPieces
from noosphere.providers.rerank.scorer import open_scorer
from noosphere.testing.minds import scratch_mind

TEXTS = ["the heron nests by the weir", "the heron nests by the purple lock", "the heron nests by the mill"]


@pytest.fixture
def folder(tmp_path):
    """A cross-encoder in a folder: it counts the word "purple" in the text, not in the question."""
    place = tmp_path / "purple-counter"
    place.mkdir()
    shutil.copy(files.folder() / files.ENCODER.tokenizer, place / "tokenizer.json")
    words = WordPieces(files.ENCODER, files.folder())
    (purple,) = words.encode("purple").ids
    table = np.zeros((40_000, 1), np.float32)
    table[purple] = 1.0
    names = ["input_ids", "attention_mask", "token_type_ids"]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["worth"]),
        helper.make_node("Squeeze", ["worth", "last"], ["flat"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["flat", "second"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "one"], ["logits"], keepdims=1),
    ]
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "tokens"]) for name in names]
    out = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 1])]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([2], np.int64), "last"),
        numpy_helper.from_array(np.array([1], np.int64), "one"),
    ]
    graph = helper.make_graph(nodes, "purple", given, out, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, place / "model.onnx")
    return place


class Purple(BaseHTTPRequestHandler):
    """Speaks the rerank protocol, counting the word "purple"; odd addresses misbehave."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": n, "relevance_score": t.count("purple")} for n, t in enumerate(asked["documents"])]
        answer = {"results": rows[1:] if self.path == "/short" else rows, "model": asked.get("model")}
        self.send_response(500 if self.path == "/broken" else 200)
        body = json.dumps(answer).encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Quiet."""


@pytest.fixture
def address():
    with ThreadingHTTPServer(("127.0.0.1", 0), Purple) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def asked(folder, model):
    with scratch_mind(folder, rerank="cross", cross_model=model) as mind:
        mind.remember_many(TEXTS)
        return mind.ranked("where does the heron nest?")


def test_a_folder_with_a_model_orders_the_best_units(tmp_path, folder):
    ranked = asked(tmp_path, str(folder))
    assert ranked.hits[0].text == TEXTS[1]
    assert {h.text for h in ranked.hits} == set(TEXTS)
    step = next(s for s in ranked.trace.steps if isinstance(s, Reranked))
    assert (step.by, step.computed) == ("cross purple-counter", 3)


def test_an_endpoint_orders_them_as_well(tmp_path, address):
    ranked = asked(tmp_path, f"{address}/rerank?model=purple")
    assert ranked.hits[0].text == TEXTS[1]


@pytest.mark.parametrize("model", [None, "/nowhere", "http://127.0.0.1:9/rerank"])
def test_without_a_model_that_works_the_answer_comes_as_it_was(tmp_path, model):
    ranked = asked(tmp_path, model)
    assert {h.text for h in ranked.hits} == set(TEXTS)
    assert any(isinstance(s, Degraded) and s.part == "cross" for s in ranked.trace.steps)


@pytest.mark.parametrize("path", ["/short", "/broken"])
def test_an_endpoint_that_gives_no_score_for_each_text_is_not_believed(tmp_path, address, path):
    with pytest.raises(ModelUnavailable):
        open_scorer(address + path).scores("x", TEXTS)
    assert len(asked(tmp_path, address + path).hits) == 3


def test_texts_longer_than_the_window_are_cut_and_every_pair_has_a_score(folder):
    scores = open_scorer(str(folder)).scores("purple?", ["purple " * 2000, "grey", *["purple"] * 40])
    assert len(scores) == 42
    assert scores[0] > 400
    assert scores[1:3] == [0.0, 1.0]


def test_a_damaged_model_says_what_is_needed(folder):
    (folder / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(ModelUnavailable):
        open_scorer(str(folder))
