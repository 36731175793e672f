import { expect, test } from 'vitest'
import builder from '../../../electron-builder.config.mjs'
import { APP_ID } from '../../../src/main/shell/app-id.ts'

test('uses the app id of the installers, as Windows notifications require', () => {
  expect(APP_ID).toBe(builder.appId)
})
