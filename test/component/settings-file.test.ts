import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import type { SettingsImport } from '../../src/shared/settings-file.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { anAppState } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const effects: SettingsImport['effects'] = [
  { section: 'settings', account: null, added: [], changed: ['theme', 'textSize'], unchanged: 17, limit: null },
  {
    section: 'accounts',
    account: null,
    added: ['Garden (https://garden.example)'],
    changed: [],
    unchanged: 1,
    limit: null,
  },
  { section: 'presets', account: 'Garden', added: ['Public', 'Quiet'], changed: ['Client'], unchanged: 0, limit: null },
]

const effect: SettingsImport = {
  effects,
  settings: {
    ...{ theme: 'dark', textSize: 110, language: 'fr', notifySent: false, refreshEvery: 60, activityDays: 30 },
    ...{ listColumns: ['privacy', 'tags'], listWidths: {}, listOrder: { by: 'domain', sort: 'asc' }, listPages: 25 },
  },
  statistics: [{ account: 'Garden', template: 'https://stats.example/{id}' }],
  skipped: [],
}
const nothing: SettingsImport = { effects: [], settings: {}, statistics: [], skipped: [] }

async function opened(found: SettingsImport = effect) {
  const app = await openApp()
  app.bridge.answer('importSettings', () => ok(found))
  await app.goTo('Settings')
  await app.screen.getByRole('button', { name: 'Import settings…' }).click()
  return { ...app, dialog: page.getByRole('dialog') }
}

test('shows what an import would change, and imports it after the user has confirmed', async () => {
  const { screen, bridge, dialog } = await opened()
  const row = (name: RegExp) => dialog.getByRole('row', { name })
  await expect.element(dialog).toHaveAccessibleName('Import these settings?')
  await expect.element(row(/^App settings 0 2 17$/)).toBeVisible()
  for (const text of [
    ...['Theme: Dark', 'Text size: 110%', 'Language: Français', 'Notify when changes have been sent: Off'],
    ...['Refresh in the background: Every hour', 'Keep activity for: 30 days', 'Columns: Privacy and Tags'],
    ...['Column widths: None', 'Sort order: Domain, A to Z', 'Websites per page: 25 per page'],
  ]) {
    await expect.element(dialog.getByText(text, { exact: true })).toBeVisible()
  }
  await expect.element(row(/^Accounts 1 0 1$/)).toBeVisible()
  await expect.element(row(/^Statistics address of .?Garden.?: .?https:\/\/stats\.example\/\{id\}.?$/)).toBeVisible()
  await expect.element(row(/^New: Garden \(https:\/\/garden\.example\)$/)).toBeVisible()
  await expect.element(row(/^Presets of .?Garden.? 2 1 0$/)).toBeVisible()
  await expect.element(row(/^New: Public and Quiet$/)).toBeVisible()
  await expect.element(row(/^Changed: Client$/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectAccessible()
  expect(bridge.requests('finishSettingsImport')).toEqual([])
  // The window is not unloaded while this question is open.
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(screen.getByText('Settings imported. 1 new account needs its API key.')).toBeVisible()
  expect(bridge.requests('finishSettingsImport')).toEqual([{ confirmed: true }])
})

test('names an imported system language as Settings does', async () => {
  const { dialog } = await opened({ ...effect, settings: { language: 'system', theme: 'system' } })
  await expect.element(dialog.getByText('Language: System default', { exact: true })).toBeVisible()
  await expect.element(dialog.getByText('Theme: System', { exact: true })).toBeVisible()
})

test('shows two accounts of a settings file that have the same name and the same address of the statistics', async () => {
  const { dialog } = await opened({ ...effect, statistics: [...effect.statistics, ...effect.statistics] })
  await expect.element(dialog.getByRole('row', { name: /^Statistics address of/ })).toHaveLength(2)
})

test('a key for the text size that is pressed after an import waits for a save that began before the import', async () => {
  const { screen, bridge, dialog, keys } = await opened()
  let answer = (): void => undefined
  const slow = new Promise<void>((resolve) => (answer = resolve))
  bridge.answer('setSettings', async (change) => {
    await slow
    return ok((bridge.world.settings = { ...bridge.world.settings, ...change }))
  })
  await expect.element(dialog).toBeVisible()
  await keys('{Control>}={/Control}')
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ textSize: 110 }])
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(screen.getByText(/^Settings imported/)).toBeVisible()
  await keys('{Control>}={/Control}')
  answer()
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ textSize: 110 }, { textSize: 125 }])
})

