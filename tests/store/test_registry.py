"""The registry of a home: names of minds, and what is no name."""

import pytest

from noosphere import InvalidInput, NotFound, Settings, StorageError, open_mind
from noosphere.store.registry import Registry, check_slug


@pytest.fixture
def registry(tmp_path):
    made = Registry(tmp_path / "home")
    yield made
    made.close()


def quiet(home, **more):
    return Settings(home=home, semantic="off", background=False, **more)


@pytest.mark.parametrize("slug", ["personal", "a", "a-b", "work-2026", "0", "x" * 64])
def test_a_slug_is_a_name(registry, slug):
    assert registry.add("u-1", slug, 5).slug == slug
    assert registry.named(slug).created_at == 5


NO_NAMES = ["", " ", "../x", "..", ".", "A b", "a b", "a%", "a_b", "A", "ä", "-a", "a-", "a/b", "a\\b", "a\0", "a\n",
            "x" * 65, "a.db", "con:", "*", "a'b", "١"]  # fmt: skip


@pytest.mark.parametrize("slug", NO_NAMES)
def test_what_is_no_slug_is_refused(registry, slug):
    with pytest.raises(InvalidInput, match="a-z, 0-9 and hyphens"):
        registry.add("u-1", slug, 5)
    with pytest.raises(InvalidInput):
        check_slug(slug)
    assert registry.listed() == []
    assert registry.find(slug) is None


def test_a_name_is_given_once(registry):
    first = registry.add("u-1", "work", 5)
    assert registry.add("u-2", "work", 6) == first
    assert [r.uuid for r in registry.listed()] == ["u-1"]


def test_an_unknown_name_is_answered_with_near_ones(registry):
    for number, slug in enumerate(["personal", "cooking", "gardening"]):
        registry.add(f"u-{number}", slug, 5)
    with pytest.raises(NotFound, match=r"Did you mean cooking\?.*cooking, gardening, personal"):
        registry.named("coking")
    with pytest.raises(NotFound, match="There are: cooking, gardening, personal"):
        registry.named("zzz")


def test_the_registry_is_not_written_when_it_is_only_read(tmp_path):
    Registry(tmp_path).close()
    before = (tmp_path / "registry.db").stat().st_mtime_ns
    registry = Registry(tmp_path)
    assert registry.listed() == []
    registry.close()
    assert (tmp_path / "registry.db").stat().st_mtime_ns == before


def test_the_personal_mind_is_made_once_in_a_folder_of_its_own_name(tmp_path):
    home = tmp_path / "home"
    with open_mind(settings=quiet(home)) as mind:
        mind.remember("the first")
        path, uuid = mind.path, mind.uuid
    with open_mind(settings=quiet(home)) as mind:
        assert mind.path == path
        assert mind.stats().memories == 1
    assert path == home / "minds" / uuid / "mind.db"
    assert [p.name for p in (home / "minds").iterdir()] == [uuid]


def test_a_home_is_made_with_the_folders_above_it(tmp_path):
    home = tmp_path / "a" / "b b" / "ü%"
    with open_mind(settings=quiet(home)) as mind:
        assert mind.path.is_relative_to(home)


def test_a_personal_mind_that_may_not_be_made_is_not_there(tmp_path):
    with pytest.raises(NotFound, match="none yet"):
        open_mind(create=False, settings=quiet(tmp_path / "home"))


@pytest.mark.parametrize("name", ["A b", "a%", "..", "nope"])
def test_a_mind_that_is_not_registered_is_not_made(tmp_path, name):
    with pytest.raises((NotFound, InvalidInput)):
        open_mind(settings=quiet(tmp_path / "home", mind=name))
    assert not (tmp_path / "home" / "minds").exists()


@pytest.mark.parametrize("deeper", ["", "deeper"])
def test_a_home_that_is_a_file_is_a_named_error(tmp_path, deeper):
    (tmp_path / "home").write_text("a letter")
    with pytest.raises(StorageError, match=r"home.*permissions"):
        open_mind(settings=quiet(tmp_path / "home" / deeper))
    assert (tmp_path / "home").read_text() == "a letter"


def test_a_folder_in_place_of_the_registry_is_a_named_error(tmp_path):
    (tmp_path / "registry.db").mkdir()
    with pytest.raises(StorageError, match="registry"):
        Registry(tmp_path)


def test_the_home_is_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "there"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.setenv("NOOSPHERE_BACKGROUND", "off")
    with open_mind() as mind:
        assert mind.path.is_relative_to(tmp_path / "there")
        assert mind.name == "personal"


def test_who_makes_a_mind_known_that_another_process_did_is_told_what_that_one_said(tmp_path):
    one, other = "1" * 36, "2" * 36
    registry = Registry(tmp_path)
    assert registry.add(one, "acme", 1).slug == "acme"
    assert (registry.add(one, "again", 2).slug, registry.find("again")) == ("acme", None)
    assert registry.add(other, "acme", 3).uuid == one
    registry.add(other, "second", 4)
    assert registry.add(one, "second", 5).uuid == other, "the name is what was asked for"
    registry.close()
