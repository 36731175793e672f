import { m } from '../../../messages/index.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { staysBehind } from '../enqueue/coalesce.ts'
import { taken } from '../enqueue/commands.ts'
import { isSent, isUnsent } from '../model/edit.ts'
import type { ExportedEdit, ExportedWebsite } from './export-file.ts'
import type { OutboxStore } from '../ports.ts'

/** Where an edit of a file goes. */
export interface Place {
  /** The local key of its website. */
  key: string
  /** The website, where it's to be made first. */
  makes: ExportedWebsite | null
}

/**
 * Answers, edit by edit, where those of a file go, as if each one were there before the next is asked for; nothing is
 * written. `beside`: its file has another website of the domain, which the service has. Errors: `website-gone`;
 * `invalid-input` where other edits wait there, or its domain is in the list already; `bad-file` where it can't follow the
 * edits before it.
 */
export type Placing = (edit: ExportedEdit, website: ExportedWebsite, beside: boolean) => Result<Place>

export function createPlacing(store: OutboxStore, newKey: () => string): Placing {
  /** The file's key of a website -> its key here. */
  const keys = new Map<string, string>()
  const editsAt = new Map<string, ExportedEdit[]>()
  const madeOfId = new Map<string, ExportedWebsite>()
  const madeOfDomain = new Map<string, string[]>()

  function put(
    edit: ExportedEdit,
    website: ExportedWebsite,
    key: string,
    makes: ExportedWebsite | null,
  ): Result<Place> {
    keys.set(website.key, key)
    editsAt.set(key, [...(editsAt.get(key) ?? []), edit])
    if (makes !== null && website.id !== null) madeOfId.set(website.id, website)
    else if (makes !== null) madeOfDomain.set(website.domain, [...(madeOfDomain.get(website.domain) ?? []), key])
    return ok({ key, makes })
  }

  const lastKind = (key: string) => (editsAt.get(key) ?? store.editsOf(key)).at(-1)?.kind

  /** Whether a website of this domain is here, and stays; not one that was beside it there as well. */
  function isTaken(domain: string, beside: boolean): boolean {
    const here = store.websitesOfDomain(domain).filter(({ id }) => id === null || !beside)
    const keys = [...here.map(({ key }) => key), ...(madeOfDomain.get(domain) ?? [])]
    return keys.some((key) => lastKind(key) !== 'delete')
  }

  return (edit, website, beside) => {
    const { key, id, domain } = website
    const placed = keys.get(key)
    if (placed !== undefined) {
      return follows(editsAt.get(placed) ?? [], edit) ? put(edit, website, placed, null) : fail('bad-file')
    }
    const twin = id === null ? undefined : madeOfId.get(id)
    if (twin !== undefined) return waiting(domainOf(twin))
    const there = store.website(key)
    // The same website: by the service's id, or, where it has none yet, by its key here.
    const here = id === null ? (there?.domain === domain ? there : null) : store.websiteOfId(id)
    if (here !== null) {
      // Two stories of one website can't be told as one; the user has the file still.
      if (editsAt.has(here.key) || store.editsOf(here.key).length > 0) return waiting(here.domain)
      // It has been created since, by another way than this edit.
      if (edit.kind === 'create' && id === null && here.id !== null) return taken(here.domain)
      return put(edit, website, here.key, null)
    }
    if (id === null && edit.kind !== 'create') return fail('website-gone')
    if (id === null && isTaken(domain, beside)) return taken(domain)
    return put(edit, website, there === null ? key : newKey(), website)
  }
}

/** Makes the website where it's needed. Within a write. */
export function makePlace(store: OutboxStore, { key, makes }: Place): void {
  if (makes === null) return
  const { id, domain, record } = makes
  store.addWebsite(key, domain)
  if (id !== null) store.acknowledge(key, record ?? { id, domain, extra: {} })
}

/** The domain that it has once it's made. */
const domainOf = ({ id, domain, record }: ExportedWebsite): string =>
  id === null ? domain : (record?.domain ?? domain)

/** One edit that is sent or in question, and one that isn't sent, behind it: there's never more of a website. */
const follows = (before: ExportedEdit[], edit: ExportedEdit): boolean =>
  before.length === 1 &&
  isUnsent(asEdit(edit)) &&
  before.map(asEdit).every((first) => isSent(first) || staysBehind(first, edit))

const asEdit = (edit: ExportedEdit) => ({ ...edit, seq: 0, sealed: null })

const waiting = (domain: string) => fail('invalid-input', { fields: { domain: [m.input_domain_pending({ domain })] } })
