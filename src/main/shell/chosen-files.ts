import { BrowserWindow, dialog, type WebContents } from 'electron'
import { listFileEnds } from '../../shared/list-text.ts'
import type { Result } from '../../shared/result.ts'
import { fileWords } from '../../words/shell.ts'
import { readKept, readList, writeKept } from './kept-file.ts'

/** What of it begins a file's name, what the dialogs call it, and what its names end with. */
const kinds = {
  changes: { name: 'siteward-pending', save: fileWords.exportChanges, called: fileWords.changes, end: 'json' },
  csv: { name: 'siteward-websites', save: fileWords.exportWebsites, called: fileWords.csv, end: 'csv' },
  json: { name: 'siteward-websites', save: fileWords.exportWebsites, called: fileWords.json, end: 'json' },
} as const
type ChosenKind = keyof typeof kinds

const opened = {
  changes: { title: fileWords.importChanges, filters: filtersOf('changes') },
  list: { title: fileWords.openList, filters: [{ name: fileWords.lists, extensions: [...listFileEnds] }] },
}

/** The files that something is exported to or imported from: the person says which. */
export interface ChosenFiles {
  /** Null: the person thought better of it. */
  askWhere(kind: ChosenKind): Promise<string | null>
  /** In pieces, where it's long. Errors: `disk-full`, `not-written`. */
  write(path: string, text: string | readonly string[]): Promise<Result<void>>
  /** Of exported changes, or with a list of websites. Null: the person thought better of it. */
  askWhich(kind: keyof typeof opened): Promise<string | null>
  /** Exported changes. Errors: `bad-file`. */
  read(path: string): Promise<Result<string>>
  /** A list of websites. Errors: `not-read`, `file-too-large`, `not-text`. */
  readList(path: string): Promise<Result<string>>
}

export function createChosenFiles(window: () => WebContents | undefined): ChosenFiles {
  /** In front of the window, so that it isn't lost behind it; without one by itself. */
  const parent = (): BrowserWindow | null => {
    const contents = window()
    return contents === undefined ? null : BrowserWindow.fromWebContents(contents)
  }

  return {
    async askWhere(kind) {
      const { name, save, end } = kinds[kind]
      const options = { title: save, defaultPath: `${name}-${dayOf(new Date())}.${end}`, filters: filtersOf(kind) }
      const over = parent()
      const asked = await (over === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(over, options))
      return asked.canceled || asked.filePath === '' ? null : asked.filePath
    },
    write: writeKept,
    async askWhich(kind) {
      const options = { ...opened[kind], properties: ['openFile' as const] }
      const over = parent()
      const asked = await (over === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(over, options))
      return asked.canceled ? null : (asked.filePaths[0] ?? null)
    },
    read: readKept,
    readList,
  }
}

function filtersOf(kind: ChosenKind) {
  return [{ name: kinds[kind].called, extensions: [kinds[kind].end] }]
}

/** As the person's calendar has it. */
function dayOf(day: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
