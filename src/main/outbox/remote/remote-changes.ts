import type { WebsiteRecord } from '../../../shared/website.ts'
import { pickSettings, pickTouched } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'

interface Answered {
  /** The record that the update was merged with. */
  merged: WebsiteRecord
  answer: WebsiteRecord
  /** The time in milliseconds since 1970, for display only. */
  at: number
}

/**
 * Records what the answer to an update shows beyond the merge: changes that other clients made between our read and
 * our write (docs/sync.md#reading-before-a-write). Nothing is noted while a late write of ours may explain the difference. Call
 * it in the transaction of the acknowledgement.
 */
export function noteRemoteChanges(store: OutboxStore, edit: Edit, { merged, answer, at }: Answered): void {
  // A late create makes another website, and changes nothing of this one.
  if (edit.kind !== 'update' || store.lateWritesOf(edit.website).some(({ kind }) => kind !== 'create')) return
  const { updated_at } = answer
  const before = { ...merged, ...pickTouched(answer, edit.settings), ...(updated_at !== undefined && { updated_at }) }
  // The service may derive from the privacy whether there is a password.
  if (edit.sealed !== null || edit.settings.privacy !== undefined) Object.assign(before, passwordOf(answer))
  // A field that the answer does not show is unchanged.
  store.noteRemote(edit.website, before, { ...before, ...pickSettings(answer), ...passwordOf(answer) }, at)
}

const passwordOf = ({ password }: WebsiteRecord) => (password === undefined ? {} : { password })
