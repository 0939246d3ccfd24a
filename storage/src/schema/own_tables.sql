-- The tables of the scope `maka`, version 1. Foreign tables are never written; these are ours.

-- Sessions that are present, and copies still being prepared.
CREATE TABLE maka_sessions (
    session_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    archived INTEGER NOT NULL CHECK (archived IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('committed', 'preparing')),
    revision INTEGER NOT NULL CHECK (revision > 0),
    copy_kind TEXT CHECK (copy_kind IN ('branch', 'side_conversation', 'revision', 'child_agent')),
    parent_session_id TEXT,
    branch_of_turn_id TEXT,
    revision_root_session_id TEXT,
    revision_index INTEGER
) WITHOUT ROWID;

CREATE INDEX maka_sessions_newest ON maka_sessions (created_at DESC, session_id DESC);

CREATE INDEX maka_sessions_by_name ON maka_sessions (name, created_at DESC, session_id DESC);

CREATE INDEX maka_sessions_by_family ON maka_sessions (revision_root_session_id)
WHERE revision_root_session_id IS NOT NULL;

-- Removed Sessions: their ids never come back.
CREATE TABLE maka_session_tombstones (
    session_id TEXT NOT NULL PRIMARY KEY,
    removed_at INTEGER NOT NULL
) WITHOUT ROWID;

-- How many items of each list stand at each status, kept in the list's own transaction. All three
-- are NULL where the list's row was found damaged.
CREATE TABLE maka_todo_counts (
    session_id TEXT NOT NULL PRIMARY KEY,
    pending INTEGER,
    in_progress INTEGER,
    completed INTEGER
) WITHOUT ROWID;

CREATE INDEX maka_todo_counts_unfinished ON maka_todo_counts (session_id)
WHERE pending IS NULL OR pending + in_progress > 0;

-- Turns in the order of their first appearance. `client` is set on the Turn of a tool call that
-- came over a model connection.
CREATE TABLE maka_turns (
    session_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL CHECK (ordinal > 0),
    turn_id TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('running', 'committed', 'failed', 'cancelled', 'interrupted')),
    client TEXT,
    started_at INTEGER NOT NULL,
    settled_at INTEGER,
    PRIMARY KEY (session_id, ordinal),
    UNIQUE (session_id, turn_id)
) WITHOUT ROWID;

-- The transcript. A settled tool result keeps its outcome as data; surfaces derive the text.
CREATE TABLE maka_records (
    session_id TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    turn_id TEXT,
    kind TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    record_json TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)
);
