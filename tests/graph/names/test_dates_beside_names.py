"""A date beside a name is no part of it, and a month may be a first name."""

import pytest

from noosphere.graph.names import found_names
from noosphere.graph.relations import found_relations


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("On 4 May Mayor Lucinda Farrow approved it.", "Lucinda Farrow"),
        ("On 12 June Karin Holt left.", "Karin Holt"),
        ("In May Karin Holt left.", "Karin Holt"),
        ("Since Monday Karin Holt is here.", "Karin Holt"),
        ("On Tuesday 4 May Karin Holt came.", "Karin Holt"),
        ("June Carter sings.", "June Carter"),
        ("I met April Jones.", "April Jones"),
        ("Monday Group Ltd is here.", "Monday Group Ltd"),
        ("The Raspberry Pi 4 is on.", "Raspberry Pi 4"),
    ],
)
def test_a_name_beside_a_date_is_the_name(text, name):
    assert [one.name for one in found_names(text)] == [name]


def told(text):
    names = found_names(text)
    found, _ = found_relations(text, names)
    return {(names[one.src].key, one.type, names[one.dst].key) for one in found}


def test_he_is_nobody_where_two_may_be_meant():
    assert told("Petra Kos told Dmitri Holt. He works for Bellamy Seeds Ltd.") == set()
    assert told("Petra Kos called. She works for Bellamy Seeds Ltd.") == {
        ("petra kos", "affiliated_with", "bellamy seeds ltd")
    }


def test_a_cousin_is_of_no_firm_and_an_author_of_no_house():
    assert told("Iris's cousin Bram Holt is here.") == set()
    assert told("We met Ephraim Castellan, author of The Salt Ledger.") == set()


def test_a_subject_acts_over_a_phrase_behind_it():
    text = "Our Lark project in Leeds uses Kafka."
    assert ("lark", "uses", "kafka") in told(text)
