import { m } from '../../../messages/index.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import type { ChangedField, RemoteChange } from '../../../shared/website.ts'
import { formatList, formatTime, number } from '../../../shared/display/format.ts'

/** Returns the fields that someone else changed, or undefined if they are unknown: "Privacy and Excluded IP addresses (2 added)". */
export function remoteChangeFields({ what, fields }: RemoteChange): string | undefined {
  if (what === 'added' || fields === undefined) return undefined
  return fields.length === 0 ? m.remote_field_unseen() : formatList(fields.map(changedField))
}

function changedField({ name, added = 0, removed = 0 }: ChangedField): string {
  const texts = { field: fieldLabel(name), added: number(added), removed: number(removed) }
  if (added > 0 && removed > 0) return m.remote_field_added_removed(texts)
  if (added > 0) return m.remote_field_added(texts)
  return removed > 0 ? m.remote_field_removed(texts) : texts.field
}

/** Returns all that is known about a remote change, on one line. */
export function remoteChangeSeen(remoteChange: RemoteChange, time = formatTime(remoteChange.at)): string {
  if (remoteChange.what === 'added') return m.remote_added_seen({ time })
  const fields = remoteChangeFields(remoteChange)
  return fields === undefined ? m.remote_changed_seen({ time }) : m.remote_changed_fields_seen({ fields, time })
}
