import { app, dialog } from 'electron'
import { m } from '../../messages/index.ts'
import type { ErrorCode } from '../../shared/result.ts'

const reasons: Partial<Record<ErrorCode, () => string>> = {
  'disk-full': m.dialog_cannot_start_disk_full,
  'in-use': m.dialog_cannot_start_in_use,
  'newer-version': m.dialog_cannot_start_newer_version,
}

/** Shows why the app can't start, then exits. `folder`: the data folder. */
export function exitWithStartError(folder: string, code: ErrorCode): void {
  const reason = (reasons[code] ?? m.dialog_cannot_start_storage)()
  dialog.showErrorBox(m.dialog_cannot_start(), m.dialog_cannot_start_body({ reason, folder }))
  app.exit(1)
}

/** Shows that the app's files were changed after it was built, then exits. */
export async function endTamperedApp(): Promise<void> {
  console.error(`${m.dialog_cannot_start()}\n${m.dialog_cannot_start_changed()}`)
  // Linux shows no dialog before the app is ready.
  await app.whenReady()
  dialog.showErrorBox(m.dialog_cannot_start(), m.dialog_cannot_start_changed())
  app.exit(1)
}
