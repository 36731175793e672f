import { page } from 'vitest/browser'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fail } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'

const recorder = () => page.getByRole('button', { name: /^Open search from any app/ })

test('records the keys of the global shortcut; Escape cancels and Backspace removes it', async () => {
  const { bridge, keys, goToAdvancedSettings } = await openApp()
  await goToAdvancedSettings()
  await expect.element(recorder()).toHaveTextContent('None')
  await recorder().click()
  await expect.element(recorder()).toHaveTextContent('Press the keys…')
  await keys('{Escape}')
  await expect.element(recorder()).toHaveTextContent('None')

  await recorder().click()
  await keys('{Control>}k{/Control}')
  await expect.element(recorder()).toHaveAccessibleDescription(/^These keys can’t be used\. Use at least two/)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expectAccessible()
  await keys('{Control>}{Shift>}k{/Shift}{/Control}')
  await expect.element(recorder()).toMatchTextContent(/Ctrl\+Shift\+K/)
  expect(bridge.requests('setSettings')).toEqual([{ searchShortcut: 'Mod+Shift+K' }])
  await expectAccessible()

  await recorder().click()
  await keys('{Backspace}')
  await expect.element(recorder()).toHaveTextContent('None')
  await recorder().click()
  await keys('{Alt>}{Shift>}1{/Shift}{/Alt}')
  await page.getByRole('button', { name: 'Remove shortcut' }).click()
  await expect.element(recorder()).toHaveTextContent('None')
  await expect.element(recorder()).toHaveFocus()
})

test('refuses the keys of the app, and on Windows those that type a character', async () => {
  const { bridge, keys, goToAdvancedSettings } = await openApp()
  await goToAdvancedSettings()
  await recorder().click()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await expect.element(recorder()).toHaveAccessibleDescription(/^Siteward uses these keys for “Add multiple/)
  await keys('{Control>}{Alt>}3{/Alt}{/Control}')
  await expect.element(recorder()).toHaveAccessibleDescription(/^Siteward uses these keys for “Switch to another/)
  const userAgent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Windows NT 10.0')
  onTestFinished(() => userAgent.mockRestore())
  await keys('{Control>}{Alt>}q{/Alt}{/Control}')
  await expect.element(recorder()).toHaveAccessibleDescription(/^On Windows, .* types characters/)
  expect(bridge.requests('setSettings')).toEqual([])
  await keys('{Control>}{Alt>}{F5}{/Alt}{/Control}')
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ searchShortcut: 'Mod+Alt+F5' }])
})

test('says that another program has the keys, and keeps the former ones', async () => {
  const { bridge, keys, goToAdvancedSettings } = await openApp()
  await goToAdvancedSettings()
  bridge.answer('setSettings', () => fail('shortcut-taken'))
  await recorder().click()
  await keys('{Control>}{Alt>}t{/Alt}{/Control}')
  await expect.element(recorder()).toHaveAccessibleDescription(/^These keys are already in use\. Your system or/)
  await expect.element(recorder()).toHaveTextContent('None')
})

test('names the keys in the language that is chosen while the field is shown', async () => {
  const { bridge, goToAdvancedSettings } = await openApp()
  await goToAdvancedSettings()
  await expect.element(recorder()).toHaveAccessibleDescription(/^Use at least two of Ctrl, Alt, and Shift/)
  bridge.setState({ language: { shown: 'de', system: 'en', formats: 'de' } })
  const german = page.getByRole('button', { name: /^Suche aus jeder App öffnen/ })
  await expect.element(german).toHaveAccessibleDescription(/^Verwenden Sie mindestens zwei der Tasten Strg, /)
})
