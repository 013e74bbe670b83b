"""Questions whose answers are in another language, beside near misses in their own; the swap of the real encoders."""

import json
import threading
from pathlib import Path

import pytest

from noosphere import Settings, open_mind
from noosphere.providers.embed import files

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("companion")]
SET = Path(__file__).parents[2] / "evals" / "languages" / "cross.jsonl"
MULTILINGUAL = files.MULTILINGUAL.name


@pytest.fixture
def mind(tmp_path):
    with open_mind(tmp_path / "mind.db", settings=Settings(background=False, home=tmp_path)) as opened:
        yield opened


def test_the_companion_s_files_are_those_that_were_shipped():
    files.verify(files.MULTILINGUAL, hashes=True)


def test_a_vector_depends_on_its_text_alone_and_kinds_differ(companion):
    texts = ["Der Vertrag endet im August", "数据库迁移到PostgreSQL", "", "x" * 3000]
    pieces = [text[c.start : c.stop] for text in texts for c in companion.chunk(text)]
    together = companion.embed_documents(pieces)
    for row, piece in zip(together, pieces, strict=True):
        assert (row == companion.embed_documents([piece])[0]).all()
        assert abs(float(row @ row) - 1) < 1e-5
    assert (companion.embed_query(pieces[0]) != together[0]).any()


def test_a_model_in_any_language_takes_the_english_one_s_place_under_a_running_reader(mind):
    lines = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    memories = [line["text"] for line in lines if line["type"] == "memory"]
    mind.remember_many(memories)
    mind.flush()
    stop, troubles, answers = threading.Event(), [], []

    def read():
        while not stop.is_set():
            try:
                answers.append(len(mind.recall("when does the guarantee of the washing machine end", unsure=True).hits))
            except Exception as problem:  # noqa: BLE001  (the test looks at it)
                troubles.append(problem)

    reader = threading.Thread(target=read)
    reader.start()
    assert not mind.models.use("multilingual").active
    while mind.status().active_space != MULTILINGUAL:
        mind.flush(64)
        mind.remember(f"said during the swap {len(answers)}")
    stop.set()
    reader.join()
    assert troubles == []
    assert answers
    assert min(answers) > 0
    mind.flush()
    assert mind.doctor().healthy
    questions = [line for line in lines if line["type"] == "question"]
    texts = {line["id"]: line["text"] for line in lines if line["type"] == "memory"}
    for options in ({"lanes": ("semantic",)}, {}):
        found = {5: 0, 1: 0}
        for question in questions:
            ranked = [hit.text for hit in mind.rank(question["ask"], 5, unsure=True, **options)]
            for k in found:
                found[k] += any(texts[right] in ranked[:k] for right in question["right"])
        assert found[5] >= 0.85 * len(questions), found
        assert found[1] >= 0.65 * len(questions), found
