"""Time: spans as callers give them (spans.py), and the times a text names (times.py, loaded when first asked)."""

from noosphere.model.when.spans import (
    CALENDAR,
    FIRST,
    FOREVER,
    LAST,
    Grain,
    Span,
    day_of,
    days,
    iso,
    read_time,
    read_zone,
    show,
)

__all__ = [
    "CALENDAR",
    "FIRST",
    "FOREVER",
    "LAST",
    "Grain",
    "Span",
    "day_of",
    "days",
    "iso",
    "read_time",
    "read_zone",
    "show",
]
