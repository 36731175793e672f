import { differingFields } from '../model/compare-with-record.ts'
import type { Edit } from '../model/edit.ts'
import { park, type EditOutcome } from '../model/edit-outcome.ts'

/**
 * Prepares an edit that only the backup has. It counts as possibly sent, so reading settles it. A parked edit stays parked,
 * unless it was parked for the website limit: it would then be sent as soon as there is room.
 */
export function asRestored(edit: Edit): Edit {
  const sent = { before: 'unknown' as const, date: null, accepted: false, ...edit.sent, doubted: true }
  if (edit.standing.state === 'parked' && edit.standing.reason !== 'website-limit') return { ...edit, sent }
  const attempts = Math.max(1, edit.attempts)
  return { ...edit, attempts, standing: { state: 'inDoubt', error: null }, sent: { ...sent, restored: true } }
}

/** True for an edit that comes from a backup until a read has settled it. */
export const isRestored = ({ sent }: Pick<Edit, 'sent'>): boolean => sent?.restored === true

/**
 * Judges a read of a restored edit. Later edits may be lost with the damaged file, so a read without the edit's values proves
 * that it was not sent only if nothing was written to the website since its base. Otherwise the edit is parked. If it was
 * applied, nothing of it is sent a second time.
 */
export function judgeRestored(edit: Edit, outcome: EditOutcome): EditOutcome {
  if (outcome.kind === 'applied') return { ...outcome, resend: null }
  if (outcome.kind !== 'notApplied' || isUntouched(edit, outcome)) return outcome
  return park('restored', null, null, outcome.remote)
}

/** True if the read shows the website as it was in the edit's base. */
const isUntouched = ({ base }: Edit, { remote }: Extract<EditOutcome, { kind: 'notApplied' }>): boolean =>
  remote?.updated_at !== undefined &&
  remote.updated_at === base.updated_at &&
  differingFields(base.settings, remote).length === 0
