import type { WebsiteRecord } from '../../../shared/website.ts'
import { pickSettings, pickCommon } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'

/** An update to which the service has responded with the website's record. */
interface AnsweredUpdate {
  /** The record that the update was merged with. */
  merged: WebsiteRecord
  answer: WebsiteRecord
  /** Milliseconds since 1970, for display only. */
  at: number
}

/**
 * Records what the response to an update shows beyond the merge: changes that other clients made between our read and our write
 * (docs/sync.md#reading-before-a-write). Records nothing while a late write of ours may explain the difference. Call it in the
 * transaction of the acknowledgment.
 */
export function noteRemoteChanges(store: OutboxStore, edit: Edit, { merged, answer, at }: AnsweredUpdate): void {
  // Only a late update can change a field: a late create makes another website, and a late delete removes this one.
  if (edit.kind !== 'update' || store.lateWritesOf(edit.website).some(({ kind }) => kind === 'update')) return
  noteDifferencesByOthers(store, edit.website, [edit], { merged, answer, at })
}

/** Records differences in fields that none of `requests` contained. Call it within `store.write`. */
export function noteDifferencesByOthers(
  store: Pick<OutboxStore, 'noteRemote'>,
  website: string,
  requests: readonly Pick<Edit, 'settings' | 'sealed'>[],
  { merged, answer, at }: AnsweredUpdate,
): void {
  const { updated_at } = answer
  const before = { ...merged, ...(updated_at !== undefined && { updated_at }) }
  for (const { settings, sealed } of requests) {
    Object.assign(before, pickCommon(answer, settings))
    // The service may derive `password` from the privacy that we have sent, so a difference in it is ours too.
    if (sealed !== null || settings.privacy !== undefined) Object.assign(before, passwordFlagOf(answer))
  }
  // A field that the response does not show is unchanged.
  store.noteRemote(website, before, { ...before, ...pickSettings(answer), ...passwordFlagOf(answer) }, at)
}

/** Returns whether the website has a password. Empty if the service does not show it. */
const passwordFlagOf = ({ password }: WebsiteRecord) => (password === undefined ? {} : { password })
