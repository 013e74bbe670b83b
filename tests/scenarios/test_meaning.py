"""What only the real encoder can tell: words that are not there, and paraphrases."""

import pytest

from noosphere.testing.minds import scratch_mind

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def knowing(tmp_path_factory):
    with scratch_mind(tmp_path_factory.mktemp("meaning"), semantic="encoder") as opened:
        opened.remember_many([
            "Our physician told Anna to avoid dairy products",
            "The car broke down on the motorway near Leeds",
            "We picked the cheaper of the two hosting offers",
            "The kitchen renovation starts in September",
        ])  # fmt: skip
        opened.flush()
        yield opened


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what did the doctor say about milk", "physician"),
        ("automobile trouble on the road", "motorway"),
        ("which server provider did we choose", "hosting"),
        ("when do the builders come", "renovation"),
    ],
)
def test_a_memory_is_found_by_what_it_means(knowing, query, expected):
    assert expected in knowing.rank(query, 1)[0].text


def test_a_paraphrase_is_a_memory_of_its_own(tmp_path):
    """Nothing is merged on a guess."""
    with scratch_mind(tmp_path, semantic="encoder") as mind:
        mind.remember("Our physician told Anna to avoid dairy products", wait=True)
        mind.remember("Anna was told by our doctor to stay away from milk", wait=True)
        assert mind.stats().memories == 2
