import { m } from '../../../messages/index.ts'
import type { KeyState } from '../../../shared/connection.ts'
import type { AppState } from '../../../shared/state.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** What has to happen to the API key before saved changes can be sent. */
const keyNotes: Partial<Record<KeyState, () => string>> = {
  missing: m.editor_saved_key,
  refused: m.editor_saved_key,
  locked: m.editor_saved_keychain,
  loading: m.editor_saved_keychain,
}

/** Returns when saved changes will be sent. Empty if the editor shows that they need attention. */
export function savedNote(website: WebsiteView, { connection, paused, reach }: AppState): string {
  if (website.state === 'parked' || website.state === 'deleting') return ''
  if (website.state === 'synced') return m.editor_saved()
  if (paused) return m.editor_saved_paused()
  if (website.state !== 'held' && reach.state !== 'offline') return m.editor_saved_sending()
  const keyNote = connection ? keyNotes[connection.key] : undefined
  if (keyNote) return keyNote()
  return reach.state === 'offline' ? m.editor_saved_offline() : m.editor_saved_held()
}
