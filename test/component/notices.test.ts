import { page } from 'vitest/browser'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from './support/app.ts'
import { websites } from './support/fixtures.ts'

test('a notice goes by itself, but not while it has the focus, which isn’t lost with it', async () => {
  await page.viewport(1180, 740)
  const { keys, screen, row } = await openApp({ websites: websites(30) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('a.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 website' }).click()
  const undo = screen.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' })
  await expect.element(undo).toBeVisible()
  ;(undo.element() as HTMLElement).focus()
  vi.advanceTimersByTime(60_000)
  await expect.element(undo).toHaveFocus()
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await expect.element(undo).not.toBeInTheDocument()
  await expect.element(row('harbour-bakery.example')).toHaveFocus()
})
