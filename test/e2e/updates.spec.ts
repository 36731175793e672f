import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/app.ts'
import { connect, goTo, websiteTable } from './support/screens.ts'

test('built without a feed the app loads nothing that looks for newer versions, and says nothing of one', async ({
  siteward: { app, page },
  service,
  userData,
}) => {
  await connect(page, service)
  await expect(websiteTable(page)).toBeVisible()
  expect(await page.evaluate(() => window.siteward?.getState())).toMatchObject({ value: { update: null } })
  const loaded = await app.evaluate(() => {
    const { _cache } = process.getBuiltinModule('node:module') as unknown as { _cache: object }
    return Object.keys(_cache)
  })
  const ofPackage = (name: string): string[] => loaded.filter((file) => file.includes(join('node_modules', name)))
  // What is loaded the same way is seen.
  expect(ofPackage('electron-log')).not.toEqual([])
  expect(ofPackage('electron-updater')).toEqual([])
  // Where it would keep its number for this installation.
  expect(existsSync(join(userData, '.updaterId'))).toBe(false)
  await goTo(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'About Siteward' })).toBeVisible()
  await expect(page.getByText(/new(er)? version/i)).toHaveCount(0)
})
