import type { Imported } from '../../shared/edit.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Edit, Standing } from './edit.ts'
import {
  exportedEditSchema,
  exportedWebsiteSchema,
  fileSchema,
  headSchema,
  parseBounded,
  VERSION,
  type ConnectionIdentity,
  type ExportedEdit,
  type ExportedWebsite,
} from './export-file.ts'
import { placeOf, type Places } from './import-place.ts'
import { checkImported, PASSWORD_LEFT_OUT } from './import-check.ts'
import type { OutboxStore } from './ports.ts'

/** Rows that are checked in a few milliseconds. */
const SLICE = 250

/** A file that was read and checked, row by row; nothing of it is taken yet. */
interface Read {
  websites: ExportedWebsite[]
  edits: (ExportedEdit | { unread: string })[]
}

/** What was taken of it, and the deletes among it, for their ten seconds. */
export interface Taken {
  imported: Imported
  deletes: string[]
}

/**
 * Takes an export of the same connection: edits that are known here, sent or not, are skipped, those whose password was
 * left out are parked, and what can't be taken is named. All that is taken is on disk, or nothing. Errors: `bad-file`,
 * `newer-version`, `other-connection`, `disk-full`, `storage`.
 */
export async function importEdits(
  store: OutboxStore,
  connection: ConnectionIdentity,
  text: string,
  newKey: () => string,
  pause: () => Promise<void>,
): Promise<Result<Taken>> {
  const parsed = parseBounded(text)
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  if (!file.success) return fail('bad-file')
  const websites: ExportedWebsite[] = []
  const edits: Read['edits'] = []
  for (const [at, row] of file.data.websites.entries()) {
    if (at % SLICE === SLICE - 1) await pause()
    const website = exportedWebsiteSchema.safeParse(row)
    if (website.success) websites.push(website.data)
  }
  const same = store.read(() => ok(isSame(store, connection, file.data.connection, websites)))
  if (!same.ok) return same
  if (!same.value) return fail('other-connection')
  for (const [at, row] of file.data.edits.entries()) {
    if (at % SLICE === SLICE - 1) await pause()
    const edit = exportedEditSchema.safeParse(row)
    edits.push(edit.success ? edit.data : { unread: websiteNamedBy(row) })
  }
  return store.write(() => ok(take(store, { websites, edits }, newKey)))
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

function take(store: OutboxStore, { websites, edits }: Read, newKey: () => string): Taken {
  const places: Places = new Map()
  const known = new Map(websites.map((website) => [website.key, website]))
  const imported: Imported = { added: 0, skipped: 0, parked: 0, refused: [] }
  const deletes: string[] = []
  for (const edit of edits) {
    const website = known.get('unread' in edit ? edit.unread : edit.website)
    const refuse = ({ error }: { error: AppError }) => imported.refused.push({ domain: website?.domain ?? '', error })
    if ('unread' in edit) refuse(fail('bad-file'))
    else if (store.edit(edit.id) !== null || store.wasApplied(edit.id)) imported.skipped += 1
    else if (website === undefined) refuse(fail('website-gone'))
    else {
      const checked = checkImported(edit, website)
      const place = checked.ok ? placeOf(store, places, edit, website, newKey) : checked
      if (!place.ok) refuse(place)
      else {
        store.addEdit(toEdit(edit, place.value))
        imported.added += 1
        imported.parked += Number(edit.password && edit.standing.state !== 'inDoubt')
        if (edit.kind === 'delete') deletes.push(edit.id)
      }
    }
  }
  return { imported, deletes }
}

/** One without its password waits for it; in doubt it's settled first, by reading. */
function toEdit({ password, standing, ...edit }: ExportedEdit, website: string): Omit<Edit, 'seq'> {
  const sealed = password ? PASSWORD_LEFT_OUT : null
  const waits = password && standing.state === 'queued'
  const parked: Standing = { state: 'parked', reason: 'password', error: null, theirs: null }
  return { ...edit, website, sealed, standing: waits ? parked : standing }
}

function websiteNamedBy(row: unknown): string {
  const website: unknown = typeof row === 'object' && row !== null && 'website' in row ? row.website : ''
  return typeof website === 'string' ? website : ''
}
