import type { ElectronApplication } from '@playwright/test'

/** Lets time pass for the app's monotonic clock alone. */
export const letSecondsPass = (app: ElectronApplication, seconds: number): Promise<void> =>
  app.evaluate((_electron, ms) => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + ms
  }, seconds * 1000)
