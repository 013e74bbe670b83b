"""What goes wrong: a clear message, the right exit code, one document for a script, no traceback."""

import os
import subprocess
import sys

import apsw
import pytest

from nobody import needs_nobody

ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def seen(answer, code, *words):
    assert answer.code == code
    assert answer.err.startswith("noosphere: ")
    assert "Traceback" not in answer.err
    assert answer.out == ""
    for word in words:
        assert word in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ["get", ID], ["history", ID], ["revise", ID, "x"], ["append", ID, "x"], ["branch", ID, "x"], ["forget", ID],
        ["classify", ID, "--title", "x"], ["set-status", ID, "active"], ["link", ID, "relates_to", ID],
        ["unlink", ID], ["undo", ID], ["session", "close", "nothing"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_an_id_that_is_not_there_is_code_1(cli, words):
    seen(cli(*words), 1, "here. ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["get", "nonsense"], "is not an id"),
        (["undo", "nonsense"], "is not an id"),
        (["journal", "--target", "nonsense"], "is not an id"),
        (["journal", "--limit", "0"], "limit: "),
        (["session", "list", "--limit", "0"], "limit: "),
        (["remember", "x", "--importance", "criticcal"], "Did you mean critical?"),
        (["remember", "x", "--kind", "episodc"], "Did you mean episodic?"),
        (["remember", "x", "--role", "Note!"], "is not a role name"),
        (["remember", "x", "--confidence", "2"], "not between 0 and 1"),
        (["remember", "x", "--confidence", "nan"], "not between 0 and 1"),
        (["remember", "x", "--confidence", "much"], "is not a number"),
        (["remember", "x", "--occurred", "yesterday"], "is not a time"),
        (["remember", "x", "--said-at", "2026-05-14T10:00:00"], "has no time zone"),
        (["remember", "x", "--valid-from", "2026", "--valid-to", "2025"], "lies before"),
        (["remember", "x", "--slot", "home"], "is not subject.attribute"),
        (["remember", "x", "--value", "y"], "belongs to a slot"),
        (["remember", "x", "--tag", ""], "cannot be a tag"),
        (["classify", ID, "--clear", "titlee"], "Did you mean title"),
        (["set-status", ID, "activee"], "Did you mean active"),
        (["recall", "x", "--statu", "active"], "--status"),
        (["recall", "x", "--status", "activee"], "Did you mean active"),
        (["recall", "x", "--class", "memori"], "Did you mean memory"),
        (["recall", "x", "--lane", "keywords"], "Did you mean keyword"),
        (["recall", "x", "--since", "2026-13"], "is not in the calendar"),
        (["recall", "x", "--k", "0"], "k: "),
        (["recall", "x", "--k", "many"], "is not a whole number"),
        (["recall", "x", "--budget", "10"], "budget: "),
        (["recall"], "Missing argument 'QUERY'"),
        (["recall", "two", "words"], "unexpected extra argument"),
        (["recalll", "x"], "Did you mean 'recall'?"),
        (["remember", "x", "--wrong"], "No such option: --wrong"),
        (["session"], "Missing command"),
        (["link", ID, "relates_to", ID, "--weight", "2"], "not between 0 and 1"),
        (["entity", "Maya", "--type", "persn"], "Did you mean person?"),
        (["flush", "--limit", "0"], "limit: "),
        (["harvest", "/no/such/path"], "does not exist"),
        (["remember", "x", "--mind", ""], "is not text"),
        (["remember", "x", "--mind", "persnal"], "Did you mean personal?"),
        (["recall", "x", "--mind", "a%"], "no mind 'a%'"),
        (["recall", "x", "--mind", "a b"], "no mind 'a b'"),
    ],
    ids=lambda value: "-".join(value)[:40] if isinstance(value, list) else None,
)
def test_wrong_usage_is_code_2_and_says_what_would_be_right(cli, words, said):
    cli("remember", "something")
    seen(cli(*words), 2, said)


def test_a_project_file_or_a_variable_that_is_wrong_is_named(cli, tmp_path, monkeypatch):
    (tmp_path / ".noosphere.toml").write_text('semantik = "off"\n')
    seen(cli("stats"), 2, ".noosphere.toml", "Did you mean semantic or semantic_dedup?")
    (tmp_path / ".noosphere.toml").unlink()
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "of")
    seen(cli("stats"), 2, "environment", "Did you mean off?")


@pytest.fixture
def files(tmp_path, cli):
    """Things that are no minds, and one from the future."""
    (tmp_path / "text.db").write_text("this is not a database at all\n" * 200)
    apsw.Connection(str(tmp_path / "other.db")).execute("CREATE TABLE a (b)")
    (tmp_path / "folder.db").mkdir()
    cli("remember", "from tomorrow", "--mind", tmp_path / "newer.db")
    later = apsw.Connection(str(tmp_path / "newer.db"))
    later.pragma("user_version", 999)
    later.close()
    return tmp_path


