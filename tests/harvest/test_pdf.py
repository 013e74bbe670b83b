"""PDF documents become notes; those that cannot are rejects that say why."""

import io
import sys

import pypdf
import pytest
from exports import of_member
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from noosphere import open_mind


def document(*pages, lock=None, algorithm="RC4-128", owner=None, about=None):
    """A PDF with one page for each list of lines."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in FONT.items()})
    for lines in pages:
        page = writer.add_blank_page(300, 300)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream.set_data(f"BT /F1 12 Tf 10 280 Td {shown}ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    if about:
        writer.add_metadata(about)
    if lock is not None:
        writer.encrypt(lock, owner, algorithm=algorithm)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


FONT = {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica", "Encoding": "WinAnsiEncoding"}


def test_a_document_is_one_note_with_its_pages_in_order():
    about = {"/Title": "The plan", "/CreationDate": "D:20260514100300Z"}
    found = of_member("docs/plan.pdf", document(["First page"], ["Second page"], about=about)).note
    assert (found.id, found.source, found.title) == ("docs/plan.pdf", "pdf", "The plan")
    assert found.text == "First page\n\nSecond page"
    assert found.at == 1778752980 * 1_000_000
    assert found.metadata["pages"] == 2


def test_it_is_known_by_content_and_not_by_its_name():
    assert of_member("plan.txt", document(["Words"])).note.source == "pdf"


def test_a_word_parted_at_the_end_of_a_line_is_joined():  # pitfall 52
    found = of_member("a.pdf", document(["The index is re-", "built at night, by Jean-", "Luc."])).note
    assert found.text == "The index is rebuilt at night, by Jean-\nLuc."


@pytest.mark.parametrize("title", ["Microsoft Word - plan.docx", "untitled", "  ", "thesis.dvi"])
def test_a_title_that_a_program_made_gives_way_to_the_name(title):  # pitfall 52
    assert of_member("plan.pdf", document(["Words"], about={"/Title": title})).note.title == "plan"


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_an_encrypted_document_without_a_password_is_read(algorithm):  # pitfall 52
    data = document(["Open words"], lock="", owner="secret", algorithm=algorithm)
    assert of_member("a.pdf", data).note.text == "Open words"


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_one_with_a_password_is_a_reject(algorithm):  # pitfall 52
    found = of_member("a.pdf", document(["Words"], lock="open sesame", algorithm=algorithm))
    (reject,) = found.rejects
    assert (found.items, reject.why) == ([], "is locked with a password")


def test_one_without_text_says_so():  # pitfall 52
    (reject,) = of_member("scan.pdf", document([], [])).rejects
    assert (reject.why, reject.remedy) == ("has no text in its 2 pages", "Run text recognition (OCR) over it")


def test_one_without_pages_says_so():  # pitfall 52
    (reject,) = of_member("none.pdf", document()).rejects
    assert reject.why == "has no pages"


def test_pages_without_text_between_others_are_told():
    assert of_member("a.pdf", document(["Words"], [])).note.notes == ("pages without text: 1",)


def test_a_cut_or_scrambled_document_is_a_reject_or_a_note_and_never_an_error():
    data = document(["Words of a page"] * 3, ["More"])
    for cut in range(6, len(data), 37):
        found = of_member("a.pdf", data[:cut])
        assert len(found.items) + len(found.rejects) == 1, cut


def test_without_the_extra_the_reject_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)
    (reject,) = of_member("a.pdf", document(["Words"])).rejects
    assert "noosphere[pdf]" in reject.remedy


def test_a_second_harvest_adds_nothing(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a.pdf").write_bytes(document(["The harbour closes at nine"]))
    (tmp_path / "box" / "b.pdf").write_bytes(document([]))
    mind = open_mind(tmp_path / "m.db")
    first, second = mind.harvest(str(tmp_path / "box")), mind.harvest(str(tmp_path / "box"))
    assert (first.notes, len(first.rejects), second.added) == (1, 1, 0)
    assert mind.rank("when does the harbour close?")[0].source == "import"
