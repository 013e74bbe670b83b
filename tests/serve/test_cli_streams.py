"""The installed command as shells and other programs meet it: bytes in, bytes out, signals, terminals."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from shell import BASH, COMMAND

from noosphere import open_mind
from noosphere.serve.cli import output

PLACE = "Đà Nẵng 🚀"
posix = pytest.mark.skipif(os.name == "nt", reason="signals, terminals and byte arguments are another matter there")

LOCALES = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "C": {"LC_ALL": "C"},
    "C without help": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.slow
@pytest.mark.parametrize("variables", LOCALES.values(), ids=LOCALES)
def test_text_goes_in_and_out_as_utf8_whatever_the_locale(installed, variables):
    typed = installed("remember", f"Typed in {PLACE}", "--tag", "đà", "--json", **variables)
    piped = installed("remember", "-", "--json", stdin=f"Piped from {PLACE}", **variables)
    assert (typed.code, piped.code) == (0, 0)
    assert installed("get", typed.id, "--json", **variables).document["text"] == f"Typed in {PLACE}"
    assert f"Piped from {PLACE}" in installed("get", piped.id, **variables).out
    assert len(installed("recall", "Nẵng", "--tag", "đà", "--json", **variables).document["hits"]) == 1


@posix
@pytest.mark.slow
def test_bytes_that_are_no_text_are_repaired_in_a_memory_and_refused_elsewhere(installed):
    stored = installed("remember", b"half a \xff character", "--json")
    assert (stored.code, stored.document["repairs"]) == (0, ["replaced 1 lone surrogate by U+FFFD"])
    for words in (["get", b"\xff"], [b"\xff"], ["recall", "x", "--mind", b"\xff"]):
        answer = installed(*words)
        assert answer.code == 2
        assert "Traceback" not in answer.err


@posix
@pytest.mark.slow
def test_a_closed_pipe_is_quiet(home, installed):
    installed("remember", "-", stdin="The kettle is blue. " * 20_000)
    node = installed("recall", "kettle", "--json").document["hits"][0]["id"]
    for words in (f"get {node}", "journal --json"):
        line = f"{COMMAND} {words} | true; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run([BASH, "-c", line], capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("0\n", "")


@posix
@pytest.mark.slow
def test_a_full_disk_behind_standard_output_is_code_3(home):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([COMMAND, "stats", "--json"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@posix
@pytest.mark.slow
def test_closed_streams_are_no_trouble(home):
    for line, code in (
        (f"{COMMAND} remember - <&-", 2),
        (f"{COMMAND} remember x >&-", 0),
        (f"{COMMAND} get x 2>&-", 2),
    ):
        done = subprocess.run([BASH, "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False)


def interrupted(child):
    """Press Ctrl-C until it is heard: one that comes just before a read begins is not, as anywhere in Python."""
    for _ in range(20):
        child.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.communicate(timeout=1)[1]
    child.kill()
    return child.communicate()[1]


@posix
@pytest.mark.slow
def test_an_interrupt_is_130_without_a_traceback(home):
    import pty

    leader, follower = pty.openpty()  # to a terminal it says that it waits for text
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a child inherits it when it is ignored here
    try:
        with subprocess.Popen([COMMAND, "remember", "-"], stdin=follower, stderr=subprocess.PIPE) as child:
            os.close(follower)
            assert b"Ctrl-D ends it" in child.stderr.readline()
            said = interrupted(child)
    finally:
        signal.signal(signal.SIGINT, before)
    os.close(leader)
    assert (child.returncode, said) == (130, b"")


@posix
@pytest.mark.slow
@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)], ids=["colour", "NO_COLOR"])
def test_a_terminal_shows_hits_with_their_reasons_and_nothing_raw(cli, no_colour, coloured):
    cli("remember", "The kettle is [bold]blue[/] \x1b[31m\x9b", "--title", "[/]")
    shown = on_a_terminal("recall", "kettle", NO_COLOR=no_colour)
    assert "[/]: The kettle is [bold]blue[/] ␛[31m<U+009B>" in re.sub("\x1b\\[[0-9;]*m", "", shown)
    assert "found by keyword 1; words: kettle" in shown
    assert "recalled-memories" not in shown
    assert ("\x1b[" in shown) == coloured
    assert "\x1b[31m" not in shown


@posix
@pytest.mark.slow
def test_json_on_a_terminal_is_laid_out_and_still_one_document(cli):
    cli("remember", "The kettle is blue")
    shown = on_a_terminal("stats", "--json")
    assert json.loads(shown)["memories"] == 1
    assert '\n  "memories": 1,' in shown.replace("\r\n", "\n")


def on_a_terminal(*words, **variables):
    import pty

    leader, follower = pty.openpty()
    given = {**os.environ, "TERM": "xterm-256color", **variables}
    with subprocess.Popen([COMMAND, *words], stdin=follower, stdout=follower, stderr=follower, env=given) as child:
        os.close(follower)
        shown = b""
        while piece := _read(leader):
            shown += piece
    os.close(leader)
    assert child.returncode == 0
    return shown.decode()


def _read(leader):
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux says that the other end was closed
        return b""


@pytest.mark.slow
def test_meaning_works_at_once_after_a_remember_and_status_says_what_is_off(home, installed, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "encoder")
    assert installed("remember", "The feline slept on the warm radiator").code == 0
    found = installed("recall", "where does the cat take its nap?", "--json")
    assert [hit["lanes"][0]["name"] for hit in found.document["hits"]] == ["semantic"]
    assert installed("stats", "--json").document["pending"] == {}


WITHOUT_A_RUNTIME = """
import importlib.util, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "onnxruntime" else real(name, *rest)
sys.modules["onnxruntime"] = None
from noosphere.providers.embed import files
files.find_spec = importlib.util.find_spec
from noosphere.serve.cli.entry import run
run()
"""


@pytest.mark.slow
def test_without_onnxruntime_words_and_the_static_model_answer_and_status_says_so(home, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "encoder")

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_A_RUNTIME, *words], capture_output=True, text=True, check=False
        )

    assert run("remember", "The feline slept on the warm radiator").returncode == 0
    found = run("recall", "a cat asleep", "--json")
    assert json.loads(found.stdout)["hits"][0]["lanes"][0]["name"] == "semantic"
    assert "onnxruntime" in found.stderr
    status = json.loads(run("status", "--json").stdout)
    assert status["lanes"] == ["keyword", "semantic", "window", "hops"]
    assert any("onnxruntime is not installed" in off for off in status["off"])


def test_what_waits_after_a_write_is_embedded_in_part_and_the_rest_told(cli, home, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "static")
    monkeypatch.setenv("NOOSPHERE_BACKGROUND", "off")
    with open_mind(None) as mind:
        mind.remember_many([f"memory number {n}" for n in range(70)])
    answer = cli("remember", "one more", "--json")
    assert answer.document["outcome"] == "stored"
    assert "7 units wait for static" in answer.err
    assert cli("flush", "--limit", "3", "--json").document["embedded"] == 3
    assert cli("flush", "--json").document == {"outcome": "flushed", "embedded": 4, "pending": {}, "unavailable": []}
    assert cli("remember", "and another", "--wait").err == ""


def test_every_control_character_is_made_visible():
    shown = output.visible("".join(map(chr, range(0x3000))))
    assert not re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert [output.visible(line) for line in output.split("a\r\nb\tc\rd\x0b\u2028e")] == ["a", "b\tc␍d␋\u2028e"]


def test_no_name_can_feign_a_line_of_its_own(cli):
    node = cli("remember", "x", "--title", "a\n     id 0", "--subject", "b\nc", "--json").id
    for words in (["recall", "x", "--rank"], ["get", node], ["history", node]):
        assert "a␊     id 0" in cli(*words).out
