import { m } from '../../../messages/index.ts'
import type { AppState } from '../../../shared/state.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** Returns when saved changes will be sent. Empty if the editor shows that they need attention. */
export function savedNote(website: WebsiteView, { connection, paused, reach }: AppState): string {
  if (website.state === 'parked' || website.state === 'deleting') return ''
  if (website.state === 'synced') return m.editor_saved()
  if (paused) return m.editor_saved_paused()
  if (website.state !== 'held' && reach.state !== 'offline') return m.editor_saved_sending()
  const hasKey = connection?.key === 'stored' || connection?.key === 'run'
  return hasKey ? m.editor_saved_offline() : m.editor_saved_key()
}
