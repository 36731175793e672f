import { app, dialog } from 'electron'
import type { ErrorCode } from '../../shared/result.ts'

/** Says why the app can't start, what was left alone, and what to do; then ends. */
export function cannotStart(folder: string, code: ErrorCode): void {
  dialog.showErrorBox('Siteward can’t start', `${why[code] ?? unreadable}\n\nIts data is in ${folder}.`)
  app.exit(1)
}

const unreadable =
  'Its own data can’t be read or written. Nothing in it was changed. Check the disk and who may write to the folder, then start again.'

const why: Partial<Record<ErrorCode, string>> = {
  'disk-full': 'The disk is full. Make some room, then start again.',
  'in-use': 'Another Siteward has its data open. Quit that one, then start again.',
  'newer-version':
    'Its data was written by a newer version of Siteward. Nothing in it was changed. Install the newer version again.',
}
