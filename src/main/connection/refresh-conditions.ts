import type { Pause } from '../connectivity/pause.ts'
import type { RefreshConditions } from './auto-refresh.ts'

/** The used part of Electron's `powerMonitor`. */
interface RefreshPowerMonitor {
  onBatteryPower: boolean
  on(event: 'suspend' | 'resume' | 'on-ac' | 'on-battery', listener: () => void): unknown
}

/** The sources of the conditions: a setting, the pause and the power supply. */
export interface RefreshConditionsOptions {
  /** Refresh interval in minutes; 0 for never. */
  minutes: number
  pause: Pause
  power: RefreshPowerMonitor
}

/** The conditions of the background refreshes of all connections: the settings, the power supply and sleep. */
export function createRefreshConditions({ minutes, pause, power }: RefreshConditionsOptions): RefreshConditions & {
  setMinutes(minutes: number): void
} {
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let asleep = false
  const setAsleep = (now: boolean): void => {
    asleep = now
    changed()
  }
  power.on('suspend', () => setAsleep(true))
  power.on('resume', () => setAsleep(false))
  power.on('on-ac', changed)
  power.on('on-battery', changed)
  pause.onChange(changed)
  return {
    interval: () => (minutes === 0 ? null : minutes * 60_000),
    onBattery: () => power.onBatteryPower,
    isHeld: () => asleep || pause.isOn(),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setMinutes(next) {
      if (next === minutes) return
      minutes = next
      changed()
    },
  }
}
