"""The language of a text, by its letters and small words."""

import json
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from noosphere.model.tongue import tongue

LANGUAGES = tomllib.loads(resources.files("noosphere.model").joinpath("tongues.toml").read_text(encoding="utf-8"))
SETS = Path(__file__).parents[2] / "evals" / "languages"


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_is_told_by_its_example(name):
    assert tongue(LANGUAGES[name]["example"]) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("来年の学会はどこで開かれますか", "ja"),
        ("我为什么不再喝牛奶了", "zh"),
        ("아버지 혈액형이 뭐예요", "ko"),
        ("ما هو اسم كلب أختي", "ar"),
        ("دادگاه چه گفت", "fa"),
        ("दादाजी किस रेजिमेंट में थे", "hi"),
        ("Ο θείος μου μαζεύει τις ελιές", "el"),
        ("מה שם הכלב", "he"),
        ("ทำไมเที่ยวบินล่าช้า", "th"),
    ],
)
def test_a_script_tells_its_language(text, name):
    assert tongue(text) == name


@pytest.mark.parametrize("text", ["", "PROJ-8841", "4471", "🎉", "Helsinki Oslo Prague", "   "])
def test_what_says_nothing_is_of_no_language(text):
    assert tongue(text) is None


def test_a_word_of_another_script_does_not_make_a_text_foreign():
    assert tongue("The sign on the door says 入口, and we went in") == "en"


def test_languages_of_written_sentences_are_mostly_told_and_hardly_ever_taken_for_another():
    rows = [json.loads(line) for which in ("cross", "second") for line in _lines(SETS / f"{which}.jsonl")]
    told = [(row["language"], tongue(row.get("text") or row["ask"])) for row in rows]
    assert sum(name == guess for name, guess in told) > 0.9 * len(told)
    assert sum(guess not in {name, None} for name, guess in told) < 0.01 * len(told)


def _lines(path):
    return path.read_text(encoding="utf-8").splitlines()
