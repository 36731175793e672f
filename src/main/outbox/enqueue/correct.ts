import { m } from '../../../messages/index.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { checkDraft } from '../../../shared/validate.ts'
import { PRIVACY, settingNames, type SeenSettings } from '../../../shared/website.ts'
import { isSame, pickNamed, pickCommon } from '../model/compare.ts'
import { editAfterUserChange, isUnreadable, isUnsent, requeued, type Edit } from '../model/edit.ts'
import { isPossiblyCreated } from '../model/possibly-sent.ts'
import { joinedSaves, saveOf, savesOf } from '../model/saves.ts'
import type { OutboxStore, Website } from '../ports.ts'
import { pruneUnchanged } from './coalesce.ts'
import {
  checkDomainIsFree,
  queueUpdate,
  replaceUnsent,
  sentNoteForDomain,
  type NewWebsite,
  type EditStamp,
} from './commands.ts'
import { overlay } from './overlay.ts'

interface Correction extends NewWebsite {
  password: string | undefined
  /** The values that the form showed. */
  seen: SeenSettings | undefined
}

/**
 * Replaces an unsent create by a corrected draft, and keeps its password unless the user typed another. If the create was sent,
 * queues an update behind it instead (docs/sync.md#sent-and-unsent-edits). Errors: `website-gone`, `edit-gone` (an edit of the
 * website cannot be read), `invalid-input`.
 */
export function correctCreate(store: OutboxStore, correction: Correction, stamp: EditStamp): Result<void> {
  const website = store.website(correction.key)
  if (website === null) return fail('website-gone')
  const edits = store.editsOf(correction.key)
  const create = edits[0]
  if (edits.some(isUnreadable)) return fail('edit-gone')
  if (edits.at(-1)?.kind === 'delete') return fail('website-gone')
  if (create?.kind !== 'create' || !isUnsent(create) || website.id !== null) {
    return queueCorrectionBehindCreate(store, website, correction, stamp)
  }
  const { domain, settings, password } = correction
  // If the domain is unchanged, the create itself asks the user about an existing website with that domain.
  const free = website.domain === domain ? ok(undefined) : checkDomainIsFree(store, domain, { but: correction.key })
  if (!free.ok) return free
  const isLost = create.standing.state === 'parked' && create.standing.reason === 'password'
  const sealed = correction.sealed ?? (isLost ? null : create.sealed)
  const fields = checkDraft({ ...settings, domain, ...(password && { password }) }, sealed !== null)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  const again =
    website.domain === domain
      ? editAfterUserChange(create)
      : { ...requeued(create), sent: sentNoteForDomain(store, create, domain) }
  const corrected: Edit = { ...again, settings, sealed, note: noteWithCorrection(create, correction, website, stamp) }
  store.renameWebsite(correction.key, domain)
  if (website.domain !== domain) {
    // Pending deletes of that domain must be sent before the create, so the create becomes the last edit.
    store.removeEdit(create.id)
    store.addEdit({ ...corrected, sealed: settings.privacy === PRIVACY.password ? sealed : null })
  } else replaceUnsent(store, create, pruneUnchanged(corrected))
  return ok(undefined)
}

/** Adds the correction to the create's saves, so that it can be undone by itself (docs/sync.md#undo). */
function noteWithCorrection(
  create: Edit,
  { settings, domain, password }: Correction,
  website: Website,
  { changedAt: at, order }: EditStamp,
): Edit['note'] {
  const changed = saveOf(create.settings, settings, Boolean(password))
  const isRenamed = website.domain !== domain
  if (changed === null && !isRenamed) return create.note
  const before = isRenamed
    ? { domain: website.domain, ...(isPossiblyCreated(create) && { possiblyCreated: true }) }
    : {}
  const save = { before: {}, after: {}, password: false, ...changed, ...before, at, order }
  return { ...create.note, saves: joinedSaves(savesOf(create), [save]) }
}

/** Errors: `invalid-input` if the correction changes the domain, and those of {@link queueUpdate}. */
function queueCorrectionBehindCreate(
  store: OutboxStore,
  website: Website,
  correction: Correction,
  stamp: EditStamp,
): Result<void> {
  const { key, domain, settings, password, sealed } = correction
  if (domain !== website.domain) {
    const text = website.id === null ? m.input_domain_sending : m.input_domain_sent
    return fail('invalid-input', { fields: { domain: [text({ domain: website.domain })] } })
  }
  const seen = correction.seen ?? overlay(website, store.editsOf(key)).settings
  const changedNames = settingNames.filter((name) => !isSame(seen, settings, name))
  const changes = pickNamed(settings, changedNames)
  return queueUpdate(store, { key, settings: changes, password, sealed, seen: pickCommon(seen, changes) }, stamp)
}
