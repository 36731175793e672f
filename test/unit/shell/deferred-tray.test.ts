import { expect, test } from 'vitest'
import { createDeferredTray } from '../../../src/main/shell/deferred-tray.ts'
import { trayView, type TrayView } from '../../../src/main/shell/tray-view.ts'
import { anAppState } from '../../component/support/fixtures.ts'
import { fakeClock, MINUTE, settled } from '../outbox/clock.ts'

const place = { x: 1000, y: 0, width: 24, height: 24 }
const view = (waiting: number): TrayView => trayView(anAppState({ waiting }), new Map(), false)

/**
 * Starts the tray. `made` lists the views that the icon has shown.
 * `panel`: true if a panel is running, or null if the system can't tell.
 * `answered`: the last answer before the start, or undefined if there was none.
 */
function start(panel: boolean | null, answered?: boolean | null, hidden = false) {
  const desktop = { panel, checks: 0, removed: 0 }
  const made: TrayView[] = []
  const clock = fakeClock()
  const tray = createDeferredTray({
    panels: {
      async ask() {
        desktop.checks += 1
        return desktop.panel
      },
      lastAnswer: () => answered,
    },
    after: clock.after,
    first: view(0),
    hidden,
    make(first) {
      made.push(first)
      return {
        render: (next) => void made.push(next),
        bounds: () => place,
        stop: () => {},
        remove: () => (desktop.removed += 1),
      }
    },
  })
  return { desktop, made, clock, tray }
}

test('shows the icon with the latest state once a panel starts', async () => {
  const { desktop, made, clock, tray } = start(false)
  tray.render(view(2))
  await clock.advance(3_500)
  expect(made).toEqual([])
  expect(tray.bounds()).toMatchObject({ width: 0, height: 0 })
  expect(await tray.isShown()).toBe(false)

  desktop.panel = true
  await clock.advance(1_000)
  expect(made).toEqual([view(2)])
  expect(tray.bounds()).toEqual(place)
  expect(await tray.isShown()).toBe(true)
  tray.render(view(1))
  expect(made).toEqual([view(2), view(1)])
})

test('creates the icon without a panel after 15 seconds, stops asking, and reports it as not shown', async () => {
  const { desktop, made, clock, tray } = start(false)
  await clock.advance(15_000)
  expect(made).toHaveLength(1)
  expect(clock.timers()).toBe(0)
  const checksBefore = desktop.checks
  desktop.panel = true
  await clock.advance(60 * MINUTE)
  expect(desktop.checks).toBe(checksBefore)
  expect(await tray.isShown()).toBe(false)
})

test('creates the icon as soon as the answer is that a panel runs, or that this cannot be determined', async () => {
  for (const panel of [true, null]) {
    const { desktop, made, clock, tray } = start(panel)
    await settled()
    expect(made).toHaveLength(1)
    expect(clock.timers()).toBe(0)
    // The panel ends, and starts again.
    desktop.panel = false
    expect(await tray.isShown()).toBe(false)
    desktop.panel = true
    expect(await tray.isShown()).toBe(true)
  }
})

test('creates the icon at once if an earlier answer says that a panel runs, or that this cannot be determined', () => {
  for (const answered of [true, null]) {
    const { desktop, made } = start(answered, answered)
    expect(made).toHaveLength(1)
    expect(desktop.checks).toBe(0)
  }
})

test('creates the icon if a panel has started since the last answer', async () => {
  const { made } = start(true, false)
  expect(made).toEqual([])
  await settled()
  expect(made).toHaveLength(1)
})

test('creates no icon after it was stopped', async () => {
  for (const wait of [0, 1_500]) {
    const { desktop, made, clock, tray } = start(false)
    await clock.advance(wait)
    desktop.panel = true
    tray.stop()
    await clock.advance(MINUTE)
    expect(made).toEqual([])
  }
})

test('has no icon while the user hides it, and shows the latest state once it is shown again', async () => {
  const { desktop, made, clock, tray } = start(true, true, true)
  tray.render(view(2))
  expect([made, await tray.isShown()]).toEqual([[], false])
  tray.setHidden(false)
  tray.setHidden(false)
  expect([made, await tray.isShown()]).toEqual([[view(2)], true])
  tray.setHidden(true)
  tray.render(view(3))
  expect([made, desktop.removed, tray.bounds().width]).toEqual([[view(2)], 1, 0])

  const waiting = start(false)
  waiting.tray.setHidden(true)
  await waiting.clock.advance(MINUTE)
  await clock.advance(MINUTE)
  expect([waiting.made, waiting.clock.timers()]).toEqual([[], 0])
})
