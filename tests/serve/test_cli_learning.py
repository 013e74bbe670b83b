"""cognify on the command line: an exchange as options, as JSON, or as what the user said."""

import json


def test_an_exchange_is_learnt_from_its_options(cli):
    found = cli("cognify", "--user", "Let's go with Kafka.", "--assistant", "Noted.", "--conversation", "c", "--json")
    assert (found.code, found.document["outcome"]) == (0, "cognified")
    [one] = found.document["learnt"]
    assert (one["text"], one["role"], one["target"]) == ("Let's go with Kafka.", "decision", "personal")
    assert len(found.document["turns"]) == 2
    assert cli("get", one["id"], "--json").document["source"] == "user_stated"


def test_an_exchange_is_read_from_standard_input_as_json_or_as_what_the_user_said(cli):
    given = json.dumps({"user": "I prefer short answers.", "key": "7"})
    told = cli("cognify", "--json", stdin=given).document
    assert [one["role"] for one in told["learnt"]] == ["preference"]
    again = cli("cognify", "--json", stdin=given).document
    assert (again["turns"], again["learnt"][0]["outcome"]) == (told["turns"], "duplicate")
    said = cli("cognify", stdin="My dog is called Rex. Thanks so much for that!")
    assert "fact, personal: My dog is called Rex." in said.out


def test_an_exchange_of_the_wrong_form_is_wrong_usage(cli):
    assert cli("cognify", "--json", stdin='{"used": "x"}').code == 2
    assert cli("cognify", "--json", stdin="  ").code == 2
