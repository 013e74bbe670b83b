"""Lines that the SDK cannot read: half characters are taken in, and what is no message is answered, not passed over."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Self, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from noosphere.model.text import whole_escapes

if TYPE_CHECKING:
    import contextvars
    from types import TracebackType

    from mcp.shared._stream_protocols import ReadStream, WriteStream

    Message = SessionMessage | Exception

BOM = "\ufeff"  # that shells of Windows put in front
ID = r'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")'
ID_BEHIND = re.compile(rf"{ID}\s*\}}\s*$")
ID_BEFORE = re.compile(ID)
REMEDY = "Send one JSON-RPC 2.0 message a line, in UTF-8, nested less than 200 deep"


class Answered:
    """A stream of messages in which none is lost: it reads again what could not be read, or tells the sender why.

    A program of JavaScript that cuts a text in the middle of an emoji sends half of a character, as an escape that
    strict parsers refuse. Without an answer its call would hang.
    """

    def __init__(self, reading: ReadStream[Message], writing: WriteStream[SessionMessage]) -> None:
        self._reading = reading
        self._writing = writing

    @property
    def last_context(self) -> contextvars.Context | None:
        """The context of who sent the last message."""
        return getattr(self._reading, "last_context", None)

    async def receive(self) -> Message:
        """The next message that can be read."""
        while True:
            item = await self._reading.receive()
            if not isinstance(item, ValidationError):
                return item
            told = read_again(item)
            if isinstance(told, SessionMessage):
                return told
            if told is not None:
                await self._writing.send(SessionMessage(told))

    async def aclose(self) -> None:
        """Read no more."""
        await self._reading.aclose()

    def __aiter__(self) -> ReadStream[Message]:
        return self

    async def __anext__(self) -> Message:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> bool | None:
        await self.aclose()


def read_again(problem: ValidationError) -> SessionMessage | types.JSONRPCError | None:
    """The message in a line that the SDK refused, what to answer to it, or None for a blank line."""
    first = problem.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        return _refused(types.INVALID_REQUEST, _id_in(problem), f"this is no request: {_said(first['msg'])}")
    line = str(first["input"]).strip().lstrip(BOM)
    if not line:
        return None
    try:
        types.jsonrpc_message_adapter.validate_json(whole_escapes(line), by_name=False)
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(json.loads(line), by_name=False))
    except ValidationError as again:
        why = again.errors(include_url=False)[0]["msg"]
        return _refused(types.PARSE_ERROR, _id_of(line), _said(why))


def _said(why: str) -> str:
    return why.partition(" at line ")[0]


def _refused(code: int, id: str | int | None, why: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=f"{why}. {REMEDY}"))


def _id_in(problem: ValidationError) -> str | int | None:
    """The id of a message that is JSON, and nothing that can be asked."""
    for one in problem.errors(include_url=False):
        given = one["input"]
        found = cast("dict[str, Any]", given).get("id") if isinstance(given, dict) else None
        if isinstance(found, str) or (isinstance(found, int) and not isinstance(found, bool)):
            return found
    return None


def _id_of(line: str) -> str | int | None:
    """The id that a line shows which is no JSON: clients put it before what they ask with, or at the very end."""
    found = ID_BEHIND.search(line[-400:]) or ID_BEFORE.search(line.partition('"params"')[0][:400])
    return None if found is None else cast("str | int", json.loads(found.group(1), strict=False))
