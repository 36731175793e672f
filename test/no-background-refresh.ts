import type { RefreshConditions } from '../src/main/connection/auto-refresh.ts'

/** Switches background refreshes off, as the user's setting does. */
export const noBackgroundRefresh: RefreshConditions = {
  interval: () => null,
  onBattery: () => false,
  isHeld: () => false,
  onChange: () => () => undefined,
}
