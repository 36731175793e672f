import { app, dialog } from 'electron'
import type { ErrorCode } from '../../shared/result.ts'
import { cantStart, cantStartWords } from '../../words/shell.ts'

/** Says why the app can't start, what was left alone, and what to do; then ends. */
export function cannotStart(folder: string, code: ErrorCode): void {
  dialog.showErrorBox(cantStart, cantStartWords(code, folder))
  app.exit(1)
}
