"""The chain: what works is loaded once, what does not is a value with a reason; nothing is loaded early."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from noosphere.errors import InvalidInput
from noosphere.providers.chain import Chain, Unavailable
from noosphere.providers.embed import files
from noosphere.testing.embedders import HashedEmbedder

HEAVY = ("numpy", "onnxruntime", "tokenizers")
REPORT = """
from noosphere.providers.chain import Chain, Unavailable
chain = Chain()
for arm in chain.probe():
    print("probe", arm.name, arm.works, arm.loaded)
for found in (chain.encoder(), chain.static()):
    print(found.message if isinstance(found, Unavailable) else "ok " + str(found.embed_query("tea").shape))
resolved = chain.resolve()
print("resolved", resolved.embedder and resolved.embedder.space.name, [gone.arm for gone in resolved.passed])
"""


@pytest.mark.parametrize("module", ["noosphere.providers.ports", "noosphere.providers.chain"])
def test_importing_the_chain_or_the_ports_loads_nothing_heavy(module, in_a_child):
    assert in_a_child(f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])") == "[]\n"


def test_making_and_probing_a_chain_loads_nothing_heavy(in_a_child):
    script = "import sys; from noosphere.providers.chain import Chain; chain = Chain(); assert chain.probe()[0].works"
    assert in_a_child(f"{script}; print([m for m in {HEAVY} if m in sys.modules])") == "[]\n"


def test_the_static_arm_never_loads_onnxruntime(in_a_child):
    script = "import sys; from noosphere.providers.chain import Chain; Chain().static().embed_query('tea')"
    assert in_a_child(f"{script}; print('onnxruntime' in sys.modules)") == "False\n"


def test_without_onnxruntime_the_encoder_says_so_and_the_static_arm_works(in_a_child):
    remedy = 'Install it: pip install "onnxruntime>=1.23,<2", or set semantic = "static"'
    halted = "import of onnxruntime halted; None in sys.modules"
    assert in_a_child("import sys; sys.modules['onnxruntime'] = None" + REPORT).splitlines() == [
        "probe encoder False False",
        "probe static True False",
        f"model minilm-l6-v2.int8: onnxruntime cannot be imported ({halted}). {remedy}",
        "ok (256,)",
        "resolved static-256.int8 ['encoder']",
    ]


@pytest.mark.parametrize("package", ["numpy", "tokenizers"])
def test_without_what_both_need_neither_works_and_nothing_stands_in(package, in_a_child):
    lines = in_a_child(f"import sys; sys.modules['{package}'] = None" + REPORT).splitlines()
    assert lines[:2] == ["probe encoder False False", "probe static False False"]
    assert all(f"{package} cannot be imported" in line and f'pip install "{package}>=' in line for line in lines[2:4])
    assert all(line.endswith('or set semantic = "off"') for line in lines[2:4])
    assert lines[4] == "resolved None ['encoder', 'static']"


def test_a_runtime_that_breaks_while_it_is_imported_is_a_reason_too(in_a_child, tmp_path):
    (tmp_path / "onnxruntime.py").write_text("raise OSError('libstdc++.so.6: version GLIBCXX_9 not found')")
    lines = in_a_child(f"import sys; sys.path.insert(0, {str(tmp_path)!r})" + REPORT).splitlines()
    assert "onnxruntime cannot be imported (libstdc++.so.6: version GLIBCXX_9 not found)" in lines[2]
    assert lines[3:] == ["ok (256,)", "resolved static-256.int8 ['encoder']"]


def test_an_onnxruntime_too_old_is_named_with_the_version_to_get(in_a_child):
    lines = in_a_child("import onnxruntime; onnxruntime.__version__ = '1.22.9'" + REPORT).splitlines()
    assert 'onnxruntime 1.22.9 is too old. Install it: pip install "onnxruntime>=1.23,<2"' in lines[2]


def test_an_arm_is_loaded_once_even_when_many_threads_ask_at_once():
    chain, start = Chain("static"), Barrier(8)

    def ask(_):
        start.wait()
        return chain.static()

    with ThreadPoolExecutor(8) as pool:
        assert len({id(found) for found in pool.map(ask, range(8))}) == 1


def test_probe_tells_what_is_loaded():
    chain = Chain()
    assert [arm.loaded for arm in chain.probe()] == [False, False]
    chain.static()
    assert [(arm.name, arm.model, arm.loaded, arm.works) for arm in chain.probe()] == [
        ("encoder", "minilm-l6-v2.int8", False, True),
        ("static", "static-256.int8", True, True),
    ]


def test_a_damaged_file_is_found_by_the_probe_and_by_the_first_use(models):
    path = models / files.ENCODER.weights
    path.write_bytes(path.read_bytes()[:1000])
    chain = Chain(folder=models)
    seen = chain.probe()[0].unavailable
    assert seen is not None
    assert "has 1000 bytes, not 22805432" in seen.reason
    assert chain.encoder() == seen
    resolved = chain.resolve()
    assert resolved.embedder is chain.static()
    assert resolved.passed == (seen,)


def test_a_failure_seen_only_while_loading_is_what_the_probe_tells_from_then_on(models):
    path = models / files.STATIC.tokenizer
    path.write_bytes(b"?" * path.stat().st_size)
    chain = Chain("static", folder=models)
    assert chain.probe()[1].works
    found = chain.static()
    assert isinstance(found, Unavailable)
    assert chain.probe()[1].unavailable is found
    assert chain.static() is found


def test_what_is_switched_off_says_so_and_is_not_loaded():
    chain = Chain("static")
    off = chain.encoder()
    assert isinstance(off, Unavailable)
    assert off.message == 'switched off by semantic = "static". Set semantic = "encoder" to use it'
    assert chain.probe()[0].unavailable == off
    nothing = Chain("off").resolve()
    assert nothing.embedder is None
    assert [gone.reason for gone in nothing.passed] == ['switched off by semantic = "off"'] * 2


def test_a_custom_embedder_takes_the_encoders_place():
    own = HashedEmbedder()
    chain = Chain(custom=own)
    assert chain.encoder() is own
    assert chain.resolve().embedder is own
    assert (chain.probe()[0].model, chain.probe()[0].works) == ("hashed-64", True)


def test_off_is_off_for_a_custom_embedder_too():
    assert isinstance(Chain("off", HashedEmbedder()).encoder(), Unavailable)


def test_a_word_that_is_no_setting_is_refused_with_the_nearest_one():
    with pytest.raises(InvalidInput, match="Did you mean encoder"):
        Chain("encodr")
    with pytest.raises(InvalidInput, match="threads"):
        Chain(threads=0)
