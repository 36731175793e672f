import { page, userEvent } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { m } from '../../src/messages/index.ts'
import { openApp } from './support/app.ts'
import { websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

async function openList() {
  const app = await openApp({ websites: websites(5) })
  await expect.element(app.row('harbour-bakery.example')).toBeVisible()
  return app
}

const dialog = page.getByRole('dialog')
const focused = () => document.activeElement

test('keeps the focus within a dialog, in both directions of Tab', async () => {
  const { keys } = await openList()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await expect.element(dialog.getByRole('textbox')).toHaveFocus()
  for (const key of ['{Tab}', '{Shift>}{Tab}{/Shift}']) {
    for (let n = 0; n < 12; n++) {
      await keys(key)
      const within = focused() === document.body || dialog.element().contains(focused())
      expect(within).toBe(true)
    }
  }
})

test('presses the primary button of a form with Control+Enter while a field has the focus', async () => {
  const { screen, keys, bridge } = await openApp({ websites: websites(5) })
  await screen.getByRole('checkbox', { name: 'Select all 5' }).click()
  await keys('{Control>}e{/Control}')
  await dialog.getByRole('radio', { name: 'Public' }).click()
  await expect.element(dialog.getByRole('button', { name: /^Change \d/ })).not.toHaveAttribute('aria-disabled')
  await keys('{Control>}{Enter}{/Control}')
  await expect.poll(() => bridge.requests('bulkUpdate')).toHaveLength(1)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('closes a form by a click outside, but not a question', async () => {
  const { screen, keys, box } = await openList().then((app) => ({
    ...app,
    box: app.screen.getByRole('checkbox', { name: 'Select harbour-bakery.example' }),
  }))
  const clickAt = (x: number, y: number) =>
    userEvent.click(document.documentElement, { position: { x, y }, force: true })
  await box.click()
  await keys('?')
  await expect.element(dialog).toBeVisible()
  const { left, top } = dialog.element().getBoundingClientRect()
  await clickAt(left + 4, top + 4)
  await expect.element(dialog).toBeVisible()
  await clickAt(left - 10, top + 4)
  await expect.element(dialog).not.toBeInTheDocument()

  await screen.getByRole('button', { name: 'Delete…' }).click()
  const question = page.getByRole('alertdialog')
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await clickAt(5, 5)
  await expect.element(question).toBeVisible()
  await keys('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button', { name: 'Delete…' })).toHaveFocus()
})

const forms: Record<string, { open: string; fill: (keys: (text: string) => Promise<void>) => Promise<void> }> = {
  'adding several': { open: '{Control>}{Shift>}n{/Shift}{/Control}', fill: (keys) => keys('a.example') },
  'editing several': {
    open: '{Control>}e{/Control}',
    fill: async () =>
      dialog.getByRole('radiogroup', { name: 'Privacy' }).getByRole('radio', { name: 'Public' }).click(),
  },
  'a preset': { open: '{Control>}k{/Control}new preset{Enter}', fill: (keys) => keys('Mine') },
}

test.for(Object.keys(forms))(
  'Escape closes an untouched form at once, and asks before it closes a filled one (%s)',
  async (name) => {
    const { open, fill } = forms[name] ?? expect.fail()
    const { screen, keys } = await openList()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await screen.getByRole('checkbox', { name: 'Select harbour-bakery.example' }).click()
    await keys(open)
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await keys('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await keys(open)
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await fill(keys)
    for (let n = 0; n < 3; n++) {
      await keys('{Escape}')
      await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
      await keys('{Escape}')
      await expect.element(question).not.toBeInTheDocument()
      await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    }
    await keys('{Escape}')
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(question).not.toBeInTheDocument()
  },
)

test('the list of keys closes by Escape every time, and returns the focus', async () => {
  const { screen, keys } = await openList()
  const button = screen.getByRole('button', { name: 'Refresh' })
  ;(button.element() as HTMLElement).focus()
  for (let n = 0; n < 4; n++) {
    await keys('?')
    await expect.element(dialog).toBeVisible()
    await keys('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  }
})

test('an open question stays when the key of another screen is pressed, and closes when the tray leads to another screen', async () => {
  const { screen, bridge, goTo } = await openApp({ websites: websites(5) })
  await screen.getByRole('checkbox', { name: 'Select all 5' }).click()
  await screen.getByRole('button', { name: 'Delete…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 5 websites?' })
  await expect.element(question).toBeVisible()
  const pressed = new KeyboardEvent('keydown', { key: '2', ctrlKey: true, bubbles: true, cancelable: true })
  question.element().dispatchEvent(pressed)
  // The application menu handles only keys that the page doesn't prevent.
  expect(pressed.defaultPrevented).toBe(true)
  await expect.element(question).toBeVisible()

  bridge.leadTo({ to: 'screen', screen: 'pending' })
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
  await goTo('Websites')
  await expect.element(screen.getByRole('button', { name: 'Delete…' })).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
  expect(bridge.requests('bulkDelete')).toEqual([])
})

test('the tray leads from a dialog to another screen only after the user agrees to lose the text of the dialog', async () => {
  const { screen, bridge, goTo } = await openApp()
  await goTo('Account')
  await screen.getByRole('button', { name: m.statistics_address_ask() }).click()
  const address = dialog.getByRole('textbox')
  await address.fill('https://stats.example/{domain}')
  bridge.leadTo({ to: 'screen', screen: 'pending' })
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(address).toHaveValue('https://stats.example/{domain}')
  bridge.leadTo({ to: 'screen', screen: 'pending' })
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  bridge.leadTo({ to: 'screen', screen: 'pending' })
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
})
