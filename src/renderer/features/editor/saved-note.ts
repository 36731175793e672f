import { m } from '../../../messages/index.ts'
import { isOffline, type KeychainState, type KeyState } from '../../../shared/connection.ts'
import type { AppState } from '../../../shared/state.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** Returns what has to happen to the API key before changes can be sent; null if nothing. */
function keyNote(state: KeyState, keychain: KeychainState): string | null {
  // The keychain is readable but doesn't contain the key, so the user has to enter it again.
  const isGone = state === 'locked' && keychain === 'ready'
  if (state === 'missing' || state === 'refused' || isGone) return m.editor_saved_key()
  return state === 'locked' || state === 'loading' ? m.editor_saved_keychain() : null
}

/** Returns when saved changes will be sent; '' if the website is parked or being deleted, which the editor shows elsewhere. */
export function whenSentNote(website: WebsiteView, { connection, keychain, paused, reach }: AppState): string {
  if (website.state === 'parked' || website.state === 'deleting') return ''
  if (website.state === 'synced') return m.editor_saved()
  if (paused) return m.editor_saved_paused()
  if (website.state !== 'held' && reach.state !== 'offline') return m.editor_saved_sending()
  const note = connection && keyNote(connection.key, keychain)
  if (note) return note
  return isOffline(reach) ? m.editor_saved_offline() : m.editor_saved_held()
}
