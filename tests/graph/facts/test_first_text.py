"""The first text that a process reads is read like every later one."""

import subprocess
import sys

import pytest

READ = """
import sys
from noosphere.graph.facts import found_correction, found_endings, found_slots
from noosphere.write.denials import _may_deny
read = {
    "slots": lambda text: found_slots(text, "user", None),
    "endings": found_endings,
    "correction": found_correction,
    "denial": lambda text: _may_deny(text) or None,
}[sys.argv[1]]
first, second = repr(read(sys.argv[2])), repr(read(sys.argv[2]))
print(first == second, second)
"""


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("slots", "I live in Utrecht"),
        ("slots", "My phone number is 555-1234"),
        ("slots", "The launch is planned for March 3"),
        ("slots", "Working at the mill, I moved to Riga"),
        ("endings", "We no longer ship to Iceland"),
        ("endings", "Standup moved to 10:15"),
        ("endings", "I'm on the night shift now"),
        ("correction", "Scrap that about Lisbon"),
        ("denial", "The gate is not locked"),
    ],
)
def test_the_first_text_of_a_process_is_read_like_the_second(what, text):
    said = subprocess.run([sys.executable, "-c", READ, what, text], capture_output=True, text=True, check=True).stdout
    same, found = said.strip().split(" ", 1)
    assert same == "True"
    assert found not in ("None", "[]")
