"""Counts the speech in exports without any code of the importers: what a person reading the JSON would expect.

Only the plain rules are here. A message is speech when a user or an assistant says words to the other; tools, system
text, hidden messages and reasoning are none.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime

MARKS = re.compile("[\ue200-\ue2ff]|\u3010[^\u3011]*\u3011")  # citations and what stands between them in old exports
MARKED = re.compile("\ue200[^\ue201]*\ue201")
MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
WRAPPED = (
    "<command-",
    "<local-command",
    "<system-reminder",
    "<bash-",
    "Caveat: The messages below",
    "<task-notification",
)
NO_SPEECH = (
    "code", "execution_output", "tether_browsing_display", "tether_quote", "sonic_webpage", "system_error", "thoughts",
    "reasoning_recap", "user_editable_context", "model_editable_context",
)  # fmt: skip
POISON = "This block is not supported on your current device yet."


class Words(str):  # noqa: SLOT000  (it carries its pieces)
    """A folded text; `pieces` are what must stand in whatever says it, between which a picture or a name may stand."""

    pieces = ()


def said_in(words, other):
    """Whether a folded text says these words."""
    pieces = getattr(words, "pieces", ())
    return words in other or (bool(pieces) and all(piece in other for piece in pieces))


def in_pieces(words):
    """Texts as one, with what they are made of: a citation between two is shown in its own words."""
    whole = Words(fold(" ".join(words)))
    whole.pieces = [piece for text in words for part in MARKED.split(text) if (piece := fold(part))]
    return whole


def fold(text):
    """A text as it is compared: its letters and digits alone, so that citations and spacing do not matter."""
    plain = MARKDOWN_LINK.sub(r"\1", MARKS.sub(" ", MARKED.sub(" ", text)))
    return re.sub(r"\W+", "", plain.casefold())


def values(path):
    """The JSON values of a file: one, or one on each line that can be read."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    try:
        return [json.loads(text)]
    except ValueError:
        found = []
        for line in text.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found


def dicts(value, depth=8):
    """Every object in a value, outer ones first."""
    if isinstance(value, dict):
        yield value
    if depth and isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from dicts(inner, depth - 1)


@dataclass(frozen=True)
class Said:
    """One thing that was said: by which side, its folded text, when in seconds, and what it answers.

    `before` is the folded text of the nearest speech above it, "" when it opens; None where the file does not say.
    """

    side: str
    text: str
    at: float | None = None
    before: str | None = None


def seconds(value):
    """A time of an export in seconds; None when it is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        return value / 1000 if value > 1e11 else float(value)
    if isinstance(value, str):
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            return None
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    return None


def above(key, parents, texts):
    """The text of the nearest speech above a message; None when its chain leads to something that is not there."""
    seen = set()
    while (key := parents.get(key)) is not None and key not in seen:
        seen.add(key)
        if key in texts:
            return texts[key]
        if key not in parents:
            return None
    return ""


def chatgpt(path):
    """Everything said in ChatGPT's conversations, in trees or in lists."""
    said = []
    for talk in (one for value in values(path) for one in dicts(value, 3)):
        tree, row = talk.get("mapping"), talk.get("messages")
        if talk.get("is_do_not_remember") or not isinstance(tree if isinstance(tree, dict) else row, (dict, list)):
            continue
        nodes = tree if isinstance(tree, dict) else dict(enumerate(row))
        messages = {
            key: (node.get("message") if isinstance(tree, dict) else node)
            for key, node in nodes.items()
            if isinstance(node, dict)
        }
        is_one = {key: m for key, m in messages.items() if isinstance(m, dict) and isinstance(m.get("author"), dict)}
        spoken = {key: found for key, message in is_one.items() for found in _chatgpt_said(message)}
        parents = {key: node.get("parent") for key, node in nodes.items() if isinstance(node, dict)}
        texts = {key: text for key, (_, text) in spoken.items()}
        said += [
            Said(side, text, seconds(is_one[key].get("create_time")), above(key, parents, texts) if tree else None)
            for key, (side, text) in spoken.items()
        ]
    return said


def _chatgpt_said(message):
    role = (message.get("author") or {}).get("role")
    about, content = message.get("metadata") or {}, message.get("content") or {}
    hidden = about.get("is_visually_hidden_from_conversation") or about.get("is_user_system_message")
    kind = content.get("content_type") if isinstance(content, dict) else None
    addressed = role == "user" or message.get("recipient") in (None, "all")
    if role not in ("user", "assistant") or hidden or not addressed or kind in NO_SPEECH:
        return
    parts = content.get("parts") if isinstance(content, dict) else [content]
    words = []
    for part in parts or []:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            words.append(part["text"])
    if text := in_pieces(words):
        yield role, text


