import { fail, ok } from '../../shared/result.ts'
import type { OpenedSettings, SettingsFile } from '../local/settings-file.ts'
import type { FileDialogs } from '../shell/chosen-files.ts'
import { typedHandlers } from './handlers.ts'

/** The page never learns the path of the file. `onImported`: called after each import, even after a failed one. */
export function settingsFileHandlers(
  settingsFile: SettingsFile,
  files: Pick<FileDialogs, 'askSavePath' | 'write' | 'openSettings'>,
  onImported: () => void,
) {
  /** The chosen file, until it is imported or the user cancels. */
  let opened: OpenedSettings | null = null
  return typedHandlers({
    async exportSettings() {
      const path = await files.askSavePath('settings')
      if (path === null) return ok({ saved: false, missing: [] })
      const { text, missing } = await settingsFile.export()
      const written = await files.write(path, text)
      return written.ok ? ok({ saved: true, missing }) : written
    },
    async importSettings() {
      opened = null
      const read = await files.openSettings()
      if (read === null) return ok(null)
      if (!read.ok) return read
      const file = await settingsFile.open(read.value)
      if (!file.ok) return file
      opened = file.value
      return ok(file.value.effect)
    },
    async finishSettingsImport({ confirmed }) {
      const file = opened
      opened = null
      if (!confirmed) return ok(undefined)
      if (file === null) return fail('bad-file')
      const imported = await file.import()
      // The user may try again, for example with more space on the disk.
      if (!imported.ok) opened ??= file
      onImported()
      return imported
    },
  })
}
