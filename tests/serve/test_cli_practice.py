"""The commands about an agent's own work, as people read them."""

WISH = "I wish you could export this to PDF."


def test_signals_are_listed_with_their_words_and_count_and_end_when_surfaced(cli):
    cli("cognify", "--user", WISH)
    told = cli("signals", "list").out
    assert f"capability gap  {WISH}" in told
    (one,) = cli("signals", "list", "--json").document
    assert cli("signals", "surfaced", one["id"], "--json").document["outcome"] == "surfaced"
    assert cli("signals", "list", "--json").document == []
    assert "surfaced_at" in cli("signals", "list", "--everything").out
    assert cli("signals", "surfaced", one["id"]).code == 1


def test_a_trace_is_shown_step_by_step_with_how_it_ended(cli):
    cli("procedures", "record", "Repair", "--step", "look", "--step", "mend")
    made = cli("traces", "record", "the kiln", "--step", "look", "--step", "mend", "--procedure", "repair", "--json")
    assert "the kiln  not ended\n  1. look\n  2. mend\n" in cli("traces", "list").out
    cli("traces", "outcome", made.document["id"], "failed", "--note", "no fan")
    told = cli("traces", "list", "--outcome", "failed").out
    assert "the kiln  failed\n  1. look\n  2. mend\n" in told
    assert "no fan" in told
    assert "Repair  used 1, succeeded 0, failed 1, abandoned 0\n  1. look\n" in cli("procedures", "list").out


def test_an_outcome_that_is_none_is_wrong_usage_and_names_the_words(cli):
    found = cli("traces", "record", "x", "--step", "y", "--outcome", "won", "--json")
    assert found.code == 2
    assert "succeeded, failed, abandoned" in found.error["message"]
