import { page } from 'vitest/browser'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from './support/app.ts'
import { anAppState, websites } from './support/fixtures.ts'

test.for([
  [480, 740],
  [1180, 740],
] as const)('with text of twice the size a window of %i × %i has room for rows', async ([width, height]) => {
  await page.viewport(width, height)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { row, keys } = await openApp({ websites: websites(30), state: anAppState({ websites: 30 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const scroller = document.querySelector('[role=grid]')?.parentElement
  const seen = () => {
    const { top = 0, bottom = 0 } = scroller?.getBoundingClientRect() ?? {}
    const head = document.querySelector('[role=rowgroup]')?.getBoundingClientRect().bottom ?? top
    return [...document.querySelectorAll('button[data-row]')].filter((each) => {
      const box = each.getBoundingClientRect()
      return box.top >= head - 1 && box.bottom <= Math.min(bottom, innerHeight) + 1
    })
  }
  await expect.poll(() => seen().length).toBeGreaterThanOrEqual(5)
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await keys('{End}')
  await expect.poll(() => seen().at(-1)).toBe(document.activeElement)
})
