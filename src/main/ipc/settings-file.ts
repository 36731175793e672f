import { fail, ok } from '../../shared/result.ts'
import type { SettingsFile } from '../local/settings-file.ts'
import type { ChosenFiles } from '../shell/chosen-files.ts'
import type { Handlers } from './registrar.ts'

type Group = 'exportSettings' | 'importSettings' | 'finishSettingsImport'

/** Returns the handlers of commands about the settings file. The page never learns its path. `onImported` is called after an import. */
export function settingsFileHandlers(
  settingsFile: SettingsFile,
  files: Pick<ChosenFiles, 'askSavePath' | 'askOpenPath' | 'write' | 'readSettings'>,
  onImported: () => void,
): Pick<Handlers, Group> {
  /** The text of the chosen file until the user confirms it. */
  let opened: string | null = null
  return {
    async exportSettings() {
      const path = await files.askSavePath('settings')
      if (path === null) return ok({ saved: false })
      const text = await settingsFile.export()
      if (!text.ok) return text
      const written = await files.write(path, text.value)
      return written.ok ? ok({ saved: true }) : written
    },
    async importSettings() {
      opened = null
      const path = await files.askOpenPath('settings')
      if (path === null) return ok(null)
      const read = await files.readSettings(path)
      if (!read.ok) return read
      const preview = await settingsFile.preview(read.value)
      if (preview.ok) opened = read.value
      return preview
    },
    async finishSettingsImport({ confirmed }) {
      const text = opened
      opened = null
      if (!confirmed) return ok(undefined)
      if (text === null) return fail('bad-file')
      const imported = await settingsFile.import(text)
      onImported()
      return imported
    },
  }
}
