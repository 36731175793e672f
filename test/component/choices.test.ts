import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from './support/app.ts'
import { aHistoryEntry, anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const focus = (locator: { element: () => Element }): void => (locator.element() as HTMLElement).focus()

async function openWebsite() {
  const app = await openApp({ websites: [aWebsite()], edits: [anEdit()], history: [aHistoryEntry()] })
  await app.row('kestrel-press.example').click()
  return { ...app, fields: app.form() }
}

test('chooses an option by arrow keys, which go on from the last option to the first, with one tab stop', async () => {
  const { fields, keys } = await openWebsite()
  focus(fields.privacy('Private'))
  await keys('{ArrowRight}')
  await expect.element(fields.privacy('Password')).toBeChecked()
  await expect.element(fields.privacy('Password')).toHaveFocus()
  await keys('{ArrowDown}')
  await expect.element(fields.privacy('Public')).toBeChecked()
  await keys('{ArrowLeft}{ArrowUp}')
  await expect.element(fields.privacy('Private')).toHaveFocus()
  await keys('{Tab}')
  expect(document.activeElement?.getAttribute('type')).not.toBe('radio')
  await keys('{Shift>}{Tab}{/Shift}')
  await expect.element(fields.privacy('Private')).toHaveFocus()
})

test('switches a switch by Space and by a click on its label', async () => {
  const { fields, keys } = await openWebsite()
  focus(fields.email)
  await keys(' ')
  await expect.element(fields.email).toBeChecked()
  await fields.form.getByText('Email reports', { exact: true }).click()
  await expect.element(fields.email).not.toBeChecked()
})

test('chooses a tab by arrow keys, and the tab names its panel', async () => {
  const { screen, keys } = await openWebsite()
  const tab = (name: string) => screen.getByRole('tab', { name })
  focus(tab('Settings'))
  await expect.element(screen.getByRole('tabpanel', { name: 'Settings' })).toMatchTextContent(/Privacy/)
  await keys('{ArrowRight}')
  await expect.element(tab('History')).toHaveFocus()
  await expect.element(tab('History')).toHaveAttribute('aria-selected', 'true')
  await expect.element(screen.getByRole('tabpanel', { name: 'History' })).toMatchTextContent(/Privacy: /)
  await keys('{ArrowRight}')
  await expect.element(tab('Settings')).toHaveAttribute('aria-selected', 'true')
})
