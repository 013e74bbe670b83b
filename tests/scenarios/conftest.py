"""What several scenarios stand on."""

import pytest

from noosphere import ModelUnavailable
from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Pooled


@pytest.fixture(scope="session")
def companion():
    """The multilingual model, for those who installed it."""
    try:
        return Pooled(files.MULTILINGUAL)
    except ModelUnavailable as problem:
        pytest.skip(str(problem))
