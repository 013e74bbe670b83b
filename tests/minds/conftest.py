import pytest

from noosphere.testing.minds import scratch_noosphere


@pytest.fixture
def noosphere(tmp_path, clock, ids):
    with scratch_noosphere(tmp_path / "home", clock=clock, ids=ids) as opened:
        yield opened
