import type { TrayHost } from './tray-host.ts'

/** Where a window is that was closed: hidden, or minimised. */
export type Away = 'tray' | 'taskbar'

export interface ClosingParts {
  /** The person wants it kept in the taskbar. */
  keeps: () => boolean
  hasTray: TrayHost
  /** What the person was told already. */
  told: { has: (what: Away) => boolean; note: (what: Away) => void }
  tell: (where: Away) => void
}

/**
 * Where the window goes that the person closes. Hidden without an icon to bring it back by it would be lost to them, so
 * then it's minimised. Panels come and go, so they're asked for each time; what a person didn't choose is told once.
 */
export function createClosing({ keeps, hasTray, told, tell }: ClosingParts): () => Promise<Away> {
  return async () => {
    if (keeps()) return 'taskbar'
    const where = (await hasTray()) === false ? 'taskbar' : 'tray'
    if (!told.has(where)) {
      tell(where)
      told.note(where)
    }
    return where
  }
}
