"""Two minds, of which one is to take in the other."""

import pytest
from filled import WORDS_ONLY

from noosphere import open_mind


@pytest.fixture
def two(tmp_path):
    with (
        open_mind(tmp_path / "here.db", settings=WORDS_ONLY) as here,
        open_mind(tmp_path / "there.db", settings=WORDS_ONLY) as there,
    ):
        yield here, there
