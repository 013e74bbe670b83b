-- A mind, schema 1. Every table says whether it is truth or derived; `doctor --fix` rebuilds what is derived.
-- Integers are join keys of this file only. What is shown, exported or cited is a 16-byte uid.
-- Times are microseconds UTC. An interval is half-open; an end that is not known is NULL in truth
-- and 9223372036854775807 in derived tables.
-- A word of a closed list is checked with OR where rows are written by the thousand: for IN with more than two words
-- SQLite makes a table of them for every row (a row of node_version takes 28 µs so, and 7 with OR).

-- truth: what this file is (mind uuid, incarnation, zone, active space)
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- truth: every change, never any text; `detail` holds uids and version numbers. An entry is opened before what it
-- writes and closed after it, in one transaction: while `detail` is NULL it is being written.
CREATE TABLE journal (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  uid     BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  at      INTEGER NOT NULL,
  verb    TEXT NOT NULL,
  actor   TEXT NOT NULL,
  channel TEXT NOT NULL
          CHECK (channel = 'python' OR channel = 'cli' OR channel = 'mcp' OR channel = 'rest' OR channel = 'hook'
            OR channel = 'import' OR channel = 'upkeep'),
  target  BLOB CHECK (length(target) = 16),
  undoes  INTEGER REFERENCES journal (id),
  detail  TEXT CHECK (json_valid(detail))
) STRICT;
CREATE INDEX journal_undoes ON journal (undoes) WHERE undoes IS NOT NULL;
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal WHEN OLD.detail IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal WHEN OLD.detail IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;

-- truth: containers of what was said in one sitting; their state is in session_version
CREATE TABLE session (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  key        TEXT UNIQUE,
  started_at INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  channel    TEXT NOT NULL,
  journal    INTEGER NOT NULL REFERENCES journal (id)
) STRICT;
CREATE INDEX session_owner ON session (actor, channel);
CREATE TRIGGER session_no_update BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'sessions are kept'); END;
CREATE TRIGGER session_no_delete BEFORE DELETE ON session BEGIN SELECT RAISE(ABORT, 'sessions are kept'); END;

