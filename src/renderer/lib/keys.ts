import { m } from '../../messages/index.ts'
import { isShortcut } from '../../shared/shortcut.ts'

/** A key combination in the format of `aria-keyshortcuts`. `Mod` stands for Control, or Command on macOS: `Mod+K`. */
export type Keys = string

export const isOnMac = (): boolean => navigator.userAgent.includes('Macintosh')

const isOnWindows = (): boolean => navigator.userAgent.includes('Windows')

export const isOnLinux = (): boolean => !isOnMac() && !isOnWindows()

/** The labels of keys that differ from the name of the key. */
const caps: Record<string, () => string> = {
  ArrowUp: () => '↑',
  ArrowDown: () => '↓',
  ArrowLeft: () => '←',
  ArrowRight: () => '→',
  PageUp: m.keycap_page_up,
  PageDown: m.keycap_page_down,
  Home: m.keycap_home,
  End: m.keycap_end,
  Escape: m.keycap_escape,
  Enter: m.keycap_enter,
  Tab: m.keycap_tab,
  Delete: m.keycap_delete,
  Backspace: m.keycap_backspace,
  Alt: m.keycap_alt,
  Shift: m.keycap_shift,
  Mod: m.keycap_control,
  ' ': m.keycap_space,
  Space: m.keycap_space,
  Plus: () => '+',
  '-': () => '−',
}
const macCaps: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', Delete: '⌦', Backspace: '⌫' }

/** Returns each key as it is labeled on this computer's keyboard. */
export const keyCaps = (keys: Keys): string[] =>
  keys.split('+').map((key) => (isOnMac() ? macCaps[key] : undefined) ?? caps[key]?.() ?? key)

/** Returns the keys as one text, such as "Ctrl+K", for a sentence or a tooltip. */
export const keysText = (keys: Keys): string => keyCaps(keys).join(isOnMac() ? '' : '+')

/** Returns a shortcut in the form of the attribute `aria-keyshortcuts`. */
export const ariaKeys = (keys: Keys): string => keys.replace('Mod', isOnMac() ? 'Meta' : 'Control')

/** True if exactly these keys are pressed. Shift is compared only for letters, because some keyboards need it for symbols. */
export function isPressed(keys: Keys, event: KeyboardEvent): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const mod = isOnMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (parts.includes('Mod') ? !mod : event.ctrlKey || event.metaKey) return false
  if (parts.includes('Alt') !== event.altKey) return false
  if (/^[A-Z]$/i.test(key) && parts.includes('Shift') !== event.shiftKey) return false
  // On keyboards where "+" needs Shift, the same key without Shift is "=".
  if (key === 'Plus') return event.key === '+' || event.key === '='
  return key.length === 1 ? event.key.toUpperCase() === key.toUpperCase() : event.key === key
}

const MODIFIERS = ['Control', 'Alt', 'AltGraph', 'Shift', 'Meta', 'Fn', 'CapsLock']

/** Returns the pressed keys as a global shortcut. Undefined while only modifiers are held; null if the keys can't be one. */
export function pressedShortcut(event: KeyboardEvent): Keys | null | undefined {
  if (MODIFIERS.includes(event.key)) return undefined
  const [mod, other] = isOnMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  const held = [mod && 'Mod', event.altKey && 'Alt', event.shiftKey && 'Shift'].filter((key) => key !== false)
  const keys = [...held, unmodifiedKeyOf(event)].join('+')
  return !other && isShortcut(keys) ? keys : null
}

/** True if these keys may type a character: on Windows, Control+Alt with a letter or digit is AltGr. */
export const mayTypeCharacter = (keys: Keys): boolean => isOnWindows() && /^Mod\+Alt\+(?:Shift\+)?[A-Z0-9]$/.test(keys)

/** Returns the pressed key without the effect of Shift and Alt. A letter is the one on this keyboard's layout. */
function unmodifiedKeyOf({ key, code }: KeyboardEvent): string {
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase()
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? (code === 'Space' ? code : key)
}
