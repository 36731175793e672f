/**
 * SQL condition: the edit is parked because of the website limit. Must not fail on text that is not JSON. An index contains the
 * condition, so changing it needs a migration.
 */
export const IS_PARKED_BY_LIMIT = `state = 'parked' AND CASE WHEN json_valid(standing) THEN standing ->> '$.reason' END = 'website-limit'`

/**
 * SQL condition: the domain is stored in another spelling than the one in which domains are compared (src/shared/domain.ts). An
 * index contains the condition, so changing it needs a migration.
 */
export const IS_OTHER_SPELLING = `(domain GLOB '*[^a-z0-9_.-]*' OR domain GLOB 'www.*')`

/** Lowest rank of websites that are not created yet. Numeric ids above it are ranked by their position in the list. */
export const UNCREATED_RANK = 2 ** 52

/** A kind of database file: that of a connection or that of the app. */
export interface FileKind {
  /** SQLite's `application_id`, by which a file is recognized before it is opened. */
  applicationId: number
  /** SQL statements that create and upgrade the tables. A released migration is never changed; new ones are appended. */
  migrations: readonly string[]
  /** The table for values by name. */
  notes: 'meta' | 'setting'
}

/**
 * The file of a connection.
 *
 * - `website.rank` orders by "date created": a numeric id itself, else the position in the service's list. Websites that are not
 *   created yet rank higher.
 * - `activity` has own and remote changes. `edit` is the id of the edit whose result an entry is.
 * - `sent_edit` has the ids of applied edits that have left the activity, so that an import never sends one again.
 * - `late_write` may refer to websites that no longer exist.
 * - `meta` has row ids: without them, a search for a name would read the values of all rows that it passes, some of which have
 *   megabytes.
 */
export const connectionFile: FileKind = {
  applicationId: 0x5357434e,
  notes: 'meta',
  migrations: [
    `
    CREATE TABLE website (
      key TEXT PRIMARY KEY,
      id TEXT UNIQUE,
      rank INTEGER NOT NULL,
      domain TEXT NOT NULL,
      record TEXT,
      CHECK ((id IS NULL) = (record IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX website_order ON website (rank, domain);
    CREATE INDEX website_domain ON website (domain);
    CREATE INDEX website_spelling ON website (lower(domain)) WHERE ${IS_OTHER_SPELLING};

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
      note TEXT,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX edit_website ON edit (website, seq);
    CREATE INDEX edit_state ON edit (state, kind, seq);
    CREATE INDEX edit_deletes ON edit (website) WHERE kind = 'delete';
    CREATE INDEX edit_limited ON edit (seq) WHERE ${IS_PARKED_BY_LIMIT};

    CREATE TABLE activity (
      n INTEGER PRIMARY KEY AUTOINCREMENT,
      edit TEXT UNIQUE,
      website TEXT NOT NULL,
      domain TEXT NOT NULL,
      kind TEXT NOT NULL,
      remote INTEGER NOT NULL,
      at INTEGER NOT NULL,
      entry TEXT NOT NULL
    ) STRICT;
    CREATE INDEX activity_at ON activity (at);
    CREATE INDEX activity_website ON activity (website, at);
    CREATE INDEX activity_domain ON activity (domain, at);
    CREATE INDEX activity_kind ON activity (kind, at);
    CREATE INDEX activity_author ON activity (remote, at);
    CREATE INDEX activity_edit ON activity (website) WHERE edit IS NOT NULL;
    CREATE INDEX activity_result ON activity (n) WHERE edit IS NOT NULL;
    CREATE TABLE sent_edit (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE late_write (
      n INTEGER PRIMARY KEY AUTOINCREMENT,
      website TEXT NOT NULL,
      sealed BLOB,
      newest BLOB,
      request TEXT NOT NULL
    ) STRICT;
    CREATE INDEX late_write_website ON late_write (website, n);

    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    `,
    // Versions 2 to 5 were never released, and their changes are part of the first one.
    ...['', '', '', ''],
  ],
}

/** The app's own file, with the list of connections and the settings. */
export const appFile: FileKind = {
  applicationId: 0x53574150,
  notes: 'setting',
  migrations: [
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
  ],
}

/** The kinds of database files, by the name that a worker gets. */
export const fileKinds = { connection: connectionFile, app: appFile }
