import { readJson } from '../../shared/json.ts'
import type { LateWriteStore } from '../outbox/ports.ts'
import { lateWriteSchema, type LateWrite } from '../outbox/model/late-write.ts'
import type { Db } from './sqlite.ts'

interface Row {
  n: number
  website: string
  sealed: Uint8Array | null
  newest: Uint8Array | null
  request: string
}

export function lateWriteStore(db: Db): LateWriteStore {
  const add = db.prepare<Omit<Row, 'n'>>(
    'INSERT INTO late_write (website, sealed, newest, request) VALUES (@website, @sealed, @newest, @request)',
  )
  const save = db.prepare<Row>(
    'UPDATE late_write SET website = @website, sealed = @sealed, newest = @newest, request = @request WHERE n = @n',
  )
  const remove = db.prepare<[number]>('DELETE FROM late_write WHERE n = ?')
  const ofWebsite = db.prepare<[string], Row>('SELECT * FROM late_write WHERE website = ? ORDER BY n')
  const websites = db.prepare<[], { website: string; latest: number }>(
    'SELECT website, max(n) AS latest FROM late_write GROUP BY website ORDER BY latest',
  )

  return {
    addLateWrite: (lateWrite) => void add.run(toRow(lateWrite)),
    saveLateWrite: (lateWrite) => void save.run({ ...toRow(lateWrite), n: lateWrite.n }),
    removeLateWrite: (n) => void remove.run(n),
    lateWritesOf: (website) => ofWebsite.all(website).map(toLateWrite),
    lateWriteWebsites: () => websites.all(),
  }
}

const toRow = ({ website, sealed, newest, ...request }: Omit<LateWrite, 'n'>): Omit<Row, 'n'> => ({
  website,
  sealed,
  newest,
  request: JSON.stringify(request),
})

/** Returns an unreadable late write without values. The next look for late writes of its website removes it. */
function toLateWrite({ n, website, sealed, newest, request }: Row): LateWrite {
  const read = lateWriteSchema.safeParse({ ...(readJson(request) as object), n, website, sealed, newest })
  return read.data ?? { ...UNREADABLE_FIELDS, n, website }
}

const UNREADABLE_FIELDS: Omit<LateWrite, 'n' | 'website'> = {
  edit: '',
  domain: '',
  kind: 'update',
  settings: {},
  sealed: null,
  sent: null,
  expected: {},
  newest: null,
  updated_at: null,
}
