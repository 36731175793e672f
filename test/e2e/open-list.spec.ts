import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { press } from './support/keyboard.ts'
import { connect, websiteRow } from './support/screens.ts'

const file = (name: string, bytes: Buffer): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'siteward-')), name)
  writeFileSync(path, bytes)
  return path
}

test('adds websites from a file by keyboard: a UTF-16 table of a spreadsheet', async ({
  siteward: { app, page },
  service,
}) => {
  const table = 'URL\tPrivacy\tIPs\r\nfirst.filed.example\tpublic\t192.0.2.1\r\nnot a domain\tpublic\t\r\n'
  await connect(page, service)
  await page.keyboard.press('Control+Shift+N')
  const dialog = page.getByRole('dialog', { name: 'Add multiple websites' })
  await choose(app, { filePaths: [file('picture.csv', Buffer.from([0x89, 0x50, 0, 0]))] })
  await press(page, dialog.getByRole('button', { name: 'Open a file…' }))
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t read this file as text.')
  await choose(app, { filePaths: [file('list.tsv', Buffer.from(`\ufeff${table}`, 'utf16le'))] })
  await press(page, dialog.getByRole('button', { name: 'Open a file…' }))
  await expect(dialog.getByText('1 website will be added. 1 line can’t be added.')).toBeVisible()
  await press(page, dialog.getByRole('button', { name: 'Add 1 website' }))
  await expect
    .poll(() => service.store.byDomain('first.filed.example'))
    .toMatchObject({ privacy: 0, exclude_ips: '192.0.2.1' })
  await expect(dialog.getByRole('textbox', { name: 'Domains' })).toHaveValue(/not a domain/)
  await expect(dialog.getByText('1 website saved. 1 line can’t be added.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Domains' }).fill('second.filed.example, https://www.FIRST.filed.example/')
  await expect(dialog.getByText('This website is already in this account.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add 1 website' })).toBeVisible()
})

test('reads a dropped file, and the window does not navigate to it', async ({ siteward: { app, page }, service }) => {
  await connect(page, service)
  const [here, windows] = [page.url(), app.windows().length]
  await page.keyboard.press('Control+Shift+N')
  const dialog = page.getByRole('dialog', { name: 'Add multiple websites' })
  const box = await dialog.getByRole('textbox', { name: 'Domains' }).boundingBox()
  const place = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20 }
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [file('list.txt', Buffer.from('dropped.example\n'))], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...place, data })
  }
  await press(page, dialog.getByRole('button', { name: 'Add 1 website' }))
  await expect(websiteRow(page, 'dropped.example')).toBeVisible()
  // A drop outside of the field does nothing.
  await page.keyboard.press('Control+Shift+N')
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 5, y: 300, data })
  }
  await expect(dialog.getByRole('textbox', { name: 'Domains' })).toHaveValue('')
  expect(page.url()).toBe(here)
  expect(app.windows()).toHaveLength(windows)
})