-- truth: every state of a session
CREATE TABLE session_version (
  session    INTEGER NOT NULL REFERENCES session (id),
  n          INTEGER NOT NULL,
  known_from INTEGER NOT NULL,
  known_to   INTEGER,
  opened_by  INTEGER NOT NULL REFERENCES journal (id),
  closed_by  INTEGER REFERENCES journal (id),
  status     TEXT NOT NULL CHECK (status IN ('active', 'closed', 'archived')),
  project    TEXT,
  title      TEXT,
  PRIMARY KEY (session, n),
  CHECK ((known_to IS NULL) = (closed_by IS NULL)),
  CHECK (known_to > known_from)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX session_version_open ON session_version (session) WHERE known_to IS NULL;
CREATE TRIGGER session_version_closes_once BEFORE UPDATE OF known_to, closed_by ON session_version
WHEN OLD.known_to IS NOT NULL OR NEW.known_to IS NULL
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER session_version_no_update
BEFORE UPDATE OF session, n, known_from, opened_by, status, project, title ON session_version
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER session_version_no_delete BEFORE DELETE ON session_version
BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;

-- truth: who took part; a frame points here so that its names never change
CREATE TABLE participants (
  id    INTEGER PRIMARY KEY,
  names TEXT NOT NULL UNIQUE CHECK (json_valid(names))
) STRICT;
CREATE TRIGGER participants_no_update BEFORE UPDATE ON participants
BEGIN SELECT RAISE(ABORT, 'frames never change'); END;
CREATE TRIGGER participants_no_delete BEFORE DELETE ON participants
BEGIN SELECT RAISE(ABORT, 'frames never change'); END;

-- truth: stable things; every state of one is in node_version
CREATE TABLE node (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  uid     BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  class   TEXT NOT NULL CHECK (class = 'memory' OR class = 'conversation' OR class = 'entity'),
  key     TEXT,  -- a conversation's own id where it came from
  journal INTEGER NOT NULL REFERENCES journal (id),
  CHECK (key IS NULL OR class = 'conversation')
) STRICT;
CREATE UNIQUE INDEX node_key ON node (key) WHERE key IS NOT NULL;
CREATE TRIGGER node_no_update BEFORE UPDATE ON node BEGIN SELECT RAISE(ABORT, 'nodes are kept'); END;
CREATE TRIGGER node_no_delete BEFORE DELETE ON node BEGIN SELECT RAISE(ABORT, 'nodes are kept'); END;

-- truth: the immutable log of what was said
CREATE TABLE frame (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  uid          BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  node         INTEGER NOT NULL REFERENCES node (id),
  type         TEXT NOT NULL CHECK (type = 'I' OR type = 'P' OR type = 'B'),
  base         INTEGER REFERENCES frame (id),  -- P: the I it adds to; B: the frame it departs from
  seq          INTEGER NOT NULL,               -- place among the patches of its base
  session      INTEGER NOT NULL REFERENCES session (id),
  t            INTEGER NOT NULL,               -- logical clock of the session, stepped by 1024
  text         TEXT,
  hash         BLOB CHECK (length(hash) = 32),
  said_at      INTEGER,
  recorded_at  INTEGER NOT NULL,
  turn_key     TEXT,
  parent       INTEGER REFERENCES frame (id),  -- turns: the frame it follows; the opening frame for a first turn
  before       INTEGER REFERENCES frame (id),  -- a late turn: the turn it was put before, which was there first
  speaker      TEXT,
  speaker_role TEXT,
  participants INTEGER REFERENCES participants (id),
  purged_at    INTEGER,
  journal      INTEGER NOT NULL REFERENCES journal (id),
  UNIQUE (session, t),
  CHECK ((type = 'I') = (base IS NULL)),
  CHECK ((text IS NULL) = (hash IS NULL)),
  CHECK ((turn_key IS NULL) = (parent IS NULL)),
  CHECK ((turn_key IS NULL) = (speaker IS NULL)),
  CHECK (before IS NULL OR (type = 'P' AND turn_key IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX frame_turn ON frame (node, turn_key, hash) WHERE turn_key IS NOT NULL;
CREATE INDEX frame_parent ON frame (parent) WHERE parent IS NOT NULL;
CREATE INDEX frame_node ON frame (node, id);
CREATE INDEX frame_said ON frame (said_at) WHERE said_at IS NOT NULL AND text IS NOT NULL;

-- An open purge ticket violates a deferred foreign key: a transaction that forgets to remove it cannot commit.
CREATE TABLE purge_nothing (id INTEGER PRIMARY KEY CHECK (id IS NULL)) STRICT;
CREATE TABLE purge_ticket (
  frame INTEGER PRIMARY KEY REFERENCES frame (id),
  open  INTEGER NOT NULL DEFAULT 1 REFERENCES purge_nothing (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TRIGGER frame_no_update BEFORE UPDATE ON frame
WHEN NOT (
  EXISTS (SELECT 1 FROM purge_ticket WHERE frame = OLD.id)
  AND OLD.purged_at IS NULL AND NEW.purged_at IS NOT NULL AND NEW.text IS NULL AND NEW.hash IS NULL
  AND NEW.id = OLD.id AND NEW.uid = OLD.uid AND NEW.node = OLD.node AND NEW.type = OLD.type
  AND NEW.base IS OLD.base AND NEW.seq = OLD.seq AND NEW.session = OLD.session AND NEW.t = OLD.t
  AND NEW.said_at IS OLD.said_at AND NEW.recorded_at = OLD.recorded_at AND NEW.turn_key IS OLD.turn_key
  AND NEW.parent IS OLD.parent AND NEW.before IS OLD.before AND NEW.speaker IS OLD.speaker
  AND NEW.speaker_role IS OLD.speaker_role AND NEW.participants IS OLD.participants AND NEW.journal = OLD.journal
)
BEGIN SELECT RAISE(ABORT, 'frames never change'); END;
CREATE TRIGGER frame_no_delete BEFORE DELETE ON frame BEGIN SELECT RAISE(ABORT, 'frames never change'); END;

-- truth: what a branch refers to
CREATE TABLE frame_ref (
  frame       INTEGER NOT NULL REFERENCES frame (id),
  ref         INTEGER NOT NULL REFERENCES frame (id),
  description TEXT,
  PRIMARY KEY (frame, ref)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER frame_ref_no_update BEFORE UPDATE ON frame_ref
WHEN NOT (EXISTS (SELECT 1 FROM purge_ticket WHERE frame = OLD.frame)
  AND NEW.frame = OLD.frame AND NEW.ref = OLD.ref AND NEW.description IS NULL)
BEGIN SELECT RAISE(ABORT, 'frames never change'); END;
CREATE TRIGGER frame_ref_no_delete BEFORE DELETE ON frame_ref BEGIN SELECT RAISE(ABORT, 'frames never change'); END;

-- truth: turns that left the default state (forgotten, flagged); a turn without a row is in it
CREATE TABLE frame_version (
  frame        INTEGER NOT NULL REFERENCES frame (id),
  n            INTEGER NOT NULL,
  known_from   INTEGER NOT NULL,
  known_to     INTEGER,
  opened_by    INTEGER NOT NULL REFERENCES journal (id),
  closed_by    INTEGER REFERENCES journal (id),
  retracted_at INTEGER,
  secret       INTEGER NOT NULL DEFAULT 0 CHECK (secret IN (0, 1)),
  suspect      REAL,
  rules        TEXT,
  PRIMARY KEY (frame, n),
  CHECK ((known_to IS NULL) = (closed_by IS NULL)),
  CHECK (known_to > known_from)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX frame_version_open ON frame_version (frame) WHERE known_to IS NULL;
CREATE INDEX frame_version_flagged ON frame_version (frame)
  WHERE known_to IS NULL AND (suspect IS NOT NULL OR secret = 1);
CREATE TRIGGER frame_version_closes_once BEFORE UPDATE OF known_to, closed_by ON frame_version
WHEN OLD.known_to IS NOT NULL OR NEW.known_to IS NULL
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER frame_version_no_update
BEFORE UPDATE OF frame, n, known_from, opened_by, retracted_at, secret, suspect, rules ON frame_version
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER frame_version_no_delete BEFORE DELETE ON frame_version
BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;

-- truth: every state of a node. The open row (known_to IS NULL) is what is believed now.
CREATE TABLE node_version (
  node                INTEGER NOT NULL REFERENCES node (id),
  n                   INTEGER NOT NULL,
  known_from          INTEGER NOT NULL,
  known_to            INTEGER,
  opened_by           INTEGER NOT NULL REFERENCES journal (id),
  closed_by           INTEGER REFERENCES journal (id),
  head                INTEGER REFERENCES frame (id),  -- memory: last frame of its fold; conversation: the leaf switched to
  fold_hash           BLOB CHECK (length(fold_hash) = 32),
  status              TEXT NOT NULL
                      CHECK (status = 'active' OR status = 'draft' OR status = 'canonical' OR status = 'deprecated'
                        OR status = 'archived'),
  role                TEXT,
  kind                TEXT CHECK (kind IN ('episodic', 'semantic')),
  volatility          TEXT CHECK (volatility = 'durable' OR volatility = 'state' OR volatility = 'volatile'),
  importance          TEXT NOT NULL
                      CHECK (importance = 'normal' OR importance = 'critical' OR importance = 'important'
                        OR importance = 'temporary'),
  source              TEXT NOT NULL
                      CHECK (source = 'user_stated' OR source = 'tool_verified' OR source = 'agent_inferred'
                        OR source = 'import' OR source = 'system'),
  claim               TEXT NOT NULL CHECK (claim = 'verified' OR claim = 'inferred' OR claim = 'unknown'),
  confidence          REAL CHECK (confidence BETWEEN 0 AND 1),
  subject             TEXT,
  slot_subject        TEXT,  -- the subject as slots compare it
  attribute           TEXT,
  value               TEXT,
  value_norm          TEXT,
  negated             INTEGER NOT NULL DEFAULT 0 CHECK (negated IN (0, 1)),  -- says that the value no longer holds
  functional          INTEGER CHECK (functional IN (0, 1)),
  stated_from         INTEGER,
  stated_to           INTEGER,
  stated_grain        TEXT,
  valid_from          INTEGER,
  valid_basis         TEXT
                      CHECK (valid_basis = 'recorded' OR valid_basis = 'stated' OR valid_basis = 'occurred'
                        OR valid_basis = 'said'),
  occurred_from       INTEGER,
  occurred_to         INTEGER,
  occurred_grain      TEXT,
  title               TEXT,
  metadata            TEXT CHECK (json_valid(metadata)),
  trace_id            TEXT,
  conflict            INTEGER NOT NULL DEFAULT 0 CHECK (conflict IN (0, 1)),
  duplicate_candidate INTEGER NOT NULL DEFAULT 0 CHECK (duplicate_candidate IN (0, 1)),
  corrected           INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)),
  settled             BLOB CHECK (length(settled) = 16),  -- the entry that settled a conflict in which it stood
  secret              INTEGER NOT NULL DEFAULT 0 CHECK (secret IN (0, 1)),
  suspect             REAL,
  rules               TEXT,
  retracted_at        INTEGER,
  merged_into         INTEGER REFERENCES node (id),
  entity_type         TEXT REFERENCES entity_type (name),
  name                TEXT,
  norm_name           TEXT,
  properties          TEXT CHECK (json_valid(properties)),
  PRIMARY KEY (node, n),
  CHECK ((known_to IS NULL) = (closed_by IS NULL)),
  CHECK (known_to > known_from),
  CHECK (stated_to IS NULL OR stated_to > valid_from),
  CHECK (occurred_to > occurred_from),
  CHECK ((attribute IS NULL) = (value_norm IS NULL)),
  CHECK ((entity_type IS NULL) = (norm_name IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX node_version_open ON node_version (node) WHERE known_to IS NULL;
CREATE INDEX node_version_fold ON node_version (fold_hash) WHERE known_to IS NULL AND fold_hash IS NOT NULL;
CREATE INDEX node_version_slot ON node_version (slot_subject, attribute) WHERE attribute IS NOT NULL;
CREATE INDEX node_version_value ON node_version (slot_subject, attribute, value_norm)
  WHERE known_to IS NULL AND attribute IS NOT NULL;
-- what can give a slot a spell: where nothing of it ever was here, its values stand side by side and none is over
CREATE INDEX node_version_spelled ON node_version (slot_subject, attribute)
  WHERE attribute IS NOT NULL AND (functional IS NOT 0 OR negated = 1);
CREATE UNIQUE INDEX node_version_entity ON node_version (norm_name, entity_type)
  WHERE known_to IS NULL AND entity_type IS NOT NULL AND retracted_at IS NULL AND merged_into IS NULL
    AND status IN ('draft', 'active', 'canonical');
CREATE INDEX node_version_merged ON node_version (norm_name)
  WHERE known_to IS NULL AND norm_name IS NOT NULL AND merged_into IS NOT NULL;
CREATE INDEX node_version_status ON node_version (status) WHERE known_to IS NULL AND status <> 'active';
CREATE INDEX node_version_kind ON node_version (kind, valid_from) WHERE known_to IS NULL AND kind = 'episodic';
CREATE INDEX node_version_role ON node_version (role, valid_from)
  WHERE known_to IS NULL AND role IS NOT NULL AND role <> 'note';
CREATE INDEX node_version_volatility ON node_version (volatility, valid_from)
  WHERE known_to IS NULL AND volatility IN ('state', 'volatile');
CREATE INDEX node_version_occurred ON node_version (occurred_from)
  WHERE known_to IS NULL AND occurred_from IS NOT NULL;
CREATE INDEX node_version_importance ON node_version (importance, valid_from)
  WHERE known_to IS NULL AND importance IN ('critical', 'important');
CREATE INDEX node_version_temporary ON node_version (known_from) WHERE known_to IS NULL AND importance = 'temporary';
CREATE INDEX node_version_flagged ON node_version (node)
  WHERE known_to IS NULL AND (suspect IS NOT NULL OR secret = 1);
CREATE INDEX node_version_conflict ON node_version (node) WHERE known_to IS NULL AND conflict = 1;
CREATE TRIGGER node_version_closes_once BEFORE UPDATE OF known_to, closed_by ON node_version
WHEN OLD.known_to IS NOT NULL OR NEW.known_to IS NULL
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER node_version_no_update BEFORE UPDATE OF
  node, n, known_from, opened_by, head, fold_hash, status, role, kind, volatility, importance, source, claim,
  confidence, subject, slot_subject, attribute, value, value_norm, negated, functional, stated_from, stated_to, stated_grain,
  valid_from, valid_basis, occurred_from, occurred_to, occurred_grain, title, metadata, trace_id, conflict,
  duplicate_candidate, corrected, settled, secret, suspect, rules, retracted_at, merged_into, entity_type, name, norm_name,
  properties ON node_version
WHEN NOT EXISTS (SELECT 1 FROM purge_ticket AS p JOIN frame AS f ON f.id = p.frame WHERE f.node = OLD.node
  OR EXISTS (SELECT 1 FROM edge AS e WHERE e.src = f.node AND e.dst = OLD.node AND e.type = 'mentions'))
BEGIN SELECT RAISE(ABORT, 'a version is only ever closed'); END;
CREATE TRIGGER node_version_no_delete BEFORE DELETE ON node_version
BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;

-- truth: tags, with when they were believed
CREATE TABLE tag (
  node       INTEGER NOT NULL REFERENCES node (id),
  tag        TEXT NOT NULL CHECK (length(tag) BETWEEN 1 AND 100),
  known_from INTEGER NOT NULL,
  known_to   INTEGER,
  opened_by  INTEGER NOT NULL REFERENCES journal (id),
  closed_by  INTEGER REFERENCES journal (id),
  PRIMARY KEY (node, tag, known_from),
  CHECK ((known_to IS NULL) = (closed_by IS NULL)),
  CHECK (known_to > known_from)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tag_open ON tag (tag, node) WHERE known_to IS NULL;
CREATE TRIGGER tag_closes_once BEFORE UPDATE OF known_to, closed_by ON tag
WHEN OLD.known_to IS NOT NULL OR NEW.known_to IS NULL
BEGIN SELECT RAISE(ABORT, 'a tag is only ever taken off'); END;
CREATE TRIGGER tag_no_update BEFORE UPDATE OF node, tag, known_from, opened_by ON tag
BEGIN SELECT RAISE(ABORT, 'a tag is only ever taken off'); END;
CREATE TRIGGER tag_no_delete BEFORE DELETE ON tag
WHEN NOT EXISTS (SELECT 1 FROM purge_ticket AS p JOIN frame AS f ON f.id = p.frame WHERE f.node = OLD.node)
BEGIN SELECT RAISE(ABORT, 'tags are kept'); END;

-- truth: the closed registries that a mind may extend; `rule` is what it says of a type of its own (graph/ontology.py),
-- NULL where the default ontology holds; what was added and taken back is withdrawn, and stays for what named it
CREATE TABLE edge_type (
  name      TEXT PRIMARY KEY,
  rule      TEXT CHECK (json_valid(rule)),
  withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE TABLE entity_type (
  name      TEXT PRIMARY KEY,
  rule      TEXT CHECK (json_valid(rule)),
  withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
) STRICT, WITHOUT ROWID;

-- truth: every state that a mind gave a name of a registry; the last is cached there
CREATE TABLE registry_version (
  registry  TEXT NOT NULL CHECK (registry IN ('edge_type', 'entity_type')),
  name      TEXT NOT NULL,
  n         INTEGER NOT NULL,
  rule      TEXT CHECK (json_valid(rule)),
  withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
  journal   INTEGER NOT NULL REFERENCES journal (id),
  PRIMARY KEY (registry, name, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER registry_version_no_update BEFORE UPDATE ON registry_version
BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;
CREATE TRIGGER registry_version_no_delete BEFORE DELETE ON registry_version
BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;

-- truth: how nodes bear on each other, one row for each version of an edge
CREATE TABLE edge (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL CHECK (length(uid) = 16),
  src        INTEGER NOT NULL REFERENCES node (id),
  dst        INTEGER NOT NULL REFERENCES node (id),
  type       TEXT NOT NULL REFERENCES edge_type (name),
  src_frame  INTEGER REFERENCES frame (id),
  dst_frame  INTEGER REFERENCES frame (id),
  weight     REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
  provenance TEXT NOT NULL CHECK (provenance = 'explicit' OR provenance = 'inferred' OR provenance = 'system'),
  claim      TEXT NOT NULL CHECK (claim = 'verified' OR claim = 'inferred' OR claim = 'unknown'),
  valid_from INTEGER,
  valid_to   INTEGER,
  known_from INTEGER NOT NULL,
  known_to   INTEGER,
  opened_by  INTEGER NOT NULL REFERENCES journal (id),
  closed_by  INTEGER REFERENCES journal (id),
  UNIQUE (uid, known_from),
  CHECK (src <> dst OR coalesce(src_frame, 0) <> coalesce(dst_frame, 0)),
  CHECK ((known_to IS NULL) = (closed_by IS NULL)),
  CHECK (known_to > known_from),
  CHECK (valid_to > valid_from)
) STRICT;
CREATE UNIQUE INDEX edge_open ON edge (src, dst, type, coalesce(src_frame, 0), coalesce(dst_frame, 0))
  WHERE known_to IS NULL;
-- all that a walk asks of an edge: the row itself is not read
CREATE INDEX edge_out ON edge (src, weight DESC, dst, src_frame, dst_frame, valid_from, valid_to)
  WHERE known_to IS NULL;
CREATE INDEX edge_in ON edge (dst, weight DESC, src, src_frame, dst_frame, valid_from, valid_to)
  WHERE known_to IS NULL;
CREATE TRIGGER edge_closes_once BEFORE UPDATE OF known_to, closed_by ON edge
WHEN OLD.known_to IS NOT NULL OR NEW.known_to IS NULL
BEGIN SELECT RAISE(ABORT, 'edges are retired, never changed'); END;
CREATE TRIGGER edge_no_update BEFORE UPDATE OF
  id, uid, src, dst, type, src_frame, dst_frame, weight, provenance, claim, valid_from, valid_to, known_from, opened_by
ON edge BEGIN SELECT RAISE(ABORT, 'edges are retired, never changed'); END;
CREATE TRIGGER edge_no_delete BEFORE DELETE ON edge BEGIN SELECT RAISE(ABORT, 'edges are retired, never deleted'); END;

-- truth: why something is believed; the target is a node or an edge
CREATE TABLE evidence (
  target       BLOB NOT NULL CHECK (length(target) = 16),
  n            INTEGER NOT NULL,
  mind         BLOB CHECK (length(mind) = 16),
  frame        BLOB CHECK (length(frame) = 16),
  source_id    TEXT,
  uri          TEXT,
  at           INTEGER NOT NULL,
  journal      INTEGER NOT NULL REFERENCES journal (id),
  retracted_by INTEGER REFERENCES journal (id),
  PRIMARY KEY (target, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_source ON evidence (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX evidence_frame ON evidence (frame) WHERE frame IS NOT NULL;
CREATE TRIGGER evidence_no_update BEFORE UPDATE OF target, n, mind, frame, source_id, uri, at, journal ON evidence
WHEN NOT (EXISTS (SELECT 1 FROM purge_ticket AS p JOIN frame AS f ON f.id = p.frame JOIN node AS o ON o.id = f.node
    WHERE o.uid = OLD.target)
  AND NEW.uri IS NULL AND (NEW.source_id IS NULL OR NEW.source_id = OLD.source_id)
  AND (NEW.target, NEW.n, NEW.mind, NEW.frame, NEW.at, NEW.journal)
    IS (OLD.target, OLD.n, OLD.mind, OLD.frame, OLD.at, OLD.journal))
BEGIN SELECT RAISE(ABORT, 'evidence is retracted, never changed'); END;
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is retracted, never deleted'); END;

-- truth: counters of a node, apart from its versions: none of them changes what it says (docs/decisions/0014).
CREATE TABLE usage (
  node         INTEGER PRIMARY KEY REFERENCES node (id),
  use_count    INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER,
  checked_at   INTEGER,  -- when somebody last said that it still holds
  stale_at     INTEGER,  -- when upkeep found that nobody had said so for too long; NULL once somebody has
  seen_count   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX usage_stale ON usage (stale_at) WHERE stale_at IS NOT NULL;

-- truth: what models were asked, and what was installed; never changed, never removed
CREATE TABLE ai_interactions (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  uid               BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  at                INTEGER NOT NULL,
  provider          TEXT NOT NULL,
  model             TEXT NOT NULL,
  purpose           TEXT NOT NULL,
  outcome           TEXT NOT NULL,
  prompt_tokens     INTEGER,
  completion_tokens INTEGER,
  cost_micros       INTEGER,
  milliseconds      INTEGER,
  detail            TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
CREATE TRIGGER ai_interactions_no_update BEFORE UPDATE ON ai_interactions
BEGIN SELECT RAISE(ABORT, 'ai_interactions is append-only'); END;
CREATE TRIGGER ai_interactions_no_delete BEFORE DELETE ON ai_interactions
BEGIN SELECT RAISE(ABORT, 'ai_interactions is append-only'); END;
CREATE TABLE install_audit (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  uid     BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  subject TEXT NOT NULL,
  action  TEXT NOT NULL,
  detail  TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
CREATE TRIGGER install_audit_no_update BEFORE UPDATE ON install_audit
BEGIN SELECT RAISE(ABORT, 'install_audit is append-only'); END;
CREATE TRIGGER install_audit_no_delete BEFORE DELETE ON install_audit
BEGIN SELECT RAISE(ABORT, 'install_audit is append-only'); END;

-- truth: out of band, never frames. Who the agent is: one row.
CREATE TABLE identity (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  name          TEXT,
  role          TEXT,
  department    TEXT,
  personality   TEXT,
  capabilities  TEXT,
  system_prompt TEXT,
  updated_at    INTEGER NOT NULL,
  journal       INTEGER NOT NULL REFERENCES journal (id)
) STRICT;

-- truth: out of band, never frames. What the agent is at: what ended stays, with how it ended.
CREATE TABLE awareness (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  category   TEXT NOT NULL CHECK (category IN ('task', 'action', 'pending', 'flag')),
  text       TEXT NOT NULL,
  priority   INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 10),
  metadata   TEXT NOT NULL CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at   INTEGER,
  ended      TEXT CHECK (ended IN ('done', 'pushed_out')),
  journal    INTEGER NOT NULL REFERENCES journal (id),
  CHECK ((ended_at IS NULL) = (ended IS NULL))
) STRICT;
CREATE INDEX awareness_open ON awareness (priority DESC, updated_at DESC) WHERE ended_at IS NULL;

-- truth: out of band, never frames. How well a concept is known, as spaced repetition counts it.
CREATE TABLE concept_mastery (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  uid      BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  concept  TEXT NOT NULL,
  norm     TEXT NOT NULL UNIQUE,
  card     TEXT NOT NULL CHECK (json_valid(card)),
  answers  INTEGER NOT NULL,
  correct  INTEGER NOT NULL CHECK (correct <= answers),
  due_at   INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  journal  INTEGER NOT NULL REFERENCES journal (id)
) STRICT;
CREATE INDEX concept_mastery_due ON concept_mastery (due_at);

-- truth: out of band, never frames. What could be done better, each shown until it was surfaced once.
CREATE TABLE improvement_signals (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uid         BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  kind        TEXT NOT NULL CHECK (kind IN ('capability_gap', 'correction', 'workflow_pattern', 'skill_promotion')),
  key         TEXT NOT NULL,  -- by what it is known again: the words or steps, normalised
  text        TEXT NOT NULL,
  count       INTEGER NOT NULL CHECK (count > 0),
  first_at    INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  surfaced_at INTEGER,
  journal     INTEGER NOT NULL REFERENCES journal (id),
  UNIQUE (kind, key),
  CHECK (last_at >= first_at)
) STRICT;
CREATE INDEX improvement_signals_waiting ON improvement_signals (count DESC, last_at DESC) WHERE surfaced_at IS NULL;

-- truth: the turns in which a signal was heard. Each counts once; with the last of them the signal is hidden or goes.
CREATE TABLE signal_turn (
  signal INTEGER NOT NULL REFERENCES improvement_signals (id),
  frame  INTEGER NOT NULL REFERENCES frame (id),
  PRIMARY KEY (signal, frame)
) STRICT, WITHOUT ROWID;
CREATE INDEX signal_turn_frame ON signal_turn (frame);

-- truth: out of band, never frames. Ways of doing something that have a name, and how often they worked.
CREATE TABLE procedures (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  name       TEXT NOT NULL,
  norm       TEXT NOT NULL UNIQUE,
  steps      TEXT NOT NULL CHECK (json_valid(steps) AND json_array_length(steps) > 0),
  pattern    TEXT NOT NULL,  -- the steps, normalised: by what the same ones are known again
  succeeded  INTEGER NOT NULL DEFAULT 0 CHECK (succeeded >= 0),
  failed     INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
  abandoned  INTEGER NOT NULL DEFAULT 0 CHECK (abandoned >= 0),
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  used_at    INTEGER,
  journal    INTEGER NOT NULL REFERENCES journal (id),
  CHECK ((used_at IS NULL) = (succeeded + failed + abandoned = 0))
) STRICT;
CREATE INDEX procedures_pattern ON procedures (pattern);

-- truth: out of band, never frames. What was done, step by step, and how it ended.
CREATE TABLE execution_traces (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  uid       BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  task      TEXT NOT NULL,
  steps     TEXT NOT NULL CHECK (json_valid(steps) AND json_array_length(steps) > 0),
  pattern   TEXT NOT NULL,
  procedure INTEGER REFERENCES procedures (id),
  at        INTEGER NOT NULL,
  outcome   TEXT CHECK (outcome IN ('succeeded', 'failed', 'abandoned')),
  note      TEXT,
  ended_at  INTEGER,
  journal   INTEGER NOT NULL REFERENCES journal (id),
  CHECK ((outcome IS NULL) = (ended_at IS NULL))
) STRICT;
CREATE INDEX execution_traces_pattern ON execution_traces (pattern, outcome);
CREATE TRIGGER execution_traces_ends_once BEFORE UPDATE ON execution_traces WHEN OLD.outcome IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a trace ends once'); END;
CREATE TRIGGER execution_traces_no_update BEFORE UPDATE OF id, uid, task, steps, pattern, procedure, at
ON execution_traces BEGIN SELECT RAISE(ABORT, 'a trace is only ever ended'); END;
CREATE TRIGGER execution_traces_no_delete BEFORE DELETE ON execution_traces
BEGIN SELECT RAISE(ABORT, 'traces are kept'); END;

-- truth: imports. Where they came from, each run, what every item was when it last came in, and what was held back
-- for review; out of band, never frames. Text stands only in `quarantine`, and only until somebody decides.
CREATE TABLE harvest_sources (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  uid      BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  place    TEXT NOT NULL UNIQUE,  -- a path or an address
  added_at INTEGER NOT NULL,
  last_run INTEGER REFERENCES harvest_runs (id)
) STRICT;
CREATE TABLE harvest_runs (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  places     TEXT NOT NULL CHECK (json_valid(places)),
  adapter    TEXT,           -- when one was asked for by name
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,        -- NULL while it runs, and when it was killed
  owner      TEXT NOT NULL,  -- the process, as leases name it
  actor      TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
  counts     TEXT NOT NULL CHECK (json_valid(counts)),
  rejects    TEXT NOT NULL CHECK (json_valid(rejects)),
  CHECK ((status = 'running') = (ended_at IS NULL))
) STRICT;
CREATE TABLE harvest_items (
  key     TEXT PRIMARY KEY,
  adapter TEXT NOT NULL,
  type    TEXT NOT NULL CHECK (type IN ('conversation', 'note')),
  source  INTEGER NOT NULL REFERENCES harvest_sources (id),
  run     INTEGER NOT NULL REFERENCES harvest_runs (id),  -- the last that changed something
  digest  BLOB NOT NULL CHECK (length(digest) = 32),
  parts   INTEGER NOT NULL,  -- turns, or 1
  updated INTEGER            -- by the source's own account
) STRICT, WITHOUT ROWID;
CREATE TABLE quarantine (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  item       TEXT NOT NULL,
  part       TEXT NOT NULL,  -- the key of a turn; '' is the whole item
  hash       BLOB NOT NULL CHECK (length(hash) = 32),
  run        INTEGER NOT NULL REFERENCES harvest_runs (id),
  held_at    INTEGER NOT NULL,
  score      REAL NOT NULL,
  hits       TEXT NOT NULL CHECK (json_valid(hits)),
  rules      TEXT NOT NULL,
  payload    TEXT CHECK (json_valid(payload)),
  decision   TEXT CHECK (decision IN ('released', 'dismissed')),
  decided_at INTEGER,
  decided_by TEXT,
  UNIQUE (item, part, hash),
  CHECK ((decision IS NULL) = (payload IS NOT NULL) AND (decision IS NULL) = (decided_at IS NULL))
) STRICT;
CREATE INDEX quarantine_waiting ON quarantine (id) WHERE decision IS NULL;

-- truth: every run of an upkeep pass. A row is opened before the first change, counted on with each transaction, and
-- closed once; none is ever removed.
CREATE TABLE upkeep_runs (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
  pass       TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,        -- NULL while it runs, and when it was killed
  owner      TEXT NOT NULL,  -- the process, as leases name it
  actor      TEXT NOT NULL,
  channel    TEXT NOT NULL,
  most       INTEGER NOT NULL CHECK (most > 0),
  taken      INTEGER NOT NULL DEFAULT 0,  -- how much of what was due it took up
  changed    INTEGER NOT NULL DEFAULT 0,
  reached    BLOB CHECK (length(reached) = 16),  -- the last frame looked at, of a pass that goes through them in order
  before     TEXT NOT NULL CHECK (json_valid(before)),
  after      TEXT CHECK (json_valid(after)),
  problem    TEXT,           -- what stopped it, when something did
  CHECK (after IS NULL OR ended_at IS NOT NULL)
) STRICT;
CREATE INDEX upkeep_runs_pass ON upkeep_runs (pass, id);
CREATE TRIGGER upkeep_runs_closes_once BEFORE UPDATE ON upkeep_runs WHEN OLD.ended_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a run is only ever closed'); END;
CREATE TRIGGER upkeep_runs_no_update
BEFORE UPDATE OF id, uid, pass, started_at, owner, actor, channel, most, before ON upkeep_runs
BEGIN SELECT RAISE(ABORT, 'a run is only ever closed'); END;
CREATE TRIGGER upkeep_runs_no_delete BEFORE DELETE ON upkeep_runs BEGIN SELECT RAISE(ABORT, 'runs are kept'); END;

-- derived: when the value of a functional slot holds (model/timeline.py over node_version)
CREATE TABLE spell (
  node        INTEGER PRIMARY KEY REFERENCES node (id),
  holds_from  INTEGER NOT NULL,
  holds_to    INTEGER NOT NULL,
  conflict    INTEGER NOT NULL CHECK (conflict IN (0, 1)),
  replaced_by INTEGER REFERENCES node (id)
) STRICT;
CREATE INDEX spell_conflict ON spell (node) WHERE conflict = 1;

-- derived: when a unit of the current indexes stops being current
CREATE TABLE expiry (
  node INTEGER PRIMARY KEY REFERENCES node (id),
  at   INTEGER NOT NULL
) STRICT;
CREATE INDEX expiry_at ON expiry (at);

-- derived: the last turn of each conversation's path, and the turns beside it
CREATE TABLE leaf (
  node  INTEGER PRIMARY KEY REFERENCES node (id),
  frame INTEGER NOT NULL REFERENCES frame (id)
) STRICT;
CREATE TABLE off_path (
  frame INTEGER PRIMARY KEY REFERENCES frame (id)
) STRICT;

-- derived: full text of what is current and of what is past, keyed by a unit's last frame.
-- Contentless: the text lives in frame. It is fed folded and pre-segmented (store/words).
CREATE VIRTUAL TABLE text_now USING fts5 (
  self, prev, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
CREATE VIRTUAL TABLE text_past USING fts5 (
  self, prev, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
-- What a transaction gathers is written as one piece of the index up to 16 MB: larger pieces are merged less often.
INSERT INTO text_now (text_now, rank) VALUES ('hashsize', 16777216);
CREATE VIRTUAL TABLE text_now_terms USING fts5vocab (text_now, 'row');
CREATE VIRTUAL TABLE text_past_terms USING fts5vocab (text_past, 'row');

-- truth: embedding models; each has a space for current units and one for past ones
CREATE TABLE space (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  era         TEXT NOT NULL CHECK (era IN ('now', 'past')),
  fingerprint TEXT NOT NULL,
  dim         INTEGER NOT NULL CHECK (dim > 0),
  scale       REAL NOT NULL CHECK (scale > 0),
  -- filled: kept up to date. filling: so too, and asked only once it is whole. resting: a model that was replaced.
  state       TEXT NOT NULL DEFAULT 'filled' CHECK (state IN ('filled', 'filling', 'resting')),
  UNIQUE (name, era)
) STRICT;

-- derived, but costly: the chunks' vectors; int8 for the scan, float16 for the rescore
CREATE TABLE vec (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  space      INTEGER NOT NULL REFERENCES space (id),
  frame      INTEGER NOT NULL REFERENCES frame (id),
  chunk      INTEGER NOT NULL,
  start      INTEGER NOT NULL,
  stop       INTEGER NOT NULL,
  recipe     TEXT NOT NULL,
  input_hash BLOB NOT NULL,
  q          BLOB NOT NULL,
  f          BLOB NOT NULL,
  UNIQUE (space, frame, chunk)
) STRICT;
CREATE INDEX vec_space ON vec (space);  -- with the seq it carries: what a space got since
CREATE TABLE vec_tomb (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  space INTEGER NOT NULL,
  vec   INTEGER NOT NULL
) STRICT;
CREATE INDEX vec_tomb_space ON vec_tomb (space);
CREATE TRIGGER vec_buried AFTER DELETE ON vec
BEGIN INSERT INTO vec_tomb (space, vec) VALUES (OLD.space, OLD.seq); END;

-- derived: units still to be embedded, and the immutable files that hold int8 vectors for the scan
CREATE TABLE pending (
  space INTEGER NOT NULL REFERENCES space (id),
  frame INTEGER NOT NULL REFERENCES frame (id),
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (space, frame)
) STRICT, WITHOUT ROWID;
-- derived, but costly: a unit's token vectors for the late interaction, int8 of shape (n, 96)
CREATE TABLE token_rows (
  space INTEGER NOT NULL REFERENCES space (id),
  frame INTEGER NOT NULL REFERENCES frame (id),
  rows  BLOB NOT NULL,
  PRIMARY KEY (space, frame)
) STRICT;
CREATE TABLE segment (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  space       INTEGER NOT NULL REFERENCES space (id),
  lo          INTEGER NOT NULL,
  hi          INTEGER NOT NULL,
  rows        INTEGER NOT NULL,
  file        TEXT NOT NULL UNIQUE,
  incarnation TEXT NOT NULL,
  UNIQUE (space, lo)
) STRICT;

-- truth: memories whose names wait to be tied to the graph, by the frame that says them
CREATE TABLE unnamed (
  frame INTEGER PRIMARY KEY REFERENCES frame (id)
) STRICT;

-- neither: who does which background work until when
CREATE TABLE lease (
  name  TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO edge_type (name) VALUES
  ('relates_to'), ('supersedes'), ('caused_by'), ('decided'), ('about_person'), ('part_of_project'), ('follows'),
  ('drawn_from'), ('mentions'), ('co_occurs_with'), ('led_by'), ('reports_to'), ('depends_on'), ('maintained_by'),
  ('affiliated_with'), ('approved'), ('uses'), ('part_of'), ('located_in');
INSERT INTO entity_type (name) VALUES
  ('person'), ('organization'), ('project'), ('technology'), ('tool'), ('product'), ('concept'), ('location'),
  ('file'), ('event'), ('decision');
