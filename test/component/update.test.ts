import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok } from '../../src/shared/result.ts'
import type { AppUpdate } from '../../src/shared/update.ts'
import { expectAccessible } from './support/axe.ts'
import { anAppState } from './support/fixtures.ts'
import { openApp } from './support/app.ts'

test('offers each step of an update in the palette', async () => {
  const { bridge, keys } = await openApp({ state: anAppState({ update: { state: 'none', error: null } }) })
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  for (const [update, name, command] of [
    [{ state: 'none', error: null }, 'Check for updates', 'checkForUpdate'],
    [{ state: 'found', version: '0.2.0', error: null }, 'Download the update', 'downloadUpdate'],
    [{ state: 'ready', version: '0.2.0' }, 'Restart to update', 'restartToUpdate'],
  ] as const) {
    bridge.setState({ update })
    await keys('{Control>}k{/Control}newer')
    await expect.element(option(name)).toHaveAttribute('aria-selected', 'true')
    await keys('{Enter}')
    await expect.poll(() => bridge.requests(command)).toHaveLength(1)
  }
})

async function openSettings(update: AppUpdate | null) {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ update }) })
  await goTo('Settings')
  await expect.element(screen.getByRole('heading', { name: 'Settings' })).toBeVisible()
  const status = screen.getByRole('status').filter({ hasText: 'Siteward' })
  return { screen, bridge, status }
}

test('Settings shows nothing about newer versions in an installation that does not look for them', async () => {
  const { screen } = await openSettings(null)
  await expect.element(screen.getByRole('heading', { name: 'About Siteward' })).toBeVisible()
  expect(screen.getByText(/new(er)? version/i).elements()).toEqual([])
})

test('announces a newer version, downloads it on request, and installs it on request', async () => {
  const { screen, bridge, status } = await openSettings({ state: 'found', version: '0.2.0', error: null })
  await expect.element(status).toMatchTextContent('Siteward 0.2.0 is available.')
  await screen.getByRole('button', { name: 'Download' }).click()
  expect(bridge.requests('downloadUpdate')).toHaveLength(1)

  bridge.setState({ update: { state: 'downloading', version: '0.2.0' } })
  await expect.element(status).toMatchTextContent('Downloading Siteward 0.2.0…')
  expect(screen.getByRole('button', { name: 'Download' }).elements()).toEqual([])

  bridge.setState({ update: { state: 'ready', version: '0.2.0' } })
  await expect
    .element(status)
    .toMatchTextContent('Siteward 0.2.0 is ready. It will be installed when you restart or quit Siteward.')
  await screen.getByRole('button', { name: 'Restart to update' }).click()
  expect(bridge.requests('restartToUpdate')).toHaveLength(1)

  bridge.setState({ update: { state: 'restarting', version: '0.2.0' } })
  await expect.element(status).toMatchTextContent('Pending changes are kept.')
})

test('looks for a newer version on request, and shows the result', async () => {
  const { screen, bridge, status } = await openSettings({ state: 'none', error: null })
  await expect.element(status).toMatchTextContent('Siteward is up to date')
  let found: (update: AppUpdate) => void = () => undefined
  bridge.answer('checkForUpdate', async () => ok(await new Promise<AppUpdate>((resolve) => (found = resolve))))
  const button = screen.getByRole('button', { name: 'Check for updates' })
  await button.click()
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  expect(bridge.requests('checkForUpdate')).toHaveLength(1)
  found({ state: 'none', error: null })
  await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent('Siteward is up to date')
  await expect.element(button).not.toHaveAttribute('aria-disabled')
})

test('reports a download that cannot be verified, with what to do', async () => {
  const { screen } = await openSettings({ state: 'found', version: '0.2.0', error: 'update-unverified' })
  await expect.element(screen.getByText(/Nothing was installed/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Download' })).toBeVisible()
  await expectAccessible()
})
