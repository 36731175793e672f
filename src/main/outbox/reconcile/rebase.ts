import type { SettingName, WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import { differingValuesInLaterRead, remoteChangeTest } from '../model/compare-with-record.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from '../model/compare.ts'
import { isUnsent, type Base, type Edit } from '../model/edit.ts'
import { updatedAtForLaterEdits } from '../model/service-time.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Rebases the edit behind a sent one, whose base has the values that were sent. Where the service responded with other values,
 * the base gets those, because no other client has set them. Call it in the transaction of the acknowledgment.
 */
export function rebaseBehind(store: OutboxStore, edit: Edit, record: WebsiteRecord): void {
  const behind = store.editsOf(edit.website).find(({ seq }) => seq > edit.seq)
  if (behind === undefined || !isUnsent(behind) || behind.kind === 'create') return
  // Only a response surely shows what became of our values. A later read may show what another client has set.
  const answered = edit.standing.state === 'sending'
  const settings = answered ? baseValuesAfterAnswer(edit, behind.base, record) : behind.base.settings
  const base: Base = { domain: record.domain, ...behind.base, settings }
  // Use the `updated_at` of the first record with the edit's values. A later one may come from another client's change, which the
  // user has not seen.
  const time = (answered ? undefined : edit.sent?.shown?.updated_at) ?? updatedAtForLaterEdits(edit, record)
  // If a read no longer shows the edit's values, its `updated_at` comes from another client's change, which the user has not
  // seen.
  const isReplaced = !answered && edit.sent?.shown === undefined && isOverwrittenByOthers(edit, record)
  if (!isReplaced && behind.base.updated_at === edit.base.updated_at) {
    if (time === undefined) delete base.updated_at
    else base.updated_at = time
  }
  store.saveEdit({ ...behind, base })
}

const isOverwrittenByOthers = (edit: Edit, record: WebsiteRecord): boolean =>
  edit.kind === 'update' && namesIn(differingValuesInLaterRead(edit, record)).some(remoteChangeTest(edit.settings))

/** Replaces base values that the edit has sent by those that the service responded with. */
function baseValuesAfterAnswer(edit: Edit, base: Base, record: WebsiteRecord): Partial<WebsiteSettings> {
  const ours = namesIn(edit.settings).filter((name) => isSameIgnoringOrder(base.settings, edit.settings, name))
  return { ...base.settings, ...pickNamed(record, ours) }
}

/**
 * Updates a create that is parked because this website exists: the user is then shown the values that we have just set, which
 * adopting the website would overwrite. Call it in the transaction of the acknowledgment.
 */
export function rebaseParkedCreate(store: OutboxStore, edit: Edit, record: WebsiteRecord): void {
  for (const { key } of store.websitesOfDomain(record.domain)) {
    const create = key === edit.website ? undefined : store.editsOf(key)[0]
    if (create?.kind !== 'create' || create.standing.state !== 'parked' || create.standing.theirs?.id !== record.id)
      continue
    const { theirs } = create.standing
    const ours = namesIn(edit.settings).filter((name) => isValueFromEdit(edit, record, name))
    const now: WebsiteRecord = { ...theirs, ...pickNamed(record, ours) }
    if (edit.sealed !== null && record.password !== undefined) now.password = record.password
    if (theirs.updated_at === edit.base.updated_at && record.updated_at !== undefined)
      now.updated_at = record.updated_at
    store.saveEdit({ ...create, standing: { ...create.standing, theirs: now } })
  }
}

/** A response has only values from our edit. In a later read, a value that we did not send may be another client's. */
const isValueFromEdit = ({ standing, settings }: Edit, record: WebsiteRecord, name: SettingName): boolean =>
  standing.state === 'sending' || isSameIgnoringOrder(record, settings, name)
