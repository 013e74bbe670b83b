"""Which of the things that there may be several of are one: the emergency contact is, a contact is not."""

from datetime import UTC, datetime

import pytest

from noosphere.graph.facts import found_slots

SAID = datetime(2025, 3, 15, tzinfo=UTC)


def names_the_only_one(text):
    return any(fact.functional for fact in found_slots(text, said_at=SAID))


@pytest.mark.parametrize(
    "text",
    [
        "The emergency contact for Amira is her aunt Samira",
        "Our main supplier for flour is Bongu",
        "The primary contact at Lidl is Ms Brandt",
        "The official language of the choir is Basque",
        "The designated speaker for Friday is Ana",
        "My main hobby is Warhammer",
    ],
)
def test_the_main_one_of_several_is_one(text):
    assert names_the_only_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "The contact for Amira is Samira",
        "My friend is Ola",
        "Our supplier for flour is Bongu",
        "My cousin is Renate",
        "The speaker for Friday is Ana",
        "My hobby is Warhammer",
    ],
)
def test_what_there_may_be_several_of_is_not(text):
    assert not names_the_only_one(text)
