import { fail, ok, type Result } from '../../shared/result.ts'
import {
  exportedEditSchema,
  exportedWebsiteSchema,
  fileSchema,
  headSchema,
  parseBounded,
  VERSION,
  type ConnectionIdentity,
  type ExportedWebsite,
} from './export-file.ts'
import { checkImported } from './import-check.ts'
import { createImportPlan, type ImportRow, type Taken } from './import-plan.ts'
import type { OutboxStore } from './ports.ts'

/** Rows that are checked, and looked for here, in a few milliseconds. */
const SLICE = 100

/**
 * Takes an export of the same connection: edits that are known here, sent or not, are skipped, those whose password was
 * left out are parked, and what can't be taken is named. All that is taken is on disk, or nothing. It's read and planned
 * in slices, between which others get their turn (`pause`), so that the one transaction has nothing but rows to add.
 * Errors: `bad-file`, `newer-version`, `other-connection`, `disk-full`, `storage`.
 */
export async function importEdits(
  store: OutboxStore,
  connection: ConnectionIdentity,
  text: string,
  newKey: () => string,
  pause: () => Promise<void>,
): Promise<Result<Taken>> {
  const parsed = await parseBounded(text, pause)
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  if (!file.success) return fail('bad-file')
  const websites: ExportedWebsite[] = []
  for await (const rows of slicesOf(file.data.websites, pause)) {
    websites.push(...rows.flatMap((row) => exportedWebsiteSchema.safeParse(row).data ?? []))
  }
  const begun = store.read(() =>
    isSame(store, connection, file.data.connection, websites) ? ok(store.changes()) : fail('other-connection'),
  )
  if (!begun.ok) return begun

  const known = new Map(websites.map((website) => [website.key, website]))
  const plan = createImportPlan(store, newKey)
  const read: ImportRow[] = []
  for await (const slice of slicesOf(file.data.edits, pause)) {
    const rows = slice.map((row) => readRow(row, known))
    const planned = store.read(() => ok(plan.add(rows)))
    if (!planned.ok) return planned
    read.push(...rows)
  }
  return store.write(() => {
    if (store.changes() === begun.value) return ok(plan.carryOut())
    // Something was written meanwhile, and where the edits go may be another place now.
    const anew = createImportPlan(store, newKey)
    anew.add(read)
    return ok(anew.carryOut())
  })
}

async function* slicesOf(rows: unknown[], pause: () => Promise<void>): AsyncGenerator<unknown[]> {
  for (let from = 0; from < rows.length; from += SLICE) {
    if (from > 0) await pause()
    yield rows.slice(from, from + SLICE)
  }
}

function readRow(row: unknown, websites: Map<string, ExportedWebsite>): ImportRow {
  const edit = exportedEditSchema.safeParse(row).data ?? null
  const website = websites.get(edit?.website ?? websiteNamedBy(row)) ?? null
  const checked = edit === null || website === null ? ok(undefined) : checkImported(edit, website)
  return { edit, website, error: checked.ok ? null : checked.error }
}

/**
 * Where one of the two doesn't know its account, it's the same if it was made here, or if a website that was seen there is
 * one that is seen here: nothing may ever go to another account.
 */
function isSame(
  store: OutboxStore,
  here: ConnectionIdentity,
  there: ConnectionIdentity,
  websites: ExportedWebsite[],
): boolean {
  if (here.address !== there.address) return false
  if (here.account !== null && there.account !== null) return here.account === there.account
  return (
    here.id === there.id || websites.some(({ id, domain }) => id !== null && store.websiteOfId(id)?.domain === domain)
  )
}

function websiteNamedBy(row: unknown): string {
  const website: unknown = typeof row === 'object' && row !== null && 'website' in row ? row.website : ''
  return typeof website === 'string' ? website : ''
}
