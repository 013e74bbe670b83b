"""Forks, and backups and exports that become workspaces: one UUID is never two minds of a home."""

import json
import shutil

import pytest

from noosphere import InvalidInput, NotFound, StorageError
from noosphere.testing.minds import scratch_noosphere


@pytest.fixture
def told(noosphere):
    """A home whose personal mind and workspace acme know something."""
    noosphere.workspaces.create("acme")
    for name in ("personal", "acme"):
        with noosphere.changing(name) as mind:
            mind.remember(f"The vault code of {name} is 4711", slot="vault.code", value="4711")
    return noosphere


def texts(noosphere, minds, query="vault code"):
    return [hit.text for hit in noosphere.ranked(query, minds=minds).hits]


@pytest.mark.parametrize("origin", ["personal", "acme"])
def test_a_fork_knows_what_its_origin_knew_and_goes_its_own_way(told, origin):
    made = told.workspaces.fork(origin, "twin")
    assert texts(told, "twin") == texts(told, origin)
    with told.changing("twin") as twin:
        assert twin.uuid == made.uuid
        twin.remember("The vault code is 9999 now", slot="vault.code", value="9999")
        assert twin.doctor().healthy
    with told.mind(origin) as old:
        assert old.uuid != made.uuid
        assert texts(told, origin) == [f"The vault code of {origin} is 4711"]
        assert old.doctor().healthy


def test_a_mind_that_was_never_used_forks_too(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.workspaces.fork("acme", "twin")
    assert texts(noosphere, "twin") == []


def test_a_fork_of_an_archived_workspace_can_be_written(told):
    told.workspaces.archive("acme")
    told.workspaces.fork("acme", "twin")
    with told.changing("twin") as twin:
        assert twin.remember("The lift is broken").id


def test_a_fork_needs_a_free_name_and_an_origin_that_is_there(told):
    for name in ("acme", "personal", "../x"):
        with pytest.raises(InvalidInput):
            told.workspaces.fork("personal", name)
    with pytest.raises(NotFound):
        told.workspaces.fork("nobody", "twin")
    told.workspaces.delete("acme")
    with pytest.raises(NotFound, match="restore it first"):
        told.workspaces.fork("acme", "twin")
    assert len(list((told.settings.home / "minds").iterdir())) == 2


def written(told, tmp_path, form):
    with told.mind("acme") as mind:
        if form == "backup":
            mind.backup(str(tmp_path / "acme.db"))
            return tmp_path / "acme.db"
        mind.export(str(tmp_path / "acme.jsonl"))
        return tmp_path / "acme.jsonl"


@pytest.mark.parametrize("form", ["backup", "export"])
def test_a_file_of_a_mind_becomes_the_same_mind_in_another_home(told, tmp_path, form, clock, ids):
    source = written(told, tmp_path, form)
    with scratch_noosphere(tmp_path / "other", clock=clock, ids=ids) as other:
        made = other.workspaces.import_mind(source, "moved")
        assert texts(other, "moved") == texts(told, "acme")
        with told.mind("acme") as mind:
            assert made.uuid == mind.uuid
        with other.changing("moved") as mind:
            assert mind.doctor().healthy
            assert mind.remember("The lift is broken").id


@pytest.mark.parametrize("form", ["backup", "export"])
def test_a_home_refuses_a_second_file_of_a_mind_it_has_and_offers_a_fork(told, tmp_path, form):
    source = written(told, tmp_path, form)
    with pytest.raises(InvalidInput, match=r"as 'acme'.*fork"):
        told.workspaces.import_mind(source, "again")
    made = told.workspaces.import_mind(source, "again", fork=True)
    with told.mind("acme") as mind:
        assert mind.uuid != made.uuid
    assert texts(told, "again") == texts(told, "acme")


def test_a_backup_of_a_deleted_workspace_lives_again_as_a_fork(told, tmp_path):
    told.workspaces.delete("acme")
    file = next(p for p in (told.settings.home / "minds").rglob("mind.db") if b"of acme" in p.read_bytes() + wal(p))
    shutil.copy(file, tmp_path / "copy.db")
    for suffix in ("-wal",):
        if (other := file.with_name(file.name + suffix)).exists():
            shutil.copy(other, tmp_path / f"copy.db{suffix}")
    told.workspaces.import_mind(tmp_path / "copy.db", "back", fork=True)
    with told.changing("back") as mind:
        assert mind.remember("The lift is broken").id


def wal(path):
    beside = path.with_name(f"{path.name}-wal")
    return beside.read_bytes() if beside.exists() else b""


@pytest.mark.parametrize("told_of", ["../../evil", "", "not-a-uuid", 7])
def test_an_export_cannot_choose_a_path_by_what_it_calls_its_mind(told, tmp_path, told_of):
    source = written(told, tmp_path, "export")
    lines = source.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0]) | {"mind": told_of}
    source.write_text("\n".join([json.dumps(head), *lines[1:]]), encoding="utf-8")
    before = sorted(told.settings.home.rglob("*"))
    with pytest.raises(StorageError, match="which mind it is"):
        told.workspaces.import_mind(source, "evil")
    assert sorted(told.settings.home.rglob("*")) == before


@pytest.mark.parametrize("content", [b"", b"no mind at all", b"{}", b'{"format": "noosphere-mind", "version": 99}'])
def test_what_is_no_mind_is_refused_and_the_name_stays_free(noosphere, tmp_path, content):
    source = tmp_path / "thing"
    source.write_bytes(content)
    with pytest.raises(StorageError):
        noosphere.workspaces.import_mind(source, "thing")
    assert noosphere.workspaces.create("thing").status == "active"


def test_what_is_no_file_is_named(noosphere, tmp_path):
    for source in (tmp_path / "nowhere.db", tmp_path):
        with pytest.raises(InvalidInput, match="source"):
            noosphere.workspaces.import_mind(source, "thing")


def test_a_copy_of_a_mind_that_is_asked_by_its_path_stands_for_that_mind(told, tmp_path, clock, ids):
    with told.mind("personal") as mind:
        mind.backup(str(tmp_path / "copy.db"))
    home = told.settings.home
    with scratch_noosphere(home, clock=clock, ids=ids, mind=str(tmp_path / "copy.db")) as opened:
        assert texts(opened, None) == ["The vault code of personal is 4711"]
