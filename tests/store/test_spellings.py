"""Ids, numbers, names and compounds are found in another spelling than the one they were stored in."""

from hashlib import sha256

import pytest

from noosphere import Settings, open_mind
from noosphere.store import refold
from noosphere.store.words.query import query_terms
from noosphere.store.words.spans import find_spans
from noosphere.store.words.spellings import indexed_text, spellings

WORDS_ONLY = Settings(background=False, semantic="off")

SAME = [
    *(("PROJ-8841", "proj8841"), ("TASK-5521", "TASK 5521"), ("ops7719", "OPS-7719"), ("bug 4412", "bug4412")),
    *(
        ("INV-00123", "inv00123"),
        ("flight LH 455", "LH455"),
        ("BA2490", "BA 2490"),
        ("15 GB", "15GB"),
        ("27kg", "27 kg"),
    ),
    *(("v1.2.30", "1.2.30"), ("2.7.19", "v2.7.19"), ("gpt-4o-mini", "gpt4omini"), ("llama3", "llama 3")),
    *(("1,013.00 EUR", "1013"), ("1.245,00 EUR", "1245"), ("1377 EUR", "1,377.00"), ("2411 EUR", "2.411,00")),
    *(("1,250,000", "1250000"), ("3 500 000 yen", "3500000"), ("7,319.50", "7319.5"), ("18’400", "18400")),
    *(
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9268 19"),
    ),
    *(("+49 30 1234567", "+49301234567"), ("0301239876", "030 1239876"), ("(415) 555-2671", "4155552671")),
    *(("415.555.9912", "415-555-9912"), ("06 12 34 56 78", "0612345678"), ("+1 (212) 555-0147", "+12125550147")),
    *(("4111 1111 1111 1111", "4111111111111111"), ("3782-822463-10005", "378282246310005")),
    *(("978-3-16-148410-0", "9783161484100"), ("2024-05-17", "20240517"), ("20230911", "2023-09-11")),
    *(("eu-west-1", "euwest1"), ("uscentral1", "us-central-1"), ("apsouth2", "ap south 2")),
    *(("node_modules", "node modules"), ("build_cache", "buildcache"), ("distfiles", "dist files")),
    *(("getUserById", "get user by id"), ("get_order_total", "getOrderTotal"), ("setLineColor", "set_line_color")),
    *(("parseHTTPHeader", "parse http header"), ("get invoice by number", "getInvoiceByNumber")),
    *(("UserService", "user service"), ("the mail sender", "MailSender"), ("fetchallrows", "fetchAllRows")),
    *(("foo.bar.Baz", "foo bar baz"), ("com.acme.Widget", "com/acme/Widget"), ("#1234", "1234"), ("5678", "#5678")),
    ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "9f86d08"),
    ("3a7bd3e", "3a7bd3e2360a3d29eea436fcfb7e44c735d117c4"),
    ("550e8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000"),
    ("00:1A:2B:3C:4D:5E", "001a2b3c4d5e"),
    *(("サンドボックス", "さんどぼっくす"), ("らーめん", "ラーメン"), ("ﾃﾞｰﾀ", "データ"), ("バラの花", "ばらの花")),
    *(("Müller", "mueller"), ("Koehler", "Köhler"), ("Straße", "strasse"), ("Groesse", "Größe"), ("naïve", "naive")),
    *(("Düsseldorf", "duesseldorf"), ("Øresund", "oeresund"), ("Århus", "aarhus"), ("Mu\u0308ller", "Mueller")),
    *(("ılık", "ILIK"), ("İzmir", "izmir"), ("δρόμος", "ΔΡΌΜΟΣ"), ("ΟΔΥΣΣΕΥΣ", "οδυσσεύς"), ("Фёдор", "федор")),
    *(("e-mail", "email"), ("email", "e-mail"), ("data base", "database"), ("filesystem", "file system")),
    *(("set-up", "setup"), ("set up", "setup"), ("setup", "set up"), ("white space", "whitespace"), ("wifi", "Wi-Fi")),
    *(("Node.js", "nodejs"), ("nextjs", "Next.js"), ("TCP/IP", "tcpip"), ("U.S.A.", "USA"), ("R&D", "RD")),
]
OTHER = [
    *(("PROJ-8814", "PROJ-8841"), ("PROJ-8814", "proj8841"), ("1.2.30", "1.2.3"), ("v1.2.30", "1.2.3")),
    *(("v1.23.0", "1.2.3"), ("v1.23.0", "v1.2.3"), ("12.3", "1.2.3"), ("10,130 EUR", "1013"), ("101.30", "1013")),
    *(
        ("1,013,555 EUR", "1013"),
        ("1013.50", "101350"),
        ("INV-12-3", "INV-1-23"),
        ("10-5", "105"),
        ("INV-00123", "INV-123"),
    ),
    *(("JavaScript", "java"), ("Michal", "Michael"), ("eu-west-2", "euwest1"), ("eu-west-1", "euwest12")),
    *(("DE89 3704 0044 0532 0130 01", "DE89370400440532013000"), ("030 1234567", "0301234568")),
    *(("9f86d081884c", "9f86d09"), ("iPhone", "phone"), ("10.100.200.1", "10100200"), ("see 12 or 13", "1213")),
]


