"""export: a whole mind as text that outlives this program, as lines of JSON or as a folder of Markdown."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.vocabulary import NodeClass
from noosphere.model.when import iso
from noosphere.store import edges, fold, nodes, path, portable, tags
from noosphere.store.backup import refuse_to_overwrite
from noosphere.store.durable import sync_folder
from noosphere.store.failures import on_disk
from noosphere.store.portable import Exported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State

FORMS = ("jsonl", "markdown")
MISLEADING = {"jsonl": frozenset({".md", ".markdown"}), "markdown": frozenset({".md", ".markdown", ".json", ".jsonl"})}
NAMED = {"jsonl": "lines of JSON", "markdown": "a folder of pages"}
REMEDY = {
    "jsonl": "Give a name such as mind.jsonl, or say markdown and name a folder for the pages",
    "markdown": "Name a folder, without such an ending",
}
FOLDERS = {
    NodeClass.CONVERSATION: "conversations",
    NodeClass.MEMORY: "memories",
    NodeClass.ENTITY: "entities",
}
TOLD = ("role", "kind", "status", "importance", "source", "claim", "subject", "attribute", "value", "entity_type")
TIMES = ("valid_from", "stated_to", "occurred_from", "occurred_to")


def export(mind: MindFile, target: Path, form: str) -> Exported:
    """Write a whole mind as text.

    Raises:
        InvalidInput: there is no such form, or the target's name is that of something else.
        StorageError: the target exists or cannot be written.
    """
    if form not in FORMS:
        raise InvalidInput.choice("form", form, FORMS)
    if target.suffix.lower() in MISLEADING[form]:
        problem = (
            f"{target.name!r:.200} is no name for {'a folder of pages' if form == 'markdown' else 'lines of JSON'}"
        )
        raise InvalidInput("path", problem, REMEDY[form])
    return portable.export(mind, target) if form == "jsonl" else _folder(mind, target)


def _folder(mind: MindFile, target: Path) -> Exported:
    """One file for each node that was not forgotten, named by its id: no text of a memory becomes a path."""
    refuse_to_overwrite(target, "Give another name; an export never overwrites")
    temporary = target.with_name(f"{target.name}.part-{os.getpid()}")
    written: Counter[str] = Counter()
    with on_disk(target):
        try:
            for folder in FOLDERS.values():
                (temporary / folder).mkdir(parents=True)
            with mind.read() as sql:
                for node in portable.living(sql):
                    folder = FOLDERS[node.node_class]
                    page = "\n".join(_page(sql, node))
                    (temporary / folder / f"{uid_text(node.uid)}.md").write_text(f"{page}\n", "utf-8")
                    written[folder] += 1
            temporary.rename(target)
            sync_folder(target.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return Exported(path=str(target), rows={folder: written[folder] for folder in FOLDERS.values()})


def _page(sql: Connection, node: NodeRow) -> Iterator[str]:
    state = nodes.current(sql, node.id).state
    yield "---"
    yield from (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in _front(sql, node, state).items())
    yield "---"
    if title := state.title or state.name:
        yield f"# {' '.join(title.split())}\n"
    yield from _body(sql, node, state)
    links = list(_links(sql, node))
    if links:
        yield "\n## Links\n"
        yield from links


def _front(sql: Connection, node: NodeRow, state: State) -> dict[str, Any]:
    front: dict[str, Any] = {"id": uid_text(node.uid), "key": node.key}
    front |= {name: getattr(state, name) for name in TOLD}
    front |= {name: iso(getattr(state, name)) for name in TIMES}
    front["tags"] = list(tags.of_node(sql, node.id)) or None
    for name in ("metadata", "properties"):
        front[name] = json.loads(getattr(state, name) or "null")
    return {name: value for name, value in front.items() if value is not None}


def _body(sql: Connection, node: NodeRow, state: State) -> Iterator[str]:
    if node.node_class is NodeClass.CONVERSATION:
        told = path.read_path(sql, node)
        for title, turns in (("", told.on), ("\n## Beside the path\n", told.off)):
            if title and turns:
                yield title
            for turn in turns:
                if turn.text is not None:
                    yield f"**{turn.speaker}**{f' ({iso(turn.said_at)})' if turn.said_at is not None else ''}\n"
                    yield f"{turn.text}\n"
    elif state.head is not None:
        yield fold.fold(sql, state.head) or ""


def _links(sql: Connection, node: NodeRow) -> Iterator[str]:
    for edge in edges.of_node(sql, node.id):
        if edge.src == node.id:
            other = nodes.by_id(sql, edge.dst)
            state = nodes.current(sql, other.id).state
            if state.retracted_at is None and state.merged_into is None:
                name = uid_text(other.uid)
                yield f"- {edge.type}: [{name}](../{FOLDERS[other.node_class]}/{name}.md)"