test('offers no import if all settings of the file are on this computer already, and imports nothing when the dialog is closed', async () => {
  const { bridge, dialog, keys } = await opened({
    ...nothing,
    effects: [{ section: 'settings', account: null, added: [], changed: [], unchanged: 19, limit: null }],
  })
  await expect.element(dialog).toHaveAccessibleName('Nothing to import')
  await expect.element(dialog.getByText('Everything in this file is already on this computer.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Import', exact: true })).not.toBeInTheDocument()
  await keys('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('finishSettingsImport')).toEqual([{ confirmed: false }])
})

test('says which accounts and which parts of a settings file are not imported', async () => {
  const tags: SettingsImport['effects'][number] = {
    ...{ section: 'tags', account: 'Garden', added: ['Own', 'New'], changed: [] },
    ...{ unchanged: 0, limit: 100 },
  }
  const skipped = [{ account: 'Acme', error: { code: 'newer-version', message: '' } as const }]
  const { dialog } = await opened({ ...effect, effects: [...effects, tags], skipped })
  await expect.element(dialog.getByText(/Acme.? won’t be imported/)).toBeVisible()
  await expect.element(dialog.getByText(/^The data on this computer was written by a newer version/)).toBeVisible()
  await expect.element(dialog.getByText('Won’t be imported because there would be more than 100.')).toBeVisible()
  await expect.element(dialog.getByText('New: Own and New')).not.toBeInTheDocument()
  await expectAccessible()
})

test('offers no import if no part of the settings file can be imported', async () => {
  const skipped = [{ account: 'Acme', error: { code: 'storage', message: '' } as const }]
  const { dialog } = await opened({ ...nothing, skipped })
  await expect.element(dialog.getByText('Nothing new in this file can be imported.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Import', exact: true })).not.toBeInTheDocument()
})

test('says which accounts are missing in an exported settings file', async () => {
  const { screen, bridge, goTo } = await openApp()
  bridge.answer('exportSettings', () => ok({ saved: true, missing: ['Acme'] }))
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Export settings…' }).click()
  await expect.element(screen.getByText(/except for accounts whose data couldn’t be read: .?Acme/)).toBeVisible()
})

test.each([
  ['bad-file', 'This file is damaged or isn’t a Siteward settings file.'],
  ['newer-version', 'This file was exported by a newer version of Siteward.'],
  ['file-too-large', 'This file is too large for a settings file.'],
  ['not-read', 'Couldn’t read the file.'],
] as const)('says why a settings file was refused (%s)', async (code, text) => {
  const { screen, bridge, goTo } = await openApp()
  bridge.answer('importSettings', () => fail(code))
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Import settings…' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(text)
})

test('keeps the dialog open with the reason if the import of settings fails', async () => {
  const { bridge, dialog } = await opened()
  bridge.answer('finishSettingsImport', () => fail('disk-full'))
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expectAccessible()
})

test('exports the settings, and says that the file has no keys and no passwords', async () => {
  const { screen, bridge, goTo } = await openApp()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Export settings…' }).click()
  await expect
    .element(screen.getByText('Settings exported. The file doesn’t contain API keys or passwords.'))
    .toBeVisible()
  expect(bridge.requests('exportSettings')).toHaveLength(1)
})

test('the list of accounts marks an account without a key, with a button to enter it', async () => {
  const others = [{ name: 'Garden', address: 'https://garden.example', running: false, key: 'missing' as const }]
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
  const garden = {
    id: 'other-0',
    address: 'https://garden.example',
    name: 'Garden',
    sample: false,
    active: false,
    opening: false,
    unsent: 0,
    localData: 'none' as const,
  }
  bridge.answer('listConnections', () => ok([garden]))
  await goTo('Settings')
  const accounts = screen.getByRole('list', { name: 'Accounts' })
  await expect.element(accounts.getByText('Key missing')).toBeVisible()
  await expectAccessible()
  await accounts.getByRole('button', { name: 'Enter API key for Garden' }).click()
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
})

test('settings can be imported before there is an account', async () => {
  const { screen, bridge } = await openApp({ state: anAppState({ connection: null }) })
  bridge.answer('importSettings', () => ok(effect))
  await screen.getByRole('button', { name: 'Import settings…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Import these settings?' })).toBeVisible()
  await expectAccessible()
})
