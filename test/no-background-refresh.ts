import type { RefreshConditions } from '../src/main/connection/auto-refresh.ts'

/** The user has switched the background refresh off. */
export const noBackgroundRefresh: RefreshConditions = {
  interval: () => null,
  onBattery: () => false,
  isHeld: () => false,
  onChange: () => () => undefined,
}