@pytest.mark.parametrize("name", ["text.db", "other.db", "folder.db", "newer.db"])
@pytest.mark.parametrize("words", [["remember", "x"], ["recall", "x"]], ids=["remember", "recall"])
def test_a_file_that_cannot_be_opened_is_code_3_and_is_named(cli, files, name, words):
    seen(cli(*words, "--mind", files / name), 3, name)


def test_a_mind_that_is_not_there_is_a_usage_error_when_reading_and_code_3_when_its_folder_is_missing(cli, files):
    seen(cli("recall", "x", "--mind", files / "nowhere/x.db"), 2, "nowhere/x.db")
    seen(cli("remember", "x", "--mind", files / "nowhere/x.db"), 3, "nowhere/x.db")


def test_each_kind_of_file_is_told_apart(cli, files):
    kinds = {"text.db": "NotAMind", "other.db": "NotAMind", "newer.db": "NewerMind"}
    for name, kind in kinds.items():
        error = cli("stats", "--mind", files / name, "--json").error
        assert (error["type"], error["path"]) == (kind, str(files / name))
    assert cli("stats", "--mind", files / "newer.db", "--json").error["found"] == 999
    assert (files / "text.db").read_text().startswith("this is not")


def test_reading_makes_no_mind_where_there_is_none(cli, tmp_path):
    answer = cli("recall", "x", "--mind", tmp_path / "typo.db")
    assert answer.code in {2, 3}
    assert not (tmp_path / "typo.db").exists()
    assert cli("forget", ID, "--mind", tmp_path / "typo.db").code in {2, 3}
    assert not (tmp_path / "typo.db").exists()


def test_the_personal_mind_is_there_from_the_first_question_on(cli):
    assert cli("recall", "anything", "--json").document["hits"] == []
    assert cli("status", "--json").document["mind"] == "personal"


def test_a_home_that_is_a_file_is_code_3(cli, tmp_path):
    (tmp_path / "file").write_text("x")
    seen(cli("stats", "--home", tmp_path / "file"), 3, str(tmp_path / "file"))


def test_with_json_an_error_is_the_one_document_and_its_words_go_to_standard_error(cli):
    cli("remember", "x")
    for words, kind in (
        (["get", ID], "NotFound"),
        (["get", "nonsense"], "InvalidInput"),
        (["recall"], "UsageError"),
        (["nonsense"], "UsageError"),
        (["stats", "--mind", "persnal"], "NotFound"),
    ):
        answer = cli("--json", *words)
        assert answer.error["type"] == kind
        assert answer.error["message"] in answer.err
        assert len(answer.out.splitlines()) == 1


def test_the_data_of_an_error_comes_with_it(cli):
    error = cli("remember", "x", "--importance", "criticcal", "--json").error
    assert error["field"] == "importance"
    assert "Did you mean critical?" in error["remedy"]
    assert cli("get", ID, "--json").error["key"] == ID


def test_a_bug_is_told_with_its_traceback_and_is_code_3(cli, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("unforeseen [/]")

    monkeypatch.setattr("noosphere.mind.Mind.stats", broken)
    answer = cli("stats", "--json")
    assert (answer.code, answer.error["type"]) == (3, "RuntimeError")
    assert "internal error: RuntimeError: unforeseen [/]. Please report it" in answer.err
    assert "Traceback" in answer.err


AS_NOBODY = """
import os, sys
os.environ["NOOSPHERE_SEMANTIC"] = "off"
from noosphere.serve.cli.entry import main
main(["nonsense"])
for command in (["remember", "warm"], ["recall", "warm"], ["recall", "x", "--json"], ["get", "x", "--json"]):
    main([*command, "--mind", os.environ["NOOSPHERE_HOME"] + "/warm.db"])  # read all that is needed, as its owner
sys.stdout.write("----\\n"); sys.stdout.flush(); sys.stderr.write("----\\n")
if os.geteuid() == 0:
    os.seteuid(65534)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@needs_nobody
@pytest.mark.skipif(os.name == "nt", reason="permissions are another matter there")
@pytest.mark.parametrize(
    ("mode", "folder", "words", "code"),
    [
        (0o000, 0o755, ["recall", "kettle"], 3),
        (0o444, 0o555, ["recall", "kettle"], 0),
        (0o444, 0o555, ["remember", "more"], 3),
        (0o666, 0o000, ["recall", "kettle"], 3),
    ],
    ids=["unreadable", "read-only recall", "read-only remember", "closed folder"],
)
def test_without_permission_reading_works_where_it_can_and_the_rest_is_code_3(cli, tmp_path, mode, folder, words, code):
    place = tmp_path / "place"
    place.mkdir()
    cli("remember", "The kettle is blue", "--mind", place / "mind.db")
    for above in (tmp_path, *tmp_path.parents[:3]):
        above.chmod(0o755)
    (place / "mind.db").chmod(mode)
    place.chmod(folder)
    try:
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, *words, "--mind", place / "mind.db"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        place.chmod(0o755)
    out, err = (stream.partition("----\n")[2] for stream in (done.stdout, done.stderr))
    assert (done.returncode, "Traceback" in err) == (code, False)
    assert ("The kettle is blue" in out) == (code == 0)
    if code:
        assert str(place / "mind.db") in err
