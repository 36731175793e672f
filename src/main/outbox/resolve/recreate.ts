import { fail, ok, type Result } from '../../../shared/result.ts'
import { checkDraft } from '../../../shared/validate.ts'
import { createDefaults, PRIVACY, type WebsiteSettings } from '../../../shared/website.ts'
import { checkDomainIsFree } from '../enqueue/commands.ts'
import { pickSettings } from '../model/compare.ts'
import { isUnreadable, type Edit } from '../model/edit.ts'
import type { OutboxStore, Website } from '../ports.ts'

/** Returns the last known settings of a deleted website with the edit applied. */
export const settingsToRecreate = ({ settings }: Edit, { record }: Website): WebsiteSettings => ({
  ...createDefaults,
  ...pickSettings(record ?? {}),
  ...settings,
})

/**
 * Creates a website again that was deleted on the service, under the same key but without its statistics. `typed`: a new
 * password; otherwise a pending one is used. Errors: `website-gone`, `storage` (it has an unreadable edit), `invalid-input`.
 */
export function recreateWebsite(store: OutboxStore, edit: Edit, typed: Uint8Array | null): Result<void> {
  const website = store.website(edit.website)
  if (website === null) return fail('website-gone')
  const edits = store.editsOf(website.key)
  if (edits.some(isUnreadable)) return fail('storage')
  const { key, domain } = website
  const free = checkDomainIsFree(store, domain, { but: key })
  if (!free.ok) return free
  const settings = settingsToRecreate(edit, website)
  const waiting = edit.sealed?.length === 0 ? null : edit.sealed
  const sealed = settings.privacy === PRIVACY.password ? (typed ?? waiting) : null
  const fields = checkDraft({ ...settings, domain }, sealed !== null)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })

  const { id, changedAt } = edit
  // A list that was read earlier may still show the deleted website and must not bring it back.
  store.acknowledgeDelete(key)
  store.addWebsite(key, domain)
  // Late updates and deletes of the deleted website cannot reach the new one. A late create could still make a second one.
  for (const { n, kind } of store.lateWritesOf(key)) if (kind !== 'create') store.removeLateWrite(n)
  const create = { id, website: key, kind: 'create', settings, sealed, base: { settings: {} }, changedAt } as const
  store.addEdit({ ...create, standing: { state: 'queued' }, attempts: 0, sent: null })
  return ok(undefined)
}
