"""PDF documents become notes; those that cannot are rejects that say why."""

import io
import sys

import pypdf
import pytest
from exports import of_member
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NumberObject

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


def drawn(*placed, font=None):
    """A PDF of one page with each text, as an operand, at its place."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(600, 800)
    plain = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in FONT.items()})
    fonts = DictionaryObject({NameObject("/F1"): plain if font is None else font(writer)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    shown = " ".join(f"1 0 0 1 {x} {y} Tm {text} Tj" for x, y, text in placed)
    stream.set_data(f"BT /F1 10 Tf {shown} ET".encode("latin-1"))
    page[NameObject("/Contents")] = writer._add_object(stream)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def lettered(letters):
    """A font whose glyphs, counted from 1, are these letters."""

    def font(writer):
        pairs = " ".join(f"<{n:04x}> <{ord(letter):04x}>" for n, letter in enumerate(letters, start=1))
        table = DecodedStreamObject()
        table.set_data(
            b"begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
            + f"{len(letters)} beginbfchar {pairs} endbfchar endcmap".encode()
        )
        own = {"Type": "Font", "Subtype": "CIDFontType2", "BaseFont": "Own"}
        below = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in own.items()})
        below[NameObject("/DW")] = NumberObject(600)
        whole = {"Type": "Font", "Subtype": "Type0", "BaseFont": "Own", "Encoding": "Identity-H"}
        made = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in whole.items()})
        made[NameObject("/DescendantFonts")] = ArrayObject([below])
        made[NameObject("/ToUnicode")] = writer._add_object(table)
        return made

    return font


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


LEFT = ["The harbour was built in", "the year of the great", "flood, when the old town", "lost its second bridge",
        "and the miller moved to", "the hill above the weir."]  # fmt: skip
RIGHT = ["Nobody kept the ledgers", "of that winter, so what", "the guild had paid for", "stone is only known from",
         "letters that the abbot", "wrote to his brother."]  # fmt: skip
HEADING = "A chronicle of the harbour and of those who lived beside it, in two parts"


def in_rows(*columns):
    """Columns side by side, drawn row by row."""
    rows = list(zip(*columns, strict=True))
    return [(40 + 280 * n, 700 - 14 * y, f"({text})") for y, row in enumerate(rows) for n, text in enumerate(row)]


def test_columns_are_read_one_behind_the_other_below_what_goes_across_them():  # pitfall 52
    found = of_member("a.pdf", drawn((40, 740, f"({HEADING})"), *in_rows(LEFT, RIGHT))).note
    assert found.text.splitlines() == [HEADING, *LEFT, *RIGHT]


def test_a_table_stays_in_its_rows():  # pitfall 52
    names, prices = ["Rope", "Tar", "Oak planks", "Nails", "Canvas", "Lead"], ["12", "3", "140", "2", "31", "18"]
    lines = of_member("a.pdf", drawn(*in_rows(names, prices))).note.text.splitlines()
    assert [line.split()[-1] for line in lines] == prices


def test_words_written_from_right_to_left_are_read_in_their_order():  # pitfall 52
    word = "שלום עולם"
    letters = sorted(set(word))
    glyphs = "".join(f"{letters.index(letter) + 1:04x}" for letter in reversed(word))  # as they lie on the page
    assert of_member("a.pdf", drawn((300, 700, f"<{glyphs}>"), font=lettered(letters))).note.text == word


def test_letters_kept_as_they_were_drawn_are_plain_letters():  # pitfall 52
    letters = ["\ufb01", "l", "e"]
    assert of_member("a.pdf", drawn((300, 700, "<000100020003>"), font=lettered(letters))).note.text == "file"


def test_a_title_in_the_wrong_encoding_is_read_as_it_was_meant():  # pitfall 52
    wrong = "Brücke über den Fluss".encode().decode("cp1252")
    assert of_member("a.pdf", document(["Words"], about={"/Title": wrong})).note.title == "Brücke über den Fluss"
    assert of_member("a.pdf", document(["Words"], about={"/Title": "Brücke"})).note.title == "Brücke"
