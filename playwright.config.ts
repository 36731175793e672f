import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'test/e2e',
  // Each test is an app with a browser of its own: two of them at once starve each other on two cores.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: 'list',
  // No `screenshot`: it waits five seconds in each test for the host's hidden window. The fixtures take one of ours.
  globalSetup: './test/e2e/canary/record-of-run.ts',
  projects: [
    { name: 'app', testIgnore: '**/canary/**', teardown: 'canary' },
    // After all others, also where some have failed.
    { name: 'canary', testMatch: '**/canary/*.spec.ts' },
  ],
  use: { trace: 'retain-on-failure' },
})
