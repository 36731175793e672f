import { readJson } from './json.ts'
import { recordsOf, type StoredRecord, type Value } from './records.ts'
import type { Snapshot } from './snapshot.ts'
import type { Db } from './sqlite.ts'

/** What a row of a table looks like in a page, without the page telling whose it is. */
export interface Shape {
  table: string
  columns: { name: string; type: string; nullable: boolean }[]
  /** How many values a row has at least: columns were only ever added behind. */
  least: number
  /** Laid out as an index. */
  withoutRowid: boolean
}

/** The shapes of a database's own tables, as its schema has them: each is STRICT, so types are what they're declared. */
export function shapesOf(db: Db): Shape[] {
  const tables = db
    .prepare<[], { name: string; wr: number }>(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .all()
  const columnsOf = db.prepare<
    [string],
    { name: string; type: string; notnull: number; dflt_value: string | null; pk: number }
  >('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
  return tables.map(({ name: table, wr }) => {
    const columns = columnsOf.all(table)
    const isRowid = (pk: number) => wr === 0 && pk > 0
    return {
      table,
      columns: columns.map(({ name, type, notnull, pk }) => ({
        name,
        type,
        nullable: isRowid(pk) || (notnull === 0 && pk === 0),
      })),
      least: columns.findLastIndex(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null) + 1,
      withoutRowid: wr === 1,
    }
  })
}

/** A row by its columns' names; one of an older version lacks the newest. */
export type Row = Record<string, Value>

export interface FoundRows {
  of(table: string): Row[]
  /** Entries of two texts in indexes: what a lost row had in one column, beside its key. */
  pairs: [string, string][]
  /** The highest number that a table has given, by its name. */
  sequences: Map<string, number>
  /** Records that can't be read, and pages that can't be told. */
  bad: number
}

const BLANK = Buffer.alloc(1)

/** Every row of these shapes that lies anywhere in a file. Freed ones aren't among them: `secure_delete` blanks them. */
export function findRows(snapshot: Snapshot, shapes: Shape[]): FoundRows {
  const rows = new Map<string, Row[]>(shapes.map(({ table }) => [table, []]))
  const found: FoundRows = {
    of: (table) => rows.get(table) ?? [],
    pairs: [],
    sequences: new Map(),
    bad: snapshot.isCut() || snapshot.logDamaged || !snapshot.isDatabase ? 1 : 0,
  }
  const pages = snapshot.pages()
  for (const [number, page] of pages) {
    const read = recordsOf(number, pages)
    // What starts with a zero is free, or goes on from another page; interior pages of tables hold no rows.
    if (read === null && page[0] !== 0 && page[number === 1 ? 100 : 0] !== 0x05) found.bad += 1
    if (page.every((byte) => byte === BLANK[0])) found.bad += 1
    found.bad += read?.bad ?? 0
    for (const record of read?.records ?? []) take(record)
  }
  return found

  function take(record: StoredRecord): void {
    const shape = shapes.find((candidate) => fits(record, candidate))
    const [first, second] = record.values
    if (shape !== undefined) rows.get(shape.table)?.push(rowOf(record, shape))
    else if (record.values.length !== 2 || typeof first !== 'string') return
    else if (typeof second === 'string') found.pairs.push([first, second])
    else if (record.rowid !== null && typeof second === 'number') {
      found.sequences.set(first, Math.max(second, found.sequences.get(first) ?? 0))
    }
  }
}

const IS: Record<string, (value: Value) => boolean> = {
  INTEGER: (value) => typeof value === 'number' && Number.isInteger(value),
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => value instanceof Buffer,
}

function fits({ rowid, values }: StoredRecord, shape: Shape): boolean {
  if (shape.withoutRowid !== (rowid === null)) return false
  if (values.length < shape.least || values.length > shape.columns.length) return false
  const typed = values.every((value, at) => {
    const column = shape.columns[at]
    return column !== undefined && (value === null ? column.nullable : IS[column.type]?.(value) === true)
  })
  return typed && (!isNotes(shape) || (/^\w+$/.test(String(values[0])) && readJson(String(values[1])) !== undefined))
}

/** A name with its value in JSON, which entries of indexes may look like. */
const isNotes = ({ columns }: Shape): boolean => columns.map(({ name }) => name).join() === 'name,value'

function rowOf({ rowid, values }: StoredRecord, { columns }: Shape): Row {
  const named = values.flatMap((value, at): [string, Value][] => {
    const column = columns[at]
    if (column === undefined) return []
    // The column that is the rowid itself is stored as null.
    return [[column.name, at === 0 && rowid !== null && value === null ? rowid : value]]
  })
  return Object.fromEntries(named)
}