def claude(path):
    """The same of claude.ai: the text blocks of `content`, else `text`."""
    said = []
    for talk in (
        one for value in values(path) for one in dicts(value, 3) if isinstance(one.get("chat_messages"), list)
    ):
        spoken = {}
        for place, message in enumerate(talk["chat_messages"]):
            side = {"human": "user", "assistant": "assistant"}.get(message.get("sender"))
            blocks = [b for b in message.get("content") or [] if isinstance(b, dict) and b.get("type") == "text"]
            words = "\n".join(b.get("text") or "" for b in blocks) or message.get("text") or ""
            if side and (text := fold(words.replace(POISON, ""))):
                spoken[message.get("uuid") or place] = side, text, seconds(message.get("created_at"))
        parents = {one.get("uuid"): one.get("parent_message_uuid") for one in talk["chat_messages"]}
        texts = {key: text for key, (_, text, _) in spoken.items()}
        told = any(parents.values())
        said += [Said(*found, above(key, parents, texts) if told else None) for key, found in spoken.items()]
    return said


def claude_code(path):
    """The same of Claude Code's transcripts: the user's typed words, and the text blocks of answers."""
    spoken, parents, rows = {}, {}, {}
    for place, line in enumerate(values(path)):
        if not isinstance(line, dict):
            continue
        key = line.get("uuid") or f"line {place}"
        parents.setdefault(key, line.get("parentUuid"))
        if line.get("type") not in ("user", "assistant") or key in rows:
            continue
        rows[key] = line
        if line.get("isMeta") or line.get("isSidechain") or line.get("isCompactSummary"):
            continue
        message = line.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        content = content if isinstance(content, (str, list)) else None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        words = [b.get("text") for b in blocks or () if isinstance(b, dict) and b.get("type") == "text"]
        words = [word for word in words if isinstance(word, str) and not word.lstrip().startswith(WRAPPED)]
        if text := fold("\n".join(words)):
            spoken[key] = line["type"], text, seconds(line.get("timestamp"))
    texts = {key: text for key, (_, text, _) in spoken.items()}
    return [
        Said(*found, above(key, parents, texts) or None if parents.get(key) in rows else None)
        for key, found in spoken.items()
    ]


def codex(path):
    """The same of Codex: each turn's words as events tell them, else as items; context around them is none."""
    told = {"event": [], "item": []}
    for line in values(path):
        if not isinstance(line, dict):
            continue
        row = line["payload"] if isinstance(line.get("payload"), dict) else line
        kind, at = row.get("type"), seconds(line.get("timestamp"))
        words = line.get("content") or line.get("message")
        if line.get("role") in ("user", "assistant") and isinstance(words, str):  # the oldest generation
            told["item"].append((line["role"], words, seconds(line.get("timestamp") or line.get("created_at"))))
        side = {"user_message": "user", "agent_message": "assistant"}.get(kind)
        if side and isinstance(row.get("message"), str) and line.get("type") == "event_msg":
            told["event"].append((side, row["message"], at))
        elif kind == "message" and row.get("role") in ("user", "assistant") and isinstance(row.get("content"), list):
            words = [part.get("text") for part in row["content"] if isinstance(part, dict)]
            told["item"].append((row["role"], "\n".join(word for word in words if isinstance(word, str)), at))
    rows = told["item"] or told["event"]
    rows = [(side, fold(text), at) for side, text, at in rows if not text.lstrip().startswith(("<", "# AGENTS.md"))]
    before = [None, *(text for _, text, _ in rows)]
    return [Said(*row, before[place]) for place, row in enumerate(rows) if row[1]]


def compare(wanted, got):
    """What was expected and is not there, and what is there and was not expected; a turn may say more than that."""
    pairs, missing, left = matched(wanted, got)
    assert len(pairs) + len(missing) == len(wanted)
    return [(one.side, one.text) for one in missing], [(one.side, one.text) for one in left]


def matched(wanted, got):
    """Each thing that was expected beside the turn that says it, what is missing, and the turns that are left."""
    left, missing, pairs = list(got), [], []
    for one in sorted(wanted, key=lambda said: -len(said.text)):
        same = [turn for turn in left if turn.side == one.side and said_in(one.text, turn.text)]
        best = max(same, key=lambda turn: (turn.text == one.text, _near(one, turn)), default=None)
        if best is None:
            missing.append(one)
        else:
            left.remove(best)
            pairs.append((one, best))
    return pairs, missing, left


def _near(one, turn):
    return one.at is not None and turn.at is not None and abs(one.at - turn.at) < 1, one.before == turn.before


def is_dated(one, turn):
    """Whether a turn has the time that was expected, where the file tells one."""
    return one.at is None or (turn.at is not None and abs(one.at - turn.at) < 1)


def is_in_place(one, turn):
    """Whether a turn answers what was expected, where the file tells that."""
    told = turn.before or ""
    return one.before is None or said_in(one.before, told) or (one.before == "" and not told)
