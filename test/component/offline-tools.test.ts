import { page } from 'vitest/browser'
import { expect, test } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import { openApp } from './support/app.ts'
import { anAppState, websites } from './support/fixtures.ts'

const all = websites(6).map((website, n) => ({ ...website, exclude_ips: n < 2 ? ['192.0.2.7'] : [] }))
const [first = '', second = ''] = all.map(({ domain }) => domain)

test('filters, views, tags, a list to compare, named addresses and a table work offline', async () => {
  await page.viewport(1180, 900)
  const error = { code: 'unreachable', message: '' } as const
  const office = { name: 'Office', lines: ['192.0.2.7'] }
  const { screen, bridge, row, keys } = await openApp({
    websites: all,
    state: anAppState({ reach: { state: 'offline', since: 0, error } }),
    settings: { ...defaultSettings, namedAddresses: [office] },
  })
  const status = screen.getByRole('status')
  await expect.element(status.getByText(/^Offline since/)).toBeVisible()
  const command = async (text: string) => {
    await keys('{Control>}k{/Control}')
    await page.getByRole('dialog').getByRole('combobox').fill(text)
    await keys('{Enter}')
  }
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  const close = async (name: string | RegExp) => {
    await keys('{Escape}')
    await expect.element(dialog(name)).not.toBeInTheDocument()
  }

  await screen.getByRole('combobox').fill('ip:192.0.2.7 ')
  await expect.element(screen.getByText('2 of 6 websites')).toBeVisible()
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await screen.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Office')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const views = screen.getByRole('navigation', { name: 'Screens' })
  await expect.element(views.getByRole('button', { name: 'Office', exact: true })).toBeVisible()

  await row(first).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Tags and note…' }).click()
  await dialog(/^Tags/).getByRole('textbox', { name: 'Note' }).fill('Ask first')
  await dialog(/^Tags/).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => bridge.world.websites[0]?.note).toBe('Ask first')

  await row(first).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Copy settings' }).click()
  await row(second).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Paste settings…' }).click()
  await dialog('Edit 1 website').getByRole('button', { name: 'Change 1 website' }).click()
  await expect.poll(() => bridge.requests('bulkUpdate')).toHaveLength(1)

  await command('Compare with a list')
  await dialog('Compare with a list').getByRole('textbox', { name: 'Domains' }).fill(`${second}\nnew.example`)
  await expect.element(dialog('Compare with a list').getByRole('status')).toMatchTextContent(/In both: 1\./)
  await close('Compare with a list')

  await command('Replace an address everywhere')
  const replace = dialog('Replace an address everywhere')
  await replace.getByRole('combobox', { name: 'Named address to replace' }).selectOptions('Office')
  await replace.getByRole('button', { name: 'Preview' }).click()
  await dialog('Edit 2 websites').getByRole('button', { name: 'Change 2 websites' }).click()
  await expect.poll(() => bridge.requests('bulkUpdate')).toHaveLength(2)

  const counts = { rows: 1, changes: 1, additions: 0, problems: 0, same: 0, turnsOnReports: true, ignored: [] }
  const change = { row: 2, key: 'w1', domain: first, from: { email: false }, to: { email: true } }
  bridge.answer('openTable', () => ok(counts))
  bridge.answer('listTable', () => ok({ changes: [change], additions: [], problems: [], pages: 1 }))
  bridge.answer('applyTable', () => ok({ bulkChange: 'table', changed: 1, local: 0, created: 0, refused: [] }))
  await command('Import changes')
  const table = dialog('Import changes from a table')
  await table.getByRole('button', { name: 'Import 1 row' }).click()
  await expect.poll(() => bridge.requests('applyTable')).toHaveLength(1)

  await row(second).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bridge.requests('deleteWebsite')).toHaveLength(1)
  await expect.element(status.getByText(/^Offline since/)).toBeVisible()
})
