import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inProject } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { connect, goTo, websiteTable } from './support/screens.ts'

test('built without a feed, the app loads no updater and shows no update', async ({
  siteward: { app, page },
  service,
  userData,
}) => {
  await connect(page, service)
  await expect(websiteTable(page)).toBeVisible()
  expect(await page.evaluate(() => window.siteward?.getState())).toMatchObject({ value: { update: null } })
  const loaded = await app.evaluate(() => {
    const { Session } = process.getBuiltinModule('node:inspector')
    const session = new Session()
    session.connect()
    const urls: string[] = []
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
    // When enabled, the debugger lists the scripts that are loaded already.
    session.post('Debugger.enable')
    session.disconnect()
    return urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
  })
  const chunks = inProject('out', 'main', 'chunks')
  const withUpdater = readdirSync(chunks).filter(
    (file) => file.endsWith('.js') && readFileSync(join(chunks, file), 'utf8').includes('AppImageUpdater'),
  )
  // The only file with the updater.
  expect(withUpdater).toEqual([expect.stringMatching(/^updater-/)])
  // Proves that the check works: a module that is loaded in the same way is found.
  expect(loaded).toContain('keytar.js')
  expect(loaded).not.toContain(withUpdater[0])
  // The updater would store the id of the installation in this file.
  expect(existsSync(join(userData, '.updaterId'))).toBe(false)
  await goTo(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'About Siteward' })).toBeVisible()
  await expect(page.getByText(/new(er)? version/i)).toHaveCount(0)
})
