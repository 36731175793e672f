import { expect, test } from 'vitest'
import { BETWEEN_WORDS, paceTray } from '../../../src/main/shell/tray-throttle.ts'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import type { AppState } from '../../../src/shared/state.ts'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { aConnection, anAppState } from '../../component/support/fixtures.ts'
import { fakeClock } from '../outbox/clock.ts'

function start() {
  const clock = fakeClock()
  const drawn: string[] = []
  const view = (change: Partial<AppState>) =>
    trayView(anAppState({ connection: aConnection(), ...change }), null, false)
  const paced = paceTray(clock, view({}), ({ toolTip }) => drawn.push(toolTip))
  return { clock, drawn, stop: () => paced.stop(), is: (change: Partial<AppState>) => paced.render(view(change)) }
}

test('what only counts down is drawn once in a while, and never twice', async () => {
  const { clock, drawn, is } = start()
  is({})
  for (let waiting = 9; waiting > 0; waiting--) {
    is({ waiting })
    is({ waiting })
    await clock.advance(BETWEEN_WORDS / 2 - 1)
  }
  await clock.advance(BETWEEN_WORDS)
  expect(drawn).toEqual([9, 7, 5, 3, 1].map((n) => `Siteward: ${String(n)} change${n === 1 ? '' : 's'} pending`))
})

test('another picture or another choice is drawn at once', () => {
  const { drawn, is } = start()
  is({ waiting: 2 })
  is({ waiting: 1 })
  is({ paused: true, waiting: 1 })
  is({ parked: 1 })
  is({})
  expect(drawn.map((toolTip) => toolTip.replace(/^Siteward:? ?/, ''))).toEqual([
    '2 changes pending',
    'Sending is paused, 1 change pending',
    '1 change needs attention',
    '',
  ])
})

test('what is shown again meanwhile isn’t drawn after all, nor anything once it’s stopped', async () => {
  const { clock, drawn, is, stop } = start()
  is({ waiting: 3 })
  is({ waiting: 2 })
  is({ waiting: 3 })
  await clock.advance(BETWEEN_WORDS)
  is({ waiting: 2 })
  is({ waiting: 1 })
  stop()
  await clock.advance(BETWEEN_WORDS)
  expect(drawn).toEqual(['Siteward: 3 changes pending', 'Siteward: 2 changes pending'])
})

test('another language is drawn at once', () => {
  const { drawn, is } = start()
  is({ waiting: 2 })
  overwriteGetLocale(() => 'de')
  is({ waiting: 1 })
  overwriteGetLocale(() => baseLocale)
  expect(drawn).toHaveLength(2)
})
