"""Opening files, folders and archives, and what is refused."""

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import pytest
from exports import Found, chain, of_path, zipped

from noosphere.errors import InvalidInput, StorageError
from noosphere.harvest import archives
from noosphere.harvest.adapters.detect import named
from noosphere.harvest.items import Omission, Reject
from noosphere.harvest.members import Member
from noosphere.harvest.read import read_member
from noosphere.harvest.sources import open_source


def names(path):
    return [one.name for one in open_source(path) if isinstance(one, Member)]


def test_a_folder_is_walked_in_the_order_of_names(tmp_path):
    for name in ("b.txt", "a/z.txt", "a/b/c.txt", "a/a.txt"):
        (tmp_path / "box" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "box" / name).write_text("x")
    assert names(tmp_path / "box") == ["box/a/a.txt", "box/a/b/c.txt", "box/a/z.txt", "box/b.txt"]


def test_a_single_file_has_the_name_it_would_have_in_its_folder(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a.txt").write_text("x")
    assert names(tmp_path / "box" / "a.txt") == names(tmp_path / "box") == ["box/a.txt"]


def test_a_path_that_is_not_there_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(InvalidInput, match="does not exist"):
        open_source(tmp_path / "nothing")
    with pytest.raises(InvalidInput):
        of_path(tmp_path / "nothing")


@pytest.mark.parametrize("data", [b'{"a": 1}', bytes(range(256)) * 20])
def test_a_file_of_no_known_kind_is_told_with_what_to_do(tmp_path, data):
    (tmp_path / "odd.bin").write_bytes(data)
    found = of_path(tmp_path / "odd.bin")
    assert found.left == {Omission.UNKNOWN_FILE: 1}
    (reject,) = found.rejects
    assert (reject.why, "Save it as text" in reject.remedy, "adapter" in reject.remedy) == (
        "is of no known kind",
        True,
        True,
    )
    (tmp_path / "note.md").write_text("# A note\n\nWith words.")
    assert of_path(tmp_path).rejects == []  # beside something that is known it is only counted


def test_a_folder_that_holds_nothing_is_told(tmp_path):
    (tmp_path / "box").mkdir()
    (reject,) = of_path(tmp_path / "box").rejects
    assert (reject.origin, reject.why) == (f"{tmp_path.name}/box", "holds nothing")


def test_what_comes_through_a_pipe_is_refused_with_what_to_do(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in ("-", tmp_path / "pipe"):
        with pytest.raises(InvalidInput, match=r"pipe has no name.*Save it to a file"):
            of_path(place)


def test_links_are_not_followed_and_counted(tmp_path):
    box = tmp_path / "box"
    (box / "inner").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (box / "inner" / "loop").symlink_to(box)
    (box / "out.txt").symlink_to(tmp_path / "secret.txt")
    (box / "dangling").symlink_to(tmp_path / "gone")
    (box / "a.txt").write_text("x")
    found = of_path(box)
    assert [note.text for note in found.notes] == ["x"]
    assert found.left == {Omission.LINK: 3}


def test_a_loop_of_links_as_the_path_itself_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises((StorageError, InvalidInput)):
        open_source(tmp_path / "a")


def test_what_cannot_be_read_is_a_reject_and_the_rest_is_read(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A")
    (tmp_path / "b.txt").write_text("B")
    plain = Path.open

    def guarded(self, *args, **kwargs):
        if self.name == "a.txt":
            raise PermissionError(13, "Permission denied")
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", guarded)
    found = of_path(tmp_path)
    assert [note.text for note in found.notes] == ["B"]
    assert [(reject.why, reject.remedy) for reject in found.rejects] == [
        ("Permission denied", "Check its permissions, or copy it again")
    ]


def test_a_named_pipe_is_passed_over(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert of_path(tmp_path).left == {Omission.UNKNOWN_FILE: 1}


def test_names_are_composed_so_that_every_machine_gives_the_same(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "No\u0308te.md").write_text("x")
    archive = zipped(tmp_path / "x.zip", {"box/No\u0308te.md": "x"})
    assert names(tmp_path / "box") == names(archive) == ["box/N\u00f6te.md"]


def test_members_of_a_zip_are_streamed_and_stay_readable_afterwards(tmp_path):
    archive = zipped(tmp_path / "x.zip", {"b.txt": "B", "a.txt": "A", "dir/": ""})
    members = list(open_source(archive))
    assert [(one.name, one.size, one.open().read()) for one in members] == [("a.txt", 1, b"A"), ("b.txt", 1, b"B")]


def test_a_zip_in_a_folder_is_opened_too(tmp_path):
    zipped(tmp_path / "x.zip", {"a.txt": "A"})
    (tmp_path / "b.txt").write_text("B")
    assert [note.text for note in of_path(tmp_path).notes] == ["B", "A"]


def test_a_zip_is_known_by_its_content_and_a_packed_document_is_none(tmp_path):
    zipped(tmp_path / "renamed.dat", {"a.txt": "A"})
    zipped(tmp_path / "letter.docx", {"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"})
    found = of_path(tmp_path)
    assert [note.text for note in found.notes] == ["A"]
    assert found.left == {Omission.UNKNOWN_FILE: 1}


def test_names_in_a_zip_never_become_paths(tmp_path):
    archive = zipped(tmp_path / "x.zip", {"../../evil.txt": "E", "/etc/passwd": "P", "a\\b.txt": "B"})
    found = of_path(archive)
    assert {note.text for note in found.notes} <= {"E", "P", "B"}
    assert [place.name for place in tmp_path.iterdir()] == ["x.zip"]


def test_hidden_members_and_resource_forks_are_counted(tmp_path):
    archive = zipped(
        tmp_path / "x.zip", {".obsidian/app.json": "{}", "__MACOSX/a.txt": "x", ".DS_Store": "x", "a.txt": "A"}
    )
    assert of_path(archive).left == {Omission.HIDDEN_FILE: 3}


def test_a_member_that_unfolds_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "HARMLESS_BYTES", 1000)
    archive = zipped(tmp_path / "x.zip", {"bomb.txt": "0" * 300_000, "a.txt": "A"})
    found = of_path(archive)
    assert [note.text for note in found.notes] == ["A"]
    assert "unfold to 300000 bytes" in found.rejects[0].why


def test_an_archive_whose_members_share_their_bytes_is_refused_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(archives, "MAX_ENTRIES_RATIO", 2)
    archive = zipped(tmp_path / "x.zip", {"a.txt": "0" * 3000})
    assert "unfold" in of_path(archive).rejects[0].why


def test_an_encrypted_member_is_refused_with_a_remedy(tmp_path):
    raw = bytearray(zipped(tmp_path / "x.zip", {"a.txt": "A"}).read_bytes())
    for place in (raw.index(b"PK\x03\x04") + 6, raw.index(b"PK\x01\x02") + 8):
        raw[place : place + 2] = struct.pack("<H", 1)
    (tmp_path / "x.zip").write_bytes(raw)
    assert "password" in of_path(tmp_path / "x.zip").rejects[0].remedy


def test_an_unusual_packing_is_refused_with_a_remedy(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", "A" * 100)
    assert "unusual method" in of_path(tmp_path / "x.zip").rejects[0].why


@pytest.mark.parametrize("keep", [10, 60, 100])
def test_a_damaged_archive_is_a_reject(tmp_path, keep):
    archive = zipped(tmp_path / "x.zip", {"a.txt": "A" * 100})
    archive.write_bytes(archive.read_bytes()[:keep])
    (reject,) = of_path(archive).rejects
    assert reject.what == "archive"


def test_damage_inside_a_member_is_a_reject_and_the_others_are_read(tmp_path):
    archive = zipped(tmp_path / "x.zip", {"a.txt": "".join(map(str, range(1000))), "b.txt": "B"})
    raw = bytearray(archive.read_bytes())
    raw[60:80] = b"\xff" * 20
    archive.write_bytes(raw)
    found = of_path(archive)
    assert [note.text for note in found.notes] == ["B"]
    assert [reject.origin.rsplit("/", 1)[-1] for reject in found.rejects] == ["x.zip:a.txt"]


def nest(path, depth):
    """A note so many archives deep."""
    inner = zipped(path / "0.zip", {"a.txt": "A"})
    for level in range(1, depth):
        inner = zipped(path / f"{level}.zip", {inner.name: inner.read_bytes()})
    return inner


def test_archives_in_an_archive_are_read_too(tmp_path):
    found = of_path(nest(tmp_path, archives.MAX_DEPTH))
    assert ([note.text for note in found.notes], found.rejects) == (["A"], [])


def test_archives_without_end_are_a_reject_with_a_remedy(tmp_path):
    (reject,) = of_path(nest(tmp_path, archives.MAX_DEPTH + 1)).rejects
    assert "Unpack the outer ones" in reject.remedy


def test_a_file_that_fails_half_way_keeps_what_came_before():
    class Failing(io.BytesIO):
        def read(self, size=-1):
            piece = super().read(size)
            if not piece:
                raise OSError(5, "Input/output error")
            return piece

    data = json.dumps([chain(("user", "Hi"))]).encode()[:-1] + b"," + b" " * 70_000
    found = Found(read_member(Member("conversations.json", len(data), lambda: Failing(data))))
    assert found.texts == ["Hi"]
    assert found.rejects == [
        Reject("conversations.json", "the rest of the file", "Input/output error", "Copy or download it again")
    ]


def test_everything_a_source_gives_is_a_member_a_reject_or_a_count(tmp_path):
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "a.txt").write_text("x")
    assert [(type(one), one.hidden) for one in open_source(tmp_path)] == [(Member, True), (Member, False)]
    found = of_path(tmp_path)
    assert (found.left, len(found.notes), found.rejects) == ({Omission.HIDDEN_FILE: 1}, 1, [])


def test_one_name_in_two_archives_gives_two_notes_that_say_where_they_are(tmp_path):
    for name in ("home", "work"):
        zipped(tmp_path / f"{name}.zip", {"todo.txt": name})
    first, second = of_path(tmp_path).notes
    assert first.id == "todo.txt"
    assert second.id != first.id
    assert second.origin.endswith("work.zip:todo.txt")


def test_an_adapter_may_be_asked_for_by_name():
    assert named("markdown").NAME == "markdown"
    with pytest.raises(InvalidInput, match="Did you mean markdown"):
        named("markdwon")


def test_the_adapter_asked_for_reads_every_member(tmp_path):
    (tmp_path / "a.txt").write_text("Ann: hi\nBob: ho\n" * 3)
    assert len(of_path(tmp_path, named("markdown")).notes) == 1


def test_one_path_in_two_backups_is_one_note_in_two_states(tmp_path):
    for day, text in (("01", "draft"), ("02", "final")):
        zipped(tmp_path / f"backup-{day}.zip", {"vault/plan.txt": text})
    assert [(note.id, note.text) for note in of_path(tmp_path).notes] == [
        ("vault/plan.txt", "draft"),
        ("vault/plan.txt", "final"),
    ]
