import { expect, test } from 'vitest'
import builder from '../../../electron-builder.config.mjs'
import { APP_ID } from '../../../src/main/shell/app-id.ts'

test('the app names itself as its installers do: Windows shows no notification of another', () => {
  expect(APP_ID).toBe(builder.appId)
})
