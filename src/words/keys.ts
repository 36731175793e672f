/** A key or several at once, as `aria-keyshortcuts` has them, with `Mod` for Control, or Command on macOS: `Mod+K`. */
export type Keys = string

export const onMac = (): boolean => navigator.userAgent.includes('Macintosh')

const shown: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  Delete: 'Del',
  ' ': 'Space',
  Plus: '+',
  '-': '−',
}
const onMacShown: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', Delete: '⌦' }

/** Each of the keys as it's written on this computer's keyboard. */
export function keyCaps(keys: Keys): string[] {
  const names = onMac() ? { ...shown, ...onMacShown } : { ...shown, Mod: 'Ctrl' }
  return keys.split('+').map((key) => names[key as keyof typeof names] ?? key)
}

/** The same in a sentence or a tip. */
export const keyName = (keys: Keys): string => keyCaps(keys).join(onMac() ? '' : '+')

/** For `aria-keyshortcuts`. */
export const ariaKeys = (keys: Keys): string => keys.replace('Mod', onMac() ? 'Meta' : 'Control')

/** Whether these are the keys that are down; a sign that takes Shift on some keyboards is that sign on all of them. */
export function isPressed(keys: Keys, event: KeyboardEvent): boolean {
  const wanted = keys.split('+')
  const key = wanted.at(-1) ?? ''
  const mod = onMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (wanted.includes('Mod') ? !mod : event.ctrlKey || event.metaKey) return false
  if (wanted.includes('Alt') !== event.altKey) return false
  if (/^[A-Z]$/i.test(key) && wanted.includes('Shift') !== event.shiftKey) return false
  // Where “+” takes Shift the key says “=” without it.
  if (key === 'Plus') return event.key === '+' || event.key === '='
  return key.length === 1 ? event.key.toUpperCase() === key.toUpperCase() : event.key === key
}
