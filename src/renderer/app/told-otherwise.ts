import type { AppState } from '../../shared/state.ts'
import { otherwiseWords, showSent } from '../../words/history.ts'
import type { Model } from './model.svelte.ts'
import { onScreen } from './on-screen.ts'

/** Says that what was sent came out otherwise than it was asked, and leads to it; what was so before is marked there alone. */
export function tellOtherwise(desk: Model, was: AppState | null, { otherwise }: AppState): void {
  if (was === null || otherwise <= was.otherwise) return
  const show = onScreen(desk, 'pending', () => (desk.pending.tab = 'sent'))
  desk.notices.say(`${otherwiseWords(otherwise)}.`, { label: showSent, run: () => Promise.resolve(show()) })
}
