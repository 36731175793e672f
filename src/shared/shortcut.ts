import { z } from 'zod'

const SHORTCUT = /^(?:Mod\+Alt\+(?:Shift\+)?|Mod\+Shift\+|Alt\+Shift\+)(?:[A-Z0-9]|F(?:[1-9]|1[0-2])|Space)$/

/**
 * A shortcut that works in all programs, such as `Mod+Shift+K`, or an empty text for none. `Mod` is Control, or Command on
 * macOS. It has at least two modifiers, because keys with one, such as those for copying, belong to the program in use.
 */
export const shortcutSchema = z.union([z.literal(''), z.string().regex(SHORTCUT)])

export const isShortcut = (keys: string): boolean => SHORTCUT.test(keys)
