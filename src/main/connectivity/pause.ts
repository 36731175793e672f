import type { Connectivity } from '../outbox/ports.ts'

/** Whether sending is paused, by the person or for a restart. Reading goes on: only what waits stays where it is. */
export interface Pause {
  isOn(): boolean
  /** Whether the person has set it. */
  isSet(): boolean
  set(on: boolean): void
  /** On until the app ends, whatever the person sets. */
  hold(): void
  onChange(listener: () => void): () => void
}

export function createPause(on: boolean): Pause {
  const listeners = new Set<() => void>()
  let held = false
  return {
    isOn: () => on || held,
    isSet: () => on,
    set(next) {
      if (next === on) return
      on = next
      for (const listener of listeners) listener()
    },
    hold() {
      held = true
      for (const listener of listeners) listener()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Connectivity as an outbox sees it: its gate is shut while sending is paused, whatever else there is. */
export const withPause = (connectivity: Connectivity, pause: Pause): Connectivity => ({
  ...connectivity,
  gate: (requests) =>
    pause.isOn() ? { open: false, reason: 'paused', error: null, until: null } : connectivity.gate(requests),
  onChange(listener) {
    const stops = [connectivity.onChange(listener), pause.onChange(listener)]
    return () => stops.forEach((stop) => stop())
  },
})
