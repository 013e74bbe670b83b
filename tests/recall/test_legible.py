"""What a model cannot read is near everything, so a cosine alone is no evidence there."""

import pytest

from noosphere.providers.embed.static import Static
from noosphere.recall.legible import akin, legible, legible_text
from noosphere.store.words.query import query_terms
from noosphere.testing.minds import scratch_mind

MANY_LANGUAGES = (
    "Wir haben den Mietvertrag für das Büro bis März verlängert",
    "El gato duerme en el sofá del salón",
    "Kissa nukkuu sohvalla",
    "A macska a kanapén alszik",
    "Mieszkamy w Krakowie od trzech lat",
    "Кошка спит на диване",
    "القطة تحب الحليب الدافئ",
    "החתול ישן על הספה",
    "मुझे चाय पसंद है",
    "점심은 보통 김치찌개를 먹는다",
    "我们决定把数据库迁移到PostgreSQL",
)
NONSENSE = (
    "brimbo quaxel nurfledop",
    "what is the gribnok of the snazzlewick?",
    "when did wibbleflonk quarzify the mungplat?",
    "gocawa xaveca rakawoc fexaxuqa cugir",
    "asdfghjkl qwertyuiop",
    "¿qué es el grunflaco de la zurrapimba?",
    "кварзылбмо флурпнык жмыхоплюй",
    "ظغضث شصق",
    "צץףך גטנזח",
    "ङञणळ क्षत्र",
    "ヴョプュ ニャポルグ",
    "8271904 5520917 33",
    "3f9a8c7e1b2d",
)


@pytest.fixture(scope="module", params=["encoder", "static"])
def reading(request, tmp_path_factory):
    """A mind of many languages with a model that has learned one of them."""
    with scratch_mind(tmp_path_factory.mktemp("mind"), semantic=request.param) as mind:
        mind.remember_many(MANY_LANGUAGES)
        mind.flush()
        yield mind


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_finds_nothing_among_texts_that_the_model_cannot_read(reading, nonsense):
    assert reading.rank(nonsense) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("кошку где видели?", "Кошка спит на диване"),
        ("Mietverträge", MANY_LANGUAGES[0]),
        ("Krakowa", MANY_LANGUAGES[4]),
    ],
)
def test_another_form_of_a_word_is_found_also_where_the_model_cannot_read(reading, question, answer):
    assert reading.rank(question)[0].text == answer


def test_a_model_reads_the_words_that_it_has_learned():
    static = Static()
    assert legible(static, query_terms("coffee in the morning")) == 1
    assert legible(static, query_terms("zorblatt quarzify")) == 0
    assert 0 < legible(static, query_terms("zorblatt coffee")) < 1
    assert legible_text(static, "the dog sleeps on the couch") == 1
    assert legible_text(static, "Kissa nukkuu sohvalla") == 0
    assert legible_text(static, "3f9a8c7e1b2d") == legible_text(static, "17 42") == legible_text(static, "") == 0


def test_a_model_that_does_not_tell_is_taken_to_read_everything():
    assert legible(object(), query_terms("zorblatt quarzify")) == 1  # a hosted one


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("Vertrag", "Der Mietvertrag läuft aus", True),
        ("кошку", "Кошка спит", True),
        ("grandmas", "Grandma is here", True),
        ("gribnok", "the grid is down", False),
        ("zq", "zq", False),
    ],
)
def test_akin_are_words_that_may_be_forms_of_one(asked, text, expected):
    assert akin(query_terms(asked), text) is expected
