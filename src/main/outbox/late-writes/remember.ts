import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { meansSame, pickSettings, pickTouched } from '../model/compare.ts'
import { type Base, type Edit } from '../model/edit.ts'
import type { LateWrite } from '../model/late-write.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Remembers the request of an edit that was in doubt and is given up: settled as not applied, parked, or superseded. In
 * the transaction that does so; `edit` as that request carried it, `base`: what is there now, as far as a read has told.
 */
export function rememberLateWrite(store: OutboxStore, edit: Edit, base: Base = edit.base): void {
  const website = store.website(edit.website)
  const found = pickTouched(pickSettings(base.settings), edit.settings)
  // What has arrived of it is from now on as it should be.
  const arrived = Object.fromEntries(
    Object.entries(pickSettings(edit.settings)).filter(([name]) =>
      meansSame(base.settings, edit.settings, name as SettingName),
    ),
  )
  // The same request, made again: one look at it is enough.
  for (const other of store.lateWritesOf(edit.website)) {
    if (isSameRequest(other, edit)) store.removeLateWrite(other.n)
    else store.saveLateWrite({ ...other, expected: { ...other.expected, ...pickTouched(arrived, other.settings) } })
  }
  store.addLateWrite({
    edit: edit.id,
    website: edit.website,
    domain: website?.domain ?? '',
    kind: edit.kind,
    settings: edit.kind === 'delete' ? {} : edit.settings,
    sealed: edit.kind === 'delete' ? null : edit.sealed,
    sent: edit.sent,
    expected: found,
    newest: null,
    updated_at: website?.record?.updated_at ?? null,
    // Seen to be there: a read that shows it as it was before may be behind.
    acknowledged: namesIn(arrived),
  })
}

const isSameRequest = (lateWrite: LateWrite, { id, settings, sealed }: Edit): boolean =>
  lateWrite.edit === id &&
  JSON.stringify(lateWrite.settings) === JSON.stringify(settings) &&
  isSameSecret(lateWrite.sealed, sealed)

export const isSameSecret = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/**
 * An edit was acknowledged: from here on its values are what the fields of the late writes of its website should be; of the other
 * fields, what a late write doesn't carry itself was written by others. In the transaction of the acknowledgement.
 */
export function updateLateWrites(store: OutboxStore, edit: Edit, record: WebsiteRecord): void {
  const lateWrites = store.lateWritesOf(edit.website).filter(({ kind }) => kind === 'update')
  // A read that shows the value of one of them, and not ours, shows what that one did.
  const harmed = settingNames.filter(
    (name) =>
      edit.settings[name] !== undefined &&
      !meansSame(edit.settings, record, name) &&
      lateWrites.some(({ settings }) => meansSame(record, settings, name)),
  )
  const kept = Object.fromEntries(harmed.map((name) => [name, edit.settings[name]]))
  const ours = pickTouched({ ...edit.settings, ...pickSettings(record), ...kept }, edit.settings)
  for (const lateWrite of lateWrites) {
    const expected = expectedAfter(lateWrite, record, lateWrites, edit.standing.state === 'sending')
    store.saveLateWrite({
      ...lateWrite,
      expected: { ...expected, ...pickTouched(ours, lateWrite.settings) },
      newest: lateWrite.sealed !== null && edit.sealed !== null ? edit.sealed : lateWrite.newest,
      updated_at: record.updated_at ?? null,
      moved: mayHaveMoved(lateWrite, edit, record),
      acknowledged: [...new Set([...(lateWrite.acknowledged ?? []), ...namesIn(ours)])],
    })
  }
}

/**
 * Whether what a late write carries, and the service doesn't show, may have arrived since ours was acknowledged: it hasn't where
 * the answer to ours says so. A later read may be of after it, and an answer to other fields tells nothing of it.
 */
function mayHaveMoved(lateWrite: LateWrite, edit: Edit, record: WebsiteRecord): boolean {
  if (edit.standing.state !== 'sending') return lateWrite.moved === true || record.updated_at !== lateWrite.updated_at
  const hidden = namesIn(lateWrite.settings).filter((name) => record[name] === undefined)
  const isCarried = hidden.every((name) => edit.settings[name] !== undefined)
  return !isCarried || (lateWrite.sealed !== null && edit.sealed === null)
}

/**
 * What a late write's fields should be after a read: a value that none of `late writes` (those of its website) can have brought was
 * written by others. A host may answer as things were before our acknowledgement: such a read is known by its time, and
 * without one it doesn't count against that. `answered`: the record is the answer to a write of ours, which is never so.
 */
export function expectedAfter(
  lateWrite: LateWrite,
  record: WebsiteRecord,
  lateWrites: LateWrite[],
  answered = false,
): Partial<WebsiteSettings> {
  const { settings, expected, updated_at, acknowledged = [] } = lateWrite
  if (Date.parse(record.updated_at ?? '') < Date.parse(updated_at ?? '')) return expected
  const others = namesIn(pickTouched(record, settings)).filter(
    (name) =>
      !meansSame(record, settings, name) &&
      !lateWrites.some((other) => other.kind === 'update' && hasLanded(other, record, name)) &&
      (answered || record.updated_at !== undefined || !acknowledged.includes(name)),
  )
  return { ...expected, ...Object.fromEntries(others.map((name) => [name, record[name]])) }
}

const namesIn = (settings: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter((name) => settings[name] !== undefined)

/** It carried something else than what should be there. */
export const isOther = ({ settings, expected }: LateWrite, name: SettingName): boolean =>
  settings[name] !== undefined && expected[name] !== undefined && !meansSame(expected, settings, name)

/** What is there is what it carried, and shouldn't be. */
export const hasLanded = (lateWrite: LateWrite, there: WebsiteRecord, name: SettingName): boolean =>
  isOther(lateWrite, name) && there[name] !== undefined && meansSame(there, lateWrite.settings, name)

/** Another password of ours was acknowledged since. */
export const carriesOldPassword = ({ sealed, newest }: LateWrite): boolean =>
  sealed !== null && newest !== null && Buffer.compare(sealed, newest) !== 0
