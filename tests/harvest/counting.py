"""Counts the speech in exports without any code of the importers: what a person reading the JSON would expect.

Only the plain rules are here. A message is speech when a user or an assistant says words to the other; tools, system
text, hidden messages and reasoning are none.
"""

import json
import re

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


def chatgpt(path):
    """(side, folded text) of everything said in ChatGPT's conversations, in trees or in lists."""
    said = []
    for talk in (one for value in values(path) for one in dicts(value, 3)):
        tree, row = talk.get("mapping"), talk.get("messages")
        nodes = [n.get("message") for n in tree.values() if isinstance(n, dict)] if isinstance(tree, dict) else row
        for message in nodes if isinstance(nodes, list) and not talk.get("is_do_not_remember") else []:
            if isinstance(message, dict) and isinstance(message.get("author"), dict):
                said += _chatgpt_said(message)
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
    if text := fold(" ".join(words)):
        yield role, text


def claude(path):
    """The same of claude.ai: the text blocks of `content`, else `text`."""
    said = []
    for talk in (
        one for value in values(path) for one in dicts(value, 3) if isinstance(one.get("chat_messages"), list)
    ):
        for message in talk["chat_messages"]:
            side = {"human": "user", "assistant": "assistant"}.get(message.get("sender"))
            blocks = [b for b in message.get("content") or [] if isinstance(b, dict) and b.get("type") == "text"]
            words = "\n".join(b.get("text") or "" for b in blocks) or message.get("text") or ""
            if side and (text := fold(words.replace(POISON, ""))):
                said.append((side, text))
    return said


def claude_code(path):
    """The same of Claude Code's transcripts: the user's typed words, and the text blocks of answers."""
    said, seen = [], set()
    for line in values(path):
        if not isinstance(line, dict) or line.get("type") not in ("user", "assistant"):
            continue
        if line.get("isMeta") or line.get("isSidechain") or line.get("isCompactSummary") or line.get("uuid") in seen:
            continue
        if line.get("uuid"):
            seen.add(line["uuid"])
        message = line.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        content = content if isinstance(content, (str, list)) else None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        words = [b.get("text") for b in blocks or () if isinstance(b, dict) and b.get("type") == "text"]
        words = [word for word in words if isinstance(word, str) and not word.lstrip().startswith(WRAPPED)]
        said += [(line["type"], text)] if (text := fold("\n".join(words))) else []
    return said


def compare(wanted, got):
    """What was expected and is not there, and what is there and was not expected; a turn may say more than that."""
    left, missing = list(got), []
    for side, text in sorted(wanted, key=lambda said: -len(said[1])):
        match = next((said for said in left if said[0] == side and said[1] == text), None)
        match = match or next((said for said in left if said[0] == side and text in said[1]), None)
        if match:
            left.remove(match)
        else:
            missing.append((side, text))
    return missing, left
