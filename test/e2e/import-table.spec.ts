import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { press } from './support/keyboard.ts'
import { connect } from './support/screens.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'siteward-'))

async function openTable(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Import or compare' }))
  await page.getByRole('menuitem', { name: 'Import changes from a table…' }).click()
}

test.describe('with 300 websites', () => {
  test.use({ websites: 300 })

  test('imports an exported list that was edited, and undoes it as one', async ({
    siteward: { app, page },
    service,
  }) => {
    const [first, second] = service.store.all()
    service.store.update(first?.id ?? 0, { email: 0, exclude_ips: '192.168.100.200', exclude_params: '007\n=1+1' })
    service.store.update(second?.id ?? 0, { email: 0, privacy: 1 })
    await connect(page, service)
    const csv = join(folder(), 'list.csv')
    await choose(app, { filePath: csv })
    await press(page, page.getByRole('button', { name: 'Export the list', exact: true }))
    await page.getByRole('menuitem', { name: /CSV…/ }).click()
    await expect(page.getByText('300 websites exported.')).toBeVisible()

    const dialog = page.getByRole('dialog', { name: 'Import changes from a table' })
    await choose(app, { filePaths: [csv] })
    await openTable(page)
    await expect(dialog.getByText('This table contains no changes.')).toBeVisible()

    const table = 'id;email;privacy;exclude_ips;domain'
    const rows = [`${first?.id};WAHR;;(none);`, `${second?.id};;public;;`, ';ja;;;new.example', '999999;on;;;']
    const text = Buffer.from(`${table}\r\n${rows.join('\r\n')}\r\n`, 'latin1')
    const edited = join(folder(), 'edited.csv')
    writeFileSync(edited, text)
    await choose(app, { filePaths: [edited] })
    await press(page, dialog.getByRole('button', { name: 'Open another file…' }))
    await expect(dialog.getByRole('status')).toHaveText(
      '2 websites will change. 1 website will be added. 1 problem was found.',
    )
    await expect(dialog.getByRole('row')).toHaveCount(4)
    expect(service.store.byDomain('new.example')).toBeUndefined()
    await press(page, dialog.getByRole('button', { name: 'Import 3 rows' }))
    await expect(dialog).toBeHidden()
    await expect.poll(() => service.store.byDomain('new.example')).toMatchObject({ email: 1 })
    const stored = (id = 0) => service.store.all().find((one) => one.id === id)
    await expect.poll(() => stored(first?.id)).toMatchObject({ email: 1, exclude_params: '007\n=1+1' })
    expect(stored(first?.id)?.exclude_ips || '').toBe('')
    await expect.poll(() => stored(second?.id)).toMatchObject({ privacy: 0 })

    await press(page, page.getByRole('button', { name: 'Undo', exact: true }))
    await expect.poll(() => stored(first?.id)).toMatchObject({ email: 0, exclude_ips: '192.168.100.200' })
    await expect.poll(() => stored(second?.id)).toMatchObject({ privacy: 1 })
    expect(readFileSync(csv, 'utf8')).toContain("'192.168.100.200")
  })
})

test('says why a file is no table', async ({ siteward: { app, page }, service }) => {
  await connect(page, service)
  const dialog = page.getByRole('dialog', { name: 'Import changes from a table' })
  const workbook = join(folder(), 'list.csv')
  writeFileSync(workbook, Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'))
  await choose(app, { filePaths: [workbook] })
  await openTable(page)
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t read this file as text.')
})
