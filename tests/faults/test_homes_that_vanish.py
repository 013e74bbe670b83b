"""A home, its registry or a mind of it is deleted, lost or exchanged: nothing is stored where nobody will look."""

import os
import shutil

import pytest

from minds import found
from noosphere import DamagedMind, NotAMind, Settings, StorageError, open_mind, open_noosphere
from noosphere.store import registry_copy
from noosphere.store.registry import Registry

GONE = "moved, deleted or replaced"
CODE = "the vault code is in the blue folder"


def quiet(home):
    return Settings(home=home, semantic="off", background=False)


def personal(home):
    return open_mind(settings=quiet(home))


@pytest.fixture
def home(tmp_path):
    """The personal mind and two workspaces; one was renamed, one deleted, and of one no file was made yet."""
    with open_noosphere(settings=quiet(tmp_path / "home")) as noosphere:
        for name in ("acme", "old", "empty"):
            noosphere.workspaces.create(name)
        for name in ("personal", "acme", "old"):
            with noosphere.changing(name) as mind:
                mind.remember(CODE)
        noosphere.workspaces.rename("acme", "bramble")
        noosphere.workspaces.delete("old")
    return tmp_path / "home"


def names(home):
    with open_noosphere(settings=quiet(home)) as noosphere:
        return {workspace.id: workspace.status for workspace in noosphere.workspaces.list(everything=True)}


BEFORE = {"bramble": "active", "empty": "active", "old": "deleted", "personal": "active"}


@pytest.mark.parametrize("anew", [False, True], ids=["", "and made again by another process"])
@pytest.mark.parametrize("how", ["deleted", "moved"])
def test_a_running_noosphere_stores_nothing_in_a_home_that_is_gone(home, tmp_path, how, anew):
    with open_noosphere(settings=quiet(home)) as noosphere:
        with noosphere.changing("bramble") as mind:
            mind.remember("it is open")
        if how == "deleted":
            shutil.rmtree(home)
        else:
            home.rename(tmp_path / "moved")
        if anew:
            personal(home).close()
        made = sorted(home.rglob("*")) if anew else []
        for name in ("bramble", "empty", "personal"):
            with pytest.raises(StorageError, match=GONE), noosphere.changing(name) as mind:
                mind.remember("nobody would find it")
        with pytest.raises(StorageError, match=GONE):
            noosphere.workspaces.create("late")
        assert sorted(home.rglob("*")) == made
    if how == "moved":
        assert names(tmp_path / "moved") == BEFORE


def test_a_lost_registry_is_made_again_with_every_name_and_state(home):
    for file in home.glob("registry.db*"):
        file.unlink()
    with personal(home) as mind:
        assert len(found(mind, "vault")) == 1
    assert names(home) == BEFORE


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_a_damaged_registry_is_refused_with_the_way_out(home, share):
    file = home / "registry.db"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)] if share < 1 else os.urandom(len(whole)))
    if share:
        with pytest.raises((DamagedMind, NotAMind), match=r"Move it away.*registry\.jsonl"):
            personal(home)
        file.rename(home / "damaged")
    assert names(home) == BEFORE


def test_a_home_with_minds_and_no_registry_is_not_taken_for_a_new_one(home):
    for file in home.glob("registry.*"):
        file.unlink()
    before = sorted(home.rglob("*"))
    for _ in range(2):
        with pytest.raises(StorageError, match=r"gone.*workspace import"):
            personal(home)
    assert [path.name for path in sorted(home.rglob("*")) if path not in before] == ["registry.db"]
    (home / "minds").rename(home / "found")
    with open_noosphere(settings=quiet(home)) as noosphere:
        for number, file in enumerate(sorted(home.glob("found/*/mind.db"))):
            noosphere.workspaces.import_mind(file, f"found-{number}")
            with noosphere.mind(f"found-{number}") as mind:
                assert len(found(mind, "vault")) == 1


@pytest.mark.parametrize(
    "torn", ['{"uuid": "', "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "[1]\n7"]
)
def test_a_line_of_the_copy_that_a_crash_cut_off_costs_no_other(home, torn):
    with (home / registry_copy.FILE).open("a", encoding="latin-1") as file:
        file.write(torn)
    with open_noosphere(settings=quiet(home)) as noosphere:
        noosphere.workspaces.create("late")
    for file in home.glob("registry.db*"):
        file.unlink()
    assert names(home) == {**BEFORE, "late": "active"}


def test_a_registry_from_before_there_was_a_copy_gets_one(home):
    (home / registry_copy.FILE).unlink()
    personal(home).close()
    (home / "registry.db").unlink()
    assert names(home) == BEFORE


def test_a_home_without_a_copy_is_read_where_none_can_be_written(home):
    (home / registry_copy.FILE).unlink()
    (home / "registry.tmp").mkdir()  # what it would be written as
    with personal(home) as mind:
        assert len(found(mind, "vault")) == 1
    assert not (home / registry_copy.FILE).exists()
    (home / "registry.tmp").rmdir()
    assert names(home) == BEFORE
    assert (home / registry_copy.FILE).exists()


def test_a_name_that_nothing_has_any_more_is_not_kept_in_the_copy(home):
    with open_noosphere(settings=quiet(home)) as noosphere:
        uuid = next(w.uuid for w in noosphere.workspaces.list(everything=True) if w.id == "old")
    assert "acme" not in (home / registry_copy.FILE).read_text(encoding="utf-8")
    registry = Registry(home)
    registry.remove(uuid)
    registry.close()
    assert uuid not in (home / registry_copy.FILE).read_text(encoding="utf-8")


def test_what_the_copy_names_is_never_a_path(tmp_path):
    rows = [("../../x", "evil", 1, None, None), ("1" * 36, "../y", 1, None, None), (None, "none", 1, None, None)]
    tmp_path.joinpath("home").mkdir()
    registry_copy.replace(tmp_path / "home", rows)
    assert names(tmp_path / "home") == {}


def test_a_mind_in_the_place_of_another_is_not_taken_for_it(home):
    with open_noosphere(settings=quiet(home)) as noosphere:
        places = {w.id: home / "minds" / w.uuid / "mind.db" for w in noosphere.workspaces.list()}
    shutil.copy(places["bramble"], places["personal"])
    with pytest.raises(StorageError, match="is not the mind that is known here"):
        personal(home)


def test_a_home_is_found_by_a_link_and_by_its_own_name_at_once(home, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(home, target_is_directory=True)
    with personal(link) as one, personal(home) as other:
        one.remember("a lamp stands by the link")
        other.remember("a lamp stands by the name")
        assert len(found(one, "lamp")) == len(found(other, "lamp")) == 2
    other_home = tmp_path / "other"
    personal(other_home).close()
    with open_noosphere(settings=quiet(link)) as noosphere:
        link.unlink()
        link.symlink_to(other_home, target_is_directory=True)
        with pytest.raises(StorageError, match=GONE), noosphere.changing("bramble") as mind:
            mind.remember("into the other home")
