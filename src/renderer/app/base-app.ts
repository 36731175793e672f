import type { SitewardBridge } from '../../preload/bridge.ts'
import type { Screen } from '../../shared/destination.ts'
import type { AppState } from '../../shared/state.ts'
import type { Toasts } from './toasts.svelte.ts'

/** The parts of the root model that most controllers use. A controller that needs more parts extends this interface. */
export interface BaseApp {
  readonly bridge: SitewardBridge
  readonly toasts: Toasts
  readonly appState: AppState | null
  /** True until the list of the account was read as a whole for the first time. */
  readonly isListIncomplete: boolean
  screen: Screen
}
