"""Any sequence of verbs on one mind: what must be visible is visible, and nothing else; every derived table can be
made again from the truth; and undoing everything, newest first, leaves nothing to be seen.
"""

import shutil
from dataclasses import dataclass, field
from datetime import timedelta
from tempfile import mkdtemp

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from noosphere import Duplicate, Refused, Turn, Undone
from noosphere.clock import micros
from noosphere.model.timeline import Assertion, strength, timeline
from noosphere.model.vocabulary import Source, Status
from noosphere.model.when import FOREVER
from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from noosphere.write.parse import BEGINNING
from observed import derived, rows, seen, truth

COMMON = "zebra"  # in every text, so that one question asks for everything
texts = st.sampled_from(["red", "blue", "green", "grey"]).map(lambda w: f"{COMMON} {w}")
tags = st.sets(st.sampled_from(["one", "two", "three"]), max_size=2).map(sorted)
starts = st.none() | st.sampled_from(["2024-01-01", "2025-01-01", "2026-06-01", "2026-07-01"])
ends = st.none() | st.sampled_from(["2026-05-20", "2026-06-10", "2027-01-01"])


@dataclass
class Known:
    """A memory as the oracle knows it."""

    frame: str
    text: str
    uid: bytes
    valid_from: int
    stated: bool
    said: int
    tags: set = field(default_factory=set)
    status: str = "active"
    source: str = "user_stated"
    valid_to: int | None = None
    slot: str | None = None
    value: str | None = None
    importance: str = "normal"
    forgotten: bool = False
    branches: dict = field(default_factory=dict)


@dataclass
class World:
    """All that should be seen, made by replaying the changes that stand."""

    memories: dict = field(default_factory=dict)
    hidden: set = field(default_factory=set)
    turns: dict = field(default_factory=dict)  # frame: (conversation, text)
    conversations: set = field(default_factory=set)
    edges: dict = field(default_factory=dict)
    entities: dict = field(default_factory=dict)
    closed: set = field(default_factory=set)

    def visible(self, now):
        """Frame to text of every unit that may be shown now."""
        spells = {}
        for slot in {m.slot for m in self.memories.values() if m.slot}:
            members = {n: m for n, m in self.memories.items() if m.slot == slot and not m.forgotten}
            told = [
                Assertion(n, m.valid_from, FOREVER if m.valid_to is None else m.valid_to, m.value,
                          strength(Source(m.source), Status(m.status)), m.uid, said=m.said, dated=m.stated)
                for n, m in members.items()
            ]  # fmt: skip
            spells |= {s.node: s for s in timeline(told)}
        shown = {}
        for node, m in self.memories.items():
            if m.forgotten or m.status in {"archived", "deprecated"}:
                continue
            start, end = m.valid_from, FOREVER if m.valid_to is None else m.valid_to
            waits = m.stated
            if node in spells:
                waits = waits or spells[node].start > start
                start, end = spells[node].start, spells[node].end
            if end <= now or (waits and start > now):
                continue
            shown[m.frame] = m.text
            shown |= {f: t for f, t in m.branches.items() if f not in self.hidden}
        for frame, (conversation, text) in self.turns.items():
            if conversation in self.conversations and frame not in self.hidden:
                shown[frame] = text
        return shown


