"""The int8 scan: numkong, numpy and whole numbers agree; a kernel that lies is found out."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noosphere.store import scan
from noosphere.store.scan import GROUP, SMALL, agrees, best, dots, numpy_dots, quantize

KERNELS = {"numkong": scan._numkong(), "numpy": numpy_dots, "in use": dots}
dims = st.sampled_from([1, 2, 3, 7, 8, 15, 16, 31, 33, 63, 64, 65, 127, 255, 256, 257, 384, 768, 1000, 1024])


def rows_of(seed, count, dim, spread=127):
    return np.random.default_rng(seed).integers(-spread, spread + 1, (count, dim), dtype=np.int8)


@pytest.fixture(params=KERNELS)
def kernel(request):
    if KERNELS[request.param] is None:
        pytest.skip("numkong is not installed")
    return KERNELS[request.param]


@given(seed=st.integers(0, 10**6), count=st.integers(1, 70), dim=dims, spread=st.sampled_from([1, 12, 127]))
@settings(max_examples=60, deadline=None)
def test_every_kernel_gives_whole_number_sums(seed, count, dim, spread):
    rows = rows_of(seed, count, dim, spread)
    query = rows_of(seed + 1, 1, dim, spread)[0]
    right = rows.astype(np.int64) @ query.astype(np.int64)
    for name, kernel in KERNELS.items():
        if kernel is not None:
            got = kernel(query, rows)
            assert got.dtype == np.float32
            assert got.shape == (count,)
            assert got.tolist() == right.tolist(), name


@pytest.mark.parametrize("dim", [1, 8, 63, 384, 1024])
def test_extremes_are_exact(kernel, dim):
    rows = np.array([[127] * dim, [-127] * dim, [0] * dim], np.int8)
    for query in rows:
        assert kernel(query, rows).tolist() == (rows.astype(np.int64) @ query.astype(np.int64)).tolist()


def test_views_and_mapped_rows_give_what_copies_give(kernel, tmp_path):
    rows = rows_of(3, 500, 96)
    rows.tofile(tmp_path / "rows")
    mapped = np.memmap(tmp_path / "rows", np.int8, "r", 0, rows.shape)
    query = rows[7]
    whole = kernel(query, rows)
    assert kernel(query, mapped).tolist() == whole.tolist()
    assert kernel(query, rows[100:400]).tolist() == whole[100:400].tolist()
    assert kernel(query, rows[:1]).tolist() == whole[:1].tolist()
    scores = kernel(query, rows)
    scores[0] = -np.inf
    assert kernel(query, rows)[0] == whole[0], "the caller may write into what it got"


def zero_for_the_last(query, rows):
    right = numpy_dots(query, rows).astype(np.float32)
    right[-1] = 0
    return right


LIES = {
    "nothing but zeros": lambda _, r: np.zeros(len(r), np.float32),
    "off by one": lambda q, r: numpy_dots(q, r) + 1,
    "the last row wrong": zero_for_the_last,
    "the last number of a row left out": lambda q, r: numpy_dots(q[:-1], r[:, :-1]),
    "unsigned bytes": lambda q, r: r.view(np.uint8).astype(np.float32) @ q.view(np.uint8).astype(np.float32),
    "counts of bits": lambda q, r: np.array([(row == q).sum() for row in r], np.float32),
    "too few rows": lambda q, r: numpy_dots(q, r)[:-1],
    "odd lengths wrong": lambda q, r: numpy_dots(q, r) * (1 if r.shape[1] % 2 == 0 else 2),
    "eight bits of the sum": lambda q, r: (numpy_dots(q, r).astype(np.int64) & 0xFF).astype(np.float32),
    "not a number": lambda _, r: np.full(len(r), np.nan, np.float32),
    "an error": lambda *_: 1 / 0,
    "no such function": lambda q, r: SimpleNamespace().dot(q, r),
}


@pytest.fixture
def fresh_kernel():
    scan.kernel.cache_clear()
    yield
    scan.kernel.cache_clear()


@pytest.mark.parametrize("lie", LIES)
def test_a_kernel_that_lies_is_not_used(monkeypatch, fresh_kernel, lie):
    monkeypatch.setitem(sys.modules, "numkong", SimpleNamespace(dot=lambda q, r, **_: LIES[lie](q[0], r)))
    assert not agrees(LIES[lie])
    assert scan.kernel() is numpy_dots
    rows = rows_of(1, 20, 64)
    assert dots(rows[0], rows).tolist() == (rows.astype(np.int64) @ rows[0].astype(np.int64)).tolist()


def test_an_honest_kernel_is_used(monkeypatch, fresh_kernel):
    monkeypatch.setitem(sys.modules, "numkong", SimpleNamespace(dot=lambda q, r, **_: numpy_dots(q[0], r)[None]))
    assert scan.kernel() is not numpy_dots


def test_without_numkong_numpy_takes_over(monkeypatch, fresh_kernel):
    monkeypatch.setitem(sys.modules, "numkong", None)
    assert scan.kernel() is numpy_dots


def the_best(scores, k):
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]


@given(
    scores=st.lists(st.sampled_from([-np.inf, -3.0, -1.0, 0.0, 0.5, 2.0, 2.0, 7.0]), max_size=60),
    k=st.integers(1, 80),
)
@settings(max_examples=200, deadline=None)
@example(scores=[], k=1)
@example(scores=[-np.inf] * 5, k=3)
def test_the_best_of_few_are_those_of_a_full_sort(scores, k):
    assert best(np.array(scores, np.float32), k).tolist() == the_best(scores, k)


@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([SMALL - 1, SMALL, SMALL + 1, SMALL + GROUP - 1, 9 * GROUP, 9 * GROUP + 1, 20_000]),
    k=st.sampled_from([1, 2, 8, 9, 10, 40, 41, 100, 511, 5000]),
    levels=st.sampled_from([1, 2, 5, 100, 10**6]),
)
@settings(max_examples=40, deadline=None)
def test_the_best_of_many_are_those_of_a_full_sort(seed, size, k, levels):
    scores = np.random.default_rng(seed).integers(0, levels, size).astype(np.float32)
    scores[seed % size] = -np.inf
    assert best(scores, k).tolist() == np.lexsort((np.arange(size), -scores))[:k].tolist()


def test_the_best_may_lie_behind_the_last_whole_group():
    scores = np.zeros(SMALL + GROUP // 2, np.float32)
    scores[-3:] = [1, 3, 2]
    assert best(scores, 3).tolist() == [len(scores) - 2, len(scores) - 1, len(scores) - 3]


@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1.0, 127.0, 400.0, 2000.0]))
@settings(max_examples=30, deadline=None)
def test_quantizing_keeps_within_half_a_step_or_clips(seed, scale):
    rows = np.random.default_rng(seed).normal(size=(10, 48)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    small = quantize(rows, scale).astype(np.float64)
    near = np.abs(small - rows * scale) <= 0.5 + 1e-4
    assert np.all(near | (np.abs(small) == 127))
