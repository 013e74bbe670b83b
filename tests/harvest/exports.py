"""Small invented exports built in code, for the tests of harvest."""

import io
import json
import zipfile

from noosphere.harvest.adapters.chatgpt import read_conversation
from noosphere.harvest.encoding import TextStream
from noosphere.harvest.items import ImportItem, ItemType, Left, Reject
from noosphere.harvest.jsonstream import JsonReader
from noosphere.harvest.members import Member
from noosphere.harvest.progress import Meter
from noosphere.harvest.read import open_place, read_member


def member(name, data):
    raw = data if isinstance(data, bytes) else data.encode()
    return Member(name, len(raw), lambda: io.BytesIO(raw))


def message(role, text="", **fields):
    content = {"content_type": "text", "parts": [text]} if isinstance(text, str) else text
    author = {"role": role, "name": None, "metadata": {}}
    return {"author": author, "content": content, "metadata": {}, "create_time": 1778752800.0} | fields


def node(key, parent, said, *, children=()):
    return {key: {"id": key, "parent": parent, "children": list(children), "message": said}}


def conversation(*nodes, key="c1", head=None, **fields):
    mapping = {name: value for one in nodes for name, value in one.items()}
    return {
        "id": key,
        "title": "A talk",
        "create_time": 1778752800.0,
        "mapping": mapping,
        "current_node": head,
    } | fields


def chain(*said, key="c1", **fields):
    """A conversation without branches: (role, text) pairs, keyed n0, n1, …"""
    keys = [f"n{place}" for place in range(len(said))]
    nodes = [
        node(keys[place], keys[place - 1] if place else None, message(*pair), children=keys[place + 1 : place + 2])
        for place, pair in enumerate(said)
    ]
    return conversation(*nodes, key=key, head=keys[-1], **fields)


def question(key="u"):
    return node(key, None, message("user", "Which one?"))


class Found:
    """What a reading gave, sorted."""

    def __init__(self, found):
        found = list(found)
        self.items = [one for one in found if isinstance(one, ImportItem)]
        self.talks = [item for item in self.items if item.type is ItemType.CONVERSATION]
        self.notes = [item for item in self.items if item.type is ItemType.NOTE]
        self.rejects = [one for one in found if isinstance(one, Reject)]
        self.left = {}
        for one in found:
            if isinstance(one, Left):
                self.left[one.what] = self.left.get(one.what, 0) + one.count

    @property
    def talk(self):
        (talk,) = self.talks
        return talk

    @property
    def note(self):
        (note,) = self.notes
        return note

    @property
    def texts(self):
        return [turn.text for turn in self.talk.turns]


def reader(text):
    return JsonReader(TextStream(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


def of_conversation(value):
    return Found(read_conversation(reader(json.dumps(value)), "conversations.json#1"))


def of_member(name, data):
    return Found(read_member(member(name, data)))


def of_path(path, adapter=None):
    return Found(open_place(str(path), Meter(), adapter).found)


def of_json(value, name="conversations.json"):
    return of_member(name, json.dumps(value))


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
