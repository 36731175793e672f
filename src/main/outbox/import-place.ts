import { fail, ok, type Result } from '../../shared/result.ts'
import { isSent, isUnsent } from './edit.ts'
import type { ExportedEdit, ExportedWebsite } from './export-file.ts'
import type { OutboxStore, Website } from './ports.ts'

/** Where the websites of a file are here: its key -> the key here. */
export type Places = Map<string, string>

/**
 * The local key of the website that an edit of a file belongs to; it's made where there is none. Errors: `website-gone`;
 * `invalid-input` where other edits wait there, or its domain is in the list already; `bad-file` where it can't follow the
 * edits before it.
 */
export function placeOf(
  store: OutboxStore,
  places: Places,
  edit: ExportedEdit,
  website: ExportedWebsite,
  newKey: () => string,
): Result<string> {
  const placed = places.get(website.key)
  if (placed !== undefined) return follows(store, placed, edit) ? ok(placed) : fail('bad-file')
  const here = whereIs(store, website)
  if (here !== null) return takePlace(store, places, edit, website, here)
  const key = store.website(website.key) === null ? website.key : newKey()
  if (website.id === null) {
    if (edit.kind !== 'create') return fail('website-gone')
    const stays = ({ key: other }: Website) => store.editsOf(other).at(-1)?.kind !== 'delete'
    if (store.websitesOfDomain(website.domain).some(stays)) return taken(website.domain)
    store.addWebsite(key, website.domain)
  } else {
    store.addWebsite(key, website.domain)
    store.acknowledge(key, website.record ?? { id: website.id, domain: website.domain, extra: {} })
  }
  places.set(website.key, key)
  return ok(key)
}

function takePlace(
  store: OutboxStore,
  places: Places,
  edit: ExportedEdit,
  website: ExportedWebsite,
  here: Website,
): Result<string> {
  // Two stories of one website can't be told as one; the person has the file still.
  if (store.editsOf(here.key).length > 0) {
    return fail('invalid-input', { fields: { domain: [`Other changes of ${here.domain} are waiting here already.`] } })
  }
  // It has been created since, by another way than this edit.
  const isCreate = edit.kind === 'create' && website.id === null
  if (isCreate && here.id !== null) return taken(here.domain)
  places.set(website.key, here.key)
  return ok(here.key)
}

/** The same website: by the service's id, or, where it has none yet, by its key here. */
function whereIs(store: OutboxStore, { key, id, domain }: ExportedWebsite): Website | null {
  if (id !== null) return store.websiteOfId(id)
  const here = store.website(key)
  return here !== null && here.domain === domain ? here : null
}

/** One edit that is sent, and one that isn't, behind it: there's never more of a website. */
function follows(store: OutboxStore, key: string, edit: ExportedEdit): boolean {
  const before = store.editsOf(key)
  const first = before[0]
  return before.length === 1 && first !== undefined && isSent(first) && isUnsent({ ...edit, seq: 0, sealed: null })
}

const taken = (domain: string) => fail('invalid-input', { fields: { domain: [`${domain} is in your list already.`] } })
