"""What stands in a mind, told without ids and times of writing, so that two minds can be compared."""

from noosphere import Settings
from noosphere.store import nodes, path

WORDS_ONLY = Settings(semantic="off", background=False)

TALKS = """SELECT n.id, n.key, v.title, v.metadata FROM node AS n JOIN node_version AS v ON v.node = n.id
  WHERE n.class = 'conversation' AND v.known_to IS NULL AND v.retracted_at IS NULL"""
TURNS = """SELECT f.turn_key, f.speaker, f.speaker_role, f.text, f.said_at, p.turn_key, f.type FROM frame AS f
  LEFT JOIN frame AS p ON p.id = f.parent WHERE f.node = ? AND f.turn_key IS NOT NULL"""
NOTES = """SELECT f.text, v.title, v.role, f.said_at FROM node AS n JOIN node_version AS v ON v.node = n.id
  JOIN frame AS f ON f.id = v.head WHERE n.class = 'memory' AND v.known_to IS NULL AND v.retracted_at IS NULL"""
EDGES = """SELECT e.type, a.title, b.title, b.name FROM edge AS e
  JOIN node_version AS a ON a.node = e.src AND a.known_to IS NULL
  JOIN node_version AS b ON b.node = e.dst AND b.known_to IS NULL WHERE e.known_to IS NULL"""
ITEMS = "SELECT key, digest, parts FROM harvest_items"
HELD = "SELECT item, part, hash, decision FROM quarantine"


def content(mind):
    """Conversations with their turns and the path shown, notes, edges, and what is remembered of imports."""
    with mind._file.read() as sql:
        talks = {
            key: (title, metadata, sorted(sql.execute(TURNS, (node,)), key=repr), spoken(sql, key))
            for node, key, title, metadata in sql.execute(TALKS).fetchall()
        }
        rest = [sorted(sql.execute(query), key=repr) for query in (NOTES, EDGES, ITEMS, HELD)]
    return talks, rest


def talk(mind, key):
    """The texts on a conversation's path, in order."""
    with mind._file.read() as sql:
        return spoken(sql, key)


def spoken(sql, key):
    return [turn.text for turn in path.read_path(sql, nodes.by_key(sql, key)).on]


def taken(here, there, tmp_path, name="one"):
    """One mind taken into the other, by its export."""
    there.export(tmp_path / f"{name}.jsonl")
    return here.harvest.take_in(tmp_path / f"{name}.jsonl")
