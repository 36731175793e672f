import type { Connectivity } from '../outbox/ports.ts'

/** Pauses sending, for the user or before a restart. Reads that the user asks for continue. */
export interface Pause {
  /** True if the user has paused sending, or {@link hold} was called. */
  isOn(): boolean
  /** True if the user has paused sending. */
  isSet(): boolean
  set(on: boolean): void
  /** Pauses sending until the app ends, even if the user resumes it. */
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

/** While sending is paused, the gate is closed and nothing is reported as waiting, so that the service isn't probed. */
export const withPause = (connectivity: Connectivity, pause: Pause): Connectivity => ({
  ...connectivity,
  gate: (requests) =>
    pause.isOn() ? { open: false, reason: 'paused', error: null, until: null } : connectivity.gate(requests),
  setWaiting: (owner, waiting) => connectivity.setWaiting(owner, waiting && !pause.isOn()),
  onChange(listener) {
    const stops = [connectivity.onChange(listener), pause.onChange(listener)]
    return () => stops.forEach((stop) => stop())
  },
})
