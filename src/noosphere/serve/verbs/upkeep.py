"""The rows of importing and of upkeep."""

from __future__ import annotations

from noosphere.serve.verbs import shapes
from noosphere.serve.verbs.cells import RARE, flag, text, texts
from noosphere.serve.verbs.glossary import ID, LIMIT
from noosphere.serve.verbs.verb import Empty, Verb

PLACES = {
    "places": texts("Files, folders, zips, or web addresses."),
    "adapter": text("Reads everything as this format, whatever it looks like."),
}
HARVEST = (
    Verb(
        name="harvest",
        python="mind.harvest",
        help="Import conversations and notes; a second run adds nothing.",
        scope="admin",
        takes=PLACES,
        needs=("places",),
        answers=("harvest.pipeline.Harvested",),
        rest="POST /api/harvest",
        cli="harvest {places}",
        tool="harvest",
        shape=shapes.places,
    ),
    Verb(
        name="harvest.preview",
        python="mind.harvest.preview",
        help="What a harvest would bring in, by type and date; nothing is written.",
        scope="admin",
        takes=PLACES,
        needs=("places",),
        answers=("harvest.preview.Preview",),
        rest="POST /api/harvest/preview",
        cli="harvest preview {places}",
        tool="harvest",
        shape=shapes.places,
    ),
    Verb(
        name="harvest.sources",
        python="mind.harvest.sources",
        help="Every place that was harvested, the last one first.",
        scope="read",
        answers=("harvest.verbs.Source",),
        many=True,
        rest="GET /api/harvest/sources",
        cli="harvest sources",
        tool=RARE,
    ),
    Verb(
        name="harvest.runs",
        python="mind.harvest.runs",
        help="The newest runs first.",
        scope="read",
        takes={"limit": LIMIT},
        answers=("harvest.verbs.Run",),
        many=True,
        rest="GET /api/harvest/runs",
        cli="harvest runs",
        tool=RARE,
    ),
    Verb(
        name="harvest.review",
        python="mind.harvest.review",
        help="What was held back for looking like an attack.",
        scope="read",
        answers=("harvest.review.Held",),
        many=True,
        rest="GET /api/harvest/review",
        cli="harvest review",
        tool=Empty("what was held back is for people to read, not for agents"),
    ),
    Verb(
        name="harvest.release",
        python="mind.harvest.release",
        help="Let a held text in.",
        scope="write",
        takes={"id": ID},
        needs=("id",),
        answers=("harvest.review.Released",),
        rest="POST /api/harvest/review/{id}/release",
        cli="harvest release {id}",
        tool=Empty("what was held back is for people to decide, not for agents"),
    ),
    Verb(
        name="harvest.dismiss",
        python="mind.harvest.dismiss",
        help="Leave a held text out for good.",
        scope="write",
        takes={"id": ID},
        needs=("id",),
        answers=("harvest.review.Dismissed",),
        rest="POST /api/harvest/review/{id}/dismiss",
        cli="harvest dismiss {id}",
        tool=Empty("what was held back is for people to decide, not for agents"),
    ),
)


UPKEEP = (
    Verb(
        name="doctor",
        python="mind.doctor",
        help="Check every rule of the mind and look samples up; fix rebuilds what is derived.",
        scope="admin",
        takes={"fix": flag("Rebuild what is derived; truth is never touched.")},
        answers=("upkeep.doctor.Diagnosis",),
        rest="POST /api/doctor",
        cli="doctor",
        tool=RARE,
    ),
    Verb(
        name="backup",
        python="mind.backup",
        help="Write a consistent copy, while others may write, and check it.",
        scope="admin",
        takes={"target": text("The copy's file; never overwritten.")},
        needs=("target",),
        answers=("store.backup.Copy",),
        rest="POST /api/backup",
        cli="backup {target}",
        tool=RARE,
    ),
)
