import { openStore } from '../../../src/main/storage/store.ts'
import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { ok } from '../../../src/shared/result.ts'
import { must } from '../outbox/rig.ts'

/** Returns a queued update of `email`. `more`: values that differ. */
export const anEdit = (id: string, website: string, more: Partial<Edit> = {}): Omit<Edit, 'seq'> => ({
  id,
  website,
  kind: 'update',
  settings: { email: true },
  sealed: null,
  base: { settings: { email: false }, updated_at: '2026-01-01' },
  standing: { state: 'queued' },
  attempts: 0,
  sent: null,
  changedAt: 1,
  ...more,
})

const STANDINGS: Edit['standing'][] = [
  { state: 'queued' },
  { state: 'sending' },
  { state: 'inDoubt', error: { code: 'timeout', message: '' } },
  { state: 'parked', reason: 'refused', error: null, theirs: null },
]

/** Returns edits in all states, each of another website. Some have a password, and some are longer than a page. */
export const manyEdits = (count: number): Omit<Edit, 'seq'>[] =>
  Array.from({ length: count }, (_, n) =>
    anEdit(`edit-${String(n)}-${'e'.repeat(20)}`, `key-${String(n)}-${'k'.repeat(20)}`, {
      kind: n % 3 === 0 ? 'create' : 'update',
      standing: STANDINGS[n % 4] ?? { state: 'queued' },
      sealed: n % 5 === 0 ? Buffer.from(`sealed-${String(n)}`) : null,
      settings: {
        exclude_ips: Array.from({ length: n % 50 === 0 ? 600 : n % 7 }, (__, ip) => `10.${String(n)}.0.${String(ip)}`),
      },
    }),
  )

/** Fills a connection's file with 100 websites and these edits. Each edit has its own website and transaction. */
export function fillStore(file: string, edits: Omit<Edit, 'seq'>[], { close = true } = {}): void {
  const store = must(openStore(file))
  const run = must(store.beginRun())
  const websites = Array.from({ length: 100 }, (_, n) => ({
    id: String(n + 1),
    domain: `website-${String(n)}.example`,
    privacy: 1 as const,
    extra: {},
  }))
  must(store.savePage({ run, mark: store.mark(), position: 0, websites }))
  must(store.completeRun(run, 5))
  for (const edit of edits) {
    must(
      store.write(() => {
        store.addWebsite(edit.website, `${edit.website}.example`)
        if (edit.kind !== 'create') {
          store.acknowledge(edit.website, { id: `id-of-${edit.website}`, domain: `${edit.website}.example`, extra: {} })
        }
        return ok(store.addEdit(edit))
      }),
    )
  }
  if (close) store.close()
}
