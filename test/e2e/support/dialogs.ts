import type { ElectronApplication } from '@playwright/test'

export type Choice = { filePath: string } | { filePaths: string[] }

/** Answers the next file dialog, which is not shown (canary/recorder.mjs). */
export const choose = (app: ElectronApplication, choice: Choice): Promise<void> =>
  app.evaluate((_, given) => {
    const { choices } = globalThis as unknown as { choices: Choice[] }
    choices.push(given)
  }, choice)