@pytest.mark.parametrize(("stored", "asked"), SAME)
def test_what_was_stored_in_one_spelling_is_first_when_asked_in_another(tmp_path, stored, asked):
    line = f"line: {stored} it is"
    with open_mind(tmp_path / "mind.db", settings=WORDS_ONLY) as mind:
        *_, made = mind.remember_many([*(f"Ann talked about lease {n % 9} and garden {n}" for n in range(40)), line])
        assert [hit.id for hit in mind.rank(asked, k=1)] == [made.id]


@pytest.mark.parametrize(("stored", "asked"), OTHER)
def test_what_is_another_thing_is_not_found(tmp_path, stored, asked):
    with open_mind(tmp_path / "mind.db", settings=WORDS_ONLY) as mind:
        mind.remember_many([stored, "quite another line"])
        assert not mind.rank(asked, unsure=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("PROJ-8841", "proj8841"), ("eu-west-1", "euwest1"), ("1013", "1,013.00"), ("v1.2.30", "1.2.30")),
        *(("email", "e-mail"), ("getUserById", "get_user_by_id"), ("Müller", "Mueller"), ("set-up", "setup")),
        *(("サンドボックス", "さんどぼっくす"), ("0301234567", "030 1234567")),
    ],
)
def test_the_spelling_that_was_typed_comes_before_another(tmp_path, one, other):
    for number, (stored, asked) in enumerate([((one, other), one), ((one, other), other), ((other, one), one)]):
        with open_mind(tmp_path / f"{number}.db", settings=WORDS_ONLY) as mind:
            mind.remember_many([*(f"it is {each} here" for each in stored), *(f"line {n} of many" for n in range(60))])
            assert [hit.text for hit in mind.rank(asked, k=2)] == [
                f"it is {asked} here",
                f"it is {other if asked == one else one} here",
            ]


def test_another_spelling_is_shown_where_the_text_has_it(tmp_path):
    text = "x" * 30 + " see PROJ-8841 there"
    ((start, stop, _),) = find_spans(text, query_terms("proj8841")[:1])
    assert text[start:stop] == "PROJ-8841"
    with open_mind(tmp_path / "mind.db", settings=WORDS_ONLY) as mind:
        mind.remember(text)
        assert mind.rank("proj8841")[0].terms == ("proj8841",)


def test_a_word_in_two_is_seen_in_its_parts(tmp_path):
    with open_mind(tmp_path / "mind.db", settings=WORDS_ONLY) as mind:
        mind.remember_many(["the data base crashed", "we base it on data", "the database of nobody"])
        mind.forget(mind.rank("nobody")[0].id)
        (hit,) = mind.rank("database")
        assert (hit.text, hit.terms) == ("the data base crashed", ("database",))


def test_plain_words_have_no_other_spelling():
    text = "Maya moved to Lisbon in May, and it is fine: she said so (twice). See page 12 or 13, at 10:30!"
    assert spellings(text) == []
    assert indexed_text(text) is text


def test_a_changed_fold_has_a_new_number():
    """Whoever changes what the index is fed raises refold.FOLD, so that older minds are made anew."""
    every = "\n".join(indexed_text(stored) for pair in SAME + OTHER for stored in pair)
    assert (refold.FOLD, sha256(every.encode()).hexdigest()[:16]) == (2, "2d5e9bf63fd9cc15")
