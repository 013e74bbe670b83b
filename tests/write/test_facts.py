"""What a text states fills slots without anybody naming them, and what it corrects is retired."""

import pytest

from noosphere import Duplicate, Stored, Superseded


def tell(mind, *said):
    return [mind.remember(text, said_at=day) for day, text in said]


def shown(mind, query, **options):
    return [hit.text for hit in mind.rank(query, unsure=True, **options)]


def test_a_move_ends_the_old_home_and_history_keeps_both(mind):
    old, new = tell(mind, ("2024-01-05", "I live in Berlin"), ("2024-03-05", "I moved to Lisbon"))
    assert isinstance(new, Superseded)
    assert new.old == (old.id,)
    assert shown(mind, "where do I live?") == ["I moved to Lisbon"]
    assert shown(mind, "where do I live?", as_of="2024-02-01") == ["I live in Berlin"]
    assert set(shown(mind, "where do I live?", include_past=True)) == {"I moved to Lisbon", "I live in Berlin"}


def test_what_was_said_earlier_but_arrives_later_does_not_become_current(mind):
    tell(mind, ("2024-03-05", "I moved to Lisbon"), ("2024-01-05", "I live in Berlin"))
    assert shown(mind, "where do I live?") == ["I moved to Lisbon"]


def test_other_people_and_set_valued_facts_stay(mind):
    outcomes = tell(
        mind,
        ("2024-01-05", "Ann lives in Berlin"),
        ("2024-01-06", "Bob lives in Rome"),
        ("2024-01-07", "Ann likes tea"),
        ("2024-01-08", "Ann likes coffee"),
    )
    assert all(isinstance(outcome, Stored) for outcome in outcomes)
    assert all(mind.get(outcome.id).current for outcome in outcomes)


def test_i_is_whoever_speaks(mind):
    mine = mind.remember("I live in Berlin")
    hers = mind.remember("I live in Rome", speaker="Ann")
    assert mind.get(hers.id).subject == "Ann"
    assert mind.get(mine.id).current
    assert mind.get(hers.id).current


@pytest.mark.parametrize(
    ("first", "over", "other"),
    [
        ("I like sushi", "I no longer like sushi", "I like ramen"),
        ("I work at Zephyrine", "I quit Zephyrine", "Ann works at Zephyrine"),
        ("I drive a Honda Civic", "I sold the Honda", "Ann drives a Fiat"),
    ],
)
def test_what_is_no_longer_so_ends_that_value_only(mind, first, over, other):
    old, beside, _ = tell(mind, ("2024-01-05", first), ("2024-01-06", other), ("2024-04-05", over))
    assert not mind.get(old.id).current
    assert mind.get(beside.id).current


def test_a_value_that_was_left_already_is_not_ended_twice(mind):
    _, new, _ = tell(
        mind,
        ("2024-01-05", "I work at Zephyrine"),
        ("2024-03-05", "I joined Quillfeather"),
        ("2024-04-05", "I left Zephyrine for good"),
    )
    assert mind.get(new.id).current


def test_a_correction_retires_what_it_corrects_and_holds_from_its_start(mind):
    wrong, right = tell(
        mind, ("2024-04-01", "The flight is on 5 May"), ("2024-04-09", "Sorry, the flight is on 6 May, not 5 May")
    )
    assert right.corrected == (wrong.id,)
    assert mind.get(wrong.id).status == "deprecated"
    assert shown(mind, "when is the flight?", as_of="2024-04-05") == ["Sorry, the flight is on 6 May, not 5 May"]


def test_a_correction_that_could_mean_several_retires_none(mind):
    one, two, _ = tell(
        mind,
        ("2024-04-01", "The blue team plays on Friday evening"),
        ("2024-04-01", "The red team plays on Friday evening"),
        ("2024-04-01", "I meant Thursday, not Friday"),
    )
    assert mind.get(one.id).status == mind.get(two.id).status == "active"
    assert all(hit.conflict for hit in mind.rank("team plays evening", unsure=True) if "team" in hit.text)


