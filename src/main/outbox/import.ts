import type { Imported } from '../../shared/edit.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import {
  exportedWebsiteSchema,
  fileSchema,
  headSchema,
  VERSION,
  type ConnectionIdentity,
  type ExportedWebsite,
} from './export-file.ts'
import { parseInSlices } from './import-parse.ts'
import { takeStories, type Story } from './import-story.ts'
import { finishStaged, SLICE, stage, type Importing } from './import-stage.ts'

/**
 * Takes an export of the same connection: edits that are known here, sent or not, are skipped, those whose password was
 * left out are parked, and what can't be taken is named. All that is taken is on disk, or nothing; a long file is put
 * there in slices first (import-stage.ts). Errors: `bad-file`, `newer-version`, `other-connection`, `disk-full`, `storage`.
 */
export async function importEdits(
  importing: Importing,
  connection: ConnectionIdentity,
  text: string,
): Promise<Result<Imported>> {
  const { store, newKey, pause, onDeletes } = importing
  const parsed = await parseInSlices(text, pause)
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  if (!file.success) return fail('bad-file')
  const websites: ExportedWebsite[] = []
  for (let from = 0; from < file.data.websites.length; from += SLICE) {
    if (from > 0) await pause()
    const rows = file.data.websites.slice(from, from + SLICE)
    websites.push(...rows.flatMap((row) => exportedWebsiteSchema.safeParse(row).data ?? []))
  }
  const same = await isSame(importing, connection, file.data.connection, websites)
  if (!same.ok) return same
  if (!same.value) return fail('other-connection')

  const rows = storiesOf(file.data.edits, websites)
  // One slice is all or nothing by itself.
  if (rows.length <= SLICE) {
    const taken = store.write(() => ok(takeStories(store, newKey, rows)))
    if (!taken.ok) return taken
    onDeletes(taken.value.deletes)
    return ok(taken.value.imported)
  }
  const stories = together(rows)
  await pause()
  const staged = await stage(importing, stories)
  return staged.ok ? finishStaged(importing) : staged
}

/** Each edit by itself. */
function storiesOf(edits: unknown[], websites: ExportedWebsite[]): Story[] {
  const known = new Map(websites.map((website) => [website.key, website]))
  const onService = new Set(websites.flatMap(({ id, domain }) => (id === null ? [] : [domain])))
  return edits.map((row) => {
    const website = known.get(websiteNamedBy(row)) ?? null
    return { website, beside: website?.id === null && onService.has(website.domain), edits: [row] }
  })
}

/**
 * The edits of each website in one, so that none is told without what goes before it. Between websites only a create has
 * to come behind a delete, and no delete moves back by this.
 */
function together(rows: Story[]): Story[] {
  const stories = new Map<string, Story>()
  return rows.flatMap(({ website, beside, edits }) => {
    const known = website === null ? undefined : stories.get(website.key)
    known?.edits.push(...edits)
    if (known !== undefined) return []
    const story = { website, beside, edits: [...edits] }
    if (website !== null) stories.set(website.key, story)
    return [story]
  })
}

/**
 * Where one of the two doesn't know its account, it's the same if it was made here, or if a website that was seen there is
 * one that is seen here: nothing may ever go to another account.
 */
async function isSame(
  { store, pause }: Importing,
  here: ConnectionIdentity,
  there: ConnectionIdentity,
  websites: ExportedWebsite[],
): Promise<Result<boolean>> {
  if (here.address !== there.address) return ok(false)
  if (here.account !== null && there.account !== null) return ok(here.account === there.account)
  if (here.id === there.id) return ok(true)
  for (let from = 0; from < websites.length; from += SLICE) {
    if (from > 0) await pause()
    const slice = websites.slice(from, from + SLICE)
    const seen = store.read(() =>
      ok(slice.some(({ id, domain }) => id !== null && store.websiteOfId(id)?.domain === domain)),
    )
    if (!seen.ok || seen.value) return seen
  }
  return ok(false)
}

function websiteNamedBy(row: unknown): string {
  const website: unknown = typeof row === 'object' && row !== null && 'website' in row ? row.website : ''
  return typeof website === 'string' ? website : ''
}
