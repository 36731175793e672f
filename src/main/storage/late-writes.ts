import type { OutboxStore } from '../outbox/ports.ts'
import { straySchema, type Stray } from '../outbox/model/stray.ts'
import { readJson } from './json.ts'
import type { Db } from './sqlite.ts'

type LateWriteStore = Pick<OutboxStore, 'addStray' | 'saveStray' | 'removeStray' | 'straysOf' | 'strayWebsites'>

interface Row {
  n: number
  website: string
  sealed: Uint8Array | null
  newest: Uint8Array | null
  request: string
}

/** Stores the late writes of a connection (docs/sync.md#late-writes). */
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
    addStray: (stray) => void add.run(toRow(stray)),
    saveStray: (stray) => void save.run({ ...toRow(stray), n: stray.n }),
    removeStray: (n) => void remove.run(n),
    straysOf: (website) => ofWebsite.all(website).map(toStray),
    strayWebsites: () => websites.all(),
  }
}

const toRow = ({ website, sealed, newest, ...request }: Omit<Stray, 'n'>): Omit<Row, 'n'> => ({
  website,
  sealed,
  newest,
  request: JSON.stringify(request),
})

/** Returns an unreadable late write without values. It is removed after the next check of its website. */
function toStray({ n, website, sealed, newest, request }: Row): Stray {
  const read = straySchema.safeParse({ ...(readJson(request) as object), n, website, sealed, newest })
  return read.data ?? { ...NOTHING, n, website }
}

const NOTHING: Omit<Stray, 'n' | 'website'> = {
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
