"""The vendored files: whole as shipped, and an error that says what to do when they are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noosphere.errors import ModelUnavailable
from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Encoder
from noosphere.providers.embed.static import Static

MODELS = {files.ENCODER: Encoder, files.STATIC: Static}
EVERY_FILE = [(model, name) for model in MODELS for name in model.files]


@pytest.mark.parametrize("model", MODELS)
def test_the_shipped_files_are_whole_down_to_the_last_bit(model):
    files.verify(model, hashes=True)


def test_licence_and_provenance_are_shipped_and_nothing_else_is():
    notices = {"LICENSE-APACHE-2.0.txt", "PROVENANCE.md", "checksums.json", "all-minilm-l6-v2.tokens-96.npy"}
    assert {path.name for path in files.folder().iterdir()} == notices | set(files.checksums())
    assert set(files.checksums()) == {name for _, name in EVERY_FILE}


@pytest.mark.parametrize(("model", "name"), EVERY_FILE)
def test_a_missing_file_is_named_with_the_remedy(model, name, models):
    (models / name).unlink()
    with pytest.raises(ModelUnavailable, match=r"cannot be read \(No such file or directory\)\. Reinstall it: pip"):
        MODELS[model](models)
    with pytest.raises(ModelUnavailable, match=name):
        files.verify(model, models)


@pytest.mark.parametrize(("model", "name"), EVERY_FILE)
def test_a_file_cut_short_is_named_with_both_sizes(model, name, models):
    path = models / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(ModelUnavailable, match=f"{name} has {len(whole) - 1} bytes, not {len(whole)}") as caught:
        MODELS[model](models)
    assert caught.value.model == model.name


@pytest.mark.parametrize(("model", "name"), EVERY_FILE)
def test_a_file_of_the_right_size_and_wrong_content_cannot_be_loaded(model, name, models):
    path = models / name
    path.write_bytes(b"\xff" * path.stat().st_size)
    with pytest.raises(ModelUnavailable, match=f"{name} cannot be loaded"):
        MODELS[model](models)


@pytest.mark.parametrize(("model", "name"), EVERY_FILE)
def test_one_changed_bit_is_found_only_when_hashes_are_asked(model, name, models):
    path = models / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    files.verify(model, models)
    with pytest.raises(ModelUnavailable, match="sha256 differs"):
        files.verify(model, models, hashes=True)


def test_a_fingerprint_changes_with_the_files_and_with_the_recipe():
    seen = {files.fingerprint(replace(model, recipe=recipe)) for model in MODELS for recipe in ("a", "b")}
    assert len(seen) == 4
    assert files.fingerprint(files.STATIC) == files.fingerprint(replace(files.STATIC))
