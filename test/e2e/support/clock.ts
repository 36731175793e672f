import type { ElectronApplication, Page } from '@playwright/test'
import { expect } from './expect.ts'

/** Moves the app's monotonic clock forward. Its wall clock and its running timers are not affected. */
export const letSecondsPass = (app: ElectronApplication, seconds: number): Promise<void> =>
  app.evaluate((_electron, ms) => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + ms
  }, seconds * 1000)

/** Sends all changes now, by a command and not by the button on the Pending screen, which disappears with the last change. */
export const sendNow = (page: Page): Promise<unknown> => page.evaluate(() => window.siteward?.sendNow({}))

/** Moves the app's monotonic clock forward and sends all changes, so that the app ends a delay before its timer fires. */
export async function skipDelay(
  { app, page }: { app: ElectronApplication; page: Page },
  seconds: number,
): Promise<void> {
  await letSecondsPass(app, seconds)
  await sendNow(page)
}

/** Waits until main has begun a wait of `length` ms, and ends all such waits. Needs `test.use({ endsWaits: true })`. */
export const endWait = (app: ElectronApplication, length: number): Promise<void> =>
  expect
    .poll(() =>
      app.evaluate((_electron, wanted) => {
        const { longWaits } = globalThis as unknown as { longWaits: { ms: number; end: () => void }[] }
        const due = longWaits.filter(({ ms }) => ms === wanted)
        for (const { end } of due) end()
        return due.length
      }, length),
    )
    .toBeGreaterThan(0)
