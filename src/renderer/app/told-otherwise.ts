import type { AppState } from '../../shared/state.ts'
import { otherwiseWords, showSent } from '../../words/history.ts'
import type { Notices } from './notices.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Screen } from '../../shared/destination.ts'
import { onScreen } from './on-screen.ts'

interface Desk {
  readonly notices: Notices
  readonly pending: PendingList
  screen: Screen
}

/** Says that what was sent came out otherwise than it was asked, and leads to it; what was so before is marked there alone. */
export function tellOtherwise(desk: Desk, was: AppState | null, { otherwise }: AppState): void {
  if (was === null || otherwise <= was.otherwise) return
  const show = onScreen(desk, 'pending', () => (desk.pending.tab = 'sent'))
  desk.notices.say(`${otherwiseWords(otherwise)}.`, { label: showSent, run: () => Promise.resolve(show()) })
}
