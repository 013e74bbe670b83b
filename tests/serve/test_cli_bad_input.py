"""Whatever is typed is answered in words with a remedy: nothing, too much, other scripts, no such thing."""

import re

import pytest

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
STRANGE = {"nothing": "", "blank": " ", "huge": "x" * 100_000, "unicode": "Đà Nẵng 🚀\u202e\0", "path": "../../etc"}
EITHER = [  # what is typed stands at X; some of it is a name like any other
    "workspace fork X copy",
    "workspace fork personal X",
    "workspace import X copy",
    "workspace import X copy --fork",
    "workspace rename X other",
    "review settle X --keep new",
    f"review settle {ID} --keep X",
    "review release X",
    "model use X",
    "model reembed X",
    "relate X leads Heron",
    "relate Ana X Heron",
    "relate Ana leads X --src-type person",
    "relate Ana leads Heron --src-type X --dst-type project",
    "relate Ana leads Heron --src-type person --dst-type X",
    "relate Ana leads Heron --src-type person --dst-type project --from X",
    "neighbours X",
    "traverse Ana X",
    "entity X --type person",
    "entity Zed --type X",
    "harvest learn --limit X",
    "harvest take-in X",
    "harvest preview X",
    "upkeep run X",
    "upkeep run prune --limit X",
    "upkeep runs --limit X",
    "session ensure X",
    "traces outcome X succeeded",
    "mastery answer X --correct",
    "--home X tags",
    "--actor X tags",
    "hooks status --settings X",
]
TOLD = re.compile(r"[.;:] [A-Z`a-z][^.]*")


@pytest.mark.parametrize("kind", STRANGE)
def test_nothing_that_is_typed_is_answered_with_a_traceback(cli, kind):
    for template in EITHER:
        words = [STRANGE[kind] if word == "X" else word for word in template.split()]
        answer = cli(*words)
        assert (template, "Traceback" in answer.err, "internal error" in answer.err) == (template, False, False)
        assert answer.code in (0, 1, 2, 3)
        assert len(answer.err) < 2000
        if answer.code:
            assert TOLD.search(answer.err or answer.out), template


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["workspace", "fork", "", "copy"], "id: '' is not a name"),
        (["--home", "", "tags"], "Give the path of one"),
        (["--home", "a\0b", "tags"], "Give the path of one"),
        (["--home", "~nobody-at-all/x", "tags"], "Give the path of one"),
        (["--actor", "x" * 5000, "tags"], "Give at most 4096"),
        (["harvest", ""], "Give its path"),
        (["harvest", " "], "Give its path"),
        (["relate", "Ana", "leads", "Heron", "--src-type", "persn", "--dst-type", "project"], "Did you mean person?"),
        (["relate", "Ana", "leads", "Heron", "--src-type", "persn", "--dst-type", "project"], "--src-type: "),
        (["session", "ensure", "x" * 5000], "Give a name of at most 4096"),
        (["harvest", "learn", "--model"], "such as ollama:llama3.2"),
        (["hooks", "status", "--settings", "bytes"], "nothing was changed"),
        (["hooks", "install", "--settings", "a\0b", "--yes"], "Give the path"),
        (["model", "use", "minilmm"], "Did you mean minilm"),
        (["upkeep", "run", "prun"], "Did you mean prune?"),
    ],
)
def test_wrong_input_is_code_2_and_names_the_remedy(cli, tmp_path, words, said):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\xbe")
    answer = cli(*words)
    assert answer.code == 2
    assert said in answer.err


def test_a_name_that_is_too_long_is_refused(cli):
    answer = cli("entity", "x" * 1001, "--type", "person")
    assert answer.code == 1
    assert "at most 1000 characters; shorten it" in answer.out
