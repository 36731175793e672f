import { page } from 'vitest/browser'
import { expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { openConnect } from './support/connect.ts'
import { anAppState } from './support/fixtures.ts'

test.for([1180, 480])(
  'cuts off no badge of the check in a window %i wide, and does not mark a missing tray as “Problem”',
  async (width) => {
    await page.viewport(width, 900)
    const { screen, bridge, goToAdvancedSettings } = await openApp({})
    bridge.answer('checkSetUp', () =>
      ok([
        { part: 'clock', found: 'good', code: null },
        { part: 'tls', found: 'bad', code: 'certificate' },
        { part: 'key', found: 'unknown', code: null },
        { part: 'tray', found: 'absent', code: null },
      ]),
    )
    await goToAdvancedSettings()
    await screen.getByRole('button', { name: 'Check setup' }).click()
    const parts = screen.getByRole('list', { name: 'Setup' })
    const part = (name: string) => parts.getByRole('listitem').filter({ hasText: name })
    await expect
      .element(part('Date and time'))
      .toMatchTextContent('No problem was found with this computer’s date and time')
    await expect.element(part('Tray')).toMatchTextContent('This desktop doesn’t show tray icons.')
    await expect.element(part('Tray').getByText('Problem')).not.toBeInTheDocument()
    for (const label of ['OK', 'Problem', 'Unknown', 'Not available']) {
      const badge = parts.getByText(label, { exact: true }).element()
      expect(badge.scrollWidth).toBeLessThanOrEqual(badge.clientWidth)
    }
    await expectAccessible()
  },
)

test.for([1180, 480])(
  'shows the check of the set-up below the connect form before there is a connection, in a window %i wide',
  async (width) => {
    await page.viewport(width, 900)
    const { screen, bridge, keys, connect } = await openConnect()
    bridge.answer('connect', () => fail('keychain-missing'))
    await screen.getByRole('textbox', { name: 'Service address' }).fill('stats.example')
    await screen.getByLabelText('API key', { exact: true }).fill('key')
    await connect.click()
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/gnome-keyring/)

    // “Troubleshooting” comes last in the Tab order.
    ;(screen.getByRole('button', { name: 'Import settings…' }).element() as HTMLElement).focus()
    await keys('{Tab}{Enter}')
    const check = screen.getByRole('button', { name: 'Check setup' })
    await expect.element(check).toBeVisible()
    await expectAccessible()
    bridge.answer('checkSetUp', () =>
      ok([
        { part: 'clock', found: 'unknown', code: null },
        { part: 'keychain', found: 'bad', code: 'keychain-missing' },
        { part: 'tls', found: 'unknown', code: null },
        { part: 'key', found: 'unknown', code: null },
      ]),
    )
    await keys('{Tab}{Enter}')
    await expect.element(check).toHaveFocus()
    const parts = screen.getByRole('list', { name: 'Setup' })
    await expect.element(parts).toMatchTextContent(/Keychain.*Problem.*Secure connection.*Unknown/)
    await expect.element(parts).toMatchTextContent(/connection can be checked after you add an account\./)
    await expect.element(parts).toMatchTextContent(/API key can be checked after you add an account\./)
    for (const item of parts.getByRole('listitem').elements()) {
      expect(item.scrollWidth).toBeLessThanOrEqual(item.clientWidth)
    }
    await expectAccessible()

    // Before the first connection there is no address, and so no switch that includes it.
    await expect.element(screen.getByRole('switch')).not.toBeInTheDocument()
    await expect.element(screen.getByText(/no keys, passwords, or websites/)).toBeVisible()
    await keys('{Tab}{Enter}')
    await expect.poll(() => bridge.requests('copyDiagnostics')).toEqual([{ address: false }])
    await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent('Diagnostics copied.')
  },
)

test('the check of the set-up has texts of its own for little free space, a service that was not found, and a rate limit', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({})
  bridge.answer('checkSetUp', () =>
    ok([
      { part: 'disk', found: 'bad', code: null },
      { part: 'address', found: 'bad', code: 'not-found' },
      { part: 'key', found: 'unknown', code: 'rate-limited' },
    ]),
  )
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect.element(parts.getByText(/^There’s less than 100.MB of free space\. Free up some space/)).toBeVisible()
  await expect.element(parts.getByText('No service found at this address.', { exact: true })).toBeVisible()
  await expect
    .element(parts.getByText(/Too many requests in a short time\. Wait a minute, then try again\.$/))
    .toBeVisible()
})

test('says what to do about an address without https and about an account without a key', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({})
  bridge.answer('checkSetUp', () =>
    ok([
      { part: 'tls', found: 'bad', code: null },
      { part: 'key', found: 'bad', code: 'key-missing' },
    ]),
  )
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect.element(parts.getByText(/add the account again with an https:\/\/ address\.$/)).toBeVisible()
  // The text names the place of the key, because the tested connection may be that of another account.
  await expect.element(parts.getByText(/Enter an API key for it in Settings > Accounts\.$/)).toBeVisible()
})

test('the text about a good connection also fits a service on this computer without https', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({})
  bridge.answer('checkSetUp', () => ok([{ part: 'tls', found: 'good', code: null }]))
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect
    .element(parts)
    .toMatchTextContent(
      /Secure connection.*OK.*The connection to the service is encrypted or stays on this computer\.$/,
    )
})

test('the check of the set-up doesn’t say that nothing was saved if the disk is full', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({})
  bridge.answer('checkSetUp', () => ok([{ part: 'disk', found: 'bad', code: 'disk-full' }]))
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect.element(parts.getByText('The disk is full. Free up some space, then check again.')).toBeVisible()
})

test('says that the key can’t be read because the keychain is missing, not because it is locked', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({ state: anAppState({ keychain: 'missing' }) })
  bridge.answer('checkSetUp', () =>
    ok([
      { part: 'keychain', found: 'bad', code: 'keychain-missing' },
      { part: 'key', found: 'unknown', code: 'keychain-locked' },
    ]),
  )
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect.element(parts.getByText('Not available. Couldn’t access the keychain.')).toBeVisible()
  await expect.element(parts.getByText(/gnome-keyring/)).toBeVisible()
})

test('says whether the icon is missing because of the desktop or because it was hidden when the set-up was checked', async () => {
  const { screen, bridge, goToAdvancedSettings } = await openApp({})
  bridge.answer('checkSetUp', () => ok([{ part: 'tray', found: 'absent', code: null }]))
  await goToAdvancedSettings()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  const parts = screen.getByRole('list', { name: 'Setup' })
  await expect.element(parts).toMatchTextContent(/This desktop doesn’t show tray icons\.$/)
  await screen.getByRole('switch', { name: 'Hide the tray icon' }).click()
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ hideTray: true }])
  await expect.element(parts).toMatchTextContent(/This desktop doesn’t show tray icons\.$/)
  await screen.getByRole('button', { name: 'Check setup' }).click()
  await expect.element(parts).toMatchTextContent(/“Hide the tray icon” is on in Settings\.$/)
})

test('says beside the button if the check of the set-up failed', async () => {
  const { screen, bridge } = await openConnect()
  bridge.answer('checkSetUp', () => fail('internal'))
  await screen.getByText('Troubleshooting').click()
  await screen.getByRole('button', { name: 'Check setup' }).click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  bridge.answer('checkSetUp', () => ok([{ part: 'tray', found: 'good', code: null }]))
  await screen.getByRole('button', { name: 'Check setup' }).click()
  await expect.element(screen.getByRole('list', { name: 'Setup' })).toBeVisible()
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
})
