import { page } from 'vitest/browser'
import { expect, test } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'

test.for([1180, 480])('%i wide the badges are whole, and what the app does without needs nobody', async (width) => {
  await page.viewport(width, 900)
  const { screen, far, goTo } = await openApp({})
  far.answer('checkSetUp', () =>
    ok([
      { part: 'clock', found: 'good', code: null },
      { part: 'tls', found: 'bad', code: 'certificate' },
      { part: 'key', found: 'unknown', code: null },
      { part: 'tray', found: 'absent', code: null },
    ]),
  )
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Check my set-up' }).click()
  const parts = screen.getByRole('list', { name: 'Set-up' })
  const part = (name: string) => parts.getByRole('listitem').filter({ hasText: name })
  await expect.element(part('Date and time')).toMatchTextContent('no earlier than when the list was last read')
  await expect.element(part('Tray')).toMatchTextContent('Nothing needs doing')
  await expect.element(part('Tray').getByText('Needs you')).not.toBeInTheDocument()
  for (const words of ['Good', 'Needs you', 'Can’t tell', 'Not needed']) {
    const badge = parts.getByText(words, { exact: true }).element()
    expect(badge.scrollWidth).toBeLessThanOrEqual(badge.clientWidth)
  }
  await expectAccessible()
})
