"""What most tests need: a scratch mind, its clock, and a quiet hypothesis."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind

settings.register_profile("quick", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture
def clock():
    """Stands still at Thursday 2026-05-14 09:00 UTC until a test moves it."""
    return FrozenClock()


@pytest.fixture
def ids():
    return SequentialIds()


@pytest.fixture
def mind(tmp_path, clock, ids):
    """A mind without a model; what needs meaning takes `thinking` instead."""
    with scratch_mind(tmp_path, clock=clock, ids=ids) as opened:
        yield opened


@pytest.fixture
def thinking(tmp_path, clock, ids):
    """A mind whose meaning lane is a bag of hashed words; `flush()` embeds what is pending."""
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder()) as opened:
        yield opened
