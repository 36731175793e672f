import type { GlobalShortcut } from 'electron'

/**
 * The returned function registers keys for all programs, in place of the previous ones; an empty text registers none. It returns
 * false, and changes nothing, if the system or another program has these keys.
 */
export function createGlobalShortcut(
  system: Pick<GlobalShortcut, 'register' | 'unregister'>,
  run: () => void,
): (keys: string) => boolean {
  let held = ''
  return (keys) => {
    if (keys === held) return true
    if (keys !== '' && !system.register(acceleratorOf(keys), run)) return false
    if (held !== '') system.unregister(acceleratorOf(held))
    held = keys
    return true
  }
}

/** In Electron's notation. */
const acceleratorOf = (keys: string): string => keys.replace('Mod', 'CommandOrControl')
