import type { RefreshConditions } from '../src/main/connection/auto-refresh.ts'

/** Conditions without a background refresh, as if the user had switched it off. */
export const noBackgroundRefresh: RefreshConditions = {
  interval: () => null,
  onBattery: () => false,
  isHeld: () => false,
  onChange: () => () => undefined,
}
