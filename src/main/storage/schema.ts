/**
 * Whether the person was asked about the plan's limit; a text that isn't JSON any more must not stop its row's removal. An
 * index has it too: to change it takes a migration.
 */
export const IS_LIMITED = `state = 'parked' AND CASE WHEN json_valid(standing) THEN standing ->> '$.reason' END = 'website-limit'`

/** What the index of states has; SQLite takes it for a question that says so in these words alone. */
export const STAYS = `state IN ('inDoubt', 'parked')`

/** How many edits there are of a state and a kind, where there are any. */
export const TALLY = `(
  SELECT substr(name, 6, length(name) - 12) AS state, substr(name, -6) AS kind, seq AS n FROM sqlite_sequence
  WHERE name LIKE 'edit %' AND seq > 0)`

/**
 * The tables of a connection's file, as numbered migrations: one that was released is never edited, the next is added
 * behind it.
 *
 * `website.rank` orders by "date created": the id itself where it's a number, else the place in the service's list;
 * websites not created yet rank above all of those. `website.run` isn't used any more: what a run has seen is known in memory.
 */
export const connectionMigrations: readonly string[] = [
  `
  CREATE TABLE website (
    key TEXT PRIMARY KEY,
    id TEXT UNIQUE,
    rank INTEGER NOT NULL,
    domain TEXT NOT NULL,
    record TEXT,
    run INTEGER NOT NULL DEFAULT 0,
    CHECK ((id IS NULL) = (record IS NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX website_rank ON website (rank);
  CREATE INDEX website_domain ON website (domain);

  CREATE TABLE edit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    website TEXT NOT NULL REFERENCES website (key) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('create', 'update', 'delete')),
    settings TEXT NOT NULL,
    sealed BLOB,
    base TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'inDoubt', 'parked')),
    standing TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    sent TEXT,
    changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX edit_website ON edit (website, seq);
  CREATE INDEX edit_state ON edit (state, seq);
  CREATE INDEX edit_deletes ON edit (website) WHERE kind = 'delete';

  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // What became of edits; `sent_edit`: the ids of those that were applied, so that an import never sends one again. A
  // stray is a request that may still land; its website may be gone, so neither is bound to one. `tally` counts the
  // edits in each state, as counting ten thousand of them takes its time.
  `
  ALTER TABLE edit ADD COLUMN note TEXT;
  CREATE INDEX edit_limited ON edit (seq) WHERE state = 'parked' AND instr(standing, '"website-limit"') > 0;

  CREATE TABLE history (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    website TEXT NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX history_website ON history (website, n);
  CREATE TABLE sent_edit (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE stray (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    website TEXT NOT NULL,
    sealed BLOB,
    newest BLOB,
    request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX stray_website ON stray (website, n);

  CREATE TABLE tally (
    state TEXT NOT NULL, kind TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (state, kind)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tally (state, kind, n) SELECT state, kind, count(*) FROM edit GROUP BY state, kind;
  CREATE TRIGGER edit_added AFTER INSERT ON edit BEGIN
    INSERT INTO tally (state, kind, n) VALUES (NEW.state, NEW.kind, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER edit_removed AFTER DELETE ON edit BEGIN
    UPDATE tally SET n = n - 1 WHERE state = OLD.state AND kind = OLD.kind;
  END;
  CREATE TRIGGER edit_moved AFTER UPDATE OF state, kind ON edit WHEN OLD.state <> NEW.state OR OLD.kind <> NEW.kind BEGIN
    UPDATE tally SET n = n - 1 WHERE state = OLD.state AND kind = OLD.kind;
    INSERT INTO tally (state, kind, n) VALUES (NEW.state, NEW.kind, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  `,
  // The plan's limit is told by the reason alone, whatever else the text says. `staged`: of a long import, website by
  // website, what isn't among the edits yet.
  `
  DROP INDEX edit_limited;
  CREATE INDEX edit_limited ON edit (seq) WHERE ${IS_LIMITED};
  CREATE TABLE staged (n INTEGER PRIMARY KEY AUTOINCREMENT, last INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
  `,
  // With the domain in it a search in the order of dates looks into the index alone, not at each website. `elsewhere`: what
  // others did to it that the person hasn't looked at yet.
  `
  DROP INDEX website_rank;
  CREATE INDEX website_order ON website (rank, domain);
  ALTER TABLE website ADD COLUMN elsewhere TEXT;
  CREATE INDEX website_elsewhere ON website (key) WHERE elsewhere IS NOT NULL;
  `,
  // A new edit writes as few pages as can be: how many there are of a state and a kind stands on the page of the numbers that were
  // given ('edit queued update', beside 'edit'), and what is queued isn't in the index of states.
  `
  DROP INDEX edit_state;
  CREATE INDEX edit_state ON edit (state, seq) WHERE state <> 'queued';
  DROP TRIGGER edit_added;
  DROP TRIGGER edit_removed;
  DROP TRIGGER edit_moved;
  WITH states (state) AS (VALUES ('queued'), ('sending'), ('inDoubt'), ('parked')),
    kinds (kind) AS (VALUES ('create'), ('update'), ('delete'))
  INSERT INTO sqlite_sequence (name, seq)
    SELECT 'edit ' || state || ' ' || kind, coalesce(n, 0) FROM states JOIN kinds LEFT JOIN tally USING (state, kind);
  DROP TABLE tally;
  CREATE TRIGGER edit_added AFTER INSERT ON edit BEGIN
    UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'edit ' || NEW.state || ' ' || NEW.kind;
  END;
  CREATE TRIGGER edit_removed AFTER DELETE ON edit BEGIN
    UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'edit ' || OLD.state || ' ' || OLD.kind;
  END;
  CREATE TRIGGER edit_moved AFTER UPDATE OF state, kind ON edit WHEN OLD.state <> NEW.state OR OLD.kind <> NEW.kind BEGIN
    UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'edit ' || OLD.state || ' ' || OLD.kind;
    UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'edit ' || NEW.state || ' ' || NEW.kind;
  END;
  `,
  // Nor does one that is sent: what is being sent isn't in the index of states, and that it was applied is told by the history
  // for as long as it's in there; `sent_edit` has those that have left it, and those that went into another edit.
  `
  DROP INDEX edit_state;
  CREATE INDEX edit_state ON edit (state, seq) WHERE ${STAYS};
  `,
]

/** Websites not created yet rank from here on; ids above it sort by their place in the list. */
export const UNCREATED_RANK = 2 ** 52

/** The tables of the app's own file. */
export const appMigrations: readonly string[] = [
  `
  CREATE TABLE connection (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    account_id TEXT,
    name TEXT NOT NULL,
    sample INTEGER NOT NULL,
    position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keychain_record (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
]
