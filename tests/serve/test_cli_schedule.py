"""workspace create --schedule: units of systemd for a workspace's upkeep, whose lines really run."""

import configparser
import re
import shlex

import pytest

from noosphere.upkeep.passes import PASSES


@pytest.fixture
def units(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "systemd" / "user"


def run_lines(text):
    return re.findall(r"^ExecStart=-(.*)$", text, re.MULTILINE)


def test_a_service_and_a_daily_timer_are_written(cli, units):
    made = cli("workspace", "create", "acme", "--schedule", "--json")
    assert (made.code, made.document["outcome"]) == (0, "created")
    assert "systemctl --user enable --now noosphere-acme.timer" in made.err
    assert {path.name for path in units.iterdir()} == {"noosphere-acme.service", "noosphere-acme.timer"}
    timer = configparser.ConfigParser()
    timer.optionxform = str
    timer.read(units / "noosphere-acme.timer")
    assert timer["Timer"]["OnCalendar"] == "daily"
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_every_line_of_the_service_runs_its_pass_on_that_workspace(cli, units, home):
    cli("workspace", "create", "acme", "--schedule")
    lines = run_lines((units / "noosphere-acme.service").read_text())
    assert len(lines) == len(PASSES)
    for line in lines:
        words = shlex.split(line)[1:]
        assert words[:4] == ["--home", str(home), "--mind", "acme"]
        assert cli(*words).code == 0
    ran = cli("upkeep", "runs", "--mind", "acme", "--json").document
    assert [run["name"] for run in reversed(ran)] == list(PASSES)


def test_without_the_option_nothing_is_written_outside_the_home(cli, units):
    cli("workspace", "create", "acme")
    assert not units.exists()


def test_a_unit_that_says_something_else_is_left_alone(cli, units):
    units.mkdir(parents=True)
    (units / "noosphere-acme.service").write_text("mine")
    refused = cli("workspace", "create", "acme", "--schedule")
    assert refused.code == 3
    assert "says something else" in refused.err
    assert (units / "noosphere-acme.service").read_text() == "mine"


def test_what_systemd_would_read_otherwise_is_quoted(units, tmp_path):
    from noosphere.serve.schedule import write_units

    service, _ = write_units("acme", tmp_path / 'odd %h $HOME "x"', ["prune"])
    assert '--home "' + str(tmp_path) + '/odd %%h $$HOME \\"x\\"" --mind acme' in service.read_text()