class AnyMind(RuleBasedStateMachine):
    embedder = None

    memories = Bundle("memories")
    turns = Bundle("turns")
    branches = Bundle("branches")
    edges = Bundle("edges")

    @initialize()
    def open(self):
        self.folder = mkdtemp()
        self.clock = FrozenClock()
        self.ids = SequentialIds()
        self.mind = self.opened()
        self.changes = {}  # journal id: what it changes in a World
        self.standing = []  # those that stand, by when they last came to
        self.undoes = {}  # journal id of an undo: what it took back

    def opened(self):
        return scratch_mind(self.folder, clock=self.clock, ids=self.ids, embedder=self.embedder)

    # --- the oracle

    def did(self, journal, change):
        self.changes[journal] = change
        self.standing.append(journal)

    def world(self):
        world = World()
        for journal in self.standing:
            self.changes[journal](world)
        return world

    def root(self, journal):
        while journal not in self.changes:
            journal = self.undoes[journal]
        return journal

    def took_back(self, outcome):
        for entry in reversed(self.mind.journal(len(outcome.undone))):
            self.undoes[entry.id] = entry.undoes
        for journal in outcome.undone:
            change = self.root(journal)
            if change in self.standing:
                self.standing.remove(change)
            else:
                self.standing.append(change)

    def now(self):
        newest = self.mind.journal(1)
        return max(self.clock.now(), micros(newest[0].at) if newest else 0)

    # --- memories

    @rule(
        target=memories, text=texts, tags=tags, valid_from=starts, valid_to=ends,
        slot=st.none() | st.sampled_from(["home_city", "likes"]), value=st.sampled_from(["a", "b", "c"]),
        source=st.sampled_from(["user_stated", "user_stated", "agent_inferred"]),
        status=st.sampled_from(["active", "active", "active", "canonical", "draft"]),
        session=st.none() | st.sampled_from(["s1", "s2"]),
    )  # fmt: skip
    def remember(self, text, tags, valid_from, valid_to, slot, value, source, status, session):
        if valid_from and valid_to and valid_from >= valid_to:
            valid_to = None
        about = {"slot": f"ann.{slot}", "value": value} if slot else {}
        outcome = self.mind.remember(
            text, tags=tags, valid_from=valid_from, valid_to=valid_to, source=source, status=status, session=session,
            **about,
        )  # fmt: skip
        if isinstance(outcome, Refused):
            assert session in self.world().closed
            return multiple()
        if isinstance(outcome, Duplicate):
            new = set(tags) - self.world().memories[outcome.id].tags
            self.did(outcome.journal, lambda w: w.memories[outcome.id].tags.update(new))
            return multiple()
        read = self.mind.get(outcome.id)
        functional = slot == "home_city"
        uid = bytes.fromhex(outcome.id.replace("-", ""))
        stated = read.valid_from_basis == "stated"
        start = BEGINNING if stated and valid_from is None else micros(read.valid_from)
        said = self.clock.now()

        def change(world):
            world.memories[outcome.id] = Known(
                frame=outcome.frame, text=text, uid=uid, valid_from=start,
                stated=stated, said=said, tags=set(tags), status=status, source=source,
                valid_to=None if read.valid_to is None else micros(read.valid_to),
                slot=slot if functional else None, value=value,
            )  # fmt: skip

        self.did(outcome.journal, change)
        return outcome.id

    @rule(node=memories, text=texts, how=st.sampled_from(["revise", "append"]))
    def rewrite(self, node, text, how):
        before = self.world().memories.get(node)
        outcome = getattr(self.mind, how)(node, text)
        if isinstance(outcome, Refused):
            return
        whole = text if how == "revise" else f"{before.text}\n{text}"
        said = self.clock.now()

        def change(world):
            memory = world.memories[node]
            memory.text, memory.frame, memory.said = whole, outcome.frame, said
            if how == "revise" or memory.value.startswith("text "):
                memory.value = f"text {whole}"  # a value that nobody named anew is the text itself

        self.did(outcome.journal, change)

    @rule(target=branches, node=memories, text=texts)
    def branch(self, node, text):
        outcome = self.mind.branch(node, text)
        if isinstance(outcome, Refused):
            return multiple()
        self.did(outcome.journal, lambda w: w.memories[node].branches.update({outcome.frame: text}))
        return outcome.frame

    @rule(node=memories, status=st.sampled_from(["active", "draft", "canonical", "deprecated", "archived"]))
    def set_status(self, node, status):
        outcome = self.mind.set_status(node, status)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: setattr(w.memories[node], "status", status))

    @rule(node=memories, importance=st.sampled_from(["normal", "critical"]), title=st.sampled_from([None, "T"]))
    def describe(self, node, importance, title):
        outcome = self.mind.classify(node, importance=importance, title=title)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: setattr(w.memories[node], "importance", importance))

    @rule(node=memories, tags=tags)
    def retag(self, node, tags):
        before = self.world().memories.get(node)
        outcome = self.mind.classify(node, tags=tags)
        if isinstance(outcome, Refused):
            return
        new, gone = set(tags) - before.tags, before.tags - set(tags)

        def change(world):
            world.memories[node].tags.update(new)
            world.memories[node].tags.difference_update(gone)

        self.did(outcome.journal, change)

    @rule(node=memories, end=ends)
    def end(self, node, end):
        before = self.world().memories.get(node)
        if before is not None and end is not None and micros_of(end) <= before.valid_from:
            return
        outcome = self.mind.classify(node, valid_to=end)
        if not isinstance(outcome, Refused):
            at = None if end is None else micros_of(end)
            self.did(outcome.journal, lambda w: setattr(w.memories[node], "valid_to", at))

    @rule(node=memories)
    def forget(self, node):
        outcome = self.mind.forget(node)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: setattr(w.memories[node], "forgotten", True))

    # --- conversations

    @rule(
        target=turns, conversation=st.sampled_from(["chat", "talk"]), key=st.sampled_from("abcdef"), text=texts,
        parent=st.none() | st.sampled_from("abc"),
    )  # fmt: skip
    def record(self, conversation, key, text, parent):
        known = rows(
            self.mind.path, "SELECT turn_key FROM frame JOIN node ON node.id = node WHERE node.key = ?", conversation
        )
        if parent is not None and (parent,) not in known:
            parent = None
        outcome = self.mind.record(conversation, [Turn(key=key, speaker="Ann", text=text, parent=parent)])
        if isinstance(outcome, Refused) or outcome.journal is None:
            return multiple()
        new = outcome.added + outcome.changed

        def change(world):
            if not known:
                world.conversations.add(outcome.conversation)
            world.turns |= dict.fromkeys(new, (outcome.conversation, text))

        self.did(outcome.journal, change)
        return multiple(*new)

    @rule(turn=turns)
    def move_head(self, turn):
        read = self.mind.get(turn)
        if read.forgotten_at is not None:
            return
        outcome = self.mind.record(read.conversation_key, [], head=read.turn_key)
        if not isinstance(outcome, Refused) and outcome.journal is not None:
            self.did(outcome.journal, lambda _: None)

    @rule(part=turns | branches)
    def forget_part(self, part):
        outcome = self.mind.forget(part)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: w.hidden.add(part))

    @rule(turn=turns)
    def forget_conversation(self, turn):
        node = self.mind.get(turn).conversation
        outcome = self.mind.forget(node)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: w.conversations.discard(node))

    # --- edges, entities, sessions

    @rule(target=edges, src=memories, dst=memories | turns, weight=st.sampled_from([0.3, 0.6, 0.9]))
    def link(self, src, dst, weight):
        outcome = self.mind.link(src, "relates_to", dst, weight=weight)
        if isinstance(outcome, Refused) or outcome.journal in self.changes:
            return multiple()
        if any(self.root(outcome.journal) == c for c in self.standing if outcome.journal in self.undoes):
            return multiple()
        self.did(outcome.journal, lambda w: w.edges.update({outcome.edge: weight}))
        return outcome.edge

    @rule(edge=edges)
    def unlink(self, edge):
        if edge in self.world().edges:
            outcome = self.mind.unlink(edge)
            self.did(outcome.journal, lambda w: w.edges.pop(edge, None))

    @rule(name=st.sampled_from(["Ann", "Bob"]), tags=tags)
    def entity(self, name, tags):
        outcome = self.mind.entity(name, "person", tags=tags)
        if outcome.created:
            self.did(outcome.journal, lambda w: w.entities.update({outcome.id: name}))
        else:
            self.did(outcome.journal, lambda _: None)

    @rule(name=st.sampled_from(["Ann", "Bob"]))
    def forget_entity(self, name):
        for found in self.mind.entity(name):
            outcome = self.mind.forget(found.id)
            self.did(outcome.journal, lambda w, node=found.id: w.entities.pop(node))

    @rule(key=st.sampled_from(["s1", "s2"]))
    def close_session(self, key):
        self.mind.sessions.ensure(key)
        outcome = self.mind.sessions.close(key)
        if not isinstance(outcome, Refused):
            self.did(outcome.journal, lambda w: w.closed.add(key))

    # --- time and undo

    @rule(days=st.sampled_from([1, 1, 10, -1]))
    def pass_time(self, days):
        self.clock.advance(timedelta(days=days))

    @precondition(lambda self: self.changes)
    @rule()
    def undo_the_newest(self):
        outcome = self.mind.undo(self.mind.journal(1)[0].id)
        assert isinstance(outcome, Undone), outcome
        self.took_back(outcome)

    @precondition(lambda self: self.changes)
    @rule(data=st.data(), cascade=st.booleans())
    def undo_any(self, data, cascade):
        journal = data.draw(st.sampled_from([*self.changes, *self.undoes]))
        outcome = self.mind.undo(journal, cascade=cascade)
        if isinstance(outcome, Undone):
            self.took_back(outcome)
        else:
            assert not (cascade and outcome.reason == "blocked")

    @rule()
    def reopen(self):
        self.mind.close()
        self.mind = self.opened()

    # --- what must hold

    @invariant()
    def what_must_be_visible_is_visible_and_nothing_else(self):
        if not hasattr(self, "mind"):
            return
        hits, world = self.mind.rank(COMMON, k=1000), self.world()
        shown = {h.frame: h.text for h in hits}
        told_too = {world.memories[one].frame: h.text for h in hits for one in h.also}  # they say what that hit says
        assert not shown.keys() & told_too.keys()
        assert shown | told_too == world.visible(self.now())

    def descriptions_are_right(self):
        world = self.world()
        for node, m in world.memories.items():
            if not m.forgotten:
                read = self.mind.get(node)
                assert (set(read.tags), read.status, read.importance, read.text) == (
                    m.tags, m.status, m.importance, m.text
                )  # fmt: skip
        standing = rows(self.mind.path, "SELECT uid, weight FROM edge WHERE known_to IS NULL AND type = 'relates_to'")
        assert {u.hex(): w for u, w in standing} == {e.replace("-", ""): w for e, w in world.edges.items()}
        for name in ("Ann", "Bob"):
            assert [e.id for e in self.mind.entity(name)] == [n for n, shown in world.entities.items() if shown == name]

    def every_derived_table_can_be_made_again(self):
        if self.embedder is not None:
            self.mind.flush()
        diagnosis = self.mind.doctor()
        assert diagnosis.healthy, diagnosis
        self.mind.remember("a write that moves what has ended")
        self.mind.undo(self.mind.journal(1)[0].id)
        if self.embedder is not None:
            self.mind.flush()
        before = derived(self.mind.path), truth(self.mind.path)
        mended = self.mind.doctor(fix=True)
        assert mended.healthy, mended
        assert mended.journal is None
        assert (derived(self.mind.path), truth(self.mind.path)) == before

    def everything_can_be_undone(self):
        for entry in self.mind.journal(10_000):
            if self.undone_by(entry.id) is None:
                outcome = self.mind.undo(entry.id)
                assert isinstance(outcome, Undone), (entry, outcome)
        left = seen(self.mind.path)
        assert (left.nodes, left.tags, left.edges, left.evidence, left.spells, left.now) == (
            {}, set(), set(), set(), {}, set()
        )  # fmt: skip
        assert self.mind.rank(COMMON, include_past=True) == []
        assert self.mind.doctor().healthy

    def undone_by(self, journal):
        return next(e.undone_by for e in self.mind.journal(10_000) if e.id == journal)

    def teardown(self):
        if not hasattr(self, "mind"):
            return
        try:
            self.descriptions_are_right()
            self.every_derived_table_can_be_made_again()
            self.everything_can_be_undone()
        finally:
            self.mind.close()
            shutil.rmtree(self.folder, ignore_errors=True)


def micros_of(day):
    from noosphere.model.when import read_time

    return read_time(day, "day").start


class ThinkingMind(AnyMind):
    """The same with vectors, embedded now and then."""

    embedder = HashedEmbedder(8)

    @rule()
    def flush(self):
        self.mind.flush()


TestAnyMind = AnyMind.TestCase
TestAnyMind.settings = settings(max_examples=8, stateful_step_count=20)


@pytest.mark.slow
class TestAnyMindOftener(AnyMind.TestCase):
    settings = settings(max_examples=60, stateful_step_count=30)


@pytest.mark.soak
class TestAnyMindForLong(AnyMind.TestCase):
    settings = settings(max_examples=1500, stateful_step_count=60, derandomize=False)


@pytest.mark.slow
class TestThinkingMind(ThinkingMind.TestCase):
    settings = settings(max_examples=10, stateful_step_count=20)
