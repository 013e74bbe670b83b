"""Choosing embedding models from the command line."""

import pytest


@pytest.fixture
def mind(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "static")
    path = tmp_path / "mind.db"
    for n in range(3):
        assert cli("remember", f"The kettle number {n} is blue", "--mind", path).code == 0
    return path


def states(cli, mind):
    return {m["short"] or m["name"]: m["state"] for m in cli("model", "list", "--mind", mind, "--json").document}


def test_the_models_are_listed_with_what_they_do_in_this_mind(cli, mind):
    assert set(states(cli, mind)) >= {"minilm", "multilingual", "static"}
    assert "static-256.int8" in cli("model", "list", "--mind", mind).out


def test_a_model_is_chosen_at_once_when_its_space_is_whole(cli, mind):
    cli("flush", "--mind", mind)
    chosen = cli("model", "use", "static", "--mind", mind, "--json")
    assert (chosen.code, chosen.document["outcome"], chosen.document["active"]) == (0, "model_chosen", True)
    assert states(cli, mind)["static"] == "active"
    again = cli("model", "reembed", "--mind", mind, "--json").document
    assert (again["outcome"], again["pending"]) == ("model_chosen", 0)
    later = cli("model", "reembed", "--later", "--mind", mind, "--json").document
    assert later["pending"] == 3


def test_a_wrong_name_is_a_usage_error_with_the_near_one(cli, mind):
    wrong = cli("model", "use", "multilingal", "--mind", mind)
    assert wrong.code == 2
    assert "multilingual" in wrong.err
