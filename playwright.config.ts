import { defineConfig } from '@playwright/test'

/** Electron checks the archive on macOS and Windows alone. */
const otherSystems = process.platform === 'linux' ? ['**/integrity.spec.ts'] : []

export default defineConfig({
  testDir: 'test/e2e',
  // On Linux each worker has a desktop of its own (test/e2e/support/app.ts); elsewhere windows would take each other's focus.
  // Tests often wait for a timer of the app, so that three workers keep two cores busy.
  workers: process.platform === 'linux' ? 3 : 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: 'list',
  // No `screenshot`: the fixtures take one of the main window.
  globalSetup: './test/e2e/canary/record-of-run.ts',
  projects: [
    { name: 'app', testIgnore: ['**/canary/**', ...otherSystems], teardown: 'canary' },
    // After all others, also where some have failed.
    { name: 'canary', testMatch: '**/canary/*.spec.ts' },
  ],
  use: { trace: 'retain-on-failure' },
})
