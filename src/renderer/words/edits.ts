import type { EditView, WaitReason } from '../../shared/edit.ts'
import { timeOf } from './dates.ts'
import { count } from './numbers.ts'
import { onOff, privacyWords, type Tone } from './websites.ts'

const waits: Record<WaitReason, { short: string; why: string }> = {
  connection: { short: 'Waiting for the connection', why: 'The service can’t be reached just now.' },
  key: { short: 'Waiting for the API key', why: 'It goes on as soon as the service accepts a key.' },
  keychain: { short: 'Waiting for the keychain', why: 'Its password is sealed with a key in the locked keychain.' },
  rate: { short: 'Waiting, as the service asks', why: 'The service asks to wait between requests.' },
  backoff: { short: 'Will be tried again', why: 'The service failed; the next try is set.' },
  depends: { short: 'Waiting for another change', why: 'Another change has to be sent first.' },
  undo: { short: 'Deleting soon', why: 'There is still a moment to undo it.' },
  refused: { short: 'Needs you', why: 'The service refused it.' },
  'domain-taken': { short: 'Needs you', why: 'This domain is taken on the service, perhaps by somebody else.' },
  'website-limit': { short: 'Needs you', why: 'The plan allows no more websites.' },
  gone: { short: 'Needs you', why: 'The website was deleted on the service meanwhile.' },
  adopt: { short: 'Needs you', why: 'A website of this domain is already there, and may be yours.' },
  password: { short: 'Needs you', why: 'The statistics password has to be typed once more.' },
  conflict: { short: 'Needs you', why: 'Somebody else changed the same thing after you last saw it.' },
}

/** The state of an edit in words, as its tag says it. */
export function editState(edit: EditView): { words: string; tone: Tone } {
  switch (edit.state) {
    case 'queued':
      return { words: edit.kind === 'create' ? 'New, waiting' : 'Waiting', tone: 'wait' }
    case 'sending':
      return { words: 'Sending', tone: 'calm' }
    case 'inDoubt':
      return { words: 'Checking', tone: 'calm' }
    case 'held':
      return { words: edit.reason ? waits[edit.reason].short : 'Waiting', tone: 'wait' }
    case 'parked':
      return { words: 'Needs you', tone: 'bad' }
    case 'done':
      return { words: 'Sent', tone: 'calm' }
  }
}

/** Why it isn't sent yet, and when it will be tried; undefined where there is nothing to say. */
export function editWait(edit: EditView): string | undefined {
  // What the service answered says more than that it refused.
  if (edit.reason === 'refused' && edit.error) return undefined
  const why = edit.state === 'inDoubt' ? 'The answer was lost; Siteward reads what the service has.' : undefined
  const reason = edit.reason ? waits[edit.reason].why : why
  const next = edit.nextAt === null ? undefined : `Next try ${timeOf(edit.nextAt)}.`
  return [reason, next].filter(Boolean).join(' ') || undefined
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
