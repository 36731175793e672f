import { expect, test } from 'vitest'
import { TEXT_INTERVAL, throttleTray } from '../../../src/main/shell/tray-throttle.ts'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import type { AppState } from '../../../src/shared/state.ts'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { aConnection, anAppState } from '../../component/support/fixtures.ts'
import { fakeClock } from '../outbox/clock.ts'

/** Starts the tray. `is` reports a state. `drawn` lists the tooltips that were drawn. */
function start() {
  const clock = fakeClock()
  const drawn: string[] = []
  const view = (change: Partial<AppState>) =>
    trayView(anAppState({ connection: aConnection(), ...change }), new Map(), false)
  const paced = throttleTray(clock, view({}), ({ toolTip }) => drawn.push(toolTip))
  return { clock, drawn, stop: () => paced.stop(), is: (change: Partial<AppState>) => paced.render(view(change)) }
}

test('draws changes of texts only at intervals, and none twice', async () => {
  const { clock, drawn, is } = start()
  is({})
  for (let waiting = 9; waiting > 0; waiting--) {
    is({ waiting })
    is({ waiting })
    await clock.advance(TEXT_INTERVAL / 2 - 1)
  }
  await clock.advance(TEXT_INTERVAL)
  expect(drawn).toEqual([9, 7, 5, 3, 1].map((n) => `Siteward: ${String(n)} change${n === 1 ? '' : 's'} pending`))
})

test('draws a changed icon or menu item at once', () => {
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

test('draws nothing if the former state returns, nor after it was stopped', async () => {
  const { clock, drawn, is, stop } = start()
  is({ waiting: 3 })
  is({ waiting: 2 })
  is({ waiting: 3 })
  await clock.advance(TEXT_INTERVAL)
  is({ waiting: 2 })
  is({ waiting: 1 })
  stop()
  await clock.advance(TEXT_INTERVAL)
  expect(drawn).toEqual(['Siteward: 3 changes pending', 'Siteward: 2 changes pending'])
})

test('draws another language at once', () => {
  const { drawn, is } = start()
  is({ waiting: 2 })
  overwriteGetLocale(() => 'de')
  is({ waiting: 1 })
  overwriteGetLocale(() => baseLocale)
  expect(drawn).toHaveLength(2)
})
