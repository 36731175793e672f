import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppState } from '../../src/shared/state.ts'
import { openApp } from './support/app.ts'
import { aConnection, anAppState } from './support/fixtures.ts'

const { refresh } = anAppState()
const openUnread = (change: Partial<AppState> = {}) =>
  openApp({ websites: [], state: anAppState({ refresh: { ...refresh, seenAt: null }, ...change }) })

test('the empty list says what it waits for: a key, the keychain, or F5', async () => {
  const { screen, bridge } = await openUnread({ connection: aConnection({ key: 'missing' }) })
  const entered = screen.getByText('The websites will be loaded when you enter an API key.')
  const read = screen.getByText('The websites will be loaded when the API key can be read.')
  await expect.element(entered).toBeVisible()
  for (const keychain of ['locked', 'missing', 'frozen'] as const) {
    bridge.setState({ connection: aConnection({ key: 'locked' }), keychain })
    await expect.element(read).toBeVisible()
  }
  bridge.setState({ connection: aConnection({ key: 'refused' }) })
  await expect.element(entered).toBeVisible()
  bridge.setState({ connection: aConnection({ key: 'loading' }) })
  await expect.element(read).toBeVisible()
  // The keychain is unlocked, but does not contain the key.
  bridge.setState({ connection: aConnection({ key: 'locked' }), keychain: 'ready' })
  await expect.element(entered).toBeVisible()
  bridge.setState({ connection: aConnection() })
  await expect.element(screen.getByText('Press F5 to load the websites.')).toBeVisible()
})

test('refreshes with Command+R and F5 on a Mac, and names the former', async () => {
  const userAgent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Macintosh; Intel Mac OS X 10_15_7')
  onTestFinished(() => userAgent.mockRestore())
  const { screen, bridge, keys } = await openUnread()
  await expect.element(screen.getByText('Press ⌘R to load the websites.')).toBeVisible()
  const button = screen.getByRole('button', { name: 'Refresh' })
  await expect.element(button).toHaveAttribute('title', 'Refresh (⌘R)')
  await expect.element(button).toHaveAttribute('aria-keyshortcuts', 'Meta+R')
  for (const [nth, pressed] of ['{Meta>}r{/Meta}', '{F5}'].entries()) {
    await keys(pressed)
    await expect.poll(() => bridge.requests('refresh')).toHaveLength(nth + 1)
  }
})

test('does not say that the service returned no account details before it was asked', async () => {
  const { screen, bridge, goTo } = await openUnread({ connection: aConnection({ key: 'missing' }) })
  await goTo('Account')
  const waits = 'Account details will be loaded when Siteward has connected to the service.'
  await expect.element(screen.getByText(waits)).toBeVisible()
  bridge.setState({ connection: aConnection(), refresh })
  await expect.element(screen.getByText(/^The service didn’t return any account details/)).toBeVisible()
})

test('the line above the list says that the service was not found, not that a website was not found', async () => {
  const error = { code: 'not-found', message: '', status: 404 } as const
  const { screen } = await openApp({
    state: anAppState({ reach: { state: 'online' }, refresh: { ...refresh, error } }),
  })
  const found = screen.getByRole('main').getByText('No service found at this address.')
  await expect.element(found).toBeVisible()
  await expect.element(screen.getByText(/couldn’t find this website/)).not.toBeInTheDocument()
})
