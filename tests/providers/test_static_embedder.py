"""The static model: its table, what it does with unknown tokens, its file format."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noosphere.providers.embed import files
from noosphere.providers.embed.static import read_safetensors
from noosphere.providers.ports import Space


def test_its_space_is_the_one_on_disk_in_older_minds(static):
    assert static.space == Space("static-256.int8", "a0aeb94bd202d469", 256, 200.0)


def test_a_text_is_the_direction_of_the_mean_of_its_token_vectors(static):
    tensors = read_safetensors(files.folder() / files.STATIC.weights)
    ids = static._tokens.encode("the cat sat on the mat").ids
    mean = (tensors["embeddings"][ids].astype(np.float64) * tensors["scale"][ids, None]).mean(axis=0)
    assert np.allclose(static.embed_query("the cat sat on the mat"), mean / np.linalg.norm(mean), atol=1e-5)


def test_unknown_symbols_count_for_nothing(static):
    assert np.array_equal(static.embed_query("so 😀 happy 🎉"), static.embed_query("so happy"))
    assert not static.embed_query("😀").any()


def test_words_beyond_the_first_512_tokens_count(static):
    padding = "tea " * 2000
    assert not np.array_equal(static.embed_query(padding), static.embed_query(padding + "volcano"))


def test_the_table_is_mapped_and_cannot_be_written(static):
    assert not static._rows.flags.writeable
    assert not static._rows.flags.owndata


def test_a_safetensors_file_is_read_by_its_header(tmp_path):
    values = np.array([[1, -2], [3, 4]], np.int8)
    header = json.dumps(
        {"__metadata__": {"format": "np"}, "t": {"dtype": "I8", "shape": [2, 2], "data_offsets": [0, 4]}}
    ).encode()
    path = tmp_path / "t.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + values.tobytes())
    assert np.array_equal(read_safetensors(path)["t"], values)


@pytest.mark.parametrize("content", [b"\xff" * 64, b"\x02" + b"\0" * 7 + b"{}" * 3, b"no"])
def test_another_file_is_not_mistaken_for_a_table(tmp_path, content):
    path = tmp_path / "t.safetensors"
    path.write_bytes(content)
    with pytest.raises((ValueError, KeyError)):
        read_safetensors(path)["embeddings"]
