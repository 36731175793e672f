import type { AppState } from '../../shared/state.ts'
import { m } from '../../messages/index.ts'
import type { Toasts } from './toasts.svelte.ts'
import type { Screen } from '../../shared/destination.ts'
import { onScreen } from './on-screen.ts'

interface App {
  readonly toasts: Toasts
  screen: Screen
}

/** Shows a toast if the service saved a new change differently. Older mismatches are only marked in the list. */
export function toastMismatches(app: App, was: AppState | null, { mismatches }: AppState): void {
  if (was === null || mismatches <= was.mismatches) return
  const show = onScreen(app, 'activity')
  app.toasts.show(m.activity_mismatch({ count: mismatches }), {
    label: m.history_show(),
    run: () => Promise.resolve(show()),
  })
}
