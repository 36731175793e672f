import { svelte } from '@sveltejs/vite-plugin-svelte'
import { playwright } from '@vitest/browser-playwright'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// As root Chromium runs only without its sandbox; the rest keeps it from calling home.
const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// Debian's browser, any that is named, or elsewhere an installed Chrome.
const named = process.env['CHROMIUM'] ?? (process.platform === 'linux' ? '/usr/bin/chromium' : undefined)
const browser = named === undefined ? { channel: 'chrome' } : { executablePath: named }

/** How long something is looked for: generous, as slowness of the machine is no failure. */
const patient = { poll: { timeout: 10_000 } }

/** Tests that replace modules, load them again, or count what they keep in memory. */
const ownModules = [
  'test/unit/diagnostics/full-disk.test.ts',
  'test/unit/list/field-table.test.ts',
  'test/unit/outbox/read-cache.test.ts',
  'test/unit/scripts/packing.test.ts',
  'test/unit/service/retained-requests.test.ts',
  'test/unit/service/times.test.ts',
  'test/unit/shell/opened-with.test.ts',
  'test/unit/shell/protocol.test.ts',
]

const inNode = {
  environment: 'node',
  pool: 'forks',
  expect: patient,
  testTimeout: 30_000,
  hookTimeout: 30_000,
} as const

const libraries = /[\\/]node_modules[\\/]/

export default defineConfig({
  test: {
    // By default one core is left free, which is half of the two of a build machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/crash/**/*.test.ts'],
          exclude: ownModules,
          // The files of a process share the modules that they import, which saves two fifths of the CPU time.
          isolate: false,
          ...inNode,
        },
      },
      { test: { name: 'unit-isolated', include: ownModules, ...inNode } },
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          // One file after another: the schedules take all cores.
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 30_000,
        },
      },
      {
        // The project is in runes mode; the testing library's components aren't.
        plugins: [
          svelte({
            dynamicCompileOptions: ({ filename }) => (libraries.test(filename) ? { runes: undefined } : undefined),
          }),
        ],
        // A dependency met for the first time in mid-run would reload the page under the tests.
        // A package that is found only once tests run makes the page load again.
        optimizeDeps: {
          include: [
            ...['zod', 'papaparse', 'ipaddr.js', 'punycode/', 'bits-ui'],
            ...['vitest-browser-svelte', 'axe-core'],
          ],
          exclude: ['@lucide/svelte'],
        },
        test: {
          name: 'component',
          include: ['test/component/**/*.test.ts'],
          // The files of a worker share a page with the modules that they import, which saves a quarter of the CPU time.
          isolate: false,
          setupFiles: './test/component/support/set-up.ts',
          expect: patient,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...browser, args: chromiumArgs },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
