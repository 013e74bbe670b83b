"""Workspaces: made, renamed, archived, deleted and brought back; none ever sees another's memories."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput, NotFound, ReadOnlyMind, open_mind
from noosphere.minds.workspaces import UNDO_DAYS
from noosphere.testing.minds import scratch_noosphere

BAD_NAMES = ["a_b", "a%", "../x", "A b", "", "x/../y", "mind.db", "a\0b"]


def remember(noosphere, name, text):
    with noosphere.changing(name) as mind:
        return mind.remember(text)


def texts(noosphere, query, **options):
    return [hit.text for hit in noosphere.ranked(query, **options).hits]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_by_every_door_of_a_mind(noosphere, name):
    for ask in (
        lambda: noosphere.workspaces.create(name),
        lambda: noosphere.mind(name).__enter__(),
        lambda: noosphere.changing(name).__enter__(),
        lambda: noosphere.ranked("x", minds=[name]),
    ):
        with pytest.raises(InvalidInput):
            ask()
    assert [p for p in noosphere.settings.home.rglob("*.db") if p.name != "registry.db"] == []


def test_what_one_workspace_stored_no_other_reads(noosphere):
    for name in ("ab", "axb", "a-b"):
        noosphere.workspaces.create(name)
    for name in ("ab", "axb", "a-b"):
        remember(noosphere, name, f"the vault code of {name} is 4711")
    for name in ("ab", "axb", "a-b"):
        assert texts(noosphere, "vault code", minds=name) == [f"the vault code of {name} is 4711"]
    assert texts(noosphere, "vault code") == []
    assert len(texts(noosphere, "vault code", minds="all")) == 3


def test_the_fence_around_an_answer_of_several_minds_names_them(noosphere):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "the vault code is 4711")
    first = noosphere.recall("vault code", minds=["acme", "personal"]).text.partition("\n")[0]
    assert 'mind="personal, acme"' in first or 'mind="acme, personal"' in first


def test_a_change_names_its_mind_as_soon_as_there_are_several(noosphere):
    with noosphere.changing() as mind:
        assert mind.name == "personal"
    noosphere.workspaces.create("acme")
    with pytest.raises(InvalidInput, match="Name one of: acme, personal"), noosphere.changing():
        pass
    with pytest.raises(NotFound, match="Did you mean acme"), noosphere.changing("acm"):
        pass


def test_the_settings_may_name_the_mind_that_is_meant(tmp_path, clock, ids):
    with scratch_noosphere(tmp_path, clock=clock, ids=ids, mind="acme") as noosphere:
        noosphere.workspaces.create("acme")
        remember(noosphere, None, "in acme")
        remember(noosphere, "personal", "also acme, at home")
        assert texts(noosphere, "acme") == ["in acme", "also acme, at home"]
        assert texts(noosphere, "acme", minds="personal") == ["also acme, at home"]


def test_a_rename_moves_nothing(noosphere):
    made = noosphere.workspaces.create("acme")
    stored = remember(noosphere, "acme", "the lift is broken")
    path = next((noosphere.settings.home / "minds").iterdir())
    renamed = noosphere.workspaces.rename("acme", "zenith")
    assert renamed.uuid == made.uuid
    assert path.exists()
    with noosphere.mind("zenith") as mind:
        assert mind.get(stored.id).text == "the lift is broken"
        assert mind.name == "zenith"
    with pytest.raises(NotFound), noosphere.mind("acme"):
        pass


def test_a_name_is_given_once(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.workspaces.create("zenith")
    for again in (lambda: noosphere.workspaces.create("acme"), lambda: noosphere.workspaces.rename("zenith", "acme")):
        with pytest.raises(InvalidInput):
            again()


def test_the_personal_mind_is_neither_renamed_nor_deleted(noosphere):
    with noosphere.mind():
        pass
    for ask in (noosphere.workspaces.delete, noosphere.workspaces.archive):
        with pytest.raises(InvalidInput, match="personal"):
            ask("personal")


def test_an_archived_workspace_is_read_and_not_written(noosphere):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "the lift is broken")
    noosphere.workspaces.archive("acme")
    assert texts(noosphere, "lift", minds="acme") == ["the lift is broken"]
    assert texts(noosphere, "lift", minds="all") == []
    with pytest.raises(ReadOnlyMind), noosphere.changing("acme"):
        pass
    noosphere.workspaces.restore("acme")
    remember(noosphere, "acme", "the lift works")
    assert len(texts(noosphere, "lift", minds="all")) == 2


def test_a_deleted_workspace_is_out_of_every_read_and_comes_back_whole(noosphere):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "the lift is broken")
    noosphere.workspaces.delete("acme")
    assert [w.id for w in noosphere.workspaces.list()] == []
    for ask in (lambda: noosphere.mind("acme").__enter__(), lambda: noosphere.changing("acme").__enter__()):
        with pytest.raises(NotFound, match="restore it first"):
            ask()
    noosphere.workspaces.restore("acme")
    assert texts(noosphere, "lift", minds="acme") == ["the lift is broken"]
    remember(noosphere, "acme", "the lift works")


def test_a_writer_that_had_it_open_cannot_write_to_a_deleted_workspace(noosphere):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "one")
    path = next((noosphere.settings.home / "minds").rglob("mind.db"))
    with open_mind(path, settings=noosphere.settings) as other:
        noosphere.workspaces.delete("acme")
        with pytest.raises(ReadOnlyMind, match="was deleted"):
            other.remember("two")


def test_the_files_go_after_the_undo_period_and_not_while_somebody_holds_them(noosphere, clock):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "one")
    path = next((noosphere.settings.home / "minds").rglob("mind.db"))
    noosphere.workspaces.delete("acme")
    clock.advance(timedelta(days=UNDO_DAYS - 1))
    assert noosphere.workspaces.clear() == []
    clock.advance(timedelta(days=2))
    with open_mind(path, settings=noosphere.settings) as other:
        other.stats()
        assert noosphere.workspaces.clear() == []
        assert path.exists()
    assert noosphere.workspaces.clear() == ["acme"]
    assert not path.parent.exists()
    assert noosphere.workspaces.list(everything=True) == []
    noosphere.workspaces.create("acme")
    assert texts(noosphere, "one", minds="acme") == []


def test_a_workspace_that_was_archived_empty_stays_empty(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.workspaces.archive("acme")
    named = noosphere.settings.override("argument", {"mind": "acme"})
    for _ in range(2):
        with open_mind(settings=named) as mind:
            assert mind.stats().memories == 0
            with pytest.raises(ReadOnlyMind, match="restore its workspace"):
                mind.remember("the kiln is cold")
    noosphere.workspaces.create("bravo")
    noosphere.workspaces.archive("bravo")
    assert texts(noosphere, "kiln", minds=["acme", "bravo"]) == []
    with pytest.raises(ReadOnlyMind), noosphere.mind("bravo") as mind:
        mind.remember("the kiln is cold")
    noosphere.workspaces.restore("bravo")
    remember(noosphere, "bravo", "the kiln is warm")


def test_an_archived_workspace_is_read_only_also_for_who_opens_it_alone(noosphere):
    noosphere.workspaces.create("acme")
    remember(noosphere, "acme", "the kiln is hot")
    noosphere.workspaces.archive("acme")
    named = noosphere.settings.override("argument", {"mind": "acme"})
    with open_mind(settings=named) as mind:
        assert [hit.text for hit in mind.rank("kiln")] == ["the kiln is hot"]
        with pytest.raises(ReadOnlyMind):
            mind.remember("the kiln is cold")
