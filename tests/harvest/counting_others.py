"""Counts the speech in exports of Gemini, Perplexity, Cursor and other agents, without any code of the importers."""

import base64
import html
import json
import re
from datetime import UTC, datetime, timedelta, timezone

from counting import Said, dicts, fold, seconds, values

GEMINI = re.compile(r"\b(Gemini|Bard)\b")
ASKED = re.compile(
    r"(?:Prompted|Branched|Answered|Asked:|Prompt:)\s?"
)  # what a person did when they asked, in the samples
HOURS = {"SEČ": 1, "UTC": 0}  # zones of the samples' pages
CELL = re.compile(r'<div\s+class="content-cell[^"]*body-1"\s*>(.*?)</div>', re.DOTALL)
LOGO = "r2cdn.perplexity.ai/pplx-full-logo"
RULE = '<div style="text-align: center">⁂</div>'
SIDES = {
    "user": "user", "human": "user", "user.message": "user", "userpromptsubmitted": "user",
    "assistant": "assistant", "model": "assistant", "gemini": "assistant", "assistant.message": "assistant",
    "assistantresponse": "assistant",
}  # fmt: skip


def chained(rows):
    """Rows of (side, words, time) in their order: each answers the one before it that says something."""
    said, before = [], ""
    for side, words, at in rows:
        if text := fold(words):
            said.append(Said(side, text, at, before))
            before = text
    return said


