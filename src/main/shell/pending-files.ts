import { BrowserWindow, dialog, type WebContents } from 'electron'
import type { Result } from '../../shared/result.ts'
import { readKept, writeKept } from './kept-file.ts'

/** The files that changes are exported to and imported from: the person says which. */
export interface PendingFiles {
  /** Null: the person thought better of it. */
  askWhere(): Promise<string | null>
  /** Errors: `disk-full`, `storage`. */
  write(path: string, text: string): Promise<Result<void>>
  /** Null: the person thought better of it. */
  askWhich(): Promise<string | null>
  /** Errors: `bad-file`. */
  read(path: string): Promise<Result<string>>
}

const FILTERS = [{ name: 'Exported changes', extensions: ['json'] }]

export function createPendingFiles(window: () => WebContents | undefined): PendingFiles {
  /** In front of the window, so that it isn't lost behind it; without one by itself. */
  const parent = (): BrowserWindow | null => {
    const contents = window()
    return contents === undefined ? null : BrowserWindow.fromWebContents(contents)
  }

  return {
    async askWhere() {
      const options = { title: 'Export changes', defaultPath: nameOf(new Date()), filters: FILTERS }
      const over = parent()
      const asked = await (over === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(over, options))
      return asked.canceled || asked.filePath === '' ? null : asked.filePath
    },
    write: writeKept,
    async askWhich() {
      const options = { title: 'Import changes', filters: FILTERS, properties: ['openFile' as const] }
      const over = parent()
      const asked = await (over === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(over, options))
      return asked.canceled ? null : (asked.filePaths[0] ?? null)
    },
    read: readKept,
  }
}

/** The day as the person's calendar has it. */
function nameOf(day: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `siteward-pending-${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}.json`
}
