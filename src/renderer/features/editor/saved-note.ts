import { m } from '../../../messages/index.ts'
import { isOffline, type KeychainState, type KeyState } from '../../../shared/connection.ts'
import type { AppState } from '../../../shared/state.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** Says what has to happen to the API key before saved changes can be sent, or returns null. */
function keyNote(state: KeyState, keychain: KeychainState): string | null {
  // The keychain can be read but does not have the key, so the user has to enter it.
  const isGone = state === 'locked' && keychain === 'ready'
  if (state === 'missing' || state === 'refused' || isGone) return m.editor_saved_key()
  return state === 'locked' || state === 'loading' ? m.editor_saved_keychain() : null
}

/**
 * Says when saved changes will be sent. Empty if the editor shows by itself that the website needs attention or is being deleted.
 */
export function whenSentNote(website: WebsiteView, { connection, keychain, paused, reach }: AppState): string {
  if (website.state === 'parked' || website.state === 'deleting') return ''
  if (website.state === 'synced') return m.editor_saved()
  if (paused) return m.editor_saved_paused()
  if (website.state !== 'held' && reach.state !== 'offline') return m.editor_saved_sending()
  const note = connection && keyNote(connection.key, keychain)
  if (note) return note
  return isOffline(reach) ? m.editor_saved_offline() : m.editor_saved_held()
}
