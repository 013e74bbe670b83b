"""The export of a mind: no chats and notes of another program, but a mind that is taken in whole (taking_in.py)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.encoding import decode
from noosphere.harvest.items import Found, Reject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "noosphere"
HEAD = re.compile(r'\s*\{[^\n]{0,400}"format"\s*:\s*"noosphere-mind"')


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know the export by its first line."""
    return Match.SURE if HEAD.match(decode(head).text) else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Say how it comes in."""
    remedy = "Take it in with `noosphere harvest take-in`, or make a mind of it with `noosphere import`"
    yield Reject(member.origin, "export of a mind", "holds a mind with its ids and history", remedy)
