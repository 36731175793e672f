import type { WebsiteRecord } from '../../../shared/website.ts'
import { hasChangedSince, isOtherWebsite } from '../model/compare-with-record.ts'
import { pickCommon } from '../model/compare.ts'
import { baseOf, type Edit } from '../model/edit.ts'
import { isEmptyMerge, merge, oursOf } from './merge.ts'
import { noChange, park, type EditOutcome } from '../model/edit-outcome.ts'

/**
 * Merges the edit with the current record, which becomes its base (docs/sync.md#merging). Returns the edit with the values to
 * send, or an outcome if there is nothing to send or a conflict.
 */
export function prepareRequest(edit: Edit, remote: WebsiteRecord): { send: Edit } | EditOutcome {
  if (edit.kind === 'delete')
    return hasChangedSince(edit.base, remote) ? park('conflict', null, remote) : { send: edit }
  const merged = merge(edit.base, remote, oursOf(edit))
  if (merged.conflicts.length > 0 || isOtherWebsite(edit.base, remote)) return park('conflict', null, remote)
  if (isEmptyMerge(merged)) return noChange(remote)
  const { settings, password } = merged
  const overwrites = edit.note?.overwrites
  // When the rest of an edit is sent again, the values that its first part has overwritten stay in the note.
  const written = { ...edit.note?.resent?.settings, ...settings }
  return {
    send: {
      ...edit,
      settings,
      sealed: password ? edit.sealed : null,
      base: baseOf(
        { ...edit.base.settings, ...pickCommon(remote, edit.settings) },
        remote.updated_at,
        edit.base.domain,
      ),
      ...(overwrites && { note: { ...edit.note, overwrites: pickCommon(overwrites, written) } }),
    },
  }
}
