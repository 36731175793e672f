import type { EditView, WaitReason } from '../../shared/edit.ts'
import { timeOf } from './dates.ts'
import { count } from './numbers.ts'
import { fieldsWaiting, heldState, onOff, privacyWords, shortened, stateWords, type StateWords } from './websites.ts'

const waits: Record<WaitReason, string> = {
  connection: 'The service can’t be reached just now.',
  key: 'It goes on as soon as the service accepts a key.',
  keychain: 'Its password is sealed with a key in the locked keychain.',
  rate: 'The service asks to wait between requests.',
  backoff: 'The service failed; the next try is set.',
  depends: 'Another change has to be sent first.',
  undo: 'There is still a moment to undo it.',
  refused: 'The service refused it.',
  'domain-taken': 'This domain is taken on the service, perhaps by somebody else.',
  'website-limit': 'The plan allows no more websites.',
  gone: 'The website was deleted on the service meanwhile.',
  adopt: 'A website of this domain is already there, and may be yours.',
  password: 'The statistics password has to be typed once more.',
  failing: 'It was sent five times, and each time it wasn’t applied.',
  appeared: 'It had been given up, but a late request created it after all.',
  vanished: 'Its delete had been taken for lost, but the website is gone now.',
  conflict: 'Somebody else changed the same thing after you last saw it.',
}

/** The state of an edit in words, as its tag says it. */
export function editState(edit: EditView): StateWords {
  switch (edit.state) {
    case 'queued':
      return queuedState(edit)
    case 'inDoubt':
      return stateWords.checking
    case 'held':
      return heldState(edit.reason, queuedState(edit))
    default:
      return stateWords[edit.state]
  }
}

function queuedState({ kind, fields }: EditView): StateWords {
  if (kind === 'create') return stateWords.new
  return kind === 'delete' ? stateWords.deleting : fieldsWaiting(fields.length)
}

/** It waits for nothing but the connection, which is said once for all of these. */
export const waitsForConnection = ({ state, reason }: EditView): boolean => state === 'held' && reason === 'connection'

/** Why it isn't sent yet, and when it will be tried; undefined where there is nothing to say. */
export function editWait(edit: EditView, now = Date.now()): string | undefined {
  // What the service answered says more than that it refused.
  if ((edit.reason === 'refused' && edit.error) || waitsForConnection(edit)) return undefined
  const why = edit.state === 'inDoubt' ? 'The answer was lost; Siteward reads what the service has.' : undefined
  const reason = edit.reason ? waits[edit.reason] : why
  const isNext = edit.nextAt !== null && edit.nextAt > now && edit.reason !== 'undo'
  const next = isNext ? `Next try ${timeOf(edit.nextAt ?? now)}.` : undefined
  return [reason, next].filter(Boolean).join(' ') || undefined
}

/** What is given up with an edit. */
export function discardWords(edit: EditView): { title: string; lost: string } {
  const domain = shortened(edit.domain)
  if (edit.kind === 'create') {
    return {
      title: `Discard the new website ${domain}?`,
      lost: 'It isn’t created on the service, and everything typed for it is lost.',
    }
  }
  if (edit.kind === 'delete') {
    return { title: `Discard the delete of ${domain}?`, lost: 'The website stays on the service as it is.' }
  }
  return {
    title: `Discard the change to ${domain}?`,
    lost: `${count(edit.fields.length, 'changed field is', 'changed fields are')} lost. The service keeps what it has.`,
  }
}

/** What an edit does, in words: "Privacy to Password, 3 excluded addresses." */
export function editSummary(edit: EditView): string {
  if (edit.kind === 'delete') return 'Will be deleted, with its statistics, for good.'
  const s = edit.settings
  const parts: string[] = []
  if (s.privacy !== undefined) parts.push(`privacy ${privacyWords[s.privacy]}`)
  if (edit.password) parts.push('a new statistics password')
  if (s.email !== undefined) parts.push(`email reports ${onOff(s.email).toLowerCase()}`)
  if (s.exclude_bots !== undefined) parts.push(s.exclude_bots ? 'bots excluded' : 'bots counted')
  const { exclude_ips: ips, exclude_params: params } = s
  // That a new website excludes nothing goes without saying.
  const told = (lines: string[] | undefined): lines is string[] =>
    lines !== undefined && (edit.kind === 'update' || lines.length > 0)
  if (told(ips)) parts.push(listed(ips, 'excluded address', 'excluded addresses'))
  if (told(params)) parts.push(listed(params, 'excluded parameter', 'excluded parameters'))
  const verb = edit.kind === 'create' ? 'Will be created' : 'Will be changed'
  return parts.length === 0 ? `${verb}.` : `${verb}: ${parts.join(', ')}.`
}

const listed = (lines: string[], one: string, many: string): string =>
  lines.length === 0 ? `no ${many}` : count(lines.length, one, many)
