"""Encrypted minds need the driver of the extra `encrypted`, which takes the place of apsw: see `make encrypted`."""

import apsw
import pytest
from locked import KEY, QUIET

from noosphere import open_mind
from noosphere.testing.embedders import HashedEmbedder


def pytest_collection_modifyitems(items):
    """Without a driver that encrypts there is nothing to test here but the refusal."""
    if hasattr(apsw, "mc_version"):
        return
    for item in items:
        if item.path.parent.name == "encrypted" and "plain_driver" not in item.name:
            item.add_marker(pytest.mark.skip(reason="the driver cannot encrypt: run `make encrypted`"))


@pytest.fixture
def unlocked():
    """Open a mind with a key."""

    def run(path, key=KEY, settings=QUIET, **options):
        return open_mind(path, embedder=HashedEmbedder(32), settings=settings, key=key, **options)

    return run