def plain(markup):
    """The words of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<(?:br|/p|/li)[^>]*>", "\n", markup)))


def gemini(path):
    """Everything said to Gemini: activity as JSON and as a page, prompts of AI Studio, sessions of its command line."""
    if path.suffix == ".html":
        return _by_day(_page(path.read_text("utf-8")))
    if path.suffix != ".json":
        return []
    (value,) = values(path) or [None]
    if isinstance(value, list):
        return _by_day(_activity(value))
    if isinstance(value, dict) and "chunkedPrompt" in value:
        return _studio(value["chunkedPrompt"]["chunks"])
    return agents(path)


def _activity(rows):
    for row in rows:
        asked = ASKED.match(row["title"])
        if not (asked and any(map(GEMINI.search, (row["header"], *row["products"])))):
            continue
        words = row["title"][asked.end() :] or " ".join(row.get("attachedFiles", ()))
        pieces = [plain(item["html"]) for item in row.get("safeHtmlItem", ())] or [row.get("description", "")]
        yield row.get("titleUrl"), seconds(row["time"]), words, "\n".join(pieces)


def _page(text):
    for block in text.split('class="outer-cell')[1:]:
        cell, caption = CELL.search(block)[1], block.partition("caption")[2]
        verb, _, rest = cell.partition("&nbsp;")
        if not GEMINI.search(plain(caption)) or verb.strip() != "Pokyn":
            continue
        words, when, reply = re.split(r"<br\s*/?>", rest, maxsplit=2)
        day, month, year, clock, zone = plain(when).replace(".", " ").split()
        hour, minute, second = map(int, clock.split(":"))
        its = timezone(timedelta(hours=HOURS[zone]))
        at = datetime(int(year), int(month), int(day), hour, minute, second, tzinfo=its)
        yield None, at.timestamp(), plain(words), plain(reply)


def _by_day(rows):
    """What was said in one thread, else on one day, follows on each other in time."""
    threads = {}
    for link, at, words, reply in sorted(rows, key=lambda row: row[1]):
        thread = threads.setdefault(link or datetime.fromtimestamp(at, UTC).date(), [])
        thread += [("user", words, at), ("assistant", reply, at)]
    return [one for thread in threads.values() for one in chained(thread)]


def _studio(chunks):
    said, texts, before = [], {}, ""
    for place, chunk in enumerate(chunks):
        words = chunk.get("text") or "\n".join(part.get("text") or "" for part in chunk.get("parts", ()))
        if chunk.get("isThought") or not (text := fold(words)):
            continue
        above = texts.get((chunk.get("branchParent") or {}).get("id"), before)
        said.append(
            Said({"user": "user", "model": "assistant"}[chunk["role"]], text, seconds(chunk.get("createTime")), above)
        )
        texts[chunk.get("id", place)] = before = text
    return said


def perplexity(path):
    """Everything asked of Perplexity: its Markdown, bare or wrapped, the data request, a thread an extension saved."""
    if path.suffix == ".md":
        return _markdown(path.read_text("utf-8"))
    if path.suffix != ".json":
        return []
    (value,) = values(path)
    if "file_content_64" in value:
        return _markdown(base64.b64decode(value["file_content_64"]).decode("utf-8"))
    threads = [value["conversations"]] if "metadata" in value else [one["entries"] for one in value["conversations"]]
    return [one for thread in threads for one in chained(_entries(thread))]


def _entries(thread):
    for entry in thread:
        at = seconds(entry.get("created_at"))
        answer = re.sub(r"\[\d+\]|\[\]\(citation\)", " ", entry["answer"])
        yield from (("user", entry["query"], at), ("assistant", answer, at))


def _markdown(text):
    if LOGO not in text.partition("\n")[0]:
        return []
    rows = []
    body = re.sub(r"^\[\^\w+\]:.*$", "", text.partition("\n")[2], flags=re.MULTILINE)
    body = re.sub(r'<span style="display:none">.*?</span>', " ", body)
    for part in body.split(RULE):
        query, _, answer = part.strip("-\n ").partition("\n")
        if query.startswith("# "):
            rows += [("user", query[2:], None), ("assistant", re.sub(r"\[\^\w+\]", " ", answer), None)]
    return chained(rows)


def cursor(path):
    """Everything said in Cursor: bubbles in the order of the headers, and sessions as lines."""
    if path.suffix == ".jsonl":
        lines = [line for line in values(path) if line.get("type") in ("user", "assistant")]
        return chained((line["type"], line["message"]["content"], seconds(line["timestamp"])) for line in lines)
    if path.suffix != ".json":
        return []
    (value,) = values(path)
    bubbles = {row["key"].rpartition(":")[2]: row["value"] for row in value["bubble_rows"]}
    order = [bubbles[head["bubbleId"]] for head in value["composer_data"]["fullConversationHeadersOnly"]]
    spoken = [one for one in order if one["type"] in (1, 2)]
    return chained(
        (
            "user" if one["type"] == 1 else "assistant",
            _first(one, "text", "rawText", "content"),
            seconds(one["timestamp"]),
        )
        for one in spoken
    )


def agents(path):
    """Everything said in sessions of other agents: rows that name a side and hold words."""
    if path.suffix not in (".json", ".jsonl"):
        return []
    if path.parent.parent.name == "session":
        return _opencode(path)
    if path.parents[1].name in ("message", "part"):
        return []
    rows = []
    for value in values(path):
        told = [row["message"] for row in dicts(value, 3) if isinstance(row.get("message"), dict)]
        for row in dicts(value, 3):
            if any(row is one for one in told):
                continue
            inner = row["message"] if isinstance(row.get("message"), dict) else row
            side = SIDES.get(inner.get("role") or inner.get("type"))
            at = next((row[name] for name in ("timestamp", "createdAt", "time") if name in row), None)
            if side and at is not None and (inner is row or row.get("type") == "message"):
                rows.append((side, _first(inner, "content", "text", "prompt", "output", "result"), seconds(at)))
    return chained(rows)


def _first(row, *names):
    value = next((row[name] for name in names if row.get(name)), "")
    if isinstance(value, str):
        return value
    return "\n".join(one if isinstance(one, str) else one.get("text") or "" for one in value)


def _opencode(path):
    session, root = json.loads(path.read_text("utf-8")), path.parents[2]
    messages = [json.loads(one.read_text("utf-8")) for one in (root / "message" / session["id"]).glob("*.json")]
    rows = []
    for message in sorted(messages, key=lambda one: one["time"]["created"]):
        parts = [json.loads(one.read_text("utf-8")) for one in sorted((root / "part" / message["id"]).glob("*.json"))]
        words = "\n".join(part["text"] for part in parts if part["type"] == "text")
        rows.append((message["role"], words, seconds(message["time"]["created"])))
    return chained(rows)
