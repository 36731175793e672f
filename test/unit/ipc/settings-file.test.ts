import { expect, test } from 'vitest'
import { settingsFileHandlers } from '../../../src/main/ipc/settings-file.ts'
import type { SettingsFile } from '../../../src/main/local/settings-file.ts'
import { fail, ok } from '../../../src/shared/result.ts'

test('an import that has failed can be tried again with the same file, until it succeeds or the user cancels', async () => {
  const answers = [fail('disk-full'), ok(undefined), fail('disk-full')]
  const effect = { effects: [], settings: {}, statistics: [], skipped: [] }
  const settingsFile: SettingsFile = {
    export: () => expect.unreachable(),
    open: async () => ok({ effect, import: async () => answers.shift() ?? expect.unreachable() }),
  }
  const files = { askSavePath: async () => null, write: async () => ok(undefined), openSettings: async () => ok('{}') }
  const handlers = settingsFileHandlers(settingsFile, files, () => undefined)
  const finish = (confirmed: boolean) => handlers.finishSettingsImport({ confirmed })

  await handlers.importSettings(undefined)
  expect(await finish(true)).toMatchObject({ error: { code: 'disk-full' } })
  expect(await finish(true)).toEqual({ ok: true })
  expect(await finish(true)).toMatchObject({ error: { code: 'bad-file' } })

  await handlers.importSettings(undefined)
  expect(await finish(true)).toMatchObject({ error: { code: 'disk-full' } })
  expect(await finish(false)).toEqual({ ok: true })
  expect(await finish(true)).toMatchObject({ error: { code: 'bad-file' } })
})
