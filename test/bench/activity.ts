import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/main/storage/store.ts'
import type { ActivityQuery } from '../../src/shared/activity.ts'
import type { Figure } from './measure.ts'

/** Twice the number of activity entries that the app keeps. */
const ENTRIES = 200_000
const WEBSITES = 1000
const MS_BETWEEN_ENTRIES = 60_000
const PAGE_SIZE = 100
const GOAL_MS = 20

const FILL = `WITH RECURSIVE numbers (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM numbers WHERE i < ${String(ENTRIES)})
  INSERT INTO activity (edit, website, domain, kind, remote, at, entry)
  SELECT NULL, 'k' || (i % ${String(WEBSITES)}), 'n' || (i % ${String(WEBSITES)}) || '.example',
    CASE i % 3 WHEN 0 THEN 'changed' WHEN 1 THEN 'added' ELSE 'deleted' END, 1, i * ${String(MS_BETWEEN_ENTRIES)},
    '{"fields":["email"],"before":{"email":false},"after":{"email":true}}' FROM numbers`

/** Measures how long main takes to read a page of the activity, with each filter, at its beginning, middle and end. */
export async function activityPage(_: undefined, quick: boolean): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-bench-'))
  const file = join(folder, 'activity.db')
  try {
    const made = openStore(file)
    if (!made.ok) throw new Error(made.error.code)
    await made.value.close()
    const db = new Database(file)
    db.exec(FILL)
    db.close()
    const opened = openStore(file)
    if (!opened.ok) throw new Error(opened.error.code)
    const store = opened.value
    const ours: number[] = []
    for (let round = 0; round < (quick ? 2 : 15); round++) {
      for (const query of queries()) {
        const begun = performance.now()
        const { records } = store.activity(query)
        ours.push(performance.now() - begun)
        if (records.length === 0) throw new Error(`no entry for ${JSON.stringify(query)}`)
      }
    }
    await store.close()
    return {
      what: `a page of ${String(PAGE_SIZE)} of ${ENTRIES.toLocaleString('en')} entries of the activity, the slowest of any filter and place`,
      ours,
      baseline: [GOAL_MS],
      against: '20 ms',
      unit: 'ms',
      percentile: 1,
      goal: { times: 1 },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function queries(): ActivityQuery[] {
  const filters = [
    {},
    { website: 'k7' },
    { domain: 'n7.example' },
    { kind: 'changed' },
    { author: 'remote' },
    { website: 'k7', kind: 'added' },
    { domain: 'n7.example', author: 'remote' },
    { from: MS_BETWEEN_ENTRIES, until: ENTRIES * MS_BETWEEN_ENTRIES },
  ] as const
  const places = [1, 0.5, 0.01].map((share) => ({ after: { at: ENTRIES * MS_BETWEEN_ENTRIES * share + 1, n: 0 } }))
  return filters.flatMap((filter) => places.map((place) => ({ ...filter, ...place, limit: PAGE_SIZE })))
}
