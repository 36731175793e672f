import type { GlobalShortcut } from 'electron'

/**
 * Returns a function that registers the keys of a shortcut for all programs in place of the keys before; an empty text registers
 * no keys. The function returns false, and changes nothing, if the system or another program has these keys.
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

/** Returns the keys of a shortcut in Electron's notation. */
const acceleratorOf = (keys: string): string => keys.replace('Mod', 'CommandOrControl')
