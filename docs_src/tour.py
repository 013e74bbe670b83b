"""noosphere in a few lines: remember, record, ask, look back, take back."""

import noosphere
from noosphere import Turn

with noosphere.open_mind("tour.db") as mind:
    mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2021")
    moved = mind.remember("Ann moved to Lisbon", slot="ann.home_city", value="Lisbon", valid_from="2025-03")
    print(type(moved).__name__)  # it ended the older value, which stays in the history
    # -> Superseded
    question = Turn(key="1", speaker="Ann", text="Anything new from payroll?", at="2025-05-14T09:00Z")
    answer = Turn(key="2", speaker="Bo", text="Salaries go out on the 25th from now on.", at="2025-05-14T09:01Z")
    mind.record("chat-17", [question, answer], participants=["Ann", "Bo"])
    mind.flush()  # embed now; a worker does it in the background anyway

    print(mind.rank("where does Ann live?")[0].text)
    # -> Ann moved to Lisbon
    print(mind.rank("where does Ann live?", as_of="2023")[0].text)
    # -> Ann lives in Berlin
    print(mind.rank("when do we get paid?")[0].text)  # no word in common: found by meaning
    # -> Salaries go out on the 25th from now on.
    prompt = mind.recall("payday", budget=2000).text  # dated, sourced, fenced, inside a budget of characters

    forgotten = mind.forget(moved.id)
    print(mind.rank("where does Ann live?")[0].text)
    # -> Ann lives in Berlin
    mind.undo(forgotten.journal)
    for memory, start, end in mind.history(moved.id).spells:
        print(mind.get(memory).value, start.year, end and end.year)
    # -> Berlin 2021 2025
    # -> Lisbon 2025 None