def test_a_canonical_memory_survives_and_its_challenger_is_a_draft(mind):
    old = mind.remember("The launch is due on 3 May 2031", status="canonical", said_at="2024-01-05")
    new = mind.remember("The launch moved to 17 May 2031", said_at="2024-02-05")
    assert mind.get(old.id).current
    assert new.held_by == (old.id,)
    assert mind.get(new.id).status == "draft"


def test_a_weaker_source_is_told_that_its_value_never_holds(mind):
    old = mind.remember("I live in Berlin", said_at="2024-01-05")
    new = mind.remember("The user lives in Rome", said_at="2024-02-05", slot="user.home_city", value="Rome",
                        source="agent_inferred")  # fmt: skip
    assert new.held_by == (old.id,)
    assert mind.get(old.id).current


def test_each_fact_of_a_longer_text_is_drawn_from_it(mind):
    whole = mind.remember("I work at Acme in Porto. My rent is 900. We talked for hours.", said_at="2024-01-05")
    assert len(whole.drawn) == 2
    later = mind.remember("My rent went up to 1,000", said_at="2024-05-05")
    assert set(later.old) < set(whole.drawn)
    assert mind.get(whole.id).current


def test_a_slot_that_the_caller_names_is_never_overruled(mind):
    kept = mind.remember("I moved to Lisbon", slot="user.note", value="x")
    assert mind.get(kept.id).attribute == "note"


def test_undo_of_a_move_brings_the_old_home_back(mind):
    _, new = tell(mind, ("2024-01-05", "I live in Berlin"), ("2024-03-05", "I moved to Lisbon"))
    mind.undo(new.journal)
    assert shown(mind, "where do I live?") == ["I live in Berlin"]


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("The shed is locked", "The gate is not locked"),
        ("Rosa eats fish", "Otto does not eat fish"),
        ("The tram runs on Sundays", "The ferry will not run on Sundays"),
        ("Mia can swim", "Tom can not swim"),
    ],
)
def test_what_is_not_so_of_one_corrects_nothing_said_of_another(mind, said, denied):
    first, second = tell(mind, ("2024-04-01", said), ("2024-04-02", denied))
    assert second.corrected == ()
    assert mind.get(first.id).current


@pytest.mark.parametrize(
    ("one", "other"),
    [("My dentist is Dr. Weber", "my dentist is dr weber"), ("I live in St. Gallen", "I live in St Gallen.")],
)
def test_case_and_marks_make_no_change_of_a_value(mind, one, other):
    known = mind.remember(one)
    again = mind.remember(other)
    assert (type(again), again.id) == (Duplicate, known.id)


PLANS = ("The shop is closed on 4 March.", "The demo is confirmed for 4 March.", "The vote is adjourned until 4 March.")


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_found_before_its_day(mind, plan):
    told = mind.remember(plan, said_at="2024-01-10")
    mind.remember("Bread comes from the mill.", said_at="2024-01-11")
    thing = plan.split()[1]
    assert [hit.id for hit in mind.rank(f"what about the {thing}?", now="2024-02-01")] == [told.id]
    assert mind.get(told.id).holds_to is None


def test_a_state_from_a_day_on_waits_and_what_it_ends_holds_until_then(mind):
    old = mind.remember("The vet practice is open on Saturdays.", said_at="2023-09-10")
    mind.remember("As of February 2024 the vet practice is closed on Saturdays.", said_at="2023-12-01")
    assert mind.get(old.id).holds_to.date().isoformat() == "2024-02-01"


def test_a_wedding_is_no_repetition_of_an_engagement(mind):
    first = mind.remember("Anna is engaged to Paul", said_at="2024-01-10")
    second = mind.remember("Anna married Paul", said_at="2024-03-10")
    assert second.id != first.id
    assert mind.get(second.id).text == "Anna married Paul"
